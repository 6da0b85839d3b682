import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Schema } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import { microsoftCalendarService, primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import { isBusy } from "../../../Services/Calendar/FreeSlots.ts"
import type { OAuthConnection } from "../../../Services/Connections/OAuth.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { at } from "../../Platform/AnswerPaths.ts"
import { type Judgement, makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import { type ProviderAnswer, ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { sharedQuota } from "../../Platform/Outbound/ProviderQuota.ts"
import { mayChange, type ProviderRequest } from "../../Platform/Outbound/ProviderRequest.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { type CalendarCall, CalendarFailure, calendarFailureOf } from "../Google/GoogleCalendar.ts"
import { type EventPage, type GoogleEvent, occupationOf } from "../Google/GoogleEvent.ts"
import { ownPrefix } from "../Meetings/EventIds.ts"
import type { ProviderCalendar } from "../ProviderCalendar.ts"
import { type EventNames, makeEventNames } from "./EventNames.ts"
import { answerIn, eventOf, GraphEvent, graphFields, ownIdOf, readGraphEvents, withSeries } from "./GraphEvent.ts"

/** The provider's limit of an app for each mailbox. */
const mailboxLimit = { bucket: "mailbox", allowance: { amount: 10_000, seconds: 600 } }
const longestWaitSeconds = 5
/** The pause after a refused call without a `Retry-After`. */
const restSeconds = 20
/** A subscription to events ends after seven days at most. */
const longestWatchSeconds = 7 * 86_400 - 600

/** Requests times in UTC, and ids that do not change when an event is moved. */
const preferences = 'outlook.timezone="UTC", IdType="ImmutableId"'
/** The property that stores the gateway's id in an event, for later look-ups. */
const idProperty = "String {0d6f1a0e-6c5c-4c0f-9d0b-7c0a52f3e6b1} Name GatewayEventId"

const GraphPage = Schema.Struct({
  value: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] }),
  "@odata.nextLink": Schema.optional(Schema.String),
  "@odata.deltaLink": Schema.optional(Schema.String)
})
const Subscription = Schema.Struct({ id: Schema.String, expirationDateTime: Schema.optional(Schema.String) })

const judge = (
  { json, status }: ProviderAnswer,
  usual: Judgement | undefined,
  request: ProviderRequest
): Judgement | undefined => {
  if (usual === undefined) return undefined
  if (status === 412) return { kind: "conflict", code: "changed_meanwhile" }
  if (status === 403) return { kind: "forbidden", code: mayChange(request) ? "read_only" : "refused_by_calendar" }
  // The list of changes has expired.
  const code = at(json, "error", "code")
  const isForgotten = status === 400 && (code === "SyncStateNotFound" || code === "ResyncRequired")
  return isForgotten ? { kind: "not_found", code: "status_410" } : usual
}

const inCalendar = (calendarId: string, collection: "events" | "calendarView"): string =>
  calendarId === primaryCalendar ? `/me/${collection}` : `/me/calendars/${encodeURIComponent(calendarId)}/${collection}`

interface GraphServices {
  readonly ask: <A, I>(shape: Schema.Schema<A, I>, request: ProviderRequest) => CalendarCall<A>
  readonly send: (request: ProviderRequest) => CalendarCall<unknown>
  readonly names: EventNames
  readonly apiUrl: string
}

const makeNaming = ({ ask, names }: GraphServices) => {
  /** The provider's id of an event that the gateway created, if it exists. */
  const lookUp = Effect.fnUntraced(function* (calendarId: string, eventId: string) {
    const knownId = yield* names.externalId(eventId)
    if (knownId !== undefined) return knownId
    const { value } = yield* ask(GraphPage, {
      method: "GET",
      path: inCalendar(calendarId, "events"),
      query: {
        $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${idProperty}' and ep/value eq '${eventId}')`,
        $top: 1
      }
    })
    const [event] = readGraphEvents(value)
    if (event !== undefined) yield* names.learn([{ eventId, externalId: event.id }])
    return event?.id
  })

  const pathOf = Effect.fnUntraced(function* (calendarId: string, eventId: string) {
    const id = eventId.startsWith(ownPrefix) ? yield* lookUp(calendarId, eventId) : eventId
    if (id === undefined) return yield* new CalendarFailure({ reason: "not_found" })
    return `${inCalendar(calendarId, "events")}/${encodeURIComponent(id)}`
  })

  /** Events with the gateway's ids, which are stored for later. */
  const named = Effect.fnUntraced(function* (events: ReadonlyArray<GraphEvent>) {
    const { address } = yield* names.owner
    yield* names.learn(
      events.flatMap((event) => {
        const eventId = ownIdOf(event)
        return eventId === undefined ? [] : [{ eventId, externalId: event.id }]
      })
    )
    const unnamed = events.filter((event) => ownIdOf(event) === undefined)
    const ownIds = yield* names.ownIds(unnamed.map(({ id }) => id))
    return events.map(
      (event): GoogleEvent => eventOf(event, address, ownIdOf(event) ?? ownIds.get(event.id) ?? event.id)
    )
  })

  const namedEvent = Effect.fnUntraced(function* (event: GraphEvent) {
    const [result] = yield* named([event])
    return result ?? (yield* new CalendarFailure({ reason: "unavailable" }))
  })

  return { lookUp, named, namedEvent, pathOf }
}
type Naming = ReturnType<typeof makeNaming>

