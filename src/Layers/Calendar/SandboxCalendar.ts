import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Predicate } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { calendarService } from "../../Services/Calendar/Calendar.ts"
import { isBusy, merged } from "../../Services/Calendar/FreeSlots.ts"
import { SimulatedConsents } from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { OutboundFailure, type OutboundRequest, type OutboundResponse } from "../../Services/Outbound/OutboundHttp.ts"
import { apart } from "../Platform/Postgres/Apart.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { calendarScopes } from "./CalendarScopes.ts"
import { syncCalendar, syncKey } from "./CalendarTasks.ts"
import { occupationOf, periodOf, readEvent } from "./GoogleEvent.ts"
import { instancesOf, type StoredEvent, seriesOf } from "./SandboxSeries.ts"

/** A calendar that every simulated account may read and not write to. */
export const holidaysCalendar = "holidays@group.sandbox.example"
/** What the provider shows of a series without an end. */
const horizonDays = 400
const day = 86_400_000
const mostInstancesOfADay = 24

interface Row {
  readonly event_id: string
  readonly body: StoredEvent
  readonly version: number
  readonly is_leftover: boolean
}

interface World {
  readonly accountId: AccountId
  readonly holder: string
  readonly version: number
  readonly tokensFrom: number
  readonly zone: string
  readonly meetSeconds: number
  readonly now: number
}

interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

const ok = (body: unknown): Answer => ({ status: 200, body })
const failed = (status: number, reason: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body: { error: { code: status, message: reason, errors: [{ domain: "calendar", reason, message: reason }] } }
})

const etagOf = (version: number): string => `"${version}"`

const parsedBody = (request: OutboundRequest): { readonly [member: string]: unknown } | undefined => {
  if (request.body === undefined) return {}
  try {
    const value: unknown = JSON.parse(
      typeof request.body === "string" ? request.body : Buffer.from(request.body).toString("utf8")
    )
    return Predicate.isReadonlyRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Members that are null are taken away, as the provider does it. */
const patched = (before: StoredEvent, changes: { readonly [member: string]: unknown }): StoredEvent => ({
  ...Object.fromEntries(
    Object.entries({
      ...before,
      ...changes,
      start: time(before.start, changes.start),
      end: time(before.end, changes.end)
    }).filter(([, value]) => value !== null && value !== undefined)
  ),
  id: before.id
})

const time = (before: unknown, change: unknown): unknown => {
  if (!Predicate.isReadonlyRecord(change)) return before
  const whole = { ...(Predicate.isReadonlyRecord(before) ? before : {}), ...change }
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null))
}

const attendeesOf = (given: unknown, holder: string): ReadonlyArray<{ readonly [member: string]: unknown }> =>
  (Array.isArray(given) ? given.filter(Predicate.isReadonlyRecord) : []).map((attendee) => ({
    responseStatus: "needsAction",
    ...attendee,
    ...(attendee.email === holder ? { self: true } : {})
  }))

const isOwn = (event: StoredEvent): boolean =>
  !Predicate.hasProperty(event.organizer, "self") || event.organizer.self === true

/** What the changes of others' events may be: one's own answer. */
const answersOnly = (changes: { readonly [member: string]: unknown }): boolean =>
  Object.keys(changes).every((name) => name === "attendees" || name === "reminders" || name === "transparency")

const isTimeValid = (event: StoredEvent, zone: string): boolean => {
  const decoded = readEvent(event)
  const period = Option.isSome(decoded) ? periodOf(decoded.value, zone) : undefined
  return period !== undefined && period.to >= period.from && isSeriesValid(event, period.from, zone)
}

/** A rule that nobody can unfold would stand in the way of all that is read later. */
const isSeriesValid = (event: StoredEvent, from: number, zone: string): boolean => {
  if (event.recurrence === undefined) return true
  try {
    return instancesOf(event, from, from + day, zone).length <= mostInstancesOfADay
  } catch {
    return false
  }
}

const responseOf = ({ body, headers = {}, status }: Answer): OutboundResponse => ({
  status,
  headers,
  body: Buffer.from(body === undefined ? "" : JSON.stringify(body))
})

