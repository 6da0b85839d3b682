import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { SimulatedHostCalendar } from "../../../Services/Scheduler/SimulatedHostCalendar.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

/** Writes the simulated scheduler's bookings into the simulated calendar. */
export const SimulatedHostCalendarPostgres = Layer.effect(
  SimulatedHostCalendar,
  Effect.map(SqlClient, (sql) => {
    const changed = Effect.fnUntraced(function* () {
      const { accountId } = yield* Caller
      const [calendar] = yield* sql<{ readonly version: number }>`
        update sandbox_calendar set version = version + 1 where account_id = ${accountId} returning version`.pipe(
        fromSql()
      )
      if (calendar === undefined) return undefined
      yield* sql`update calendar_mirror set due_at = instant() where account_id = ${accountId}`.pipe(fromSql())
      return { accountId, version: calendar.version }
    })

    return SimulatedHostCalendar.of({
      put: Effect.fnUntraced(function* ({ attendee, endsAt, eventId, meetingUrl, startsAt, title }) {
        const there = yield* changed()
        if (there === undefined) return
        const body = {
          id: eventId,
          status: "confirmed",
          eventType: "default",
          summary: title,
          start: { dateTime: startsAt },
          end: { dateTime: endsAt },
          hangoutLink: meetingUrl,
          attendees: [{ email: attendee.email, displayName: attendee.name, responseStatus: "needsAction" }]
        }
        // The scheduler itself notifies the person who booked.
        yield* sql`
          insert into sandbox_calendar_event (account_id, event_id, body, version)
          values (${there.accountId}, ${eventId}, ${JSON.stringify(body)}::jsonb, ${there.version})
          on conflict (account_id, event_id) do update set body = excluded.body, version = excluded.version`.pipe(
          fromSql()
        )
      }),
      remove: Effect.fnUntraced(function* (eventId) {
        const there = yield* changed()
        if (there === undefined) return
        yield* sql`
          update sandbox_calendar_event set body = body || '{"status": "cancelled"}'::jsonb, version = ${there.version}
          where account_id = ${there.accountId} and event_id = ${eventId}`.pipe(fromSql())
      })
    })
  })
)
