import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { isCluster } from "../support/isCluster.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const append = (account: number, number: number) => ({
  text: "select append_account_events($1, $2::jsonb)",
  values: [account, JSON.stringify([{ type: "support_request_answered", data: { support_request_id: number } }])]
})

/** Where the rows of the account's feed lie on a cluster, and the number of an event that is to come. */
const placeOf = async (coordinator: pg.Client, account: number) => {
  const { rows } = await coordinator.query<{ readonly port: number; readonly lock: string; readonly event: string }>(
    `select l.nodeport as port, l.shard_name as lock, e.shard_name as event from citus_shards l, citus_shards e
     where l.shardid = get_shard_id_for_distribution_column('account_lock', $1::bigint)
       and e.shardid = get_shard_id_for_distribution_column('account_event', $1::bigint)`,
    [account]
  )
  const numbers = await coordinator.query<{ readonly id: string }>(
    "select nextval(pg_get_serial_sequence('account_event', 'account_event_id')) as id"
  )
  const [place] = rows
  if (place === undefined) throw new Error("the feed is on no node")
  return { ...place, id: numbers.rows[0]?.id }
}

layer(TestDatabase)("the feed of an account on several nodes", (it) => {
  it.scoped("nobody passes a transaction that is prepared and not yet decided, whoever prepared it is gone", () =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const { accountId } = yield* makeAccount()
      const { accountId: other } = yield* makeAccount()
      const sessionAt = (port = connection.port) =>
        Effect.acquireRelease(
          Effect.promise(async () => {
            const client = new pg.Client({ ...connection, ...(port === undefined ? {} : { port }) })
            await client.connect()
            return client
          }),
          (client) => Effect.promise(() => client.end())
        )
      const coordinator = yield* sessionAt()
      const writer = yield* sessionAt()
      const prepared = `feed_${accountId}_${Math.trunc(process.hrtime()[1])}`
      yield* Effect.promise(() => writer.query(append(accountId, 0)))
      const place = isCluster ? yield* Effect.promise(() => placeOf(coordinator, accountId)) : undefined
      const node = place === undefined ? coordinator : yield* sessionAt(place.port)
      yield* Effect.promise(async () => {
        await node.query("begin")
        if (place === undefined) await node.query(append(accountId, 1))
        else {
          // What a coordinator that is gone leaves on the account's node; it alone may prepare what it began.
          await node.query(`set local citus.enable_manual_changes_to_shards to on`)
          await node.query(`select from ${place.lock} where account_id = $1 and turn = 'feed' for no key update`, [
            accountId
          ])
          await node.query(
            `insert into ${place.event} (account_id, account_event_id, event_key, event_type, data, occurred_at)
             values ($1, $2, gen_random_uuid(), 'support_request_answered', $3, now())`,
            [accountId, place.id, JSON.stringify({ support_request_id: 1 })]
          )
        }
        await node.query(`prepare transaction '${prepared}'`)
      })
      const refusal = yield* Effect.promise(async () => {
        // Another account's feed goes on.
        await writer.query(append(other, 1))
        await writer.query("begin")
        await writer.query("set local citus.propagate_set_commands = 'local'")
        await writer.query("set local lock_timeout = '100ms'")
        const asked = await writer.query(append(accountId, 2)).then(
          () => undefined,
          (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error)
        )
        await writer.query("rollback")
        return asked
      })
      assert.strictEqual(refusal, "55P03")
      const events = yield* Effect.promise(async () => {
        await node.query(`commit prepared '${prepared}'`)
        await writer.query(append(accountId, 2))
        const { rows } = await writer.query<{ number: number }>(
          `select (data ->> 'support_request_id')::int as number from account_event
           where account_id = $1 order by account_event_id`,
          [accountId]
        )
        return rows.map(({ number }) => number)
      })
      assert.deepStrictEqual(events, [0, 1, 2])
    })
  )
})
