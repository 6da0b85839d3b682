import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Schema } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import type { AccessTokens } from "../../../Services/Accounts/Tokens/AccessTokens.ts"
import { calendarService, serviceOf } from "../../../Services/Calendar/Calendar.ts"
import { Connections } from "../../../Services/Connections/Connections.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import type { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { noSuchRoute, privateHeaders } from "../../Platform/Http/EndpointAnswers.ts"
import { makeSandboxCaller } from "../../Platform/Http/SandboxCaller.ts"
import { doneNote, makeSandboxPage, trouble } from "../../Platform/Http/SandboxPage.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { makeSandboxEvents, type World } from "./CalendarSandboxEvents.ts"
import { calendarPage, pageTitle } from "./CalendarSandboxPage.ts"

const largestBody = 16 * 1024
const mostEvents = 200

const text = (length: number) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(length))
const Instant = Schema.String.pipe(
  Schema.maxLength(40),
  // Years must have four digits.
  Schema.filter((value) => /^\d{4}-/.test(value) && Number.isFinite(Date.parse(value)))
)
const Day = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/))
const Seconds = Schema.Number.pipe(Schema.between(1, 86_400))

const Act = Schema.Union(
  Schema.Struct({
    act: Schema.Literal("create"),
    summary: text(300),
    /** Either two instants, or two days for an all-day event. The second day is the day after the last. */
    start: Schema.Union(Instant, Day),
    end: Schema.Union(Instant, Day),
    attendees: Schema.optionalWith(Schema.Array(text(320)).pipe(Schema.maxItems(50)), { default: () => [] }),
    /** The organizer, if another person invites the account. */
    organizer: Schema.optional(text(320)),
    recurrence: Schema.optional(Schema.Array(text(300)).pipe(Schema.maxItems(5))),
    transparency: Schema.optional(Schema.Literal("opaque", "transparent")),
    status: Schema.optional(Schema.Literal("confirmed", "tentative")),
    event_type: Schema.optional(Schema.Literal("default", "outOfOffice", "focusTime", "workingLocation"))
  }),
  Schema.Struct({ act: Schema.Literal("move"), event_id: text(1100), start: Instant, end: Instant }),
  Schema.Struct({ act: Schema.Literal("delete"), event_id: text(1100) }),
  Schema.Struct({
    act: Schema.Literal("answer"),
    event_id: text(1100),
    email: text(320),
    response: Schema.Literal("accepted", "tentative", "declined")
  }),
  Schema.Struct({ act: Schema.Literal("revoke", "expire_tokens", "forget_changes") }),
  Schema.Struct({ act: Schema.Literal("slow_down", "delay_links"), seconds: Seconds })
)
export type SandboxCalendarAct = typeof Act.Type

const decodeAct = (body: string) => Effect.option(Schema.decodeUnknown(Schema.parseJson(Act))(body))

const unreadable = refusal(
  400,
  "InvalidRequestBody",
  "This route does not accept the body.",
  "Send JSON with act: create (summary, start, end), move (event_id, start, end), delete (event_id), answer (event_id, email, response), revoke, expire_tokens, forget_changes, slow_down (seconds) or delay_links (seconds)."
)
const notConnected = refused(
  "calendar_not_connected",
  "The account has not connected its simulated calendar.",
  "Open the link of get_calendar_connection_url first."
)

/** The value of a form field has no zone, so it is read as UTC. */
const when = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? { date: value }
    : { dateTime: new Date(/T\d{2}:\d{2}(?::\d{2})?$/.test(value) ? `${value}Z` : value).toISOString() }

/** Converts the fields of a form, which are all texts. */
const actOfForm = ({ attendees, recurrence, seconds, ...fields }: { readonly [name: string]: string }) =>
  Schema.decodeUnknownOption(Act)({
    ...fields,
    ...(attendees === undefined
      ? {}
      : {
          attendees: attendees
            .split(",")
            .map((each) => each.trim())
            .filter((each) => each !== "")
        }),
    ...(recurrence === undefined ? {} : { recurrence: [recurrence] }),
    ...(fields["act"] === "slow_down" || fields["act"] === "delay_links" ? { seconds: Number(seconds ?? "60") } : {})
  })

type CreateAct = Extract<SandboxCalendarAct, { readonly act: "create" }>

const createOptions = ({ organizer }: CreateAct) => ({
  isTold: false,
  ...(organizer === undefined ? {} : { organizer })
})

const createdEvent = (world: World, act: CreateAct) => {
  const { attendees, end, event_type, organizer, recurrence, start, status, summary, transparency } = act
  const people = organizer === undefined ? attendees : [...new Set([world.holder, ...attendees])]
  const series = recurrence === undefined ? {} : { timeZone: world.zone }
  return {
    summary,
    start: { ...when(start), ...series },
    end: { ...when(end), ...series },
    ...(people.length === 0 ? {} : { attendees: people.map((email) => ({ email })) }),
    ...(recurrence === undefined ? {} : { recurrence }),
    ...(transparency === undefined ? {} : { transparency }),
    ...(status === undefined ? {} : { status }),
    ...(event_type === undefined ? {} : { eventType: event_type })
  }
}