const makePages = ({ apiUrl, ask, names }: GraphServices, { named }: Naming) => {
  const listed = (request: Pick<ProviderRequest, "path" | "query">, size: number) =>
    ask(GraphPage, { method: "GET", ...request, headers: { prefer: `${preferences}, odata.maxpagesize=${size}` } })

  /** Page tokens are URLs of the provider. Any other URL is rejected. */
  const atProvider = (address: string): CalendarCall<string> =>
    address.startsWith(`${apiUrl}/`)
      ? Effect.succeed(address)
      : Effect.fail(new CalendarFailure({ reason: "unavailable" }))

  const page: ProviderCalendar["page"] = Effect.fnUntraced(function* (calendarId, query) {
    const { maxResults = 250, orderBy, pageToken, syncToken, timeMax, timeMin } = query
    const address = pageToken ?? syncToken
    // Changes are only available for the primary calendar. A sorted list contains current events instead.
    const isOfChanges = orderBy === undefined
    const view = inCalendar(calendarId, "calendarView")
    const answer = yield* listed(
      address === undefined
        ? {
            path: isOfChanges ? `${view}/delta` : view,
            query: {
              startDateTime: timeMin,
              endDateTime: timeMax,
              ...(isOfChanges ? {} : { $orderby: "start/dateTime", $top: maxResults })
            }
          }
        : { path: yield* atProvider(`${address}`) },
      Number(maxResults)
    )
    const { timeZone } = yield* names.owner
    const nextPageToken = answer["@odata.nextLink"]
    const nextSyncToken = answer["@odata.deltaLink"]
    const result: EventPage = {
      items: yield* named(withSeries(readGraphEvents(answer.value))),
      timeZone,
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
      ...(nextSyncToken === undefined ? {} : { nextSyncToken })
    }
    return result
  })

  /** The busy times, computed from the calendar's events. */
  const busy: ProviderCalendar["busy"] = Effect.fnUntraced(function* (calendarId, from, to) {
    const { timeZone } = yield* names.owner
    const events: Array<GoogleEvent> = []
    let next: string | undefined
    do {
      const answer: typeof GraphPage.Type = yield* listed(
        next === undefined
          ? { path: inCalendar(calendarId, "calendarView"), query: { startDateTime: from, endDateTime: to } }
          : { path: yield* atProvider(next) },
        250
      )
      events.push(...(yield* named(withSeries(readGraphEvents(answer.value)))))
      next = answer["@odata.nextLink"]
    } while (next !== undefined && events.length < mostBusy)
    return events.flatMap((event) => {
      const occupation = occupationOf(event, timeZone)
      return occupation !== undefined && isBusy(occupation) ? [{ from: occupation.from, to: occupation.to }] : []
    })
  })

  return { busy, page }
}

/** The most events that are read for a period. */
const mostBusy = 5000

