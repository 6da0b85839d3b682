import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Random } from "effect"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, plusSeconds, type Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { BookingLinks } from "../../src/Services/Outreach/BookingLinks.ts"
import { Scheduler, SchedulerBookings, SimulatedScheduler } from "../../src/Services/Scheduler/Scheduler.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { providerFaultPoints } from "../support/checks/FaultPoints.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { isKilled, ownConnection } from "../support/processes/DoomedProcess.ts"
import { act, CalendarWorld, connected, eventsThere, settle, sync } from "./CalendarWorld.ts"
import type { Order } from "./doomedCalendar.ts"

/** How many gateways are killed: in the suite those of one round, by `npm run test:calendar-crash` a hundred. */
const crashes = Number(process.env["CRASHES"] ?? 1)

const meetingsWith = (leadId: LeadId) =>
  Effect.flatMap(Meetings, (meetings) =>
    Effect.map(meetings.list({ leadId, includeCancelled: true, includePast: true }), (list) => list.meetings)
  )

const liveEvents = Effect.map(eventsThere, (events) => events.filter(({ body }) => body.status !== "cancelled"))

layer(CalendarWorld, { excludeTestServices: true })(
  "gateways that are killed while they book, read and call off",
  (it) => {
    it.scoped(
      "leave one meeting, one event, and each mail once",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const connection = yield* ownConnection
          const entry = yield* bundledEntry("Calendar/doomedCalendar")
          let killed = 0

          const doomed = Effect.fnUntraced(function* (deed: Order["deed"]) {
            const { accountId } = yield* Caller
            const order: Order = {
              connection,
              accountId,
              deed,
              fault: {
                point:
                  providerFaultPoints[yield* Random.nextIntBetween(0, providerFaultPoints.length)] ?? "before_call",
                nth: yield* Random.nextIntBetween(1, 4)
              }
            }
            if (yield* isKilled(entry, order)) killed += 1
            // As if the dead one's lease had run out.
            yield* sql`update calendar_mirror set working_until = '-infinity' where account_id = ${accountId}`
            return `${Object.keys(deed).join()} ${order.fault.point} ${order.fault.nth}`
          })

          const told = (kind: string) =>
            Effect.flatMap(Caller, ({ accountId }) =>
              Effect.map(
                sql`select from account_event where account_id = ${accountId} and event_type = ${kind}`,
                (rows) => rows.length
              )
            )

          /** The scheduler's booking: found by a notice, moved, and called off there. */
          const bookedThere = Effect.gen(function* () {
            const bookings = yield* SchedulerBookings
            const simulated = yield* SimulatedScheduler
            const links = yield* BookingLinks
            const leadId = yield* insertLead()
            const at = fromMillis(Math.floor((yield* Clock.currentTimeMillis) / 3_600_000) * 3_600_000 + 4 * 86_400_000)
            const url = (yield* links.of(leadId)) ?? ""
            const first = yield* simulated.book({ url, name: "Ana", email: "ana@acme.example", startsAt: at })
            const stands = Effect.fnUntraced(function* (
              how: string,
              status: string,
              startsAt: Timestamp,
              news: number
            ) {
              const all = yield* meetingsWith(leadId)
              assert.deepStrictEqual(
                all.map((one) => [one.status, one.starts_at, one.booked_through]),
                [[status, startsAt, "scheduler"]],
                how
              )
              assert.strictEqual(yield* told("meeting_booked"), news, how)
              assert.lengthOf(yield* liveEvents, status === "cancelled" ? 0 : 1, how)
            })
            const booking = yield* doomed({ look: first })
            yield* bookings.look(first)
            yield* stands(booking, "scheduled", at, 1)
            const later = plusSeconds(at, 7200)
            const second = yield* simulated.reschedule(first, later)
            const move = yield* doomed({ look: second })
            yield* bookings.look(second)
            yield* stands(move, "scheduled", later, 2)
            yield* simulated.cancel(second, "invitee", "No time")
            const end = yield* doomed({ look: second })
            yield* bookings.look(second)
            yield* stands(end, "cancelled", later, 2)
            yield* sync
          })

          /** A meeting of the conversation: put into the calendar, dragged there by its owner, and called off by the lead. */
          const agreedOn = Effect.gen(function* () {
            const unit = yield* UnitOfWork
            const meetings = yield* Meetings
            const leadId = yield* insertLead()
            const at = fromMillis(Math.floor((yield* Clock.currentTimeMillis) / 3_600_000) * 3_600_000 + 9 * 86_400_000)
            const { meeting_id } = yield* unit.write(
              meetings.book({
                leadId,
                startsAt: at,
                endsAt: plusSeconds(at, 1800),
                title: "Demo",
                bookedThrough: "conversation"
              })
            )
            const mails = Effect.map(eventsThere, (events) =>
              events.filter(({ event_id }) => event_id.startsWith("gate")).map(({ updates_sent }) => updates_sent)
            )
            const entered = yield* doomed({ settle: meeting_id })
            yield* settle
            assert.deepStrictEqual(yield* mails, [1], entered)
            yield* sync
            const asked = plusSeconds(at, 3600)
            const endsAt = plusSeconds(asked, 1800)
            yield* unit.write(meetings.move(meeting_id, { startsAt: asked, endsAt, announceAt: undefined, by: "lead" }))
            const passedOn = yield* doomed({ settle: meeting_id })
            yield* settle
            assert.deepStrictEqual(yield* mails, [2], passedOn)
            yield* sync
            const [event] = yield* liveEvents
            const later = plusSeconds(at, 7200)
            yield* act({
              act: "move",
              event_id: event?.event_id ?? "",
              start: later,
              end: plusSeconds(later, 1800)
            })
            const read = yield* doomed({ sync: true })
            yield* sync
            const [moved, ...others] = yield* meetingsWith(leadId)
            assert.isEmpty(others, read)
            assert.deepInclude<object>(moved ?? {}, { starts_at: later, status: "scheduled" }, read)
            // The owner's calendar wrote of the move itself.
            assert.deepStrictEqual(yield* mails, [3], read)
            yield* unit.write(meetings.cancelByLead(meeting_id, { nextTouchAt: undefined }))
            const calledOff = yield* doomed({ settle: meeting_id })
            yield* settle
            yield* sync
            assert.deepStrictEqual(yield* mails, [4], calledOff)
            assert.lengthOf(yield* liveEvents, 0, calledOff)
            assert.strictEqual((yield* meetingsWith(leadId))[0]?.status, "cancelled", calledOff)
          })

          while (killed < crashes) {
            yield* connected(
              Effect.gen(function* () {
                const oauth = yield* OAuth
                const scheduler = yield* Scheduler
                yield* oauth.consentInSandbox("scheduler", "owner@scheduler.example")
                yield* scheduler.setDefault({ uri: undefined, name: "primeira conversa" })
                yield* sync
                yield* bookedThere
                yield* agreedOn
              })
            )
          }
        }).pipe(Effect.withRandom(Random.make("calendars"))),
      1_800_000
    )
  }
)
