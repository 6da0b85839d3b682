import { Clock, Context, Data, Duration, Effect, Predicate, Redacted, Schema } from "effect"
import { type Refused, refused, type Transient, transient } from "../../Errors.ts"
import type { OAuthConnection } from "../../Services/Connections/OAuth.ts"
import { RateLimits } from "../../Services/Connections/RateLimits.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import type { OutboundFailure, OutboundRequest, OutboundResponse } from "../../Services/Outbound/OutboundHttp.ts"
import { jsonOf } from "../Platform/AnswerPaths.ts"
import { retryAfterMillis } from "../Platform/Outbound/RetryAfter.ts"
import { outsideTransaction } from "../Platform/Postgres/OutsideTransaction.ts"
import {
  CalendlyEvent,
  CalendlyEventType,
  CalendlyInvitee,
  CalendlyLink,
  CalendlySubscription,
  CalendlyUser,
  page,
  resource
} from "./CalendlyShapes.ts"

/** The name under which the connection is kept. */
export const schedulerService = "scheduler"

/** The way to the scheduler: the network, or a simulator that keeps its records in the database. */
export class SchedulerTransport extends Context.Tag("SchedulerTransport")<
  SchedulerTransport,
  {
    readonly mode: ServiceMode
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  }
>() {}

/** Why the scheduler did not do what it was asked. */
export class SchedulerFailure extends Data.TaggedError("SchedulerFailure")<{
  readonly reason:
    | "unauthorized"
    | "forbidden"
    | "not_found"
    | "conflict"
    | "rate_limited"
    | "refused"
    | "unavailable"
    | "unreadable"
  readonly retryAfterSeconds?: number
}> {}

const rowsPerPage = 100
const mostPages = 30
const largestAnswer = 4 * 1024 * 1024
/** On paid plans; where there is less the headers say so. */
const allowance = { amount: 500, seconds: 60 }
const bucket = "minute"
const longestWaitSeconds = 5

const retryAfter = (headers: OutboundResponse["headers"], now: number): number => {
  const asked = retryAfterMillis(headers, now)
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN)
  const seconds = asked === undefined ? reset : asked / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 3600) : 30
}

const failureOf = ({ headers, status }: OutboundResponse, now: number): SchedulerFailure | undefined => {
  if (status >= 200 && status < 300) return undefined
  switch (status) {
    case 401:
      return new SchedulerFailure({ reason: "unauthorized" })
    case 403:
      return new SchedulerFailure({ reason: "forbidden" })
    case 404:
    case 410:
      return new SchedulerFailure({ reason: "not_found" })
    case 409:
      return new SchedulerFailure({ reason: "conflict" })
    case 429:
      return new SchedulerFailure({ reason: "rate_limited", retryAfterSeconds: retryAfter(headers, now) })
    default:
      return new SchedulerFailure({ reason: status >= 500 || status === 408 ? "unavailable" : "refused" })
  }
}

