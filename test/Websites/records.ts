import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

const site = {
  language: "pt-br",
  name: "Café",
  tagline: "",
  theme: { layout: "harbour", brand: "#1d6fd1", palette: 0, typefaces: 0 },
  pages: [{ id: "home", path: "", label: "", title: "Café", description: "", blocks: [], variants: [] }],
  pictures: [],
  collections: [],
  campaign: null
}

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const website_id = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into website (account_id, application_type, description, title, language)
          values (${account}, 'Website', 'Café', 'Café', 'pt-br') returning website_id as id`
      )
      yield* sql`insert into website_name (name, account_id, website_id)
        values (${`cafe-${account}-${website_id}`}, ${account}, ${website_id})`
      const website_code_id = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into website_code (account_id, website_id, kind, prompt, request, site, finished_at)
          values (${account}, ${website_id}, 'generation', 'Café', '{}', ${JSON.stringify(site)}::jsonb, instant())
          returning website_code_id as id`
      )
      yield* sql`update website set published_code_id = ${website_code_id}
        where account_id = ${account} and website_id = ${website_id}`
      return { website_id, website_code_id, copy_from_website_id: website_id }
    }),
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
