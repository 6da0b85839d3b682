import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Option, Ref } from "effect"
import { migrate } from "../../src/Layers/App.ts"
import { acquire } from "../../src/Layers/Platform/EmbeddedPostgres.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { handle } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { EarlyServices } from "../support/EarlyServices.ts"
import { inherited } from "./doomedWorker.ts"
import { eventually, Queue, startEngine, tasksNamed } from "./support.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }))
const noneLeft = eventually(tasksNamed(inherited.name), (tasks) => tasks.length === 0)

/** A separate server that restarts when it is killed. */
const OwnServer = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const dataDir = yield* Effect.acquireRelease(
      Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "gateway-crash-"))),
      (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
    )
    const { database, host, port, user } = yield* acquire({ dataDir, settings: { fsync: false } })
    return { connection: { database, host, port, user }, poolSize: 3 }
  })
)

const OwnQueue = TaskQueuePostgres.pipe(
  Layer.provideMerge(Layer.effectDiscard(Effect.zipRight(migrate, migrateEngine))),
  Layer.provideMerge(EarlyServices),
  Layer.provideMerge(DatabaseLayer),
  Layer.provideMerge(OwnServer),
  Layer.merge(Logger.minimumLogLevel(LogLevel.None))
)

describe("after a crash", () => {
  it.live("the tasks of a killed process are done by another one", () =>
    Effect.gen(function* () {
      const queue = yield* TaskQueue
      const { connection } = yield* DatabaseLocation
      yield* queue.enqueueMany(inherited, numbers(5))
      const program = yield* bundledEntry("Jobs/doomedWorker")
      const doomed = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [program, JSON.stringify(connection)], { stdio: ["ignore", "ignore", "inherit"] })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const allClaimed = eventually(tasksNamed(inherited.name), (tasks) => tasks.every((row) => row.locked_by !== null))
      yield* allClaimed
      const done = yield* Ref.make<ReadonlyArray<number>>([])
      yield* startEngine({ tasks: [handle(inherited, ({ n }) => Ref.update(done, (all) => [...all, n]))] })
      doomed.kill("SIGKILL")
      yield* noneLeft
      assert.deepStrictEqual([...(yield* Ref.get(done))].sort(), [0, 1, 2, 3, 4])
    }).pipe(Effect.scoped, Effect.provide(Queue))
  )

  it.live("of the database server the engine continues, without a new process", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const queue = yield* TaskQueue
      const done = yield* Ref.make<ReadonlySet<number>>(new Set())
      const [server] = yield* sql<{ readonly directory: string }>`
        select setting as directory from pg_settings where name = 'data_directory'`
      const killServer = Effect.promise(async () => {
        const file = await fs.readFile(path.join(server?.directory ?? "", "postmaster.pid"), "utf8")
        process.kill(Number(file.split("\n", 1)[0]), "SIGKILL")
      })
      const handler = handle(inherited, ({ n }) =>
        Effect.gen(function* () {
          // The server dies while some tasks run a statement and the other fetched ones wait.
          yield* Effect.orDie(sql`select pg_sleep(0.01)`)
          const all = yield* Ref.updateAndGet(done, (before) => new Set([...before, n]))
          if (all.size === 30) yield* killServer
        })
      )
      yield* queue.enqueueMany(inherited, numbers(200))
      yield* startEngine({ tasks: [handler] })
      const whileAway = Effect.option(tasksNamed(inherited.name))
      yield* eventually(whileAway, (tasks) => Option.isSome(tasks) && tasks.value.length === 0)
      assert.strictEqual((yield* Ref.get(done)).size, 200)
      yield* queue.enqueueMany(inherited, [{ payload: { n: 1000 } }])
      yield* noneLeft
      assert.isTrue((yield* Ref.get(done)).has(1000))
    }).pipe(Effect.scoped, Effect.provide(OwnQueue))
  )
})
