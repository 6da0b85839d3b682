import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Clock, Data, Effect, Exit, Layer, Option, Predicate, Redacted, Schedule } from "effect"
import { keyedOutcomeUnknown, type RequestRefused, type ToolError } from "../../Errors.ts"
import { idempotencyKeyInUse, idempotencyKeyReused } from "../../Services/Accounts/IdempotencyKey.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  fingerprintOf,
  isDatabaseTrouble,
  isKept,
  type KeptAnswer,
  KeyedWrites,
  keptAnswer,
  keyLifetime,
  storedAnswer
} from "../../Services/Accounts/KeyedWrites.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import type { CallMode, DecodedCall } from "../../Services/Core/CallMode.ts"
import { readingOwnChanges } from "../../Services/Core/OwnChanges.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { makeDayPartitions } from "../Platform/Postgres/DayPartitions.ts"
import { codeOf, fromSql, single } from "../Platform/Postgres/Sql.ts"
import { sentWithCommit } from "../Platform/Postgres/statements/JoinedCommands.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { uninterruptibleDaemon } from "../Platform/UninterruptibleDaemon.ts"

/**
 * The longest time of a call in milliseconds. The database ends long statements, and requests to outside services have
 * time-outs.
 */
const longestCall = 5 * 60_000

/** The state of an idempotency key. */
type KeyState =
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

/**
 * The work was not done, or was rolled back, because the key is not free. Without a state, the caller must look it up.
 */
class KeyTaken extends Data.TaggedError("KeyTaken")<{ readonly state: KeyState | undefined }> {}

/** The row of one call. */
interface KeyRow {
  readonly accountId: AccountId
  readonly begunAt: Date
  /** HMACs of the key and of the call, with the newest sealing key first. */
  readonly keyMarks: readonly [Buffer, ...ReadonlyArray<Buffer>]
  readonly callMarks: readonly [Buffer, ...ReadonlyArray<Buffer>]
  readonly seal: (answer: KeptAnswer) => Uint8Array
  readonly open: (sealed: Uint8Array) => Option.Option<KeptAnswer>
}

const violations: ReadonlySet<string | undefined> = new Set(["23502", "23505"])

/** True if the commit failed because the key already has a row: a null in its mark, or a second row of one day. */
const hasOtherRow = (defect: unknown): boolean =>
  defect instanceof SqlError &&
  violations.has(codeOf(defect.cause)) &&
  Predicate.hasProperty(defect.cause, "table") &&
  typeof defect.cause.table === "string" &&
  defect.cause.table.startsWith("keyed_write")

const nonEmpty = ([first, ...others]: ReadonlyArray<Buffer>): readonly [Buffer, ...ReadonlyArray<Buffer>] => {
  if (first === undefined) throw new Error("There is no key that seals.")
  return [first, ...others]
}

