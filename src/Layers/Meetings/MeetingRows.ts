import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { AccountEvents } from "../../Services/Events/AccountEvents.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId, PipelineState } from "../../Services/Leads/Ids.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { MeetingView, type NewMeeting } from "../../Services/Meetings/Meetings.ts"
import { calendarUpdateKey, updateMeetingInCalendar } from "../../Services/Meetings/MeetingTasks.ts"
import { recordInHistory } from "../Leads/Sql/History.ts"
import { selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

import type { MeetingEvents } from "./MeetingEvents.ts"
import { makeMeetingRecords } from "./MeetingRecords.ts"

const columns = selectedColumns(MeetingView, "m", { lead_name: "l.name" })

export const makeMeetingServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const leads = yield* Leads
  const notifications = yield* Notifications
  const events = yield* AccountEvents
  const tasks = yield* TaskQueue
  const records = yield* makeMeetingRecords
  const meetingColumns = sql.literal(columns)
  return { events, leads, notifications, meetingColumns, records, sql, tasks }
})
export type MeetingServices = Effect.Effect.Success<typeof makeMeetingServices>

/** Rows of meetings and of their leads: read, locked, refused, recorded. */
export const makeMeetingRows = ({ leads, meetingColumns, sql, tasks }: MeetingServices) => {
  const lockLead = Effect.fnUntraced(function* (leadId: LeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{
      readonly next_touch_instructions: string | null
      readonly pipeline_state: PipelineState
      readonly is_taken_over: boolean
    }>`
      select next_touch_instructions, pipeline_state, is_taken_over from lead where account_id = ${accountId} and lead_id = ${leadId} for update`.pipe(
      fromSql()
    )
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  const get = Effect.fnUntraced(function* (id: MeetingId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<MeetingView>`
      select ${meetingColumns} from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
      where m.account_id = ${accountId} and m.meeting_id = ${id}`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("meeting", "meeting_id", id))
  })

  /** Locks the lead before the meeting, like every change of a lead, so that two changes cannot deadlock. */
  const locked = Effect.fnUntraced(function* (id: MeetingId) {
    const { lead_id } = yield* get(id)
    const lead = yield* lockLead(lead_id)
    return { meeting: yield* get(id), lead }
  })

  const ofMeeting = Effect.fnUntraced(function* (id: MeetingId) {
    const { accountId } = yield* Caller
    return sql`account_id = ${accountId} and meeting_id = ${id}`
  })

  const sameMeeting = Effect.fnUntraced(function* ({ bookedThrough, externalId, leadId, startsAt }: NewMeeting) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: MeetingId }>`
      select meeting_id as id from meeting where account_id = ${accountId} and lead_id = ${leadId}
        and ((booked_through = ${bookedThrough} and external_id = ${externalId ?? null}::text)
          or (starts_at = ${startsAt} and status in ('scheduled', 'confirmed')))
      order by meeting_id limit 1`.pipe(fromSql())
    return rows[0]?.id
  })

  const hasAnother = Effect.fnUntraced(function* ({ lead_id, meeting_id }: MeetingView) {
    const { accountId } = yield* Caller
    const rows = yield* sql`
      select from meeting where account_id = ${accountId} and lead_id = ${lead_id} and meeting_id <> ${meeting_id}
        and status in ('scheduled', 'confirmed') and starts_at > instant() limit 1`.pipe(fromSql())
    return rows.length > 0
  })

  /** Records a cancelled meeting in the history, when the lead's state does not change. */
  const record = (
    { lead_id, meeting_id, starts_at }: MeetingView,
    actor: "owner" | "lead",
    reason: string | undefined
  ) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      recordInHistory(sql, {
        accountId,
        leadId: lead_id,
        event: "meeting_cancelled",
        actor,
        reason: reason ?? null,
        data: { meeting_id, starts_at }
      })
    )

  /** Keeps a lead that has another future meeting with the person whom it will meet. */
  const stay = Effect.fnUntraced(function* (meeting: MeetingView, reason: string | undefined) {
    yield* record(meeting, "owner", reason)
    const lead = yield* leads.transition(meeting.lead_id, "take_over", { actor: "platform" })
    // The history has the cancellation.
    return { ...lead, changed: true }
  })

  /** Queues the update of the account's calendar. */
  const queueCalendarUpdate = (meetingId: MeetingId) =>
    Effect.flatMap(Caller, ({ accountId }) =>
      tasks.enqueue(
        updateMeetingInCalendar,
        { accountId, meetingId },
        { jobKey: calendarUpdateKey(accountId, meetingId) }
      )
    )

  return {
    get,
    hasAnother,
    locked,
    lockLead,
    ofMeeting,
    record,
    queueCalendarUpdate,
    sameMeeting,
    stay
  }
}
export type MeetingRows = ReturnType<typeof makeMeetingRows> & MeetingEvents
