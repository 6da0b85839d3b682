import { Clock, Data, Effect, Option, Schema } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import { calendarService } from "../../../Services/Calendar/Calendar.ts"
import type { OAuthConnection } from "../../../Services/Connections/OAuth.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { type Judgement, makeProviderClient } from "../../Platform/Outbound/ProviderClient.ts"
import { type ProviderAnswer, ProviderFailure } from "../../Platform/Outbound/ProviderFailure.ts"
import { sharedQuota } from "../../Platform/Outbound/ProviderQuota.ts"
import { mayChange, type ProviderRequest, type QueryValues } from "../../Platform/Outbound/ProviderRequest.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { EventPage, GoogleEvent } from "./GoogleEvent.ts"

export type CalendarFailureReason =
  | "read_only"
  | "not_organizer"
  | "not_found"
  /** The event existed and was deleted. For a list, its sync token has expired. */
  | "gone"
  /** An event with this id already exists. */
  | "exists"
  /** The event was changed by someone else first. */
  | "changed_meanwhile"
  | "refused_by_calendar"
  | "rate_limited"
  /** Nothing was done. */
  | "unavailable"
  /** The change may have been made. */
  | "unknown"

/** A failed call of a calendar. It contains a code, never a text of the provider. */
export class CalendarFailure extends Data.TaggedError("CalendarFailure")<{
  readonly reason: CalendarFailureReason
  readonly retryAfterSeconds?: number | undefined
}> {}

/** The provider's limit for each user of a project. */
const userLimit = { bucket: "user", allowance: { amount: 600, seconds: 60 } }
const longestWaitSeconds = 5
/** The pause after a refused call without a `Retry-After`. */
const restSeconds = 20

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    errors: Schema.optionalWith(Schema.Array(Schema.Struct({ reason: Schema.optional(Schema.String) })), {
      default: () => []
    })
  })
})
const decodeError = Schema.decodeUnknownOption(ErrorBody)

const errorReasons = (json: unknown): ReadonlyArray<string> =>
  Option.match(decodeError(json), {
    onNone: () => [],
    onSome: ({ error }) => error.errors.flatMap(({ reason }) => reason ?? [])
  })

const limitReasons = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"])
const readOnlyReasons = new Set(["requiredAccessLevel", "forbidden", "insufficientPermissions"])

/** Only a refused change means that the calendar is read-only. */
const forbiddenCode = (reasons: ReadonlyArray<string>, request: ProviderRequest): CalendarFailureReason => {
  if (reasons.includes("forbiddenForNonOrganizer")) return "not_organizer"
  const isReadOnly = mayChange(request) && reasons.some((reason) => readOnlyReasons.has(reason))
  return isReadOnly ? "read_only" : "refused_by_calendar"
}

const judge = (
  { json, status }: ProviderAnswer,
  usual: Judgement | undefined,
  request: ProviderRequest
): Judgement | undefined => {
  if (usual === undefined) return undefined
  const reasons = errorReasons(json)
  if (reasons.some((reason) => limitReasons.has(reason))) return { kind: "rate_limited" }
  if (status === 403) return { kind: "forbidden", code: forbiddenCode(reasons, request) }
  return status === 412 ? { kind: "conflict", code: "changed_meanwhile" } : usual
}

const reasonOf = ({ answer, code, kind }: ProviderFailure): CalendarFailureReason => {
  switch (kind) {
    case "rate_limited":
    case "unavailable":
      return kind
    case "maybe_sent":
      return "unknown"
    case "not_found":
      return code === "status_410" ? "gone" : "not_found"
    case "conflict":
      return code === "changed_meanwhile" ? "changed_meanwhile" : "exists"
    case "forbidden":
      return code === "not_organizer" || code === "read_only" ? code : "refused_by_calendar"
    case "unauthorized":
    case "rejected":
      return answer === undefined ? "unavailable" : "refused_by_calendar"
  }
}

export const calendarFailureOf = (failure: ProviderFailure): CalendarFailure =>
  new CalendarFailure({ reason: reasonOf(failure), retryAfterSeconds: failure.retryAfterSeconds })

const asCalendarFailure = <A, E, R>(call: Effect.Effect<A, E | ProviderFailure, R>) =>
  Effect.mapError(call, (error) => (error instanceof ProviderFailure ? calendarFailureOf(error) : error))

const eventsPath = (calendarId: string, eventId?: string): string =>
  `/calendars/${encodeURIComponent(calendarId)}/events${eventId === undefined ? "" : `/${encodeURIComponent(eventId)}`}`

const Channel = Schema.Struct({ resourceId: Schema.String, expiration: Schema.optional(Schema.Unknown) })
const FreeBusy = Schema.Struct({
  calendars: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      busy: Schema.optionalWith(Schema.Array(Schema.Struct({ start: Schema.String, end: Schema.String })), {
        default: () => []
      }),
      errors: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] })
    })
  })
})

/** Says whether attendees are notified of a change. */
export type SendUpdates = "all" | "none"

export type CalendarCall<A> = Effect.Effect<A, CalendarFailure | Refused | Transient, Caller>