const rowOf = (
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
    begunAt: new Date(at),
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

const makeKeyRows = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** The commit of the current transaction does not wait for the disk. */
  const delayed = sql.literal("set_config('synchronous_commit', 'off', true)")

  const dayOf = ({ begunAt }: KeyRow): string => fromMillis(begunAt.getTime()).slice(0, 10)

  /** Rows of the key that are not too old. The days let the planner leave out partitions. */
  const liveRows = ({ accountId, begunAt, keyMarks }: KeyRow) => {
    const oldest = fromMillis(begunAt.getTime() - keyLifetime)
    return sql`account_id = ${accountId} and key_mark = any(${[...keyMarks]}::bytea[])
      and begun_on >= ${oldest.slice(0, 10)}::date and begun_at > ${oldest}::timestamptz`
  }

  /**
   * Looks a key up within the transaction that will use it, and locks it for that transaction. The lock says at once that
   * the same key is in use elsewhere, where the unique key would wait. Without the lock nothing is done.
   *
   * The log of the database is written in order, so a row that is durable with the next commit is so before whatever the work
   * commits after it. The commit then does not wait for the disk.
   */
  const look = (row: KeyRow, durability: "at once" | "with the next commit" = "at once") => {
    const number = row.keyMarks[0].readBigInt64BE(0).toString()
    const oldestRunning = fromMillis(row.begunAt.getTime() - longestCall)
    return sql<FoundRow>`
      select ${durability === "at once" ? sql`` : sql`${delayed} as delayed,`}
        pg_try_advisory_xact_lock(${number}::bigint) as "isLocked",
        bool_and(call_mark = any(${[...row.callMarks]}::bytea[])) as "isSame", bool_or(is_running) as "isRunning",
        bool_and(begun_at < ${oldestRunning}::timestamptz) as "isOld", (array_agg(answer))[1] as answer
      from keyed_write where ${liveRows(row)}`.pipe(
      Effect.map((rows) => stateOf(single(rows), row)),
      fromSql()
    )
  }

  /** Stores the row, unless the key has one. Returns whether it did. */
  const insert = (row: KeyRow, answer: KeptAnswer | undefined) =>
    sql`
      with new_row as materialized (
        select ${row.accountId}::bigint as account_id, ${row.keyMarks[0]}::bytea as key_mark,
          ${dayOf(row)}::date as begun_on, ${row.begunAt}::timestamptz as begun_at,
          ${row.callMarks[0]}::bytea as call_mark, ${answer === undefined}::boolean as is_running,
          ${answer === undefined ? null : row.seal(answer)}::bytea as answer
        where not exists (select from keyed_write where ${liveRows(row)})
      )
      insert into keyed_write (account_id, key_mark, begun_on, begun_at, call_mark, is_running, answer)
      select account_id, key_mark, begun_on, begun_at, call_mark, is_running, answer from new_row
      on conflict do nothing returning key_mark`.pipe(
      Effect.map((rows) => rows.length > 0),
      fromSql()
    )

  /**
   * Stores the row as the last statement of its transaction. The commit fails where the key has a row: the column of the key's mark
   * takes no null.
   */
  const insertWithCommit = (row: KeyRow, answer: KeptAnswer) =>
    sql`${sql.literal(sentWithCommit)} insert into keyed_write (account_id, key_mark, begun_on, begun_at, call_mark, is_running, answer)
      values (${row.accountId}::bigint,
        case when exists (select from keyed_write where ${liveRows(row)}) then null else ${row.keyMarks[0]}::bytea end,
        ${dayOf(row)}::date, ${row.begunAt}::timestamptz, ${row.callMarks[0]}::bytea, false,
        ${row.seal(answer)}::bytea)`.pipe(fromSql())

  const ownRow = (row: KeyRow) =>
    sql`account_id = ${row.accountId} and key_mark = ${row.keyMarks[0]} and begun_on = ${dayOf(row)}::date`

  return {
    look,
    insert,
    insertWithCommit,
    /**
     * Stores how a call ended that was stored as started. Without an answer its outcome is unknown, as it is if the machine of
     * the database stops within a second after this.
     */
    end: (row: KeyRow, answer: KeptAnswer | undefined) =>
      sql`with setting as materialized (select ${delayed})
        update keyed_write set is_running = false, answer = ${answer === undefined ? null : row.seal(answer)}
        from setting where ${ownRow(row)}`.pipe(fromSql()),
    /** The call did nothing: its key is free again. */
    release: (row: KeyRow) => sql`delete from keyed_write where ${ownRow(row)}`.pipe(fromSql())
  }
})
type KeyRows = Effect.Effect.Success<typeof makeKeyRows>

