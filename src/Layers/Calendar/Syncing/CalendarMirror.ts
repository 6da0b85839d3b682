import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Random } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { Accounts } from "../../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { primaryCalendar } from "../../../Services/Calendar/Calendar.ts"
import { isBusy } from "../../../Services/Calendar/FreeSlots.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, type Timestamp, toMillis } from "../../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { recurring } from "../../Platform/Jobs/Recurring.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { sweepCalendars, syncCalendar, syncKey } from "../CalendarTasks.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { CalendarConnection } from "../Google/CalendarConnection.ts"
import type { CalendarFailure } from "../Google/GoogleCalendar.ts"
import { type GoogleEvent, occupationOf, readEvents } from "../Google/GoogleEvent.ts"
import { readsPerSecond } from "./CalendarSyncThrottle.ts"

const minute = 60_000
const day = 24 * 60 * minute

/**
 * The number of days ahead that are read. Slots are proposed for the next 30 days, and a full read happens every week.
 */
const daysAhead = 45
const daysBehind = 2
const wholeEvery = 7 * day
/** The most stored events. Times beyond them are checked in the calendar itself before a meeting is agreed on. */
const mostKept = 20_000
const pageSize = 500
/** The intervals of reads with and without notices. Notices can get lost, so both are needed. */
const pollWatched = 30 * minute
const pollUnwatched = 10 * minute
/** The sandbox queues a read with every change. */
const pollSandbox = 12 * 60 * minute
const channelSeconds = 7 * 86_400
/** A new channel is opened this long before the old one ends. */
const renewedBefore = day
/** The lease of one read. It limits how long a dead reader blocks others. */
const leaseSeconds = 120

interface Work {
  readonly accountId: AccountId
  readonly generation: string
  readonly sync_token: string | null
  readonly is_whole_due: boolean
  readonly time_zone: string | null
  readonly channel_id: string | null
  readonly channel_resource_id: string | null
  readonly channel_expires_at: Timestamp | null
  /** Seconds since 1970, to the microsecond. */
  readonly due_epoch: string
}

/** The result of a read of the calendar. */
interface Found {
  readonly isWhole: boolean
  readonly events: ReadonlyArray<GoogleEvent>
  readonly zone: string | undefined
  readonly canWrite: boolean | undefined
  readonly syncToken: string | undefined
}

/** Only this hash of the token is stored. */
export const channelHash = (token: string): Buffer => createHash("sha256").update(token).digest()

const makeMirrorServices = (
  onChanged: (events: ReadonlyArray<GoogleEvent>, zone: string) => Effect.Effect<void, Transient, Caller>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const tasks = yield* TaskQueue
    const accounts = yield* Accounts
    const { inBackground } = yield* CalendarConnection
    const { mode } = yield* CalendarTransport
    const { baseUrl } = yield* Settings
    return { accounts, baseUrl, inBackground, mode, onChanged, sql, tasks, unit }
  })
type MirrorServices = Effect.Effect.Success<ReturnType<typeof makeMirrorServices>>

const makeReads = ({ inBackground, sql }: MirrorServices) => {
  /** Takes the lease unless another process has it. */
  const claim = (accountId: AccountId) =>
    sql<Work>`
        update calendar_mirror set working_until = instant() + make_interval(secs => ${leaseSeconds})
        where account_id = ${accountId} and working_until <= instant()
        returning account_id as "accountId", generation, sync_token,
          read_whole_at is null or read_whole_at < instant() - make_interval(secs => ${wholeEvery / 1000})
            as is_whole_due,
          time_zone, channel_id, channel_resource_id, channel_expires_at,
          extract(epoch from due_at at time zone 'UTC')::text as due_epoch`.pipe(
      Effect.map((rows) => rows[0]),
      fromSql()
    )

  const read = (work: Work, isWhole: boolean): Effect.Effect<Found, CalendarFailure | Transient, Caller> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const events: Array<GoogleEvent> = []
      let pageToken: string | undefined
      let zone: string | undefined
      let role: string | undefined
      let syncToken: string | undefined
      do {
        const page = yield* inBackground
          .page(primaryCalendar, {
            singleEvents: true,
            maxResults: pageSize,
            pageToken,
            ...(isWhole
              ? { timeMin: fromMillis(now - daysBehind * day), timeMax: fromMillis(now + daysAhead * day) }
              : { syncToken: work.sync_token ?? undefined })
          })
          .pipe(Effect.catchTag("Refused", () => lost))
        events.push(...readEvents(page.items))
        zone = page.timeZone ?? zone
        role = page.accessRole ?? role
        syncToken = page.nextSyncToken
        pageToken = page.nextPageToken
      } while (pageToken !== undefined && events.length < mostKept)
      return {
        isWhole,
        events,
        zone,
        canWrite: role === undefined ? undefined : role === "owner" || role === "writer",
        syncToken
      }
    })

  /** Reads the changes, or everything if the provider no longer accepts the sync token. */
  const readChanges = (work: Work) =>
    work.sync_token === null || work.is_whole_due
      ? read(work, true)
      : Effect.catchIf(
          read(work, false),
          (error) => error._tag === "CalendarFailure" && error.reason === "gone",
          () => read(work, true)
        )

  return { claim, readChanges }
}
type Reads = ReturnType<typeof makeReads>

