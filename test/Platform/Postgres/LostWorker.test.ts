import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { DatabasePools } from "../../../src/Layers/Platform/Postgres/Database.ts"
import { transientOf } from "../../../src/Layers/Platform/Postgres/Sql.ts"
import { makeTickBatcher } from "../../../src/Layers/Platform/Postgres/TickBatcher.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const untraced = Effect.withTracerEnabled(false)

/** Look-ups of which no two may be in one statement: so it is where the node of one of them is gone. */
const apart = makeTickBatcher({
  maximumKeys: 10,
  text: "select key from unnest($1::int[]) key where 1 / (2 - cardinality($1::int[])) = 1",
  values: (keys: ReadonlyArray<number>) => [keys],
  found: (keys, rows: ReadonlyArray<{ readonly key: number }>) =>
    keys.map((key) => Option.fromNullable(rows.find((row) => row.key === key)?.key))
})

layer(TestDatabase, { excludeTestServices: true })("look-ups of one turn", (it) => {
  it.effect("are asked one by one on a cluster where they fail together, and only there", () =>
    Effect.gen(function* () {
      const { spread } = yield* DatabasePools
      const batcher = yield* apart
      const both = Effect.all(
        [1, 2].map((key) => Effect.exit(batcher.get(key))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual((yield* both).map(Exit.isSuccess), [false, false])
      spread.isSpread = true
      assert.deepStrictEqual(yield* both, [Exit.succeed(Option.some(1)), Exit.succeed(Option.some(2))])
    }).pipe(untraced)
  )
})

describe("a worker that goes away under a statement", () => {
  const said = (message: string) =>
    transientOf(new SqlError({ cause: Object.assign(new Error(message), { code: "XX000" }), message: "Failed" }))
      ?.reason

  it.each([
    "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
    "no connection to the server",
    "failure on connection marked as essential: 10.0.0.2:5432",
    "could not receive data from server: Connection reset by peer"
  ])("is for a caller to try again: %s", (message) => {
    assert.strictEqual(said(message), "database_unavailable")
  })

  it("is nothing else that the server calls an internal error", () => {
    assert.isUndefined(said("cache lookup failed for relation 4711"))
  })
})
