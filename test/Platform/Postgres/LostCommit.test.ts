import * as net from "node:net"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { DatabaseLayer, DatabaseLocation } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { fromSql, single } from "../../../src/Layers/Platform/Postgres/Sql.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabaseLocation } from "../../support/TestDatabase.ts"

type Fault = "none" | "the commit is lost" | "its answer is lost"

/** What happens to connections that send a commit. */
const faults: { now: Fault } = { now: "none" }

/** A connection to the database that breaks on request. */
const Unsteady = Layer.scoped(
  DatabaseLocation,
  Effect.gen(function* () {
    const location = yield* DatabaseLocation
    const { host = "", port = 0 } = location.connection
    const server = net.createServer((client) => {
      const upstream = host.startsWith("/") ? net.connect(path.join(host, `.s.PGSQL.${port}`)) : net.connect(port, host)
      let isLost = false
      const close = () => {
        client.destroy()
        upstream.destroy()
      }
      client.on("error", close).on("close", close)
      upstream.on("error", close).on("close", close)
      client.on("data", (bytes) => {
        if (faults.now !== "none" && bytes.includes("COMMIT")) isLost = true
        if (isLost && faults.now === "the commit is lost") close()
        else upstream.write(bytes)
      })
      upstream.on("data", (bytes) => {
        if (isLost) close()
        else client.write(bytes)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () => Effect.sync(() => server.close())
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.dieMessage("The way has no port.")
    return { ...location, connection: { ...location.connection, host: "127.0.0.1", port: address.port } }
  })
).pipe(Layer.provide(TestDatabaseLocation))

const note = (idempotent: boolean) =>
  Tool.make("note", {
    kind: "write",
    idempotent,
    openWorld: false,
    description: "Notes a number.",
    parameters: {},
    returns: Schema.Int,
    example: {},
    run: () => Effect.flatMap(SqlClient, (sql) => sql`insert into noted values (1)`).pipe(fromSql(), Effect.as(1))
  })

const breakOff = Tool.make("break_off", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: "Loses its session.",
  parameters: {},
  returns: Schema.Int,
  example: {},
  run: () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into noted values (1)`
      yield* sql`select pg_terminate_backend(pg_backend_pid())`
      return 1
    }).pipe(fromSql())
})

layer(Layer.provide(DatabaseLayer, Unsteady), { excludeTestServices: true })("a change", (it) => {
  const called = (tool: typeof breakOff, fault: Fault) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table if not exists noted (number int not null)`
      yield* sql`truncate noted`
      const caller = yield* makeAccount()
      faults.now = fault
      const failure = yield* Effect.flip(as(caller)(tool.call(new Map())))
      faults.now = "none"
      const saved = yield* sql<{ readonly rows: number }>`select count(*) as rows from noted`
      return { failure, saved: single(saved).rows }
    })

  for (const [fault, saved] of [
    ["its answer is lost", 1],
    ["the commit is lost", 0]
  ] as const) {
    it.effect(`is not to be repeated where ${fault}, since it may be saved`, () =>
      Effect.gen(function* () {
        const answer = yield* called(note(false), fault)
        assert.deepInclude(answer.failure, { _tag: "Permanent", reason: "outcome_unknown" })
        assert.strictEqual(answer.saved, saved)
      })
    )

    it.effect(`that changes nothing further may be, where ${fault}`, () =>
      Effect.gen(function* () {
        const answer = yield* called(note(true), fault)
        assert.deepInclude(answer.failure, { _tag: "Transient", reason: "outcome_unknown" })
        assert.strictEqual(answer.saved, saved)
      })
    )
  }

  it.effect("is to be repeated where the connection breaks before it is to be saved", () =>
    Effect.gen(function* () {
      const answer = yield* called(breakOff, "none")
      assert.deepInclude(answer.failure, { _tag: "Transient", reason: "database_unavailable" })
      assert.strictEqual(answer.saved, 0)
    })
  )
})
