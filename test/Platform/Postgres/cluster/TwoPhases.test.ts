import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { unknownCluster } from "../../../../src/Layers/Platform/Postgres/cluster/Cluster.ts"
import { DatabaseLocation } from "../../../../src/Layers/Platform/Postgres/Database.ts"
import { makePool } from "../../../../src/Layers/Platform/Postgres/pool/Pool.ts"
import { isCluster } from "../../../support/isCluster.ts"
import { TestDatabaseLocation } from "../../../support/TestDatabase.ts"

layer(TestDatabaseLocation, { excludeTestServices: true })("a transaction of a cluster", (it) => {
  /** The command with which the coordinator ends a transaction of these statements on the account's node. */
  const endOf = (...statements: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => makePool({ connection, size: 1, applicationName: "phases", spread: unknownCluster() })),
        (openClient) => Effect.promise(() => openClient.end())
      )
      return yield* Effect.promise(async () => {
        const session = await pool.connect()
        const notices: Array<string> = []
        try {
          await session.query("create table if not exists coordinators_own (number integer)")
          await session.query(
            "insert into account (account_id, name, handle, plan) overriding system value values (1, 'A', 'a', 'paid') on conflict do nothing"
          )
          await session.query("set citus.log_remote_commands = on")
          await session.query("set client_min_messages = notice")
          session.on("notice", ({ message = "" }) => {
            const end = /^issuing (PREPARE TRANSACTION|COMMIT PREPARED|COMMIT)/.exec(message)?.[1]
            if (end !== undefined) notices.push(end)
          })
          await session.query("BEGIN")
          for (const statement of statements) await session.query(statement)
          await session.query("COMMIT")
        } finally {
          session.release()
        }
        return notices
      })
    })
  const onNode = "insert into campaign (account_id, name) values (1, gen_random_uuid()::text)"
  const onCoordinator = "insert into coordinators_own values (1)"

  it.scoped.skipIf(!isCluster)(
    "that writes on a node and on the coordinator is prepared on the node, and no other is",
    () =>
      Effect.gen(function* () {
        const both = ["PREPARE TRANSACTION", "COMMIT PREPARED"]
        assert.deepStrictEqual(yield* endOf(onNode, onCoordinator), both)
        assert.deepStrictEqual(yield* endOf(onCoordinator, onNode), both)
        assert.deepStrictEqual(yield* endOf(onNode, onNode), ["COMMIT"])
        assert.deepStrictEqual(yield* endOf(onCoordinator), [])
      })
  )
})
