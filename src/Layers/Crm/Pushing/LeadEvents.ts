import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { fromMillis, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { LeadEvent } from "../../../Services/Crm/ConversationNotes.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { CrmPlace } from "./LeadFacts.ts"

/** The newest events of a lead that is sent. Older ones of a long conversation are left out. */
const mostEvents = 30
const longestText = 2000

const inUtc = (at: Timestamp): Timestamp => fromMillis(Date.parse(at))

/** Converts times in JSON from the database's format. */
const withTimesInUtc = ({ body, leadId }: UnnotedEvent): UnnotedEvent => ({
  leadId,
  body:
    body.kind === "meeting"
      ? { ...body, at: inUtc(body.at), startsAt: inUtc(body.startsAt), endsAt: inUtc(body.endsAt) }
      : { ...body, at: inUtc(body.at) }
})

/** An event of which the CRM has no note yet. */
export interface UnnotedEvent {
  readonly leadId: LeadId
  readonly body: LeadEvent
}

const eventsSql = (sql: SqlClient, accountId: AccountId, leadIds: ReadonlyArray<LeadId>) => {
  const isOf = (alias: string) =>
    sql`${sql(`${alias}.account_id`)} = ${accountId} and ${sql(`${alias}.lead_id`)} = any (${leadIds})`
  return sql`
    -- Without what a mail quotes: that holds the link by which the lead unsubscribes.
    select e.lead_id, 'mail ' || e.email_message_id as event, coalesce(e.occurred_at, e.created_at) as at,
      jsonb_build_object('kind', 'reply', 'channel', 'Email',
        'text', left(coalesce(e.reply_text, e.body_text, ''), ${longestText}::int)) as body
    from email_message e
    where ${isOf("e")} and e.direction = 'inbound' and e.status = 'received' and not e.is_auto_reply
    union all
    select m.lead_id, 'message ' || m.chatapp_message_id, m.created_at, jsonb_build_object('kind', 'reply',
      'channel', 'ChatApp', 'text', left(coalesce(m.reply_text, m.body, ''), ${longestText}::int))
    from chatapp_message m where ${isOf("m")} and m.direction = 'inbound'
    union all
    select g.lead_id, 'meeting ' || g.meeting_id, g.created_at, jsonb_build_object('kind', 'meeting',
      'title', g.title, 'startsAt', g.starts_at, 'endsAt', g.ends_at, 'url', g.meeting_url)
    from meeting g where ${isOf("g")}
    union all
    select g.lead_id, 'meeting ' || g.meeting_id || ' cancelled', g.cancelled_at,
      jsonb_build_object('kind', 'meeting_cancelled', 'title', g.title, 'text', g.cancel_reason)
    from meeting g where ${isOf("g")} and g.cancelled_at is not null
    union all
    select v.lead_id, 'call ' || v.voice_call_request_id, v.finished_at, jsonb_build_object('kind', 'call',
      'isAnswered', coalesce(v.was_picked_up, false), 'seconds', v.duration_seconds,
      'text', left(v.summary, ${longestText}::int))
    from voice_call v where ${isOf("v")} and v.status in ('completed', 'no_answer', 'busy') and v.kind <> 'simulation'
    union all
    select o.lead_id, 'outcome ' || o.lead_lifecycle_event_id, o.created_at, jsonb_build_object('kind', 'outcome',
      'outcome', substr(o.event_type, 9), 'text', o.reason, 'value', (o.data ->> 'deal_value_brl')::numeric)
    from lead_lifecycle_event o
    where ${isOf("o")} and o.event_type in ('outcome_won', 'outcome_lost', 'outcome_gave_up')`
}

/** The events of these leads that have no note at the CRM, oldest first. */
export const unnotedEvents = (
  sql: SqlClient,
  { accountId, crm, crmAccount }: CrmPlace,
  leadIds: ReadonlyArray<LeadId>
) =>
  sql<UnnotedEvent>`
    select n.lead_id as "leadId", n.body || jsonb_build_object('event', n.event, 'at', n.at) as body
    from (
      select e.*, row_number() over (partition by e.lead_id order by e.at desc, e.event) as place
      from (${eventsSql(sql, accountId, leadIds)}) e
    ) n
    where n.place <= ${mostEvents} and n.at is not null
      and not exists (select from crm_activity k where k.account_id = ${accountId} and k.crm = ${crm}
        and k.crm_account = ${crmAccount} and k.lead_id = n.lead_id and k.event = n.event)
      -- The CRM closed the deal itself.
      and not (n.body ->> 'kind' = 'outcome' and exists (select from crm_link d where d.account_id = ${accountId}
        and d.crm = ${crm} and d.crm_account = ${crmAccount} and d.lead_id = n.lead_id and d.kind = 'deal'
        and d.heard_outcome is not null))
    order by n.lead_id, n.at, n.event`.pipe(
    fromSql(),
    Effect.map((rows) => rows.map(withTimesInUtc))
  )
