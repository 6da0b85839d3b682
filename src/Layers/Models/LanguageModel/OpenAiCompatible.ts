import { type Effect, Either, Option, Predicate, Schema } from "effect"
import { LanguageModelFailed, type PromptText } from "../../../Services/Models/LanguageModel.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { type Dialect, initialRoom, makeAdaptiveProvider, type ThinkingRoom } from "./AdaptiveProvider.ts"
import type { LanguageModelSettings } from "./LanguageModelSettings.ts"
import { credentialHeaders, errorWords, makeModelClient, unreadable } from "./ModelClient.ts"
import {
  estimatedTokens,
  type ModelAnswer,
  type ModelCallFailed,
  type ModelProvider,
  type ModelRequest,
  type TokenCounts
} from "./ModelProvider.ts"
import { jsonObjectIn } from "./OutputSchema.ts"

/** Features that the server accepts. Servers differ, and only a refusal shows it. */
interface Abilities extends ThinkingRoom {
  readonly output: "json_schema" | "json_object" | "text"
  /** The effort of thinking. Undefined if the model does not accept one. */
  readonly effort: string | undefined
  readonly limit: "max_completion_tokens" | "max_tokens"
}

const TextPart = Schema.Struct({ text: Schema.optional(Schema.String) })

const Completion = Schema.Struct({
  model: Schema.optional(Schema.NullOr(Schema.String)),
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      finish_reason: Schema.optional(Schema.NullOr(Schema.String)),
      message: Schema.Struct({
        content: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Array(TextPart)))),
        refusal: Schema.optional(Schema.NullOr(Schema.String)),
        // Compatible servers return thinking separately from the content.
        reasoning_content: Schema.optional(Schema.NullOr(Schema.String))
      })
    })
  ),
  usage: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        prompt_tokens: Schema.Number,
        completion_tokens: Schema.optional(Schema.Number),
        completion_tokens_details: Schema.optional(
          Schema.NullOr(Schema.Struct({ reasoning_tokens: Schema.optional(Schema.NullOr(Schema.Number)) }))
        )
      })
    )
  )
})
type Completion = typeof Completion.Type

const decodeCompletion = Schema.decodeUnknownEither(Completion)

const isStrict = (schema: { readonly [keyword: string]: unknown }): boolean => {
  const { properties, required } = schema
  return Predicate.isRecord(properties) && Array.isArray(required) && Object.keys(properties).length === required.length
}