interface Call {
  readonly method: "GET" | "POST" | "DELETE"
  /** Begins with a slash. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly body?: object
}

/** What a failure is to whoever called a tool. */
export const toToolError = (failure: SchedulerFailure): Refused | Transient => {
  switch (failure.reason) {
    case "forbidden":
      return refused(
        "scheduler_forbidden",
        "The scheduler does not let the connected account do this.",
        "Connect an account whose role and plan there allow it, with get_scheduler_connection_url."
      )
    case "refused":
    case "not_found":
    case "conflict":
      return refused(
        "scheduler_refused",
        "The scheduler did not accept the request.",
        "Check the arguments against what list_scheduler_event_types and list_scheduler_upcoming_events answer."
      )
    case "rate_limited":
      return transient(
        "scheduler_rate_limited",
        "The scheduler takes no more requests for the moment.",
        Math.max(1, failure.retryAfterSeconds ?? 30)
      )
    case "unauthorized":
    case "unavailable":
    case "unreadable":
      return transient("scheduler_unavailable", "The scheduler gave no usable answer.", 10)
  }
}

/** The scheduler's interface with a token that is given. */
export const makeCalendly = (apiUrl: string) =>
  Effect.gen(function* () {
    const transport = yield* SchedulerTransport
    const limits = yield* RateLimits

    const turn = Effect.fnUntraced(function* (isWaitedFor: boolean) {
      const use = { service: schedulerService, bucket, allowance, cost: 1, largestCost: 1, isWaitedFor }
      let waited = 0
      for (;;) {
        const seconds = yield* limits.take(use)
        if (seconds === 0) return
        if (waited + seconds > longestWaitSeconds) {
          return yield* new SchedulerFailure({ reason: "rate_limited", retryAfterSeconds: Math.ceil(seconds) })
        }
        waited += seconds
        yield* Effect.sleep(Duration.seconds(seconds))
      }
    })

    const send = Effect.fnUntraced(function* (token: Redacted.Redacted, { body, method, path, query = {} }: Call) {
      const search = new URLSearchParams(query).toString()
      const response = yield* transport
        .request({
          method,
          url: `${apiUrl}${path}${search === "" ? "" : `?${search}`}`,
          headers: {
            authorization: `Bearer ${Redacted.value(token)}`,
            accept: "application/json",
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          timeout: "20 seconds",
          maxResponseBytes: largestAnswer
        })
        .pipe(
          Effect.catchTags({
            OutboundFailure: () => new SchedulerFailure({ reason: "unavailable" }),
            Refused: () => new SchedulerFailure({ reason: "refused" })
          })
        )
      const failure = failureOf(response, yield* Clock.currentTimeMillis)
      const left = Number(response.headers["x-ratelimit-remaining"] ?? Number.NaN)
      if (failure?.reason === "rate_limited") {
        yield* limits.correct(schedulerService, bucket, { emptyForSeconds: failure.retryAfterSeconds ?? 30 })
      } else if (Number.isFinite(left)) yield* limits.correct(schedulerService, bucket, { left })
      return failure === undefined ? jsonOf(response.body) : yield* failure
    })

    const decoded =
      <A, I>(schema: Schema.Schema<A, I>) =>
      (answer: unknown) =>
        Effect.mapError(Schema.decodeUnknown(schema)(answer), () => new SchedulerFailure({ reason: "unreadable" }))

    const me = (token: Redacted.Redacted) =>
      outsideTransaction(send(token, { method: "GET", path: "/users/me" })).pipe(
        Effect.flatMap(decoded(resource(CalendlyUser))),
        Effect.map((answer) => answer.resource)
      )

    const unsubscribe = (token: Redacted.Redacted, path: string) =>
      outsideTransaction(send(token, { method: "DELETE", path })).pipe(
        Effect.asVoid,
        Effect.catchIf(
          ({ _tag, reason }) => _tag === "SchedulerFailure" && reason === "not_found",
          () => Effect.void
        )
      )

    /** The same for the account that calls, with its own token; for a person who waits, before what runs by itself. */
    const of = (connection: OAuthConnection, isWaitedFor: boolean) => {
      /** A token that was refused before its time is asked for anew, once. */
      const call = (wanted: Call) =>
        outsideTransaction(
          Effect.gen(function* () {
            yield* turn(isWaitedFor)
            const token = yield* connection.accessToken
            return yield* send(token, wanted).pipe(
              Effect.catchIf(
                (error) => Predicate.isTagged(error, "SchedulerFailure") && error.reason === "unauthorized",
                () =>
                  Effect.gen(function* () {
                    yield* connection.reject(token)
                    return yield* send(yield* connection.accessToken, wanted)
                  })
              )
            )
          })
        ).pipe(
          Effect.catchIf(
            (error) => Predicate.isTagged(error, "SchedulerFailure") && error.reason === "unauthorized",
            () => Effect.flatMap(connection.loseAccess("unauthorized"), (lost) => Effect.fail(lost))
          )
        )

      const one = <A, I>(schema: Schema.Schema<A, I>, wanted: Call) =>
        Effect.map(Effect.flatMap(call(wanted), decoded(resource(schema))), (answer) => answer.resource)

      const all = <A, I>(schema: Schema.Schema<A, I>, path: string, query: { readonly [name: string]: string }) =>
        Effect.gen(function* () {
          const rows: Array<A> = []
          const seen = new Set<string>()
          let next: string | undefined
          for (let number = 0; number < mostPages; number++) {
            const given = next === undefined ? {} : { page_token: next }
            const answer = yield* call({ method: "GET", path, query: { ...query, count: `${rowsPerPage}`, ...given } })
            const { collection, pagination } = yield* decoded(page(schema))(answer)
            rows.push(...collection)
            next = pagination?.next_page_token
            if (next === undefined || next === "") return rows
            // A list that leads back to itself has no end.
            if (seen.has(next)) return yield* new SchedulerFailure({ reason: "unreadable" })
            seen.add(next)
          }
          return yield* new SchedulerFailure({ reason: "unreadable" })
        })

      const idOf = (id: string): string => encodeURIComponent(id)

      return {
        eventTypes: (user: string) => all(CalendlyEventType, "/event_types", { user, active: "true" }),
        eventType: (id: string) => one(CalendlyEventType, { method: "GET", path: `/event_types/${idOf(id)}` }),
        events: (query: { readonly [name: string]: string }) => all(CalendlyEvent, "/scheduled_events", query),
        event: (id: string) => one(CalendlyEvent, { method: "GET", path: `/scheduled_events/${idOf(id)}` }),
        invitees: (eventId: string) => all(CalendlyInvitee, `/scheduled_events/${idOf(eventId)}/invitees`, {}),
        invitee: (eventId: string, id: string) =>
          one(CalendlyInvitee, { method: "GET", path: `/scheduled_events/${idOf(eventId)}/invitees/${idOf(id)}` }),
        cancel: (eventId: string, reason: string) =>
          Effect.asVoid(
            call({ method: "POST", path: `/scheduled_events/${idOf(eventId)}/cancellation`, body: { reason } })
          ),
        schedulingLink: (eventType: string) =>
          one(CalendlyLink, {
            method: "POST",
            path: "/scheduling_links",
            body: { max_event_count: 1, owner: eventType, owner_type: "EventType" }
          }),
        subscriptions: (query: { readonly organization: string; readonly user: string }) =>
          all(CalendlySubscription, "/webhook_subscriptions", { ...query, scope: "user" }),
        subscribe: (body: { readonly url: string; readonly organization: string; readonly user: string }) =>
          one(CalendlySubscription, {
            method: "POST",
            path: "/webhook_subscriptions",
            body: { ...body, events: ["invitee.created", "invitee.canceled"], scope: "user" }
          }),
        unsubscribe: (path: string) =>
          call({ method: "DELETE", path }).pipe(
            Effect.asVoid,
            Effect.catchIf(
              (error) => Predicate.isTagged(error, "SchedulerFailure") && error.reason === "not_found",
              () => Effect.void
            )
          )
      }
    }

    return { me, unsubscribe, of }
  })
