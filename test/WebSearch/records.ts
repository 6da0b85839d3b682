import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  needs: [],
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const search = returnedId(
        yield* sql<{ readonly id: number }>`
          with job as (
            insert into background_job (account_id, kind) values (${account}, 'online_search') returning job_id
          )
          insert into online_search (account_id, query, type, job_id)
          select ${account}, 'What does a plan cost?', 'Fast', job_id from job
          returning online_search_id as id`
      )
      return { online_search_id: search }
    })
}
