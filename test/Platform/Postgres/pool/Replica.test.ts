import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Either, Layer, Schedule, Stream } from "effect"
import pg from "pg"
import { acquire, type EmbeddedPostgres } from "../../../../src/Layers/Platform/EmbeddedPostgres.ts"
import { Overloaded } from "../../../../src/Layers/Platform/Fairness/FairSemaphore.ts"
import { DatabaseLayer, DatabaseLocation } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { Replica, replicaConnection } from "../../../../src/Layers/Platform/Postgres/pool/Replica.ts"
import { AccountId } from "../../../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../../src/Services/Core/Calls/UnitOfWork.ts"
import { as } from "../../../support/TestAccount.ts"

/** A primary and a replica at these log positions. `undefined` means that the server does not answer. */
const at = (stands: string, come: string | null | undefined) => {
  const places = { stands, come }
  const answering = (place: () => string | null | undefined) => () => Promise.resolve(place())
  const replica = new Replica(
    answering(() => places.stands),
    answering(() => places.come),
    5
  )
  return { places, replica }
}

describe("a replica may answer", () => {
  for (const [stands, come, mayAnswer] of [
    ["0/10", "0/10", true],
    ["0/10", "0/11", true],
    ["0/11", "0/10", false],
    ["1/0", "0/FFFFFFFF", false],
    ["0/FFFFFFFF", "1/0", true],
    ["A/9", "9/A", false],
    // A server that is not a replica, such as one that became the primary.
    ["0/10", null, false],
    ["0/10", undefined, false]
  ] as const) {
    it.effect(`${mayAnswer ? "" : "not "}with ${come} of ${stands}`, () =>
      Effect.gen(function* () {
        const { replica } = at(stands, come)
        assert.isFalse(replica.mayAnswer(1, 10_000), "nothing is known of it yet")
        yield* Effect.promise(() => replica.look(10_000))
        assert.strictEqual(replica.mayAnswer(1, 10_001), mayAnswer)
      })
    )
  }

  it.effect("until what it has is too old, and again once it has come after", () =>
    Effect.gen(function* () {
      const { places, replica } = at("0/10", "0/10")
      yield* Effect.promise(() => replica.look(10_000))
      places.stands = "0/20"
      yield* Effect.promise(() => replica.look(12_000))
      assert.isTrue(replica.mayAnswer(1, 15_000), "it has all until 10 000")
      yield* Effect.promise(() => replica.look(15_000))
      assert.isFalse(replica.mayAnswer(1, 15_001))
      places.come = "0/20"
      yield* Effect.promise(() => replica.look(15_002))
      assert.isTrue(replica.mayAnswer(1, 15_003))
    })
  )

  it.effect("whoever has not written lately, so that all see what they wrote", () =>
    Effect.gen(function* () {
      const { replica } = at("0/10", "0/10")
      for (let account = 1; account <= 20_000; account++) replica.wrote(account, 9_000)
      yield* Effect.promise(() => replica.look(14_000))
      assert.isFalse(replica.mayAnswer(1, 14_000))
      assert.isFalse(replica.mayAnswer(20_000, 14_000))
      assert.isTrue(replica.mayAnswer(20_001, 14_000))
      assert.isTrue(replica.mayAnswer(1, 14_001))
    })
  )
})

/** A server and its replica. */
class Servers extends Context.Tag("Servers")<
  Servers,
  {
    readonly primary: EmbeddedPostgres
    readonly replica: EmbeddedPostgres
  }
>() {}

const connectionOf = ({ database, host, port, user }: EmbeddedPostgres) => ({ database, host, port, user })

const onServer = async (server: EmbeddedPostgres, statement: string) => {
  const client = new pg.Client(connectionOf(server))
  await client.connect()
  await client.query(statement)
  await client.end()
}

const settings = { fsync: false, synchronous_commit: false, shared_buffers: "16MB", wal_level: "replica" }

const ServersLive = Layer.scoped(
  Servers,
  Effect.gen(function* () {
    const root = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const directory = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "pg-replica-")))
        await fs.chmod(directory, 0o755)
        return directory
      }),
      (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true, maxRetries: 5 }))
    )
    const [primaryDir, replicaDir] = [path.join(root, "primary"), path.join(root, "replica")]
    yield* Effect.scoped(acquire({ dataDir: primaryDir, settings }))
    yield* Effect.promise(async () => {
      await fs.mkdir(replicaDir)
      await promisify(execFile)("cp", ["-a", path.join(primaryDir, "cluster"), replicaDir])
      await fs.writeFile(path.join(replicaDir, "cluster", "standby.signal"), "")
    })
    const primary = yield* acquire({ dataDir: primaryDir, settings })
    yield* Effect.promise(async () => {
      await fs.appendFile(path.join(primaryDir, "cluster", "pg_hba.conf"), "local replication all trust\n")
      await onServer(primary, "select pg_reload_conf()")
    })
    const followed = {
      wal_retrieve_retry_interval: "100ms",
      primary_conninfo: `host=${primary.host} port=${primary.port} user=${primary.user}`
    }
    const replica = yield* acquire({ dataDir: replicaDir, settings: { ...settings, ...followed } })
    return { primary, replica }
  })
)

