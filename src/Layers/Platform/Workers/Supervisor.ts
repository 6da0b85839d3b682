import { Clock, Data, Duration, Effect, Queue } from "effect"
import { failuresAfter, restartDelayMillis } from "../../../Services/Core/WorkerProcesses.ts"
import { finishWithin } from "../Finalizer.ts"
import type { ProcessEnd, StartWorker, WorkerProcess } from "./WorkerProcess.ts"

/** Fails if the first process ended before it listened. Its own output says why. */
export class WorkerNotStarted extends Data.TaggedError("WorkerNotStarted")<{ readonly message: string }> {}

export interface SupervisorOptions {
  readonly count: number
  readonly start: StartWorker
  /** Each element requests that all processes are replaced by new ones. */
  readonly renewals: Queue.Dequeue<void>
  /** The time after which a stopping process is killed. */
  readonly stopTime: Duration.DurationInput
}

interface Slot {
  readonly number: number
  worker: WorkerProcess | undefined
  failures: number
}

const describeEnd = ({ code, signal }: ProcessEnd): string =>
  signal === null ? `with code ${code}` : `by signal ${signal}`

/** Returns true once the process listens, or false if it ended before. */
const becomesReady = ({ ended, ready }: WorkerProcess) =>
  Effect.raceFirst(Effect.as(ready, true), Effect.as(ended, false))

/** Migrations of large tables take minutes. A new process that takes longer than this is killed. */
const longestStart = "15 minutes"

const makeSupervisor = ({ renewals, start, stopTime }: SupervisorOptions) => {
  const stopWorker = (worker: WorkerProcess, request = worker.stop) =>
    Effect.zipRight(request, worker.ended).pipe(
      Effect.timeoutOption(stopTime),
      Effect.flatMap((end) => (end._tag === "Some" ? Effect.void : Effect.zipRight(worker.kill, worker.ended))),
      Effect.asVoid
    )

  /** Longer than the time after which a process is killed. */
  const longestStop = Duration.sum(Duration.decode(stopTime), Duration.seconds(10))

  /** Waits until the process ends by itself. Returns false if it was replaced or stopped before. */
  const endsUnexpectedly = (slot: Slot, worker: WorkerProcess) =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      yield* Effect.logInfo("worker started").pipe(Effect.annotateLogs({ worker: slot.number, pid: worker.pid }))
      const end = yield* worker.ended
      if (slot.worker !== worker) return false
      slot.worker = undefined
      slot.failures = failuresAfter(slot.failures, (yield* Clock.currentTimeMillis) - startedAt)
      yield* Effect.logError(`worker ended ${describeEnd(end)}, starting it again`).pipe(
        Effect.annotateLogs({ worker: slot.number, pid: worker.pid, delay_millis: restartDelayMillis(slot.failures) })
      )
      return true
    })

  /** Starts another process in the slot whenever its process ends. */
  const watch = (slot: Slot, first: WorkerProcess) =>
    Effect.gen(function* () {
      let worker = first
      while (yield* endsUnexpectedly(slot, worker)) {
        yield* Effect.sleep(restartDelayMillis(slot.failures))
        // In the time of the delay, a renewal has started a process for this slot.
        if (slot.worker !== undefined) return
        worker = yield* start(slot.number)
        slot.worker = worker
      }
    })

  const occupy = (slot: Slot, worker: WorkerProcess) =>
    Effect.suspend(() => {
      slot.worker = worker
      return Effect.forkScoped(watch(slot, worker))
    })

  const startSlot = (slot: Slot) =>
    Effect.gen(function* () {
      const worker = yield* start(slot.number)
      yield* occupy(slot, worker)
      return worker
    })

  /**
   * Replaces a slot's process. The old process serves until the new one does. A new process that does not start changes
   * nothing.
   */
  const renew = (slot: Slot) =>
    Effect.gen(function* () {
      // The slot's process is being restarted already, and so gets the new program.
      if (slot.worker === undefined) return true
      const next = yield* start(slot.number)
      const isReady = yield* Effect.timeoutTo(becomesReady(next), {
        duration: longestStart,
        onSuccess: (hasListened) => hasListened,
        onTimeout: () => false
      }).pipe(Effect.onInterrupt(() => next.stop))
      if (!isReady) return yield* Effect.as(next.kill, false)
      const old = slot.worker
      yield* occupy(slot, next)
      if (old !== undefined) yield* stopWorker(old, old.replace)
      return true
    })

  const renewAll = (slots: ReadonlyArray<Slot>) =>
    Effect.gen(function* () {
      yield* Queue.take(renewals)
      yield* Effect.logInfo("replacing all workers, one after the other")
      for (const slot of slots) {
        if (yield* renew(slot)) continue
        return yield* Effect.logError("the new worker did not start, so the others keep running")
      }
      yield* Effect.logInfo("all workers were replaced")
    })

  const stopAll = (slots: ReadonlyArray<Slot>) =>
    Effect.forEach(
      slots,
      (slot) => {
        const { worker } = slot
        slot.worker = undefined
        return worker === undefined ? Effect.void : finishWithin(longestStop)(stopWorker(worker))
      },
      { concurrency: "unbounded", discard: true }
    )

  return { renewAll, startSlot, stopAll }
}

/**
 * Keeps `count` processes running until it is interrupted, and then stops them. The first one starts alone, because it
 * brings the database to the newest version and finds wrong settings.
 */
export const supervise = (options: SupervisorOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { renewAll, startSlot, stopAll } = makeSupervisor(options)
      const slots = Array.from(
        { length: options.count },
        (_, number): Slot => ({ number, worker: undefined, failures: 0 })
      )
      const [first, ...others] = slots
      if (first === undefined) return
      yield* Effect.addFinalizer(() => stopAll(slots))
      if (!(yield* becomesReady(yield* startSlot(first)))) {
        return yield* new WorkerNotStarted({ message: "the first worker ended before it listened" })
      }
      yield* Effect.forEach(others, startSlot, { discard: true })
      yield* Effect.forever(renewAll(slots))
    })
  )
