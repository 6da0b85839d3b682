import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"

/** Instants are Unix milliseconds. */
interface RecordedLead {
  readonly id: number
  readonly campaign: number | null
  readonly state: string | null
  readonly cnae: string | null
  readonly industry: string | null
  readonly origin: string
  readonly status: string
  readonly pipelineState: string
  readonly outcome: string | null
  readonly isReferred: boolean
  readonly isContacted: boolean
  readonly hasReplied: boolean
  readonly createdAt: number
  readonly reviewAt: number | null
}

interface RecordedMessage {
  readonly id: number
  readonly lead: number
  readonly channel: "email" | "chatapp"
  readonly isInbound: boolean
  readonly type: string | null
  readonly at: number
  readonly messageId: string | null
  readonly inReplyTo: string | null
}

interface RecordedEntry {
  readonly lead: number
  readonly type: string
  readonly at: number
  readonly status: string | null
  readonly isOwners: boolean
  readonly value: number | null
}

interface RecordedEvent {
  readonly type: string
  readonly lead: number
  readonly at: number
  readonly isMove: boolean
}

interface RecordedMeeting {
  readonly id: number
  readonly lead: number
  readonly status: string
  readonly createdAt: number
  readonly cancelledAt: number | null
  readonly startsAt: number
}

interface RecordedRun {
  readonly id: number
  readonly campaign: number | null
  readonly ranAt: number
  readonly outcome: string
}

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/**
 * The rows of an account from which its reports are recomputed: leads, sent mail and replies, the leads' histories, the
 * event feed and meetings.
 */
export const reportRecords = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = <A extends object>(statement: string) => sql.unsafe<A>(statement, [accountId])
    const leads = yield* read<RecordedLead>(`
      select lead_id as id, campaign_id as campaign, state, cnae, industry, origin, status,
        pipeline_state as "pipelineState", final_outcome as outcome, referred_by_lead_id is not null as "isReferred",
        last_outbound_at is not null as "isContacted", last_inbound_at is not null as "hasReplied",
        ${millis("created_at")} as "createdAt", ${millis("review_requested_at")} as "reviewAt"
      from lead where account_id = $1`)
    const messages = yield* read<RecordedMessage>(`
      select email_message_id as id, lead_id as lead, 'email' as channel, direction = 'inbound' as "isInbound",
        message_type as type, ${millis("occurred_at")} as at, message_id as "messageId", in_reply_to as "inReplyTo"
      from email_message where account_id = $1 and lead_id is not null and occurred_at is not null
        and (status = 'sent' or direction = 'inbound') and not is_auto_reply
      union all
      select chatapp_message_id, lead_id, 'chatapp', direction = 'inbound', message_type, ${millis("occurred_at")}, null, null
      from chatapp_message where account_id = $1 and lead_id is not null and occurred_at is not null
        and (status in ('sent', 'delivered', 'read') or direction = 'inbound')
      order by at, id`)
    const entries = yield* read<RecordedEntry>(`
      select lead_id as lead, event_type as type, ${millis("created_at")} as at, actor = 'owner' as "isOwners",
        coalesce(data ->> 'to_status', data ->> 'status') as status, (data ->> 'deal_value_brl')::float8 as value
      from lead_lifecycle_event where account_id = $1 order by lead_lifecycle_event_id`)
    const events = yield* read<RecordedEvent>(`
      select event_type as type, (data ->> 'lead_id')::bigint as lead, ${millis("occurred_at")} as at,
        coalesce((data ->> 'moved')::boolean, false) as "isMove"
      from account_event where account_id = $1 and data ->> 'lead_id' is not null order by account_event_id`)
    const meetings = yield* read<RecordedMeeting>(`
      select meeting_id as id, lead_id as lead, status, ${millis("created_at")} as "createdAt",
        ${millis("cancelled_at")} as "cancelledAt", ${millis("starts_at")} as "startsAt"
      from meeting where account_id = $1`)
    const runs = yield* read<RecordedRun>(`
      select optimization_id as id, campaign_id as campaign, ${millis("ran_at")} as "ranAt", outcome
      from prospecting_optimization where account_id = $1 order by optimization_id desc`)
    const campaigns = yield* read<{ readonly id: number; readonly name: string }>(`
      select campaign_id as id, name from campaign where account_id = $1 order by campaign_id`)
    const answered = yield* read<{ readonly message: string }>(`
      select message from support_request where account_id = $1 and answered_at is not null order by answered_at desc`)
    const [account] = yield* read<{ readonly zone: string }>(
      "select time_zone as zone from account where account_id = $1"
    )
    return { leads, messages, entries, events, meetings, runs, campaigns, answered, zone: account?.zone ?? "UTC" }
  }).pipe(Effect.orDie)

export type ReportRecords = Effect.Effect.Success<ReturnType<typeof reportRecords>>

/** The records of one campaign's leads. Undefined means the whole account. */
export const recordsOf = (records: ReportRecords, campaign: number | undefined): ReportRecords => {
  if (campaign === undefined) return records
  const leads = records.leads.filter((lead) => lead.campaign === campaign)
  const ids = new Set(leads.map(({ id }) => id))
  const ofLeads = <A extends { readonly lead: number }>(rows: ReadonlyArray<A>) =>
    rows.filter(({ lead }) => ids.has(lead))
  return {
    ...records,
    leads,
    messages: ofLeads(records.messages),
    entries: ofLeads(records.entries),
    events: ofLeads(records.events),
    meetings: ofLeads(records.meetings),
    runs: records.runs.filter((run) => run.campaign === campaign)
  }
}
