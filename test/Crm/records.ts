import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const field = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into crm_custom_field (account_id, field_name, field_value) values (${account}, 'Origem', 'Gateway')
          returning field_id as id`
      )
      return { field_id: field }
    })
}
