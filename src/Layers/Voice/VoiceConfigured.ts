import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { Voice } from "../../Services/Voice/Voice.ts"
import { watchedHttp } from "../Platform/Outbound/WatchedHttp.ts"
import { Settings } from "../Platform/Settings.ts"
import { VoiceCallCompletionLive } from "./Calls/CallCompletion.ts"
import { VoicePrice } from "./Calls/CallDurations.ts"
import { elevenLabsNotices, makeElevenLabs } from "./Providers/ElevenLabs.ts"
import { VoiceNotices } from "./Providers/Notices.ts"
import { makeTwilio, twilioNotices } from "./Providers/Twilio.ts"
import { makeSandboxVoice } from "./sandbox/VoiceSandbox.ts"
import { loadVoiceSettings, type VoiceSettings } from "./VoiceSettings.ts"

/** The price of a simulated call's minute. */
const sandboxPriceBrl = 0.6

const watched = <A, E, R>(provider: Effect.Effect<A, E, R>) =>
  Effect.provideServiceEffect(provider, OutboundHttp, watchedHttp("voice"))

const providerOf = (
  voice: VoiceSettings,
  baseUrl: string
): Layer.Layer<Voice | VoiceNotices, never, OutboundHttp | SqlClient | UnitOfWork> => {
  switch (voice.provider) {
    case "elevenlabs":
      return Layer.merge(
        Layer.effect(Voice, watched(makeElevenLabs(voice.settings))),
        Layer.succeed(VoiceNotices, elevenLabsNotices(voice.settings))
      )
    case "twilio":
      return Layer.merge(
        Layer.effect(Voice, watched(makeTwilio(voice.settings, baseUrl))),
        Layer.succeed(VoiceNotices, twilioNotices(voice.settings, baseUrl))
      )
    case "sandbox":
      return Layer.merge(Layer.effect(Voice, makeSandboxVoice(voice.settings)), Layer.succeed(VoiceNotices, []))
  }
}

const priceOf = ({ pricePerMinuteBrl, provider }: VoiceSettings): number | null =>
  Option.getOrElse(pricePerMinuteBrl, () => (provider === "sandbox" ? sandboxPriceBrl : null))

/** Telephone calls through the configured provider. Without a provider's key, calls are simulated. */
export const VoiceConfigured = Layer.unwrapEffect(
  Effect.gen(function* () {
    const voice = yield* loadVoiceSettings
    const { baseUrl } = yield* Settings
    const price = Layer.succeed(VoicePrice, { perMinuteBrl: priceOf(voice) })
    return Layer.merge(providerOf(voice, baseUrl), Layer.provide(VoiceCallCompletionLive, price))
  })
)
