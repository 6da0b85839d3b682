import * as fs from "node:fs"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { migrations } from "../../../src/Layers/App.ts"
import { checksum } from "../../../src/Layers/Platform/Postgres/Migration.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const Released = Schema.parseJson(Schema.Array(Schema.Struct({ name: Schema.String, checksum: Schema.String })))
const read = (file: string) => fs.readFileSync(new URL(file, import.meta.url), "utf8")

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

  // At a release, add the list's migrations with their checksums to `released.json`, in order.
  it("from the first release on a step stays as it is, and where it is", () => {
    const released = Schema.decodeSync(Released)(read("./released.json"))
    const hasRelease = /^## \[?\d+\.\d+/m.test(read("../../../CHANGELOG.md"))
    assert.strictEqual(released.length > 0, hasRelease, "released.json holds the steps of the releases in CHANGELOG.md")
    assert.deepStrictEqual(
      migrations
        .slice(0, released.length)
        .map((migration) => ({ name: migration.name, checksum: checksum(migration) })),
      released
    )
  })
})
