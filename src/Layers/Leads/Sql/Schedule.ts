import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import type { Locking } from "../../Platform/Postgres/grouped/GroupedTransactions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

export interface LeadKey {
  readonly accountId: AccountId
  readonly leadId: LeadId
}

export const isLead = (sql: SqlClient, { accountId, leadId }: LeadKey) =>
  sql`account_id = ${accountId} and lead_id = ${leadId}`

/**
 * Locks leads in the order that all transactions use. Returns for each item whether it may proceed: its lead is locked,
 * or it has no lead. With `skip`, leads that another transaction holds or that do not exist return false.
 */
export const lockLeads = (
  sql: SqlClient,
  items: ReadonlyArray<{ readonly accountId: AccountId; readonly leadId: LeadId | null }>,
  locking: Locking
): Effect.Effect<ReadonlyArray<boolean>, Transient> => {
  const places = items.flatMap(({ leadId }, place) => (leadId === null ? [] : [place]))
  if (places.length === 0) return Effect.succeed(items.map(() => true))
  return sql<{ readonly place: number }>`
    select item.place
    from unnest(${places}::integer[], ${places.map((place) => items[place]?.accountId)}::bigint[],
        ${places.map((place) => items[place]?.leadId)}::bigint[]) as item (place, account_id, lead_id)
      join lead l on l.account_id = item.account_id and l.lead_id = item.lead_id
    order by l.account_id, l.lead_id for update of l ${sql.literal(locking === "skip" ? "skip locked" : "")}`.pipe(
    Effect.map((rows) => {
      const lockedPlaces = new Set(rows.map(({ place }) => place))
      return items.map(({ leadId }, place) => locking === "wait" || leadId === null || lockedPlaces.has(place))
    }),
    fromSql()
  )
}

/** A part of a statement: sets the next touch of the leads in its part `partName` to a day from now. */
export const postponeByADay = (partName: string): string => `
  update lead l set next_touch_at = instant() + interval '1 day'
  from ${partName} c where l.account_id = c.account_id and l.lead_id = c.lead_id`

/**
 * SQL condition: the owner or a reply of the lead set the present next touch. A claim moves the touch, so equality
 * means that it was set since then.
 */
const isSetByPerson = (lead: string): string =>
  `coalesce(${lead}.next_touch_at in (${lead}.next_touch_wished_at, ${lead}.next_touch_deferred_to), false)`

/** A part of a statement: makes the leads of its part `queued` due now, unless they are due earlier. */
export const scheduleQueued = (sql: SqlClient, accountId: AccountId) => sql`
  update lead l set next_touch_at = least(l.next_touch_at, instant()) from queued
  where l.account_id = ${accountId} and l.lead_id = queued.lead_id and l.pipeline_state = 'in_pipeline'`

/**
 * A part of a statement: sets or clears the next touch of a lead in the pipeline after a touch that sent nothing. A
 * time that a person set in between stays.
 */
export const nextTouch = (sql: SqlClient, lead: LeadKey, at: Timestamp | null) =>
  sql`update lead set next_touch_at = ${at}
    where ${isLead(sql, lead)} and pipeline_state = 'in_pipeline' and not ${sql.literal(isSetByPerson("lead"))}`

/** Sets the next touch of a lead in the pipeline, because it replied. */
export const deferTo = (sql: SqlClient, lead: LeadKey, at: Timestamp): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = ${at}, next_touch_deferred_to = ${at}
    where ${isLead(sql, lead)} and pipeline_state = 'in_pipeline'`.pipe(Effect.asVoid, fromSql())

/** Postpones the next touch of a lead in the pipeline that is away until `at`, unless it is later already. */
export const waitUntil = (sql: SqlClient, lead: LeadKey, at: Timestamp): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = greatest(next_touch_at, ${at}::timestamptz), next_touch_deferred_to = ${at}
    where ${isLead(sql, lead)} and pipeline_state = 'in_pipeline'`.pipe(Effect.asVoid, fromSql())

