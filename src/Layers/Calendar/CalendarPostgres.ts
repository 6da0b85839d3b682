import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Predicate } from "effect"
import { type NotFound, notFound, type Refused, refused, type Transient } from "../../Errors.ts"
import {
  Calendar,
  calendarService,
  type EventChanges,
  type EventRef,
  mostEvents,
  type NewEvent,
  primaryCalendar
} from "../../Services/Calendar/Calendar.ts"
import type { CalendarEvent, EventsOfDay } from "../../Services/Calendar/CalendarModel.ts"
import {
  attendeesOf,
  isCalendarId,
  isEventId,
  replacedAttendees,
  timesRefused
} from "../../Services/Calendar/EventRules.ts"
import { utcDay } from "../../Services/Calendar/FreeSlots.ts"
import { type Connection, Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { asToolErrors } from "./CalendarRefusals.ts"
import { syncCalendar, syncKey } from "./CalendarTasks.ts"
import { CalendarTransport } from "./CalendarTransport.ts"
import { CalendarConnection } from "./Google/CalendarConnection.ts"
import { CalendarFailure } from "./Google/GoogleCalendar.ts"
import {
  emailOf,
  type GoogleAttendee,
  type GoogleEvent,
  type GoogleTime,
  isAllDay,
  isSelf,
  readEvents,
  shownEvent
} from "./Google/GoogleEvent.ts"
import { newEventId } from "./Meetings/EventIds.ts"

/** The number of retries after concurrent changes of an event. */
const attempts = 3
/** The number of look-ups of a request whose answer was lost. */
const lookUps = 2

type Failure = NotFound | Refused | Transient

const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send summary, start_utc, end_utc or attendees."
)
const allDayNeedsBoth = refused(
  "event_is_all_day",
  "The event lasts whole days.",
  "Send both start_utc and end_utc to give it hours.",
  { parameter: "start_utc" }
)
const notInvited = ({ calendarId, eventId }: EventRef) =>
  refused("not_invited", "The account is not among the attendees of this event.", "There is nothing to answer.", {
    event_id: eventId,
    calendar_id: calendarId
  })

interface MirrorRow {
  readonly time_zone: string | null
  readonly synced_at: Timestamp | null
  readonly channel_expires_at: Timestamp | null
  readonly is_watched: boolean
  readonly last_error: string | null
}

const checked = ({ calendarId, eventId }: { readonly calendarId: string; readonly eventId?: string }) =>
  !isCalendarId(calendarId)
    ? notFound("calendar", "calendar_id", calendarId)
    : eventId !== undefined && !isEventId(eventId)
      ? notFound("calendar event", "event_id", eventId)
      : Effect.void

const labelOf = ({ identity, settings: { label } }: Connection): string =>
  Predicate.isString(label) ? label : identity

const makeCalendarServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const connections = yield* Connections
  const { mode } = yield* CalendarTransport
  const connection = yield* CalendarConnection
  return { calendar: connection.calendar, connection, connections, mode, sql, tasks, unit }
})
type CalendarServices = Effect.Effect.Success<typeof makeCalendarServices>

const makeMirrorReads = ({ sql, tasks, unit }: CalendarServices) => {
  const mirror = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const [row] = yield* sql<MirrorRow>`
      select time_zone, synced_at, channel_expires_at, coalesce(channel_expires_at > instant(), false) as is_watched, last_error
      from calendar_mirror where account_id = ${accountId}`.pipe(fromSql())
    return row
  })

  const zone = Effect.map(mirror, (row) => row?.time_zone ?? "UTC")

  /** Reads the calendar soon, without waiting for its notice. */
  const noticeSoon = Effect.gen(function* () {
    const { accountId } = yield* Caller
    yield* unit.write(
      Effect.zipRight(
        sql`update calendar_mirror set due_at = instant() where account_id = ${accountId}`.pipe(fromSql()),
        tasks.enqueue(syncCalendar, { accountId }, { jobKey: syncKey(accountId) })
      )
    )
  })

  const asShown = Effect.fnUntraced(function* (event: GoogleEvent, { calendarId, eventId }: EventRef) {
    const view = shownEvent(event, calendarId, yield* zone)
    return view ?? (yield* notFound("calendar event", "event_id", eventId))
  })

  return { asShown, mirror, noticeSoon, zone }
}
type MirrorReads = ReturnType<typeof makeMirrorReads>

