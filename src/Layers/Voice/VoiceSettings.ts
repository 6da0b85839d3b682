import { Config, ConfigError, Effect, Option, type Redacted } from "effect"
import type { ProspectingVoice } from "../../Services/Prospecting/ProspectingSettings.ts"
import { given, httpUrl, numberBetween, secret } from "../Platform/Environment.ts"

export interface ElevenLabsSettings {
  /** The base URL without a trailing slash. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  readonly agentIds: { readonly [V in ProspectingVoice]: string }
  readonly phoneNumberId: string
  readonly webhookSecret: Option.Option<Redacted.Redacted>
  /** True if the agents allow each call to choose its language. */
  readonly overridesLanguage: boolean
}

export interface TwilioSettings {
  /** The base URL without a trailing slash. */
  readonly url: string
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  /** The caller number that people see, in E.164. */
  readonly from: string
}

/** Times of the simulated telephone network, in seconds. */
export interface SandboxSettings {
  readonly ringSeconds: number
  readonly talkSeconds: number
}

export type VoiceSettings = (
  | { readonly provider: "elevenlabs"; readonly settings: ElevenLabsSettings }
  | { readonly provider: "twilio"; readonly settings: TwilioSettings }
  | { readonly provider: "sandbox"; readonly settings: SandboxSettings }
) & { readonly pricePerMinuteBrl: Option.Option<number> }

const address = (name: string, fallback: string) =>
  Config.map(
    httpUrl(name),
    Option.getOrElse(() => fallback)
  )

const number = (name: string, maximum: number) => numberBetween(name, 0, maximum)

const config = Config.all({
  provider: Config.option(Config.literal("elevenlabs", "twilio", "sandbox")("VOICE_PROVIDER")),
  pricePerMinuteBrl: Config.option(number("VOICE_PRICE_PER_MINUTE_BRL", 1000)),
  elevenLabs: Config.all({
    url: address("ELEVENLABS_URL", "https://api.elevenlabs.io"),
    apiKey: secret("ELEVENLABS_API_KEY"),
    male: given("ELEVENLABS_AGENT_ID_MALE"),
    female: given("ELEVENLABS_AGENT_ID_FEMALE"),
    phoneNumberId: given("ELEVENLABS_PHONE_NUMBER_ID"),
    webhookSecret: secret("ELEVENLABS_WEBHOOK_SECRET"),
    overridesLanguage: Config.boolean("ELEVENLABS_OVERRIDE_LANGUAGE").pipe(Config.withDefault(false))
  }),
  twilio: Config.all({
    url: address("TWILIO_URL", "https://api.twilio.com"),
    accountSid: given("TWILIO_ACCOUNT_SID"),
    authToken: secret("TWILIO_AUTH_TOKEN"),
    from: given("TWILIO_FROM")
  }),
  sandbox: Config.all({
    ringSeconds: number("VOICE_SANDBOX_RING_SECONDS", 600).pipe(Config.withDefault(4)),
    talkSeconds: number("VOICE_SANDBOX_TALK_SECONDS", 3600).pipe(Config.withDefault(20))
  })
})
type Read = Config.Config.Success<typeof config>

const missing = (name: string): ConfigError.ConfigError =>
  ConfigError.MissingData([name], `Expected ${name} beside the other settings of this voice provider`)

const need = <A>(name: string, value: Option.Option<A>): Effect.Effect<A, ConfigError.ConfigError> =>
  Option.match(value, { onNone: () => Effect.fail(missing(name)), onSome: Effect.succeed })

const elevenLabsOf = ({ female, male, ...rest }: Read["elevenLabs"]) =>
  Effect.gen(function* () {
    // A single configured agent is used for both voices.
    const anyone = yield* need(
      "ELEVENLABS_AGENT_ID_FEMALE",
      Option.orElse(female, () => male)
    )
    return {
      ...rest,
      apiKey: yield* need("ELEVENLABS_API_KEY", rest.apiKey),
      phoneNumberId: yield* need("ELEVENLABS_PHONE_NUMBER_ID", rest.phoneNumberId),
      agentIds: { Female: Option.getOrElse(female, () => anyone), Male: Option.getOrElse(male, () => anyone) }
    }
  })

const twilioOf = (twilio: Read["twilio"]) =>
  Effect.gen(function* () {
    const from = yield* need("TWILIO_FROM", twilio.from)
    if (!/^\+[1-9]\d{6,14}$/.test(from)) {
      return yield* Effect.fail(ConfigError.InvalidData(["TWILIO_FROM"], "Expected a number such as +5511912345678"))
    }
    return {
      url: twilio.url,
      accountSid: yield* need("TWILIO_ACCOUNT_SID", twilio.accountSid),
      authToken: yield* need("TWILIO_AUTH_TOKEN", twilio.authToken),
      from
    }
  })

/** Returns the configured provider, or else one that has a key. Agents are preferred to played messages. */
const providerOf = ({ elevenLabs, provider, twilio }: Read): VoiceSettings["provider"] =>
  Option.getOrElse(provider, () =>
    Option.isSome(elevenLabs.apiKey) ? "elevenlabs" : Option.isSome(twilio.authToken) ? "twilio" : "sandbox"
  )

/** Reads and checks the settings of telephone calls. Without a provider's key, the sandbox is used. */
export const loadVoiceSettings: Effect.Effect<VoiceSettings, ConfigError.ConfigError> = Effect.flatMap(
  config,
  (read): Effect.Effect<VoiceSettings, ConfigError.ConfigError> => {
    const { pricePerMinuteBrl } = read
    const provider = providerOf(read)
    switch (provider) {
      case "elevenlabs":
        return Effect.map(elevenLabsOf(read.elevenLabs), (settings) => ({ provider, settings, pricePerMinuteBrl }))
      case "twilio":
        return Effect.map(twilioOf(read.twilio), (settings) => ({ provider, settings, pricePerMinuteBrl }))
      case "sandbox":
        return Effect.succeed({ provider, settings: read.sandbox, pricePerMinuteBrl })
    }
  }
)
