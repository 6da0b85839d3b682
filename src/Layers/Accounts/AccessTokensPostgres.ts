import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Exit, Layer, Option, Schedule } from "effect"
import { notFound, refused, Unauthorized } from "../../Errors.ts"
import { isWellFormedToken, makeToken } from "../../Services/Accounts/AccessTokenFormat.ts"
import {
  AccessTokens,
  type AccessTokenView,
  type EndedToken,
  mostTokens,
  type TokenHolder
} from "../../Services/Accounts/AccessTokens.ts"
import type { AccessTokenId, AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import { type Confirmation, isMadeFor, stricter } from "../../Services/Accounts/TokenBounds.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { MemberId } from "../../Services/Members/Ids.ts"
import { DatabasePools } from "../Platform/Postgres/Database.ts"
import { makeLookupBatcher } from "../Platform/Postgres/LookupBatcher.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const keyOf = (hash: Buffer): string => hash.toString("latin1")

const sha256 = (token: string): Buffer => digest("sha256", token, "buffer")

const unauthorized = (error: string, howToFix: string) => new Unauthorized({ error, howToFix })

const malformed = unauthorized(
  "The access token is malformed: it is not a token of this platform, or was copied incompletely.",
  "Send the whole token as it was shown when it was generated, or generate a new one."
)
const unknown = unauthorized(
  "The access token is not known here.",
  "Generate a new token in the account console, or with generate_mcp_token."
)
const revoked = unauthorized(
  "The access token was revoked.",
  "Generate a new token in the account console, or with generate_mcp_token and another token."
)
const expired = unauthorized(
  "The access token has expired.",
  "Generate a new token in the account console, or with generate_mcp_token and another token."
)
const madeForAnother = unauthorized(
  "The access token was made for another address.",
  "Use it at the address that it was asked for, or send a token from generate_mcp_token."
)

interface TokenRow {
  readonly hash: Buffer
  readonly account_id: AccountId
  readonly access_token_id: AccessTokenId
  readonly plan: Plan
  readonly is_revoked: boolean
  readonly is_expired: boolean
  readonly scopes: ReadonlyArray<string> | null
  readonly resource: string | null
  readonly confirmation: Confirmation
}

const mostHolders = 10_000

/** Of tokens those that were revoked or have expired are the oldest. */
const mostListed = 500

const holderOf = (row: TokenRow): TokenHolder => ({
  tokenId: row.access_token_id,
  accountId: row.account_id,
  plan: row.plan,
  ...(row.scopes === null || row.resource === null ? {} : { bounds: { scopes: row.scopes, resource: row.resource } }),
  ...(row.confirmation === "when_possible" ? {} : { confirmation: row.confirmation })
})

const mayBeUsedAt = ({ bounds }: TokenHolder, address: string | undefined): boolean =>
  bounds === undefined || (address !== undefined && isMadeFor(bounds.resource, address))

const tooManyTokens = refused(
  "too_many_tokens",
  `The account has ${mostTokens} access tokens that hold.`,
  "Revoke tokens that are not needed with revoke_mcp_token, and repeat the call.",
  { maximum: mostTokens }
)

const makeTokenServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* Effect.clock
  const { use } = yield* DatabasePools

  const rows = yield* makeLookupBatcher({
    maximumKeys: 100,
    text: `
      select t.token_hash as hash, t.account_id, t.access_token_id, a.plan,
        t.revoked_at is not null as is_revoked, coalesce(t.expires_at <= instant(), false) as is_expired,
        t.scopes, t.resource, t.confirmation
      from access_token t join account a using (account_id)
      where t.token_hash = any($1)`,
    // Calls that come at once have often the same token.
    values: (hashes: ReadonlyArray<Buffer>) => [[...new Map(hashes.map((hash) => [keyOf(hash), hash])).values()]],
    found: (hashes, rows: ReadonlyArray<TokenRow>) => {
      const found = new Map(rows.map((row) => [keyOf(row.hash), row]))
      return hashes.map((hash) => Option.fromNullable(found.get(keyOf(hash))))
    }
  })

  const view = sql.literal(`access_token_id as token_id, label, created_at, last_used_at, expires_at,
    revoked_at is not null as revoked, made_by, maker_token_id as made_by_token_id, member_id as made_by_member_id`)
  return { clock, rows, sql, use, view }
})
type TokenServices = Effect.Effect.Success<typeof makeTokenServices>

const makeHolders = ({ clock, sql, use }: TokenServices) => {
  // When each token was last used, in Unix milliseconds, until the next write-down.
  const uses = new Map<
    AccessTokenId,
    { readonly accountId: AccountId; readonly tokenId: AccessTokenId; readonly at: number }
  >()

  // By the hash of the token.
  const holders = new Map<string, TokenHolder>()

  const remember = (hash: Buffer, holder: TokenHolder): TokenHolder => {
    if (holders.size >= mostHolders) holders.clear()
    holders.set(keyOf(hash), holder)
    return holder
  }

  const holderIn = (found: Option.Option<TokenRow>, hash: Buffer): Either.Either<TokenHolder, Unauthorized> => {
    if (Option.isNone(found) || !timingSafeEqual(found.value.hash, hash)) return Either.left(unknown)
    const row = found.value
    if (row.is_revoked) return Either.left(revoked)
    if (row.is_expired) return Either.left(expired)
    return Either.right(holderOf(row))
  }

  /** Who holds the token that was looked up; the use is noted. */
  const judge = (
    found: Option.Option<TokenRow>,
    hash: Buffer,
    address: string | undefined
  ): Either.Either<TokenHolder, Unauthorized> => {
    const holder = holderIn(found, hash)
    if (Either.isLeft(holder)) holders.delete(keyOf(hash))
    else if (!mayBeUsedAt(holder.right, address)) return Either.left(madeForAnother)
    else {
      const { accountId, tokenId } = remember(hash, holder.right)
      use.recordCall(accountId)
      uses.set(tokenId, { accountId, tokenId, at: clock.unsafeCurrentTimeMillis() })
    }
    return holder
  }

  const writeUses = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const batch = [...uses.values()]
    uses.clear()
    return sql`
      update access_token t set last_used_at = greatest(t.last_used_at, to_timestamp(u.at / 1000.0))
      from unnest(${batch.map((use) => use.accountId)}::bigint[], ${batch.map((use) => use.tokenId)}::bigint[],
        ${batch.map((use) => use.at)}::double precision[]) as u (account_id, access_token_id, at)
      where t.account_id = u.account_id and t.access_token_id = u.access_token_id`.pipe(
      Effect.catchAll(() =>
        Effect.sync(() => {
          // The database is away: these uses wait for the next write-down, unless newer ones came in the meantime.
          for (const use of batch) if (!uses.has(use.tokenId)) uses.set(use.tokenId, use)
        })
      )
    )
  })

  return { holders, holderIn, judge, writeUses }
}
type Holders = ReturnType<typeof makeHolders>