const makeEventChanges = ({ calendar }: CalendarServices) => {
  const current = (ref: EventRef) =>
    Effect.flatMap(calendar.get(ref.calendarId, ref.eventId), (event) =>
      event.status === "cancelled" ? Effect.fail(new CalendarFailure({ reason: "gone" })) : Effect.succeed(event)
    )

  /**
   * Reads the event, lets `change` decide what to send, and sends it. If the event has changed in the meantime, or the
   * answer was lost, it starts again. Undefined if the event already has the intended state.
   */
  const revise = (
    ref: EventRef,
    change: (event: GoogleEvent) => Effect.Effect<object | undefined, Failure>
  ): Effect.Effect<{ readonly event: GoogleEvent; readonly changed: boolean }, Failure, Caller> => {
    const attempt = (
      left: number,
      wasLost: boolean
    ): Effect.Effect<{ readonly event: GoogleEvent; readonly changed: boolean }, Failure | CalendarFailure, Caller> =>
      Effect.gen(function* () {
        const event = yield* current(ref)
        const changes = yield* change(event)
        if (changes === undefined) return { event, changed: wasLost }
        return yield* calendar
          .patch(ref.calendarId, ref.eventId, changes, { etag: event.etag, sendUpdates: "all" })
          .pipe(
            Effect.map((after) => ({ event: after, changed: true })),
            Effect.catchIf(
              (error) =>
                error._tag === "CalendarFailure" &&
                left > 1 &&
                (error.reason === "changed_meanwhile" || error.reason === "unknown"),
              (error) => attempt(left - 1, wasLost || (error._tag === "CalendarFailure" && error.reason === "unknown"))
            )
          )
      })
    return asToolErrors(ref)(attempt(attempts, false))
  }

  /** The id comes from the gateway, so a second attempt finds the event of the first instead of creating another. */
  const insert = (event: NewEvent, eventId: string, attendees: ReadonlyArray<string>) => {
    const body = {
      id: eventId,
      summary: event.summary,
      start: { dateTime: event.startsAt },
      end: { dateTime: event.endsAt },
      ...(attendees.length > 0 ? { attendees: attendees.map((email) => ({ email })) } : {}),
      conferenceData: {
        createRequest: { requestId: eventId, conferenceSolutionKey: { type: "hangoutsMeet" } }
      }
    }
    const attempt = (left: number): Effect.Effect<GoogleEvent, Failure | CalendarFailure, Caller> =>
      calendar.insert(event.calendarId, body, "all").pipe(
        Effect.catchIf(
          (error) => error._tag === "CalendarFailure" && error.reason === "exists",
          () => calendar.get(event.calendarId, eventId)
        ),
        Effect.catchIf(
          (error) => error._tag === "CalendarFailure" && error.reason === "unknown" && left > 0,
          () => attempt(left - 1)
        )
      )
    return asToolErrors({ calendarId: event.calendarId })(attempt(lookUps))
  }

  return { insert, revise }
}
type EventWrites = ReturnType<typeof makeEventChanges>

/** The status before a calendar was connected and read. */
const unreadMirror = { time_zone: null, synced_at: null, is_watched: false, channel_expires_at: null, last_error: null }

