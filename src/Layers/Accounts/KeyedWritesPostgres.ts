import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Clock, Data, Effect, Exit, Layer, Option, Predicate, Schedule } from "effect"
import { keyedOutcomeUnknown, type RequestRefused, type ToolError } from "../../Errors.ts"
import { idempotencyKeyInUse, idempotencyKeyReused } from "../../Services/Accounts/IdempotencyKey.ts"
import { isDatabaseTrouble, isKept, type KeptAnswer, KeyedWrites } from "../../Services/Accounts/KeyedWrites.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { CallMode, DecodedCall } from "../../Services/Core/Calls/CallMode.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { readingOwnChanges } from "../../Services/Core/OwnChanges.ts"
import { makeDayPartitions } from "../Platform/Postgres/DayPartitions.ts"
import { codeOf, fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { uninterruptibleDaemon } from "../Platform/UninterruptibleDaemon.ts"
import { type Durability, type KeyRow, type KeyState, makeKeyRows, rowOf } from "./KeyedWriteRows.ts"
import { takenKeyCode } from "./Migrations.ts"

/**
 * The work was not done, or was rolled back, because the key is not free. Without a state, the caller must look it up.
 */
class KeyTaken extends Data.TaggedError("KeyTaken")<{ readonly state: KeyState | undefined }> {}

const violations: ReadonlySet<string | undefined> = new Set(["23502", "23505"])

/** True if a claim of the key failed, because another call uses it or used it. */
const isClaimRefused = (defect: unknown): boolean => defect instanceof SqlError && codeOf(defect.cause) === takenKeyCode

/** True if the commit failed because the key already has a row: a null in its mark, or a second row of one day. */
const hasOtherRow = (defect: unknown): boolean =>
  defect instanceof SqlError &&
  violations.has(codeOf(defect.cause)) &&
  Predicate.hasProperty(defect.cause, "table") &&
  typeof defect.cause.table === "string" &&
  defect.cause.table.startsWith("keyed_write")

/** Attempts to store the end of a call that was done. The database may be away for a moment. */
const storeAttempts = Schedule.intersect(Schedule.recurs(3), Schedule.spaced("500 millis"))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const sealing = yield* Sealing
  const partitions = makeDayPartitions(sql, "keyed_write")
  const rows = yield* makeKeyRows

  const lookAgain = (row: KeyRow) => unit.write(rows.look(row))

  /** Returns once the key is found free. */
  const lookFirst = (row: KeyRow, durability?: Durability) =>
    Effect.flatMap(rows.look(row, durability), (state) =>
      state._tag === "Free" ? Effect.void : new KeyTaken({ state })
    )

  const insertIfFree = (row: KeyRow, answer: KeptAnswer | undefined) =>
    Effect.flatMap(rows.insert(row, answer), (isStored) =>
      isStored ? Effect.void : new KeyTaken({ state: undefined })
    )

  /** The answer is stored in the transaction of the write, so that both are done or neither is. */
  const inOneTransaction = <A, R>(row: KeyRow, { reachesOutside }: DecodedCall, work: Effect.Effect<A, ToolError, R>) =>
    unit
      .write(
        Effect.suspend((): Effect.Effect<A, ToolError | KeyTaken, R> => {
          // The coordinator ends transactions in two phases, so statements are not joined there.
          const isCluster = unit.isCluster()
          // A claim takes effect with the first statement of the work, and an effect outside may come before that.
          const begin = isCluster || reachesOutside ? lookFirst(row) : rows.claim(row)
          return Effect.zipRight(begin, readingOwnChanges(work)).pipe(
            Effect.tap((value) => (isCluster ? insertIfFree(row, { value }) : rows.insertWithCommit(row, { value })))
          )
        })
      )
      .pipe(
        Effect.catchSomeDefect((defect) =>
          isClaimRefused(defect) || hasOtherRow(defect)
            ? Option.some(new KeyTaken({ state: undefined }))
            : Option.none()
        ),
        Effect.tapError((failure) => {
          if (failure._tag === "KeyTaken" || !isKept(failure)) return Effect.void
          // The call was rolled back, so a repeated call does no harm if this cannot be stored.
          return Effect.catchTag(insertIfFree(row, { failure }), "Transient", () => Effect.void)
        })
      )

  /** A call with several transactions, or with effects outside, is stored as started first. It never runs twice. */
  const inSeveral = <A, R>(row: KeyRow, { reachesOutside }: DecodedCall, work: Effect.Effect<A, ToolError, R>) =>
    Effect.gen(function* () {
      yield* unit.write(
        Effect.gen(function* () {
          yield* lookFirst(row, reachesOutside ? "at once" : "with the next commit")
          yield* insertIfFree(row, undefined)
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
            return yield* (call.isOneTransaction ? inOneTransaction(row, call, work) : inSeveral(row, call, work)).pipe(
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
