import { Effect } from "effect"
import { type BenchDatabase, createDatabase, openDatabase, serverAt } from "../support/BenchDatabase.ts"
import type { PostgresServer } from "../support/PostgresServer.ts"

type Node = Pick<PostgresServer, "host" | "port">

/**
 * Makes a database of `coordinator` the coordinator's database of a cluster of `workers`, with `shards` shards for
 * accounts. Its tables are not distributed yet.
 */
export const clusterDatabase = (coordinator: Node, workers: ReadonlyArray<Node>, name: string, shards: number) =>
  Effect.gen(function* () {
    const database = yield* openDatabase(serverAt(coordinator), name)
    const run = (client: BenchDatabase["client"], text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(() => client.query(text, [...values]))
    yield* run(database.client, "create extension citus")
    yield* run(database.client, "select citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port])
    for (const { host, port } of workers) {
      yield* createDatabase(serverAt({ host, port }), name)
      const there = openDatabase(serverAt({ host, port }), name)
      yield* Effect.scoped(Effect.flatMap(there, ({ client }) => run(client, "create extension citus")))
      yield* run(database.client, "select citus_add_node($1, $2)", [host, port])
    }
    yield* run(database.client, `alter database ${name} set citus.shard_count = ${shards}`)
    return database
  })
