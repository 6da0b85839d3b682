import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import type { AccessTokenId, AccountId } from "../../../Services/Accounts/Ids.ts"
import { makeToken, TokenPrefix, tokenDigest } from "../../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import {
  AccessTokens,
  type AccessTokenView,
  type EndedToken,
  mostTokens
} from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { type TokenAuthority, unlimited } from "../../../Services/Accounts/Tokens/TokenAuthority.ts"
import { narrowerScopes, stricter } from "../../../Services/Accounts/Tokens/TokenBounds.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { listedTokens, tokenColumns } from "../Sql.ts"
import { makeAuthentication } from "./TokenAuthentication.ts"

const tooManyTokens = refused(
  "too_many_tokens",
  `The account has ${mostTokens} access tokens that hold.`,
  "Revoke tokens that are not needed with revoke_mcp_token, and repeat the call.",
  { maximum: mostTokens }
)

const makeTokenServices = Effect.zipWith(SqlClient, TokenPrefix, (sql, prefix) => ({
  sql,
  view: sql.literal(tokenColumns),
  newToken: () => makeToken(randomBytes, prefix)
}))
type TokenServices = Effect.Effect.Success<typeof makeTokenServices>

const makerEnded = refused(
  "token_ended",
  "The token that makes another one has ended.",
  "Repeat the call with a token that is valid."
)

interface MakerRow extends TokenAuthority {
  readonly resource: string | null
}

/** A token that the operator or an owner made sets no limits. */
const noMaker: MakerRow = { ...unlimited, resource: null }

const smallest = (one: number | null, other: number | undefined): number | null =>
  one === null ? (other ?? null) : Math.min(one, other ?? one)

const earliest = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one

const makeMakers = ({ sql }: TokenServices) => {
  /**
   * Reads the limits that the token passes on to tokens it makes; none if it has ended. The token's revocation waits
   * until the new token is saved.
   */
  const find = (accountId: AccountId, tokenId: AccessTokenId) =>
    Effect.map(
      sql<MakerRow>`
        select confirmation, expires_at as "expiresAt", member_id as "memberId", scopes, resource,
          address_ranges as "addressRanges", calls_per_minute as "callsPerMinute" from access_token
        where account_id = ${accountId} and access_token_id = ${tokenId} and revoked_at is null
          and (expires_at is null or expires_at > instant()) for share`.pipe(fromSql()),
      (rows) => Option.fromNullable(rows[0])
    )

  const inherited = Effect.fnUntraced(function* (accountId: AccountId, tokenId: AccessTokenId | null | undefined) {
    if (tokenId === null || tokenId === undefined) return noMaker
    return yield* Effect.flatMap(
      find(accountId, tokenId),
      Option.match({ onNone: () => makerEnded, onSome: Effect.succeed })
    )
  })
  return { find, inherited }
}

