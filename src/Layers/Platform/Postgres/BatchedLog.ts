import type { SqlError } from "@effect/sql/SqlError"
import { type Duration, Effect, Metric, Schedule, type Scope } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { type DayPartitions, startOfDay } from "./DayPartitions.ts"
import { alwaysOutsideTransaction } from "./OutsideTransaction.ts"
import { codeOf, fromSql } from "./Sql.ts"

export interface BatchedLog<Entry> {
  /** Queues the entry. If too many are waiting already, it drops the entry and returns false. */
  readonly record: (entry: Entry) => boolean
  /** Writes the entries queued so far. */
  readonly flush: Effect.Effect<void, Transient>
}

interface BatchedLogOptions<Entry> {
  /** The log's name in warnings and on `/metrics`. */
  readonly name: "audit" | "requests"
  /** The most entries that wait while the database is slow or unavailable. Further ones are dropped and counted. */
  readonly mostWaiting: number
  /** The pause between two batches. A killed process loses at most the entries of one pause. */
  readonly pause: Duration.DurationInput
  readonly partitions: DayPartitions
  /**
   * Writes all entries or none. It uses no unit of work: a commit there wakes pollers, but entries make no work due.
   */
  readonly write: (entries: ReadonlyArray<Entry>) => Effect.Effect<unknown, SqlError>
}

const perStatement = 1000

/**
 * Matches SQL error classes 22 (data), 23 (constraints) and 54 (limits). After any other error, the same entries may be
 * accepted later.
 */
const dataErrors = /^(?:22|23|54)/
/**
 * True if the partition is missing. That error has the code of a constraint, but the partition is made before the next
 * try.
 */
const isMissingPartition = ({ cause }: SqlError): boolean =>
  cause instanceof Error && cause.message.includes("partition")
const isRefusedForItsData = (error: SqlError): boolean =>
  dataErrors.test(codeOf(error.cause) ?? "") && !isMissingPartition(error)

const droppedEntries = Metric.counter("gateway_dropped_log_entries_total", {
  description: "Entries of a log (audit, requests) that were dropped because the database took no more.",
  incremental: true
})

/**
 * Makes a log that stores entries in batches, after the calls that they are about, and the remaining ones when the
 * gateway stops.
 */
export const makeBatchedLog = <Entry extends { readonly at: number; readonly accountId: number }>({
  mostWaiting,
  name,
  partitions,
  pause,
  write
}: BatchedLogOptions<Entry>): Effect.Effect<BatchedLog<Entry>, never, UnitOfWork | Scope.Scope> =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const dropped = Metric.tagged(droppedEntries, "log", name)
    yield* Metric.incrementBy(dropped, 0)
    let waiting: Array<Entry> = []
    let lost = 0
    const filled = yield* Effect.makeLatch(false)
    // One batch at a time, so a caller that flushes also waits for the batch that is being written.
    const oneAtATime = yield* Effect.makeSemaphore(1)

    /**
     * Writes the entries. If the database refuses a batch, it is halved until the refused entry is alone, which is
     * dropped.
     */
    const writeOrDrop = (entries: ReadonlyArray<Entry>): Effect.Effect<unknown, SqlError> =>
      Effect.catchAll(write(entries), (error) => {
        if (!isRefusedForItsData(error)) return Effect.fail(error)
        if (entries.length === 1) {
          lost += 1
          return Effect.annotateLogs(Effect.logWarning(`the database refuses an entry of the log of ${name}`), {
            code: codeOf(error.cause)
          })
        }
        const half = Math.ceil(entries.length / 2)
        return Effect.zipRight(writeOrDrop(entries.slice(0, half)), writeOrDrop(entries.slice(half)))
      })

    /**
     * Writes the entries and returns those of accounts whose cluster node is down. These wait, so that other accounts
     * need not.
     */
    const writeWherePossible = (entries: ReadonlyArray<Entry>) => {
      const batches = unit.perAccount(entries)
      if (batches.length === 1) return Effect.as(writeOrDrop(entries), [])
      return Effect.map(
        Effect.forEach(batches, (batch) =>
          Effect.matchCause(writeOrDrop(batch), { onSuccess: () => [], onFailure: () => batch })
        ),
        (unwritten) => unwritten.flat()
      )
    }

    const flush = Effect.suspend(() => {
      const entries = waiting
      if (entries.length === 0) return Effect.void
      waiting = []
      filled.unsafeClose()
      let writtenCount = 0
      const unwritten: Array<Entry> = []
      const writeAll = Effect.gen(function* () {
        for (const millis of new Set(entries.map(({ at }) => startOfDay(at)))) yield* partitions.make(millis)
        while (writtenCount < entries.length) {
          const batch = entries.slice(writtenCount, writtenCount + perStatement)
          unwritten.push(...(yield* writeWherePossible(batch)))
          writtenCount += batch.length
        }
      })
      const keepRest = Effect.sync(() => {
        const rest = [...unwritten, ...entries.slice(writtenCount)]
        if (rest.length === 0) return
        waiting = [...rest, ...waiting]
        filled.unsafeOpen()
      })
      return writeAll.pipe(
        // A partition that existed before may have been dropped, so all are checked again.
        Effect.catchAllCause(() => Effect.suspend(() => Effect.zipRight(Effect.sync(partitions.forget), writeAll))),
        Effect.ensuring(keepRest),
        fromSql()
      )
    }).pipe(
      Effect.uninterruptible,
      oneAtATime.withPermits(1),
      // The batch must not be part of the caller's transaction, which may be rolled back: the entries are those of all
      // callers.
      alwaysOutsideTransaction
    )

    const reportLost = Effect.suspend(() => {
      const entries = lost
      lost = 0
      return entries === 0
        ? Effect.void
        : Effect.zipRight(
            Metric.incrementBy(dropped, entries),
            Effect.annotateLogs(Effect.logError(`entries of the log of ${name} were dropped`), { entries })
          )
    })

    const flushQuietly = Effect.zipRight(
      Effect.catchAllCause(flush, (cause) =>
        Effect.annotateLogs(Effect.logWarning(`the log of ${name} cannot be written`), { cause: describeCause(cause) })
      ),
      reportLost
    )
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(flushQuietly, "5 seconds")))
    yield* Effect.forkScoped(Effect.repeat(Effect.zipRight(filled.await, flushQuietly), Schedule.spaced(pause)))

    const record = (entry: Entry): boolean => {
      const isTaken = waiting.length < mostWaiting
      if (isTaken) waiting.push(entry)
      else lost += 1
      filled.unsafeOpen()
      return isTaken
    }
    return { record, flush }
  })
