import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Data, Deferred, Duration, Effect, Schedule, type Scope } from "effect"
import type { EngineTables } from "./EngineTables.ts"
import type { EngineTiming } from "./EngineTiming.ts"

/** Why a pool has to start again. */
export class WorkerPoolBroke extends Data.TaggedError("WorkerPoolBroke")<{ readonly reason: string }> {}

export interface Heartbeat {
  /** Shows that the worker lives as long as it runs; fails when others took it for dead, or the database is away. */
  readonly follow: (workerId: string) => Effect.Effect<never, WorkerPoolBroke>
}

/** One beat for all workers of this process; whoever of all processes leads looks after the others'. */
export const makeHeartbeat = (
  tables: EngineTables,
  timing: EngineTiming,
  hands: number
): Effect.Effect<Heartbeat, never, Scope.Scope> =>
  Effect.gen(function* () {
    const followed = new Map<string, Deferred.Deferred<never, WorkerPoolBroke>>()
    let isLeader = false
    let lastBeat = 0

    const breakAll = (workers: Iterable<string>, reason: string) =>
      Effect.forEach(
        [...workers],
        (worker) => {
          const broke = followed.get(worker)
          return broke === undefined ? Effect.void : Deferred.fail(broke, new WorkerPoolBroke({ reason }))
        },
        { discard: true }
      )

    const beat = Effect.gen(function* () {
      const workers = [...followed.keys()]
      const shown = yield* tables.beat(workers)
      lastBeat = yield* Clock.currentTimeMillis
      isLeader = shown.isLeader
      yield* breakAll(
        workers.filter((worker) => !shown.alive.has(worker)),
        "others took it for dead"
      )
    }).pipe(
      Effect.timeout(timing.heartbeat),
      Effect.catchTag("SqlError", "TimeoutException", () => Effect.void)
    )
    const checkAge = Effect.gen(function* () {
      const age = (yield* Clock.currentTimeMillis) - lastBeat
      if (age > Duration.toMillis(timing.deadAfter)) yield* breakAll(followed.keys(), "the database is away")
    })
    const recovering = (recover: Effect.Effect<ReadonlyArray<string>, SqlError>) =>
      Effect.gen(function* () {
        if (!isLeader || followed.size === 0) return
        const lost = yield* recover
        if (lost.length === 0) return
        yield* Effect.annotateLogs(Effect.logWarning("took over the tasks of dead workers"), "workers", lost)
      }).pipe(
        Effect.timeout("20 seconds"),
        Effect.catchTag("SqlError", "TimeoutException", () => Effect.void)
      )

    const whileFollowed = (effect: Effect.Effect<void>) =>
      Effect.suspend(() => (followed.size === 0 ? Effect.void : effect))
    // A worker that crashes right after a beat is found two of them after its time is over, at most.
    const looksAfter = Effect.zipRight(recovering(tables.recoverDead), recovering(tables.recoverOrphaned(hands)))
    yield* Effect.forkScoped(
      Effect.zipRight(
        Effect.fork(Effect.repeat(looksAfter, Schedule.spaced(Duration.times(timing.heartbeat, 2)))),
        Effect.repeat(whileFollowed(Effect.zipRight(beat, checkAge)), Schedule.spaced(timing.heartbeat))
      ).pipe(Effect.withTracerEnabled(false))
    )

    return {
      follow: (workerId) =>
        Effect.acquireUseRelease(
          Effect.gen(function* () {
            const broke = yield* Deferred.make<never, WorkerPoolBroke>()
            if (followed.size === 0) lastBeat = yield* Clock.currentTimeMillis
            followed.set(workerId, broke)
            return broke
          }),
          Deferred.await,
          () => Effect.sync(() => followed.delete(workerId))
        )
    }
  })
