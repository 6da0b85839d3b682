import { Clock, Data, Effect, Predicate, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import type { ClientAuthentication, OAuthProvider } from "../../Services/Connections/OAuth.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import { stopDryRun } from "../../Services/Core/Calls/DryRun.ts"
import type { OutboundFailureReason } from "../../Services/Outbound/OutboundHttp.ts"
import { asResponse, type Drafted, drafted } from "../Platform/Outbound/OAuthRequests.ts"

/** The current tokens of a consent. */
export interface Tokens {
  readonly accessToken: Redacted.Redacted
  /** The refresh token, if the service issued one. */
  readonly refreshToken: Redacted.Redacted | undefined
  /** The expiry of the access token in Unix milliseconds. */
  readonly expiresAt: number
  readonly scopes: ReadonlyArray<string>
}

/** The service issued no tokens. */
export class ExchangeFailure extends Data.TaggedError("ExchangeFailure")<{
  /**
   * `grant_ended`: the code or token is no longer valid. `client_refused`: the operator's credentials are not.
   * `unavailable`: the outcome of the request is unknown.
   */
  readonly reason: "grant_ended" | "client_refused" | "unavailable"
  /** A code for the log and the row. It is never the service's text. */
  readonly code: string
}> {}

const timeout = "20 seconds"
const largestAnswer = 256 * 1024
/** The assumed lifetime of an access token in seconds, if the service does not name one. */
const presumedSeconds = 3600

const unavailable = (code: OutboundFailureReason | "request_refused" | "answer_unreadable" | `status_${number}`) =>
  new ExchangeFailure({ reason: "unavailable", code })

const send = (provider: OAuthProvider, { body, headers, url }: Drafted, isRead: boolean) =>
  provider.request({ method: "POST", url, headers, body, isRead, timeout, maxResponseBytes: largestAnswer }).pipe(
    Effect.catchTags({
      OutboundFailure: ({ reason }) => unavailable(reason),
      Refused: () => unavailable("request_refused")
    })
  )

const clientFaults = new Set(["invalid_client", "unauthorized_client"])

/** Interprets an error response. A 5xx or 429 proves nothing about the grant, whatever its body. */
const failureOf = (status: number, error: unknown): ExchangeFailure => {
  const code = error instanceof oauth.ResponseBodyError ? error.error : undefined
  if (status >= 500 || status === 429) return unavailable(`status_${status}`)
  if (code === "invalid_grant") return new ExchangeFailure({ reason: "grant_ended", code })
  if (status === 401 || (code !== undefined && clientFaults.has(code))) {
    return new ExchangeFailure({ reason: "client_refused", code: "client_refused" })
  }
  return status >= 400 ? unavailable(`status_${status}`) : unavailable("answer_unreadable")
}

const authentications: { readonly [A in ClientAuthentication]: (secret: string) => oauth.ClientAuth } = {
  basic: oauth.ClientSecretBasic,
  post: oauth.ClientSecretPost,
  none: oauth.None
}

export const serverOf = ({ authorizeUrl, issuer, revokeUrl, tokenUrl }: OAuthProvider): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
  ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl })
})

export const clientOf = ({ client }: OAuthProvider): oauth.Client => ({ client_id: client.id })

const authentication = ({ authentication: kind, client }: OAuthProvider, other?: ClientAuthentication) =>
  authentications[other ?? kind](Redacted.value(client.secret))

const text = (value: unknown): string | undefined => (Predicate.isString(value) && value !== "" ? value : undefined)

const tokensOf = (
  answer: oauth.TokenEndpointResponse,
  before: { readonly refreshToken: Redacted.Redacted | undefined; readonly scopes: ReadonlyArray<string> },
  present: number
): Tokens => {
  const refreshToken = text(answer.refresh_token)
  const { scope } = answer
  return {
    accessToken: Redacted.make(answer.access_token),
    refreshToken: refreshToken === undefined ? before.refreshToken : Redacted.make(refreshToken),
    expiresAt: present + (answer.expires_in ?? presumedSeconds) * 1000,
    // If the response has no scope, the requested scopes were granted (RFC 6749, 5.1 and 6).
    scopes: scope === undefined ? before.scopes : scope.split(" ").filter((part) => part !== "")
  }
}

const exchanged = Effect.fnUntraced(function* (
  provider: OAuthProvider,
  make: (options: oauth.TokenEndpointRequestOptions) => Promise<Response>,
  judge: (response: Response) => Promise<oauth.TokenEndpointResponse>,
  before: { readonly refreshToken: Redacted.Redacted | undefined; readonly scopes: ReadonlyArray<string> }
) {
  // A dry run needs tokens too. They are stored even if everything else is rolled back.
  const answer = yield* send(provider, yield* drafted(make), true)
  const judged = yield* Effect.tryPromise({
    try: () => judge(asResponse(answer)),
    catch: (error) => failureOf(answer.status, error)
  })
  return tokensOf(judged, before, yield* Clock.currentTimeMillis)
})

/** Exchanges a code for tokens. `callback` contains the checked parameters of the callback. */
export const exchangeCode = (
  provider: OAuthProvider,
  code: { readonly callback: URLSearchParams; readonly redirectUri: string; readonly verifier: Redacted.Redacted }
): Effect.Effect<Tokens, ExchangeFailure, Caller> => {
  const server = serverOf(provider)
  const client = clientOf(provider)
  return exchanged(
    provider,
    (options) =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication(provider),
        code.callback,
        code.redirectUri,
        Redacted.value(code.verifier),
        options
      ),
    (response) => oauth.processAuthorizationCodeResponse(server, client, response),
    { refreshToken: undefined, scopes: provider.scopes }
  )
}

/** Exchanges the refresh token for new tokens. */
export const exchangeRefresh = (
  provider: OAuthProvider,
  { refreshToken, scopes }: Tokens
): Effect.Effect<Tokens, ExchangeFailure, Caller> => {
  if (refreshToken === undefined) {
    return new ExchangeFailure({ reason: "grant_ended", code: "no_refresh_token" })
  }
  const server = serverOf(provider)
  const client = clientOf(provider)
  return exchanged(
    provider,
    (options) =>
      oauth.refreshTokenGrantRequest(server, client, authentication(provider), Redacted.value(refreshToken), options),
    (response) => oauth.processRefreshTokenResponse(server, client, response),
    { refreshToken, scopes }
  )
}

/** Revokes the consent at the service. Returns whether the service confirmed it. */
export const revoke = (
  provider: OAuthProvider,
  { accessToken, refreshToken }: Tokens
): Effect.Effect<boolean, never, Caller> => {
  if (provider.revokeUrl === undefined) return Effect.succeed(false)
  return drafted((options) =>
    oauth.revocationRequest(
      serverOf(provider),
      clientOf(provider),
      authentication(provider, provider.revokeAuthentication),
      Redacted.value(refreshToken ?? accessToken),
      options
    )
  ).pipe(
    Effect.tap(() => stopDryRun(provider.service)),
    Effect.flatMap((draft) => send(provider, draft, false)),
    // Some services return 400 if the token is no longer valid.
    Effect.map(({ status }) => (status >= 200 && status < 300) || status === 400),
    Effect.catchAll(() => Effect.succeed(false))
  )
}
