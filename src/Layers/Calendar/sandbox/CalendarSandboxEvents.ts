import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Predicate } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { syncCalendar, syncKey } from "../CalendarTasks.ts"
import { answersOnly, attendeesOf, etagOf, failed, isOwn, isTimeValid, ok, patched } from "./CalendarSandboxAnswers.ts"
import { instancesOf, type StoredEvent, seriesOf } from "./CalendarSandboxSeries.ts"

/** How many days of an endless series the provider shows. */
const horizonDays = 400
const day = 86_400_000

interface Row {
  readonly event_id: string
  readonly body: StoredEvent
  readonly version: number
  readonly is_leftover: boolean
}

/** An account's calendar at the simulated provider. */
export interface World {
  readonly accountId: AccountId
  readonly holder: string
  readonly version: number
  readonly tokensFrom: number
  readonly zone: string
  readonly meetSeconds: number
  readonly now: number
}

const makeSandboxEventServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  return { sql, tasks }
})
type SandboxEventServices = Effect.Effect.Success<typeof makeSandboxEventServices>

const makeEventRows = ({ sql, tasks }: SandboxEventServices) => {
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

  /** Assigns the next version to the change, and notifies the account's channels. */
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
    const updatesSent = isTold && attendeesOf(event.attendees, world.holder).some(({ self }) => self !== true) ? 1 : 0
    yield* sql`
      insert into sandbox_calendar_event as e (account_id, event_id, body, version, is_leftover, updates_sent)
      values (${world.accountId}, ${event.id}, ${JSON.stringify(event)}::jsonb, ${version}, ${isLeftover}, ${updatesSent})
      on conflict (account_id, event_id) do update set body = excluded.body, version = excluded.version,
        is_leftover = excluded.is_leftover, updates_sent = e.updates_sent + excluded.updates_sent`.pipe(fromSql())
  })

  /** The event as answers contain it. Video links only appear after a delay. */
  const asResponse = (world: World, event: StoredEvent, version: number): StoredEvent => {
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

  return { changed, put, rowOf, rowsOf, asResponse }
}
type EventRows = ReturnType<typeof makeEventRows>

const makeSeries = ({ sql }: SandboxEventServices, { put, rowOf, rowsOf }: EventRows) => {
  const horizon = ({ now }: World) => ({ from: now - 60 * day, to: now + horizonDays * day })

  /** An unchanged instance has no row, so it is computed from its series. */
  const instance = Effect.fnUntraced(function* (world: World, eventId: string) {
    const named = seriesOf(eventId)
    if (named === undefined) return undefined
    const series = yield* rowOf(world, named.seriesId)
    if (series === undefined || series.body.status === "cancelled") return undefined
    const instance = instancesOf(series.body, named.near - 2 * day, named.near + 2 * day, world.zone).find(
      ({ id }) => id === eventId
    )
    return instance === undefined
      ? undefined
      : { event_id: eventId, body: instance, version: series.version, is_leftover: false }
  })

  const find = (world: World, eventId: string) =>
    Effect.flatMap(rowOf(world, eventId), (row) =>
      row === undefined || row.is_leftover ? instance(world, eventId) : Effect.succeed<Row | undefined>(row)
    )

  /** Instances instead of series, including their exceptions. */
  const singles = (world: World, rows: ReadonlyArray<Row>, since: number, range = horizon(world)) => {
    const exceptionIds = new Set(rows.filter(({ is_leftover }) => !is_leftover).map(({ event_id }) => event_id))
    return rows.flatMap((row): ReadonlyArray<Row> => {
      const { body, version } = row
      if ((body.recurrence ?? []).length === 0) return version > since ? [row] : []
      if (version <= since || body.status === "cancelled") return []
      return instancesOf(body, range.from, range.to, world.zone)
        .filter(({ id }) => !exceptionIds.has(id))
        .map((one) => ({ event_id: one.id, body: one, version, is_leftover: false }))
    })
  }

  /** Records instances that a changed series no longer has, because lists of changes must include them. */
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
    const rowsById = new Map(rows.map((row) => [row.event_id, row]))
    for (const { id } of instancesOf(before, from, to, world.zone)) {
      const row = rowsById.get(id)
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
    // Exceptions are cancelled with their series.
    if (after.status !== "cancelled") return
    for (const { body, is_leftover } of rows) {
      if (body.recurringEventId !== after.id || is_leftover) continue
      yield* put(world, { id: body.id, status: "cancelled", recurringEventId: after.id }, { version, isLeftover: true })
    }
  })

  return { find, leaveInstances, singles }
}
type Series = ReturnType<typeof makeSeries>

