import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const page = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into website (account_id, application_type, description, title, language)
          values (${account}, 'LeadCapturePage', 'Café', 'Café', 'pt-br') returning website_id as id`
      )
      yield* sql`insert into website_name (name, account_id, website_id)
        values (${`pagina-${account}-${page}`}, ${account}, ${page})`
      yield* sql`
        insert into website_code (account_id, website_id, kind, prompt, request)
        values (${account}, ${page}, 'generation', 'Café', '{}')`
      return { lead_capture_page_id: page }
    })
}
