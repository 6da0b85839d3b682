import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Option, Redacted, Schema } from "effect"
import type { LanguageModelSettings } from "../../../src/Layers/LanguageModel/LanguageModelSettings.ts"
import { makeLanguageModel } from "../../../src/Layers/LanguageModel/Live.ts"
import { OutboundHttpNode } from "../../../src/Layers/Outbound/OutboundHttp.ts"
import { isPassing, type LanguageModelFailed } from "../../../src/Services/LanguageModel.ts"
import {
  answer,
  hangsUp,
  neverAnswers,
  providerServer,
  type Received,
  type Responder,
  stalls
} from "./ProviderServer.ts"

const key = "sk-very-secret"
const Greeting = Schema.Struct({
  text: Schema.String.pipe(Schema.maxLength(50)),
  mood: Schema.NullOr(Schema.Literal("glad", "sad"))
})
const value = { text: "Olá!", mood: null }

interface Asked {
  readonly timeout?: Duration.DurationInput
  readonly times?: number
  readonly prices?: LanguageModelSettings["prices"]
}

/** Asks a model on a local server, and answers what it gave (the last time) and what the server was sent. */
const ask = (provider: LanguageModelSettings["provider"], responders: ReadonlyArray<Responder>, asked: Asked = {}) =>
  Effect.gen(function* () {
    const { received, url } = yield* providerServer(responders)
    const model = yield* makeLanguageModel(
      {
        provider,
        url: `${url}/v1`,
        apiKey: Redacted.make(key),
        model: "model-1",
        prices: asked.prices ?? Option.none()
      },
      1
    )
    const generate = Effect.either(
      model.generate({
        prompt: { system: "You greet.", user: "Greet Ana." },
        schema: Greeting,
        maxOutputTokens: 300,
        timeout: asked.timeout ?? "20 seconds",
        purpose: "greet",
        inSandbox: Effect.succeed(value)
      })
    )
    let result = yield* generate
    for (let time = 1; time < (asked.times ?? 1); time++) result = yield* generate
    return { received, result }
  }).pipe(Effect.scoped, Effect.provide(OutboundHttpNode))

const failureOf = (
  provider: LanguageModelSettings["provider"],
  responders: ReadonlyArray<Responder>,
  asked?: Asked
): Effect.Effect<{ readonly failure: LanguageModelFailed; readonly received: ReadonlyArray<Received> }> =>
  Effect.map(ask(provider, responders, asked), ({ received, result }) => {
    if (result._tag === "Right") throw new Error("it succeeded")
    return { failure: result.left, received }
  })

const completion = (
  content: unknown,
  more: { readonly finish_reason?: string; readonly refusal?: string } = {}
): Responder =>
  answer(200, {
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
    usage: { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 },
    service_tier: "default"
  })

const message = (input: unknown, stop_reason = "tool_use"): Responder =>
  answer(200, {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "model-1-20250101",
    content: [
      { type: "text", text: "I will record it." },
      { type: "tool_use", id: "toolu_01", name: "greet", input }
    ],
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 30, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 10 }
  })

const openAiError = (status: number, error: unknown, headers?: { readonly [name: string]: string }) =>
  answer(status, { error }, headers)
const anthropicError = (status: number, type: string, text: string, headers?: { readonly [name: string]: string }) =>
  answer(status, { type: "error", error: { type, message: text }, request_id: "req_01" }, headers)

/** The provider's own way to say each thing. */
const dialects = {
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
    good: message(value),
    unauthorized: anthropicError(401, "authentication_error", "invalid x-api-key"),
    limited: (headers: { readonly [name: string]: string }) =>
      anthropicError(429, "rate_limit_error", "would exceed your rate limit", headers),
    broken: anthropicError(529, "overloaded_error", "Overloaded"),
    refusal: message({}, "refusal"),
    cutOff: message({ text: "Ol" }, "max_tokens"),
    otherShape: message({ text: 5 }),
    noModel: anthropicError(404, "not_found_error", "model: model-1"),
    tooLong: anthropicError(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum")
  }
} as const