/** The simulated provider's events, of one account. Whoever uses it holds the account's row. */
export const makeSandboxEvents = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue

  const rowsOf = ({ accountId }: World) =>
    sql<Row>`
      select event_id, body, version, is_leftover from sandbox_calendar_event
      where account_id = ${accountId} order by event_id`.pipe(fromSql())

  const rowOf = ({ accountId }: World, eventId: string) =>
    sql<Row>`
      select event_id, body, version, is_leftover from sandbox_calendar_event
      where account_id = ${accountId} and event_id = ${eventId}`.pipe(
      Effect.map((rows) => rows[0]),
      fromSql()
    )

  /** Every change has a number, and whoever watches hears of it. */
  const changed = Effect.fnUntraced(function* ({ accountId }: World) {
    const { version } = single(
      yield* sql<{ readonly version: number }>`
        update sandbox_calendar set version = version + 1 where account_id = ${accountId} returning version`.pipe(
        fromSql()
      )
    )
    const watched = yield* sql`
      select from sandbox_calendar_channel where account_id = ${accountId} and expires_at > instant() limit 1`.pipe(
      fromSql()
    )
    if (watched.length > 0) {
      yield* sql`update calendar_mirror set due_at = instant() where account_id = ${accountId}`.pipe(fromSql())
      yield* tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
    }
    return version
  })

  const put = Effect.fnUntraced(function* (
    world: World,
    event: StoredEvent,
    options: { readonly version: number; readonly isTold?: boolean; readonly isLeftover?: boolean }
  ) {
    const { isLeftover = false, isTold = false, version } = options
    const told = isTold && attendeesOf(event.attendees, world.holder).some(({ self }) => self !== true) ? 1 : 0
    yield* sql`
      insert into sandbox_calendar_event as e (account_id, event_id, body, version, is_leftover, updates_sent)
      values (${world.accountId}, ${event.id}, ${JSON.stringify(event)}::jsonb, ${version}, ${isLeftover}, ${told})
      on conflict (account_id, event_id) do update set body = excluded.body, version = excluded.version,
        is_leftover = excluded.is_leftover, updates_sent = e.updates_sent + excluded.updates_sent`.pipe(fromSql())
  })

  /** As answers show it: links of video meetings take their time. */
  const shown = (world: World, event: StoredEvent, version: number): StoredEvent => {
    const { meetReadyAt, ...rest } = event
    if (typeof meetReadyAt !== "number") return { ...rest, etag: etagOf(version), id: event.id }
    const isReady = meetReadyAt <= world.now
    return {
      ...rest,
      id: event.id,
      etag: etagOf(version),
      ...(isReady ? { hangoutLink: `https://meet.sandbox.example/${event.id.slice(0, 40)}` } : {}),
      conferenceData: { createRequest: { status: { statusCode: isReady ? "success" : "pending" } } }
    }
  }

  const horizon = ({ now }: World) => ({ from: now - 60 * day, to: now + horizonDays * day })

  /** An instance that was never changed by itself stands in its series alone. */
  const instance = Effect.fnUntraced(function* (world: World, eventId: string) {
    const named = seriesOf(eventId)
    if (named === undefined) return undefined
    const series = yield* rowOf(world, named.seriesId)
    if (series === undefined || series.body.status === "cancelled") return undefined
    const found = instancesOf(series.body, named.near - 2 * day, named.near + 2 * day, world.zone).find(
      ({ id }) => id === eventId
    )
    return found === undefined
      ? undefined
      : { event_id: eventId, body: found, version: series.version, is_leftover: false }
  })

  const find = (world: World, eventId: string) =>
    Effect.flatMap(rowOf(world, eventId), (row) =>
      row === undefined || row.is_leftover ? instance(world, eventId) : Effect.succeed<Row | undefined>(row)
    )

  /** Instances instead of series, with the exceptions in their places. */
  const singles = (world: World, rows: ReadonlyArray<Row>, since: number, range = horizon(world)) => {
    const own = new Set(rows.filter(({ is_leftover }) => !is_leftover).map(({ event_id }) => event_id))
    return rows.flatMap((row): ReadonlyArray<Row> => {
      const { body, version } = row
      if ((body.recurrence ?? []).length === 0) return version > since ? [row] : []
      if (version <= since || body.status === "cancelled") return []
      return instancesOf(body, range.from, range.to, world.zone)
        .filter(({ id }) => !own.has(id))
        .map((one) => ({ event_id: one.id, body: one, version, is_leftover: false }))
    })
  }

  /** What a series has no more, once it was changed: lists of changes name it. */
  const leaveInstances = Effect.fnUntraced(function* (
    world: World,
    before: StoredEvent,
    after: StoredEvent,
    version: number
  ) {
    const { from, to } = horizon(world)
    const now = after.status === "cancelled" ? [] : instancesOf(after, from, to, world.zone)
    const stays = new Set(now.map(({ id }) => id))
    const rows = yield* rowsOf(world)
    const known = new Map(rows.map((row) => [row.event_id, row]))
    for (const { id } of instancesOf(before, from, to, world.zone)) {
      const row = known.get(id)
      if (stays.has(id)) {
        if (row?.is_leftover === true) {
          yield* sql`delete from sandbox_calendar_event where account_id = ${world.accountId} and event_id = ${id}`.pipe(
            fromSql()
          )
        }
        continue
      }
      yield* put(world, { id, status: "cancelled", recurringEventId: after.id }, { version, isLeftover: true })
    }
    // Exceptions go with their series.
    if (after.status !== "cancelled") return
    for (const { body, is_leftover } of rows) {
      if (body.recurringEventId !== after.id || is_leftover) continue
      yield* put(world, { id: body.id, status: "cancelled", recurringEventId: after.id }, { version, isLeftover: true })
    }
  })

  return {
    rowsOf,
    find,
    shown,
    singles,

    insert: Effect.fnUntraced(function* (
      world: World,
      given: { readonly [member: string]: unknown },
      options: { readonly isTold: boolean; readonly organizer?: string }
    ) {
      const wanted =
        typeof given.id === "string"
          ? given.id
          : `held${world.version.toString(32)}v${Math.floor(world.now).toString(32)}`
      if (!/^[a-v0-9]{5,1024}$/.test(wanted)) return failed(400, "invalid")
      if ((yield* rowOf(world, wanted)) !== undefined) return failed(409, "duplicate")
      const { conferenceData, ...fields } = given
      const organizer = options.organizer ?? world.holder
      const event: StoredEvent = {
        status: "confirmed",
        eventType: "default",
        ...fields,
        id: wanted,
        ...(given.attendees === undefined ? {} : { attendees: attendeesOf(given.attendees, world.holder) }),
        organizer: { email: organizer, self: organizer === world.holder },
        ...(Predicate.hasProperty(conferenceData, "createRequest")
          ? { meetReadyAt: world.now + world.meetSeconds * 1000 }
          : {})
      }
      if (!isTimeValid(event, world.zone)) return failed(400, "timeRangeEmpty")
      const version = yield* changed(world)
      yield* put(world, event, { version, isTold: options.isTold })
      return ok(shown(world, event, version))
    }),

    patch: Effect.fnUntraced(function* (
      world: World,
      eventId: string,
      changes: { readonly [member: string]: unknown },
      options: { readonly isTold: boolean; readonly ifMatch?: string | undefined; readonly isByOrganizer?: boolean }
    ) {
      const found = yield* find(world, eventId)
      if (found === undefined || found.body.status === "cancelled") return failed(404, "notFound")
      if (options.ifMatch !== undefined && options.ifMatch !== etagOf(found.version))
        return failed(412, "conditionNotMet")
      if (options.isByOrganizer !== true && !isOwn(found.body) && !answersOnly(changes)) {
        return failed(403, "forbiddenForNonOrganizer")
      }
      const after = patched(found.body, {
        ...changes,
        ...(changes.attendees === undefined ? {} : { attendees: attendeesOf(changes.attendees, world.holder) })
      })
      if (!isTimeValid(after, world.zone)) return failed(400, "timeRangeEmpty")
      const version = yield* changed(world)
      if ((found.body.recurrence ?? []).length > 0) yield* leaveInstances(world, found.body, after, version)
      yield* put(world, after, { version, isTold: options.isTold })
      return ok(shown(world, after, version))
    }),

    remove: Effect.fnUntraced(function* (world: World, eventId: string, isTold: boolean) {
      const found = yield* find(world, eventId)
      if (found === undefined) {
        const row = yield* rowOf(world, eventId)
        return row === undefined ? failed(404, "notFound") : failed(410, "deleted")
      }
      if (found.body.status === "cancelled") return failed(410, "deleted")
      const version = yield* changed(world)
      const after = { ...found.body, status: "cancelled" }
      if ((found.body.recurrence ?? []).length > 0) yield* leaveInstances(world, found.body, after, version)
      yield* put(world, after, { version, isTold })
      return { status: 204 }
    }),

    /** The world that an act changes; its row is held until the transaction ends. */
    enter: Effect.fnUntraced(function* (accountId: AccountId, holder: string) {
      const row = single(
        yield* sql<{
          readonly version: number
          readonly tokens_from: number
          readonly time_zone: string
          readonly meet_seconds: number
          readonly slow_for: number
        }>`
          insert into sandbox_calendar as s (account_id, calls,
            time_zone) select account_id, 1, time_zone from account where account_id = ${accountId}
          on conflict (account_id) do update set calls = s.calls + 1
          returning version, tokens_from, time_zone, meet_seconds,
            greatest(0, extract(epoch from coalesce(slow_until, instant()) - instant()))::float8 as slow_for`.pipe(
          fromSql()
        )
      )
      const world: World = {
        accountId,
        holder,
        version: row.version,
        tokensFrom: row.tokens_from,
        zone: row.time_zone,
        meetSeconds: row.meet_seconds,
        now: yield* Clock.currentTimeMillis
      }
      return { world, slowFor: row.slow_for }
    })
  }
})

type SandboxEvents = Effect.Effect.Success<typeof makeSandboxEvents>

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
export const makeSimulatedCalendar = Effect.gen(function* () {
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
    apart(answered(request)).pipe(
      Effect.mapBoth({
        onSuccess: responseOf,
        onFailure: (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      })
    )
})
