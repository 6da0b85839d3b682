import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { followCall } from "../../src/Layers/Voice/Calls/CallPolling.ts"
import { dial } from "../../src/Layers/Voice/Calls/Dialing.ts"
import { VoiceConfigured } from "../../src/Layers/Voice/VoiceConfigured.ts"
import { voiceEndpoints } from "../../src/Layers/Voice/VoiceEndpoints.ts"
import { Voice } from "../../src/Services/Voice/Voice.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { age, callOf, newNumber, placeCall, VoiceServices } from "./support.ts"

const configured = (settings: { readonly [name: string]: string }) =>
  // Innermost, since the test's settings bring a provider of their own.
  Layer.fresh(VoiceConfigured).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))),
    Layer.provide(Layer.merge(OutboundHttpNode, TestSettings))
  )

const Base = AccessTokensPostgres.pipe(Layer.provideMerge(VoiceServices))

const found = Effect.gen(function* () {
  const { mode, provider } = yield* Voice
  const endpoints = yield* voiceEndpoints
  return { mode, provider, paths: endpoints.map(({ path }): string => path) }
})

layer(Base, { excludeTestServices: true })("telephone calls as configured", (it) => {
  it.effect("are simulated without keys, and can be scripted then", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found, { mode: "sandbox", provider: "sandbox", paths: ["/sandbox/voice/script"] })
    }).pipe(Effect.provide(configured({})))
  )

  it.effect("are made by agents that report when they have the secret to sign with", () =>
    Effect.gen(function* () {
      const keys = { ELEVENLABS_API_KEY: "k", ELEVENLABS_AGENT_ID_MALE: "m", ELEVENLABS_PHONE_NUMBER_ID: "p" }
      const live = { mode: "live", provider: "elevenlabs" } as const
      assert.deepStrictEqual(yield* found.pipe(Effect.provide(configured(keys))), { ...live, paths: [] })
      const withSecret = configured({ ...keys, ELEVENLABS_WEBHOOK_SECRET: "s" })
      assert.deepStrictEqual(yield* found.pipe(Effect.provide(withSecret)), {
        ...live,
        paths: ["/voice/elevenlabs/post-call"]
      })
    })
  )

  it.effect("are messages where Twilio alone is configured", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found, {
        mode: "live",
        provider: "twilio",
        paths: ["/voice/twilio/calls/:reference"]
      })
    }).pipe(
      Effect.provide(configured({ TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+551140001000" }))
    )
  )

  it.effect("cost as much as the price of the minutes begun", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const costWith = (settings: { readonly [name: string]: string }) =>
        Effect.gen(function* () {
          for (;;) {
            const key = yield* placeCall(newNumber())
            yield* dial(key)
            yield* followCall(key)
            const { cost_brl, duration_seconds, status } = yield* callOf(key)
            if (status === "completed") return [cost_brl, Math.ceil((duration_seconds ?? 0) / 60)] as const
            assert.isNull(cost_brl)
            yield* age(key, 1)
          }
        }).pipe(
          Effect.provide(configured({ VOICE_SANDBOX_RING_SECONDS: "0", VOICE_SANDBOX_TALK_SECONDS: "0", ...settings })),
          as(caller)
        )
      const [usual, minutes] = yield* costWith({})
      assert.closeTo(usual ?? 0, 0.6 * minutes, 1e-9)
      const [dear, dearMinutes] = yield* costWith({ VOICE_PRICE_PER_MINUTE_BRL: "2.5" })
      assert.closeTo(dear ?? 0, 2.5 * dearMinutes, 1e-9)
    })
  )
})
