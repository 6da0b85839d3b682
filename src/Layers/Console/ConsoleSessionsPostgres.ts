import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Schedule } from "effect"
import { type Transient, Unauthorized } from "../../Errors.ts"
import type { AccessTokenId, AccountId } from "../../Services/Accounts/Ids.ts"
import { TokenPrefix, testKeyOfPrefix } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { AccessTokens, type TokenHolder, type TokenUse } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import type { Confirmation } from "../../Services/Accounts/Tokens/TokenBounds.ts"
import {
  ConsoleSessions,
  idleSeconds,
  SessionTime,
  sessionSeconds,
  sessionsPerToken
} from "../../Services/Console/ConsoleSessions.ts"
import { accountOfKey, keyDigest, makeSessionKey } from "../../Services/Console/SessionKey.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { now, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { MemberId } from "../../Services/Members/Ids.ts"
import { makeLookupBatcher } from "../Platform/Postgres/grouped/LookupBatcher.ts"
import { fromSql, instantOf } from "../Platform/Postgres/Sql.ts"

/** The interval at which the last calls of sessions are stored. A session may end this much too early. */
const writeCallsEvery = "20 seconds"

const ended = new Unauthorized({
  error: "The session of the console is not known or has ended.",
  howToFix: "Sign in again at /console."
})

interface Key {
  readonly accountId: AccountId
  readonly digest: Buffer
}

const nameOf = (accountId: AccountId, digest: Buffer): string => `${accountId} ${digest.toString("latin1")}`

interface SessionRow {
  readonly account_id: AccountId
  readonly session_hash: Buffer
  readonly token_hash: Buffer
}

interface ViewRow {
  readonly is_test: boolean
  readonly time_zone: string
  readonly token_id: AccessTokenId
  readonly label: string | null
  readonly scopes: ReadonlyArray<string> | null
  readonly confirmation: Confirmation
  readonly expires_at: Timestamp | null
  readonly started_at: Timestamp
  readonly ends_at: Timestamp
  readonly member_id: MemberId | null
  readonly member_name: string | null
}

const keyOf = (key: string): Key | undefined => {
  const accountId = accountOfKey(key)
  return accountId === undefined ? undefined : { accountId, digest: keyDigest(key) }
}

/** Returns the times by which sessions are still valid: those that began and were last used after them. */
const endingsAt = (time: () => number) => {
  const millis = time()
  return { startedAfter: millis - sessionSeconds * 1000, calledAfter: millis - idleSeconds * 1000 }
}

/** The most sessions in a statement of requests, and in one that checks open streams. */
const sessionsOfRequests = 100
const sessionsOfStreams = 2000

const makeLookUp = (maximumKeys: number) =>
  Effect.flatMap(SessionTime, (time) =>
    makeLookupBatcher({
      maximumKeys,
      accountOf: ({ accountId }: Key) => accountId,
      text: `
    select s.account_id, s.session_hash, s.token_hash from console_session s
    where s.account_id = any($1::bigint[]) and s.session_hash = any($2::bytea[])
      and s.started_at > $3::timestamptz and s.last_call_at > $4::timestamptz`,
      values: (keys) => {
        const { calledAfter, startedAfter } = endingsAt(time)
        return [
          keys.map(({ accountId }) => accountId),
          keys.map(({ digest }) => digest),
          new Date(startedAfter).toISOString(),
          new Date(calledAfter).toISOString()
        ]
      },
      found: (keys, rows: ReadonlyArray<SessionRow>) => {
        const tokenHashes = new Map(rows.map((row) => [nameOf(row.account_id, row.session_hash), row.token_hash]))
        return keys.map(({ accountId, digest }) => Option.fromNullable(tokenHashes.get(nameOf(accountId, digest))))
      }
    })
  )

/** Stores when sessions were last used. */
const makeCalls = Effect.gen(function* () {
  const sql = yield* SqlClient
  const time = yield* SessionTime
  const calls = new Map<string, Key & { readonly at: number }>()

  const write = Effect.suspend(() => {
    if (calls.size === 0) return Effect.void
    const batch = [...calls.values()].sort((a, b) => a.accountId - b.accountId)
    calls.clear()
    return sql`
      update console_session s set last_call_at = greatest(s.last_call_at, to_timestamp(c.at / 1000.0))
      from unnest(${batch.map(({ accountId }) => accountId)}::bigint[], ${batch.map(({ digest }) => digest)}::bytea[],
        ${batch.map(({ at }) => at)}::double precision[]) as c (account_id, session_hash, at)
      where s.account_id = c.account_id and s.session_hash = c.session_hash`.pipe(
      // If the database is unavailable, sessions cannot be used either. The next call stores its time.
      Effect.ignore
    )
  })
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, "2 seconds")))
  yield* Effect.forkScoped(Effect.repeat(write, Schedule.spaced(writeCallsEvery)))
  return {
    record: (key: Key): void => void calls.set(nameOf(key.accountId, key.digest), { ...key, at: time() })
  }
})

