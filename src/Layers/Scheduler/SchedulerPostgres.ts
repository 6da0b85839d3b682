import { Effect, Layer, Option } from "effect"
import { type NotFound, notFound, refused } from "../../Errors.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import { now, toMillis } from "../../Services/Core/Timestamp.ts"
import { Scheduler } from "../../Services/Scheduler/Scheduler.ts"
import type { SchedulerEventType } from "../../Services/Scheduler/SchedulerModel.ts"
import { dayOf, eventTypeNamed, rangeOf, resourceOf, uriRefused } from "../../Services/Scheduler/SchedulerRules.ts"
import type { ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import { asToolError, SchedulerTransport, schedulerService, toToolError } from "./CalendlyApi.ts"
import { SchedulerConnection } from "./SchedulerConnection.ts"
import { makeSchedulerRows } from "./SchedulerRows.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { defaultOf, eventTypeView, eventView, instantOf, inviteeView } from "./SchedulerViews.ts"

const unreadable = refused(
  "scheduler_answer_unreadable",
  "The scheduler answered with an event whose times cannot be read.",
  "Look at the event in the scheduler itself."
)

/** Converts a failure to `missing` if the scheduler has no such record. */
const orElse = (missing: NotFound) => ({
  ProviderFailure: (failure: ProviderFailure) =>
    Effect.fail(failure.kind === "not_found" ? missing : toToolError(failure))
})

const make = Effect.gen(function* () {
  const connections = yield* Connections
  const { mode } = yield* SchedulerTransport
  const { apiUrl } = yield* SchedulerSettings
  const { api: apiFor, connection } = yield* SchedulerConnection
  const api = apiFor(true)
  const { choose, linksOf, row } = yield* makeSchedulerRows

  /** Returns the calling account's scheduler. If the connection must be renewed, it is refused before any request. */
  const connected = Effect.gen(function* () {
    yield* connection.accessToken
    const account = yield* row
    return account ?? (yield* Effect.flatMap(connection.loseAccess("account_unknown"), Effect.fail))
  })

  const eventTypes = Effect.gen(function* () {
    const { uri, user } = yield* connected
    const types = yield* api.eventTypes(user).pipe(Effect.catchTags(asToolError))
    return types.filter(({ active }) => active !== false).map((type): SchedulerEventType => eventTypeView(type, uri))
  })

  const idOf = (uri: string): string => resourceOf("scheduled_event", apiUrl, uri) ?? ""

  return Scheduler.of({
    mode,
    connectionUrl: connection.connectionUrl,

    status: Effect.gen(function* () {
      const existing = Option.getOrUndefined(yield* connections.get(schedulerService))
      const own = yield* row
      const label = existing?.settings["label"]
      return {
        status: existing?.state ?? ("disconnected" as const),
        is_connected: existing?.state === "connected",
        mode,
        account_email:
          existing === undefined || existing.state === "disconnected" || typeof label !== "string" ? null : label,
        default_event_type: defaultOf(own),
        connected_at: existing === undefined || existing.state === "disconnected" ? null : existing.connectedAt,
        last_checked_at: existing?.checkedAt ?? null,
        last_error: existing?.lastError ?? null,
        hears_bookings_at_once: existing?.state === "connected" && own !== undefined && own.subscription !== null
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
      return yield* choose(eventTypeView(type, before))
    }),

    events: Effect.fn("Scheduler.events")(function* ({ endDate, startDate, status }) {
      const range = rangeOf(dayOf(toMillis(yield* now)), startDate, endDate)
      if (!("from" in range)) return yield* range
      const { user } = yield* connected
      const rows = yield* api
        .events({
          user,
          status,
          min_start_time: new Date(range.from).toISOString(),
          max_start_time: new Date(range.to).toISOString(),
          sort: "start_time:asc"
        })
        .pipe(Effect.catchTags(asToolError))
      const links = yield* linksOf(rows.map(({ uri }) => idOf(uri)))
      const events = rows
        .flatMap((event) => eventView(event, links.get(idOf(event.uri))) ?? [])
        // The scheduler may or may not include events at the bounds, so they are checked here.
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
      const shown = eventView(event, (yield* linksOf([id])).get(id))
      if (shown === undefined) return yield* unreadable
      return {
        ...shown,
        invitees: invitees.map(inviteeView),
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
