import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option, Predicate } from "effect"
import type { Transient } from "../../../Errors.ts"
import { calendarService } from "../../../Services/Calendar/Calendar.ts"
import { isBusy, merged } from "../../../Services/Calendar/FreeSlots.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
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

/** A calendar that every simulated account may read and not write to. */
export const holidaysCalendar = "holidays@group.sandbox.example"

const refusedWithToken = ["timeMin", "timeMax", "q", "orderBy", "updatedMin", "iCalUID"]

/** Pages and lists of changes, as the provider answers them. */
const listed = (events: SandboxEvents, world: World, query: URLSearchParams): Effect.Effect<Answer, Transient> =>
  Effect.gen(function* () {
    const syncToken = query.get("syncToken")
    const pageToken = /^p(\d{1,9})-(\d{1,15})$/.exec(query.get("pageToken") ?? "")
    if (syncToken !== null && refusedWithToken.some((name) => query.has(name))) return failed(400, "invalid")
    const since = syncToken === null ? 0 : Number(/^s(\d{1,15})$/.exec(syncToken)?.[1] ?? -1)
    if (since < 0 || (syncToken !== null && since < world.tokensFrom)) return failed(410, "fullSyncRequired")
    const [from, to] = [Date.parse(query.get("timeMin") ?? ""), Date.parse(query.get("timeMax") ?? "")]
    const rows = yield* events.rowsOf(world)
    const all =
      query.get("singleEvents") === "true"
        ? events.singles(world, rows, since)
        : rows.filter(({ version }) => version > since)
    const found = all.flatMap(({ body, version }) => {
      const decoded = readEvent(body)
      const period = Option.isSome(decoded) ? periodOf(decoded.value, world.zone) : undefined
      if (syncToken !== null) return [{ body, version, at: period?.from ?? 0 }]
      if (body.status === "cancelled" || period === undefined) return []
      if (Number.isFinite(from) && period.to <= from) return []
      if (Number.isFinite(to) && period.from >= to) return []
      return [{ body, version, at: period.from }]
    })
    const ordered = query.get("orderBy") === "startTime" ? found.toSorted((a, b) => a.at - b.at) : found
    const size = Math.min(2500, Math.max(1, Number(query.get("maxResults") ?? 250) || 250))
    const offset = Number(pageToken?.[1] ?? 0)
    // What changes between two pages is told by the next list of changes.
    const at = Number(pageToken?.[2] ?? world.version)
    const isLast = offset + size >= ordered.length
    return ok({
      kind: "calendar#events",
      summary: world.holder,
      timeZone: world.zone,
      accessRole: "owner",
      items: ordered.slice(offset, offset + size).map(({ body, version }) => events.shown(world, body, version)),
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

/** The simulated provider, as the account's calls of it find it. Calls of one account come one after another. */
export const makeCalendarSandbox = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const consents = yield* SimulatedConsents
  const events = yield* makeSandboxEvents

  const busyIn = (world: World, body: { readonly [member: string]: unknown }) =>
    Effect.map(events.rowsOf(world), (rows) => {
      const [from, to] = [Date.parse(String(body.timeMin)), Date.parse(String(body.timeMax))]
      const items = Array.isArray(body.items) ? body.items.filter(Predicate.isReadonlyRecord) : []
      const busy = merged(
        events.singles(world, rows, 0, { from, to }).flatMap(({ body: event }) => {
          const decoded = readEvent(event)
          const found = Option.isSome(decoded) ? occupationOf(decoded.value, world.zone) : undefined
          return found !== undefined && isBusy(found) && found.to > from && found.from < to ? [found] : []
        })
      ).map((period) => ({
        start: fromMillis(Math.max(from, period.from)),
        end: fromMillis(Math.min(to, period.to))
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
    const made = yield* sql`
      insert into sandbox_calendar_channel (account_id, channel_id, resource_id, expires_at)
      values (${accountId}, ${id}, ${`r-${id}`}, ${fromMillis(expires)}) on conflict do nothing returning channel_id`.pipe(
      fromSql()
    )
    return made.length === 0
      ? failed(400, "channelIdNotUnique")
      : ok({ kind: "api#channel", id, resourceId: `r-${id}`, expiration: `${expires}` })
  })

  const stop = Effect.fnUntraced(function* ({ accountId }: World, body: { readonly [member: string]: unknown }) {
    const gone = yield* sql`
      delete from sandbox_calendar_channel
      where account_id = ${accountId} and channel_id = ${String(body.id)} and resource_id = ${String(body.resourceId)}
      returning channel_id`.pipe(fromSql())
    return gone.length === 0 ? failed(404, "notFound") : { status: 204 }
  })

  const routed = Effect.fnUntraced(function* (world: World, request: OutboundRequest, url: URL, path: string) {
    const body = parsedBody(request)
    if (body === undefined) return failed(400, "parseError")
    const query = url.searchParams
    if (request.method === "POST" && path === "/freeBusy") return yield* busyIn(world, body)
    if (request.method === "POST" && path === "/channels/stop") return yield* stop(world, body)
    const match = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path)
    if (match === null) return failed(404, "notFound")
    const calendarId = decodeURIComponent(match[1] ?? "")
    const eventId = match[2] === undefined ? undefined : decodeURIComponent(match[2])
    if (calendarId === holidaysCalendar) {
      return request.method === "GET" && eventId === undefined ? holidays(query) : failed(403, "requiredAccessLevel")
    }
    if (calendarId !== "primary" && calendarId !== world.holder) return failed(404, "notFound")
    const isTold = query.get("sendUpdates") === "all"
    if (eventId === undefined) {
      if (request.method === "GET") return yield* listed(events, world, query)
      return request.method === "POST" ? yield* events.insert(world, body, { isTold }) : failed(404, "notFound")
    }
    if (request.method === "POST" && eventId === "watch") return yield* watch(world, body)
    if (request.method === "PATCH") {
      const ifMatch = Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === "if-match")?.[1]
      return yield* events.patch(world, eventId, body, { isTold, ifMatch })
    }
    if (request.method === "DELETE") return yield* events.remove(world, eventId, isTold)
    const found = yield* events.find(world, eventId)
    return found === undefined ? failed(404, "notFound") : ok(events.shown(world, found.body, found.version))
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

  return (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
    outsideTransaction(answered(request)).pipe(
      Effect.mapBoth({
        onSuccess: responseOf,
        onFailure: (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      })
    )
})
