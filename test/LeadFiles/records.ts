import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const leadImport = returnedId(
        yield* sql<{ readonly id: number }>`
          with job as (
            insert into background_job (account_id, kind) values (${account}, 'lead_import') returning job_id
          )
          insert into lead_import (account_id, job_id, source_name, lead_status)
          select ${account}, job_id, 'leads.csv', 'Cold' from job
          returning lead_import_id as id`
      )
      return { lead_import_id: leadImport }
    })
}