/** Attempts to store the end of a call that was done. The database may be away for a moment. */
const storeAttempts = Schedule.intersect(Schedule.recurs(3), Schedule.spaced("500 millis"))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const sealing = yield* Sealing
  const partitions = makeDayPartitions(sql, "keyed_write")
  const rows: KeyRows = yield* makeKeyRows

  const lookAgain = (row: KeyRow) => unit.write(rows.look(row))

  /** The answer is stored in the transaction of the write, so that both are done or neither is. */
  const inOneTransaction = <A, R>(row: KeyRow, work: Effect.Effect<A, ToolError, R>) =>
    unit
      .write(
        Effect.gen(function* () {
          const state = yield* rows.look(row)
          if (state._tag !== "Free") return yield* new KeyTaken({ state })
          const value = yield* readingOwnChanges(work)
          // The coordinator ends transactions in two phases, so nothing is sent with its commit.
          if (!unit.isCluster()) yield* rows.insertWithCommit(row, { value })
          else if (!(yield* rows.insert(row, { value }))) return yield* new KeyTaken({ state: undefined })
          return value
        })
      )
      .pipe(
        Effect.catchSomeDefect((defect) =>
          hasOtherRow(defect) ? Option.some(new KeyTaken({ state: undefined })) : Option.none()
        ),
        Effect.tapError((failure) => {
          if (failure._tag === "KeyTaken" || !isKept(failure)) return Effect.void
          // The call was rolled back, so a repeated call does no harm if this cannot be stored.
          return Effect.flatMap(
            Effect.orElseSucceed(rows.insert(row, { failure }), () => true),
            (isStored) => (isStored ? Effect.void : new KeyTaken({ state: undefined }))
          )
        })
      )

  /** A call with several transactions, or with effects outside, is stored as started first. It never runs twice. */
  const inSeveral = <A, R>(row: KeyRow, { reachesOutside }: DecodedCall, work: Effect.Effect<A, ToolError, R>) =>
    Effect.gen(function* () {
      yield* unit.write(
        Effect.gen(function* () {
          const state = yield* rows.look(row, reachesOutside ? "at once" : "with the next commit")
          if (state._tag !== "Free") return yield* new KeyTaken({ state })
          if (!(yield* rows.insert(row, undefined))) return yield* new KeyTaken({ state: undefined })
        })
      )
      const exit = yield* Effect.exit(work)
      const failure = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
      const stored = Exit.isSuccess(exit)
        ? rows.end(row, { value: exit.value })
        : failure === undefined || isDatabaseTrouble(failure)
          ? rows.end(row, undefined)
          : isKept(failure)
            ? rows.end(row, { failure })
            : rows.release(row)
      // The caller gets the answer all the same. A repeated call learns that the outcome is unknown.
      yield* Effect.ignore(Effect.retry(stored, storeAttempts))
      return yield* exit
    })

  const modeOf = (key: string): CallMode => {
    let isReplayed = false

    const replayed = (answer: KeptAnswer): Effect.Effect<unknown, ToolError> => {
      isReplayed = true
      return "failure" in answer ? Effect.fail(answer.failure) : Effect.succeed(answer.value)
    }
    const answerOf = (state: KeyState): Effect.Effect<unknown, ToolError | RequestRefused> => {
      switch (state._tag) {
        case "Answered":
          return replayed(state.answer)
        case "Reused":
          return Effect.fail(idempotencyKeyReused)
        case "Lost":
          return Effect.fail(keyedOutcomeUnknown())
        // The key can be free here if the call that used it was rolled back in the same moment.
        case "Free":
        case "Running":
          return Effect.fail(idempotencyKeyInUse)
      }
    }

    return {
      changesNothing: false,
      notice: () => undefined,
      headers: () => (isReplayed ? { "Idempotency-Replayed": "true" } : {}),
      // It runs to its end even if the connection breaks: the caller will repeat it to learn how it ended.
      run: (call, work) =>
        uninterruptibleDaemon(
          Effect.gen(function* () {
            const caller = yield* Caller
            const at = yield* Clock.currentTimeMillis
            yield* partitions.make(at).pipe(fromSql())
            const row = rowOf(sealing, caller, key, call, at)
            return yield* (call.isOneTransaction ? inOneTransaction(row, work) : inSeveral(row, call, work)).pipe(
              Effect.catchTag("KeyTaken", ({ state }) =>
                state === undefined ? Effect.flatMap(lookAgain(row), answerOf) : answerOf(state)
              )
            )
          })
        )
    }
  }

  return KeyedWrites.of({
    modeOf,
    keep: partitions.keep(1).pipe(fromSql(), Effect.withSpan("KeyedWrites.keep"))
  })
})

/** Stores the idempotency keys of writes, and the writes' answers, for a day. */
export const KeyedWritesPostgres = Layer.effect(KeyedWrites, make)
