import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  anthropicError,
  ask,
  dialects,
  failureOf,
  judges,
  key,
  message,
  messageBody,
  textBlock,
  toolBlock,
  value
} from "./AskProvider.ts"
import { answer } from "./ProviderServer.ts"

const greetingSchema = {
  type: "object",
  required: ["text", "mood"],
  properties: {
    text: { type: "string", description: "a string at most 50 character(s) long" },
    mood: { anyOf: [{ type: "string", enum: ["glad", "sad"] }, { type: "null" }] }
  },
  additionalProperties: false
}

const limitsOf = (received: ReadonlyArray<{ readonly body: unknown }>) =>
  received.map(({ body }) => Schema.decodeUnknownSync(Schema.Struct({ max_tokens: Schema.Number }))(body).max_tokens)

describe("Anthropic's messages", () => {
  it.live("ask for structured output, with an effort and room to think", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask("anthropic", [dialects.anthropic.good], {
        effort: "low",
        thinkingTokens: 4000
      })
      assert.deepStrictEqual(result._tag === "Right" ? result.right.value : undefined, value)
      assert.strictEqual(received[0]?.path, "/v1/messages")
      assert.strictEqual(received[0]?.headers["x-api-key"], key)
      assert.strictEqual(received[0]?.headers["anthropic-version"], "2023-06-01")
      assert.deepStrictEqual(received[0]?.body, {
        model: "model-1",
        max_tokens: 4300,
        system: "You greet.",
        messages: [{ role: "user", content: "Greet Ana." }],
        output_config: { format: { type: "json_schema", schema: greetingSchema }, effort: "low" }
      })
    })
  )

  it.live("show a picture before the words", () =>
    Effect.gen(function* () {
      const images = [{ mediaType: "image/jpeg" as const, bytes: Buffer.from("seen") }]
      const { received } = yield* ask("anthropic", [dialects.anthropic.good], { images })
      assert.deepInclude(received[0]?.body, {
        messages: [
          {
            role: "user",
            content: [
              { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "c2Vlbg==" } },
              { type: "text", text: "Greet Ana." }
            ]
          }
        ]
      })
    })
  )

  it.live("fall back to a tool that the model is asked to call, and never force it", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "anthropic",
        [
          anthropicError(400, "invalid_request_error", "output_config.format: the model has no structured outputs"),
          answer(200, messageBody([textBlock("I will record it."), toolBlock(value)], { stop_reason: "tool_use" })),
          message(JSON.stringify(value))
        ],
        { times: 2 }
      )
      assert.deepStrictEqual(result._tag === "Right" ? result.right.value : undefined, value)
      assert.lengthOf(received, 3)
      for (const { body } of received.slice(1)) {
        assert.deepInclude(body, {
          tools: [{ name: "greet", description: "Records the answer.", input_schema: greetingSchema }],
          tool_choice: { type: "auto", disable_parallel_tool_use: true }
        })
        assert.notProperty(body, "output_config")
      }
    })
  )

  it.live("leave out an effort that the model does not take, and remember it", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "anthropic",
        [
          anthropicError(400, "invalid_request_error", "This model does not support the effort parameter."),
          dialects.anthropic.good
        ],
        { effort: "low", times: 2 }
      )
      assert.strictEqual(result._tag, "Right")
      assert.lengthOf(received, 3)
      for (const { body } of received.slice(1)) {
        assert.deepInclude(body, { output_config: { format: { type: "json_schema", schema: greetingSchema } } })
      }
    })
  )

  it.live("give a model more room that was cut off while it thought, and count both answers", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "anthropic",
        [message("", { stop_reason: "max_tokens", thinkingTokens: 9 }), dialects.anthropic.good],
        { thinkingTokens: 4000, times: 2 }
      )
      assert.deepStrictEqual(limitsOf(received), [4300, 16_300, 16_300])
      assert.strictEqual(result._tag, "Right")
      const { received: once, result: first } = yield* ask("anthropic", [
        message("", { stop_reason: "max_tokens", thinkingTokens: 9 }),
        dialects.anthropic.good
      ])
      assert.deepStrictEqual(limitsOf(once), [300, 4300])
      assert.deepInclude(first._tag === "Right" ? first.right.usage : {}, { inputTokens: 80, outputTokens: 20 })
    })
  )

  it.live("end with a truncated answer when a model thinks without end", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf("anthropic", [
        message("", { stop_reason: "max_tokens", thinkingTokens: 9 })
      ])
      assert.deepInclude(failure, { reason: "invalid_output", detail: "output_truncated" })
      assert.deepStrictEqual(limitsOf(received), [300, 4300, 16_300, 32_300])
      assert.strictEqual(failure.usage?.outputTokens, 40)
    })
  )

  it.live("give no more room to an answer that is too long by itself", () =>
    Effect.gen(function* () {
      const { failure, received } = yield* failureOf("anthropic", [dialects.anthropic.cutOff], { thinkingTokens: 4000 })
      assert.deepInclude(failure, { detail: "output_truncated" })
      assert.lengthOf(received, 1)
    })
  )

  it.live("take back room that exceeds the model's limit", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "anthropic",
        [
          anthropicError(
            400,
            "invalid_request_error",
            "max_tokens: 32300 > 8192, which is the maximum allowed number of output tokens for model-1"
          ),
          dialects.anthropic.good
        ],
        { thinkingTokens: 32_000 }
      )
      assert.strictEqual(result._tag, "Right")
      assert.deepStrictEqual(limitsOf(received), [32_300, 8300])
    })
  )

  it.live("that hold no JSON are reported as such", () =>
    Effect.gen(function* () {
      const { failure } = yield* failureOf("anthropic", [message("No.")])
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

describe("Anthropic's file", () => {
  const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01" }
  const body = {
    model: "m",
    max_tokens: 10,
    messages: [{ role: "user", content: "Hello" }],
    output_config: { format: { type: "json_schema", schema: greetingSchema } }
  }
  const faults = (changes: object, path = "/v1/messages", method = "POST", sent: object = headers) =>
    judges.anthropic.faultsOfRequest({ method, path, headers: { ...sent }, body: { ...body, ...changes } })

  it("allows what is right, and finds planted errors", () => {
    assert.deepStrictEqual(faults({}), [])
    const planted = [
      faults({ tool_choice: { type: "tool", name: "greet" } }),
      faults({ tool_choice: { type: "any" } }),
      faults({ thinking: { type: "enabled", budget_tokens: 1024 } }),
      faults({ thinking: { type: "disabled" } }),
      faults({ temperature: 0.2 }),
      faults({ max_tokens: "10" }),
      faults({ max_completion_tokens: 10 }),
      faults({ output_config: { effort: "minimal" } }),
      faults({ output_config: { format: { type: "json_schema", schema: { type: "object" } } } }),
      faults({ messages: [{ role: "developer", content: "Hello" }] }),
      faults({ model: undefined }),
      faults({}, "/v1/complete"),
      faults({}, "/v1/messages", "PUT"),
      faults({}, "/v1/messages?beta=true"),
      faults({}, "/v1/messages", "POST", { "x-api-key": "k" })
    ]
    for (const faultsFound of planted) assert.isNotEmpty(faultsFound)
  })

  it("describes the answers that the tests give", () => {
    const request = { method: "POST", path: "/v1/messages" }
    const answers = [
      { status: 200, body: messageBody([textBlock("{}")]) },
      { status: 200, body: messageBody([toolBlock(value)], { stop_reason: "tool_use", thinkingTokens: 5 }) },
      {
        status: 404,
        body: { type: "error", request_id: null, error: { type: "not_found_error", message: "model: m" } }
      }
    ]
    for (const sample of answers) assert.deepStrictEqual(judges.anthropic.faultsOfAnswer(request, sample), [])
    assert.isNotEmpty(
      judges.anthropic.faultsOfAnswer(request, { status: 200, body: messageBody([{ type: "text", text: "{}" }]) })
    )
    assert.isNotEmpty(
      judges.anthropic.faultsOfAnswer(request, { status: 200, body: messageBody([], { stop_reason: "length" }) })
    )
  })
})