/** Makes a lead in the pipeline due within a day, unless a person set its next touch. */
export const scheduleWithinADay = (sql: SqlClient, lead: LeadKey): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = least(next_touch_at, instant() + interval '1 day')
    where ${isLead(sql, lead)} and pipeline_state = 'in_pipeline' and not ${sql.literal(isSetByPerson("lead"))}`.pipe(
    Effect.asVoid,
    fromSql()
  )

/** Makes leads in the pipeline due now, whatever their schedule. The query `leadIds` selects them. */
export const scheduleNow = (sql: SqlClient, accountId: AccountId, leadIds: Fragment): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = instant()
    where account_id = ${accountId} and lead_id in (${leadIds}) and pipeline_state = 'in_pipeline'`.pipe(
    Effect.asVoid,
    fromSql()
  )

/** Makes leads in the pipeline due now that have no next touch. */
export const scheduleUnscheduled = (
  sql: SqlClient,
  accountId: AccountId,
  leadIds: ReadonlyArray<LeadId>
): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = instant()
    where account_id = ${accountId} and lead_id = any (${leadIds}::bigint[]) and pipeline_state = 'in_pipeline'
      and next_touch_at is null`.pipe(Effect.asVoid, fromSql())

/** Makes leads in the pipeline due now, except those whose time a person set. The query `leadIds` selects them. */
export const makeDueUnlessScheduled = (
  sql: SqlClient,
  accountId: AccountId,
  leadIds: Fragment
): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_at = instant()
    where account_id = ${accountId} and lead_id in (${leadIds}) and pipeline_state = 'in_pipeline'
      and next_touch_at > instant() and not ${sql.literal(isSetByPerson("lead"))}`.pipe(Effect.asVoid, fromSql())

/** Counts a touch of each lead, and sets when the next one is due. */
export const countTouches = (
  sql: SqlClient,
  touches: ReadonlyArray<LeadKey & { readonly at: Timestamp | null }>
): Effect.Effect<void, Transient> =>
  sql`
    update lead l set touch_count = touch_count + 1,
      next_touch_at = case when ${sql.literal(isSetByPerson("l"))} then l.next_touch_at else next.at end
    from unnest(${touches.map(({ accountId }) => accountId)}::bigint[], ${touches.map(({ leadId }) => leadId)}::bigint[],
      ${touches.map(({ at }) => at)}::timestamptz[]) as next (account_id, lead_id, at)
    where l.account_id = next.account_id and l.lead_id = next.lead_id`.pipe(Effect.asVoid, fromSql())

/** Restarts the count of touches after the lead replied, in the language of the reply. */
export const restartTouches = (
  sql: SqlClient,
  lead: LeadKey,
  language: string | null
): Effect.Effect<void, Transient> =>
  sql`update lead set touch_count = 0, language = coalesce(${language}, language) where ${isLead(sql, lead)}`.pipe(
    Effect.asVoid,
    fromSql()
  )

/**
 * Removes a touch that did not happen from the count. The next touch is due at once or in an hour, unless the count was
 * restarted since.
 */
