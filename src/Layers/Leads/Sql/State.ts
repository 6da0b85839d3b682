import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { CustomerFileId } from "../../../Services/Files/Ids.ts"
import type { LeadStatus } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { tellFollowers } from "../Sql.ts"
import { countChanged, countedColumns } from "./Counters.ts"
import { isLead, type LeadKey } from "./Schedule.ts"

/** Sets a lead's status by what it said on a channel, with its entry in the history. */
export const setStatusByReply = (
  sql: SqlClient,
  { accountId, leadId }: LeadKey,
  status: LeadStatus,
  channel: string
): Effect.Effect<void, Transient> =>
  sql`
    with before as (
      select ${sql.literal(countedColumns("b"))} from lead b
      where b.account_id = ${accountId} and b.lead_id = ${leadId} for update
    ), changed as (
      update lead l set status = ${status} from before
      where l.account_id = ${accountId} and l.lead_id = ${leadId}
      returning ${sql.literal(countedColumns("l"))}, before.status as status_before
    ), ${sql.literal(countChanged)}, ${sql.literal(tellFollowers("changed"))}
    insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
    select account_id, lead_id, 'status_changed', 'platform', pipeline_state, pipeline_state,
      jsonb_build_object('from_status', status_before, 'to_status', ${status}::text, 'channel', ${channel}::text)
    from changed`.pipe(Effect.asVoid, fromSql())

/** Something reached the lead, or came from it, now. */
export const heard = (
  sql: SqlClient,
  { accountId, leadId }: LeadKey,
  column: "last_outbound_at" | "last_inbound_at"
): Effect.Effect<void, Transient> =>
  sql`
    with before as (
      select ${sql.literal(countedColumns("l"))} from lead l
      where l.account_id = ${accountId} and l.lead_id = ${leadId} for no key update
    ), changed as (
      update lead l set ${sql(column)} = instant()
      from before where l.account_id = ${accountId} and l.lead_id = before.lead_id
      returning ${sql.literal(countedColumns("l"))}
    ), ${sql.literal(countChanged)}
    select from changed`.pipe(Effect.asVoid, fromSql())

/** The phone number of a lead takes no messages. */
export const chatAppFailed = (sql: SqlClient, lead: LeadKey): Effect.Effect<void, Transient> =>
  sql`update lead set chatapp_failed_at = instant() where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/** An address takes no mail: of every lead that has it. */
export const emailFailed = (sql: SqlClient, accountId: AccountId, address: string): Effect.Effect<void, Transient> =>
  sql`
    update lead set email_failed_at = instant()
    where account_id = ${accountId} and email = lower(${address}) and email_failed_at is null`.pipe(
    Effect.asVoid,
    fromSql()
  )

export const setPresentation = (sql: SqlClient, lead: LeadKey, file: CustomerFileId): Effect.Effect<void, Transient> =>
  sql`update lead set presentation_file_id = ${file} where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())
