import { createHash, randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Redacted } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { type OAuthProvider, SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const issuer = "https://oauth.sandbox.invalid"
const tokenUrl = `${issuer}/token`
const revokeUrl = `${issuer}/revoke`
export const simulatedClient = "sandbox"
const codeMinutes = 10
const accessSeconds = 7200

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest()
const secret = (): string => randomBytes(32).toString("base64url")

const answer = (status: number, body: object): OutboundResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(body))
})
const refusal = (error: string) => answer(400, { error, error_description: "The simulated server says so." })

/** A consent that was given on the simulated server's page. */
export interface SimulatedCode {
  readonly service: string
  readonly holder: string
  readonly scopes: ReadonlyArray<string>
  readonly challenge: string
  readonly redirectUri: string
}

const tokenAnswer = (access: string, refresh: string | undefined, scopes: ReadonlyArray<string>) =>
  answer(200, {
    token_type: "Bearer",
    access_token: access,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    expires_in: accessSeconds,
    scope: scopes.join(" ")
  })

/** Makes the endpoint that exchanges codes and refresh tokens, and revokes grants. */
const makeTokenEndpoint = Effect.gen(function* () {
  const sql = yield* SqlClient

  const redeem = Effect.fnUntraced(function* (service: string, form: URLSearchParams) {
    const { accountId } = yield* Caller
    const [code] = yield* sql<{
      readonly holder: string
      readonly scopes: ReadonlyArray<string>
      readonly challenge: string
      readonly redirect_uri: string
    }>`
      delete from sandbox_oauth_code
      where account_id = ${accountId} and code_hash = ${hashOf(form.get("code") ?? "")} and service = ${service}
        and expires_at > instant()
      returning holder, scopes, challenge, redirect_uri`.pipe(fromSql())
    const proof = hashOf(form.get("code_verifier") ?? "").toString("base64url")
    if (code === undefined || code.challenge !== proof || code.redirect_uri !== form.get("redirect_uri")) {
      return refusal("invalid_grant")
    }
    const access = secret()
    const refresh = secret()
    yield* sql`
      insert into sandbox_oauth_grant (account_id, service, holder, scopes, refresh_hash, access_hash, access_expires_at)
      values (${accountId}, ${service}, ${code.holder}, ${[...code.scopes]}, ${hashOf(refresh)}, ${hashOf(access)},
        instant() + make_interval(secs => ${accessSeconds}))`.pipe(fromSql())
    return tokenAnswer(access, refresh, code.scopes)
  })

  const refreshed = Effect.fnUntraced(function* (service: string, rotates: boolean, form: URLSearchParams) {
    const { accountId } = yield* Caller
    const before = form.get("refresh_token") ?? ""
    const access = secret()
    const refresh = rotates ? secret() : before
    const [grant] = yield* sql<{ readonly scopes: ReadonlyArray<string> }>`
      update sandbox_oauth_grant set refresh_hash = ${hashOf(refresh)}, access_hash = ${hashOf(access)},
        access_expires_at = instant() + make_interval(secs => ${accessSeconds})
      where account_id = ${accountId} and refresh_hash = ${hashOf(before)} and service = ${service} and not is_revoked
      returning scopes`.pipe(fromSql())
    return grant === undefined
      ? refusal("invalid_grant")
      : tokenAnswer(access, rotates ? refresh : undefined, grant.scopes)
  })

  const revoked = Effect.fnUntraced(function* (service: string, form: URLSearchParams) {
    const { accountId } = yield* Caller
    const hash = hashOf(form.get("token") ?? "")
    yield* sql`
      update sandbox_oauth_grant set is_revoked = true
      where account_id = ${accountId} and service = ${service} and (refresh_hash = ${hash} or access_hash = ${hash})`.pipe(
      fromSql()
    )
    return answer(200, {})
  })

  const answered = Effect.fnUntraced(function* (
    { rotatesRefreshToken, service }: OAuthProvider,
    { body, url }: OutboundRequest
  ) {
    const form = new URLSearchParams(typeof body === "string" ? body : "")
    if (form.get("client_id") !== simulatedClient) return answer(401, { error: "invalid_client" })
    if (url === revokeUrl) return yield* revoked(service, form)
    switch (form.get("grant_type")) {
      case "authorization_code":
        return yield* redeem(service, form)
      case "refresh_token":
        return yield* refreshed(service, rotatesRefreshToken, form)
      default:
        return refusal("unsupported_grant_type")
    }
  })

  return answered
})

const makeConsents = Effect.gen(function* () {
  const sql = yield* SqlClient

  const changed = (statement: (accountId: AccountId) => Effect.Effect<ReadonlyArray<unknown>, Transient>) =>
    Effect.flatMap(Caller, ({ accountId }) => Effect.map(statement(accountId), (rows) => rows.length))

  return SimulatedConsents.of({
    of: Effect.fnUntraced(function* (service, accessToken) {
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly holder: string; readonly scopes: ReadonlyArray<string> }>`
        select holder, scopes from sandbox_oauth_grant
        where account_id = ${accountId} and access_hash = ${hashOf(accessToken)} and service = ${service}
          and not is_revoked and access_expires_at > instant()`.pipe(fromSql())
      return Option.fromNullable(rows[0])
    }),
    revokeAll: (service) =>
      changed((accountId) =>
        sql`
          update sandbox_oauth_grant set is_revoked = true
          where account_id = ${accountId} and service = ${service} and not is_revoked returning grant_id`.pipe(
          fromSql()
        )
      ),
    expireAll: (service) =>
      changed((accountId) =>
        sql`
          update sandbox_oauth_grant set access_expires_at = instant()
          where account_id = ${accountId} and service = ${service} and not is_revoked returning grant_id`.pipe(
          fromSql()
        )
      )
  })
})

/**
 * The simulated authorization server of all simulated services: codes, tokens and their expiry. It is called through
 * the same OAuth library as a real one.
 */
export const makeAuthorizationSandbox = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const answered = yield* makeTokenEndpoint
  const consents = yield* makeConsents

  const giveCode = Effect.fnUntraced(function* (accountId: AccountId, code: SimulatedCode) {
    const given = secret()
    yield* sql`
      insert into sandbox_oauth_code (account_id, code_hash, service, holder, scopes, challenge, redirect_uri, expires_at)
      values (${accountId}, ${hashOf(given)}, ${code.service}, ${code.holder}, ${[...code.scopes]}, ${code.challenge},
        ${code.redirectUri}, instant() + make_interval(mins => ${codeMinutes}))`.pipe(fromSql())
    return given
  })

  /** Returns the provider with the simulated authorization server. The room handles requests to the service itself. */
  const simulated = (provider: OAuthProvider, pagesUrl: string): OAuthProvider => ({
    ...provider,
    issuer,
    authorizeUrl: `${pagesUrl}/${provider.service}`,
    tokenUrl,
    revokeUrl,
    client: { id: simulatedClient, secret: Redacted.make("") },
    authentication: "none",
    revokeAuthentication: "none",
    request: (request) =>
      request.url.startsWith(`${issuer}/`)
        ? outsideTransaction(unit.write(answered(provider, request))).pipe(
            Effect.mapError(
              (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
            )
          )
        : provider.request(request)
  })

  return { simulated, giveCode, consents }
})
