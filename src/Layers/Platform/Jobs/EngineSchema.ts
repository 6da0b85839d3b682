import { SqlError } from "@effect/sql/SqlError"
import { Context, Effect } from "effect"
import { runMigrations } from "graphile-worker"
import { DatabasePools } from "../Postgres/Database.ts"

/** The name of the Postgres schema that the engine's tables are in. */
export class EngineSchema extends Context.Reference<EngineSchema>()("EngineSchema", {
  defaultValue: () => "graphile_worker"
}) {}

const ignoreError = (): void => {}

/** Brings the engine's own tables to the version of the library. Any number of processes may do so at once. */
export const migrateEngine: Effect.Effect<void, SqlError, DatabasePools> = Effect.gen(function* () {
  const { write } = yield* DatabasePools
  const schema = yield* EngineSchema
  // The library looks for this listener, and warns on the console where it misses it.
  const listen = (client: { on: (event: "error", listener: () => void) => unknown }) => client.on("error", ignoreError)
  yield* Effect.acquireUseRelease(
    Effect.sync(() => write.on("connect", listen)),
    () =>
      Effect.tryPromise({
        try: () => runMigrations({ pgPool: write, schema }),
        catch: (cause) => new SqlError({ cause, message: "The tables of the job engine cannot be migrated" })
      }),
    () => Effect.sync(() => write.off("connect", listen))
  )
})
