import { Clock, Effect, Option, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import type { Refused } from "../../../Errors.ts"
import { OutboundFailure, type OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { asResponse, drafted } from "../../Platform/Outbound/OAuthRequests.ts"
import type { AdsCredentials } from "../AdsSettings.ts"

/** Where the platform does not say how long an access holds. */
const presumedSeconds = 3600
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
    const server: oauth.AuthorizationServer = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
    const client: oauth.Client = { client_id: clientId }
    const authentication = oauth.ClientSecretPost(Redacted.value(clientSecret))

    const granted = Effect.gen(function* () {
      const draft = yield* drafted((options) =>
        oauth.refreshTokenGrantRequest(server, client, authentication, Redacted.value(refreshToken), {
          ...options,
          // What addresses may be asked is the way out's to judge.
          [oauth.allowInsecureRequests]: true
        })
      )
      const response = yield* request({
        method: "POST",
        ...draft,
        timeout: "10 seconds",
        maxResponseBytes: 64 * 1024,
        allowNonPublic: true
      })
      if (response.status >= 500 || response.status === 429) {
        return yield* new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      }
      const grant = yield* Effect.option(
        Effect.tryPromise(() => oauth.processRefreshTokenResponse(server, client, asResponse(response)))
      )
      if (Option.isNone(grant)) return undefined
      const { access_token, expires_in = presumedSeconds } = grant.value
      const now = yield* Clock.currentTimeMillis
      access = {
        token: Redacted.make(access_token),
        until: now + Math.max(0, expires_in - margin) * 1000
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
