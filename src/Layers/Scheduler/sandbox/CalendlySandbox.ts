import { randomBytes, randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Predicate } from "effect"
import type { Transient } from "../../../Errors.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { SimulatedHostCalendar } from "../../../Services/Scheduler/SimulatedHostCalendar.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { schedulerService } from "../CalendlyApi.ts"
import {
  type BookingRow,
  bookingColumns,
  eventView,
  hostEventOf,
  idOf,
  inviteeView,
  organizationUri,
  type SimulatedType,
  simulatedPagePath,
  simulatedTypes,
  typeUri,
  uriOf,
  userUri
} from "./CalendlySandboxViews.ts"

const answer = (
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
): OutboundResponse => ({
  status,
  headers: {
    "content-type": "application/json",
    "x-ratelimit-limit": "500",
    "x-ratelimit-remaining": "499",
    "x-ratelimit-reset": "60",
    ...headers
  },
  body: Buffer.from(body === undefined ? "" : JSON.stringify(body))
})
const fault = (status: number, title: string, parameter?: string) =>
  answer(status, {
    title,
    message: title,
    details: parameter === undefined ? [] : [{ parameter, message: "is invalid" }]
  })
const missing = fault(404, "Resource Not Found")

const parsed = (body: OutboundRequest["body"]): { readonly [name: string]: unknown } => {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : "{}")
    return Predicate.isReadonlyRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const listed = (rows: ReadonlyArray<unknown>, query: URLSearchParams) => {
  const count = Math.min(Number(query.get("count") ?? "20"), 100)
  const from = Number(query.get("page_token") ?? "0")
  if (!Number.isInteger(count) || count < 1) return fault(400, "Invalid Argument", "count")
  if (!Number.isInteger(from) || from < 0) return fault(400, "Invalid Argument", "page_token")
  const next = from + count < rows.length ? `${from + count}` : null
  return answer(200, {
    collection: rows.slice(from, from + count),
    pagination: {
      count: Math.min(count, rows.length - from),
      next_page: null,
      previous_page: null,
      next_page_token: next,
      previous_page_token: null
    }
  })
}

/** The time at which the simulated users and event types were created. */
const firstInstant = "2026-01-05T12:00:00.000000Z"

const subscriptionView = (holder: string, id: string, url: string) => ({
  uri: uriOf("webhook_subscriptions", id),
  callback_url: url,
  created_at: firstInstant,
  updated_at: firstInstant,
  retry_started_at: null,
  state: "active",
  events: ["invitee.created", "invitee.canceled"],
  scope: "user",
  organization: organizationUri(holder),
  user: userUri(holder),
  creator: userUri(holder)
})

