import { Effect, Option } from "effect"
import { skipped } from "../../Services/Core/Outside/CheckResult.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkOAuthClient } from "../Platform/Outbound/ProviderCheck.ts"
import { loadAdsSettings } from "./AdsSettings.ts"

const adsCheck = Effect.flatMap(loadAdsSettings, ({ credentials, tokenUrl }) =>
  Option.match(credentials, {
    onNone: () => Effect.succeed(skipped("ADS_MODE is sandbox: the ads platform is simulated.")),
    onSome: ({ clientId, clientSecret, refreshToken }) =>
      checkOAuthClient({ tokenUrl, clientId, clientSecret, refreshToken, setting: "ADS_CLIENT_ID" })
  })
)

export const adsChecks: ReadonlyArray<Check> = [{ name: "ads", run: adsCheck }]