const tokenRecords = (
  { newToken, sql, view }: TokenServices,
  { find, inherited }: ReturnType<typeof makeMakers>
): Pick<typeof AccessTokens.Service, "generate" | "inheritance" | "renew" | "setConfirmation" | "list"> => ({
  generate: Effect.fn("AccessTokens.generate")(function* ({
    addressRanges,
    bounds,
    callsPerMinute,
    confirmation = "when_possible",
    expiresAt,
    label,
    maker
  }) {
    const { accountId, tokenId } = yield* Caller
    const makerId = maker === undefined ? tokenId : maker.by === "consent" ? maker.tokenId : undefined
    const from = yield* inherited(accountId, makerId)
    const held = yield* sql<{ readonly tokens: number }>`
      select count(*) as tokens from access_token
      where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > instant())`.pipe(
      fromSql()
    )
    if (single(held).tokens >= mostTokens) return yield* tooManyTokens
    const token = newToken()
    const scopes = narrowerScopes(bounds?.scopes, from.scopes)
    const ranges = addressRanges ?? from.addressRanges
    const rows = yield* sql<AccessTokenView>`
      insert into access_token (account_id, label, token_hash, expires_at, scopes, resource, confirmation, made_by,
        maker_token_id, member_id, address_ranges, calls_per_minute)
      values (${accountId}, ${label ?? null}, ${tokenDigest(token)},
        ${earliest(Option.getOrNull(expiresAt), from.expiresAt)}, ${scopes === null ? null : [...scopes]}::text[],
        ${from.resource ?? bounds?.resource ?? null}, ${stricter(from.confirmation, confirmation)},
        ${maker?.by ?? (makerId === undefined ? "operator" : "token")}, ${makerId ?? null},
        ${maker?.by === "member" ? maker.memberId : from.memberId}, ${ranges === null ? null : [...ranges]}::text[],
        ${smallest(from.callsPerMinute, callsPerMinute)})
      returning ${view}`.pipe(fromSql())
    return { token, view: single(rows) }
  }),

  inheritance: Effect.gen(function* () {
    const { accountId, tokenId } = yield* Caller
    const maker = tokenId === undefined ? Option.none() : yield* find(accountId, tokenId)
    const { confirmation, expiresAt, memberId } = Option.getOrElse(maker, () => noMaker)
    return { confirmation, expiresAt, memberId }
  }).pipe(Effect.withSpan("AccessTokens.inheritance")),

  renew: Effect.fn("AccessTokens.renew")(function* (tokenId, expiresAt) {
    const { accountId } = yield* Caller
    const token = newToken()
    const rows = yield* sql<AccessTokenView>`
      update access_token t set token_hash = ${tokenDigest(token)},
        expires_at = least(${expiresAt}::timestamptz, (select m.expires_at from access_token m
          where m.account_id = t.account_id and m.access_token_id = t.maker_token_id))
      where account_id = ${accountId} and access_token_id = ${tokenId} and revoked_at is null
        and not exists (select from access_token m where m.account_id = t.account_id
          and m.access_token_id = t.maker_token_id and m.expires_at <= instant())
      returning ${view}`.pipe(fromSql())
    return Option.map(Option.fromNullable(rows[0]), (renewed) => ({ token, view: renewed }))
  }),

  setConfirmation: Effect.fn("AccessTokens.setConfirmation")(function* (tokenId, confirmation) {
    const { accountId } = yield* Caller
    const rows = yield* sql<AccessTokenView>`
      update access_token set confirmation = ${confirmation}
      where account_id = ${accountId} and access_token_id = ${tokenId}
      returning ${view}`.pipe(fromSql())
    const row = rows[0]
    return row === undefined ? yield* notFound("access token", "token_id", tokenId) : row
  }),

  list: Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* listedTokens<AccessTokenView>(sql, accountId, view)
  }).pipe(Effect.withSpan("AccessTokens.list"))
})

const tokenEnds = ({ sql, view }: TokenServices): Pick<typeof AccessTokens.Service, "endOfMember" | "revoke"> => ({
  endOfMember: Effect.fn("AccessTokens.endOfMember")(function* (memberId) {
    const { accountId } = yield* Caller
    const end = sql<EndedToken>`
      update access_token set revoked_at = instant()
      where account_id = ${accountId} and member_id = ${memberId} and revoked_at is null
      returning case when made_by = 'consent' then 'agent' else 'access_token' end as kind, access_token_id as id,
        label`.pipe(fromSql())
    // The statement runs twice: the first one waits for a token that is being made, and the second one ends it.
    const first = yield* end
    return [...first, ...(yield* end)]
  }),

  revoke: Effect.fn("AccessTokens.revoke")(function* (tokenId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<AccessTokenView>`
      update access_token set revoked_at = coalesce(revoked_at, instant())
      where account_id = ${accountId} and access_token_id = ${tokenId}
      returning ${view}`.pipe(fromSql())
    const row = rows[0]
    if (row === undefined) return yield* notFound("access token", "token_id", tokenId)
    yield* sql`
      update access_token set revoked_at = instant()
      where account_id = ${accountId} and maker_token_id = ${tokenId} and made_by = 'consent'
        and revoked_at is null`.pipe(fromSql())
    return row
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeTokenServices
  return AccessTokens.of({
    ...(yield* makeAuthentication),
    ...tokenRecords(services, makeMakers(services)),
    ...tokenEnds(services)
  })
})

export const AccessTokensPostgres = Layer.scoped(AccessTokens, make)
