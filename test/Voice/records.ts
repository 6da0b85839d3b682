import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const call = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into voice_call (account_id, kind, phone, goal)
          values (${account}, 'goal_driven', '+5511999990000', 'Ask')
          returning voice_call_request_id as id`
      )
      return { voice_call_request_id: call }
    })
}
