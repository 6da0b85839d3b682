import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { MeetingNotices } from "../../Services/Meetings/MeetingNotices.ts"
import { composeTouch, type Touch } from "../../Services/Outreach/TouchTasks.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const atATime = 200

/**
 * Claims the upcoming meetings whose lead must be notified now. Each gets a notice touch, in one transaction with the
 * task that writes it. Returns how many were claimed.
 */
export const claimNotices: Effect.Effect<number, Transient, SqlClient | UnitOfWork | TaskQueue | MeetingNotices> =
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const tasks = yield* TaskQueue
    const notices = yield* MeetingNotices
    return yield* unit.write(
      Effect.gen(function* () {
        const due = yield* notices.claim(atATime)
        if (due.length === 0) return 0
        const claimed = yield* Effect.forEach(unit.perAccount(due), (part) =>
          sql<Touch>`
            insert into touch (account_id, lead_id, touch_number, status, notice, meeting_id, meeting_starts_at)
            select m.account_id, m.lead_id, 0, 'writing', due.notice, m.meeting_id, m.starts_at
            from unnest(${part.map(({ accountId }) => accountId)}::bigint[],
                ${part.map(({ meetingId }) => meetingId)}::bigint[], ${part.map(({ notice }) => notice)}::text[])
                as due (account_id, meeting_id, notice)
              join meeting m on m.account_id = due.account_id and m.meeting_id = due.meeting_id
            returning account_id as "accountId", lead_id as "leadId", touch_id as "touchId"`.pipe(fromSql())
        ).pipe(Effect.map((rows) => rows.flat()))
        yield* tasks.enqueueMany(
          composeTouch,
          claimed.map((payload) => ({ payload }))
        )
        return claimed.length
      })
    )
  }).pipe(Effect.withSpan("Outreach.claimNotices"))
