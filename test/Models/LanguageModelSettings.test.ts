import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { LanguageModelConfigured } from "../../src/Layers/Models/LanguageModel/LanguageModelConfigured.ts"
import { loadLanguageModelSettings } from "../../src/Layers/Models/LanguageModel/LanguageModelSettings.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { LanguageModel } from "../../src/Services/Models/LanguageModel.ts"

const environment = (entries: { readonly [name: string]: string }) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(entries))))

const load = (entries: { readonly [name: string]: string }) =>
  Effect.provide(loadLanguageModelSettings, environment(entries))

const mode = (entries: { readonly [name: string]: string }) =>
  Effect.map(LanguageModel, (model) => model.mode).pipe(
    Effect.provide(LanguageModelConfigured.pipe(Layer.provide(OutboundHttpNode), Layer.provide(environment(entries))))
  )

describe("the settings of the language model", () => {
  it.effect("are none without a key, so that the sandbox does the work", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* load({})))
      assert.isTrue(Option.isNone(yield* load({ LANGUAGE_MODEL_API_KEY: "  ", LANGUAGE_MODEL: "m" })))
      assert.strictEqual(yield* mode({}), "sandbox")
      assert.strictEqual(yield* mode({ LANGUAGE_MODEL_API_KEY: "k", LANGUAGE_MODEL: "m" }), "live")
    })
  )

  it.effect("have the providers' own addresses unless told", () =>
    Effect.gen(function* () {
      const address = (entries: { readonly [name: string]: string }) =>
        Effect.map(load({ LANGUAGE_MODEL_API_KEY: " k ", LANGUAGE_MODEL: "m", ...entries }), (settings) =>
          Option.map(settings, ({ apiKey, provider, url }) => [provider, url, Redacted.value(apiKey)])
        )
      assert.deepStrictEqual(yield* address({}), Option.some(["openai", "https://api.openai.com/v1", "k"]))
      assert.deepStrictEqual(
        yield* address({ LANGUAGE_MODEL_PROVIDER: "anthropic" }),
        Option.some(["anthropic", "https://api.anthropic.com/v1", "k"])
      )
      assert.deepStrictEqual(
        yield* address({ LANGUAGE_MODEL_PROVIDER: "anthropic", LANGUAGE_MODEL_URL: "https://proxy.example/" }),
        Option.some(["anthropic", "https://proxy.example/v1", "k"])
      )
      assert.deepStrictEqual(
        yield* address({ LANGUAGE_MODEL_URL: "http://localhost:11434/v1/" }),
        Option.some(["openai", "http://localhost:11434/v1", "k"])
      )
    })
  )

  it.effect("have a current model, little thinking and room for it at the providers themselves only", () =>
    Effect.gen(function* () {
      const thinking = (entries: { readonly [name: string]: string }) =>
        Effect.map(
          load({ LANGUAGE_MODEL_API_KEY: "k", ...entries }),
          Option.map(({ effort, model, thinkingTokens }) => [model, Option.getOrNull(effort), thinkingTokens])
        )
      assert.deepStrictEqual(yield* thinking({}), Option.some(["gpt-6.1-sol", "low", 4000]))
      assert.deepStrictEqual(
        yield* thinking({ LANGUAGE_MODEL_PROVIDER: "anthropic" }),
        Option.some(["claude-sonnet-5-5", "low", 4000])
      )
      assert.deepStrictEqual(
        yield* thinking({ LANGUAGE_MODEL_EFFORT: "default", LANGUAGE_MODEL_THINKING_TOKENS: "9000" }),
        Option.some(["gpt-6.1-sol", null, 9000])
      )
      const local = { LANGUAGE_MODEL_URL: "http://localhost:11434/v1", LANGUAGE_MODEL: "qwen" }
      assert.deepStrictEqual(yield* thinking(local), Option.some(["qwen", null, 0]))
    })
  )

  it.effect("take prices only as a pair", () =>
    Effect.gen(function* () {
      const prices = (entries: { readonly [name: string]: string }) =>
        Effect.map(
          load({ LANGUAGE_MODEL_API_KEY: "k", LANGUAGE_MODEL: "m", ...entries }),
          Option.flatMap((settings) => settings.prices)
        )
      assert.deepStrictEqual(
        yield* prices({ LANGUAGE_MODEL_INPUT_PRICE: "2.5", LANGUAGE_MODEL_OUTPUT_PRICE: "10" }),
        Option.some({ input: 2.5, output: 10 })
      )
      assert.isTrue(Option.isNone(yield* prices({ LANGUAGE_MODEL_INPUT_PRICE: "2.5" })))
    })
  )

  it.effect("say what is wrong, and never the key", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [{ readonly [name: string]: string }, string]> = [
        // Another server has other models than the providers.
        [{ LANGUAGE_MODEL_URL: "http://localhost:11434/v1" }, "LANGUAGE_MODEL"],
        [{ LANGUAGE_MODEL_EFFORT: "enormous" }, "LANGUAGE_MODEL_EFFORT"],
        [{ LANGUAGE_MODEL_THINKING_TOKENS: "-1" }, "LANGUAGE_MODEL_THINKING_TOKENS"],
        [{ LANGUAGE_MODEL: "m", LANGUAGE_MODEL_PROVIDER: "acme" }, "LANGUAGE_MODEL_PROVIDER"],
        [{ LANGUAGE_MODEL: "m", LANGUAGE_MODEL_URL: "ftp://x" }, "LANGUAGE_MODEL_URL"],
        [{ LANGUAGE_MODEL: "m", LANGUAGE_MODEL_INPUT_PRICE: "-1" }, "LANGUAGE_MODEL_INPUT_PRICE"]
      ]
      for (const [entries, name] of wrong) {
        const error = yield* Effect.flip(load({ LANGUAGE_MODEL_API_KEY: "sk-secret", ...entries }))
        assert.include(JSON.stringify(error), name)
        assert.notInclude(JSON.stringify(error), "sk-secret")
      }
    })
  )
})