const authentication = (
  { rows }: TokenServices,
  { holderIn, holders, judge }: Holders
): Pick<typeof AccessTokens.Service, "authenticate" | "boundHolder" | "authenticateThen"> => ({
  authenticate: (token, address) => {
    if (!isWellFormedToken(token)) return Effect.fail(malformed)
    const hash = sha256(token)
    return Effect.flatMap(rows.get(hash), (found) => judge(found, hash, address))
  },

  boundHolder: (token) => {
    if (!isWellFormedToken(token)) return Effect.succeedNone
    const hash = sha256(token)
    return Effect.map(rows.get(hash), (found) =>
      Option.filter(Either.getRight(holderIn(found, hash)), ({ bounds }) => bounds !== undefined)
    )
  },

  authenticateThen: (token, then, address) => {
    if (!isWellFormedToken(token)) {
      then(Exit.fail(malformed))
      return undefined
    }
    const hash = sha256(token)
    rows.ask(hash, (exit) => then(Exit.flatMap(exit, (found) => Exit.fromEither(judge(found, hash, address)))))
    const known = holders.get(keyOf(hash))
    return known === undefined || !mayBeUsedAt(known, address) ? undefined : known
  }
})

const makerEnded = refused(
  "token_ended",
  "The token that makes another one has ended.",
  "Repeat the call with a token that is valid."
)

interface MakerRow {
  readonly confirmation: Confirmation
  readonly expiresAt: Timestamp | null
  readonly memberId: MemberId | null
  readonly scopes: ReadonlyArray<string> | null
  readonly resource: string | null
}

/** A token that the operator or an owner made sets no limits. */
const noMaker: MakerRow = {
  confirmation: "when_possible",
  expiresAt: null,
  memberId: null,
  scopes: null,
  resource: null
}

const earliest = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && other < one) ? other : one

const makeMakers = ({ sql }: TokenServices) => {
  /** What the token passes on; none where it has ended. Its revocation waits until the new token is saved. */
  const find = (accountId: AccountId, tokenId: AccessTokenId) =>
    Effect.map(
      sql<MakerRow>`
        select confirmation, expires_at as "expiresAt", member_id as "memberId", scopes, resource from access_token
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
  { sql, view }: TokenServices,
  { find, inherited }: ReturnType<typeof makeMakers>
): Pick<typeof AccessTokens.Service, "generate" | "inheritance" | "renew" | "setConfirmation" | "list"> => ({
  generate: Effect.fn("AccessTokens.generate")(function* ({
    bounds,
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
    const token = makeToken(randomBytes)
    const scopes = from.scopes ?? (bounds === undefined ? null : [...bounds.scopes])
    const rows = yield* sql<AccessTokenView>`
      insert into access_token (account_id, label, token_hash, expires_at, scopes, resource, confirmation, made_by,
        maker_token_id, member_id)
      values (${accountId}, ${label ?? null}, ${sha256(token)},
        ${earliest(Option.getOrNull(expiresAt), from.expiresAt)}, ${scopes === null ? null : [...scopes]}::text[],
        ${from.resource ?? bounds?.resource ?? null}, ${stricter(from.confirmation, confirmation)},
        ${maker?.by ?? (makerId === undefined ? "operator" : "token")}, ${makerId ?? null},
        ${maker?.by === "member" ? maker.memberId : from.memberId})
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
    const token = makeToken(randomBytes)
    const rows = yield* sql<AccessTokenView>`
      update access_token set token_hash = ${sha256(token)}, expires_at = ${expiresAt}
      where account_id = ${accountId} and access_token_id = ${tokenId} and revoked_at is null
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
    return yield* sql<AccessTokenView>`
      select * from (
        select ${view} from access_token where account_id = ${accountId}
        order by revoked_at is null and (expires_at is null or expires_at > instant()) desc, access_token_id desc
        limit ${mostListed}
      ) newest order by token_id`.pipe(fromSql())
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
    // Twice: one that a token was making is seen after the first statement, which waited for it.
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
  const holders = makeHolders(services)
  const { writeUses } = holders
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(writeUses, "2 seconds")))
  yield* Effect.forkScoped(Effect.repeat(writeUses, Schedule.spaced("20 seconds")))
  return AccessTokens.of({
    ...authentication(services, holders),
    ...tokenRecords(services, makeMakers(services)),
    ...tokenEnds(services)
  })
})

export const AccessTokensPostgres = Layer.scoped(AccessTokens, make)
