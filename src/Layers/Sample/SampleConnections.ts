import { Effect, Redacted } from "effect"
import { Calendar, calendarService, primaryCalendar } from "../../Services/Calendar/Calendar.ts"
import { OAuth } from "../../Services/Connections/OAuth.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds, Timestamp } from "../../Services/Core/Timestamp.ts"
import { Crm } from "../../Services/Crm/Crm.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { Leads } from "../../Services/Leads/Leads.ts"
import { BookingLinks } from "../../Services/Outreach/BookingLinks.ts"
import { Scheduler, SchedulerBookings, SimulatedScheduler } from "../../Services/Scheduler/Scheduler.ts"

/** Connects a sandbox CRM, which receives qualified leads. */
export const connectCrm = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const crm = yield* Crm
  yield* crm.connect({
    crmName: "pipedrive",
    credentials: new Map([["api_token", Redacted.make("sandbox-ondas")]]),
    pipelineId: undefined,
    funnelId: undefined
  })
  yield* unit.write(crm.setMinimumStatus("Confirmed"))
  yield* unit.write(crm.addField("Origem", "Prospecção {campaign}"))
})

/** Connects a sandbox calendar with the owner's usual appointments. */
export const connectCalendar = Effect.gen(function* () {
  const oauth = yield* OAuth
  const calendar = yield* Calendar
  yield* oauth.consentInSandbox(calendarService, "helena@ondas.example")
  const startsAt = plusSeconds(yield* now, 3 * 24 * 3600)
  yield* calendar.create({
    calendarId: primaryCalendar,
    summary: "Alinhamento com a equipe",
    startsAt,
    endsAt: plusSeconds(startsAt, 3600),
    attendees: ["equipe@ondas.example"]
  })
})

const ownerAtScheduler = "helena@ondas.example"

/** An hour of the day in `days` days, in Brazil's time zone. */
const hourOf = (present: Timestamp, days: number, hour: number): Timestamp =>
  Timestamp.make(`${plusSeconds(present, days * 24 * 3600).slice(0, 10)}T${hour}:00:00Z`)

/** Connects the sandbox scheduling tool. Messages offer its booking page from then on. */
export const connectScheduler = Effect.gen(function* () {
  const oauth = yield* OAuth
  const scheduler = yield* Scheduler
  yield* oauth.consentInSandbox("scheduler", ownerAtScheduler)
  yield* scheduler.setDefault({ uri: undefined, name: "Primeira conversa" })
})

/** These leads book at the scheduling tool in their own names, and one reschedules. */
export const bookAtScheduler = Effect.fn("Sample.bookAtScheduler")(function* (leadIds: ReadonlyArray<LeadId>) {
  const links = yield* BookingLinks
  const leads = yield* Leads
  const simulated = yield* SimulatedScheduler
  const bookings = yield* SchedulerBookings
  const present = yield* now
  for (const [index, leadId] of leadIds.entries()) {
    const url = yield* links.of(leadId)
    const { email, name } = yield* leads.get(leadId)
    if (url === undefined || email === null) continue
    const booked = yield* simulated.book({ url, name, email, startsAt: hourOf(present, 2 + index, 17) })
    const last = index === 0 ? yield* simulated.reschedule(booked, hourOf(present, 3, 19)) : booked
    yield* bookings.look(last)
  }
})