const statusAndReads = (
  { calendar, connections, mode }: CalendarServices,
  { mirror }: MirrorReads
): Pick<typeof Calendar.Service, "status" | "eventsOn"> => ({
  status: Effect.gen(function* () {
    const all = yield* connections.list(calendarService)
    // A connection that was replaced by another remains listed as disconnected.
    const connection = all.find(({ state }) => state !== "disconnected") ?? all[0]
    const row = (yield* mirror) ?? unreadMirror
    const isConnected = connection?.state === "connected"
    return {
      connection_status: connection?.state ?? ("disconnected" as const),
      mode,
      account_email: connection === undefined || connection.state === "disconnected" ? null : labelOf(connection),
      time_zone: row.time_zone,
      connected_at: isConnected ? connection.connectedAt : null,
      last_synced_at: row.synced_at,
      is_watched: isConnected && row.is_watched,
      watch_expires_at: row.channel_expires_at,
      proposes_times: isConnected && row.synced_at !== null,
      last_error: row.last_error ?? connection?.lastError ?? null
    }
  }).pipe(Effect.withSpan("Calendar.status")),

  eventsOn: Effect.fn("Calendar.eventsOn")(function* (date, calendarId) {
    yield* checked({ calendarId })
    const day = utcDay(date)
    const eventViews: Array<CalendarEvent> = []
    let pageToken: string | undefined
    let zoneThere: string | null = null
    do {
      const page = yield* outsideTransaction(
        calendar.page(calendarId, {
          singleEvents: true,
          orderBy: "startTime",
          timeMin: fromMillis(day.from),
          timeMax: fromMillis(day.to),
          maxResults: 250,
          pageToken
        })
      ).pipe(asToolErrors({ calendarId }))
      zoneThere = page.timeZone ?? zoneThere
      for (const event of readEvents(page.items)) {
        const view = event.status === "cancelled" ? undefined : shownEvent(event, calendarId, zoneThere ?? "UTC")
        // The provider also returns events that only touch the bounds.
        if (view !== undefined && touches(view, day)) eventViews.push(view)
      }
      pageToken = page.nextPageToken
    } while (pageToken !== undefined && eventViews.length < mostEvents)
    const events = eventViews.toSorted((a, b) => (a.start_utc < b.start_utc ? -1 : a.start_utc > b.start_utc ? 1 : 0))
    return {
      date,
      calendar_id: calendarId,
      time_zone: zoneThere,
      events: events.slice(0, mostEvents),
      total: events.length
    } satisfies EventsOfDay
  })
})