const makeMirrorWrites = ({ mode, onChanged, sql }: MirrorServices) => {
  const keep = Effect.fnUntraced(function* (work: Work, { canWrite, events, isWhole, syncToken, zone }: Found) {
    const { accountId, generation } = work
    const now = yield* Clock.currentTimeMillis
    const zoneNow = zone ?? work.time_zone ?? "UTC"
    const share = (yield* Random.next) * 0.5 + 0.75
    const isWatched = work.channel_expires_at !== null && toMillis(work.channel_expires_at) > now
    const wait = mode === "sandbox" ? pollSandbox : isWatched ? pollWatched : pollUnwatched
    // Stores only on top of the state that was read, so not after a reconnection or another reader's update.
    const isStill = sql`account_id = ${accountId} and generation = ${generation}::uuid
        and sync_token is not distinct from ${work.sync_token}`
    const unchangedMirror = yield* sql`select from calendar_mirror where ${isStill} for key share`.pipe(fromSql())
    if (unchangedMirror.length === 0) return
    if (isWhole) yield* sql`delete from calendar_event where account_id = ${accountId}`.pipe(fromSql())
    const removedIds: Array<string> = []
    const there = new Map<string, readonly [from: string, to: string, isBusy: boolean]>()
    for (const event of events) {
      const period = occupationOf(event, zoneNow)
      if (period === undefined || period.status === "cancelled") {
        removedIds.push(event.id)
        there.delete(event.id)
      } else {
        there.set(event.id, [fromMillis(period.from), fromMillis(Math.max(period.from, period.to)), isBusy(period)])
      }
    }
    if (removedIds.length > 0) {
      yield* sql`
          delete from calendar_event where account_id = ${accountId} and event_id = any(${removedIds}::text[])`.pipe(
        fromSql()
      )
    }
    if (there.size > 0) {
      const rows = [...there.values()]
      yield* sql`
          insert into calendar_event (account_id, event_id, starts_at, ends_at, is_busy)
          select ${accountId}, e.id, e.starts_at, e.ends_at, e.is_busy
          from unnest(${[...there.keys()]}::text[], ${rows.map(([from]) => from)}::timestamptz[],
            ${rows.map(([, to]) => to)}::timestamptz[], ${rows.map(([, , busy]) => busy)}::boolean[])
            as e (id, starts_at, ends_at, is_busy)
          on conflict (account_id, event_id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at,
            is_busy = excluded.is_busy`.pipe(fromSql())
    }
    yield* onChanged(events, zoneNow)
    // Updated last, because notices of changes write to this row too and should not wait for the statements above.
    const updatedMirror = yield* sql`
        update calendar_mirror set sync_token = ${syncToken ?? null}, synced_at = instant(),
          read_whole_at = case when ${isWhole} then instant() else read_whole_at end,
          time_zone = ${zoneNow}, can_write = coalesce(${canWrite ?? null}, can_write), last_error = null, failures = 0,
          -- A notice that came meanwhile is another read's.
          due_at = case when extract(epoch from due_at at time zone 'UTC') <> ${work.due_epoch}::numeric then due_at
            else ${fromMillis(now + wait * share)}::timestamptz end,
          working_until = '-infinity'
        where ${isStill} returning account_id`.pipe(fromSql())
    if (updatedMirror.length === 0) return yield* readByAnother
  })

  const failed = ({ accountId, generation }: Work, reason: string, retryAfterSeconds: number) =>
    sql`
        update calendar_mirror set working_until = '-infinity', last_error = ${reason}, failures = failures + 1,
          due_at = shifted(instant(), make_interval(secs => ${retryAfterSeconds} * least(64, power(2, failures))::float8))
        where account_id = ${accountId} and generation = ${generation}::uuid`.pipe(Effect.asVoid, fromSql())

  return { failed, keep }
}
type MirrorWrites = ReturnType<typeof makeMirrorWrites>