interface NotificationChannel {
  readonly id: string
  readonly address: string
  readonly token: string
  readonly seconds: number
}

interface CalendarClient {
  readonly ask: <A, I>(shape: Schema.Schema<A, I>, request: ProviderRequest) => CalendarCall<A>
  readonly send: (request: ProviderRequest) => CalendarCall<unknown>
}

const changedEvent = (sendUpdates: SendUpdates): QueryValues => ({ sendUpdates, conferenceDataVersion: 1 })

const eventCalls = ({ ask, send }: CalendarClient) => ({
  page: (calendarId: string, query: QueryValues): CalendarCall<EventPage> =>
    ask(EventPage, { method: "GET", path: eventsPath(calendarId), query }),

  get: (calendarId: string, eventId: string): CalendarCall<GoogleEvent> =>
    ask(GoogleEvent, { method: "GET", path: eventsPath(calendarId, eventId) }),

  insert: (calendarId: string, event: object, sendUpdates: SendUpdates): CalendarCall<GoogleEvent> =>
    ask(GoogleEvent, {
      method: "POST",
      path: eventsPath(calendarId),
      query: changedEvent(sendUpdates),
      json: event
    }),

  patch: (
    calendarId: string,
    eventId: string,
    changes: object,
    { etag, sendUpdates }: { readonly etag: string | undefined; readonly sendUpdates: SendUpdates }
  ): CalendarCall<GoogleEvent> =>
    ask(GoogleEvent, {
      method: "PATCH",
      path: eventsPath(calendarId, eventId),
      query: changedEvent(sendUpdates),
      headers: { "if-match": etag },
      json: changes
    }),

  remove: (calendarId: string, eventId: string, sendUpdates: SendUpdates): CalendarCall<void> =>
    Effect.asVoid(send({ method: "DELETE", path: eventsPath(calendarId, eventId), query: { sendUpdates } }))
})

const watchCalls = ({ ask, send }: CalendarClient) => ({
  /**
   * Subscribes to changes. Returns the data that `stop` needs, and the end of the subscription in Unix milliseconds.
   */
  watch: (
    calendarId: string,
    channel: NotificationChannel
  ): CalendarCall<{ readonly resourceId: string; readonly expiresAt: number }> =>
    Effect.gen(function* () {
      const { address, id, seconds, token } = channel
      const { expiration, resourceId } = yield* ask(Channel, {
        method: "POST",
        path: `${eventsPath(calendarId)}/watch`,
        json: { id, type: "web_hook", address, token, params: { ttl: `${seconds}` } }
      })
      const requestedEnd = (yield* Clock.currentTimeMillis) + seconds * 1000
      const grantedEnd = Number(expiration)
      const isGranted = Number.isFinite(grantedEnd) && grantedEnd > 0
      return { resourceId, expiresAt: isGranted ? Math.min(grantedEnd, requestedEnd) : requestedEnd }
    }),

  stop: (channel: { readonly id: string; readonly resourceId: string }): CalendarCall<void> =>
    Effect.asVoid(send({ method: "POST", path: "/channels/stop", json: channel }))
})

/** The calendar's busy times, as the provider computes them. */
const busyTimes =
  ({ ask }: CalendarClient) =>
  (
    calendarId: string,
    from: string,
    to: string
  ): CalendarCall<ReadonlyArray<{ readonly from: number; readonly to: number }>> =>
    Effect.flatMap(
      ask(FreeBusy, {
        method: "POST",
        path: "/freeBusy",
        json: { timeMin: from, timeMax: to, items: [{ id: calendarId }] },
        isRead: true
      }),
      ({ calendars }): CalendarCall<ReadonlyArray<{ readonly from: number; readonly to: number }>> => {
        const calendar = calendars[calendarId]
        // An unreadable calendar is reported as an error inside a successful answer.
        return calendar === undefined || calendar.errors.length > 0
          ? new CalendarFailure({ reason: "unavailable" })
          : Effect.succeed(calendar.busy.map(({ end, start }) => ({ from: Date.parse(start), to: Date.parse(end) })))
      }
    )

/** The calling account's calendar at Google. Calls that a person waits for have priority over background work. */
export const makeGoogleCalendar = Effect.gen(function* () {
  const { apiUrl } = yield* CalendarSettings
  const { request: transport } = yield* CalendarTransport
  const rates = yield* RateLimits

  return (access: Pick<OAuthConnection, "accessToken" | "reject" | "loseAccess">, isWaitedFor: boolean) => {
    const client = makeProviderClient({
      name: calendarService,
      baseUrl: apiUrl,
      transport,
      access,
      quota: sharedQuota(rates, {
        service: calendarService,
        limits: () => [userLimit],
        longestWaitSeconds,
        restSeconds,
        isWaitedFor
      }),
      judge
    })
    const calendarClient: CalendarClient = {
      ask: (shape, request) => asCalendarFailure(client.ask(shape, request)),
      send: (request) => asCalendarFailure(client.send(request))
    }
    return { ...eventCalls(calendarClient), ...watchCalls(calendarClient), busy: busyTimes(calendarClient) }
  }
})

export type GoogleCalendar = ReturnType<Effect.Effect.Success<typeof makeGoogleCalendar>>
