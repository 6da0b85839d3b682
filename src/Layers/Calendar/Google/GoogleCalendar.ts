import { Clock, Data, Effect, Option, Predicate, Redacted, Schema } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import { calendarService } from "../../../Services/Calendar/Calendar.ts"
import type { OAuthConnection } from "../../../Services/Connections/OAuth.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
import type { OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { readJson } from "../../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../../Platform/Outbound/RetryAfter.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { CalendarTransport } from "../CalendarTransport.ts"
import { EventPage, type GoogleEvent, readEvent } from "./GoogleEvent.ts"

export type CalendarFailureReason =
  | "read_only"
  | "not_organizer"
  | "not_found"
  /** It was there, and was deleted; of a list: its token holds no more. */
  | "gone"
  /** An event with this id is there. */
  | "exists"
  /** It was changed by somebody else meanwhile. */
  | "changed_meanwhile"
  | "refused_by_calendar"
  | "rate_limited"
  /** Nothing was done. */
  | "unavailable"
  /** It may have been done. */
  | "unknown"

/** Why a call of a calendar came to nothing: a code, and never a text of the provider's. */
export class CalendarFailure extends Data.TaggedError("CalendarFailure")<{
  readonly reason: CalendarFailureReason
  readonly retryAfterSeconds?: number | undefined
}> {}

interface Query {
  readonly [name: string]: string | number | boolean | undefined
}

interface CalendarRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly query?: Query
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  /** A POST that changes nothing. */
  readonly isRead?: boolean
}

/** What the provider allows one account of a project's users. */
const allowance = { amount: 600, seconds: 60 }
const longestWaitSeconds = 5
const restSeconds = 20
const largestAnswer = 8 * 1024 * 1024

const ErrorBody = Schema.parseJson(
  Schema.Struct({
    error: Schema.Struct({
      errors: Schema.optionalWith(Schema.Array(Schema.Struct({ reason: Schema.optional(Schema.String) })), {
        default: () => []
      })
    })
  })
)
const decodeError = Schema.decodeUnknownOption(ErrorBody)

const textOf = ({ body }: OutboundResponse): string => Buffer.from(body).toString("utf8")

const reasonsOf = (response: OutboundResponse): ReadonlyArray<string> =>
  Option.match(decodeError(textOf(response)), {
    onNone: () => [],
    onSome: ({ error }) => error.errors.flatMap(({ reason }) => reason ?? [])
  })

const readOnlyReasons = new Set(["requiredAccessLevel", "forbidden", "insufficientPermissions"])
const limits = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"])

/** What may be read and not changed is said only of a change that the provider refused for it. */
const forbidden = (reasons: ReadonlyArray<string>, changes: boolean): CalendarFailureReason =>
  reasons.includes("forbiddenForNonOrganizer")
    ? "not_organizer"
    : changes && reasons.some((reason) => readOnlyReasons.has(reason))
      ? "read_only"
      : "refused_by_calendar"

const failureOf = (response: OutboundResponse, changes: boolean, now: number): CalendarFailure => {
  const asked = retryAfterMillis(response.headers, now)
  const retryAfterSeconds = asked === undefined ? undefined : Math.ceil(asked / 1000)
  const reasons = reasonsOf(response)
  const isLimit = response.status === 429 || reasons.some((reason) => limits.has(reason))
  if (isLimit) return new CalendarFailure({ reason: "rate_limited", retryAfterSeconds })
  switch (response.status) {
    case 403:
      return new CalendarFailure({ reason: forbidden(reasons, changes) })
    case 404:
      return new CalendarFailure({ reason: "not_found" })
    case 409:
      return new CalendarFailure({ reason: "exists" })
    case 410:
      return new CalendarFailure({ reason: "gone" })
    case 412:
      return new CalendarFailure({ reason: "changed_meanwhile" })
    case 503:
      return new CalendarFailure({ reason: "unavailable", retryAfterSeconds })
    default:
      if (response.status >= 500 || response.status === 408) {
        return new CalendarFailure({ reason: changes ? "unknown" : "unavailable", retryAfterSeconds })
      }
      return new CalendarFailure({ reason: "refused_by_calendar" })
  }
}

