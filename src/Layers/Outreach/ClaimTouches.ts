import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Duration, Effect, Schedule } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { ModelOutages } from "../../Services/Models/ModelOutages.ts"
import type { TouchId } from "../../Services/Outreach/TouchLedger.ts"
import { composeTouch } from "../../Services/Outreach/TouchTasks.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { claimNotices } from "./ClaimNotices.ts"

/** Leads of one campaign in one claim: so that an account with a million due leads does not keep others waiting. */
const perCampaign = 50
const batchSize = 500
/** What is written already goes out first, and so does what a person waits for. */
const writingPriority = 10
/** Touches that may wait to be written: more would only make the queue longer. */
const maximumWaiting = 2_000

/**
 * Takes the leads whose time has come, longest due first, and gives each an unfinished touch, in one transaction with
 * the tasks that will write them. Any number of processes may do so at once: a lead that another one holds is passed
 * over, and the unfinished touch keeps it from being taken twice. Notices of meetings are taken before. Answers how many
 * were taken.
 */
export const claimTouches: Effect.Effect<number, Transient, SqlClient | UnitOfWork | TaskQueue | ModelOutages> =
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const tasks = yield* TaskQueue
    const notices = yield* claimNotices
    const outage = yield* Effect.flatMap(ModelOutages, ({ state }) => state)
    if (outage === "open") return notices
    return yield* unit.write(
      Effect.gen(function* () {
        const claimed = yield* sql<{
          readonly accountId: AccountId
          readonly leadId: LeadId
          readonly touchId: TouchId
        }>`
          with due as (
            select d.account_id, d.lead_id, d.touch_count
            from (
              select a.account_id, 0::bigint as campaign from account a
              where a.is_prospecting_active and a.clock is not distinct from own_clock()
              union all
              select c.account_id, c.campaign_id from campaign c join account a using (account_id)
              where a.is_prospecting_active and a.clock is not distinct from own_clock()
                and c.is_active and c.archived_at is null
            ) track
            cross join lateral (
              select l.account_id, l.lead_id, l.touch_count, l.next_touch_at from lead l
              where l.account_id = track.account_id and coalesce(l.campaign_id, 0) = track.campaign
                and l.pipeline_state = 'in_pipeline' and l.paused_at is null and l.next_touch_at is not null
                and l.next_touch_at <= instant() and l.unsubscribed_at is null
                and not exists (select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id
                  and t.status in ('writing', 'queued') and t.meeting_id is null)
              order by l.next_touch_at limit ${perCampaign} for update of l skip locked
            ) d
            where (select count(*) from (select from touch where status = 'writing' limit ${maximumWaiting}) waiting)
              < ${maximumWaiting}
            order by d.next_touch_at limit ${outage === "try" ? 1 : batchSize}
          ), postponed as (
            -- Should the task be lost, the lead is due again then.
            update lead l set next_touch_at = instant() + interval '1 day'
            from due where l.account_id = due.account_id and l.lead_id = due.lead_id
          )
          insert into touch (account_id, lead_id, touch_number, status)
          select account_id, lead_id, touch_count + 1, 'writing' from due
          on conflict do nothing
          returning account_id as "accountId", lead_id as "leadId", touch_id as "touchId"`.pipe(fromSql())
        yield* tasks.enqueueMany(
          composeTouch,
          claimed.map((payload) => ({ payload, priority: writingPriority }))
        )
        return notices + claimed.length
      })
    )
  }).pipe(Effect.withSpan("Outreach.claimTouches"))

/** One claim takes a part of each account's leads; the next follows at once until nothing is due or enough waits. */
export const claimAllTouches = Effect.repeat(claimTouches, { while: (count) => count > 0 })

/** How long the loop rests between two looks; tests are less patient. */
export class TouchLoopTiming extends Context.Reference<TouchLoopTiming>()("TouchLoopTiming", {
  defaultValue: () => ({ pause: Duration.seconds(2) })
}) {}

/** Looks for due leads while its scope is open; a claim that failed is followed by another one later. */
export const touchLoop = Effect.flatMap(TouchLoopTiming, ({ pause }) =>
  claimAllTouches.pipe(
    Effect.catchAllCause((cause) =>
      Effect.annotateLogs(Effect.logWarning("due leads were not claimed"), "cause", describeCause(cause))
    ),
    Effect.repeat(Schedule.spaced(pause)),
    Effect.forkScoped
  )
)
