import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/RoomRecords.ts"

export const records: RoomRecords = {
  makeRowsOfLead: (account, lead) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const site = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into website (account_id, application_type, description, title, language)
          values (${account}, 'LeadCapturePage', 'Café', 'Café', 'pt-br') returning website_id as id`
      )
      yield* sql`
        insert into site_record (account_id, website_id, collection, outcome, lead_id, filled, page_id, variant,
          is_embedded, consent_version, consent_text, consented_at, was_confirmed)
        values (${account}, ${site}, 'contato', 'created', ${lead}, '{}', 'home', 'a', false, '1', '', instant(), false)`
      yield* sql`
        insert into site_sign_in (account_id, website_id, sign_in, email, code_digest, expires_at)
        select account_id, ${site}, 'a', email, '', instant() from lead
        where account_id = ${account} and lead_id = ${lead} and email is not null`
      yield* sql`
        insert into site_session (account_id, website_id, session_digest, email, expires_at)
        select account_id, ${site}, '', email, instant() from lead
        where account_id = ${account} and lead_id = ${lead} and email is not null`
    }),
  neverOfLead: [
    "site_form_use.*",
    "site_form_count.*",
    "site_sign_in.sign_in",
    "site_sign_in.code_digest",
    "site_session.session_digest"
  ]
}
