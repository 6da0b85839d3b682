import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const token = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into access_token (account_id, token_hash) values (${account}, sha256(${`t${account}`}::bytea))
          returning access_token_id as id`
      )
      return { token_id: token }
    })
}
