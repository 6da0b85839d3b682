import cluster from "node:cluster"
import { Deferred, Effect } from "effect"

/** The environment variable that passes a worker its number. Other programs do not set it. */
const slotVariable = "GATEWAY_WORKER_SLOT"

/** True if this process is one of several that share a port. */
export const isWorker = cluster.isWorker

/** Returns the worker's number, starting at 0. A worker that replaces another has the same number. */
export const workerSlot = (): number => (isWorker ? Number(process.env[slotVariable] ?? 0) : 0)

/** The exit code or signal with which a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A process that serves requests. */
export interface WorkerProcess {
  readonly pid: number | undefined
  /** Completes when the process listens. */
  readonly ready: Effect.Effect<void>
  readonly ended: Effect.Effect<ProcessEnd>
  /** Requests that the process finishes its running requests and then ends. */
  readonly stop: Effect.Effect<void>
  /** Like `stop`, for a process whose successor already serves. */
  readonly replace: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
}

const replacedMessage = "replaced"
let hasSuccessor = false

/**
 * True if this worker stops because another one took its place. The port that they share then stays ready: a proxy
 * whose health check reaches this worker would otherwise take the whole gateway out of use.
 */
export const isReplaced = (): boolean => hasSuccessor

export type StartWorker = (slot: number) => Effect.Effect<WorkerProcess>

/**
 * Starts workers with the program that this process runs. They listen through this process, which distributes
 * connections round-robin. A worker whose parent has ended ends too.
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
