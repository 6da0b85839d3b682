import { Clock, Effect, Option, Redacted, Schema } from "effect"
import type { Refused } from "../../Errors.ts"
import { OutboundFailure, type OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import type { AdsCredentials } from "./AdsSettings.ts"

const Grant = Schema.parseJson(
  Schema.Struct({ access_token: Schema.NonEmptyString, expires_in: Schema.Number.pipe(Schema.positive()) })
)
const decodeGrant = Schema.decodeUnknownOption(Grant)

/** Seconds before its end in which an access is no longer used. */
const margin = 120

interface Access {
  readonly token: Redacted.Redacted
  readonly until: number
}

/**
 * The operator's access to the platform, by its refresh token, which the platform never changes: it is asked for once
 * however many wait for it, and kept in memory until shortly before its end. None where the platform grants none.
 */
export const makeAdsAccess = (
  { request }: OutboundHttp["Type"],
  { clientId, clientSecret, refreshToken }: AdsCredentials,
  tokenUrl: string
) =>
  Effect.map(Effect.makeSemaphore(1), (alone) => {
    let access: Access | undefined

    const granted = Effect.gen(function* () {
      const response = yield* request({
        method: "POST",
        url: tokenUrl,
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
        body: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: clientId,
          client_secret: Redacted.value(clientSecret),
          refresh_token: Redacted.value(refreshToken)
        }).toString(),
        timeout: "10 seconds",
        maxResponseBytes: 64 * 1024,
        allowNonPublic: true
      })
      if (response.status >= 500 || response.status === 429) {
        return yield* new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      }
      const grant = response.status === 200 ? decodeGrant(Buffer.from(response.body).toString("utf8")) : Option.none()
      if (Option.isNone(grant)) return undefined
      const now = yield* Clock.currentTimeMillis
      access = {
        token: Redacted.make(grant.value.access_token),
        until: now + Math.max(0, grant.value.expires_in - margin) * 1000
      }
      return access.token
    })

    return (
      refused: Redacted.Redacted | undefined
    ): Effect.Effect<Redacted.Redacted | undefined, Refused | OutboundFailure> =>
      alone.withPermits(1)(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          access !== undefined && access.until > now && access.token !== refused
            ? Effect.succeed(access.token)
            : granted
        )
      )
  })
