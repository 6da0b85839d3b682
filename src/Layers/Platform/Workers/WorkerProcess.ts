import cluster from "node:cluster"
import { Deferred, Effect } from "effect"

/** Passes a worker its number. Other programs do not set it. */
const slotVariable = "GATEWAY_WORKER_SLOT"

/** Whether this process is one of several that share a port. */
export const isWorker = cluster.isWorker

/** The worker's number from 0 on. A worker that replaces another has the same number. */
export const workerSlot = (): number => (isWorker ? Number(process.env[slotVariable] ?? 0) : 0)

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A process that serves. */
export interface WorkerProcess {
  readonly pid: number | undefined
  /** Completes when it listens. */
  readonly ready: Effect.Effect<void>
  readonly ended: Effect.Effect<ProcessEnd>
  /** Asks it to answer what it has begun and to end. */
  readonly stop: Effect.Effect<void>
  /** The same, where another process already serves in its place. */
  readonly replace: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
}

const replacedMessage = "replaced"
let hasSuccessor = false

/**
 * Whether this worker stops because another one took its place. The port that they share then stays ready: a proxy that
 * happened to ask this worker would otherwise take the whole gateway out of use.
 */
export const isReplaced = (): boolean => hasSuccessor

export type StartWorker = (slot: number) => Effect.Effect<WorkerProcess>

/**
 * Starts workers by the program that this process runs. They listen through this process, which hands connections out in
 * turn. A worker whose parent is gone ends.
 */
export const startWorker: StartWorker = (slot) =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<ProcessEnd>()
    const worker = cluster.fork({ [slotVariable]: String(slot) })
    worker.once("listening", () => Deferred.unsafeDone(ready, Effect.void))
    worker.once("exit", (code, signal) => Deferred.unsafeDone(ended, Effect.succeed({ code, signal })))
    // Without a listener, a process that cannot be started would end this one. Its exit is handled.
    worker.on("error", () => {})
    const send = (signal: NodeJS.Signals) => Effect.sync(() => void worker.process.kill(signal))
    return {
      pid: worker.process.pid,
      ready: Deferred.await(ready),
      ended: Deferred.await(ended),
      stop: send("SIGTERM"),
      replace: Effect.sync(() => void worker.send(replacedMessage)),
      kill: send("SIGKILL")
    }
  })

/** A worker ends when its parent asks it to. The signal that renews all workers is for the parent alone. */
export const obeyParent = Effect.sync(() => {
  if (!isWorker) return
  process.on("SIGHUP", () => {})
  process.on("message", (message) => {
    if (message !== replacedMessage) return
    hasSuccessor = true
    process.kill(process.pid, "SIGTERM")
  })
})
