import { type Duration, Effect, Option, Redacted, Schema } from "effect"
import type { LanguageModelSettings } from "../../src/Layers/Models/LanguageModel/LanguageModelSettings.ts"
import { makeLanguageModel } from "../../src/Layers/Models/LanguageModel/Live.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import type { LanguageModelFailed, PromptText } from "../../src/Services/Models/LanguageModel.ts"
import { assertNoFaults, vendorJudge } from "../support/VendorJudge.ts"
import { answer, providerServer, type Received, type Responder } from "./ProviderServer.ts"

export const key = "sk-very-secret"
const Greeting = Schema.Struct({
  text: Schema.String.pipe(Schema.maxLength(50)),
  mood: Schema.NullOr(Schema.Literal("glad", "sad"))
})
export const value = { text: "Olá!", mood: null }

interface Asked {
  readonly timeout?: Duration.DurationInput
  readonly times?: number
  readonly prices?: LanguageModelSettings["prices"]
  readonly images?: PromptText["images"]
  readonly effort?: string
  readonly thinkingTokens?: number
}

/** What the providers' own files say of requests and answers. */
export const judges = { openai: vendorJudge("openai"), anthropic: vendorJudge("anthropic") } as const

/**
 * Asks a model on a local server. Returns what it gave (the last time) and what the server received, which the
 * provider's file must allow.
 */
export const ask = (
  provider: LanguageModelSettings["provider"],
  responders: ReadonlyArray<Responder>,
  asked: Asked = {}
) =>
  Effect.gen(function* () {
    const { received, url } = yield* providerServer(responders)
    const model = yield* makeLanguageModel(
      {
        provider,
        url: `${url}/v1`,
        apiKey: Redacted.make(key),
        model: "model-1",
        effort: Option.fromNullable(asked.effort),
        thinkingTokens: asked.thinkingTokens ?? 0,
        prices: asked.prices ?? Option.none()
      },
      1
    )
    const generate = Effect.either(
      model.generate({
        prompt: {
          system: "You greet.",
          user: "Greet Ana.",
          ...(asked.images === undefined ? {} : { images: asked.images })
        },
        schema: Greeting,
        maxOutputTokens: 300,
        timeout: asked.timeout ?? "20 seconds",
        purpose: "greet",
        inSandbox: Effect.succeed(value)
      })
    )
    let result = yield* generate
    for (let time = 1; time < (asked.times ?? 1); time++) result = yield* generate
    assertNoFaults(received.flatMap(judges[provider].faultsOfRequest))
    return { received, result }
  }).pipe(Effect.scoped, Effect.provide(OutboundHttpNode))

export const failureOf = (
  provider: LanguageModelSettings["provider"],
  responders: ReadonlyArray<Responder>,
  asked?: Asked
): Effect.Effect<{ readonly failure: LanguageModelFailed; readonly received: ReadonlyArray<Received> }> =>
  Effect.map(ask(provider, responders, asked), ({ received, result }) => {
    if (result._tag === "Right") throw new Error("it succeeded")
    return { failure: result.left, received }
  })

export const completionBody = (
  content: unknown,
  more: { readonly finish_reason?: string; readonly refusal?: string; readonly reasoningTokens?: number } = {}
) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1741600000,
  model: "model-1-2025-01-01",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: more.refusal ?? null, annotations: [] },
      logprobs: null,
      finish_reason: more.finish_reason ?? "stop"
    }
  ],
  usage: {
    prompt_tokens: 40,
    completion_tokens: 10,
    total_tokens: 50,
    ...(more.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: more.reasoningTokens } })
  },
  service_tier: "default"
})

export const completion = (...parts: Parameters<typeof completionBody>): Responder =>
  answer(200, completionBody(...parts))

interface MessageParts {
  readonly stop_reason?: string
  readonly thinkingTokens?: number
}

/** What Anthropic answers; `blocks` come after what the model thought. */
export const messageBody = (
  blocks: ReadonlyArray<object>,
  { stop_reason = "end_turn", thinkingTokens = 0 }: MessageParts = {}
) => ({
  id: "msg_01",
  type: "message",
  role: "assistant",
  model: "model-1-20250101",
  container: null,
  content: [...(thinkingTokens > 0 ? [{ type: "thinking", thinking: "", signature: "EqQB" }] : []), ...blocks],
  stop_reason,
  stop_details: null,
  stop_sequence: null,
  usage: {
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 10,
    inference_geo: null,
    input_tokens: 30,
    output_tokens: 10,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: null,
    service_tier: "standard"
  }
})

export const textBlock = (text: string) => ({ type: "text", text, citations: null })
export const toolBlock = (input: unknown) => ({
  type: "tool_use",
  id: "toolu_01",
  name: "greet",
  input,
  caller: { type: "direct" }
})

export const message = (text: string, parts?: MessageParts): Responder =>
  answer(200, messageBody(text === "" ? [] : [textBlock(text)], parts))

export const openAiError = (status: number, error: unknown, headers?: { readonly [name: string]: string }) =>
  answer(status, { error }, headers)
export const anthropicError = (
  status: number,
  type: string,
  text: string,
  headers?: { readonly [name: string]: string }
) => answer(status, { type: "error", error: { type, message: text }, request_id: "req_01" }, headers)

/** The provider's own way to say each thing. */
export const dialects = {
  openai: {
    good: completion(JSON.stringify(value)),
    unauthorized: openAiError(401, {
      message: "Incorrect API key provided",
      type: "invalid_request_error",
      code: "invalid_api_key"
    }),
    limited: (headers: { readonly [name: string]: string }) =>
      openAiError(429, { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" }, headers),
    broken: answer(500, { error: { message: "The server had an error", type: "server_error" } }),
    refusal: completion(null, { refusal: "I cannot help with that." }),
    cutOff: completion('{"text": "Ol', { finish_reason: "length" }),
    otherShape: completion('{"text": 5}'),
    noModel: openAiError(404, { message: "The model `model-1` does not exist", code: "model_not_found" }),
    tooLong: openAiError(400, { message: "maximum context length is 8192 tokens", code: "context_length_exceeded" })
  },
  anthropic: {
    good: message(JSON.stringify(value)),
    unauthorized: anthropicError(401, "authentication_error", "invalid x-api-key"),
    limited: (headers: { readonly [name: string]: string }) =>
      anthropicError(429, "rate_limit_error", "would exceed your rate limit", headers),
    broken: anthropicError(529, "overloaded_error", "Overloaded"),
    refusal: message("", { stop_reason: "refusal" }),
    cutOff: message('{"text": "Ol', { stop_reason: "max_tokens" }),
    otherShape: message('{"text": 5}'),
    noModel: anthropicError(404, "not_found_error", "model: model-1"),
    tooLong: anthropicError(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum")
  }
} as const