const makeWatch = ({ baseUrl, inBackground, sql }: MirrorServices) => {
  /** Channels cannot be renewed. A new one is opened before the old one ends, and then the old one is stopped. */
  const watch = Effect.fnUntraced(function* (work: Work) {
    const now = yield* Clock.currentTimeMillis
    const until = work.channel_expires_at === null ? 0 : toMillis(work.channel_expires_at)
    if (until - now > renewedBefore) return work
    const drawn = yield* Effect.replicateEffect(Random.nextIntBetween(0, 36), 40)
    const token = drawn.map((digit) => digit.toString(36)).join("")
    const id = `pgw-${work.accountId}-${token.slice(0, 16)}`
    const opened = yield* inBackground
      .watch(primaryCalendar, {
        id,
        address: `${baseUrl}/calendar/notices`,
        token: token.slice(16),
        seconds: channelSeconds
      })
      // If the provider cannot reach the gateway's address or refuses it, the calendar is polled.
      .pipe(Effect.option)
    if (Option.isNone(opened)) return work
    const { expiresAt, resourceId } = opened.value
    const expires = fromMillis(expiresAt)
    yield* sql`
        update calendar_mirror set channel_id = ${id}, channel_token_hash = ${channelHash(token.slice(16))},
          channel_resource_id = ${resourceId}, channel_expires_at = ${expires}, last_message_number = null
        where account_id = ${work.accountId} and generation = ${work.generation}::uuid`.pipe(fromSql())
    if (work.channel_id !== null && work.channel_resource_id !== null) {
      yield* Effect.ignore(inBackground.stop({ id: work.channel_id, resourceId: work.channel_resource_id }))
    }
    return { ...work, channel_id: id, channel_resource_id: resourceId, channel_expires_at: expires }
  })

  return { watch }
}
type Watch = ReturnType<typeof makeWatch>

const makeSync = (
  { accounts, sql, tasks, unit }: MirrorServices,
  { claim, readChanges }: Reads,
  { failed, keep }: MirrorWrites,
  { watch }: Watch
) => {
  /** Reads the calendar once. Does nothing if there is none, or another process is reading it. */
  const sync = (accountId: AccountId): Effect.Effect<void, Transient, Caller> =>
    Effect.gen(function* () {
      const work = yield* claim(accountId)
      if (work === undefined) return
      yield* watch(work).pipe(
        Effect.flatMap((watched) =>
          Effect.flatMap(readChanges(watched), (changes) => unit.write(keep(watched, changes)))
        ),
        Effect.catchIf(
          (error) => error === readByAnother,
          () => Effect.void
        ),
        Effect.catchAll((error) => failed(work, error.reason, error.retryAfterSeconds ?? 60))
      )
      const [left] = yield* sql`
          select from calendar_mirror where account_id = ${accountId} and due_at <= instant() and failures = 0`.pipe(
        fromSql()
      )
      if (left !== undefined) yield* tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
    })

  const asOwner = (accountId: AccountId) =>
    Effect.flatMap(
      accounts.planOf(accountId),
      Option.match({
        onNone: () => Effect.void,
        onSome: (plan) =>
          Effect.provideService(sync(accountId), Caller, Caller.forTask(accountId, plan, `calendar-${accountId}`))
      })
    )

  return { asOwner }
}

const makeSweep = ({ sql, tasks, unit }: MirrorServices) => {
  /** Queues a read of each due calendar, a few per second. */
  const sweep = unit.write(
    Effect.gen(function* () {
      const due = yield* unit
        .acrossAccounts(sql<{ readonly accountId: AccountId }>`
          update calendar_mirror m set due_at = instant() + interval '5 minutes'
          from (
            select account_id from calendar_mirror where due_at <= instant() and uses_test_clock(account_id)
            order by due_at limit 5000 for update skip locked
          ) due
          where m.account_id = due.account_id returning m.account_id as "accountId"`)
        .pipe(fromSql())
      const now = yield* Clock.currentTimeMillis
      yield* tasks.enqueueMany(
        syncCalendar,
        due.map((payload, place) => {
          const later = Math.floor(place / readsPerSecond)
          return {
            payload,
            jobKey: syncKey(payload.accountId),
            runAt: later === 0 ? undefined : fromMillis(now + later * 1000)
          }
        })
      )
      return due.length
    })
  )

  return { sweep }
}

/** Keeps the mirror of an account's calendar up to date. `onChanged` receives the changed events. */
export const makeCalendarMirror = (
  onChanged: (events: ReadonlyArray<GoogleEvent>, zone: string) => Effect.Effect<void, Transient, Caller>
) =>
  Effect.gen(function* () {
    const services = yield* makeMirrorServices(onChanged)
    const reads = makeReads(services)
    const writes = makeMirrorWrites(services)
    const watching = makeWatch(services)
    const { asOwner } = makeSync(services, reads, writes, watching)
    const { sweep } = makeSweep(services)

    return {
      sync: asOwner,
      sweep
    }
  })

const readByAnother = transient("calendar_read_by_another", "Another reader was faster.", 1)
const lost = transient("calendar_needs_reconnect", "The calendar is to be connected anew.", 3600)

export const calendarRecurring = [recurring("sweep_calendars", "*/5 * * * *", sweepCalendars, {})]