export const undoTouch = (
  sql: SqlClient,
  lead: LeadKey,
  touchNumber: number,
  isAtOnce: boolean
): Effect.Effect<void, Transient> => {
  const retryAt = sql`shifted(instant(), ${isAtOnce ? "0" : "1 hour"}::interval)`
  return sql`
    update lead set touch_count = case when touch_count = ${touchNumber} then touch_count - 1 else touch_count end,
      next_touch_at = case when pipeline_state <> 'in_pipeline' or ${sql.literal(isSetByPerson("lead"))} then next_touch_at
        when touch_count = ${touchNumber} then ${retryAt} else coalesce(next_touch_at, ${retryAt}) end
    where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())
}

export const setInstructions = (
  sql: SqlClient,
  lead: LeadKey,
  instructions: string | null
): Effect.Effect<void, Transient> =>
  sql`update lead set next_touch_instructions = ${instructions} where ${isLead(sql, lead)}`.pipe(
    Effect.asVoid,
    fromSql()
  )

/**
 * Clears the owner's context after it was used in a message. Text that the owner wrote since then stays for the next
 * touch.
 */
export const markContextUsed = (
  sql: SqlClient,
  lead: LeadKey,
  instructions: string | null,
  context: string | null
): Effect.Effect<void, Transient> =>
  sql`
    update lead set next_touch_instructions = ${instructions},
      owner_context = case when owner_context is distinct from ${context} then owner_context end
    where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/**
 * Resumes the conversation at `at` with the owner's context, which may be empty. With `restartsCount`, touches are
 * counted from zero. Without it, a touch that is scheduled stays.
 */
export const resumeConversation = (
  sql: SqlClient,
  lead: LeadKey,
  context: string,
  { at, restartsCount }: { readonly at: Timestamp; readonly restartsCount: boolean }
): Effect.Effect<void, Transient> =>
  sql`
    update lead set owner_context = ${context}, next_check_in_at = null,
      touch_count = case when ${restartsCount} then 0 else touch_count end,
      next_touch_at = case when ${restartsCount} then ${at} else coalesce(next_touch_at, ${at}) end
    where ${isLead(sql, lead)}`.pipe(Effect.asVoid, fromSql())

/**
 * Applies the owner's schedule to leads, and returns what happened to them. At most `maximum` leads are named per
 * outcome.
 */
export const reschedule = <Outcome extends object>(
  sql: SqlClient,
  accountId: AccountId,
  to: {
    /** A query of the leads' ids. */
    readonly leadIds: Fragment
    readonly nextTouchAt: Timestamp | null
    readonly preferredChannel: string | null
    readonly maximum: number
  }
): Effect.Effect<ReadonlyArray<Outcome>, Transient> => {
  const channel = to.preferredChannel
  const isReachable = sql`case
    when ${channel}::text = 'Email' then l.email is not null and l.email_failed_at is null
    when ${channel}::text = 'ChatApp' then l.phone is not null and l.chatapp_failed_at is null
    else false
  end`
  return sql<Outcome>`
    with wanted as (${to.leadIds}), held as (
      select l.lead_id, l.status, l.pipeline_state, l.last_inbound_at, l.last_outbound_at,
        -- A time that the engine chose becomes the owner's, which reads show of a lead that is not paused.
        ${to.nextTouchAt}::timestamptz is null or coalesce(l.next_touch_at = ${to.nextTouchAt}::timestamptz, false)
          and (l.paused_at is not null or coalesce(l.next_touch_wished_at = l.next_touch_at, false)) as keeps_time,
        l.preferred_channel is not distinct from ${channel} or not ${isReachable} as keeps_channel
      from lead l join wanted using (lead_id) where l.account_id = ${accountId}
      order by l.lead_id for update of l
    ), judged as (
      select w.lead_id, case
        when h.lead_id is null then 'lead_not_found'
        when h.pipeline_state <> 'in_pipeline' then h.pipeline_state
        when h.status = 'Rejected' then 'rejected'
        when h.status = 'Frozen' and coalesce(h.last_inbound_at <= h.last_outbound_at, h.last_inbound_at is null)
          then 'frozen'
        when h.keeps_time and h.keeps_channel then 'unchanged'
      end as reason
      from wanted w left join held h using (lead_id)
    ), updated as (
      update lead l set next_touch_at = coalesce(${to.nextTouchAt}::timestamptz, l.next_touch_at),
        next_touch_wished_at = coalesce(${to.nextTouchAt}::timestamptz, l.next_touch_wished_at),
        -- Another date starts the cadence again.
        touch_count = case when ${to.nextTouchAt}::timestamptz is null or j.reason = 'unchanged' then l.touch_count else 0 end,
        preferred_channel = case when ${isReachable} then ${channel} else l.preferred_channel end
      from judged j
      where l.account_id = ${accountId} and l.lead_id = j.lead_id and (j.reason is null or j.reason = 'unchanged')
      returning l.lead_id, ${isReachable} as is_preferred
    )
    select j.reason, count(*) as count, count(*) filter (where u.is_preferred) as preferred,
      to_json((array_agg(j.lead_id order by j.lead_id))[1:${sql.literal(String(to.maximum))}]) as lead_ids,
      max(j.lead_id) as last
    from judged j left join updated u using (lead_id)
    group by j.reason order by j.reason nulls first`.pipe(fromSql())
}
