import { timingSafeEqual } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Either, Exit, Option, Schedule } from "effect"
import { Unauthorized } from "../../../Errors.ts"
import type { AccessTokenId, AccountId, Plan } from "../../../Services/Accounts/Ids.ts"
import { isWellFormedToken, TokenPrefix, tokenDigest } from "../../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import type { AccessTokens, TokenHolder, TokenUse } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { type Confirmation, isMadeFor } from "../../../Services/Accounts/Tokens/TokenBounds.ts"
import { addressList } from "../../../Services/Core/Outside/Networks.ts"
import { DatabasePools } from "../../Platform/Postgres/Database.ts"
import { makeLookupBatcher } from "../../Platform/Postgres/grouped/LookupBatcher.ts"

const keyOf = (hash: Buffer): string => hash.toString("latin1")

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
const usedFromElsewhere = unauthorized(
  "The access token may not be used from this network address.",
  "Use it from an address that it was made for, or ask the owner to change its address_ranges."
)

interface TokenRow {
  readonly hash: Buffer
  /** The hash of the secret before the last rotation, while that secret is valid. */
  readonly previous_hash: Buffer | null
  readonly account_id: AccountId
  readonly access_token_id: AccessTokenId
  readonly plan: Plan
  readonly is_revoked: boolean
  readonly is_expired: boolean
  readonly scopes: ReadonlyArray<string> | null
  readonly resource: string | null
  readonly confirmation: Confirmation
  readonly calls_per_minute: number | null
  readonly address_ranges: ReadonlyArray<string> | null
}

const mostHolders = 10_000

const holderOf = (row: TokenRow): TokenHolder => ({
  tokenId: row.access_token_id,
  accountId: row.account_id,
  plan: row.plan,
  ...(row.scopes === null
    ? {}
    : { bounds: { scopes: row.scopes, ...(row.resource === null ? {} : { resource: row.resource }) } }),
  ...(row.confirmation === "when_possible" ? {} : { confirmation: row.confirmation }),
  ...(row.calls_per_minute === null ? {} : { callsPerMinute: row.calls_per_minute }),
  ...(row.address_ranges === null ? {} : { addressRanges: row.address_ranges })
})

/** Returns why the token may not be used here; undefined if it may. */
const misuseOf = ({ addressRanges, bounds }: TokenHolder, { address, from }: TokenUse): Unauthorized | undefined => {
  if (bounds !== undefined) {
    if (address === undefined) return madeForAnother
    if (bounds.resource !== undefined && !isMadeFor(bounds.resource, address)) return madeForAnother
  }
  if (addressRanges === undefined) return undefined
  return from !== undefined && addressList(addressRanges)(from) ? undefined : usedFromElsewhere
}

/** The most characters of a client's name that are stored. */
const longestUserAgent = 200

const makeLookup = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* Effect.clock
  const { use } = yield* DatabasePools

  const rows = yield* makeLookupBatcher({
    maximumKeys: 100,
    text: `
      select t.token_hash as hash, case when t.previous_until > instant() then t.previous_hash end as previous_hash,
        t.account_id, t.access_token_id, a.plan, t.calls_per_minute, t.address_ranges,
        t.revoked_at is not null as is_revoked, coalesce(t.expires_at <= instant(), false) as is_expired,
        t.scopes, t.resource, t.confirmation
      from access_token t join account a using (account_id)
      where t.token_hash = any($1) or t.previous_hash = any($1)`,
    // Concurrent calls often have the same token, so each hash is looked up once.
    values: (hashes: ReadonlyArray<Buffer>) => [[...new Map(hashes.map((hash) => [keyOf(hash), hash])).values()]],
    found: (hashes, rows: ReadonlyArray<TokenRow>) => {
      const rowByHash = new Map<string, TokenRow>()
      for (const row of rows) {
        rowByHash.set(keyOf(row.hash), row)
        if (row.previous_hash !== null) rowByHash.set(keyOf(row.previous_hash), { ...row, hash: row.previous_hash })
      }
      return hashes.map((hash) => Option.fromNullable(rowByHash.get(keyOf(hash))))
    }
  })

  return { clock, prefix: yield* TokenPrefix, rows, sql, use }
})
type Lookup = Effect.Effect.Success<typeof makeLookup>

