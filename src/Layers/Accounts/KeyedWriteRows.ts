import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Redacted } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  fingerprintOf,
  type KeptAnswer,
  keptAnswer,
  keyLifetime,
  storedAnswer
} from "../../Services/Accounts/KeyedWrites.ts"
import type { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { DecodedCall } from "../../Services/Core/Calls/CallMode.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { sentWithCommit, sentWithNext } from "../Platform/Postgres/statements/JoinedCommands.ts"
import type { Sealing } from "../Platform/Sealing.ts"

/**
 * The longest time of a call in milliseconds. The database ends long statements, and requests to outside services have
 * time-outs.
 */
const longestCall = 5 * 60_000

/** The state of an idempotency key. */
export type KeyState =
  /** No call used the key. */
  | { readonly _tag: "Free" }
  /** The same call was made and answered. */
  | { readonly _tag: "Answered"; readonly answer: KeptAnswer }
  /** The same call is running, here or in another process. */
  | { readonly _tag: "Running" }
  /** The same call started, but its process stopped before the answer was stored. */
  | { readonly _tag: "Lost" }
  /** A different call used the key. */
  | { readonly _tag: "Reused" }

type Marks = readonly [Buffer, ...ReadonlyArray<Buffer>]

/** The row of one call. */
export interface KeyRow {
  readonly accountId: AccountId
  /** Times in ISO 8601. */
  readonly begunAt: string
  /** The time after which rows of the key are alive. */
  readonly aliveAfter: string
  /** The time before which a call that has no answer was lost. */
  readonly lostBefore: string
  /** Days on which another call with the key that is running now may have begun, by a clock that differs a little. */
  readonly daysOfConcurrentCalls: readonly [string, string]
  /** HMACs of the key and of the call, with the newest sealing key first. */
  readonly keyMarks: Marks
  readonly callMarks: Marks
  readonly seal: (answer: KeptAnswer) => Uint8Array
  readonly open: (sealed: Uint8Array) => Option.Option<KeptAnswer>
}

const nonEmpty = ([first, ...others]: ReadonlyArray<Buffer>): Marks => {
  if (first === undefined) throw new Error("There is no key that seals.")
  return [first, ...others]
}

const timeOf = (millis: number): string => new Date(millis).toISOString()
const dayOf = (time: string): string => time.slice(0, 10)

export const rowOf = (
  sealing: Sealing["Type"],
  { accountId, tokenId }: Caller["Type"],
  key: string,
  { answersSecret, args, tool }: DecodedCall,
  at: number
): KeyRow => {
  const phrase = sealing.withPhrase(`${accountId} ${key}`)
  const owner = `keyed_write:${accountId}`
  return {
    accountId,
    begunAt: timeOf(at),
    aliveAfter: timeOf(at - keyLifetime),
    lostBefore: timeOf(at - longestCall),
    daysOfConcurrentCalls: [dayOf(timeOf(at - 2 * longestCall)), dayOf(timeOf(at + 2 * longestCall))],
    keyMarks: nonEmpty(sealing.marksOf(`${accountId} ${key}`)),
    // Another token of the account may be limited more, and must not get the secret of a token that this one made.
    callMarks: nonEmpty(
      sealing.marksOf(`${accountId} ${answersSecret ? `${tokenId} ` : ""}${fingerprintOf(tool, args)}`)
    ),
    seal: (answer) => phrase.seal(Redacted.make(storedAnswer(answer)), owner),
    open: (sealed) => Option.flatMap(phrase.open(sealed, owner), (text) => keptAnswer(Redacted.value(text)))
  }
}

interface FoundRow {
  readonly isLocked: boolean
  readonly isSame: boolean | null
  readonly isRunning: boolean | null
  readonly isOld: boolean | null
  readonly answer: Uint8Array | null
}

const stateOf = ({ answer, isLocked, isOld, isRunning, isSame }: FoundRow, { open }: KeyRow): KeyState => {
  if (isSame === false) return { _tag: "Reused" }
  if (isSame === null) return { _tag: isLocked ? "Free" : "Running" }
  if (answer === null) return { _tag: isRunning === true && isOld === false ? "Running" : "Lost" }
  return Option.match(open(answer), {
    onNone: (): KeyState => ({ _tag: "Lost" }),
    onSome: (answer): KeyState => ({ _tag: "Answered", answer })
  })
}

const columns = "account_id, key_mark, begun_on, begun_at, call_mark, is_running, answer"

/**
 * The condition of the rows of `$1` with one of the marks `$2` that are alive. The days `$3` and `$5` let the planner leave out
 * partitions.
 */
const alive = `account_id = $1::bigint and key_mark = any($2::bytea[]) and begun_on >= $3::date and begun_at > $4::timestamptz
  and begun_on <= $5::date`

const aliveValues = ({ accountId, aliveAfter, daysOfConcurrentCalls: [, lastDay], keyMarks }: KeyRow) => [
  accountId,
  `{${keyMarks.map((mark) => `"\\\\x${mark.toString("hex")}"`).join(",")}}`,
  dayOf(aliveAfter),
  aliveAfter,
  lastDay
]

const claimStatement = `${sentWithNext} select where case
  when pg_try_advisory_xact_lock($6::bigint) and not exists (select from keyed_write where ${alive}) then false
  else refuse_taken_idempotency_key() end`

/** The commit of the current transaction does not wait for the disk. */
const delayed = "set_config('synchronous_commit', 'off', true)"

export type Durability = "at once" | "with the next commit"

const lookStatement = (durability: Durability): string => `
  select ${durability === "at once" ? "" : `${delayed} as delayed,`} pg_try_advisory_xact_lock($6::bigint) as "isLocked",
    bool_and(call_mark = any($7::bytea[])) as "isSame", bool_or(is_running) as "isRunning",
    bool_and(begun_at < $8::timestamptz) as "isOld", (array_agg(answer))[1] as answer
  from keyed_write where ${alive}`

const insertIfFree = `
  with new_row as materialized (
    select $1::bigint as account_id, $6::bytea as key_mark, $7::date as begun_on, $8::timestamptz as begun_at,
      $9::bytea as call_mark, $10::boolean as is_running, $11::bytea as answer
    where not exists (select from keyed_write where ${alive})
  )
  insert into keyed_write (${columns}) select ${columns} from new_row on conflict do nothing returning key_mark`

const insertLast = `${sentWithCommit} insert into keyed_write (${columns})
  values ($1::bigint, $2::bytea, $3::date, $4::timestamptz, $5::bytea, false, $6::bytea)`

const insertLastIfFree = `${sentWithCommit} insert into keyed_write (${columns})
  values ($1::bigint, case when exists (select from keyed_write where ${alive}) then null else $6::bytea end,
    $7::date, $8::timestamptz, $9::bytea, false, $10::bytea)`

/**
 * True if the primary key of the table refuses the row of any other call that ran at the same time: it has the same mark and
 * the same day.
 */
const isUniqueByKey = ({ daysOfConcurrentCalls: [first, last], keyMarks }: KeyRow): boolean =>
  first === last && keyMarks.length === 1

const lockNumber = ({ keyMarks: [newest] }: KeyRow): string => newest.readBigInt64BE(0).toString()

/** The mark, the day, the time and the call of the row. */
const identity = ({ begunAt, callMarks: [callMark], keyMarks: [keyMark] }: KeyRow) => [
  keyMark,
  dayOf(begunAt),
  begunAt,
  callMark
]

/** The statements on the rows of idempotency keys. */
export const makeKeyRows = Effect.map(SqlClient, (sql) => {
  const ownRow = (row: KeyRow) =>
    sql`account_id = ${row.accountId} and key_mark = ${row.keyMarks[0]} and begun_on = ${dayOf(row.begunAt)}::date`

  return {
    /**
     * Locks a key that is probably free for the transaction that will use it. Fails the transaction if it is not free. It is
     * sent with the first statement of the work, which the server then skips.
     */
    claim: (row: KeyRow) => sql.unsafe(claimStatement, [...aliveValues(row), lockNumber(row)]).pipe(fromSql()),

    /**
     * Looks a key up within a transaction, and locks it for that transaction. The lock says at once that the same key is in
     * use elsewhere, where the unique key would wait. Without the lock nothing is done.
     *
     * The log of the database is written in order, so a row that is durable with the next commit is so before whatever the
     * work commits after it. The commit then does not wait for the disk.
     */
    look: (row: KeyRow, durability: Durability = "at once") =>
      sql
        .unsafe<FoundRow>(lookStatement(durability), [
          ...aliveValues(row),
          lockNumber(row),
          [...row.callMarks],
          row.lostBefore
        ])
        .pipe(
          Effect.map((rows) => stateOf(single(rows), row)),
          fromSql()
        ),

    /** Stores the row, unless the key has one. Returns whether it did. */
    insert: (row: KeyRow, answer: KeptAnswer | undefined) =>
      sql
        .unsafe(insertIfFree, [
          ...aliveValues(row),
          ...identity(row),
          answer === undefined,
          answer === undefined ? null : row.seal(answer)
        ])
        .pipe(
          Effect.map((rows) => rows.length > 0),
          fromSql()
        ),

    /**
     * Stores the row as the last statement of its transaction. The commit fails where the key has a row: the primary key
     * refuses a second one of the day, and the column of the key's mark takes no null.
     */
    insertWithCommit: (row: KeyRow, answer: KeptAnswer) =>
      (isUniqueByKey(row)
        ? sql.unsafe(insertLast, [row.accountId, ...identity(row), row.seal(answer)])
        : sql.unsafe(insertLastIfFree, [...aliveValues(row), ...identity(row), row.seal(answer)])
      ).pipe(fromSql()),

    /**
     * Stores how a call ended that was stored as started. Without an answer its outcome is unknown, as it is if the machine of
     * the database stops within a second after this.
     */
    end: (row: KeyRow, answer: KeptAnswer | undefined) =>
      sql`with setting as materialized (select ${sql.literal(delayed)})
        update keyed_write set is_running = false, answer = ${answer === undefined ? null : row.seal(answer)}
        from setting where ${ownRow(row)}`.pipe(fromSql()),

    /** The call did nothing: its key is free again. */
    release: (row: KeyRow) => sql`delete from keyed_write where ${ownRow(row)}`.pipe(fromSql())
  }
})
