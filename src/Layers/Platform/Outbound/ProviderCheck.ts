import { Effect, Redacted } from "effect"
import { type CheckResult, failed, passed, warning } from "../../../Services/Core/Outside/CheckResult.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { textAt } from "../AnswerPaths.ts"
import { makeProviderClient } from "./ProviderClient.ts"
import type { ProviderFailure } from "./ProviderFailure.ts"
import type { ProviderRequest, QueryValues } from "./ProviderRequest.ts"

export interface CredentialRequest {
  readonly name: string
  readonly baseUrl: string
  readonly headers?: { readonly [name: string]: string }
  readonly query?: QueryValues
  /** A request that needs the credentials and changes nothing. */
  readonly request: ProviderRequest
  /** The name of the setting with the credentials. */
  readonly setting: string
  /** The name of the setting for what is requested, such as a model. */
  readonly subject?: string
}

const resultOf = ({ code, kind }: ProviderFailure, { baseUrl, setting, subject }: CredentialRequest): CheckResult => {
  switch (kind) {
    case "unauthorized":
    case "forbidden":
      return failed(`The provider does not accept the credentials (${code}).`, `Check ${setting}.`)
    case "not_found":
      return subject === undefined
        ? warning(`The provider has no such page (${code}).`, `Check the address and ${setting}.`)
        : failed(`The provider does not have what ${subject} names (${code}).`, `Check ${subject}.`)
    case "rate_limited":
      return warning("The provider's limit is reached, so the credentials were not checked.", "Run the check later.")
    case "conflict":
    case "rejected":
      return failed(`The provider refuses the request (${code}).`, `Check ${setting} and the provider's address.`)
    case "maybe_sent":
    case "unavailable":
      return failed(
        `The provider at ${baseUrl} does not answer (${code}).`,
        "Check the address, name resolution and the firewall, or run the check later."
      )
  }
}

/** Checks credentials by a request that needs them. */
export const checkCredentials = (options: CredentialRequest): Effect.Effect<CheckResult, never, OutboundHttp> =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const { baseUrl, headers, name, query, request } = options
    const client = makeProviderClient({
      name,
      baseUrl,
      transport: http.request,
      isOperators: true,
      timeout: "15 seconds",
      ...(headers === undefined ? {} : { headers }),
      ...(query === undefined ? {} : { query })
    })
    return yield* Effect.match(client.send({ ...request, expects: "any" }), {
      onSuccess: () => passed(`The provider at ${baseUrl} accepts the credentials.`),
      onFailure: (failure) => resultOf(failure, options)
    })
  })

/** The errors of RFC 6749 with which a token endpoint refuses the client itself. */
const refusesClient = new Set(["invalid_client", "unauthorized_client"])

export interface OAuthClientCheck {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * A refresh token of the operator. Without one, the check sends an invented one: the provider's refusal shows whether
   * it knows the client.
   */
  readonly refreshToken?: Redacted.Redacted
  readonly setting: string
}

const inventedToken = Redacted.make("check-of-the-client")

/** Checks an OAuth client at its token endpoint. */
export const checkOAuthClient = (options: OAuthClientCheck): Effect.Effect<CheckResult, never, OutboundHttp> =>
  Effect.gen(function* () {
    const { clientId, clientSecret, refreshToken = inventedToken, setting, tokenUrl } = options
    const http = yield* OutboundHttp
    const client = makeProviderClient({
      name: "oauth_client",
      baseUrl: tokenUrl,
      transport: http.request,
      isOperators: true,
      timeout: "15 seconds",
      maxResponseBytes: 256 * 1024,
      // A refusal is not a failure here, because it shows whether the client is known.
      judge: (answer, usual) => (answer.status === 400 || answer.status === 401 ? undefined : usual)
    })
    const answer = yield* Effect.either(
      client.send({
        method: "POST",
        path: tokenUrl,
        isRead: true,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: clientId,
          client_secret: Redacted.value(clientSecret),
          refresh_token: Redacted.value(refreshToken)
        }).toString()
      })
    )
    if (answer._tag === "Left") {
      return resultOf(answer.left, {
        name: "oauth_client",
        baseUrl: tokenUrl,
        request: { method: "POST", path: "" },
        setting
      })
    }
    const error = textAt(answer.right.json, "error")
    if (answer.right.status < 300) return passed(`${tokenUrl} accepts the client and its refresh token.`)
    if (refusesClient.has(error)) {
      return failed(`${tokenUrl} does not accept the client (${error}).`, `Check ${setting} and its secret.`)
    }
    if (error === "invalid_grant") {
      return refreshToken === inventedToken
        ? passed(`${tokenUrl} knows the client.`)
        : failed(
            `${tokenUrl} does not accept the refresh token.`,
            "Grant consent again and store the new refresh token."
          )
    }
    return warning(
      `${tokenUrl} answered neither that it knows the client nor that it does not.`,
      `Check ${setting} by connecting an account.`
    )
  })
