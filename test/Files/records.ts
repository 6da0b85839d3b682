import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const file = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into customer_file (account_id, file_name, media_type, size_bytes, sha256, download_key)
          values (${account}, 'leads.csv', 'text/csv', 0, sha256(''::bytea), ${`key${account}`})
          returning customer_file_id as id`
      )
      return { customer_file_id: file, imported_from_file_id: file }
    })
}
