import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Predicate } from "effect"
import type { Transient } from "../../../Errors.ts"
import { calendarService } from "../../../Services/Calendar/Calendar.ts"
import { isBusy, merged, type Period } from "../../../Services/Calendar/FreeSlots.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { calendarScopes } from "../Google/CalendarScopes.ts"
import { occupationOf, periodOf, readEvent } from "../Google/GoogleEvent.ts"
import { type Answer, failed, ok, parsedBody, responseOf } from "./CalendarSandboxAnswers.ts"
import { makeSandboxEvents, type SandboxEvents, type World } from "./CalendarSandboxEvents.ts"

/** A read-only calendar that every simulated account has. */
export const holidaysCalendar = "holidays@group.sandbox.example"

const refusedWithToken = ["timeMin", "timeMax", "q", "orderBy", "updatedMin", "iCalUID"]

type EventRow = Effect.Effect.Success<ReturnType<SandboxEvents["rowsOf"]>>[number]

const periodIn = ({ body }: EventRow, zone: string): Period | undefined => {
  const event = Option.getOrUndefined(readEvent(body))
  return event === undefined ? undefined : periodOf(event, zone)
}

export const placedEvent = (row: EventRow, zone: string) => ({
  body: row.body,
  version: row.version,
  at: periodIn(row, zone)?.from ?? 0
})

/** Events within the query's bounds that were not cancelled. */
export const eventsInPeriod = (rows: ReadonlyArray<EventRow>, query: URLSearchParams, zone: string) => {
  const [from, to] = [Date.parse(query.get("timeMin") ?? ""), Date.parse(query.get("timeMax") ?? "")]
  return rows.flatMap((row) => {
    const period = periodIn(row, zone)
    if (row.body.status === "cancelled" || period === undefined) return []
    if (Number.isFinite(from) && period.to <= from) return []
    if (Number.isFinite(to) && period.from >= to) return []
    return [placedEvent(row, zone)]
  })
}

/** Pages and lists of changes, in the provider's format. */
const listed = (events: SandboxEvents, world: World, query: URLSearchParams): Effect.Effect<Answer, Transient> =>
  Effect.gen(function* () {
    const syncToken = query.get("syncToken")
    const pageToken = /^p(\d{1,9})-(\d{1,15})$/.exec(query.get("pageToken") ?? "")
    if (syncToken !== null && refusedWithToken.some((name) => query.has(name))) return failed(400, "invalid")
    const since = syncToken === null ? 0 : Number(/^s(\d{1,15})$/.exec(syncToken)?.[1] ?? -1)
    if (since < 0 || (syncToken !== null && since < world.tokensFrom)) return failed(410, "fullSyncRequired")
    const rows = yield* events.rowsOf(world)
    const all =
      query.get("singleEvents") === "true"
        ? events.singles(world, rows, since)
        : rows.filter(({ version }) => version > since)
    const listedEvents =
      syncToken === null ? eventsInPeriod(all, query, world.zone) : all.map((row) => placedEvent(row, world.zone))
    const ordered = query.get("orderBy") === "startTime" ? listedEvents.toSorted((a, b) => a.at - b.at) : listedEvents
    const size = Math.min(2500, Math.max(1, Number(query.get("maxResults") ?? 250) || 250))
    const offset = Number(pageToken?.[1] ?? 0)
    // Changes that happen between two pages are in the next list of changes.
    const at = Number(pageToken?.[2] ?? world.version)
    const isLast = offset + size >= ordered.length
    return ok({
      kind: "calendar#events",
      summary: world.holder,
      timeZone: world.zone,
      accessRole: "owner",
      items: ordered.slice(offset, offset + size).map(({ body, version }) => events.asResponse(world, body, version)),
      ...(isLast ? { nextSyncToken: `s${at}` } : { nextPageToken: `p${offset + size}-${at}` })
    })
  })

