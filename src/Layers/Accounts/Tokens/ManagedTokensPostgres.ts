import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound } from "../../../Errors.ts"
import type { AccessTokenId, AccountId } from "../../../Services/Accounts/Ids.ts"
import {
  isWellFormedToken,
  makeToken,
  TokenPrefix,
  tokenDigest
} from "../../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { KnownScopes } from "../../../Services/Accounts/Tokens/KnownScopes.ts"
import {
  limitsFault,
  ManagedTokens,
  type ManagedTokenView,
  ownerNeeded,
  programToken,
  type TokenLimits,
  tokenEnded,
  tokenExceedsCaller
} from "../../../Services/Accounts/Tokens/ManagedTokens.ts"
import { isWithinAuthority, type TokenAuthority, unlimited } from "../../../Services/Accounts/Tokens/TokenAuthority.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { now, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { listedTokens, tokenColumns } from "../Sql.ts"

interface TokenRow extends TokenAuthority {
  readonly label: string | null
  readonly isOfProgram: boolean
  readonly isEnded: boolean
}

/** Converts limits to their stored form. An empty list and 0 mean no limit. */
const listOrNull = (items: ReadonlyArray<string>): ReadonlyArray<string> | null => (items.length === 0 ? null : items)

const limited = (
  authority: TokenAuthority,
  { addressRanges, callsPerMinute, confirmation, expiresAt, scopes }: TokenLimits
): TokenAuthority => ({
  ...authority,
  ...(scopes === undefined ? {} : { scopes: listOrNull(scopes) }),
  ...(addressRanges === undefined ? {} : { addressRanges: listOrNull(addressRanges) }),
  ...(callsPerMinute === undefined ? {} : { callsPerMinute: callsPerMinute === 0 ? null : callsPerMinute }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(confirmation === undefined ? {} : { confirmation })
})

const textArray = (items: ReadonlyArray<string> | null): Array<string> | null => (items === null ? null : [...items])

const makeTokenRows = Effect.zipWith(SqlClient, TokenPrefix, (sql, prefix) => {
  const view =
    sql.literal(`${tokenColumns}, scopes, resource, confirmation, address_ranges, calls_per_minute, last_used_address, last_used_agent,
    case when previous_until > instant() then previous_until end as previous_secret_valid_until`)

  /** Reads and locks the row, so that decisions based on it are valid until the commit. */
  const find = (accountId: AccountId, tokenId: AccessTokenId, lock: "share" | "no key update") =>
    Effect.map(
      sql<TokenRow>`
        select label, scopes, address_ranges as "addressRanges", calls_per_minute as "callsPerMinute",
          expires_at as "expiresAt", confirmation, member_id as "memberId", resource is not null as "isOfProgram",
          revoked_at is not null or coalesce(expires_at <= instant(), false) as "isEnded"
        from access_token where account_id = ${accountId} and access_token_id = ${tokenId}
        for ${sql.literal(lock)}`.pipe(fromSql()),
      (rows) => Option.fromNullable(rows[0])
    )

  /** Programs that were let in with a token end no later than the token. */
  const endPrograms = (accountId: AccountId, tokenId: AccessTokenId, end: Timestamp) =>
    sql`
      update access_token set expires_at = least(expires_at, ${end}::timestamptz)
      where account_id = ${accountId} and maker_token_id = ${tokenId} and made_by = 'consent'
        and revoked_at is null`.pipe(fromSql())

  return { endPrograms, find, prefix, sql, view }
})
type TokenRows = Effect.Effect.Success<typeof makeTokenRows>

const makeAuthorities = ({ find }: TokenRows) => {
  /** Reads the limits that the caller's token passes on. */
  const ofCaller = Effect.gen(function* () {
    const { accountId, tokenId } = yield* Caller
    if (tokenId === undefined) return unlimited
    const row = yield* find(accountId, tokenId, "share")
    return Option.isNone(row) || row.value.isEnded ? yield* tokenEnded : row.value
  })

  /** Reads a token, if the caller may change it. */
  const changeable = Effect.fnUntraced(function* (tokenId: AccessTokenId) {
    const { accountId } = yield* Caller
    const row = yield* find(accountId, tokenId, "no key update")
    if (Option.isNone(row)) return yield* notFound("access token", "token_id", tokenId)
    const caller = yield* ofCaller
    if (row.value.isOfProgram) return yield* programToken
    if (row.value.isEnded) return yield* tokenEnded
    if (!isWithinAuthority(row.value, caller)) return yield* tokenExceedsCaller
    return { caller, token: row.value }
  })

  return { ofCaller, changeable }
}

const makeChanges = (
  { endPrograms, prefix, sql, view }: TokenRows,
  { changeable, ofCaller }: ReturnType<typeof makeAuthorities>
) => ({
  update: Effect.fn("ManagedTokens.update")(function* (
    tokenId: AccessTokenId,
    label: string | undefined,
    limits: TokenLimits
  ) {
    const { accountId } = yield* Caller
    const fault = limitsFault(limits, yield* KnownScopes, yield* now)
    if (fault !== undefined) return yield* fault
    const { caller, token } = yield* changeable(tokenId)
    const next = limited(token, limits)
    if (!isWithinAuthority(next, caller)) return yield* tokenExceedsCaller
    const rows = yield* sql<ManagedTokenView>`
      update access_token set label = ${label ?? token.label}, scopes = ${textArray(next.scopes)}::text[],
        address_ranges = ${textArray(next.addressRanges)}::text[], calls_per_minute = ${next.callsPerMinute},
        expires_at = ${next.expiresAt}, confirmation = ${next.confirmation}
      where account_id = ${accountId} and access_token_id = ${tokenId}
      returning ${view}`.pipe(fromSql())
    if (limits.expiresAt !== undefined) yield* endPrograms(accountId, tokenId, limits.expiresAt)
    return single(rows)
  }),

  rotate: Effect.fn("ManagedTokens.rotate")(function* (tokenId: AccessTokenId, overlapSeconds: number) {
    const { accountId } = yield* Caller
    yield* changeable(tokenId)
    const token = makeToken(randomBytes, prefix)
    const rows = yield* sql<ManagedTokenView>`
      update access_token set token_hash = ${tokenDigest(token)},
        previous_hash = case when ${overlapSeconds}::integer > 0 then token_hash end,
        previous_until = case when ${overlapSeconds}::integer > 0
          then instant() + make_interval(secs => ${overlapSeconds}::integer) end
      where account_id = ${accountId} and access_token_id = ${tokenId}
      returning ${view}`.pipe(fromSql())
    return { view: single(rows), token }
  }),

  adopt: Effect.fn("ManagedTokens.adopt")(function* (tokenId: AccessTokenId) {
    const { accountId } = yield* Caller
    if ((yield* ofCaller).memberId !== null) return yield* ownerNeeded
    yield* changeable(tokenId)
    const rows = yield* sql<ManagedTokenView>`
      update access_token set member_id = null
      where account_id = ${accountId} and access_token_id = ${tokenId}
      returning ${view}`.pipe(fromSql())
    return single(rows)
  })
})

const make = Effect.gen(function* () {
  const rows = yield* makeTokenRows
  const { prefix, sql, view } = rows
  const tokens = yield* AccessTokens
  const unit = yield* UnitOfWork
  const authorities = makeAuthorities(rows)

  const create = Effect.fn("ManagedTokens.create")(function* (label: string | undefined, limits: TokenLimits) {
    const { accountId } = yield* Caller
    const fault = limitsFault(limits, yield* KnownScopes, yield* now)
    if (fault !== undefined) return yield* fault
    const caller = yield* authorities.ofCaller
    const next = limited(caller, limits)
    if (!isWithinAuthority(next, caller)) return yield* tokenExceedsCaller
    const newToken = yield* tokens.generate({
      label,
      expiresAt: Option.fromNullable(next.expiresAt),
      confirmation: next.confirmation,
      ...(next.scopes === null ? {} : { bounds: { scopes: next.scopes } }),
      ...(next.addressRanges === null ? {} : { addressRanges: next.addressRanges }),
      ...(next.callsPerMinute === null ? {} : { callsPerMinute: next.callsPerMinute })
    })
    const views = yield* sql<ManagedTokenView>`
      select ${view} from access_token where account_id = ${accountId} and access_token_id = ${newToken.view.token_id}`.pipe(
      fromSql()
    )
    return { view: single(views), token: newToken.token }
  })

  const list = Effect.gen(function* () {
    const { accountId } = yield* Caller
    return yield* listedTokens<ManagedTokenView>(sql, accountId, view)
  }).pipe(Effect.withSpan("ManagedTokens.list"))

  const revokeSecret = Effect.fn("ManagedTokens.revokeSecret")(function* (secret: string) {
    if (!isWellFormedToken(secret, prefix)) return false
    const hash = tokenDigest(secret)
    return yield* unit.write(
      Effect.gen(function* () {
        const [holder] = yield* sql<{ readonly accountId: AccountId; readonly tokenId: AccessTokenId }>`
          select account_id as "accountId", access_token_id as "tokenId" from access_token
          where token_hash = ${hash} or (previous_hash = ${hash} and previous_until > instant())`.pipe(fromSql())
        if (holder === undefined) return false
        yield* tokens.revoke(holder.tokenId).pipe(
          Effect.provideService(Caller, Caller.forTask(holder.accountId, "paid", "revoke")),
          Effect.catchTag("NotFound", () => Effect.void)
        )
        return true
      })
    )
  })

  return ManagedTokens.of({ create, list, ...makeChanges(rows, authorities), revokeSecret })
})

/** The tokens that owners manage, stored in the database. */
export const ManagedTokensPostgres = Layer.effect(ManagedTokens, make)
