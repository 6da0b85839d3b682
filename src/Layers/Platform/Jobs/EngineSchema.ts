import { SqlError } from "@effect/sql/SqlError"
import { Context, Effect } from "effect"
import { runMigrations } from "graphile-worker"
import { DatabasePools } from "../Postgres/Database.ts"

/** The name of the Postgres schema that the engine's tables are in. */
export class EngineSchema extends Context.Reference<EngineSchema>()("EngineSchema", {
  defaultValue: () => "graphile_worker"
}) {}

const ignoreError = (): void => {}

/** Updates the engine's tables to the library's version. Several processes may do so at the same time. */
export const migrateEngine: Effect.Effect<void, SqlError, DatabasePools> = Effect.gen(function* () {
  const { write } = yield* DatabasePools
  const schema = yield* EngineSchema
  // The library prints a warning if this listener is missing.
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
