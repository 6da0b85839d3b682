import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { fromSql } from "../../../src/Layers/Platform/Postgres/Sql.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

/** Tools whose statements take as long as a caller waits for them, and one that takes no time. */
const statement = (name: string, kind: "read" | "write", text: string) =>
  Tool.make(name, {
    ...(kind === "read" ? { kind } : { kind, idempotent: true }),
    openWorld: false,
    description: "Runs a statement.",
    parameters: {},
    returns: Schema.Struct({ done: Schema.Boolean }),
    example: {},
    run: () => Effect.flatMap(SqlClient, (sql) => sql.unsafe(text).pipe(fromSql(), Effect.as({ done: true })))
  })

const Statements = Catalog.make([
  Tool.group("Statements", "Tools for this test.", [
    statement("long_read", "read", "select pg_sleep(25) as long_read"),
    statement("long_write", "write", "select pg_sleep(25) as long_write"),
    statement("short_read", "read", "select 1"),
    statement("short_write", "write", "select 1")
  ])
])

const running = (mark: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly running: number }>`
      select count(*) as running from pg_stat_activity
      where state = 'active' and pid <> pg_backend_pid() and query like ${`%as ${mark}`}`
  ).pipe(Effect.map((rows) => rows[0]?.running ?? 0))

const until = (mark: string, isSo: (running: number) => boolean) =>
  Effect.repeat(running(mark), { until: isSo, schedule: Schedule.spaced("10 millis") })

/** Calls without an answer until they are abandoned. */
const flood = (tool: string, token: string, calls: number) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    const controller = new AbortController()
    const answers = Array.from({ length: calls }, () =>
      fetch(`http://${host}:${port}/rest/v1/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: "{}",
        signal: controller.signal
      }).then(
        ({ status }) => status,
        () => 0
      )
    )
    return { answers, giveUp: Effect.sync(() => controller.abort()) }
  })

layer(testServer(Statements), { excludeTestServices: true })("an account that floods", (it) => {
  for (const kind of ["read", "write"] as const) {
    it.effect(`with long ${kind}s leaves room for others, and what it gives up ends in the database`, () =>
      Effect.gen(function* () {
        const flooder = yield* makeTokenHolder()
        const other = yield* makeTokenHolder()
        const { giveUp } = yield* flood(`long_${kind}`, flooder.token, 60)
        // Sessions are opened one after the other.
        yield* until(`long_${kind}`, (now) => now === 3)
        for (const tool of ["short_read", "short_write"]) {
          for (let call = 0; call < 5; call++) {
            const answer = yield* send(`/rest/v1/tools/${tool}`, { method: "POST", token: other.token, body: "{}" })
            assert.deepStrictEqual([answer.status, answer.json], [200, { done: true }])
          }
        }
        assert.strictEqual((yield* send("/health/ready")).status, 200)
        assert.strictEqual(yield* running(`long_${kind}`), 3, "half of the five sessions")
        yield* giveUp
        yield* until(`long_${kind}`, (now) => now === 0)
        const again = yield* send(`/rest/v1/tools/short_${kind}`, { method: "POST", token: flooder.token, body: "{}" })
        assert.strictEqual(again.status, 200)
      })
    )
  }

  it.effect("is told early that too much of it waits, each prefix in its own way", () =>
    Effect.gen(function* () {
      const flooder = yield* makeTokenHolder()
      const { answers, giveUp } = yield* flood("long_read", flooder.token, 560)
      const first = yield* Effect.promise(() => Promise.race(answers))
      assert.strictEqual(first, 503)
      const refused = yield* send("/rest/v1/tools/short_read", { method: "POST", token: flooder.token, body: "{}" })
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "2")
      assert.deepInclude(refused.json, { type: "Transient", reason: "overloaded", retry_after_seconds: 2 })
      const dispatched = yield* send("/api/v1/tools/short_read", { method: "POST", token: flooder.token, body: "{}" })
      assert.deepStrictEqual([dispatched.status, dispatched.json], [500, refused.json])
      assert.strictEqual(dispatched.headers.get("retry-after"), "2")
      yield* giveUp
      yield* until("long_read", (now) => now === 0)
    })
  )
})