const makeHolders = ({ clock, sql, use }: Lookup) => {
  // The last use of each token, in Unix milliseconds, until it is written to the database.
  const uses = new Map<
    AccessTokenId,
    {
      readonly accountId: AccountId
      readonly tokenId: AccessTokenId
      readonly at: number
      readonly from: string | null
      readonly userAgent: string | null
    }
  >()

  // The cached holders, by the hash of the token.
  const holders = new Map<string, TokenHolder>()

  const remember = (hash: Buffer, holder: TokenHolder): TokenHolder => {
    if (holders.size >= mostHolders) holders.clear()
    holders.set(keyOf(hash), holder)
    return holder
  }

  const holderIn = (match: Option.Option<TokenRow>, hash: Buffer): Either.Either<TokenHolder, Unauthorized> => {
    if (Option.isNone(match) || !timingSafeEqual(match.value.hash, hash)) return Either.left(unknown)
    const row = match.value
    if (row.is_revoked) return Either.left(revoked)
    if (row.is_expired) return Either.left(expired)
    return Either.right(holderOf(row))
  }

  /** Returns the holder of the token that was looked up, and records the use. */
  const judge = (
    match: Option.Option<TokenRow>,
    hash: Buffer,
    tokenUse: TokenUse
  ): Either.Either<TokenHolder, Unauthorized> => {
    const holder = holderIn(match, hash)
    if (Either.isLeft(holder)) {
      holders.delete(keyOf(hash))
      return holder
    }
    const misuse = misuseOf(holder.right, tokenUse)
    if (misuse !== undefined) return Either.left(misuse)
    const { accountId, tokenId } = remember(hash, holder.right)
    use.recordCall(accountId)
    uses.set(tokenId, {
      accountId,
      tokenId,
      at: clock.unsafeCurrentTimeMillis(),
      from: tokenUse.from ?? null,
      userAgent: tokenUse.userAgent?.slice(0, longestUserAgent) ?? null
    })
    return holder
  }

  const writeUses = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const batch = [...uses.values()]
    uses.clear()
    return sql`
      update access_token t set last_used_at = greatest(t.last_used_at, to_timestamp(u.at / 1000.0)),
        last_used_address = coalesce(u.address, t.last_used_address), last_used_agent = coalesce(u.agent, t.last_used_agent)
      from unnest(${batch.map((use) => use.accountId)}::bigint[], ${batch.map((use) => use.tokenId)}::bigint[],
        ${batch.map((use) => use.at)}::double precision[], ${batch.map((use) => use.from)}::text[],
        ${batch.map((use) => use.userAgent)}::text[]) as u (account_id, access_token_id, at, address, agent)
      where t.account_id = u.account_id and t.access_token_id = u.access_token_id`.pipe(
      Effect.catchAll(() =>
        Effect.sync(() => {
          // The database is unavailable. These uses are written the next time, unless newer ones arrived since.
          for (const use of batch) if (!uses.has(use.tokenId)) uses.set(use.tokenId, use)
        })
      )
    )
  })

  return { holders, holderIn, judge, writeUses }
}
type Holders = ReturnType<typeof makeHolders>

const authentication = (
  { prefix, rows }: Lookup,
  { holderIn, holders, judge }: Holders
): Pick<AccessTokens["Type"], "authenticate" | "authenticateDigest" | "boundHolder" | "authenticateThen"> => ({
  authenticate: (token, tokenUse = {}) => {
    if (!isWellFormedToken(token, prefix)) return Effect.fail(malformed)
    const hash = tokenDigest(token)
    return Effect.flatMap(rows.get(hash), (match) => judge(match, hash, tokenUse))
  },

  authenticateDigest: (digest, tokenUse = {}) =>
    Effect.flatMap(rows.get(digest), (match) => judge(match, digest, tokenUse)),

  boundHolder: (token) => {
    if (!isWellFormedToken(token, prefix)) return Effect.succeedNone
    const hash = tokenDigest(token)
    return Effect.map(rows.get(hash), (match) =>
      Option.filter(Either.getRight(holderIn(match, hash)), ({ bounds }) => bounds?.resource !== undefined)
    )
  },

  authenticateThen: (token, then, tokenUse = {}) => {
    if (!isWellFormedToken(token, prefix)) {
      then(Exit.fail(malformed))
      return undefined
    }
    const hash = tokenDigest(token)
    rows.ask(hash, (exit) => then(Exit.flatMap(exit, (match) => Exit.fromEither(judge(match, hash, tokenUse)))))
    const lastHolder = holders.get(keyOf(hash))
    return lastHolder === undefined || misuseOf(lastHolder, tokenUse) !== undefined ? undefined : lastHolder
  }
})

/** Makes the authentication of tokens. Uses are written every few seconds. */
export const makeAuthentication = Effect.gen(function* () {
  const lookup = yield* makeLookup
  const holders = makeHolders(lookup)
  const { writeUses } = holders
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(writeUses, "2 seconds")))
  yield* Effect.forkScoped(Effect.repeat(writeUses, Schedule.spaced("20 seconds")))
  return authentication(lookup, holders)
})
