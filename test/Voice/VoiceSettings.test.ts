import { assert, describe, it } from "@effect/vitest"
import { ConfigError, ConfigProvider, Effect, Either, Option, Redacted } from "effect"
import { loadVoiceSettings } from "../../src/Layers/Voice/VoiceSettings.ts"

const load = (settings: { readonly [name: string]: string }) =>
  Effect.runSync(
    Effect.either(
      Effect.withConfigProvider(loadVoiceSettings, ConfigProvider.fromMap(new Map(Object.entries(settings))))
    )
  )

const elevenLabs = { ELEVENLABS_API_KEY: "key", ELEVENLABS_PHONE_NUMBER_ID: "phnum", ELEVENLABS_AGENT_ID_MALE: "m" }
const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "token", TWILIO_FROM: "+551140001000" }

const providerOf = (settings: { readonly [name: string]: string }) =>
  Either.match(load(settings), { onLeft: String, onRight: ({ provider }) => provider })

describe("the settings of telephone calls", () => {
  it("choose the provider that is named, else the one that has a key, else the sandbox", () => {
    assert.strictEqual(providerOf({}), "sandbox")
    assert.strictEqual(providerOf({ ELEVENLABS_API_KEY: " ", TWILIO_AUTH_TOKEN: "" }), "sandbox")
    assert.strictEqual(providerOf(elevenLabs), "elevenlabs")
    assert.strictEqual(providerOf(twilio), "twilio")
    assert.strictEqual(providerOf({ ...elevenLabs, ...twilio }), "elevenlabs")
    assert.strictEqual(providerOf({ ...elevenLabs, ...twilio, VOICE_PROVIDER: "twilio" }), "twilio")
    assert.strictEqual(providerOf({ ...elevenLabs, VOICE_PROVIDER: "sandbox" }), "sandbox")
  })

  it("of agents have one for each voice, or one for both", () => {
    const agentsOf = (settings: { readonly [name: string]: string }) => {
      const loaded = Either.getOrThrow(load(settings))
      return loaded.provider === "elevenlabs" ? loaded.settings.agentIds : undefined
    }
    assert.deepStrictEqual(agentsOf(elevenLabs), { Male: "m", Female: "m" })
    assert.deepStrictEqual(agentsOf({ ...elevenLabs, ELEVENLABS_AGENT_ID_FEMALE: "f" }), { Male: "m", Female: "f" })
  })

  it("are taken with their addresses and the price", () => {
    const loaded = Either.getOrThrow(
      load({ ...twilio, TWILIO_URL: "http://127.0.0.1:1/", VOICE_PRICE_PER_MINUTE_BRL: "0.42" })
    )
    assert.deepStrictEqual(loaded.pricePerMinuteBrl, Option.some(0.42))
    assert.isTrue(loaded.provider === "twilio" && loaded.settings.url === "http://127.0.0.1:1")
    assert.isTrue(loaded.provider === "twilio" && Redacted.value(loaded.settings.authToken) === "token")
    assert.notInclude(JSON.stringify(loaded), "token")
    assert.deepStrictEqual(Either.getOrThrow(load({})).pricePerMinuteBrl, Option.none())
  })

  const wrong: ReadonlyArray<readonly [string, { readonly [name: string]: string }]> = [
    ["ELEVENLABS_PHONE_NUMBER_ID", { ELEVENLABS_API_KEY: "key", ELEVENLABS_AGENT_ID_MALE: "m" }],
    ["ELEVENLABS_AGENT_ID_FEMALE", { ELEVENLABS_API_KEY: "key", ELEVENLABS_PHONE_NUMBER_ID: "p" }],
    ["ELEVENLABS_API_KEY", { VOICE_PROVIDER: "elevenlabs", ELEVENLABS_AGENT_ID_MALE: "m" }],
    ["TWILIO_FROM", { ...twilio, TWILIO_FROM: "11940001000" }],
    ["TWILIO_ACCOUNT_SID", { TWILIO_AUTH_TOKEN: "token", TWILIO_FROM: "+551140001000" }],
    ["VOICE_PROVIDER", { VOICE_PROVIDER: "carrier pigeon" }],
    ["ELEVENLABS_URL", { ...elevenLabs, ELEVENLABS_URL: "ftp://x" }],
    ["VOICE_PRICE_PER_MINUTE_BRL", { VOICE_PRICE_PER_MINUTE_BRL: "-1" }]
  ]
  it.each(wrong)("that are wrong are named: %s", (name, settings) => {
    const loaded = load(settings)
    assert.isTrue(Either.isLeft(loaded) && ConfigError.isConfigError(loaded.left))
    assert.include(Either.match(loaded, { onLeft: String, onRight: () => "" }), name)
  })
})
