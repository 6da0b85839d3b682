import { Effect, Layer, Option, Redacted } from "effect"
import type { AdsSettingsShape } from "../../src/Layers/Ads/AdsSettings.ts"
import { RateLimits } from "../../src/Services/Outbound/RateLimits.ts"

export const adsSettings: AdsSettingsShape = {
  mode: "sandbox",
  credentials: Option.none(),
  developerToken: Option.none(),
  apiUrl: "https://ads.test",
  dataManagerUrl: "https://data.test",
  tokenUrl: "https://token.test",
  timeZone: "America/Sao_Paulo",
  geoTargets: ["2076"],
  languages: ["1014"],
  declaresNoEuPolitics: true,
  audience: { uploads: "data_manager", adUserData: "CONSENT_GRANTED", adPersonalization: "CONSENT_STATUS_UNSPECIFIED" },
  dailyOperations: 15_000,
  paymentSecret: Option.some(
    Redacted.make(`whsec_${Buffer.from("a key of tests that is long enough").toString("base64")}`)
  ),
  paymentUrl: Option.none()
}

/** What the platform allows is held to elsewhere: here nobody waits. */
export const Unlimited = Layer.succeed(RateLimits, {
  take: () => Effect.succeed(0),
  takeMany: ({ costs }) => Effect.succeed({ granted: costs.length, seconds: 0, limit: undefined }),
  left: () => Effect.succeed(Number.POSITIVE_INFINITY),
  correct: () => Effect.void,
  blockedFor: () => Effect.succeed(0)
})
