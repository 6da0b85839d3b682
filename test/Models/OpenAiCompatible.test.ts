import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { isPassing } from "../../src/Services/Models/LanguageModel.ts"
import { ask, completion, completionBody, dialects, failureOf, judges, key, openAiError, value } from "./AskProvider.ts"
import { answer } from "./ProviderServer.ts"

describe("chat completions", () => {
  it.live("show a picture before the words", () =>
    Effect.gen(function* () {
      const images = [{ mediaType: "image/png" as const, bytes: Buffer.from("seen") }]
      const { received } = yield* ask("openai", [dialects.openai.good], { images })
      assert.deepInclude(received[0]?.body, {
        messages: [
          { role: "system", content: "You greet." },
          {
            role: "user",
            content: [
              { type: "image_url", image_url: { url: "data:image/png;base64,c2Vlbg==" } },
              { type: "text", text: "Greet Ana." }
            ]
          }
        ]
      })
    })
  )

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
      assert.isAtMost(received.length, 6)
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

  it.live("send the effort and room to think, and leave out an effort that the model does not take", () =>
    Effect.gen(function* () {
      const { received, result } = yield* ask(
        "openai",
        [
          openAiError(400, {
            message: "Unsupported value: 'reasoning_effort' does not support 'low' with this model.",
            type: "invalid_request_error",
            param: "reasoning_effort",
            code: "unsupported_value"
          }),
          dialects.openai.good
        ],
        { effort: "low", thinkingTokens: 4000, times: 2 }
      )
      assert.strictEqual(result._tag, "Right")
      assert.deepInclude(received[0]?.body, { reasoning_effort: "low", max_tokens: 4300 })
      assert.lengthOf(received, 3)
      for (const { body } of received.slice(1)) assert.notProperty(body, "reasoning_effort")
    })
  )

  it.live("give a model more room that was cut off while it thought, until the server refuses more", () =>
    Effect.gen(function* () {
      const thinking = completion("", { finish_reason: "length", reasoningTokens: 300 })
      const { received, result } = yield* ask("openai", [thinking, thinking, dialects.openai.good], { times: 2 })
      const limits = received.map(
        ({ body }) => Schema.decodeUnknownSync(Schema.Struct({ max_tokens: Schema.Number }))(body).max_tokens
      )
      assert.deepStrictEqual(limits, [300, 4300, 16_300, 16_300])
      assert.strictEqual(result._tag, "Right")

      const tooLarge = openAiError(400, {
        message: "max_tokens is too large: 4300. This model supports at most 4096 completion tokens.",
        type: "invalid_request_error",
        param: "max_tokens",
        code: "invalid_value"
      })
      const { failure, received: small } = yield* failureOf("openai", [thinking, tooLarge, thinking])
      assert.deepInclude(failure, { reason: "invalid_output", detail: "output_truncated" })
      assert.lengthOf(small, 3)
    })
  )
})

describe("OpenAI's file", () => {
  const body = { model: "m", messages: [{ role: "user", content: "Hello" }] }
  const faults = (changes: object, path = "/v1/chat/completions", method = "POST") =>
    judges.openai.faultsOfRequest({
      method,
      path,
      headers: { authorization: "Bearer k" },
      body: { ...body, ...changes }
    })

  it("allows what is right, and finds planted errors", () => {
    assert.deepStrictEqual(faults({ reasoning_effort: "low", max_completion_tokens: 10 }), [])
    const planted = [
      faults({ effort: "low" }),
      faults({ reasoning_effort: "little" }),
      faults({ max_completion_tokens: "10" }),
      faults({ max_output_tokens: 10 }),
      faults({ response_format: { type: "json_schema", schema: {} } }),
      faults({ response_format: { type: "json_schema", json_schema: { name: "has space", schema: {} } } }),
      faults({ messages: [{ role: "user", content: [{ type: "image", image_url: { url: "x" } }] }] }),
      faults({ messages: [] }),
      faults({ model: undefined }),
      faults({}, "/v1/completions"),
      faults({}, "/v1/chat/completions", "GET"),
      judges.openai.faultsOfRequest({ method: "POST", path: "/v1/chat/completions", headers: {}, body })
    ]
    for (const faultsFound of planted) assert.isNotEmpty(faultsFound)
  })

  it("describes the answers that the tests give", () => {
    const request = { method: "POST", path: "/v1/chat/completions" }
    const answers = [
      completionBody("{}"),
      completionBody(null, { refusal: "No." }),
      completionBody("", { finish_reason: "length", reasoningTokens: 3 })
    ]
    for (const sample of answers) {
      assert.deepStrictEqual(judges.openai.faultsOfAnswer(request, { status: 200, body: sample }), [])
    }
    const wrong = { ...completionBody("{}"), choices: [{ index: 0, text: "{}", finish_reason: "stop" }] }
    assert.isNotEmpty(judges.openai.faultsOfAnswer(request, { status: 200, body: wrong }))
  })
})
