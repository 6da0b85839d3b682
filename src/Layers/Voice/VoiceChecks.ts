import { Effect, Redacted } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkCredentials } from "../Platform/Outbound/ProviderCheck.ts"
import { type ElevenLabsSettings, loadVoiceSettings, type TwilioSettings } from "./VoiceSettings.ts"

const checkElevenLabs = ({ agentIds, apiKey, url }: ElevenLabsSettings) =>
  checkCredentials({
    name: "voice",
    baseUrl: url,
    headers: { "xi-api-key": Redacted.value(apiKey) },
    request: { method: "GET", path: `/v1/convai/agents/${encodeURIComponent(agentIds.Female)}` },
    setting: "ELEVENLABS_API_KEY",
    subject: "ELEVENLABS_AGENT_ID_FEMALE"
  })

const checkTwilio = ({ accountSid, authToken, url }: TwilioSettings) =>
  checkCredentials({
    name: "voice",
    baseUrl: url,
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${Redacted.value(authToken)}`).toString("base64")}`
    },
    request: { method: "GET", path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json` },
    setting: "TWILIO_AUTH_TOKEN",
    subject: "TWILIO_ACCOUNT_SID"
  })

const voiceCheck = Effect.flatMap(loadVoiceSettings, (voice) => {
  switch (voice.provider) {
    case "elevenlabs":
      return checkElevenLabs(voice.settings)
    case "twilio":
      return checkTwilio(voice.settings)
    case "sandbox":
      return Effect.succeed(skipped("No voice provider has a key: calls are simulated."))
  }
})

export const voiceChecks: ReadonlyArray<Check> = [{ name: "voice", run: voiceCheck }]