const holidays = (query: URLSearchParams): Answer => {
  const year = Number((query.get("timeMin") ?? "2026").slice(0, 4))
  const [from, to] = [Date.parse(query.get("timeMin") ?? ""), Date.parse(query.get("timeMax") ?? "")]
  const items = [year, year + 1].flatMap((one) =>
    [
      ["0101", "01-01", "01-02", "Ano Novo"],
      ["1225", "12-25", "12-26", "Natal"]
    ].map(([id, start, end, summary]) => ({
      id: `holiday${one}${id}`,
      status: "confirmed",
      summary,
      transparency: "transparent",
      start: { date: `${one}-${start}` },
      end: { date: `${one}-${end}` }
    }))
  )
  return ok({
    timeZone: "America/Sao_Paulo",
    accessRole: "reader",
    items: items.filter(
      ({ end, start }) =>
        (!Number.isFinite(from) || Date.parse(end.date) > from) && (!Number.isFinite(to) || Date.parse(start.date) < to)
    ),
    nextSyncToken: "s0"
  })
}

const makeCalendarSandboxServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const consents = yield* SimulatedConsents
  const events = yield* makeSandboxEvents
  return { consents, events, sql, unit }
})
type CalendarSandboxServices = Effect.Effect.Success<typeof makeCalendarSandboxServices>

const makeChannels = ({ events, sql }: CalendarSandboxServices) => {
  const busyIn = (world: World, body: { readonly [member: string]: unknown }) =>
    Effect.map(events.rowsOf(world), (rows) => {
      const [from, to] = [Date.parse(String(body.timeMin)), Date.parse(String(body.timeMax))]
      const items = Array.isArray(body.items) ? body.items.filter(Predicate.isReadonlyRecord) : []
      const busy = merged(
        events.singles(world, rows, 0, { from, to }).flatMap(({ body: event }) => {
          const decoded = readEvent(event)
          const period = Option.isSome(decoded) ? occupationOf(decoded.value, world.zone) : undefined
          return period !== undefined && isBusy(period) && period.to > from && period.from < to ? [period] : []
        })
      ).map((busyPeriod) => ({
        start: fromMillis(Math.max(from, busyPeriod.from)),
        end: fromMillis(Math.min(to, busyPeriod.to))
      }))
      return ok({
        calendars: Object.fromEntries(
          items.map(({ id }) => [
            String(id),
            id === "primary" || id === world.holder
              ? { busy }
              : { errors: [{ domain: "global", reason: "notFound" }], busy: [] }
          ])
        )
      })
    })

  const watch = Effect.fnUntraced(function* ({ accountId, now }: World, body: { readonly [member: string]: unknown }) {
    const { address, id, params } = body
    if (typeof id !== "string" || typeof address !== "string" || !/^https?:\/\//.test(address))
      return failed(400, "invalid")
    const ttl = Predicate.hasProperty(params, "ttl") ? Number(params.ttl) : 3600
    const expires = now + Math.min(Math.max(60, Number.isFinite(ttl) ? ttl : 3600), 7 * 86_400) * 1000
    const createdChannels = yield* sql`
      insert into sandbox_calendar_channel (account_id, channel_id, resource_id, expires_at)
      values (${accountId}, ${id}, ${`r-${id}`}, ${fromMillis(expires)}) on conflict do nothing returning channel_id`.pipe(
      fromSql()
    )
    return createdChannels.length === 0
      ? failed(400, "channelIdNotUnique")
      : ok({ kind: "api#channel", id, resourceId: `r-${id}`, expiration: `${expires}` })
  })

  const stop = Effect.fnUntraced(function* ({ accountId }: World, body: { readonly [member: string]: unknown }) {
    const removedChannels = yield* sql`
      delete from sandbox_calendar_channel
      where account_id = ${accountId} and channel_id = ${String(body.id)} and resource_id = ${String(body.resourceId)}
      returning channel_id`.pipe(fromSql())
    return removedChannels.length === 0 ? failed(404, "notFound") : { status: 204 }
  })

  return { busyIn, stop, watch }
}
type Channels = ReturnType<typeof makeChannels>

const makeEventRoutes = ({ events }: CalendarSandboxServices, { watch }: Channels) => {
  const eventRoute = Effect.fnUntraced(function* (
    world: World,
    request: OutboundRequest,
    eventId: string,
    body: { readonly [member: string]: unknown },
    isTold: boolean
  ) {
    if (request.method === "POST" && eventId === "watch") return yield* watch(world, body)
    if (request.method === "PATCH") {
      const ifMatch = Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === "if-match")?.[1]
      return yield* events.patch(world, eventId, body, { isTold, ifMatch })
    }
    if (request.method === "DELETE") return yield* events.remove(world, eventId, isTold)
    const row = yield* events.find(world, eventId)
    return row === undefined ? failed(404, "notFound") : ok(events.asResponse(world, row.body, row.version))
  })

  const calendarRoute = Effect.fnUntraced(function* (
    world: World,
    request: OutboundRequest,
    query: URLSearchParams,
    [, calendarName = "", eventName]: RegExpExecArray,
    body: { readonly [member: string]: unknown }
  ) {
    const calendarId = decodeURIComponent(calendarName)
    if (calendarId === holidaysCalendar) {
      return request.method === "GET" && eventName === undefined ? holidays(query) : failed(403, "requiredAccessLevel")
    }
    if (calendarId !== "primary" && calendarId !== world.holder) return failed(404, "notFound")
    const isTold = query.get("sendUpdates") === "all"
    if (eventName !== undefined) return yield* eventRoute(world, request, decodeURIComponent(eventName), body, isTold)
    if (request.method === "GET") return yield* listed(events, world, query)
    return request.method === "POST" ? yield* events.insert(world, body, { isTold }) : failed(404, "notFound")
  })

  return { calendarRoute }
}
type EventRoutes = ReturnType<typeof makeEventRoutes>

