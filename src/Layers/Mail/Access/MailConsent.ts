import { createHash, randomBytes } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import type { MailOAuthSettings } from "../MailSettings.ts"
import { MailAccessFailed } from "./MailAccess.ts"

/** A provider's OAuth endpoints and scopes. */
export interface MailOAuthEndpoints {
  readonly authorize: string
  readonly token: string
  readonly scopes: ReadonlyArray<string>
  /** Additional parameters of the consent page. */
  readonly extra: { readonly [name: string]: string }
  /** How the provider wants the loopback address to be written. */
  readonly loopbackHost: "127.0.0.1" | "localhost"
}

export const endpointsOf = ({ provider, tenant }: MailOAuthSettings): MailOAuthEndpoints =>
  provider === "google"
    ? {
        authorize: "https://accounts.google.com/o/oauth2/v2/auth",
        token: "https://oauth2.googleapis.com/token",
        scopes: ["https://mail.google.com/"],
        // Google only sends a refresh token with both of these.
        extra: { access_type: "offline", prompt: "consent" },
        loopbackHost: "127.0.0.1"
      }
    : {
        authorize: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
        token: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
        scopes: [
          "https://outlook.office.com/IMAP.AccessAsUser.All",
          "https://outlook.office.com/SMTP.Send",
          "offline_access"
        ],
        extra: { prompt: "select_account" },
        loopbackHost: "localhost"
      }

/** Proves to the provider that the code is used by the program that requested it (PKCE). */
export interface ConsentProof {
  readonly state: string
  readonly verifier: string
}

export const makeProof = (): ConsentProof => ({
  state: randomBytes(24).toString("base64url"),
  verifier: randomBytes(48).toString("base64url")
})

export const consentUrl = (
  { authorize, extra, scopes }: MailOAuthEndpoints,
  { clientId }: MailOAuthSettings,
  { state, verifier }: ConsentProof,
  redirectUri: string
): string => {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...extra
  })
  return `${authorize}?${query.toString()}`
}

export interface MailTokens {
  readonly accessToken: Redacted.Redacted
  /** The provider may replace it at any use. */
  readonly refreshToken: Option.Option<Redacted.Redacted>
  readonly expiresInSeconds: number
}

const Tokens = Schema.Struct({
  access_token: Schema.NonEmptyString,
  refresh_token: Schema.optional(Schema.NonEmptyString),
  expires_in: Schema.optional(Schema.Number)
})

const defaultLifeSeconds = 3600

/** Exchanges a code or a refresh token for new tokens. */
export const makeTokenExchange = (
  http: OutboundHttp["Type"],
  { token }: MailOAuthEndpoints,
  { clientId, clientSecret }: MailOAuthSettings
) => {
  const url = new URL(token)
  const client = makeProviderClient({
    name: "mail_oauth",
    baseUrl: url.origin,
    transport: http.request,
    isOperators: true,
    maxResponseBytes: 256 * 1024
  })
  return (grant: { readonly [name: string]: string }): Effect.Effect<MailTokens, MailAccessFailed> =>
    client
      .ask(Tokens, {
        method: "POST",
        path: url.pathname,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          client_id: clientId,
          ...(clientSecret === undefined ? {} : { client_secret: Redacted.value(clientSecret) }),
          ...grant
        }).toString(),
        isRead: true
      })
      .pipe(
        Effect.mapBoth({
          onSuccess: ({ access_token, expires_in = defaultLifeSeconds, refresh_token }): MailTokens => ({
            accessToken: Redacted.make(access_token),
            refreshToken: Option.map(Option.fromNullable(refresh_token), (text) => Redacted.make(text)),
            expiresInSeconds: expires_in
          }),
          onFailure: ({ answer, code }) => {
            const error = answer === undefined ? "" : textAt(Redacted.value(answer).json, "error")
            return new MailAccessFailed({ reason: /^[a-z_]{1,60}$/.test(error) ? error : code })
          }
        })
      )
}
