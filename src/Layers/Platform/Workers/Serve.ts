import { Effect, Queue } from "effect"
import { processesOf } from "../../../Services/Core/WorkerProcesses.ts"
import { loadSettings, Settings } from "../Settings.ts"
import { readProcessors } from "./Processors.ts"
import { supervise } from "./Supervisor.ts"
import { startWorker } from "./WorkerProcess.ts"

/** Seconds before a stopping process is killed. It takes less than that to answer the requests in flight. */
const stopSeconds = 45

/** Each SIGHUP replaces the workers by new ones. They run the program that is then on the disk. */
const renewalsBySignal = Effect.gen(function* () {
  const renewals = yield* Queue.sliding<void>(1)
  const request = () => void renewals.unsafeOffer(undefined)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", request)),
    () => Effect.sync(() => process.off("SIGHUP", request))
  )
  return renewals
})

/** Reads the number of processes from the settings. */
export const workerCount = Effect.map(loadSettings, ({ workers }) => processesOf(workers, readProcessors()))

/** Runs the gateway as several processes on one port. */
export const serveByWorkers = (count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { operations, stopDelay } = yield* Settings
      if (operations === undefined) {
        yield* Effect.logWarning("Each worker counts by itself: set OPERATIONS_PORT to read the metrics of each.")
      }
      const renewals = yield* renewalsBySignal
      yield* supervise({
        count,
        start: startWorker,
        renewals,
        stopTime: `${stopDelay + stopSeconds} seconds`
      })
    })
  )
