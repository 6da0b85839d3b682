import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import type { CustomerFileId } from "../../../Services/Files/Ids.ts"
import type { LeadId, LeadStatus } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { recordLeadChange } from "../Sql.ts"
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
    ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}
    insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
    select account_id, lead_id, 'status_changed', 'platform', pipeline_state, pipeline_state,
      jsonb_build_object('from_status', status_before, 'to_status', ${status}::text, 'channel', ${channel}::text)
    from changed`.pipe(Effect.asVoid, fromSql())

/** The cadence ended without a word of the lead's: it is set aside, until it writes or a person brings it back. */
export const setAside = (sql: SqlClient, { accountId, leadId }: LeadKey): Effect.Effect<void, Transient> =>
  sql`
    with before as (
      select ${sql.literal(countedColumns("b"))} from lead b
      where b.account_id = ${accountId} and b.lead_id = ${leadId} and b.status in ('Pending', 'Cold')
        and b.pipeline_state = 'in_pipeline' and b.next_touch_at is null and b.last_inbound_at is null
      for no key update
    ), changed as (
      update lead l set status = 'Frozen' from before
      where l.account_id = ${accountId} and l.lead_id = before.lead_id
      returning ${sql.literal(countedColumns("l"))}, before.status as status_before
    ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}
    insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, reason, data)
    select account_id, lead_id, 'status_changed', 'platform', pipeline_state, pipeline_state, 'cadence_ended',
      jsonb_build_object('from_status', status_before, 'to_status', status)
    from changed`.pipe(Effect.asVoid, fromSql())

interface Heard {
  readonly channel: "email" | "chatapp" | "voice"
  readonly kind: string | null
}

/**
 * `whose` tells the leads `l`, and `what` is a table of them with the channel and the kind of what was heard. It is joined
 * once they are locked: what a cluster hands from a part that locks rows and reads a list it cannot read back.
 */
const hear = (
  sql: SqlClient,
  direction: "outbound" | "inbound",
  { what, whose }: { readonly whose: Fragment; readonly what: Fragment }
): Effect.Effect<void, Transient> =>
  sql`
    with before as (
      select ${sql.literal(countedColumns("l"))} from lead l where ${whose} for no key update
    ), changed as (
      update lead l set ${sql(`last_${direction}_at`)} = instant(), last_message_direction = ${direction},
        last_message_channel = what.channel, last_message_kind = what.kind
      from before join ${what} as what (account_id, lead_id, channel, kind)
        on what.account_id = before.account_id and what.lead_id = before.lead_id
      where l.account_id = before.account_id and l.lead_id = before.lead_id
      returning ${sql.literal(countedColumns("l"))}
    ), ${sql.literal(countChanged)}
    select from changed`.pipe(Effect.asVoid, fromSql())

/** Something reached these leads, or came from them, now. The leads are different ones, of any accounts. */
export const heard = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  direction: "outbound" | "inbound",
  leads: ReadonlyArray<LeadKey & Heard>
): Effect.Effect<void, Transient> =>
  Effect.suspend(() =>
    Effect.forEach(
      unit.perAccount(leads),
      (part) => {
        const accounts = sql`${part.map(({ accountId }) => accountId)}::bigint[]`
        const ids = sql`${part.map(({ leadId }) => leadId)}::bigint[]`
        const isOfOne = new Set(part.map(({ accountId }) => accountId)).size === 1
        return hear(sql, direction, {
          whose: isOfOne
            ? sql`l.account_id = any (${accounts}) and l.lead_id = any (${ids})`
            : sql`(l.account_id, l.lead_id) in (select * from unnest(${accounts}, ${ids}))`,
          what: sql`unnest(${accounts}, ${ids}, ${part.map(({ channel }) => channel)}::text[],
            ${part.map(({ kind }) => kind)}::text[])`
        })
      },
      { discard: true }
    )
  )

/** The phone number of a lead takes no messages. */
export const chatAppFailed = (sql: SqlClient, lead: LeadKey): Effect.Effect<void, Transient> =>
  sql`update lead set chatapp_failed_at = instant() where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/** What the lead said last, as it was read; the caller holds the lead. */
export const noteReply = (
  sql: SqlClient,
  lead: LeadKey,
  replyClass: string,
  at: Timestamp
): Effect.Effect<void, Transient> =>
  sql`
    update lead set last_reply_at = greatest(last_reply_at, ${at}::timestamptz),
      last_reply_class = case when ${at}::timestamptz >= coalesce(last_reply_at, '-infinity') then ${replyClass}
        else last_reply_class end,
      last_message_kind = case when last_message_direction = 'inbound' then ${replyClass} else last_message_kind end
    where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/** An address takes no mail: of every lead that has it. Answers those that are still to be contacted and have no other way. */
export const emailFailed = (
  sql: SqlClient,
  accountId: AccountId,
  address: string
): Effect.Effect<ReadonlyArray<LeadId>, Transient> =>
  sql<{ readonly leadId: LeadId; readonly isUnreachable: boolean }>`
    update lead l set email_failed_at = instant()
    where l.account_id = ${accountId} and l.email = lower(${address}) and l.email_failed_at is null
    returning l.lead_id as "leadId", l.pipeline_state <> 'finished' and l.unsubscribed_at is null
      and (l.phone is null or exists (select from blacklist_match(l.account_id, null, l.phone))) as "isUnreachable"`.pipe(
    Effect.map((rows) => rows.flatMap(({ isUnreachable, leadId }) => (isUnreachable ? [leadId] : []))),
    fromSql()
  )

export const setPresentation = (sql: SqlClient, lead: LeadKey, file: CustomerFileId): Effect.Effect<void, Transient> =>
  sql`update lead set presentation_file_id = ${file} where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())