const makeChanges = Effect.map(
  Effect.all({ prefix: TokenPrefix, sql: SqlClient, time: SessionTime }),
  ({ prefix, sql, time }): Pick<ConsoleSessions["Type"], "open" | "close" | "view"> => ({
    open: Effect.fn("ConsoleSessions.open")(function* (accountId, tokenId, digest) {
      const key = makeSessionKey(accountId, testKeyOfPrefix(prefix), randomBytes)
      const { calledAfter, startedAfter } = endingsAt(time)
      const startedAt = instantOf(sql, time())
      // Each sign-in also deletes sessions of the account that ended, and the token's oldest beyond the limit.
      yield* sql`
        delete from console_session s where s.account_id = ${accountId} and (s.started_at <= ${instantOf(sql, startedAfter)}
          or s.last_call_at <= ${instantOf(sql, calledAfter)}
          or s.session_hash in (
            select o.session_hash from console_session o
            where o.account_id = ${accountId} and o.access_token_id = ${tokenId}
            order by o.started_at desc offset ${sessionsPerToken - 1}))`
      yield* sql`
        insert into console_session (account_id, session_hash, access_token_id, token_hash, started_at, last_call_at)
        values (${accountId}, ${keyDigest(key)}, ${tokenId}, ${digest}, ${startedAt}, ${startedAt})`
      return key
    }, fromSql()),

    close: Effect.fn("ConsoleSessions.close")(function* (key) {
      const session = keyOf(key)
      if (session === undefined) return
      yield* sql`
        delete from console_session where account_id = ${session.accountId} and session_hash = ${session.digest}`
    }, fromSql()),

    view: Effect.fn("ConsoleSessions.view")(function* (key) {
      const { accountId } = yield* Caller
      // Tokens of a test account expire by its clock, and sessions by the real one.
      const rows = yield* sql<ViewRow>`
        select a.clock is not null as is_test, a.time_zone, t.access_token_id as token_id, t.label, t.scopes, t.confirmation,
          t.expires_at, s.started_at,
          least(case when a.clock is null then t.expires_at end, shifted(s.started_at, ${`${sessionSeconds} seconds`}::interval)) as ends_at,
          m.member_id, m.name as member_name
        from console_session s
          join account a on a.account_id = s.account_id
          join access_token t on t.account_id = s.account_id and t.access_token_id = s.access_token_id
          left join member m on m.account_id = t.account_id and m.member_id = t.member_id
        where s.account_id = ${accountId} and s.session_hash = ${keyDigest(key)}`.pipe(fromSql())
      const [row] = rows
      if (row === undefined) return yield* Effect.fail(ended)
      const { confirmation, expires_at, is_test, label, member_id, member_name, scopes, token_id } = row
      return {
        is_test,
        now: yield* now,
        member: member_id === null ? null : { member_id, name: member_name ?? "" },
        time_zone: row.time_zone,
        token: { token_id, label, scopes, confirmation, expires_at },
        session: { started_at: row.started_at, ends_at: row.ends_at, idle_seconds: idleSeconds }
      }
    })
  })
)

interface OpenStream {
  readonly key: string
  readonly use: TokenUse
}

/** The streams whose sessions are of one token, at one client. */
interface SameToken {
  readonly tokenHash: Buffer
  readonly use: TokenUse
  readonly positions: Array<number>
}

/**
 * Returns for each stream whether its session has ended. A thousand open consoles are of a few tokens, and checking each session
 * by itself would take a noticeable part of a processor.
 */
const haveEnded = (
  streams: ReadonlyArray<OpenStream>,
  {
    lookUp,
    tokens
  }: { readonly lookUp: Effect.Effect.Success<ReturnType<typeof makeLookUp>>; readonly tokens: AccessTokens["Type"] }
): Effect.Effect<ReadonlyArray<boolean>, Transient> =>
  Effect.gen(function* () {
    const sessions = streams.map(({ key }) => keyOf(key))
    const hashes = yield* Effect.forEach(
      sessions,
      (session) => (session === undefined ? Effect.succeedNone : lookUp.get(session)),
      { concurrency: "unbounded" }
    )
    const byToken = new Map<string, SameToken>()
    for (const [position, hash] of hashes.entries()) {
      const use = streams[position]?.use
      if (Option.isNone(hash) || use === undefined) continue
      const name = `${hash.value.toString("latin1")} ${use.address} ${use.from}`
      const same = byToken.get(name)
      if (same === undefined) byToken.set(name, { tokenHash: hash.value, use, positions: [position] })
      else same.positions.push(position)
    }
    const hasEnded = streams.map(() => true)
    yield* Effect.forEach(
      byToken.values(),
      ({ positions, tokenHash, use }) =>
        tokens.authenticateDigest(tokenHash, use).pipe(
          Effect.map(({ accountId }) => {
            for (const position of positions) hasEnded[position] = sessions[position]?.accountId !== accountId
          }),
          Effect.catchTag("Unauthorized", () => Effect.void)
        ),
      { concurrency: "unbounded", discard: true }
    )
    return hasEnded
  })

const make = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  const lookUp = yield* makeLookUp(sessionsOfRequests)
  const lookUpStreams = yield* makeLookUp(sessionsOfStreams)
  const calls = yield* makeCalls

  const holderOf = (key: string, use: TokenUse | undefined, onHolder: (key: Key) => void) =>
    Effect.gen(function* (): Effect.fn.Return<TokenHolder, Unauthorized | Transient> {
      const session = keyOf(key)
      const tokenHash = session === undefined ? Option.none() : yield* lookUp.get(session)
      if (session === undefined || Option.isNone(tokenHash)) return yield* Effect.fail(ended)
      const holder = yield* tokens.authenticateDigest(tokenHash.value, use)
      if (holder.accountId !== session.accountId) return yield* Effect.fail(ended)
      onHolder(session)
      return holder
    })

  return ConsoleSessions.of({
    ...(yield* makeChanges),
    authenticate: (key, use) => holderOf(key, use, calls.record),
    haveEnded: (streams) => haveEnded(streams, { lookUp: lookUpStreams, tokens })
  })
})

/** Sessions in the database. */
export const ConsoleSessionsPostgres = Layer.scoped(ConsoleSessions, make)
