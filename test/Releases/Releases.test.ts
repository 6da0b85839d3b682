import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import pg from "pg"
import { migrate } from "../../src/Layers/App.ts"
import { migrateEngine } from "../../src/Layers/Platform/Jobs/EngineSchema.ts"
import { DatabaseLayer, DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { isCluster } from "../support/isCluster.ts"
import { withRelease } from "../support/releases/Changelog.ts"
import { keptReleases, versionsIn } from "../support/releases/Releases.ts"
import { schemaLines } from "../support/releases/SchemaLines.ts"
import { distinctStatements, refusedStatements } from "../support/releases/Statements.ts"
import { clonedDatabase, emptyDatabase } from "../support/TestDatabase.ts"

type Connection = Effect.Effect.Success<typeof emptyDatabase>

const connect = (connection: Connection) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const bringToNewest = (connection: Connection) =>
  Effect.zipRight(migrate, migrateEngine).pipe(
    Effect.provide(DatabaseLayer.pipe(Layer.provideMerge(Layer.succeed(DatabaseLocation, { connection, poolSize: 2 }))))
  )

const releases = keptReleases()

describe.skipIf(isCluster)("a database of a release", () => {
  for (const { schema, statements, version } of releases) {
    it.scopedLive(`${version} is brought to the newest version, with the same tables as a new one`, () =>
      Effect.gen(function* () {
        const connection = yield* emptyDatabase
        // The dump sets the search path of its session.
        yield* Effect.scoped(
          Effect.flatMap(connect(connection), (client) => Effect.promise(() => client.query(schema())))
        )
        yield* bringToNewest(connection)
        const upgraded = yield* connect(connection)
        const created = yield* connect(yield* clonedDatabase)
        assert.deepStrictEqual(
          yield* Effect.promise(() => schemaLines(upgraded)),
          yield* Effect.promise(() => schemaLines(created))
        )
        // Gateways of the last release run on the newest tables during an upgrade. Those before it do not.
        if (version !== releases.at(-1)?.version) return
        const released = statements()
        assert.isAbove(released.length, 1000)
        assert.deepStrictEqual(yield* Effect.promise(() => refusedStatements(upgraded, released)), [])
      })
    )
  }

  it.scopedLive("a table that a migration changes for released statements, and one that differs, are found", () =>
    Effect.gen(function* () {
      const client = yield* connect(yield* clonedDatabase)
      const touched = "select email from account where account_id = $1"
      const released = ["select name from lead where account_id = $1 and lead_id = $2", touched]
      assert.deepStrictEqual(yield* Effect.promise(() => refusedStatements(client, released)), [])
      const before = yield* Effect.promise(() => schemaLines(client))
      yield* Effect.promise(() => client.query("alter table account rename email to mail_address"))
      assert.deepStrictEqual(yield* Effect.promise(() => refusedStatements(client, released)), [
        { statement: touched, reason: 'column "email" does not exist' }
      ])
      assert.notDeepEqual(yield* Effect.promise(() => schemaLines(client)), before)
    })
  )
})

describe("the statements of a release", () => {
  it("are one of each shape, in one line, without comments", () => {
    assert.deepStrictEqual(
      distinctStatements([
        "select 1 -- one\n  from lead",
        "/* leads */ select 1 from lead;",
        "insert into t values ($1, $2), ($3, $4), ($5, $6)",
        "insert into t values ($1, $2)",
        "select * from lead where lead_id in ($1, $2, $3)",
        "select * from lead where lead_id in ($1)",
        "create table t (a int)",
        "begin"
      ]),
      ["insert into t values ($1, $2)", "select * from lead where lead_id in ($1)", "select 1 from lead"]
    )
  })
})

describe("the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\nUntil then, take care.\n\n### Added\n\n- Leads.\n"

  it("names the section of what is released, and begins an empty one", () => {
    const released = withRelease(changelog, "1.0.0", "2026-11-28")
    assert.strictEqual(released, "# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-11-28\n\n### Added\n\n- Leads.\n")
    assert.deepStrictEqual(versionsIn(released), ["1.0.0"])
  })

  it("takes no release twice, and no name that is no version", () => {
    const released = withRelease(changelog, "1.0.0", "2026-11-28")
    assert.throws(() => withRelease(released, "1.0.0", "2026-11-29"), /already has/)
    assert.throws(() => withRelease(changelog, "next", "2026-11-28"), /no version/)
  })
})