const Database = DatabaseLayer.pipe(
  Layer.provide(
    Layer.effect(
      DatabaseLocation,
      Effect.map(Servers, ({ primary, replica }) => ({
        connection: connectionOf(primary),
        poolSize: 2,
        replica: { connection: connectionOf(replica), longestLagSeconds: 1 }
      }))
    )
  ),
  Layer.provideMerge(ServersLive)
)

const caller = (accountId: number) => Caller.forTask(AccountId.make(accountId), "paid", "test")

const isReplica = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ readonly is: boolean }>`select pg_is_in_recovery() as is`, ([row]) => row?.is === true)
)

const until = (expected: boolean) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.readLagging(isReplica)).pipe(
    Effect.repeat({ until: (answered) => answered === expected, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("20 seconds")
  )

layer(Database, { excludeTestServices: true })("with a server that follows", (it) => {
  it.effect("what may lag is asked there, and nothing else", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      yield* until(true)
      assert.isFalse(yield* unit.read(isReplica))
      assert.isFalse(yield* unit.write(isReplica))
      assert.isFalse(yield* unit.readLagging(unit.read(isReplica)))
    })
  )

  it.effect("an account sees what it wrote, while others are answered there", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const sql = yield* SqlClient
      yield* unit.write(sql`create table note (word text)`)
      const words = unit.readLagging(Effect.map(sql<{ word: string }>`select word from note`, (rows) => rows.length))
      yield* until(true).pipe(as(caller(2)))
      for (let writes = 1; writes <= 5; writes++) {
        yield* as(caller(1))(unit.write(sql`insert into note values ('a word')`))
        assert.strictEqual(yield* as(caller(1))(words), writes)
      }
      assert.isFalse(yield* as(caller(1))(unit.readLagging(isReplica)))
      yield* until(true).pipe(as(caller(2)))
    })
  )

  it.effect("it is passed over while it is too far behind, and asked again once it has come after", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const sql = yield* SqlClient
      const { replica } = yield* Servers
      const ask = (statement: string) => Effect.promise(() => onServer(replica, statement))
      yield* until(true)
      yield* ask("select pg_wal_replay_pause()")
      yield* as(caller(1))(unit.write(sql`create table missing ()`))
      yield* until(false)
      assert.strictEqual((yield* unit.readLagging(sql`select count(*) from missing`)).length, 1)
      yield* ask("select pg_wal_replay_resume()")
      yield* until(true)
    })
  )

  it.effect("it is not asked any more once it is a primary itself", () =>
    Effect.gen(function* () {
      const { replica } = yield* Servers
      yield* until(true)
      yield* Effect.promise(() => onServer(replica, "select pg_promote()"))
      const unit = yield* UnitOfWork
      const sql = yield* SqlClient
      yield* unit.write(sql`create table later ()`)
      yield* unit
        .readLagging(sql<{ readonly found: string | null }>`select to_regclass('later')::text as found`)
        .pipe(
          Effect.repeat({ until: ([row]) => row?.found === "later", schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("20 seconds")
        )
    })
  )
})

describe("a statement that the replica does not answer", () => {
  const answering = (effect: Effect.Effect<ReadonlyArray<object>, SqlError>): Connection => ({
    execute: () => effect,
    executeRaw: () => effect,
    executeValues: () => Effect.succeed([]),
    executeUnprepared: () => effect,
    executeStream: () => Stream.empty
  })
  const fine = Effect.succeed([{ from: "primary" }])

  for (const [what, cause, isAskedAgain] of [
    ["is gone", { code: "ECONNREFUSED" }, true],
    ["shuts down", { code: "57P01" }, true],
    ["took what it read for its replay", { code: "40001" }, true],
    ["took too long", { code: "57014" }, false],
    ["has no turn", new Overloaded(), false],
    ["finds it wrong", { code: "42P01" }, false]
  ] as const) {
    it.effect(`since it ${what} is ${isAskedAgain ? "asked the primary" : "not asked again"}`, () =>
      Effect.gen(function* () {
        const { replica } = at("0/10", "0/10")
        yield* Effect.promise(() => replica.look(10_000))
        const failing = answering(Effect.fail(new SqlError({ cause, message: "" })))
        const answer = yield* Effect.either(
          replicaConnection(failing, answering(fine), replica).execute("select 1", [], undefined)
        )
        assert.strictEqual(Either.isRight(answer), isAskedAgain)
        assert.strictEqual(replica.mayAnswer(1, 10_000), !isAskedAgain)
      })
    )
  }
})
