import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records = {
  needs: [],
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const learning = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into prospecting_learning (account_id, learning_key, kind, content, summary, place, made_at)
          values (${account}, 'refusal_reason:price', 'refusal_reason', '3 leads said no because of the price.',
            '{"group": "the price", "sample_size": 3, "rate": null, "others": null, "probability_of_chance": null, "groups": []}',
            0, now())
          returning learning_id as id`
      )
      return { learning_id: learning }
    })
} satisfies RoomRecords