const makeRequests = (
  { consents, events, unit }: CalendarSandboxServices,
  { busyIn, stop }: Channels,
  { calendarRoute }: EventRoutes
) => {
  const routed = Effect.fnUntraced(function* (world: World, request: OutboundRequest, url: URL, path: string) {
    const body = parsedBody(request)
    if (body === undefined) return failed(400, "parseError")
    if (request.method === "POST" && path === "/freeBusy") return yield* busyIn(world, body)
    if (request.method === "POST" && path === "/channels/stop") return yield* stop(world, body)
    const match = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path)
    return match === null
      ? failed(404, "notFound")
      : yield* calendarRoute(world, request, url.searchParams, match, body)
  })

  const answered = Effect.fnUntraced(function* (request: OutboundRequest) {
    const { accountId } = yield* Caller
    const url = new URL(request.url)
    const path = url.pathname.replace(/^.*\/calendar\/v3/, "")
    const token = /^Bearer (\S+)$/.exec(request.headers?.authorization ?? "")?.[1] ?? ""
    const consent = yield* consents.of(calendarService, token)
    if (Option.isNone(consent)) return failed(401, "authError")
    const { holder, scopes } = consent.value
    if (!scopes.includes(path === "/freeBusy" ? calendarScopes.busy : calendarScopes.events)) {
      return failed(403, "insufficientPermissions")
    }
    return yield* unit.write(
      Effect.gen(function* () {
        const { slowFor, world } = yield* events.enter(accountId, holder)
        if (slowFor > 0) {
          return failed(403, "rateLimitExceeded", { "retry-after": `${Math.ceil(slowFor)}` })
        }
        return yield* routed(world, request, url, path)
      })
    )
  })

  return { answered }
}

/** The simulated provider. Calls of one account run one at a time. */
export const makeCalendarSandbox = Effect.gen(function* () {
  const services = yield* makeCalendarSandboxServices
  const channels = makeChannels(services)
  const eventRoutes = makeEventRoutes(services, channels)
  const { answered } = makeRequests(services, channels, eventRoutes)

  return (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
    outsideTransaction(answered(request)).pipe(
      Effect.mapBoth({
        onSuccess: responseOf,
        onFailure: (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      })
    )
})
