import { Effect, Layer, Schema } from "effect"
import { EventLoopLive } from "../../src/Layers/Platform/Fairness/BackgroundScheduler.ts"
import { jobEngineLayer } from "../../src/Layers/Platform/Jobs/Engine.ts"
import { handle } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import * as Task from "../../src/Services/Jobs/Task.ts"
import { EarlyServices } from "../support/EarlyServices.ts"

/** The process that the test kills claims it, and the surviving one finishes it. */
export const inherited = Task.make("inherited", { payload: Schema.Struct({ n: Schema.Int }) })

const Connection = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  user: Schema.String,
  database: Schema.String
})

/** A separate gateway process that begins the tasks and never ends them. Its argument is the connection as JSON. */
const main = (connection: string) =>
  Effect.flatMap(Schema.decode(Schema.parseJson(Connection))(connection), (location) =>
    Layer.launch(
      jobEngineLayer({
        tasks: [handle(inherited, () => Effect.never)],
        jobs: [],
        concurrency: { quick: 2, long: 1 }
      }).pipe(
        Layer.provide(Layer.merge(EarlyServices, EventLoopLive)),
        Layer.provide(DatabaseLayer),
        Layer.provide(Layer.succeed(DatabaseLocation, { connection: location, poolSize: 2 }))
      )
    )
  )

const [, script, connection] = process.argv
if (script === import.meta.filename && connection !== undefined) void Effect.runPromise(main(connection))