const queryText = (query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  )
  return given.length === 0 ? "" : `?${given.join("&")}`
}

const changesAny = ({ isRead = false, method }: CalendarRequest): boolean => method !== "GET" && !isRead

const eventsPath = (calendarId: string, eventId?: string): string =>
  `/calendars/${encodeURIComponent(calendarId)}/events${eventId === undefined ? "" : `/${encodeURIComponent(eventId)}`}`

const unreadable = (changes: boolean) => new CalendarFailure({ reason: changes ? "unknown" : "unavailable" })
const asEvent = (body: unknown, changes: boolean): Effect.Effect<GoogleEvent, CalendarFailure> =>
  Option.match(readEvent(body), { onNone: () => Effect.fail(unreadable(changes)), onSome: Effect.succeed })

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

/** Who is told of a change of an event. */
export type SendUpdates = "all" | "none"

export type CalendarCall<A> = Effect.Effect<A, CalendarFailure | Refused | Transient, Caller>

/** The provider's calendar of whichever account calls, through its consent and within what it allows. */
export const makeGoogleCalendar = Effect.gen(function* () {
  const { apiUrl } = yield* CalendarSettings
  const transport = yield* CalendarTransport
  const rates = yield* RateLimits

  return (connection: Pick<OAuthConnection, "accessToken" | "reject" | "loseAccess">, isWaitedFor: boolean) => {
    const turn = Effect.fnUntraced(function* () {
      let waited = 0
      while (true) {
        const seconds = yield* rates.take({
          service: calendarService,
          bucket: "user",
          allowance,
          cost: 1,
          largestCost: 1,
          isWaitedFor
        })
        if (seconds === 0) return
        if (waited + seconds > longestWaitSeconds) {
          return yield* new CalendarFailure({ reason: "rate_limited", retryAfterSeconds: Math.ceil(seconds) })
        }
        waited += seconds
        yield* Effect.sleep(seconds * 1000)
      }
    })

    const once = (request: CalendarRequest, token: Redacted.Redacted) => {
      const changes = changesAny(request)
      const outbound: OutboundRequest = {
        method: request.method,
        url: `${apiUrl}${request.path}${queryText(request.query)}`,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${Redacted.value(token)}`,
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
          ...(request.ifMatch === undefined ? {} : { "if-match": request.ifMatch })
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        timeout: "20 seconds",
        maxResponseBytes: largestAnswer
      }
      return transport
        .request(outbound)
        .pipe(
          Effect.catchTag(
            "OutboundFailure",
            ({ mayHaveArrived }) =>
              new CalendarFailure({ reason: changes && mayHaveArrived ? "unknown" : "unavailable" })
          )
        )
    }

    /** A token may end before its time: then one more is asked for, and a consent that gives none is over. */
    const send = Effect.fnUntraced(function* (request: CalendarRequest) {
      yield* turn()
      const token = yield* connection.accessToken
      let response = yield* once(request, token)
      if (response.status === 401) {
        yield* connection.reject(token)
        response = yield* once(request, yield* connection.accessToken)
        if (response.status === 401) return yield* yield* connection.loseAccess("unauthorized")
      }
      const changes = changesAny(request)
      if (response.status < 200 || response.status >= 300) {
        const failure = failureOf(response, changes, yield* Clock.currentTimeMillis)
        if (failure.reason === "rate_limited") {
          yield* rates.correct(calendarService, "user", { emptyForSeconds: failure.retryAfterSeconds ?? restSeconds })
        }
        return yield* failure
      }
      const body = readJson(response.body)
      return Option.isNone(body) ? yield* unreadable(changes) : body.value
    })

    return {
      /** One page of a calendar's events. */
      page: (calendarId: string, query: Query): CalendarCall<EventPage> =>
        Effect.flatMap(send({ method: "GET", path: eventsPath(calendarId), query }), (body) =>
          Option.match(Schema.decodeUnknownOption(EventPage)(body), {
            onNone: () => Effect.fail(unreadable(false)),
            onSome: Effect.succeed
          })
        ),

      get: (calendarId: string, eventId: string): CalendarCall<GoogleEvent> =>
        Effect.flatMap(send({ method: "GET", path: eventsPath(calendarId, eventId) }), (body) => asEvent(body, false)),

      insert: (calendarId: string, event: object, told: SendUpdates): CalendarCall<GoogleEvent> =>
        Effect.flatMap(
          send({
            method: "POST",
            path: eventsPath(calendarId),
            query: { sendUpdates: told, conferenceDataVersion: 1 },
            body: event
          }),
          (body) => asEvent(body, true)
        ),

      patch: (
        calendarId: string,
        eventId: string,
        changes: object,
        { etag, told }: { readonly etag: string | undefined; readonly told: SendUpdates }
      ): CalendarCall<GoogleEvent> =>
        Effect.flatMap(
          send({
            method: "PATCH",
            path: eventsPath(calendarId, eventId),
            query: { sendUpdates: told, conferenceDataVersion: 1 },
            body: changes,
            ifMatch: etag
          }),
          (body) => asEvent(body, true)
        ),

      remove: (calendarId: string, eventId: string, told: SendUpdates): CalendarCall<void> =>
        Effect.asVoid(send({ method: "DELETE", path: eventsPath(calendarId, eventId), query: { sendUpdates: told } })),

      /** Asks for notices of changes. Answers what stops them, and until when they come (Unix milliseconds). */
      watch: (
        calendarId: string,
        channel: { readonly id: string; readonly address: string; readonly token: string; readonly seconds: number }
      ): CalendarCall<{ readonly resourceId: string; readonly expiresAt: number }> =>
        Effect.flatMap(
          send({
            method: "POST",
            path: `${eventsPath(calendarId)}/watch`,
            body: {
              id: channel.id,
              type: "web_hook",
              address: channel.address,
              token: channel.token,
              params: { ttl: `${channel.seconds}` }
            }
          }),
          (body) =>
            Effect.gen(function* () {
              const answer = Schema.decodeUnknownOption(Channel)(body)
              if (Option.isNone(answer)) return yield* unreadable(true)
              const told = Number(answer.value.expiration)
              const asked = (yield* Clock.currentTimeMillis) + channel.seconds * 1000
              return {
                resourceId: answer.value.resourceId,
                expiresAt: Number.isFinite(told) && told > 0 ? Math.min(told, asked) : asked
              }
            })
        ),

      stop: (channel: { readonly id: string; readonly resourceId: string }): CalendarCall<void> =>
        Effect.asVoid(send({ method: "POST", path: "/channels/stop", body: channel })),

      /** What is taken in the calendar then, as the provider itself sums it up. */
      busy: (
        calendarId: string,
        from: string,
        to: string
      ): CalendarCall<ReadonlyArray<{ readonly from: number; readonly to: number }>> =>
        Effect.flatMap(
          send({
            method: "POST",
            path: "/freeBusy",
            body: { timeMin: from, timeMax: to, items: [{ id: calendarId }] },
            isRead: true
          }),
          (body) => {
            const answer = Option.filter(Schema.decodeUnknownOption(FreeBusy)(body), ({ calendars }) =>
              Predicate.isNotUndefined(calendars[calendarId])
            )
            const found = Option.isSome(answer) ? answer.value.calendars[calendarId] : undefined
            // A calendar that cannot be read comes as an error within a success.
            if (found === undefined || found.errors.length > 0) return Effect.fail(unreadable(false))
            return Effect.succeed(
              found.busy.map(({ end, start }) => ({ from: Date.parse(start), to: Date.parse(end) }))
            )
          }
        )
    }
  }
})

export type GoogleCalendar = ReturnType<Effect.Effect.Success<typeof makeGoogleCalendar>>
