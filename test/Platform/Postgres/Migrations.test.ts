import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { migrations } from "../../../src/Layers/App.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase)("Migrations", (it) => {
  it.effect("the steps are applied in their order, under ids without a gap", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const applied = yield* sql<{ migration_id: number; name: string }>`
        select migration_id, name from gateway_migration order by migration_id`
      assert.deepStrictEqual(
        applied.map(({ migration_id, name }) => [migration_id, name]),
        migrations.map(({ name }, index) => [index + 1, name])
      )
    })
  )

  it("each step has a name of its own, in lower snake case", () => {
    const names = migrations.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
  })
})
