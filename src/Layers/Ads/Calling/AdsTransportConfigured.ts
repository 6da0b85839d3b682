import { Effect, Option, Redacted } from "effect"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { providerLayer } from "../../Platform/Outbound/ProviderLayer.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { makeAdsSandbox } from "../sandbox/AdsSandbox.ts"
import { makeAdsAccess } from "./AdsAccess.ts"
import { AdsTransport } from "./AdsTransport.ts"

const credentialsIfLive = Effect.map(AdsSettings, ({ credentials, mode }) =>
  Option.filter(credentials, () => mode === "live")
)

/** Provides the network or the simulated platform, by the settings. */
export const AdsTransportConfigured = providerLayer(AdsTransport, {
  settings: credentialsIfLive,
  live: (credentials) =>
    Effect.gen(function* () {
      const { developerToken, tokenUrl } = yield* AdsSettings
      const http = yield* OutboundHttp
      return AdsTransport.of({
        mode: "live",
        managerId: credentials.managerId,
        request: http.request,
        access: yield* makeAdsAccess(http, credentials, tokenUrl),
        headers: Option.isSome(developerToken) ? { "developer-token": Redacted.value(developerToken.value) } : {}
      })
    }),
  sandbox: makeAdsSandbox
})
