import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { RoomRecords } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [job] = yield* sql<{ readonly id: string }>`
        insert into background_job (account_id, kind) values (${account}, 'lead_export') returning job_id as id`
      return { job_id: { text: job?.id ?? "", unused: "01890000-0000-7000-8000-000000000000" } }
    })
}
