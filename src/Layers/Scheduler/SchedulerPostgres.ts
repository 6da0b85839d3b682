import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type NotFound, notFound, refused } from "../../Errors.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis, now, parseInstant, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import type { MeetingId } from "../../Services/Meetings/Ids.ts"
import { Scheduler } from "../../Services/Scheduler/Scheduler.ts"
import type { DefaultEventType, ScheduledEvent, SchedulerEventType } from "../../Services/Scheduler/SchedulerModel.ts"
import { dayOf, eventTypeNamed, rangeOf, resourceOf, uriRefused } from "../../Services/Scheduler/SchedulerRules.ts"
import type { ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { asToolError, SchedulerTransport, schedulerService, toToolError } from "./CalendlyApi.ts"
import type { CalendlyEvent, CalendlyEventType, CalendlyInvitee } from "./CalendlyShapes.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"

const instantOf = (text: string | undefined): Timestamp | undefined => {
  const parsed = text === undefined ? undefined : parseInstant(text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

const unreadable = refused(
  "scheduler_answer_unreadable",
  "The scheduler answered with an event whose times cannot be read.",
  "Look at the event in the scheduler itself."
)

/** Where the scheduler has no such record. */
const orElse = (missing: NotFound) => ({
  ProviderFailure: (failure: ProviderFailure) =>
    Effect.fail(failure.kind === "not_found" ? missing : toToolError(failure))
})

interface Row {
  readonly user: string
  readonly uri: string | null
  readonly name: string | null
  readonly subscription: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const { mode } = yield* SchedulerTransport
  const { apiUrl } = yield* SchedulerSettings
  const { api: apiFor, connection } = yield* SchedulerConnection
  const api = apiFor(true)

  const row = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<Row>`
      select user_uri as user, default_event_type_uri as uri, default_event_type_name as name,
        subscription_uri as subscription
      from scheduler_account where account_id = ${accountId}`.pipe(fromSql())
    return rows[0]
  })

  /** The account's own; a connection that waits to be made again is refused before anything is asked. */
  const connected = Effect.gen(function* () {
    yield* connection.accessToken
    const found = yield* row
    return found ?? (yield* Effect.flatMap(connection.loseAccess("account_unknown"), Effect.fail))
  })

  const defaultOf = (found: Row | undefined): DefaultEventType | null =>
    found === undefined || found.uri === null ? null : { uri: found.uri, name: found.name ?? "" }

  const shownType = ({ duration, name, scheduling_url, slug, uri }: CalendlyEventType, chosen: string | null) => ({
    uri,
    name: name ?? slug ?? "",
    slug: slug ?? null,
    duration_minutes: Math.round(duration),
    scheduling_url,
    is_default: uri === chosen
  })

  const eventTypes = Effect.gen(function* () {
    const { uri, user } = yield* connected
    const types = yield* api.eventTypes(user).pipe(Effect.catchTags(asToolError))
    return types.filter(({ active }) => active !== false).map((type): SchedulerEventType => shownType(type, uri))
  })

  interface Link {
    readonly event_id: string
    readonly lead_id: LeadId | null
    readonly meeting_id: MeetingId | null
  }

  const linksOf = Effect.fnUntraced(function* (eventIds: ReadonlyArray<string>) {
    const { accountId } = yield* Caller
    const rows = yield* sql<Link>`
      select distinct on (event_id) event_id, lead_id, meeting_id from scheduler_booking
      where account_id = ${accountId} and event_id = any(${[...eventIds]}::text[])
      order by event_id, lead_id nulls last`.pipe(fromSql())
    return new Map(rows.map((link) => [link.event_id, link]))
  })

  const idOf = (uri: string): string => resourceOf("scheduled_event", apiUrl, uri) ?? ""

  const shownEvent = (event: CalendlyEvent, link: Link | undefined): ScheduledEvent | undefined => {
    const start = instantOf(event.start_time)
    const end = instantOf(event.end_time)
    return start === undefined || end === undefined
      ? undefined
      : {
          uri: event.uri,
          name: event.name ?? "",
          status: event.status,
          start_utc: start,
          end_utc: end,
          event_type_uri: event.event_type ?? null,
          location: event.location?.location ?? null,
          meeting_url: event.location?.join_url ?? null,
          invitees_count: Math.round(event.invitees_counter?.total ?? 0),
          lead_id: link?.lead_id ?? null,
          meeting_id: link?.meeting_id ?? null
        }
  }

  const shownInvitee = (invitee: CalendlyInvitee) => ({
    name: invitee.name ?? "",
    email: invitee.email,
    status: invitee.status,
    timezone: invitee.timezone ?? null,
    is_rescheduled: invitee.rescheduled ?? false,
    canceled_by: invitee.cancellation?.canceled_by ?? null,
    cancel_reason: invitee.cancellation?.reason ?? null,
    answers: (invitee.questions_and_answers ?? []).map(({ answer, question }) => ({
      question: question ?? "",
      answer: answer ?? ""
    }))
  })

  const choose = Effect.fnUntraced(function* (chosen: SchedulerEventType | undefined) {
    const { accountId } = yield* Caller
    return yield* unit.write(
      Effect.gen(function* () {
        const changed = yield* sql`
          update scheduler_account set default_event_type_uri = ${chosen?.uri ?? null},
            default_event_type_name = ${chosen?.name ?? null},
            default_event_type_url = ${chosen?.scheduling_url ?? null}
          where account_id = ${accountId} and default_event_type_uri is distinct from ${chosen?.uri ?? null}
          returning account_id`.pipe(fromSql())
        return {
          default_event_type: chosen === undefined ? null : { uri: chosen.uri, name: chosen.name },
          changed: changed.length > 0
        }
      })
    )
  })

  return Scheduler.of({
    mode,
    connectionUrl: connection.connectionUrl,

    status: Effect.gen(function* () {
      const found = Option.getOrUndefined(yield* connections.get(schedulerService))
      const own = yield* row
      const label = found?.settings["label"]
      return {
        status: found?.state ?? ("disconnected" as const),
        is_connected: found?.state === "connected",
        mode,
        account_email:
          found === undefined || found.state === "disconnected" || typeof label !== "string" ? null : label,
        default_event_type: defaultOf(own),
        connected_at: found === undefined || found.state === "disconnected" ? null : found.connectedAt,
        last_checked_at: found?.checkedAt ?? null,
        last_error: found?.lastError ?? null,
        hears_bookings_at_once: found?.state === "connected" && own !== undefined && own.subscription !== null
      }
    }).pipe(Effect.withSpan("Scheduler.status")),

    eventTypes: eventTypes.pipe(Effect.withSpan("Scheduler.eventTypes")),

    setDefault: Effect.fn("Scheduler.setDefault")(function* ({ name, uri }) {
      const { uri: before } = yield* connected
      if (uri !== undefined && uri.trim() === "") return yield* choose(undefined)
      if (uri === undefined) {
        const chosen = eventTypeNamed(name ?? "", yield* eventTypes)
        return yield* "uri" in chosen ? choose(chosen) : Effect.fail(chosen)
      }
      const id = resourceOf("event_type", apiUrl, uri.trim())
      if (id === undefined) return yield* uriRefused("event_type_uri", "list_scheduler_event_types")
      const type = yield* api
        .eventType(id)
        .pipe(Effect.catchTags(orElse(notFound("event type", "event_type_uri", uri))))
      if (type.active === false) {
        return yield* refused(
          "event_type_inactive",
          "Nobody can book this event type: it is switched off.",
          "Send one that list_scheduler_event_types answers.",
          { parameter: "event_type_uri" }
        )
      }
      return yield* choose(shownType(type, before))
    }),

    events: Effect.fn("Scheduler.events")(function* ({ endDate, startDate, status }) {
      const range = rangeOf(dayOf(toMillis(yield* now)), startDate, endDate)
      if (!("from" in range)) return yield* range
      const { user } = yield* connected
      const found = yield* api
        .events({
          user,
          status,
          min_start_time: new Date(range.from).toISOString(),
          max_start_time: new Date(range.to).toISOString(),
          sort: "start_time:asc"
        })
        .pipe(Effect.catchTags(asToolError))
      const links = yield* linksOf(found.map(({ uri }) => idOf(uri)))
      const events = found
        .flatMap((event) => shownEvent(event, links.get(idOf(event.uri))) ?? [])
        // The scheduler's own bounds may or may not count an event that begins on them.
        .filter(({ start_utc }) => toMillis(start_utc) >= range.from && toMillis(start_utc) < range.to)
        .sort((a, b) => (a.start_utc < b.start_utc ? -1 : a.start_utc > b.start_utc ? 1 : 0))
      return { events, total: events.length, start_date: range.startDate, end_date: range.endDate }
    }),

    event: Effect.fn("Scheduler.event")(function* (uri) {
      const id = resourceOf("scheduled_event", apiUrl, uri.trim())
      if (id === undefined) return yield* uriRefused("event_uri", "list_scheduler_upcoming_events")
      yield* connected
      const missing = orElse(notFound("scheduled event", "event_uri", uri))
      const event = yield* api.event(id).pipe(Effect.catchTags(missing))
      const invitees = yield* api.invitees(id).pipe(Effect.catchTags(missing))
      const shown = shownEvent(event, (yield* linksOf([id])).get(id))
      if (shown === undefined) return yield* unreadable
      return {
        ...shown,
        invitees: invitees.map(shownInvitee),
        created_at: instantOf(event.created_at) ?? null,
        cancel_reason: event.cancellation?.reason ?? null
      }
    }),

    disconnect: Effect.map(connection.disconnect, ({ atService, changed }) => ({
      status: "disconnected" as const,
      changed,
      access_revoked: atService
    })).pipe(Effect.withSpan("Scheduler.disconnect"))
  })
})

export const SchedulerPostgres = Layer.effect(Scheduler, make)
