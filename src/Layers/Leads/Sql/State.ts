import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { CustomerFileId } from "../../../Services/Files/Ids.ts"
import type { LeadId, LeadStatus } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { recordLeadChange } from "../Sql.ts"
import { countChanged, countedColumns } from "./Counters.ts"
import { isLead, type LeadKey } from "./Schedule.ts"

/** Sets a lead's status after its reply on a channel, and adds the change to the history. */
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
      update lead l set status = ${status}, was_interested = l.was_interested or ${status === "Interested"} from before
      where l.account_id = ${accountId} and l.lead_id = ${leadId}
      returning ${sql.literal(countedColumns("l"))}, before.status as status_before
    ), ${sql.literal(countChanged)}, ${sql.literal(recordLeadChange("changed"))}
    insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
    select account_id, lead_id, 'status_changed', 'platform', pipeline_state, pipeline_state,
      jsonb_build_object('from_status', status_before, 'to_status', ${status}::text, 'channel', ${channel}::text)
    from changed`.pipe(Effect.asVoid, fromSql())

/** Sets a lead that never replied to `Frozen` when its cadence has ended. A reply or a person reactivates it. */
export const freezeAfterCadence = (sql: SqlClient, { accountId, leadId }: LeadKey): Effect.Effect<void, Transient> =>
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

interface LastMessage {
  readonly channel: "email" | "chatapp" | "voice"
  readonly kind: string | null
}

/**
 * Stores the last message of the leads. `whose` is a condition on the leads `l`, and `what` a table with their channel
 * and kind. It is joined after the leads are locked, because a cluster cannot read a list from a part that locks rows.
 */
const writeLastMessage = (
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
    ), ${sql.literal(countChanged)}${sql.literal(direction === "inbound" ? `, ${recordLeadChange("changed")}` : "")}
    select from changed`.pipe(Effect.asVoid, fromSql())

/**
 * Records that these leads received or sent a message now. The leads are distinct and may belong to several accounts.
 */
export const recordLastMessages = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  direction: "outbound" | "inbound",
  leads: ReadonlyArray<LeadKey & LastMessage>
): Effect.Effect<void, Transient> =>
  Effect.suspend(() =>
    Effect.forEach(
      unit.perAccount(leads),
      (chunk) => {
        const accounts = sql`${chunk.map(({ accountId }) => accountId)}::bigint[]`
        const ids = sql`${chunk.map(({ leadId }) => leadId)}::bigint[]`
        const isSingleAccount = new Set(chunk.map(({ accountId }) => accountId)).size === 1
        return writeLastMessage(sql, direction, {
          whose: isSingleAccount
            ? sql`l.account_id = any (${accounts}) and l.lead_id = any (${ids})`
            : sql`(l.account_id, l.lead_id) in (select * from unnest(${accounts}, ${ids}))`,
          what: sql`unnest(${accounts}, ${ids}, ${chunk.map(({ channel }) => channel)}::text[],
            ${chunk.map(({ kind }) => kind)}::text[])`
        })
      },
      { discard: true }
    )
  )

/** Marks the app as closed to the lead since that time, or from now on. A later time is kept. */
export const chatAppFailed = (
  sql: SqlClient,
  lead: LeadKey,
  at: Timestamp | null = null
): Effect.Effect<void, Transient> =>
  sql`
    update lead set chatapp_failed_at =
      greatest(chatapp_failed_at, least(coalesce(${at}::timestamptz, instant()), instant()))
    where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/**
 * Allows messages to the lead on the app again, unless the app was closed for it after `at`, because permissions can
 * arrive late.
 */
export const chatAppResumed = (sql: SqlClient, lead: LeadKey, at: Timestamp | null): Effect.Effect<void, Transient> =>
  sql`
    update lead set chatapp_failed_at = null
    where ${isLead(sql, lead)} and chatapp_failed_at <= coalesce(${at}::timestamptz, instant())`.pipe(
    Effect.asVoid,
    fromSql()
  )

/** Records the lead's latest reply and its class. The caller has locked the lead. */
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

/**
 * Marks an address as failed for all leads that have it. Returns the leads that are still to be contacted and have no
 * other channel.
 */
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

/** `digest` identifies the data that the presentation was made from. */
export const setPresentation = (
  sql: SqlClient,
  lead: LeadKey,
  file: CustomerFileId,
  digest: Uint8Array
): Effect.Effect<void, Transient> =>
  sql`update lead set presentation_file_id = ${file}, presentation_digest = ${digest} where ${isLead(sql, lead)}`.pipe(
    Effect.asVoid,
    fromSql()
  )
