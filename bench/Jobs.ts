import { NodeRuntime } from "@effect/platform-node"
import { Array, Config, Console, Deferred, Effect, Layer, Logger, Schema } from "effect"
import { Logger as LibraryLogger, run } from "graphile-worker"
import pg from "pg"
import { JobRecordsPostgres } from "../src/Layers/Jobs/JobRecordsPostgres.ts"
import { EventLoopLive } from "../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../src/Layers/Platform/Jobs/Engine.ts"
import { handle } from "../src/Layers/Platform/Jobs/TaskHandler.ts"
import { DatabaseLayer, DatabaseLocation } from "../src/Layers/Platform/Postgres/Database.ts"
import * as Task from "../src/Services/Jobs/Task.ts"
import { type BenchDatabase, makeDatabase } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import {
  applicationName,
  databaseUse,
  prepareUse,
  startCountingServer,
  usePerOperation
} from "./support/DatabaseUse.ts"
import { conditions, figure, median, table, writeResults } from "./support/Report.ts"
import { processorMicros } from "./support/ServerProcess.ts"

/** Empty tasks in the gateway's engine and in the underlying library, alternating on one database. */

const settings = Config.all({
  shared: benchSettings,
  jobs: Config.withDefault(positive("BENCH_JOBS"), 30_000)
})

/** The gateway's default settings, which the library gets too. */
const concurrency = 16
const fetch = 500
const pollInterval = 2_000

const idle = Task.make("idle", { payload: Schema.Struct({ n: Schema.Int }) })

/** Counts tasks. `all` completes with the last one and returns the time since the first. */
const makeCount = (jobs: number) =>
  Effect.gen(function* () {
    const all = yield* Deferred.make<number>()
    let count = 0
    let first = 0
    return {
      one: () => {
        if (count === 0) first = performance.now()
        if (++count === jobs) Deferred.unsafeDone(all, Effect.succeed(performance.now() - first))
      },
      all: Deferred.await(all)
    }
  })

type Count = Effect.Effect.Success<ReturnType<typeof makeCount>>

const startEngine = (count: Count) =>
  Layer.build(
    jobEngineLayer({
      tasks: [handle(idle, () => Effect.sync(count.one))],
      jobs: [],
      concurrency: { quick: concurrency, long: 1 },
      isSampled: () => false
    }).pipe(Layer.provide(EventLoopLive))
  )

const libraryName = "graphile-worker"

const startLibrary = (url: string) => (count: Count) =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const createdPool = new pg.Pool({ connectionString: url, max: 8, application_name: libraryName })
        createdPool.on("error", () => {})
        createdPool.on("connect", (client) => client.on("error", () => {}))
        return createdPool
      }),
      (createdPool) => Effect.promise(() => createdPool.end())
    )
    yield* Effect.acquireRelease(
      Effect.promise(() =>
        run({
          pgPool: pool,
          noHandleSignals: true,
          concurrency,
          pollInterval,
          logger: new LibraryLogger(() => () => {}),
          taskList: {
            [idle.name]: () => {
              count.one()
              return Promise.resolve()
            }
          },
          preset: {
            worker: { localQueue: { size: fetch, ttl: 3_000 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 }
          }
        })
      ),
      (runner) => Effect.promise(() => runner.stop())
    )
  })

const measureAll = (jobs: number, rounds: number, { client, url }: BenchDatabase) =>
  Effect.gen(function* () {
    const measure = <E, R>(
      worker: string,
      sessions: string,
      start: (count: Count) => Effect.Effect<unknown, E, R>,
      round: number
    ) =>
      Effect.gen(function* () {
        yield* Effect.promise(() =>
          client.query(
            `select count(*) from graphile_worker.add_jobs(array(
              select json_populate_record(null::graphile_worker.job_spec,
                json_build_object('identifier', '${idle.name}', 'payload', json_build_object('n', n)))
              from generate_series(1, $1::integer) n))`,
            [jobs]
          )
        )
        yield* Effect.promise(() => client.query("vacuum analyze graphile_worker._private_jobs"))
        const count = yield* makeCount(jobs)
        return yield* Effect.scoped(
          Effect.gen(function* () {
            const usedBefore = yield* databaseUse(client, sessions)
            const before = yield* Effect.promise(() => processorMicros(process.pid))
            yield* start(count)
            const millis = yield* count.all
            const after = yield* Effect.promise(() => processorMicros(process.pid))
            const use = usePerOperation(usedBefore, yield* databaseUse(client, sessions), jobs)
            return {
              worker,
              round,
              jobs,
              perSecond: (jobs * 1000) / millis,
              cpuMicros: (after - before) / jobs,
              ...use
            }
          })
        )
      })

    const engine = (round: number) => measure("engine", applicationName, startEngine, round)
    const library = (round: number) => measure("library", libraryName, startLibrary(url), round)
    // One warm-up for each. Then each round begins with the other one.
    yield* engine(-1)
    yield* library(-1)
    return yield* Effect.forEach(Array.range(0, rounds - 1), (round) =>
      Effect.forEach(round % 2 === 0 ? [engine, library] : [library, engine], (one) => one(round))
    ).pipe(Effect.map(Array.flatten))
  })

const program = Effect.gen(function* () {
  const { jobs, shared } = yield* settings
  const started = conditions()
  const database = yield* makeDatabase(yield* startCountingServer, "jobs")
  yield* prepareUse(database.client)
  const rounds = yield* measureAll(jobs, shared.rounds, database).pipe(
    Effect.provide(JobRecordsPostgres),
    Effect.provide(DatabaseLayer),
    Effect.provide(Layer.succeed(DatabaseLocation, { connection: { connectionString: database.url }, poolSize: 2 })),
    Effect.withTracerEnabled(false)
  )
  yield* writeResults(shared.results, rounds)

  const columns = ["perSecond", "cpuMicros", "databaseMicros", "walBytes", "statements"] as const
  const of = (worker: string, field: (typeof columns)[number]) =>
    median(rounds.filter((measured) => measured.worker === worker).map((measured) => measured[field]))
  yield* Console.log(
    `${started}\n${shared.rounds} rounds of ${jobs} jobs, ${concurrency} at a time\n\n${table(
      ["", "jobs/s", "CPU µs", "database CPU µs", "WAL bytes", "statements"],
      ["engine", "library"].map((worker) => [worker, ...columns.map((column) => figure(of(worker, column)))])
    )}\n\nengine ÷ library: ${figure(of("engine", "perSecond") / of("library", "perSecond"))}`
  )
})

NodeRuntime.runMain(Effect.scoped(program).pipe(Effect.provide(Logger.json)))
