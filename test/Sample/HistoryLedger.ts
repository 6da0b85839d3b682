import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"

/** A message to or from a lead. Instants are ISO 8601 with all digits, so they sort as text. */
export interface LedgerMessage {
  readonly lead: string
  readonly leadId: number
  readonly channel: "email" | "chatapp" | "voice"
  readonly direction: "outbound" | "inbound"
  readonly type: string | null
  readonly status: string
  /** When its touch was decided. Null if it belongs to no touch. */
  readonly decidedAt: string | null
  readonly createdAt: string
  readonly sendingAt: string | null
  /** Null if it was never sent. */
  readonly at: string | null
  readonly text: string
  readonly isMachine: boolean
  /** Whether it is a notice about a meeting. */
  readonly isNotice: boolean
}

export interface LedgerLead {
  readonly leadId: number
  readonly lead: string
  readonly origin: string
  readonly status: string
  readonly pipelineState: string
  readonly outcome: string | null
  readonly unsubscribedAt: string | null
  readonly lastOutboundAt: string | null
  readonly lastInboundAt: string | null
  readonly timeZone: string | null
  readonly state: string | null
  readonly phone: string | null
  readonly country: string | null
}

export interface LedgerEntry {
  readonly lead: string
  readonly leadId: number
  readonly event: string
  readonly from: string | null
  readonly to: string | null
  readonly at: string
}

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
/** What identifies a lead in any database. */
const name = "coalesce(l.email, l.phone)"

/** Everything that a history left, for checking its laws. */
export const ledgerOf = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = <A extends object>(statement: string) => sql.unsafe<A>(statement, [accountId])
    const messages = yield* read<LedgerMessage>(`
      select ${name} as lead, m.lead_id as "leadId", 'email' as channel, m.direction, m.message_type as type, m.status,
        ${instant("t.created_at")} as "decidedAt", ${instant("m.created_at")} as "createdAt",
        ${instant("m.sending_at")} as "sendingAt", ${instant("m.occurred_at")} as at, m.body_text as text,
        m.is_auto_reply as "isMachine", t.meeting_id is not null as "isNotice"
      from email_message m join lead l using (account_id, lead_id) left join touch t using (account_id, touch_id)
      where m.account_id = $1 and m.message_type is distinct from 'owner_notification'
      union all
      select ${name}, m.lead_id, 'chatapp', m.direction, m.message_type, m.status, ${instant("t.created_at")},
        ${instant("m.created_at")}, ${instant("m.sending_at")}, ${instant("m.occurred_at")}, m.body, false,
        t.meeting_id is not null
      from chatapp_message m join lead l using (account_id, lead_id) left join touch t using (account_id, touch_id)
      where m.account_id = $1
      union all
      select ${name}, m.lead_id, 'voice', 'outbound', 'follow_up', m.status, ${instant("t.created_at")},
        ${instant("m.created_at")}, ${instant("m.dialed_at")}, ${instant("m.dialed_at")}, coalesce(m.summary, ''), false, false
      from voice_call m join lead l using (account_id, lead_id) left join touch t using (account_id, touch_id)
      where m.account_id = $1
      order by at, lead, channel, text`)
    const leads = yield* read<LedgerLead>(`
      select lead_id as "leadId", ${name} as lead, origin, status, pipeline_state as "pipelineState", final_outcome as outcome,
        ${instant("unsubscribed_at")} as "unsubscribedAt", ${instant("last_outbound_at")} as "lastOutboundAt",
        ${instant("last_inbound_at")} as "lastInboundAt", time_zone as "timeZone", state, phone, country
      from lead l where account_id = $1 order by lead`)
    const entries = yield* read<LedgerEntry>(`
      select ${name} as lead, lead_id as "leadId", event_type as event, from_state as "from", to_state as "to",
        ${instant("e.created_at")} as at
      from lead_lifecycle_event e join lead l using (account_id, lead_id)
      where e.account_id = $1 order by lead_lifecycle_event_id`)
    const events = yield* read<{
      readonly type: string
      readonly at: string
      readonly moved: boolean | null
      readonly lead: string | null
    }>(`
      select event_type as type, ${instant("occurred_at")} as at, (e.data ->> 'moved')::boolean as moved,
        (select ${name} from lead l where l.account_id = e.account_id and l.lead_id = (e.data ->> 'lead_id')::bigint) as lead
      from account_event e where account_id = $1 order by account_event_id`)
    const meetings = yield* read<{ readonly lead: string; readonly status: string; readonly startsAt: string }>(`
      select ${name} as lead, m.status, ${instant("starts_at")} as "startsAt"
      from meeting m join lead l using (account_id, lead_id) where m.account_id = $1 order by meeting_id`)
    return { messages, leads, entries, events, meetings }
  }).pipe(Effect.orDie)

export type Ledger = Effect.Effect.Success<ReturnType<typeof ledgerOf>>

/** Unsubscribe links are signed with a separate key per account. Booking pages and events of the calendar have one. */
const unsigned = (text: string): string =>
  text
    .replace(/\/u\/[\w-]+/g, "/u/…")
    .replace(/\/sandbox\/scheduler\/\S+/g, "/sandbox/scheduler/…")
    .replace(/\/meet\.sandbox\.example\/\w+/g, "/meet.sandbox.example/…")

/** The ledger without what differs between databases. */
export const storyOf = ({ entries, events, leads, meetings, messages }: Ledger) => ({
  messages: messages.map(({ leadId: _, text, ...message }) => ({ ...message, text: unsigned(text) })),
  leads: leads.map(({ leadId: _, ...lead }) => lead),
  entries: entries.map(({ leadId: _, ...entry }) => entry),
  events,
  meetings
})