/** Makes the operations that the simulated API uses to read and change records. */
const makeCalendlyRecords = Effect.gen(function* () {
  const sql = yield* SqlClient
  const seal = yield* makeAccountSeal
  const hostCalendar = yield* SimulatedHostCalendar
  const { baseUrl } = yield* Settings

  const rowsOf = Effect.fnUntraced(function* (holder: string) {
    const { accountId } = yield* Caller
    return yield* sql<BookingRow>`
      select ${sql.literal(bookingColumns)} from sandbox_scheduler_booking
      where account_id = ${accountId} and holder = ${holder} order by starts_at, invitee_id`.pipe(fromSql())
  })

  /** The holder's account at the simulated scheduler. The first use creates it. */
  const ofHolder = Effect.fnUntraced(function* (holder: string) {
    const { accountId } = yield* Caller
    const key = yield* seal.addressKey(accountId)
    return single(
      yield* sql<{ readonly page_key: string; readonly slow_for: number }>`
        insert into sandbox_scheduler as s (account_id, holder, page_key, signing_key)
        values (${accountId}, ${holder}, ${key}, ${randomBytes(32).toString("base64url")})
        on conflict (account_id, holder) do update set holder = s.holder
        returning page_key, greatest(0, extract(epoch from coalesce(slow_until, instant()) - instant()))::float8
          as slow_for`.pipe(fromSql())
    )
  })

  const typeView = (holder: string, key: string, { active, minutes, name, slug }: SimulatedType) => ({
    uri: typeUri(holder, slug),
    name,
    active,
    booking_method: "instant",
    slug,
    scheduling_url: `${baseUrl}${simulatedPagePath}/${key}?type=${slug}`,
    duration: minutes,
    kind: "solo",
    kind_description: "One-on-One",
    pooling_type: null,
    type: "StandardEventType",
    color: "#0069ff",
    profile: { type: "User", name: holder, owner: userUri(holder) },
    secret: false,
    admin_managed: false,
    internal_note: null,
    description_plain: null,
    description_html: null,
    custom_questions: [],
    created_at: firstInstant,
    updated_at: firstInstant,
    deleted_at: null
  })

  const cancelled = Effect.fnUntraced(function* (holder: string, eventId: string, reason: unknown) {
    const { accountId } = yield* Caller
    const row = (yield* rowsOf(holder)).find((each) => each.eventId === eventId)
    if (row === undefined) return missing
    if (!row.isActive) return fault(403, "Event in the past or already canceled")
    const cancellation = {
      canceled_by: holder,
      reason: Predicate.isString(reason) ? reason : "",
      canceler_type: "host"
    }
    yield* sql`
      update sandbox_scheduler_booking set is_active = false, updated_at = ${new Date(yield* Clock.currentTimeMillis).toISOString()},
        body = body || ${JSON.stringify({ cancellation })}::jsonb
      where account_id = ${accountId} and invitee_id = ${row.inviteeId}`.pipe(fromSql())
    yield* hostCalendar.remove(hostEventOf(row).eventId)
    return answer(201, { resource: cancellation })
  })

  const subscribed = Effect.fnUntraced(function* (holder: string, body: { readonly [name: string]: unknown }) {
    const { accountId } = yield* Caller
    const { url } = body
    if (!Predicate.isString(url)) return fault(400, "Invalid Argument", "url")
    const taken = yield* sql`
      select subscription_id from sandbox_scheduler_subscription
      where account_id = ${accountId} and holder = ${holder} and url = ${url}`.pipe(fromSql())
    if (taken.length > 0) return fault(409, "Already Exists")
    const id = randomUUID()
    yield* sql`
      insert into sandbox_scheduler_subscription (account_id, subscription_id, holder, url)
      values (${accountId}, ${id}, ${holder}, ${url})`.pipe(fromSql())
    return answer(201, { resource: subscriptionView(holder, id, url) })
  })

  const linked = Effect.fnUntraced(function* (holder: string, key: string, body: { readonly [name: string]: unknown }) {
    const { accountId } = yield* Caller
    const type = simulatedTypes.find(({ slug }) => typeUri(holder, slug) === body["owner"])
    if (type === undefined || body["owner_type"] !== "EventType") return fault(400, "Invalid Argument", "owner")
    const code = randomBytes(9).toString("base64url")
    yield* sql`
      insert into sandbox_scheduler_link (account_id, code, holder, slug)
      values (${accountId}, ${code}, ${holder}, ${type.slug})`.pipe(fromSql())
    const url = `${baseUrl}${simulatedPagePath}/${key}?type=${type.slug}&once=${code}`
    return answer(201, { resource: { booking_url: url, owner: typeUri(holder, type.slug), owner_type: "EventType" } })
  })

  const subscriptions = Effect.fnUntraced(function* (holder: string) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: string; readonly url: string }>`
      select subscription_id as id, url from sandbox_scheduler_subscription
      where account_id = ${accountId} and holder = ${holder} order by subscription_id`.pipe(fromSql())
    return rows.map(({ id, url }) => subscriptionView(holder, id, url))
  })

  const unsubscribed = Effect.fnUntraced(function* (holder: string, id: string) {
    const { accountId } = yield* Caller
    const rows = yield* sql`
      delete from sandbox_scheduler_subscription
      where account_id = ${accountId} and holder = ${holder} and subscription_id = ${id} returning url`.pipe(fromSql())
    return rows.length === 0 ? missing : answer(204, undefined)
  })

  return { rowsOf, ofHolder, typeView, cancelled, subscribed, linked, subscriptions, unsubscribed }
})

/** A call of the interface by the holder of a consent. */
interface SandboxCall {
  readonly holder: string
  readonly pageKey: string
  readonly id: string
  readonly partId: string
  readonly query: URLSearchParams
  readonly body: { readonly [name: string]: unknown }
  readonly rows: ReadonlyArray<BookingRow>
}

type Route = (call: SandboxCall) => OutboundResponse | Effect.Effect<OutboundResponse, Transient, Caller>

const eventsBetween = ({ query, rows }: SandboxCall) => {
  const from = Date.parse(query.get("min_start_time") ?? "0001-01-01T00:00:00Z")
  const to = Date.parse(query.get("max_start_time") ?? "9999-01-01T00:00:00Z")
  const status = query.get("status")
  return rows.map(eventView).filter((event) => {
    const startsAt = Date.parse(event.start_time)
    return (status === null || event.status === status) && startsAt >= from && startsAt < to
  })
}