describe.each(["openai", "anthropic"] as const)("the %s provider", (provider) => {
  const says = dialects[provider]

  it.live("gives the value, its tokens and its cost", () =>
    Effect.gen(function* () {
      const { result } = yield* ask(provider, [says.good], { prices: Option.some({ input: 2.5, output: 10 }) })
      assert.deepStrictEqual(result._tag === "Right" ? result.right : undefined, {
        value,
        usage: {
          inputTokens: 40,
          outputTokens: 10,
          model: provider === "openai" ? "model-1-2025-01-01" : "model-1-20250101",
          costMicroUsd: 200
        }
      })
    })
  )

  it.live("has no cost where no prices are known", () =>
    Effect.gen(function* () {
      const { result } = yield* ask(provider, [says.good])
      assert.notProperty(result._tag === "Right" ? result.right.usage : { costMicroUsd: 1 }, "costMicroUsd")
    })
  )

  it.live("does not repeat a call with a key that is rejected, and never shows the key", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf(provider, [says.unauthorized])
      assert.deepInclude(failure, { reason: "unavailable", detail: "credentials_rejected" })
      assert.isFalse(isPassing(failure))
      assert.strictEqual(received.length, 1)
      assert.notInclude(JSON.stringify(failure) + String(failure), key)
    })
  )

  it.live("waits as long as a 429 asks, and repeats", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(provider, [
        says.limited({ "retry-after-ms": "2" }),
        says.limited({ "retry-after": "0" }),
        says.good
      ])
      assert.strictEqual(result._tag, "Right")
      assert.strictEqual(received.length, 3)
    })
  )

  it.live("hands a long Retry-After on instead of sitting it out", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf(provider, [says.limited({ "retry-after": "120" }), says.good])
      assert.deepInclude(failure, { reason: "rate_limited", detail: "rate_limited", retryAfterSeconds: 120 })
      assert.isTrue(isPassing(failure))
      assert.strictEqual(received.length, 1)
    })
  )

  it.live("understands a Retry-After that is a date", () =>
    Effect.gen(function* () {
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
      const { failure } = yield* failureOf(provider, [says.limited({ "retry-after": inAnHour })])
      assert.closeTo(failure.retryAfterSeconds ?? 0, 3600, 60)
    })
  )

  it.live("repeats on 5xx and broken connections, three times in all", () =>
    Effect.gen(function* () {
      const recovered = yield* ask(provider, [says.broken, hangsUp, says.good])
      assert.strictEqual(recovered.result._tag, "Right")
      const { failure, received } = yield* failureOf(provider, [says.broken])
      assert.deepInclude(failure, { reason: "unavailable", detail: "server_error" })
      assert.isTrue(isPassing(failure))
      assert.strictEqual(received.length, 3)
      const dropped = yield* failureOf(provider, [hangsUp])
      assert.deepInclude(dropped.failure, { reason: "unavailable", detail: "connection_failed" })
    })
  )

  it.live("times out where no answer comes, and does not ask again", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf(provider, [neverAnswers], { timeout: "150 millis" })
      assert.deepInclude(failure, { reason: "timeout", detail: "timed_out" })
      assert.isTrue(isPassing(failure))
      assert.isAtMost(received.length, 1)
    })
  )

  it.live("times out where the answer stops half-way", () =>
    Effect.gen(function* () {
      const { failure } = yield* failureOf(provider, [stalls], { timeout: "150 millis" })
      assert.deepInclude(failure, { reason: "timeout", detail: "timed_out" })
    })
  )

  it.live("counts repetitions in the time it was given", () =>
    Effect.gen(function* () {
      const { failure } = yield* failureOf(provider, [says.broken, neverAnswers], { timeout: "200 millis" })
      assert.deepInclude(failure, { reason: "timeout", detail: "timed_out" })
    })
  )

  it.live("tells a refusal, and what it cost", () =>
    Effect.gen(function* () {
      const { failure } = yield* failureOf(provider, [says.refusal])
      assert.deepInclude(failure, { reason: "refused", detail: "model_refused" })
      assert.strictEqual(failure.usage?.inputTokens, 40)
      assert.isFalse(isPassing(failure))
    })
  )

  it.live("does not take an answer that was cut off or is not as asked", () =>
    Effect.gen(function* () {
      const cutOff = yield* failureOf(provider, [says.cutOff])
      assert.deepInclude(cutOff.failure, { reason: "invalid_output", detail: "output_truncated" })
      const otherShape = yield* failureOf(provider, [says.otherShape])
      assert.deepInclude(otherShape.failure, { reason: "invalid_output", detail: "output_not_as_asked" })
      assert.strictEqual(otherShape.failure.usage?.outputTokens, 10)
    })
  )

  it.live("tells what an operator must put right", () =>
    Effect.gen(function* () {
      const noModel = yield* failureOf(provider, [says.noModel])
      assert.deepInclude(noModel.failure, { reason: "unavailable", detail: "model_not_found" })
      const tooLong = yield* failureOf(provider, [says.tooLong])
      assert.deepInclude(tooLong.failure, { reason: "unavailable", detail: "prompt_too_long" })
      assert.isFalse(isPassing(noModel.failure) || isPassing(tooLong.failure))
    })
  )

  it.live("reads no answer without end, and none that is not the provider's", () =>
    Effect.gen(function* () {
      const endless = yield* failureOf(provider, [answer(200, "x".repeat(3 * 1024 * 1024))])
      assert.deepInclude(endless.failure, { reason: "unavailable", detail: "response_too_large" })
      for (const body of ["<html>gateway</html>", "{}", "[]", "null", '{"choices": []}']) {
        const { failure } = yield* failureOf(provider, [answer(200, body)])
        assert.deepInclude(failure, { reason: "unavailable", detail: "response_unreadable" })
      }
    })
  )

  it.live("does not follow a redirect with the key in hand", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf(provider, [answer(307, "", { location: "/elsewhere" })])
      assert.strictEqual(failure.reason, "unavailable")
      assert.strictEqual(received.length, 1)
    })
  )
})

