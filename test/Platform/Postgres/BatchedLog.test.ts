import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeBatchedLog } from "../../../src/Layers/Platform/Postgres/BatchedLog.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

interface Entry {
  readonly at: number
  readonly accountId: number
  readonly text: string
}

const entryOf = (number: number): Entry => ({
  at: 0,
  accountId: 1,
  text: number % 100 === 7 ? `bad ${number}` : `entry ${number}`
})

layer(TestDatabase, { excludeTestServices: true })("a log in batches", (it) => {
  it.scoped("drops and counts the entries that the database refuses, and stores all others in their order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table logged (position bigint generated always as identity, text text not null check (text not like 'bad%'))`
      let isAway = true
      const log = yield* makeBatchedLog<Entry>({
        name: "requests",
        mostWaiting: 5000,
        pause: "1 hour",
        partitions: { make: () => Effect.void, forget: () => {}, keep: () => Effect.succeed([]) },
        write: (entries) => {
          const insert = sql`insert into logged (text) select * from unnest(${entries.map(({ text }) => text)}::text[])`
          // A table that is not there yet is a matter of time, not of the entry.
          return isAway ? sql`insert into not_there_yet values (1)` : insert
        }
      })
      const numbers = Array.from({ length: 1500 }, (_, index) => index)
      for (const number of numbers) assert.isTrue(log.record(entryOf(number)))
      yield* Effect.exit(log.flush)
      assert.lengthOf(yield* sql`select from logged`, 0)

      isAway = false
      yield* log.flush
      const rows = yield* sql<{ readonly text: string }>`select text from logged order by position`
      assert.deepStrictEqual(
        rows.map(({ text }) => text),
        numbers.filter((number) => number % 100 !== 7).map((number) => `entry ${number}`)
      )
      yield* log.flush
      assert.lengthOf(yield* sql`select from logged`, 1485)
    })
  )
})
