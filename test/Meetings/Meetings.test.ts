import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { AccountEventsPostgres } from "../../src/Layers/Events/AccountEventsPostgres.ts"
import { remind } from "../../src/Layers/Meetings/MeetingReminders.ts"
import { MeetingsPostgres } from "../../src/Layers/Meetings/MeetingsPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { now, plusSeconds } from "../../src/Services/Core/Timestamp.ts"
import { AccountEvents } from "../../src/Services/Events/AccountEvents.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Meetings, type NewMeeting } from "../../src/Services/Meetings/Meetings.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { MeetingsGroup } from "../../src/Tools/Meetings/Meetings.ts"
import { historyOf, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([MeetingsGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const refusalOf = (name: string, args: object) => Effect.flip(callTool(catalog, name, args))

const Services = MeetingsPostgres.pipe(
  Layer.provideMerge(Layer.mergeAll(AccountEventsPostgres, AccountsPostgres)),
  Layer.provideMerge(LeadServices)
)

/** A test with a new account. */
const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const hour = 3600

/** Books a meeting of half an hour that begins in `seconds`. */
const book = (leadId: LeadId, seconds: number, more: Partial<NewMeeting> = {}) =>
  Effect.gen(function* () {
    const meetings = yield* Meetings
    const unit = yield* UnitOfWork
    const startsAt = plusSeconds(yield* now, seconds)
    return yield* unit.write(
      meetings.book({
        leadId,
        startsAt,
        endsAt: plusSeconds(startsAt, hour / 2),
        title: "Introduction",
        bookedThrough: "conversation",
        ...more
      })
    )
  })

/** Moves a meeting's time. Negative seconds move it into the past. */
const move = (meetingId: number, seconds: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update meeting set starts_at = starts_at + make_interval(secs => ${seconds}),
      ends_at = ends_at + make_interval(secs => ${seconds}), created_at = created_at + make_interval(secs => ${seconds})
      where account_id = ${accountId} and meeting_id = ${meetingId}`
  })

const eventsOf = Effect.flatMap(AccountEvents, (events) =>
  Effect.map(events.read({ since: 0, types: [], limit: 50 }), (page) => page.events)
)
const kinds = Effect.flatMap(Notifications, (notifications) =>
  Effect.map(notifications.pending, (page) => page.notifications.map(({ kind }) => kind))
)
const leadOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{
      readonly pipeline_state: string
      readonly next_touch_at: string | null
      readonly next_touch_instructions: string | null
    }>`select pipeline_state, next_touch_at, next_touch_instructions from lead
      where account_id = ${accountId} and lead_id = ${leadId}`
    return rows[0]
  })

layer(Services, { excludeTestServices: true })("the Meetings tools", (it) => {
  it.effect("a booked meeting hands the lead over, is notified once, and is listed", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead({ name: "Ana" })
        const booked = yield* book(leadId, 48 * hour, { externalId: "abc", bookedThrough: "calendar" })
        const again = yield* book(leadId, 50 * hour, { externalId: "abc", bookedThrough: "calendar" })
        assert.strictEqual(again.meeting_id, booked.meeting_id)
        const sameTime = yield* book(leadId, 0, { startsAt: booked.starts_at, endsAt: booked.ends_at })
        assert.strictEqual(sameTime.meeting_id, booked.meeting_id)
        assert.deepInclude(yield* leadOf(leadId), { pipeline_state: "user_controlled", next_touch_at: null })
        assert.deepStrictEqual(
          (yield* historyOf(leadId)).map(({ event_type }) => event_type),
          ["meeting_booked", "status_changed"]
        )
        const events = yield* eventsOf
        // Who books shows interest.
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["lead_confirmed", "lead_became_interested", "meeting_booked"]
        )
        assert.deepInclude(events.at(-1)?.data, { lead_id: leadId, meeting_id: booked.meeting_id })
        assert.deepStrictEqual(yield* kinds, ["meeting_booked"])
        const listed = yield* tool("list_lead_meetings", { lead_id: leadId })
        assert.deepInclude(listed, { total: 1, meetings: [{ ...booked, lead_name: "Ana", status: "scheduled" }] })
      })
    )
  )

  it.effect("refuses times that are none, and leads that there are not", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead()
        const at = yield* now
        assert.deepInclude(yield* Effect.flip(book(leadId, 0, { startsAt: at, endsAt: at })), {
          reason: "meeting_times_invalid"
        })
        const foreign = yield* withAccount(insertLead())
        assert.deepInclude(yield* Effect.flip(book(foreign, hour)), { _tag: "NotFound", reason: "lead_not_found" })
        assert.deepInclude(yield* refusalOf("list_lead_meetings", { lead_id: foreign }), { reason: "lead_not_found" })
      })
    )
  )

  it.effect("confirming stamps the acceptance once", () =>
    withAccount(
      Effect.gen(function* () {
        const { meeting_id } = yield* book(yield* insertLead(), hour)
        const confirmed = yield* tool("confirm_lead_meeting", { meeting_id })
        assert.deepInclude(confirmed, { status: "confirmed" })
        assert.deepStrictEqual(yield* tool("confirm_lead_meeting", { meeting_id }), confirmed)
        yield* move(meeting_id, -2 * hour)
        assert.deepInclude(yield* refusalOf("confirm_lead_meeting", { meeting_id }), {
          _tag: "Refused",
          reason: "meeting_over"
        })
        assert.deepInclude(yield* refusalOf("confirm_lead_meeting", { meeting_id: 987_654 }), {
          _tag: "NotFound",
          reason: "meeting_not_found"
        })
      })
    )
  )

  it.effect("a cancelled meeting sends the lead back with what was said", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead({ next_touch_instructions: "Mind the accents" })
        const { meeting_id } = yield* book(leadId, 30 * hour)
        const next = plusSeconds(yield* now, 2 * hour)
        const answer = yield* tool("cancel_lead_meeting", {
          meeting_id,
          next_touch_date: next,
          reason: "The owner is ill",
          additional_instructions: "Propose Monday"
        })
        assert.nestedPropertyVal(answer, "meeting.status", "cancelled")
        assert.nestedPropertyVal(answer, "meeting.notes", "Cancelada: The owner is ill\nPropose Monday")
        assert.nestedPropertyVal(answer, "lead.pipeline_state", "in_pipeline")
        const lead = yield* leadOf(leadId)
        assert.deepInclude(lead, { pipeline_state: "in_pipeline", next_touch_at: next })
        assert.match(
          lead?.next_touch_instructions ?? "",
          /^Mind the accents\nTivemos de cancelar a reunião marcada para .*\nMotivo: The owner is ill\nPropose Monday$/
        )
        assert.deepStrictEqual(
          (yield* eventsOf).map(({ type }) => type),
          ["lead_confirmed", "lead_became_interested", "meeting_booked", "meeting_cancelled"]
        )
        assert.deepInclude(yield* refusalOf("cancel_lead_meeting", { meeting_id, next_touch_date: next }), {
          _tag: "Refused",
          reason: "meeting_cancelled"
        })
        assert.deepInclude(yield* tool("list_lead_meetings"), { total: 0 })
        assert.deepInclude(yield* tool("list_lead_meetings", { include_cancelled: true }), { total: 1 })
      })
    )
  )

  it.effect("a lead with another meeting to come stays with the person", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead()
        const { meeting_id } = yield* book(leadId, 30 * hour)
        const other = yield* book(leadId, 50 * hour)
        const next_touch_date = plusSeconds(yield* now, hour)
        const answer = yield* tool("cancel_lead_meeting", { meeting_id, next_touch_date })
        assert.nestedPropertyVal(answer, "meeting.status", "cancelled")
        assert.nestedPropertyVal(answer, "lead.pipeline_state", "user_controlled")
        assert.deepInclude(yield* leadOf(leadId), { pipeline_state: "user_controlled", next_touch_at: null })
        yield* tool("cancel_lead_meeting", { meeting_id: other.meeting_id, next_touch_date })
        assert.deepInclude(yield* leadOf(leadId), { pipeline_state: "in_pipeline", next_touch_at: next_touch_date })
        assert.deepStrictEqual(
          (yield* historyOf(leadId)).map(({ event_type }) => event_type),
          ["meeting_booked", "status_changed", "meeting_booked", "meeting_cancelled", "meeting_cancelled"]
        )
      })
    )
  )

  it.effect("a lead that unsubscribed stays out of the pipeline when its meeting is cancelled", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leadId = yield* insertLead()
        const { meeting_id } = yield* book(leadId, 30 * hour)
        yield* sql`update lead set pipeline_state = 'finished', unsubscribed_at = instant()
          where account_id = ${accountId} and lead_id = ${leadId}`
        yield* tool("cancel_lead_meeting", { meeting_id, next_touch_date: plusSeconds(yield* now, hour) })
        assert.deepInclude(yield* leadOf(leadId), { pipeline_state: "finished", next_touch_at: null })
      })
    )
  )

  it.effect("attendance is recorded of meetings that have begun, and decides between held and no_show", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead()
        const { meeting_id } = yield* book(leadId, hour)
        const attendance = (args: object) => tool("update_lead_meeting_attendance", { meeting_id, ...args })
        const refusal = (args: object) => refusalOf("update_lead_meeting_attendance", { meeting_id, ...args })
        assert.deepInclude(yield* refusal({ notes: " " }), { reason: "nothing_to_change" })
        assert.deepInclude(yield* refusal({ has_lead_attended: true }), { reason: "meeting_not_started" })
        assert.deepInclude(yield* attendance({ notes: "Bring prices" }), { status: "scheduled", notes: "Bring prices" })
        yield* move(meeting_id, -2 * hour)
        assert.deepInclude(yield* attendance({ has_customer_attended: true }), { status: "scheduled" })
        assert.deepInclude(yield* attendance({ has_lead_attended: false }), { status: "no_show" })
        assert.deepInclude(yield* attendance({ has_lead_attended: true, notes: "Came late" }), {
          status: "held",
          has_customer_attended: true,
          notes: "Bring prices\nCame late"
        })
        assert.deepInclude(yield* tool("list_lead_meetings", { include_past: false }), { total: 0 })
        yield* move(meeting_id, -31 * 24 * hour)
        assert.deepInclude(yield* tool("list_lead_meetings"), { total: 0 })
      })
    )
  )

  it.effect("reminds once of each meeting: a day before, or an hour where it was booked late", () =>
    withAccount(
      Effect.gen(function* () {
        const leadId = yield* insertLead()
        const soon = yield* book(leadId, 5 * hour)
        const later = yield* book(leadId, 40 * hour)
        yield* book(leadId, 100 * hour)
        const reminders = Effect.map(kinds, (all) => all.filter((kind) => kind === "meeting_reminder").length)
        yield* remind
        assert.strictEqual(yield* reminders, 0)
        yield* move(later.meeting_id, -20 * hour)
        yield* remind
        yield* remind
        assert.strictEqual(yield* reminders, 1)
        yield* move(soon.meeting_id, -4.5 * hour)
        yield* remind
        assert.strictEqual(yield* reminders, 2)
      })
    )
  )

  it.effect("meetings of another account do not exist", () =>
    Effect.gen(function* () {
      const { meeting_id } = yield* withAccount(Effect.flatMap(insertLead(), (leadId) => book(leadId, hour)))
      yield* withAccount(
        Effect.gen(function* () {
          const next_touch_date = "2030-01-01T00:00:00Z"
          assert.deepInclude(yield* refusalOf("confirm_lead_meeting", { meeting_id }), { _tag: "NotFound" })
          assert.deepInclude(yield* refusalOf("cancel_lead_meeting", { meeting_id, next_touch_date }), {
            _tag: "NotFound"
          })
          assert.deepInclude(yield* refusalOf("update_lead_meeting_attendance", { meeting_id, notes: "x" }), {
            _tag: "NotFound"
          })
        })
      )
    })
  )
})