describe("chat completions", () => {
  it.live("are asked for with the schema, strictly", () =>
    Effect.gen(function* () {
      const { received } = yield* ask("openai", [dialects.openai.good])
      assert.strictEqual(received[0]?.path, "/v1/chat/completions")
      assert.strictEqual(received[0]?.headers.authorization, `Bearer ${key}`)
      assert.deepStrictEqual(received[0]?.body, {
        model: "model-1",
        messages: [
          { role: "system", content: "You greet." },
          { role: "user", content: "Greet Ana." }
        ],
        max_tokens: 300,
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "greet",
            strict: true,
            schema: {
              type: "object",
              required: ["text", "mood"],
              properties: {
                text: { type: "string", description: "a string at most 50 character(s) long" },
                mood: { anyOf: [{ type: "string", enum: ["glad", "sad"] }, { type: "null" }] }
              },
              additionalProperties: false
            }
          }
        }
      })
    })
  )

  it.live("fall back to any JSON, then to text, and remember it", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "openai",
        [
          openAiError(400, {
            message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            type: "invalid_request_error"
          }),
          openAiError(400, "'response_format.type' must be 'json_schema' or 'text'"),
          completion(`<think>{"text": 1}</think>Sure:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``),
          dialects.openai.good
        ],
        { times: 2 }
      )
      assert.deepInclude(result, { _tag: "Right" })
      const formats = received.map(
        ({ body }) =>
          Schema.decodeUnknownSync(
            Schema.Struct({ response_format: Schema.optional(Schema.Struct({ type: Schema.String })) })
          )(body).response_format?.type
      )
      assert.deepStrictEqual(formats, ["json_schema", "json_object", undefined, undefined])
      assert.include(JSON.stringify(received[2]?.body), "Answer with one JSON object")
    })
  )

  it.live("rename the limit where the server wants it", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask("openai", [
        openAiError(400, {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          type: "invalid_request_error",
          param: "max_tokens",
          code: "unsupported_parameter"
        }),
        dialects.openai.good
      ])
      assert.strictEqual(result._tag, "Right")
      assert.deepInclude(received[1]?.body, { max_completion_tokens: 300 })
      assert.notProperty(received[1]?.body, "max_tokens")
    })
  )

  it.live("do not go round in circles with a server that refuses everything", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf("openai", [
        openAiError(400, { message: "max_tokens and max_completion_tokens are not supported" })
      ])
      assert.deepInclude(failure, { reason: "unavailable", detail: "request_rejected" })
      assert.isAtMost(received.length, 5)
    })
  )

  it.live("are not repeated when the money is gone", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf("openai", [
        openAiError(429, {
          message: "You exceeded your current quota",
          type: "insufficient_quota",
          code: "insufficient_quota"
        })
      ])
      assert.deepInclude(failure, { reason: "rate_limited", detail: "quota_exhausted" })
      assert.isFalse(isPassing(failure))
      assert.strictEqual(received.length, 1)
    })
  )

  it.live("tell a content filter, before and after", () =>
    Effect.gen(function* () {
      const after = yield* failureOf("openai", [completion("", { finish_reason: "content_filter" })])
      assert.deepInclude(after.failure, { reason: "refused", detail: "content_filtered" })
      const before = yield* failureOf("openai", [openAiError(400, { message: "filtered", code: "content_filter" })])
      assert.deepInclude(before.failure, { reason: "refused", detail: "content_filtered" })
    })
  )

  it.live("may have content in parts, no usage, and an error inside a success", () =>
    Effect.gen(function* () {
      const parts = yield* ask("openai", [
        answer(200, { choices: [{ message: { content: [{ type: "text", text: JSON.stringify(value) }] } }] })
      ])
      assert.deepStrictEqual(parts.result._tag === "Right" ? parts.result.right.value : undefined, value)
      assert.isAbove(parts.result._tag === "Right" ? parts.result.right.usage.inputTokens : 0, 0)
      const wrapped = yield* failureOf("openai", [
        answer(200, { error: { code: 502, message: "Provider returned error" } })
      ])
      assert.strictEqual(wrapped.failure.reason, "unavailable")
    })
  )

  it.live("that hold no JSON are told as such", () =>
    Effect.gen(function* () {
      for (const content of ["I would rather talk.", "{broken", "[1, 2]", "", "null"]) {
        const { failure } = yield* failureOf("openai", [completion(content)])
        assert.deepInclude(failure, { reason: "invalid_output", detail: "output_not_json" })
      }
    })
  )
})

describe("Anthropic's messages", () => {
  it.live("are asked for with a tool that must be used", () =>
    Effect.gen(function* () {
      const { received } = yield* ask("anthropic", [dialects.anthropic.good])
      assert.strictEqual(received[0]?.path, "/v1/messages")
      assert.strictEqual(received[0]?.headers["x-api-key"], key)
      assert.strictEqual(received[0]?.headers["anthropic-version"], "2023-06-01")
      assert.deepInclude(received[0]?.body, {
        model: "model-1",
        max_tokens: 300,
        system: "You greet.",
        messages: [{ role: "user", content: "Greet Ana." }],
        tool_choice: { type: "tool", name: "greet", disable_parallel_tool_use: true }
      })
    })
  )

  it.live("may answer in text nonetheless", () =>
    Effect.gen(function* () {
      const text = (content: string) =>
        answer(200, {
          content: [{ type: "text", text: content }],
          stop_reason: "end_turn",
          usage: { input_tokens: 1, output_tokens: 1 }
        })
      const { result } = yield* ask("anthropic", [text(JSON.stringify(value))])
      assert.deepStrictEqual(result._tag === "Right" ? result.right.value : undefined, value)
      const { failure } = yield* failureOf("anthropic", [text("No.")])
      assert.deepInclude(failure, { reason: "invalid_output", detail: "output_not_json" })
    })
  )

  it.live("are not repeated when the credit is gone", () =>
    Effect.gen(function* () {
      const { failure } = yield* failureOf("anthropic", [
        anthropicError(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")
      ])
      assert.deepInclude(failure, { reason: "rate_limited", detail: "quota_exhausted" })
    })
  )
})
