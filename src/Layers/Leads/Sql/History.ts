import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Json, Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** An entry of a lead's history that does not change its pipeline state. */
export interface HistoryEntry {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly event: string
  readonly actor: "owner" | "lead" | "platform"
  readonly reason: string | null
  readonly data: { readonly [key: string]: Json }
}

/** Adds an entry with the lead's present pipeline state. */
export const recordInHistory = (
  sql: SqlClient,
  { accountId, actor, data, event, leadId, reason }: HistoryEntry
): Effect.Effect<void, Transient> =>
  sql`
    insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, reason, data)
    select account_id, lead_id, ${event}, ${actor}, pipeline_state, pipeline_state, ${reason},
      ${JSON.stringify(data)}::jsonb
    from lead where account_id = ${accountId} and lead_id = ${leadId}`.pipe(Effect.asVoid, fromSql())
