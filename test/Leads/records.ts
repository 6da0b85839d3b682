import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lead = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into lead (account_id, name, email, status, pipeline_state)
          values (${account}, 'Ana Souza', ${`ana${account}@example.com`}, 'Cold', 'in_pipeline')
          returning lead_id as id`
      )
      return { lead_id: lead, after_lead_id: lead, referring_lead_id: lead, lead_ids: lead }
    }),
  makeRowsOfLead: (account, lead) =>
    Effect.flatMap(
      SqlClient,
      (sql) => sql`
        insert into lead_capture (account_id, lead_id, website_id, page, url, variant, marketing_consent)
        values (${account}, ${lead}, 1, 'Contato', 'https://site.example', 'a', false)`
    )
}
