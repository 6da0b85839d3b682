import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const append = (account: number, number: number) => ({
  text: "select append_account_events($1, $2::jsonb)",
  values: [account, JSON.stringify([{ type: "support_request_answered", data: { support_request_id: number } }])]
})

layer(TestDatabase)("the feed of an account on several nodes", (it) => {
  it.scoped("nobody passes a transaction that is prepared and not yet decided, whoever prepared it is gone", () =>
    Effect.gen(function* () {
      const { connection } = yield* DatabaseLocation
      const { accountId } = yield* makeAccount()
      const { accountId: other } = yield* makeAccount()
      const session = Effect.acquireRelease(
        Effect.promise(async () => {
          const client = new pg.Client(connection)
          await client.connect()
          return client
        }),
        (client) => Effect.promise(() => client.end())
      )
      const coordinator = yield* session
      const writer = yield* session
      const prepared = `feed_${accountId}_${Math.trunc(process.hrtime()[1])}`
      yield* Effect.promise(async () => {
        await coordinator.query("begin")
        await coordinator.query(append(accountId, 1))
        await coordinator.query(`prepare transaction '${prepared}'`)
      })
      const refusal = yield* Effect.promise(async () => {
        await writer.query("set lock_timeout = '100ms'")
        // Another account's feed goes on.
        await writer.query(append(other, 1))
        return writer.query(append(accountId, 2)).then(
          () => undefined,
          (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error)
        )
      })
      assert.strictEqual(refusal, "55P03")
      const events = yield* Effect.promise(async () => {
        await writer.query(`commit prepared '${prepared}'`)
        await writer.query(append(accountId, 2))
        const { rows } = await writer.query<{ number: number }>(
          `select (data ->> 'support_request_id')::int as number from account_event
           where account_id = $1 order by account_event_id`,
          [accountId]
        )
        return rows.map(({ number }) => number)
      })
      assert.deepStrictEqual(events, [1, 2])
    })
  )
})
