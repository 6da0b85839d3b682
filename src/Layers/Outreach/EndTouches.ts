import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Json, Transient } from "../../Errors.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { type DueNotice, MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import type { TouchEnd } from "../../Services/Outreach/TouchLedger.ts"
import type { TouchPlan } from "../../Services/Outreach/TouchPlan.ts"
import type { Touch } from "../../Services/Outreach/TouchTasks.ts"
import type { TouchTime } from "../../Services/Timing/TouchTime.ts"
import { countBlocks } from "../Blacklist/Sql.ts"
import { recordInHistory } from "../Leads/Sql/History.ts"
import { nextTouch } from "../Leads/Sql/Schedule.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"

/** Ends touches without sending anything. Call it inside a transaction. */
export const makeEndTouches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const meetingNotices = yield* MeetingNotices

  /**
   * Ends an open touch and schedules the lead again, unless a reply has already scheduled it. A meeting notice does not
   * change the lead's schedule, but sets the time of the reminder.
   */
  const end = (
    touch: Touch,
    touchEnd: TouchEnd,
    reason: string,
    nextTouchAt: number | undefined
  ): Effect.Effect<void, Transient> => {
    const { accountId, leadId, touchId } = touch
    const next = nextTouchAt === undefined ? null : fromMillis(nextTouchAt)
    return Effect.gen(function* () {
      // Consecutive skips with the same reason are collapsed into the latest.
      const [notice] = yield* sql<DueNotice>`
        with ended as (
          update touch set status = ${touchEnd}, reason = ${reason}, finished_at = instant()
          where account_id = ${accountId} and touch_id = ${touchId}
            and status = 'writing'
          returning account_id, meeting_id, notice
        ), same_before as (
          delete from touch where account_id = ${accountId} and touch_id = (
            select touch_id from touch t where t.account_id = ${accountId} and t.lead_id = ${leadId}
              and t.touch_id < ${touchId} and t.meeting_id is null order by touch_id desc limit 1
          ) and status = 'skipped' and reason = ${reason} and channel is null
            and exists (select from ended where notice is null)
        ), scheduled as (
          ${nextTouch(sql, touch, next)} and exists (select from ended where notice is null)
        )
        select account_id as "accountId", meeting_id as "meetingId", notice from ended
        where meeting_id is not null and ${next}::timestamptz is not null`.pipe(fromSql())
      if (notice !== undefined && next !== null) yield* meetingNotices.postpone(notice, next)
      yield* wakeDispatcher(sql, accountId, next)
    })
  }

  const logSchedule = ({ accountId, leadId }: Touch, reason: string, data: { readonly [key: string]: Json }) =>
    recordInHistory(sql, { accountId, leadId, event: "touch_scheduled", actor: "platform", reason, data }).pipe(
      fromSql()
    )

  /** Records in the lead's history why its next touch is at that time. */
  const logTimingReason = (touch: Touch, timing: TouchTime | undefined): Effect.Effect<void, Transient> =>
    Effect.gen(function* () {
      if (timing === undefined) return
      const { at, hour, reason, weekday } = timing
      const next_touch_at = fromMillis(at)
      // A reply that arrived earlier has already set another time.
      const scheduled = yield* sql`
        select from lead where account_id = ${touch.accountId} and lead_id = ${touch.leadId}
          and next_touch_at = ${next_touch_at}`.pipe(fromSql())
      if (scheduled.length === 0) return
      const when = { next_touch_at, weekday, hour }
      yield* reason._tag === "Trial"
        ? logSchedule(touch, `optimizer_${reason.part}`, when)
        : logSchedule(touch, `best_hours_of_${reason.source}`, {
            ...when,
            source: reason.source,
            reply_count: reason.replies
          })
    })

  /**
   * Counts a touch that the blacklist blocks. Daily checks of the same blocked lead count only once, and a check after
   * a blocked message does not count again.
   */
  const countWithheld = ({ accountId, leadId, touchId }: Touch) =>
    countBlocks(
      sql,
      accountId,
      sql`
        select l.email, l.phone from lead l where l.account_id = ${accountId} and l.lead_id = ${leadId}
          and not exists (
            select from (select t.status, t.reason from touch t where t.account_id = ${accountId} and t.lead_id = ${leadId}
              and t.touch_id < ${touchId} and t.meeting_id is null order by t.touch_id desc limit 1) before
            where before.status = 'skipped' and before.reason in ('no_open_channel', 'blacklisted'))`
    )

  return {
    end,
    logTimingReason,

    /** Ends a touch that its plan skips. */
    skip: (touch: Touch, { nextTouchAt, reason, timing }: Extract<TouchPlan, { readonly _tag: "Skip" }>) =>
      Effect.gen(function* () {
        if (reason === "no_open_channel") yield* countWithheld(touch)
        yield* end(touch, "skipped", reason, nextTouchAt)
        if (reason !== "public_holiday") yield* logTimingReason(touch, timing)
        else if (nextTouchAt !== undefined) {
          yield* logSchedule(touch, reason, { next_touch_at: fromMillis(nextTouchAt) })
        }
      })
  }
})
