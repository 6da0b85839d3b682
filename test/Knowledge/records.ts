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
          with job as (
            insert into background_job (account_id, kind) values (${account}, 'business_file_indexing') returning job_id
          )
          insert into business_file (account_id, title, given_text, content_digest, job_id)
          select ${account}, 'Prices', 'A plan costs 10.', sha256('prices'::bytea), job_id from job
          returning business_file_id as id`
      )
      return { business_file_id: file }
    })
}
