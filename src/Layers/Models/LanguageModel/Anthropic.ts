import { type Effect, Either, Option, Schema } from "effect"
import { LanguageModelFailed, type PromptText } from "../../../Services/Models/LanguageModel.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { type Dialect, initialRoom, makeAdaptiveProvider, type ThinkingRoom } from "./AdaptiveProvider.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"
import { credentialHeaders, makeModelClient, unreadable } from "./ModelClient.ts"
import type { ModelAnswer, ModelCallFailed, ModelProvider, ModelRequest } from "./ModelProvider.ts"
import { jsonObjectIn } from "./OutputSchema.ts"

/** Features that the model accepts. */
interface Abilities extends ThinkingRoom {
  /**
   * `format` is structured output. `tool` asks the model to call a tool, without forcing it, because models that think
   * refuse that.
   */
  readonly output: "format" | "tool"
  readonly effort: string | undefined
}

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
    cache_read_input_tokens: Schema.optional(Schema.NullOr(Schema.Number)),
    output_tokens_details: Schema.optional(
      Schema.NullOr(Schema.Struct({ thinking_tokens: Schema.optional(Schema.NullOr(Schema.Number)) }))
    )
  })
})
type Message = typeof Message.Type

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

const bodyOf = (request: ModelRequest, model: string, { effort, output, room }: Abilities) => {
  const { jsonSchema, name, prompt } = request
  const format = output === "format" ? { format: { type: "json_schema", schema: jsonSchema } } : {}
  const config = { ...format, ...(effort === undefined ? {} : { effort }) }
  return {
    model,
    max_tokens: request.maxOutputTokens + room,
    system: output === "format" ? prompt.system : `${prompt.system}\n\nAnswer only by one call of the tool ${name}.`,
    messages: [{ role: "user", content: contentOf(prompt) }],
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(output === "format"
      ? {}
      : {
          tools: [{ name, description: "Records the answer.", input_schema: jsonSchema }],
          tool_choice: { type: "auto", disable_parallel_tool_use: true }
        })
  }
}

const lesserAbilities = (words: string, abilities: Abilities): Abilities | undefined => {
  const isConfig = words.includes("output_config")
  if (abilities.effort !== undefined && (words.includes("effort") || (isConfig && !words.includes("format")))) {
    return { ...abilities, effort: undefined }
  }
  const isFormat = isConfig || /output_format|json_schema|structured output|schema|grammar/.test(words)
  return abilities.output === "format" && isFormat ? { ...abilities, output: "tool" } : undefined
}

const hasThought = ({ content, usage }: Message): boolean =>
  (usage.output_tokens_details?.thinking_tokens ?? 0) > 0 ||
  content.some(({ type }) => type === "thinking" || type === "redacted_thinking")

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
  // The input of a truncated tool call looks complete, so truncation is checked first.
  if (stop_reason === "max_tokens") {
    return Either.mapLeft(fail("invalid_output", "output_truncated"), (failed) => ({
      ...failed,
      isCutOffThinking: hasThought(decoded.right)
    }))
  }
  if (stop_reason === "model_context_window_exceeded") return fail("unavailable", "prompt_too_long")
  const used = content.find((block) => block.type === "tool_use" && block.name === request.name)
  const texts = content.filter(({ type }) => type === "text").map(({ text = "" }) => text)
  const output = used === undefined ? jsonObjectIn(texts.join("")) : used.input
  return output === undefined ? fail("invalid_output", "output_not_json") : Either.right({ output, tokens })
}

/** The messages of Anthropic. */
export const makeAnthropic = (
  settings: LanguageModelSettings,
  http: OutboundHttp["Type"],
  retryDelayMillis: number
): Effect.Effect<ModelProvider> => {
  const send = makeModelClient({
    http,
    baseUrl: settings.url,
    headers: credentialHeaders(settings),
    path: "/messages",
    retryDelayMillis,
    isQuotaExhausted: () => false
  })
  const dialect: Dialect<Abilities> = {
    initial: {
      output: "format",
      effort: Option.getOrUndefined(settings.effort),
      ...initialRoom(settings.thinkingTokens)
    },
    bodyOf: (request, abilities) => bodyOf(request, settings.model, abilities),
    lesserAbilities,
    answerOf: (json, request) => answerOf(json, request, settings.model)
  }
  return makeAdaptiveProvider(dialect, send)
}
