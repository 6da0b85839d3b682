import { Context, Effect, type Redacted, type Schema } from "effect"
import { type Refused, refused, type Transient, transient } from "../../Errors.ts"
import type { OAuthConnection } from "../../Services/Connections/OAuth.ts"
import { RateLimits } from "../../Services/Outbound/RateLimits.ts"
import { type Judgement, makeProviderClient } from "../Platform/Outbound/ProviderClient.ts"
import { type ProviderAnswer, ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import type { ProviderTransport } from "../Platform/Outbound/ProviderLayer.ts"
import { sharedQuota } from "../Platform/Outbound/ProviderQuota.ts"
import type { ProviderRequest } from "../Platform/Outbound/ProviderRequest.ts"
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

/** The name under which the connection is stored. */
export const schedulerService = "scheduler"

/** Access to the scheduler: the network or the simulator. */
export class SchedulerTransport extends Context.Tag("SchedulerTransport")<SchedulerTransport, ProviderTransport>() {}

const rowsPerPage = 100
const mostPages = 30
/** The limit per minute on paid plans. On other plans, headers of the answers report the limit. */
const minuteLimit = {
  bucket: "minute",
  allowance: { amount: 500, seconds: 60 },
  leftHeader: "x-ratelimit-remaining"
}
const longestWaitSeconds = 5
/**
 * The pause in seconds after a refused call for which the scheduler names no time, and the longest pause that it may
 * request.
 */
const restSeconds = 30
const longestRestSeconds = 3600

/** The scheduler may name the time until the next call in a header with its name. */
const retryAfter = ({ headers, retryAfterMillis }: ProviderAnswer): number => {
  const seconds = retryAfterMillis === undefined ? Number(headers["x-ratelimit-reset"]) : retryAfterMillis / 1000
  return 1000 * (seconds > 0 ? Math.min(Math.ceil(seconds), longestRestSeconds) : restSeconds)
}

const judge = (answer: ProviderAnswer, usual: Judgement | undefined): Judgement | undefined =>
  usual?.kind === "rate_limited" ? { kind: "rate_limited", retryAfterMillis: retryAfter(answer) } : usual

/** Converts a failure to the error of a tool. */
export const toToolError = (failure: ProviderFailure): Refused | Transient => {
  switch (failure.kind) {
    case "forbidden":
      return refused(
        "scheduler_forbidden",
        "The scheduler does not let the connected account do this.",
        "Connect an account whose role and plan there allow it, with get_scheduler_connection_url."
      )
    case "rejected":
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
        Math.max(1, failure.retryAfterSeconds ?? restSeconds)
      )
    case "unauthorized":
    case "unavailable":
    case "maybe_sent":
      return transient("scheduler_unavailable", "The scheduler gave no usable answer.", 10)
  }
}

/** Handlers for `Effect.catchTags`. */
export const asToolError = {
  ProviderFailure: (failure: ProviderFailure) => Effect.fail(toToolError(failure))
}

const segment = encodeURIComponent

const ignoreMissing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  effect.pipe(
    Effect.asVoid,
    Effect.catchIf(
      (error) => error instanceof ProviderFailure && error.kind === "not_found",
      () => Effect.void
    )
  )

/** Makes clients of Calendly's API. */
export const makeCalendly = (baseUrl: string) =>
  Effect.gen(function* () {
    const { request: transport } = yield* SchedulerTransport
    const rates = yield* RateLimits
    const common = { name: schedulerService, baseUrl, transport, judge, maxResponseBytes: 4 * 1024 * 1024 }

    const quotaOf = (isWaitedFor: boolean) =>
      sharedQuota(rates, {
        service: schedulerService,
        limits: () => [minuteLimit],
        longestWaitSeconds,
        restSeconds,
        isWaitedFor
      })

    // Calls at the start or end of a consent skip the quota.
    const unlimited = makeProviderClient({ ...common, quota: { ...quotaOf(true), wait: () => Effect.void } })

    const me = (token: Redacted.Redacted) =>
      Effect.map(
        outsideTransaction(unlimited.ask(resource(CalendlyUser), { method: "GET", path: "/users/me", token })),
        (answer) => answer.resource
      )

    const unsubscribe = (token: Redacted.Redacted, path: string) =>
      ignoreMissing(outsideTransaction(unlimited.send({ method: "DELETE", path, token, expects: "any" })))

    /** The client for the calling account. Calls that a person waits for have priority over background work. */
    const of = (access: OAuthConnection, isWaitedFor: boolean) => {
      const client = makeProviderClient({ ...common, access, quota: quotaOf(isWaitedFor) })

      const one = <A, I>(schema: Schema.Schema<A, I>, request: ProviderRequest) =>
        Effect.map(outsideTransaction(client.ask(resource(schema), request)), (answer) => answer.resource)

      const send = (request: ProviderRequest) => outsideTransaction(client.send({ ...request, expects: "any" }))

      const all = <A, I>(schema: Schema.Schema<A, I>, path: string, query: { readonly [name: string]: string }) =>
        Effect.gen(function* () {
          const rows: Array<A> = []
          const readPages = new Set<string>()
          let next: string | undefined
          for (let number = 0; number < mostPages; number++) {
            const pageQuery = { ...query, count: rowsPerPage, page_token: next }
            const { collection, pagination } = yield* outsideTransaction(
              client.ask(page(schema), { method: "GET", path, query: pageQuery })
            )
            rows.push(...collection)
            next = pagination?.next_page_token
            if (next === undefined || next === "") return rows
            // Stops if a list refers back to a page that was read.
            if (readPages.has(next)) break
            readPages.add(next)
          }
          return yield* new ProviderFailure({ provider: schedulerService, kind: "unavailable", code: "list_endless" })
        })

      return {
        eventTypes: (user: string) => all(CalendlyEventType, "/event_types", { user, active: "true" }),
        eventType: (id: string) => one(CalendlyEventType, { method: "GET", path: `/event_types/${segment(id)}` }),
        events: (query: { readonly [name: string]: string }) => all(CalendlyEvent, "/scheduled_events", query),
        event: (id: string) => one(CalendlyEvent, { method: "GET", path: `/scheduled_events/${segment(id)}` }),
        invitees: (eventId: string) => all(CalendlyInvitee, `/scheduled_events/${segment(eventId)}/invitees`, {}),
        invitee: (eventId: string, id: string) =>
          one(CalendlyInvitee, {
            method: "GET",
            path: `/scheduled_events/${segment(eventId)}/invitees/${segment(id)}`
          }),
        cancel: (eventId: string, reason: string) =>
          Effect.asVoid(
            send({ method: "POST", path: `/scheduled_events/${segment(eventId)}/cancellation`, json: { reason } })
          ),
        schedulingLink: (eventType: string) =>
          one(CalendlyLink, {
            method: "POST",
            path: "/scheduling_links",
            json: { max_event_count: 1, owner: eventType, owner_type: "EventType" }
          }),
        subscriptions: (query: { readonly organization: string; readonly user: string }) =>
          all(CalendlySubscription, "/webhook_subscriptions", { ...query, scope: "user" }),
        subscribe: (hook: { readonly url: string; readonly organization: string; readonly user: string }) =>
          one(CalendlySubscription, {
            method: "POST",
            path: "/webhook_subscriptions",
            json: { ...hook, events: ["invitee.created", "invitee.canceled"], scope: "user" }
          }),
        unsubscribe: (path: string) => ignoreMissing(send({ method: "DELETE", path }))
      }
    }

    return { me, unsubscribe, of }
  })
