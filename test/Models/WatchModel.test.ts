import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { makeLanguageModel } from "../../src/Layers/Models/LanguageModel/Live.ts"
import { watchModel } from "../../src/Layers/Models/LanguageModel/WatchModel.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { ProviderModels, ProviderModelsLive } from "../../src/Services/Core/Outside/ProviderModels.ts"
import { assertNoFaults } from "../support/VendorJudge.ts"
import { anthropicError, dialects, judges, openAiError } from "./AskProvider.ts"
import { answer, providerServer, type Responder } from "./ProviderServer.ts"

const openAiModel = (shutdown_date: string | null) => ({
  id: "model-1",
  object: "model",
  created: 1,
  owned_by: "openai",
  shutdown_date
})

const anthropicModel = {
  id: "model-1",
  type: "model",
  display_name: "Model 1",
  created_at: "2026-09-28T00:00:00Z",
  capabilities: null,
  max_input_tokens: 1_000_000,
  max_tokens: 128_000
}

/** What is known of the model after `use`. */
const stateAfter = (
  provider: "openai" | "anthropic",
  responders: ReadonlyArray<Responder>,
  use: "check" | "ask" | "ask twice"
) =>
  Effect.gen(function* () {
    const { received, url } = yield* providerServer(responders)
    const settings = {
      provider,
      url: `${url}/v1`,
      apiKey: Redacted.make("k"),
      model: "model-1",
      effort: Option.none(),
      thinkingTokens: 0,
      prices: Option.none()
    }
    const model = yield* watchModel(settings, yield* makeLanguageModel(settings, 1))
    const { check, states } = yield* ProviderModels
    const ask = Effect.ignore(
      model.generate({
        prompt: { system: "You greet.", user: "Greet Ana." },
        schema: Schema.Struct({ text: Schema.String, mood: Schema.NullOr(Schema.String) }),
        maxOutputTokens: 300,
        timeout: "20 seconds",
        purpose: "greet",
        inSandbox: Effect.succeed({ text: "", mood: null })
      })
    )
    yield* use === "check" ? check : ask
    if (use === "ask twice") yield* ask
    assertNoFaults(received.flatMap(judges[provider].faultsOfRequest))
    const [state] = yield* states
    return state === undefined ? [] : [state.status, state.shutdown_date]
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(OutboundHttpNode, ProviderModelsLive)))

describe("a model that the settings name", () => {
  it("has a page that the vendors' files describe", () => {
    const path = "/v1/models/model-1"
    const body = openAiModel("2027-01-14")
    assert.deepStrictEqual(judges.openai.faultsOfAnswer({ method: "GET", path }, { status: 200, body }), [])
    assert.deepStrictEqual(
      judges.anthropic.faultsOfAnswer({ method: "GET", path }, { status: 200, body: anthropicModel }),
      []
    )
  })

  it.live("is looked up at its provider", () =>
    Effect.gen(function* () {
      const look = (provider: "openai" | "anthropic", responder: Responder) =>
        stateAfter(provider, [responder], "check")
      assert.deepStrictEqual(yield* look("openai", answer(200, openAiModel(null))), ["available", null])
      assert.deepStrictEqual(yield* look("openai", answer(200, openAiModel("2027-01-14"))), ["ending", "2027-01-14"])
      assert.deepStrictEqual(yield* look("anthropic", answer(200, anthropicModel)), ["available", null])
      assert.deepStrictEqual(yield* look("openai", dialects.openai.noModel), ["gone", null])
      assert.deepStrictEqual(yield* look("anthropic", dialects.anthropic.noModel), ["gone", null])
    })
  )

  it.live("is not declared gone by a server that has no such page, or that is away", () =>
    Effect.gen(function* () {
      for (const responder of [
        answer(404, { detail: "Not Found" }),
        answer(503, "busy"),
        openAiError(401, { message: "no" })
      ]) {
        assert.deepStrictEqual(yield* stateAfter("openai", [responder], "check"), ["unchecked", null])
      }
    })
  )

  it.live("is gone when a call finds that out, and back when one succeeds", () =>
    Effect.gen(function* () {
      const { anthropic } = dialects
      assert.deepStrictEqual(yield* stateAfter("anthropic", [anthropic.noModel], "ask"), ["gone", null])
      assert.deepStrictEqual(yield* stateAfter("anthropic", [anthropic.noModel, anthropic.good], "ask twice"), [
        "available",
        null
      ])
      const refused = anthropicError(400, "invalid_request_error", "messages: too many images")
      assert.deepStrictEqual(yield* stateAfter("anthropic", [refused], "ask"), ["unchecked", null])
    })
  )
})
