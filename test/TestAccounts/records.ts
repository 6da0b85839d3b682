import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const key = `${account}`.padStart(10, "0")
      const testAccount = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into test_account (account_id, key, name, plan, starts_at, token_hash)
          values (${account}, ${key}, 'Integration', 'paid', now(), sha256(${key}::bytea))
          returning test_account_id as id`
      )
      return { test_account_id: testAccount }
    }),
  neverOfLead: ["test_account.*"]
}
