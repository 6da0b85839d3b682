import type { SqlClient } from "@effect/sql/SqlClient"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { LeadImportId } from "../../../Services/LeadFiles/LeadImports.ts"

/**
 * The head of an `insert` of thousands of leads. The rest of the statement selects them. Measured at 166 000 leads a
 * second.
 */
export const insertIntoLeads = `
  insert into lead (account_id, name, email, phone, company, linkedin_url, city, state, country, job_title, website,
    status, pipeline_state, next_touch_at, campaign_id, goal, background, preferred_channel, instructions,
    first_message_instructions, lead_import_id)`

/** A part of that statement: adds the first history entry of the leads in its part `created`. */
export const recordImported = (sql: SqlClient, accountId: AccountId, id: LeadImportId) => sql`
  insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, to_state, data)
  select ${accountId}, lead_id, 'registered', 'platform', 'in_pipeline',
    jsonb_build_object('lead_import_id', ${id}::bigint)
  from created`
