import { Effect, Layer, Option, Redacted } from "effect"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { AdsSettings } from "../AdsSettings.ts"
import { makeAdsSandbox, sandboxManagerId } from "../sandbox/AdsSandbox.ts"
import { makeAdsAccess } from "./AdsAccess.ts"
import { AdsTransport } from "./AdsTransport.ts"

const noAccess = { status: 401, headers: {}, body: Buffer.from("{}") }

/** The network, or the simulated platform where the settings say so. */
export const AdsTransportConfigured = Layer.effect(
  AdsTransport,
  Effect.gen(function* () {
    const { credentials, developerToken, mode, tokenUrl } = yield* AdsSettings
    if (mode === "sandbox" || Option.isNone(credentials)) {
      const { request } = yield* makeAdsSandbox
      return AdsTransport.of({ mode: "sandbox", managerId: sandboxManagerId, request })
    }
    const outbound = yield* OutboundHttp
    const access = yield* makeAdsAccess(outbound, credentials.value, tokenUrl)
    let last: Redacted.Redacted | undefined
    return AdsTransport.of({
      mode,
      managerId: credentials.value.managerId,
      request: (request, isFresh) =>
        Effect.flatMap(access(isFresh ? last : undefined), (token) => {
          last = token
          if (token === undefined) return Effect.succeed(noAccess)
          return outbound.request({
            ...request,
            headers: {
              ...request.headers,
              authorization: `Bearer ${Redacted.value(token)}`,
              ...Option.match(developerToken, {
                onNone: () => ({}),
                onSome: (value) => ({ "developer-token": Redacted.value(value) })
              })
            },
            // The operator configured the address.
            allowNonPublic: true
          })
        })
    })
  })
)