const contentOf = ({ images = [], user }: PromptText) =>
  images.length === 0
    ? user
    : [
        ...images.map(({ bytes, mediaType }) => ({
          type: "image_url",
          image_url: { url: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` }
        })),
        { type: "text", text: user }
      ]

const bodyOf = (request: ModelRequest, model: string, abilities: Abilities) => {
  // If the server accepts no schema, the schema is part of the prompt.
  const schemaText =
    abilities.output === "json_schema"
      ? ""
      : `\n\nAnswer with one JSON object and nothing else, of this JSON Schema: ${JSON.stringify(request.jsonSchema)}`
  return {
    model,
    messages: [
      { role: "system", content: request.prompt.system + schemaText },
      { role: "user", content: contentOf(request.prompt) }
    ],
    [abilities.limit]: request.maxOutputTokens + abilities.room,
    ...(abilities.effort === undefined ? {} : { reasoning_effort: abilities.effort }),
    ...(abilities.output === "json_schema"
      ? {
          response_format: {
            type: "json_schema",
            json_schema: { name: request.name, strict: isStrict(request.jsonSchema), schema: request.jsonSchema }
          }
        }
      : abilities.output === "json_object"
        ? { response_format: { type: "json_object" } }
        : {})
  }
}

const lesserAbilities = (words: string, abilities: Abilities): Abilities | undefined => {
  if (abilities.effort !== undefined && words.includes("reasoning_effort")) return { ...abilities, effort: undefined }
  if (words.includes("max_completion_tokens") || words.includes("max_tokens")) {
    // The server refused the parameter's name that was sent, so the other name is used.
    if (/unsupported|unrecognized|unknown|not supported|not permitted|extra|unexpected|instead/.test(words)) {
      return { ...abilities, limit: abilities.limit === "max_tokens" ? "max_completion_tokens" : "max_tokens" }
    }
  }
  if (/response_format|json_schema|json_object|json mode|structured output|json schema/.test(words)) {
    if (abilities.output === "json_schema") return { ...abilities, output: "json_object" }
    if (abilities.output === "json_object") return { ...abilities, output: "text" }
  }
  return undefined
}

const textOf = ({ choices }: Completion): string => {
  const { content } = choices[0].message
  if (content === undefined || content === null) return ""
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("")
}

const tokensOf = (completion: Completion, request: ModelRequest, model: string): TokenCounts => ({
  model: completion.model ?? model,
  inputTokens: completion.usage?.prompt_tokens ?? estimatedTokens(request.prompt.system + request.prompt.user),
  outputTokens: completion.usage?.completion_tokens ?? estimatedTokens(textOf(completion))
})

/** Servers report thinking in different ways. Some only leave the content empty. */
const hasThought = (completion: Completion): boolean => {
  const text = textOf(completion)
  return (
    (completion.usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0 ||
    (completion.choices[0].message.reasoning_content ?? "") !== "" ||
    text === "" ||
    (text.includes("<think>") && !text.includes("</think>"))
  )
}

const answerOf = (json: unknown, request: ModelRequest, model: string): Either.Either<ModelAnswer, ModelCallFailed> => {
  const decoded = decodeCompletion(json)
  if (Either.isLeft(decoded)) return Either.left({ failure: unreadable, tokens: undefined })
  const completion = decoded.right
  const tokens = tokensOf(completion, request, model)
  const fail = (reason: LanguageModelFailed["reason"], detail: LanguageModelFailed["detail"]) =>
    Either.left({ failure: new LanguageModelFailed({ reason, detail }), tokens })
  const { finish_reason, message } = completion.choices[0]
  if (finish_reason === "content_filter") return fail("refused", "content_filtered")
  if (message.refusal !== undefined && message.refusal !== null && message.refusal !== "") {
    return fail("refused", "model_refused")
  }
  const output = jsonObjectIn(textOf(completion))
  if (output !== undefined) return Either.right({ output, tokens })
  return finish_reason === "length"
    ? Either.mapLeft(fail("invalid_output", "output_truncated"), (failed) => ({
        ...failed,
        isCutOffThinking: hasThought(completion)
      }))
    : fail("invalid_output", "output_not_json")
}

const isOpenAi = (url: string): boolean => new URL(url).hostname.endsWith("openai.com")

/**
 * Uses the chat completions of OpenAI and of compatible servers. If a server accepts no schema, it is asked for any
 * JSON, then for text. Later requests begin with the form that it accepted.
 */
export const makeOpenAiCompatible = (
  settings: LanguageModelSettings,
  http: OutboundHttp["Type"],
  retryDelayMillis: number
): Effect.Effect<ModelProvider> => {
  const send = makeModelClient({
    http,
    baseUrl: settings.url,
    headers: credentialHeaders(settings),
    path: "/chat/completions",
    retryDelayMillis,
    isQuotaExhausted: (json) => errorWords(json).includes("insufficient_quota")
  })
  const dialect: Dialect<Abilities> = {
    initial: {
      output: "json_schema",
      limit: isOpenAi(settings.url) ? "max_completion_tokens" : "max_tokens",
      effort: Option.getOrUndefined(settings.effort),
      ...initialRoom(settings.thinkingTokens)
    },
    bodyOf: (request, abilities) => bodyOf(request, settings.model, abilities),
    lesserAbilities,
    answerOf: (json, request) => answerOf(json, request, settings.model)
  }
  return makeAdaptiveProvider(dialect, send)
}