const eventChanges = ({ changed, put, rowOf, asResponse }: EventRows, { find, leaveInstances }: Series) => ({
  insert: Effect.fnUntraced(function* (
    world: World,
    members: { readonly [member: string]: unknown },
    options: { readonly isTold: boolean; readonly organizer?: string }
  ) {
    const requestedAttendees =
      typeof members.id === "string"
        ? members.id
        : `held${world.version.toString(32)}v${Math.floor(world.now).toString(32)}`
    if (!/^[a-v0-9]{5,1024}$/.test(requestedAttendees)) return failed(400, "invalid")
    if ((yield* rowOf(world, requestedAttendees)) !== undefined) return failed(409, "duplicate")
    const { conferenceData, ...fields } = members
    const organizer = options.organizer ?? world.holder
    const event: StoredEvent = {
      status: "confirmed",
      eventType: "default",
      ...fields,
      id: requestedAttendees,
      ...(members.attendees === undefined ? {} : { attendees: attendeesOf(members.attendees, world.holder) }),
      organizer: { email: organizer, self: organizer === world.holder },
      ...(Predicate.hasProperty(conferenceData, "createRequest")
        ? { meetReadyAt: world.now + world.meetSeconds * 1000 }
        : {})
    }
    if (!isTimeValid(event, world.zone)) return failed(400, "timeRangeEmpty")
    const version = yield* changed(world)
    yield* put(world, event, { version, isTold: options.isTold })
    return ok(asResponse(world, event, version))
  }),

  patch: Effect.fnUntraced(function* (
    world: World,
    eventId: string,
    changes: { readonly [member: string]: unknown },
    options: { readonly isTold: boolean; readonly ifMatch?: string | undefined; readonly isByOrganizer?: boolean }
  ) {
    const event = yield* find(world, eventId)
    if (event === undefined || event.body.status === "cancelled") return failed(404, "notFound")
    if (options.ifMatch !== undefined && options.ifMatch !== etagOf(event.version))
      return failed(412, "conditionNotMet")
    if (options.isByOrganizer !== true && !isOwn(event.body) && !answersOnly(changes)) {
      return failed(403, "forbiddenForNonOrganizer")
    }
    const after = patched(event.body, {
      ...changes,
      ...(changes.attendees === undefined ? {} : { attendees: attendeesOf(changes.attendees, world.holder) })
    })
    if (!isTimeValid(after, world.zone)) return failed(400, "timeRangeEmpty")
    const version = yield* changed(world)
    if ((event.body.recurrence ?? []).length > 0) yield* leaveInstances(world, event.body, after, version)
    yield* put(world, after, { version, isTold: options.isTold })
    return ok(asResponse(world, after, version))
  }),

  remove: Effect.fnUntraced(function* (world: World, eventId: string, isTold: boolean) {
    const event = yield* find(world, eventId)
    if (event === undefined) {
      const row = yield* rowOf(world, eventId)
      return row === undefined ? failed(404, "notFound") : failed(410, "deleted")
    }
    if (event.body.status === "cancelled") return failed(410, "deleted")
    const version = yield* changed(world)
    const after = { ...event.body, status: "cancelled" }
    if ((event.body.recurrence ?? []).length > 0) yield* leaveInstances(world, event.body, after, version)
    yield* put(world, after, { version, isTold })
    return { status: 204 }
  })
})

const worldEntry = ({ sql }: SandboxEventServices) => ({
  /** The calendar to change. Its row is locked until the transaction ends. */
  enter: Effect.fnUntraced(function* (accountId: AccountId, holder: string) {
    const row = single(
      yield* sql<{
        readonly version: number
        readonly tokens_from: number
        readonly time_zone: string
        readonly meet_seconds: number
        readonly slow_for: number
      }>`
          with own as materialized (select account_id, time_zone from account where account_id = ${accountId}),
            called as (
              insert into sandbox_calendar as s (account_id, calls, time_zone) select account_id, 1, time_zone from own
              on conflict (account_id) do update set calls = s.calls + 1
              returning version, tokens_from, time_zone, meet_seconds, slow_until
            )
          select version, tokens_from, time_zone, meet_seconds,
            greatest(0, extract(epoch from coalesce(slow_until, instant()) - instant()))::float8 as slow_for
          from called`.pipe(fromSql())
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
})

/** The simulated provider's events of one account. The caller must have locked the account's row. */
export const makeSandboxEvents = Effect.gen(function* () {
  const services = yield* makeSandboxEventServices
  const rows = makeEventRows(services)
  const series = makeSeries(services, rows)
  const { rowsOf, asResponse } = rows
  const { find, singles } = series

  return {
    ...eventChanges(rows, series),
    ...worldEntry(services),
    rowsOf,
    find,
    asResponse,
    singles
  }
})

export type SandboxEvents = Effect.Effect.Success<typeof makeSandboxEvents>