/** Actions of a developer in the simulated calendar. */
export const makeSandboxActs = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const events = yield* makeSandboxEvents
  const consents = yield* SimulatedConsents
  const connections = yield* Connections

  const enter = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const all = yield* connections.list(calendarService)
    const connection = all.find(({ state }) => state !== "disconnected")
    if (connection === undefined) return yield* notConnected
    return yield* events.enter(accountId, connection.identity)
  })

  /** Changes the consents of all providers. */
  const onAll = (change: typeof consents.revokeAll) =>
    Effect.map(Effect.forEach(Object.values(serviceOf), change), (counts) =>
      counts.reduce((sum, count) => sum + count, 0)
    )

  const answered = (answer: { readonly status: number; readonly body?: unknown }, eventId: string) =>
    answer.status < 300
      ? Effect.succeed(answer.body ?? null)
      : answer.status === 404 || answer.status === 410
        ? Effect.fail(notFound("calendar event", "event_id", eventId))
        : Effect.fail(refused("act_refused", "The simulated calendar does not take this.", "Check the times."))

  const act = (action: SandboxCalendarAct) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const { world } = yield* enter
      switch (action.act) {
        case "create":
          return yield* answered(yield* events.insert(world, createdEvent(world, action), createOptions(action)), "")
        case "move":
          return yield* answered(
            yield* events.patch(
              world,
              action.event_id,
              { start: { ...when(action.start), date: null }, end: { ...when(action.end), date: null } },
              { isTold: true, isByOrganizer: true }
            ),
            action.event_id
          )
        case "delete":
          return yield* answered(yield* events.remove(world, action.event_id, true), action.event_id)
        case "answer": {
          const event = yield* events.find(world, action.event_id)
          if (event === undefined) return yield* notFound("calendar event", "event_id", action.event_id)
          const attendees = Array.isArray(event.body.attendees) ? event.body.attendees : []
          return yield* answered(
            yield* events.patch(
              world,
              action.event_id,
              {
                attendees: attendees.map((one: { readonly email?: unknown }) =>
                  one.email === action.email ? { ...one, responseStatus: action.response } : one
                )
              },
              { isTold: false, isByOrganizer: true }
            ),
            action.event_id
          )
        }
        case "revoke":
          return { consents: yield* onAll(consents.revokeAll) }
        case "expire_tokens":
          return { consents: yield* onAll(consents.expireAll) }
        case "forget_changes":
          yield* sql`
            update sandbox_calendar set version = version + 1, tokens_from = version + 1
            where account_id = ${accountId}`.pipe(fromSql())
          return null
        case "slow_down":
          yield* sql`
            update sandbox_calendar set slow_until = instant() + make_interval(secs => ${action.seconds})
            where account_id = ${accountId}`.pipe(fromSql())
          return null
        case "delay_links":
          yield* sql`
            update sandbox_calendar set meet_seconds = ${Math.round(action.seconds)}
            where account_id = ${accountId}`.pipe(fromSql())
          return null
      }
    })

  const shown = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly event_id: string; readonly body: object; readonly updates_sent: number }>`
      select event_id, body, updates_sent from sandbox_calendar_event
      where account_id = ${accountId} and not is_leftover order by version desc limit ${mostEvents}`.pipe(fromSql())
    const [calendar] = yield* sql<{ readonly time_zone: string; readonly calls: number }>`
      select time_zone, calls from sandbox_calendar where account_id = ${accountId}`.pipe(fromSql())
    return {
      time_zone: calendar?.time_zone ?? null,
      calls: calendar?.calls ?? 0,
      events: rows.map(({ body, updates_sent }) => ({ ...body, updates_sent }))
    }
  })

  return { act: (action: SandboxCalendarAct) => unit.write(act(action)), shown }
})

/** Shows and changes the simulated calendar, for developers: `GET` and `POST /sandbox/calendar`. */
export const calendarSandboxEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  AccessTokens | CalendarTransport | SqlClient | UnitOfWork | SimulatedConsents | Connections | TaskQueue
> = Effect.gen(function* () {
  const { mode } = yield* CalendarTransport
  const { act, shown } = yield* makeSandboxActs

  const asCaller = yield* makeSandboxCaller(mode, noSuchRoute)

  const acted = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const bodyBytes = yield* endpointBody({ limit: largestBody, tenant: accountId }).pipe(
      Effect.flatMap((body) => decodeAct(body.toString("utf8"))),
      Effect.catchTag("RequestRefused", () => Effect.succeedNone)
    )
    if (Option.isNone(bodyBytes)) return unreadable
    return HttpServerResponse.unsafeJson(
      { act: bodyBytes.value.act, result: yield* act(bodyBytes.value) },
      { headers: privateHeaders }
    )
  })

  const pages = yield* makeSandboxPage({
    mode,
    path: "/sandbox/calendar",
    title: pageTitle,
    notHere: noSuchRoute,
    act: (fields) =>
      Option.match(actOfForm(fields), {
        onNone: () => Effect.succeed(trouble("What the form says is not understood.")),
        onSome: (action) => Effect.as(act(action), doneNote(`Done: ${action.act}.`))
      }),
    show: (token, note) => Effect.map(shown, (calendar) => calendarPage(token, note, calendar))
  })

  return [
    {
      path: "/sandbox/calendar",
      methods: {
        GET: pages.get(
          asCaller(Effect.map(shown, (body) => HttpServerResponse.unsafeJson(body, { headers: privateHeaders })))
        ),
        POST: pages.post(asCaller(acted))
      }
    }
  ]
})
