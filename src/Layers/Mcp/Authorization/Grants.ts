import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccessTokenId, AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { AccessTokens, type NewAccessToken } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import type { Confirmation, TokenBounds } from "../../../Services/Accounts/Tokens/TokenBounds.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** The lifetimes of a code, an access token and an unused refresh token, in seconds. */
const codeSeconds = 120
const accessSeconds = 3_600
const refreshSeconds = 30 * 86_400

/** The access that an owner granted to a program. */
export interface Consent extends Required<TokenBounds> {
  readonly accountId: AccountId
  /** The token that the owner consented with. */
  readonly consentedWith: AccessTokenId
  readonly clientId: string
  /** The token's name in the account's list. */
  readonly label: string
  readonly redirectUri: string
  /** SHA-256 of the verifier, base64url. */
  readonly challenge: string
  readonly confirmation: Confirmation
  /** The expiry of the token with which the owner consented. Tokens of the grant end at the same time. */
  readonly endsAt: Timestamp | null
}

export interface Granted {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<string>
}

/** Error codes of RFC 6749. A caller with an invalid token learns nothing more. */
export type GrantFault = "invalid_grant" | "invalid_target" | "invalid_scope"

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest()

interface Row {
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
  readonly resource: string
  readonly endsAt: Timestamp | null
  readonly isUsed: boolean
  readonly isOver: boolean
  readonly plan: Plan
}

interface CodeRow extends Row {
  readonly label: string
  readonly redirectUri: string
  readonly challenge: string
  readonly confirmation: Confirmation
  readonly tokenId: AccessTokenId | null
  readonly consentedWith: AccessTokenId | null
}

interface RefreshRow extends Row {
  readonly tokenId: AccessTokenId
}

const earlier = (one: Timestamp, other: Timestamp | null): Timestamp => (other !== null && other < one ? other : one)

const makeGrantServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tokens = yield* AccessTokens
  const seal = yield* makeAccountSeal

  const endsAtText = sql.literal(`to_char(g.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "endsAt"`)
  return { endsAtText, seal, sql, tokens, unit }
})
type GrantServices = Effect.Effect.Success<typeof makeGrantServices>

const makeGrantRows = ({ seal, sql, tokens }: GrantServices) => {
  const common = sql.literal(
    `g.client_id as "clientId", g.scopes, g.resource, g.used_at is not null as "isUsed", g.expires_at <= instant() as "isOver",
      g.access_token_id as "tokenId", a.plan`
  )

  const as =
    (accountId: AccountId, plan: Plan) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, Caller, Caller.forTask(accountId, plan, "oauth"))

  /** Revokes the token of a grant and everything that could renew it. */
  const end = Effect.fnUntraced(function* (accountId: AccountId, plan: Plan, tokenId: AccessTokenId | null) {
    if (tokenId === null) return
    yield* tokens.revoke(tokenId).pipe(
      as(accountId, plan),
      Effect.catchTag("NotFound", () => Effect.void)
    )
    yield* sql`delete from oauth_refresh
      where account_id = ${accountId} and access_token_id = ${tokenId} and used_at is null`.pipe(fromSql())
  })

  const giveRefresh = Effect.fnUntraced(function* (accountId: AccountId, tokenId: AccessTokenId, row: Row) {
    const refresh = yield* seal.addressKey(accountId)
    const expiresAt = earlier(plusSeconds(yield* now, refreshSeconds), row.endsAt)
    yield* sql`
      insert into oauth_refresh (account_id, refresh_hash, access_token_id, client_id, scopes, resource, ends_at, expires_at)
      values (${accountId}, ${hashOf(refresh)}, ${tokenId}, ${row.clientId}, ${[...row.scopes]}::text[], ${row.resource},
        ${row.endsAt}, ${expiresAt})`.pipe(fromSql())
    return refresh
  })

  const accessEnd = ({ endsAt }: Row) =>
    Effect.map(now, (present) => {
      const expiresAt = earlier(plusSeconds(present, accessSeconds), endsAt)
      /** Seconds until a token expires. It expires earlier if the token that created it does. */
      const secondsOf = ({ view }: NewAccessToken) =>
        Math.max(1, Math.round((Date.parse(view.expires_at ?? expiresAt) - Date.parse(present)) / 1000))
      return { expiresAt, secondsOf }
    })

  const fault = (grantFault: GrantFault): Granted | GrantFault => grantFault

  return { common, as, end, giveRefresh, accessEnd, fault }
}
type GrantRows = ReturnType<typeof makeGrantRows>