const changeEvents = (
  { calendar }: CalendarServices,
  { asShown, noticeSoon, zone }: MirrorReads,
  { insert, revise }: EventWrites
): Pick<typeof Calendar.Service, "create" | "update" | "remove" | "respond"> => ({
  create: Effect.fn("Calendar.create")(function* (event) {
    yield* checked(event)
    const times = timesRefused(event.startsAt, event.endsAt)
    if (times !== undefined) return yield* times
    const attendees = yield* attendeesOf(event.attendees)
    const created = yield* insert(event, yield* newEventId, attendees)
    if (event.calendarId === primaryCalendar) yield* noticeSoon
    return yield* asShown(created, { calendarId: event.calendarId, eventId: created.id })
  }),

  update: Effect.fn("Calendar.update")(function* (ref, changes) {
    yield* checked(ref)
    if (Object.values(changes).every((value) => value === undefined)) return yield* nothingToChange
    const attendees = changes.attendees === undefined ? undefined : yield* attendeesOf(changes.attendees)
    const calendarZone = yield* zone
    const { changed, event } = yield* revise(ref, (before) => changesOf(before, changes, attendees, ref, calendarZone))
    if (changed && ref.calendarId === primaryCalendar) yield* noticeSoon
    return { changed, event: yield* asShown(event, ref) }
  }),

  remove: Effect.fn("Calendar.remove")(function* (ref) {
    yield* checked(ref)
    const attempt = (left: number): Effect.Effect<boolean, Failure | CalendarFailure, Caller> =>
      calendar.remove(ref.calendarId, ref.eventId, "all").pipe(
        Effect.as(true),
        Effect.catchIf(
          (error) => error._tag === "CalendarFailure" && error.reason === "gone",
          // The event may come from this call's own earlier request, whose answer was lost.
          () => Effect.succeed(left < lookUps)
        ),
        Effect.catchIf(
          (error) => error._tag === "CalendarFailure" && error.reason === "unknown" && left > 0,
          () => attempt(left - 1)
        )
      )
    const changed = yield* asToolErrors(ref)(attempt(lookUps))
    if (changed && ref.calendarId === primaryCalendar) yield* noticeSoon
    return { changed, event_id: ref.eventId, calendar_id: ref.calendarId }
  }),

  respond: Effect.fn("Calendar.respond")(function* (ref, doesAccept) {
    yield* checked(ref)
    const responseStatus = doesAccept ? "accepted" : "declined"
    const { changed, event } = yield* revise(ref, ({ attendees = [] }) => {
      const ownAttendee = attendees.find(isSelf)
      if (ownAttendee === undefined) return notInvited(ref)
      if (ownAttendee.responseStatus === responseStatus) return Effect.succeed(undefined)
      return Effect.succeed({
        attendees: attendees.map((attendee) => (attendee === ownAttendee ? { ...attendee, responseStatus } : attendee))
      })
    })
    if (changed && ref.calendarId === primaryCalendar) yield* noticeSoon
    return { changed, event: yield* asShown(event, ref) }
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeCalendarServices
  const { connectionLinks, disconnect } = services.connection
  const mirrorReads = makeMirrorReads(services)
  const eventChanges = makeEventChanges(services)

  return Calendar.of({
    ...statusAndReads(services, mirrorReads),
    ...changeEvents(services, mirrorReads, eventChanges),
    connectionLinks,
    disconnect
  })
})

const touches = (
  { end_utc, start_utc }: CalendarEvent,
  day: { readonly from: number; readonly to: number }
): boolean => {
  const [from, to] = [toMillis(start_utc), toMillis(end_utc)]
  return from < day.to && (to > day.from || (from === to && from >= day.from))
}

const isInvitedTwice = (one: ReadonlyArray<GoogleAttendee>, other: ReadonlyArray<GoogleAttendee>): boolean =>
  one.length === other.length && one.every((attendee, index) => attendee === other[index])

/** The event keeps its time zone. */
const changedTime = (time: Timestamp, before: GoogleTime | undefined) => {
  const timeZone = before?.timeZone ?? undefined
  return { dateTime: time, date: null, ...(timeZone === undefined ? {} : { timeZone }) }
}

const changedTimes = (
  before: GoogleEvent,
  { end_utc, start_utc }: CalendarEvent,
  { endsAt, startsAt }: Pick<EventChanges, "startsAt" | "endsAt">
) => {
  const isChanged = (time: Timestamp, earlierTime: Timestamp) => time !== earlierTime || isAllDay(before)
  return {
    ...(startsAt !== undefined && isChanged(startsAt, start_utc) ? { start: changedTime(startsAt, before.start) } : {}),
    ...(endsAt !== undefined && isChanged(endsAt, end_utc) ? { end: changedTime(endsAt, before.end) } : {})
  }
}

const invitedPeople = (people: ReadonlyArray<GoogleAttendee>, emails: ReadonlyArray<string>) =>
  replacedAttendees<GoogleAttendee>(people, emails, {
    emailOf,
    isKept: (attendee) => isSelf(attendee) && attendee.organizer === true,
    invite: (email) => ({ email })
  })

/** The fields to send. Undefined if nothing differs from the event. */
const changesOf = (
  before: GoogleEvent,
  { endsAt, startsAt, summary }: EventChanges,
  attendees: ReadonlyArray<string> | undefined,
  ref: EventRef,
  zone: string
): Effect.Effect<object | undefined, Failure> =>
  Effect.gen(function* () {
    const view = shownEvent(before, ref.calendarId, zone)
    if (view === undefined) return yield* notFound("calendar event", "event_id", ref.eventId)
    const isMoved = startsAt !== undefined || endsAt !== undefined
    if (isMoved && view.is_all_day && (startsAt === undefined || endsAt === undefined)) return yield* allDayNeedsBoth
    const [start, end] = [startsAt ?? view.start_utc, endsAt ?? view.end_utc]
    const wrong = isMoved ? timesRefused(start, end) : undefined
    if (wrong !== undefined) return yield* wrong
    const people = before.attendees ?? []
    const invited = attendees === undefined ? people : invitedPeople(people, attendees)
    const changes = {
      ...(summary !== undefined && summary !== before.summary ? { summary } : {}),
      ...changedTimes(before, view, { startsAt, endsAt }),
      ...(isInvitedTwice(people, invited) ? {} : { attendees: invited })
    }
    return Object.keys(changes).length === 0 ? undefined : changes
  })

export const CalendarPostgres = Layer.effect(Calendar, make)
