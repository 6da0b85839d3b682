import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { isLead, type LeadKey } from "./Schedule.ts"

/** The rules for when the owner is asked about leads that were taken over and have been quiet since. */
export interface CheckInRules {
  /** The first question is due after this many days without activity. */
  readonly quietDays: number
  readonly daysToNextQuestion: number
  /** The most questions that an account gets at a time. */
  readonly perAccount: number
  readonly batch: number
}

/**
 * Since when a lead `l` has been quiet: its last message, or the last thing that was done about it. Muting and snoozing
 * do not count as activity.
 */
const quietSince = `greatest(l.last_message_at, l.created_at, (
  select max(e.created_at) from lead_lifecycle_event e where e.account_id = l.account_id and e.lead_id = l.lead_id
    and e.event_type not in ('check_ins_muted', 'check_ins_snoozed')))`

const needsCheckIn = `l.pipeline_state = 'user_controlled' and l.check_ins_muted_at is null`

const counted = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  statement.pipe(
    Effect.map((rows) => rows.length),
    fromSql()
  )

/** Schedules the first question about leads that were taken over. Returns how many. */
export const scheduleCheckIns = (sql: SqlClient, unit: UnitOfWork["Type"], { batch, quietDays }: CheckInRules) =>
  counted(
    unit.acrossAccounts(sql`
    update lead l set next_check_in_at = greatest(l.check_ins_snoozed_until,
      shifted(${sql.literal(quietSince)}, make_interval(days => ${quietDays})))
    where (l.account_id, l.lead_id) in (
      select l.account_id, l.lead_id from lead l where ${sql.literal(needsCheckIn)} and l.next_check_in_at is null
        and uses_test_clock(l.account_id)
      limit ${batch} for update skip locked)
      and l.next_check_in_at is null
    returning l.lead_id`)
  )

/** Postpones due questions about leads that no longer need one or were active recently. Returns how many. */
export const postponeCheckIns = (sql: SqlClient, unit: UnitOfWork["Type"], { batch, quietDays }: CheckInRules) =>
  counted(
    unit.acrossAccounts(sql`
    update lead l set next_check_in_at = case when ${sql.literal(needsCheckIn)}
      then greatest(l.check_ins_snoozed_until, shifted(${sql.literal(quietSince)}, make_interval(days => ${quietDays}))) end
    where (l.account_id, l.lead_id) in (
      select l.account_id, l.lead_id from lead l where l.next_check_in_at <= instant() and uses_test_clock(l.account_id)
        and (not (${sql.literal(needsCheckIn)}) or l.check_ins_snoozed_until > instant()
          or ${sql.literal(quietSince)} > instant() - make_interval(days => ${quietDays}))
      limit ${batch} for update skip locked)
      and l.next_check_in_at <= instant()
    returning l.lead_id`)
  )

/** A lead about which the owner is to be asked now. */
export interface QuietLead {
  readonly accountId: AccountId
  readonly leadId: LeadId
  readonly name: string
  readonly language: string
}

/** Takes due leads, longest first, at most `perAccount` of each account. The others are postponed to tomorrow. */
export const takeCheckIns = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  { batch, daysToNextQuestion, perAccount }: CheckInRules
): Effect.Effect<ReadonlyArray<QuietLead>, Transient> =>
  unit
    .acrossAccounts(sql<QuietLead>`
    with ranked as (
      select l.account_id, l.lead_id, row_number() over (partition by l.account_id order by l.next_check_in_at, l.lead_id)
        as place
      from lead l
      where l.next_check_in_at <= instant() and ${sql.literal(needsCheckIn)} and uses_test_clock(l.account_id)
    ), chosen as (
      select l.account_id, l.lead_id, r.place from ranked r join lead l using (account_id, lead_id)
      where r.place <= ${perAccount} and l.next_check_in_at <= instant()
      order by l.account_id, l.lead_id limit ${batch} for update of l skip locked
    )
    update lead l set next_check_in_at = instant() + make_interval(days => ${daysToNextQuestion})
    from chosen join account a using (account_id)
    where l.account_id = chosen.account_id and l.lead_id = chosen.lead_id and l.next_check_in_at <= instant()
    returning l.account_id as "accountId", l.lead_id as "leadId", l.name, a.language_key as language`)
    .pipe(fromSql())

/** Stops questions about the lead, or postpones them by `snoozeDays`. Returns no row if there is no such lead. */
export const muteCheckIns = <Row extends object>(sql: SqlClient, lead: LeadKey, snoozeDays: number | undefined) => {
  const isMuted = snoozeDays === undefined
  return sql<Row>`
    update lead set
      check_ins_muted_at = case when ${isMuted} then coalesce(check_ins_muted_at, instant()) end,
      check_ins_snoozed_until = case when not ${isMuted} then instant() + make_interval(days => ${snoozeDays ?? 0}) end,
      next_check_in_at = case when not ${isMuted} then instant() + make_interval(days => ${snoozeDays ?? 0}) end
    where ${isLead(sql, lead)}
    returning lead_id, check_ins_muted_at is not null as is_muted, check_ins_muted_at as muted_at,
      check_ins_snoozed_until as snoozed_until`.pipe(fromSql())
}