const eventOf = ({ id, rows }: SandboxCall) => rows.find(({ eventId }) => eventId === id)
const isOwn = ({ holder, query }: SandboxCall): boolean => query.get("user") === userUri(holder)

const eventRoutes: { readonly [route: string]: Route } = {
  "GET scheduled_events": (call) =>
    isOwn(call) ? listed(eventsBetween(call), call.query) : fault(403, "Permission Denied"),
  "GET scheduled_events/:id": (call) => {
    const event = eventOf(call)
    return event === undefined ? missing : answer(200, { resource: eventView(event) })
  },
  "GET scheduled_events/:id/invitees": (call) => {
    const event = eventOf(call)
    return event === undefined ? missing : listed([inviteeView(event)], call.query)
  },
  "GET scheduled_events/:id/invitees/:id": (call) => {
    const event = eventOf(call)
    return event?.inviteeId === call.partId ? answer(200, { resource: inviteeView(event) }) : missing
  }
}

type CalendlyRecords = Effect.Effect.Success<typeof makeCalendlyRecords>

const routesOf = (records: CalendlyRecords, baseUrl: string): { readonly [route: string]: Route } => {
  const typesOf = ({ holder, pageKey }: SandboxCall) =>
    simulatedTypes.map((type) => records.typeView(holder, pageKey, type))
  return {
    ...eventRoutes,
    "GET users/:id": ({ holder, id, pageKey }) =>
      id === "me"
        ? answer(200, {
            resource: {
              uri: userUri(holder),
              name: holder,
              slug: idOf("user", holder),
              email: holder,
              timezone: "America/Sao_Paulo",
              avatar_url: null,
              scheduling_url: `${baseUrl}${simulatedPagePath}/${pageKey}`,
              current_organization: organizationUri(holder),
              created_at: firstInstant,
              updated_at: firstInstant
            }
          })
        : missing,
    "GET event_types": (call) =>
      isOwn(call)
        ? listed(
            typesOf(call).filter(({ active }) => call.query.get("active") !== "true" || active),
            call.query
          )
        : fault(403, "Permission Denied"),
    "GET event_types/:id": (call) => {
      const type = typesOf(call).find(({ uri }) => uri === uriOf("event_types", call.id))
      return type === undefined ? missing : answer(200, { resource: type })
    },
    "POST scheduled_events/:id/cancellation": ({ body, holder, id }) => records.cancelled(holder, id, body["reason"]),
    "POST scheduling_links": ({ body, holder, pageKey }) => records.linked(holder, pageKey, body),
    "GET webhook_subscriptions": ({ holder, query }) =>
      Effect.map(records.subscriptions(holder), (rows) => listed(rows, query)),
    "POST webhook_subscriptions": ({ body, holder }) => records.subscribed(holder, body),
    "DELETE webhook_subscriptions/:id": ({ holder, id }) => records.unsubscribed(holder, id)
  }
}

/** The simulated Calendly API for the calling account: its rules, pages, limits and errors. */
export const makeCalendlySandbox = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const consents = yield* SimulatedConsents
  const { baseUrl } = yield* Settings
  const records = yield* makeCalendlyRecords
  const routes = routesOf(records, baseUrl)

  const answered = Effect.fnUntraced(function* (request: OutboundRequest) {
    const { pathname, searchParams: query } = new URL(request.url)
    const token = /^Bearer (.+)$/.exec(request.headers?.["authorization"] ?? "")?.[1] ?? ""
    const consent = yield* consents.of(schedulerService, token)
    if (Option.isNone(consent)) return fault(401, "Unauthenticated")
    const { holder } = consent.value
    const { page_key, slow_for } = yield* records.ofHolder(holder)
    if (slow_for > 0) {
      const left = `${Math.ceil(slow_for)}`
      return answer(429, { title: "Too Many Requests" }, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": left })
    }
    const [kind = "", id = "", part = "", partId = ""] = pathname.slice(1).split("/").map(decodeURIComponent)
    const path = [kind, id === "" ? "" : ":id", part, partId === "" ? "" : ":id"].filter((step) => step !== "")
    const route = routes[`${request.method} ${path.join("/")}`]
    if (route === undefined) return missing
    const rows = yield* records.rowsOf(holder)
    const reply = route({ holder, pageKey: page_key, id, partId, query, body: parsed(request.body), rows })
    return Effect.isEffect(reply) ? yield* reply : reply
  })

  return {
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
      outsideTransaction(unit.write(answered(request))).pipe(
        Effect.mapError((_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false }))
      )
  }
})
