import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { CalendarOfLead, type HeldCalendarEvent } from "../../../Services/Leads/CalendarOfLead.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { deleteCalendarEvent } from "../CalendarTasks.ts"

interface EventRow extends HeldCalendarEvent {
  readonly is_deletable: boolean
}

export const CalendarOfLeadPostgres = Layer.effect(
  CalendarOfLead,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tasks = yield* TaskQueue
    return {
      withdraw: Effect.fn("CalendarOfLead.withdraw")(function* (leadId) {
        const { accountId } = yield* Caller
        const events = yield* sql<EventRow>`
          select i.event_id, m.starts_at, 'calendar' as held_by,
            m.ends_at > instant() and exists (select from calendar_mirror c
              join connection o on o.account_id = c.account_id and o.service in ('calendar', 'calendar_microsoft') and o.state = 'connected'
              where c.account_id = ${accountId} and c.can_write) as is_deletable
          from meeting m join meeting_invitation i on i.account_id = m.account_id and i.meeting_id = m.meeting_id
          where m.account_id = ${accountId} and m.lead_id = ${leadId} and i.way = 'calendar' and i.event_id is not null
            and i.told_starts_at is not null and not i.is_cancelled
          union all
          select b.event_id, m.starts_at, 'scheduler', false
          from scheduler_booking b
            left join meeting m on m.account_id = b.account_id and m.meeting_id = b.meeting_id
          where b.account_id = ${accountId} and b.lead_id = ${leadId} and b.is_active
          order by 2`.pipe(fromSql())
        const deletable = events.filter(({ is_deletable }) => is_deletable)
        // The task contains only the event's id, so that no personal data remains.
        yield* tasks.enqueueMany(
          deleteCalendarEvent,
          deletable.map(({ event_id }) => ({ payload: { accountId, calendarId: primaryCalendar, eventId: event_id } }))
        )
        return {
          cancelled: deletable.length,
          remaining: events
            .filter(({ is_deletable }) => !is_deletable)
            .map(({ event_id, held_by, starts_at }) => ({ event_id, starts_at, held_by }))
        }
      })
    }
  })
)
