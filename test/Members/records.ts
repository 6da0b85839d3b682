import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const member = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into member (account_id, name, phone, email, created_at)
          values (${account}, 'Ana Prado', ${`+55119${account}`}, 'ana@team.example', instant())
          returning member_id as id`
      )
      return { member_id: member }
    })
}