const makeEventCalls = ({ ask, names, send }: GraphServices, { lookUp, namedEvent, pathOf }: Naming) => {
  const read = Effect.fnUntraced(function* (calendarId: string, eventId: string) {
    const path = yield* pathOf(calendarId, eventId)
    return { path, event: yield* ask(GraphEvent, { method: "GET", path }) }
  })

  const get: ProviderCalendar["get"] = (calendarId, eventId) =>
    Effect.flatMap(read(calendarId, eventId), ({ event }) => namedEvent(event))

  const insert: ProviderCalendar["insert"] = Effect.fnUntraced(function* (calendarId, event) {
    const id = at(event, "id")
    const eventId = typeof id === "string" ? id : undefined
    if (eventId !== undefined && (yield* lookUp(calendarId, eventId)) !== undefined) {
      return yield* new CalendarFailure({ reason: "exists" })
    }
    const createdEvent = yield* ask(GraphEvent, {
      method: "POST",
      path: inCalendar(calendarId, "events"),
      json: {
        ...graphFields(event),
        ...(eventId === undefined
          ? {}
          : { transactionId: eventId, singleValueExtendedProperties: [{ id: idProperty, value: eventId }] })
      }
    })
    if (eventId !== undefined) yield* names.learn([{ eventId, externalId: createdEvent.id }])
    return yield* namedEvent(createdEvent)
  })

  const patch: ProviderCalendar["patch"] = Effect.fnUntraced(function* (calendarId, eventId, changes, { etag }) {
    const { event, path } = yield* read(calendarId, eventId)
    if (event.isOrganizer === false) {
      const action = answerIn(changes)
      if (action === undefined) return yield* new CalendarFailure({ reason: "not_organizer" })
      yield* send({ method: "POST", path: `${path}/${action}`, json: { sendResponse: true }, expects: "any" })
      return yield* get(calendarId, eventId)
    }
    const fields = graphFields(changes)
    // A series only keeps its hours over clock changes in its own zone, which cannot be sent here.
    if (event.type === "seriesMaster" && ("start" in fields || "end" in fields)) {
      return yield* new CalendarFailure({ reason: "refused_by_calendar" })
    }
    const changed = yield* ask(GraphEvent, { method: "PATCH", path, headers: { "if-match": etag }, json: fields })
    return yield* namedEvent(changed)
  })

  const remove: ProviderCalendar["remove"] = (calendarId, eventId) =>
    Effect.flatMap(pathOf(calendarId, eventId), (path) =>
      Effect.asVoid(send({ method: "DELETE", path, expects: "any" }))
    )

  return { get, insert, patch, remove }
}

const makeWatchCalls = ({ ask, send }: GraphServices): Pick<ProviderCalendar, "stop" | "watch"> => ({
  watch: Effect.fnUntraced(function* (calendarId, { address, id, seconds, token }) {
    const until = (yield* Clock.currentTimeMillis) + Math.min(seconds, longestWatchSeconds) * 1000
    const { expirationDateTime, id: resourceId } = yield* ask(Subscription, {
      method: "POST",
      path: "/subscriptions",
      json: {
        changeType: "created,updated,deleted",
        // Notices contain only the provider's id of the subscription, so the address contains the gateway's id.
        notificationUrl: `${address}/microsoft?channel=${id}`,
        resource: inCalendar(calendarId, "events"),
        expirationDateTime: fromMillis(until),
        clientState: token
      }
    })
    const granted = Date.parse(expirationDateTime ?? "")
    return { resourceId, expiresAt: Number.isFinite(granted) ? Math.min(granted, until) : until }
  }),
  stop: ({ resourceId }) =>
    Effect.asVoid(send({ method: "DELETE", path: `/subscriptions/${encodeURIComponent(resourceId)}`, expects: "any" }))
})

/**
 * The calling account's calendar at Microsoft 365, through Graph. Calls that a person waits for have priority over
 * background work.
 */
export const makeMicrosoftCalendar = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const { microsoft } = yield* CalendarSettings
  const { request: transport } = yield* CalendarTransport
  const rates = yield* RateLimits
  const { apiUrl } = microsoft
  const names = makeEventNames(sql, unit)

  return (access: Pick<OAuthConnection, "accessToken" | "reject" | "loseAccess">, isWaitedFor: boolean) => {
    const client = makeProviderClient({
      name: microsoftCalendarService,
      baseUrl: apiUrl,
      transport,
      headers: { prefer: preferences },
      access,
      quota: sharedQuota(rates, {
        service: microsoftCalendarService,
        limits: () => [mailboxLimit],
        longestWaitSeconds,
        restSeconds,
        isWaitedFor
      }),
      judge
    })
    const asCall = <A>(call: Effect.Effect<A, ProviderFailure | Refused | Transient, Caller>): CalendarCall<A> =>
      Effect.mapError(call, (error) => (error instanceof ProviderFailure ? calendarFailureOf(error) : error))
    const services: GraphServices = {
      ask: (shape, request) => asCall(client.ask(shape, request)),
      send: (request) => asCall(client.send(request)),
      names,
      apiUrl
    }
    const naming = makeNaming(services)
    const calendar: ProviderCalendar = {
      ...makePages(services, naming),
      ...makeEventCalls(services, naming),
      ...makeWatchCalls(services)
    }
    return calendar
  }
})
