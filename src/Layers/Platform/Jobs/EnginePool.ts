import { Reactivity } from "@effect/experimental"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import pg from "pg"
import { finishWithin } from "../Finalizer.ts"
import { DatabaseLocation } from "../Postgres/Database.ts"

/**
 * The engine's database sessions. They are separate from the gateway's pools for three reasons: the listeners keep one
 * session each, a heartbeat that waits behind calls would make the engine look dead, and the library needs the driver's
 * default types.
 */
export const makeEnginePool = Effect.gen(function* () {
  const { connection } = yield* DatabaseLocation
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        ...connection,
        max: 8,
        application_name: "prospecting-gateway jobs",
        connectionTimeoutMillis: 5_000,
        idleTimeoutMillis: 60_000,
        keepAlive: true,
        options: "-c timezone=UTC -c statement_timeout=30s -c lock_timeout=10s"
      })
      // Without listeners a session that breaks would end the process.
      pool.on("error", () => {})
      pool.on("connect", (client) => client.on("error", () => {}))
      return pool
    }),
    (pool) => finishWithin("1 second")(Effect.promise(() => pool.end().catch(() => {})))
  )
  const sql = yield* Effect.orDie(PgClient.fromPool({ acquire: Effect.succeed(pool) }))
  return { pool, sql }
}).pipe(Effect.provide(Reactivity.layer))