const makeExchanges = (
  { endsAtText, seal, sql, tokens, unit }: GrantServices,
  { accessEnd, as, common, end, fault, giveRefresh }: GrantRows
) => {
  const redeemed = Effect.fnUntraced(function* (
    accountId: AccountId,
    { clientId, code, redirectUri, resource, verifier }: PresentedCode
  ) {
    const [row] = yield* sql<CodeRow>`
      select ${common}, ${endsAtText}, g.label, g.redirect_uri as "redirectUri", g.challenge, g.confirmation,
        g.maker_token_id as "consentedWith"
      from oauth_code g join account a on a.account_id = g.account_id
      where g.account_id = ${accountId} and g.code_hash = ${hashOf(code)} for no key update of g`.pipe(fromSql())
    if (row === undefined) return fault("invalid_grant")
    if (row.isUsed) {
      yield* end(accountId, row.plan, row.tokenId)
      return fault("invalid_grant")
    }
    const isRight =
      !row.isOver &&
      row.clientId === clientId &&
      row.redirectUri === redirectUri &&
      row.challenge === hashOf(verifier).toString("base64url")
    if (!isRight) return fault("invalid_grant")
    if (resource !== undefined && resource !== row.resource) return fault("invalid_target")
    const { expiresAt, secondsOf } = yield* accessEnd(row)
    const createdToken = yield* tokens
      .generate({
        label: row.label,
        expiresAt: Option.some(expiresAt),
        bounds: { scopes: row.scopes, resource: row.resource },
        confirmation: row.confirmation,
        maker: { by: "consent", tokenId: row.consentedWith }
      })
      .pipe(as(accountId, row.plan), Effect.option)
    if (Option.isNone(createdToken)) return fault("invalid_grant")
    const tokenId = createdToken.value.view.token_id
    yield* sql`
      update oauth_code set used_at = instant(), access_token_id = ${tokenId}
      where account_id = ${accountId} and code_hash = ${hashOf(code)}`.pipe(fromSql())
    const refreshToken = yield* giveRefresh(accountId, tokenId, row)
    return {
      accessToken: createdToken.value.token,
      refreshToken,
      expiresIn: secondsOf(createdToken.value),
      scopes: row.scopes
    }
  })

  const refreshed = Effect.fnUntraced(function* (
    accountId: AccountId,
    { clientId, refreshToken, resource, scopes }: PresentedRefresh
  ) {
    const [row] = yield* sql<RefreshRow>`
      select ${common}, ${endsAtText} from oauth_refresh g join account a on a.account_id = g.account_id
      where g.account_id = ${accountId} and g.refresh_hash = ${hashOf(refreshToken)} for no key update of g`.pipe(
      fromSql()
    )
    if (row === undefined || row.clientId !== clientId) return fault("invalid_grant")
    if (row.isUsed) {
      yield* end(accountId, row.plan, row.tokenId)
      return fault("invalid_grant")
    }
    if (row.isOver) return fault("invalid_grant")
    if (resource !== undefined && resource !== row.resource) return fault("invalid_target")
    if (!scopes.every((scope) => row.scopes.includes(scope))) return fault("invalid_scope")
    const { expiresAt, secondsOf } = yield* accessEnd(row)
    const renewed = yield* tokens.renew(row.tokenId, expiresAt).pipe(as(accountId, row.plan))
    if (Option.isNone(renewed)) return fault("invalid_grant")
    yield* sql`update oauth_refresh set used_at = instant()
      where account_id = ${accountId} and refresh_hash = ${hashOf(refreshToken)}`.pipe(fromSql())
    yield* sql`delete from oauth_refresh where account_id = ${accountId} and expires_at < instant()`.pipe(fromSql())
    const next = yield* giveRefresh(accountId, row.tokenId, row)
    return {
      accessToken: renewed.value.token,
      refreshToken: next,
      expiresIn: secondsOf(renewed.value),
      scopes: row.scopes
    }
  })

  const ofAccount = <A>(key: string, use: (accountId: AccountId) => Effect.Effect<A, Transient>, otherwise: A) =>
    Effect.flatMap(
      seal.accountOfAddressKey(key),
      Option.match({ onNone: () => Effect.succeed(otherwise), onSome: (accountId) => unit.write(use(accountId)) })
    )

  return { redeemed, refreshed, ofAccount }
}
/** Codes and refresh tokens. Each can be used once. If one is used again, everything of its grant is revoked. */
export const makeGrants = Effect.gen(function* () {
  const services = yield* makeGrantServices
  const { seal, sql, tokens, unit } = services
  const grantRows = makeGrantRows(services)
  const { end, fault } = grantRows
  const { ofAccount, redeemed, refreshed } = makeExchanges(services, grantRows)

  /** Revokes the grant of a refresh token of the client, or of any client. Returns whether there was one. */
  const endOfRefresh = (token: string, clientId: string | undefined) =>
    ofAccount(
      token,
      Effect.fnUntraced(function* (accountId: AccountId) {
        const [row] = yield* sql<{ readonly tokenId: AccessTokenId; readonly plan: Plan }>`
          select g.access_token_id as "tokenId", a.plan from oauth_refresh g join account a on a.account_id = g.account_id
          where g.account_id = ${accountId} and g.refresh_hash = ${hashOf(token)}
            and g.client_id = coalesce(${clientId ?? null}::text, g.client_id)`.pipe(fromSql())
        if (row === undefined) return false
        yield* end(accountId, row.plan, row.tokenId)
        return true
      }),
      false
    )

  return {
    giveCode: Effect.fn("OAuthGrants.giveCode")(function* (consent: Consent) {
      const { accountId } = consent
      const code = yield* seal.addressKey(accountId)
      yield* sql`delete from oauth_code
        where account_id = ${accountId} and expires_at < instant() - interval '1 day'`.pipe(fromSql())
      yield* sql`
        insert into oauth_code (account_id, code_hash, client_id, label, redirect_uri, challenge, scopes, resource,
          confirmation, maker_token_id, ends_at, expires_at)
        values (${accountId}, ${hashOf(code)}, ${consent.clientId}, ${consent.label}, ${consent.redirectUri},
          ${consent.challenge}, ${[...consent.scopes]}::text[], ${consent.resource}, ${consent.confirmation},
          ${consent.consentedWith}, ${consent.endsAt}, instant() + make_interval(secs => ${codeSeconds}))`.pipe(
        fromSql()
      )
      return code
    }),

    redeem: Effect.fn("OAuthGrants.redeem")((presented: PresentedCode) =>
      ofAccount(presented.code, (accountId) => redeemed(accountId, presented), fault("invalid_grant"))
    ),

    refresh: Effect.fn("OAuthGrants.refresh")((presented: PresentedRefresh) =>
      ofAccount(presented.refreshToken, (accountId) => refreshed(accountId, presented), fault("invalid_grant"))
    ),

    /**
     * Revokes the grant of either token. An unknown token changes nothing, and the answer does not show the difference.
     */
    revoke: Effect.fn("OAuthGrants.revoke")(function* (token: string, clientId: string) {
      const holder = yield* tokens.boundHolder(token)
      if (Option.isSome(holder)) {
        const { accountId, plan, tokenId } = holder.value
        return yield* unit.write(end(accountId, plan, tokenId))
      }
      yield* endOfRefresh(token, clientId)
    }),

    /** Revokes the grant of any client's refresh token. Returns whether there was one. */
    revokeRefresh: Effect.fn("OAuthGrants.revokeRefresh")((token: string) => endOfRefresh(token, undefined))
  }
})

export interface PresentedCode {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
}

export interface PresentedRefresh {
  readonly refreshToken: string
  readonly clientId: string
  readonly resource: string | undefined
  /** Scopes beyond the grant are refused. A request for fewer scopes still gets all that were granted. */
  readonly scopes: ReadonlyArray<string>
}

export type Grants = Effect.Effect.Success<typeof makeGrants>
