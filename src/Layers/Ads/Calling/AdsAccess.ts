import { Clock, Effect, Option, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { asResponse, drafted } from "../../Platform/Outbound/OAuthRequests.ts"
import type { ProviderAccess } from "../../Platform/Outbound/ProviderClient.ts"
import type { AdsCredentials } from "../AdsSettings.ts"
import { AdsFailure } from "./AdsFailure.ts"

/** The lifetime of a token if the platform states none. */
const presumedSeconds = 3600
/** A token is no longer used this long before its end. */
const marginSeconds = 120
const maxGrantBytes = 64 * 1024

interface AccessToken {
  readonly token: Redacted.Redacted
  /** The expiry in Unix milliseconds. */
  readonly until: number
}

/**
 * The operator's access by its refresh token. The access token is cached. If it expires, one request at a time renews
 * it.
 */
export const makeAdsAccess = (
  { request }: OutboundHttp["Type"],
  { clientId, clientSecret, refreshToken }: AdsCredentials,
  tokenUrl: string
): Effect.Effect<ProviderAccess<AdsFailure, never>> =>
  Effect.map(Effect.makeSemaphore(1), (renewals) => {
    let cached: AccessToken | undefined
    const server: oauth.AuthorizationServer = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
    const client: oauth.Client = { client_id: clientId }
    const authentication = oauth.ClientSecretPost(Redacted.value(clientSecret))

    const renew = Effect.gen(function* () {
      const draft = yield* drafted((options) =>
        oauth.refreshTokenGrantRequest(server, client, authentication, Redacted.value(refreshToken), {
          ...options,
          // Allowed here, because the outbound policy checks the addresses.
          [oauth.allowInsecureRequests]: true
        })
      )
      const response = yield* Effect.mapError(
        request({
          method: "POST",
          ...draft,
          // A dry run that only reads needs a token too.
          isRead: true,
          timeout: "10 seconds",
          maxResponseBytes: maxGrantBytes,
          allowNonPublic: true
        }),
        () => new AdsFailure({ reason: "unavailable" })
      )
      if (response.status >= 500 || response.status === 429) return yield* new AdsFailure({ reason: "unavailable" })
      const grant = yield* Effect.option(
        Effect.tryPromise(() => oauth.processRefreshTokenResponse(server, client, asResponse(response)))
      )
      if (Option.isNone(grant)) return yield* new AdsFailure({ reason: "unauthorized" })
      const { access_token, expires_in = presumedSeconds } = grant.value
      const now = yield* Clock.currentTimeMillis
      const token = Redacted.make(access_token)
      cached = { token, until: now + Math.max(0, expires_in - marginSeconds) * 1000 }
      return token
    })

    return {
      accessToken: renewals.withPermits(1)(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          cached !== undefined && cached.until > now ? Effect.succeed(cached.token) : renew
        )
      ),
      reject: (token) =>
        Effect.sync(() => {
          if (cached?.token === token) cached = undefined
        })
    }
  })
