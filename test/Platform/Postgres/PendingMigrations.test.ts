import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { migrations } from "../../../src/Layers/App.ts"
import { migrationPlan, pendingMigrations } from "../../../src/Layers/Platform/Postgres/PendingMigrations.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase, { excludeTestServices: true })("the plan of migrations", (it) => {
  it.effect("is empty for a database at the newest version", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pendingMigrations(migrations), [])
      assert.deepStrictEqual(yield* migrationPlan(migrations), ["The database is at the newest version."])
    })
  )

  it.effect("has the steps that the database lacks, and changes nothing", () =>
    Effect.gen(function* () {
      const step = { name: "notes_of_leads", sql: "alter table lead alter column name set not null" }
      for (let time = 0; time < 2; time++) {
        assert.deepStrictEqual(yield* pendingMigrations([...migrations, step]), [step])
      }
      assert.include((yield* migrationPlan([...migrations, step])).join("\n"), "ALL WAIT     lead  alter table lead")
    })
  )
})
