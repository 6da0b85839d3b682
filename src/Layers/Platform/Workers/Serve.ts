import { Effect, Option, Queue } from "effect"
import { sessionsOfProcess } from "../../../Services/Core/CheckResult.ts"
import { processesOf } from "../../../Services/Core/WorkerProcesses.ts"
import { acquire } from "../EmbeddedPostgres.ts"
import { loadSettings, Settings } from "../Settings.ts"
import { readProcessors } from "./Processors.ts"
import { supervise } from "./Supervisor.ts"
import { startWorkerOf } from "./WorkerProcess.ts"

/** Sessions of the embedded server for people and for programs such as backups. */
const spareSessions = 20

/** The server's usual number of sessions, which is enough for two processes. */
const usualSessions = 100

/** Longer than a process takes to answer the requests in flight. */
const stopSeconds = 45

/** A URL of the server behind a Unix socket. */
const socketUrl = ({
  database,
  host,
  port,
  user
}: { readonly [part in "database" | "host" | "user"]: string } & { readonly port: number }) =>
  `postgres://${encodeURIComponent(user)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}&port=${port}`

/** The embedded server belongs to this process alone. The workers connect to it as to any other database. */
const databaseOfWorkers = (count: number) =>
  Effect.gen(function* () {
    const { dataDir, databaseUrl, poolSize } = yield* Settings
    if (Option.isSome(databaseUrl)) return {}
    const sessions = Math.max(usualSessions, count * sessionsOfProcess(poolSize) + spareSessions)
    const server = yield* acquire({ dataDir: `${dataDir}/postgres`, settings: { max_connections: sessions } })
    return { DATABASE_URL: socketUrl(server) }
  })

/** Each SIGHUP replaces the workers by new ones, which run the program as it is on the disk then. */
const renewalsBySignal = Effect.gen(function* () {
  const renewals = yield* Queue.sliding<void>(1)
  const request = () => void renewals.unsafeOffer(undefined)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", request)),
    () => Effect.sync(() => process.off("SIGHUP", request))
  )
  return renewals
})

/** How many processes the settings ask for. */
export const workerCount = Effect.map(loadSettings, ({ workers }) => processesOf(workers, readProcessors()))

/** Runs the gateway as several processes on one port. */
export const serveByWorkers = (count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { operations, stopDelay } = yield* Settings
      if (operations === undefined) {
        yield* Effect.logWarning("Each worker counts by itself: set OPERATIONS_PORT to read the metrics of each.")
      }
      const environment = yield* databaseOfWorkers(count)
      const renewals = yield* renewalsBySignal
      yield* supervise({
        count,
        start: startWorkerOf(environment),
        renewals,
        stopTime: `${stopDelay + stopSeconds} seconds`
      })
    })
  )
