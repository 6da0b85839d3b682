import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { isPassing } from "../../src/Services/Models/LanguageModel.ts"
import { ask, dialects, failureOf, key, value } from "./AskProvider.ts"
import { answer, hangsUp, neverAnswers, stalls } from "./ProviderServer.ts"

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
