import { Effect, Either, Redacted, Schema } from "effect"
import { LanguageModelFailed, type PromptText } from "../../../Services/Models/LanguageModel.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"
import { makeModelClient, refusedStatus, unreadable } from "./ModelClient.ts"
import type { ModelAnswer, ModelCallFailed, ModelProvider, ModelRequest } from "./ModelProvider.ts"
import { jsonObjectIn } from "./OutputSchema.ts"

const apiVersion = "2023-06-01"

const Block = Schema.Struct({
  type: Schema.String,
  name: Schema.optional(Schema.String),
  input: Schema.optional(Schema.Unknown),
  text: Schema.optional(Schema.String)
})

const Message = Schema.Struct({
  model: Schema.optional(Schema.String),
  content: Schema.Array(Block),
  stop_reason: Schema.optional(Schema.NullOr(Schema.String)),
  usage: Schema.Struct({
    input_tokens: Schema.Number,
    output_tokens: Schema.Number,
    cache_creation_input_tokens: Schema.optional(Schema.NullOr(Schema.Number)),
    cache_read_input_tokens: Schema.optional(Schema.NullOr(Schema.Number))
  })
})

const decodeMessage = Schema.decodeUnknownEither(Message)

const contentOf = ({ images = [], user }: PromptText) =>
  images.length === 0
    ? user
    : [
        ...images.map(({ bytes, mediaType }) => ({
          type: "image",
          source: { type: "base64", media_type: mediaType, data: Buffer.from(bytes).toString("base64") }
        })),
        { type: "text", text: user }
      ]

/** The model must use a tool, so that its output follows the tool's schema. */
const bodyOf = (request: ModelRequest, model: string) => ({
  model,
  max_tokens: request.maxOutputTokens,
  system: request.prompt.system,
  messages: [{ role: "user", content: contentOf(request.prompt) }],
  tools: [{ name: request.name, description: "Records the answer.", input_schema: request.jsonSchema }],
  tool_choice: { type: "tool", name: request.name, disable_parallel_tool_use: true }
})

const answerOf = (json: unknown, request: ModelRequest, model: string): Either.Either<ModelAnswer, ModelCallFailed> => {
  const decoded = decodeMessage(json)
  if (Either.isLeft(decoded)) return Either.left({ failure: unreadable, tokens: undefined })
  const { content, stop_reason, usage } = decoded.right
  const tokens = {
    model: decoded.right.model ?? model,
    inputTokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    outputTokens: usage.output_tokens
  }
  const fail = (reason: LanguageModelFailed["reason"], detail: LanguageModelFailed["detail"]) =>
    Either.left({ failure: new LanguageModelFailed({ reason, detail }), tokens })
  if (stop_reason === "refusal") return fail("refused", "model_refused")
  // The input of a tool that was cut off looks complete.
  if (stop_reason === "max_tokens") return fail("invalid_output", "output_truncated")
  const used = content.find((block) => block.type === "tool_use" && block.name === request.name)
  const output = used === undefined ? jsonObjectIn(content.map(({ text = "" }) => text).join("")) : used.input
  return output === undefined ? fail("invalid_output", "output_not_json") : Either.right({ output, tokens })
}

/** The messages of Anthropic. */
export const makeAnthropic = (
  settings: LanguageModelSettings,
  http: OutboundHttp["Type"],
  retryDelayMillis: number
): ModelProvider => {
  const send = makeModelClient({
    http,
    baseUrl: settings.url,
    headers: { "x-api-key": Redacted.value(settings.apiKey), "anthropic-version": apiVersion },
    path: "/messages",
    retryDelayMillis,
    isQuotaExhausted: () => false
  })
  return {
    ask: (request) =>
      send({ body: bodyOf(request, settings.model), deadline: request.deadline }).pipe(
        Effect.mapError((failure): ModelCallFailed => ({ failure, tokens: undefined })),
        Effect.flatMap((answer) =>
          answer.status >= 200 && answer.status < 300
            ? answerOf(answer.json, request, settings.model)
            : Either.left<ModelCallFailed>({ failure: refusedStatus(answer), tokens: undefined })
        )
      )
  }
}
