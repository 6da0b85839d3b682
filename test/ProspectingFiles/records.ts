import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  needs: [],
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const file = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into prospecting_file (account_id, title, description, is_description_generated, url)
          values (${account}, 'Catalogue', 'All products.', false, 'https://client.example/catalogue.pdf')
          returning prospecting_file_id as id`
      )
      return { prospecting_file_id: file }
    })
}
