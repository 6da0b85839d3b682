import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Data, Deferred, Duration, Effect, Schedule, type Scope } from "effect"
import type { EngineTables } from "./EngineTables.ts"
import type { EngineTiming } from "./EngineTiming.ts"

/** Fails a pool's worker, so that the pool restarts. `reason` is for the log. */
export class WorkerPoolBroke extends Data.TaggedError("WorkerPoolBroke")<{ readonly reason: string }> {}

export interface Heartbeat {
  /**
   * Keeps the worker alive while it runs. Fails if other processes declared the worker dead, or the database is
   * unavailable.
   */
  readonly follow: (workerId: string) => Effect.Effect<never, WorkerPoolBroke>
}

/**
 * Sends one heartbeat for all workers of this process, and looks for dead workers of other processes. Every process
 * does so, because a single one in charge could be dead itself. If several find a dead worker, one of them takes its
 * tasks.
 */
export const makeHeartbeat = (
  tables: EngineTables,
  timing: EngineTiming,
  hands: number
): Effect.Effect<Heartbeat, never, Scope.Scope> =>
  Effect.gen(function* () {
    const followed = new Map<string, Deferred.Deferred<never, WorkerPoolBroke>>()
    let lastBeat = 0
    let beats = 0
    let [areDead, areOrphaned] = [false, false]
    const lost = yield* Effect.makeLatch(false)

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
      // Finding orphans reads all locked tasks, so it happens less often.
      beats += 1
      const status = yield* tables.beat(workers, beats % 2 === 0)
      lastBeat = yield* Clock.currentTimeMillis
      yield* breakAll(
        workers.filter((worker) => !status.alive.has(worker)),
        "others took it for dead"
      )
      areDead ||= status.areDead
      areOrphaned ||= status.areOrphaned
      if (areDead || areOrphaned) lost.unsafeOpen()
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
        const workers = yield* recover
        if (workers.length === 0) return
        yield* Effect.annotateLogs(Effect.logWarning("took over the tasks of dead workers"), "workers", workers)
      }).pipe(
        Effect.timeout("20 seconds"),
        Effect.catchTag("SqlError", "TimeoutException", () => Effect.void)
      )

    const whileFollowed = (effect: Effect.Effect<void>) =>
      Effect.suspend(() => (followed.size === 0 ? Effect.void : effect))
    // Runs in parallel with the heartbeats, which must not wait for it.
    const looksAfter = Effect.gen(function* () {
      yield* lost.await
      lost.unsafeClose()
      const [dead, orphaned] = [areDead, areOrphaned]
      areDead = areOrphaned = false
      if (dead) yield* recovering(tables.recoverDead)
      if (orphaned) yield* recovering(tables.recoverOrphaned(hands))
    })
    yield* Effect.forkScoped(
      Effect.zipRight(
        Effect.fork(Effect.forever(looksAfter)),
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
