import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anthropicError, ask, dialects, failureOf, key, value } from "./AskProvider.ts"
import { answer } from "./ProviderServer.ts"

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
