import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  needs: ["lead_id"],
  make: (account, idOf) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const meeting = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
          values (${account}, ${idOf("lead_id")}, 'A call', instant(), instant() + interval '30 minutes', 'conversation')
          returning meeting_id as id`
      )
      return { meeting_id: meeting }
    })
}
