import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { AuditLogPostgres } from "../../../../src/Layers/Accounts/AuditLogPostgres.ts"
import { DatabaseLocation, DatabasePools } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { makeLookupBatcher } from "../../../../src/Layers/Platform/Postgres/grouped/LookupBatcher.ts"
import { fromSql, transientOf } from "../../../../src/Layers/Platform/Postgres/Sql.ts"
import { AuditTrail, noFilter } from "../../../../src/Services/Accounts/AuditTrail.ts"
import type { AccountId } from "../../../../src/Services/Accounts/Ids.ts"
import { AuditLog } from "../../../../src/Services/Core/AuditLog.ts"
import { UnitOfWork } from "../../../../src/Services/Core/Calls/UnitOfWork.ts"
import { isCluster } from "../../../support/isCluster.ts"
import { SealingOfTests } from "../../../support/SealingOfTests.ts"
import { makeAccount } from "../../../support/TestAccount.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"

const untraced = Effect.withTracerEnabled(false)

/** Look-ups that fail if two are in one statement, as when the node of one of them is down. */
const apart = makeLookupBatcher({
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
      if (!isCluster) {
        assert.deepStrictEqual((yield* both).map(Exit.isSuccess), [false, false])
      }
      spread.isCluster = true
      assert.deepStrictEqual(yield* both, [Exit.succeed(Option.some(1)), Exit.succeed(Option.some(2))])
    }).pipe(untraced)
  )
})

const AuditedDatabase = AuditLogPostgres.pipe(Layer.provide(SealingOfTests), Layer.provideMerge(TestDatabase))

layer(AuditedDatabase, { excludeTestServices: true })("the audit log", (it) => {
  it.effect("has the entries of all whose node is there, and later those of the others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const log = yield* AuditLog
      const trail = yield* AuditTrail
      const { spread } = yield* DatabasePools
      spread.isCluster = true
      const { accountId: lost } = yield* makeAccount()
      const { accountId: other } = yield* makeAccount()
      const call = (accountId: AccountId, requestId: string) =>
        log.record({
          accountId,
          requestId,
          at: Date.now(),
          tokenId: undefined,
          tool: "update_user_name",
          argumentNames: ["name"],
          outcome: "Success",
          reason: undefined,
          milliseconds: 1,
          changes: []
        })
      const entriesOf = (accountId: AccountId) =>
        Effect.map(trail.list(accountId, noFilter, { limit: 10, before: undefined }), (calls) =>
          calls.map(({ call: { request_id } }) => request_id).toSorted()
        )
      // Simulates a lost node: nothing of this account can be written.
      yield* sql
        .unsafe(`
        set local citus.enable_unsafe_triggers to on;
        create function node_is_away() returns trigger language plpgsql as $$ begin
          if new.account_id = ${lost} then raise exception 'the node is away' using errcode = 'connection_failure'; end if;
          return new;
        end $$;
        create trigger node_is_away before insert on audit_entry for each row execute function node_is_away()`)
        .pipe(sql.withTransaction)
      call(lost, "r-1")
      call(other, "r-2")
      call(lost, "r-3")
      yield* trail.flush
      assert.deepStrictEqual(yield* entriesOf(other), ["r-2"])
      assert.deepStrictEqual(yield* entriesOf(lost), [])
      yield* sql`drop function node_is_away cascade`
      call(other, "r-4")
      yield* trail.flush
      assert.deepStrictEqual(yield* entriesOf(other), ["r-2", "r-4"])
      assert.deepStrictEqual(yield* entriesOf(lost), ["r-1", "r-3"])
    })
  )
})

layer(TestDatabase, { excludeTestServices: true })("a change", (it) => {
  it.effect.skipIf(!isCluster)(
    "is made again by itself where the coordinator's way to the worker was broken, as after its return",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const unit = yield* UnitOfWork
        const { connection } = yield* DatabaseLocation
        const { accountId } = yield* makeAccount()
        const change = unit.write(sql`insert into lead_follower (account_id) values (${accountId})`.pipe(fromSql()))
        const remove = unit.write(sql`delete from lead_follower where account_id = ${accountId}`.pipe(fromSql()))
        yield* change
        const lose = Effect.promise(async () => {
          for (const port of inject("postgres").workerPorts) {
            const client = new pg.Client({ ...connection, port })
            await client.connect()
            await client.query(
              "select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
            )
            await client.end()
          }
        })
        for (let times = 0; times < 5; times++) {
          yield* lose
          yield* remove
          yield* lose
          yield* change
        }
      })
  )
})

describe("a worker that goes away under a statement", () => {
  const isLostBy = (message: string) =>
    transientOf(new SqlError({ cause: Object.assign(new Error(message), { code: "XX000" }), message: "Failed" }))
      ?.reason

  it.each([
    "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
    "no connection to the server",
    "failure on connection marked as essential: 10.0.0.2:5432",
    "could not receive data from server: Connection reset by peer",
    "SSL SYSCALL error: EOF detected",
    "SSL connection has been closed unexpectedly",
    "could not establish any connections to the node 10.0.0.2:5432 after 30000 ms"
  ])("is for a caller to try again: %s", (message) => {
    assert.strictEqual(isLostBy(message), "database_unavailable")
  })

  it("is nothing else that the server calls an internal error", () => {
    assert.isUndefined(isLostBy("cache lookup failed for relation 4711"))
  })
})
