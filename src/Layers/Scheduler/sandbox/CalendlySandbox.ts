import { createHash, randomBytes, randomUUID } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Predicate } from "effect"
import type { Transient } from "../../../Errors.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Caller.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { type HostEvent, SimulatedHostCalendar } from "../../../Services/Scheduler/SimulatedHostCalendar.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { schedulerService } from "../CalendlyApi.ts"
import { simulatedApiUrl } from "../SchedulerSettings.ts"

export const simulatedPagePath = "/sandbox/scheduler"

interface SimulatedType {
  readonly slug: string
  readonly name: string
  readonly minutes: number
  readonly active: boolean
}

/** What everybody at the simulated scheduler offers. */
export const simulatedTypes: ReadonlyArray<SimulatedType> = [
  { slug: "primeira-conversa", name: "Primeira conversa", minutes: 30, active: true },
  { slug: "demonstracao", name: "Demonstração", minutes: 45, active: true },
  { slug: "demonstracao-tecnica", name: "Demonstração técnica", minutes: 60, active: true },
  { slug: "antiga", name: "Conversa antiga", minutes: 15, active: false }
]

export interface BookingBody {
  readonly name: string
  readonly email: string
  readonly tracking: { readonly utm_content: string | null }
  readonly cancellation: {
    readonly canceled_by: string
    readonly reason: string
    readonly canceler_type: string
  } | null
}

export interface BookingRow {
  readonly inviteeId: string
  readonly eventId: string
  readonly holder: string
  readonly slug: string
  readonly startsAt: number
  readonly isActive: boolean
  readonly oldInvitee: string | null
  readonly newInvitee: string | null
  readonly body: BookingBody
  readonly createdAt: number
  readonly updatedAt: number
}

export const bookingColumns = `invitee_id as "inviteeId", event_id as "eventId", holder, slug,
  extract(epoch from starts_at)::float8 * 1000 as "startsAt", is_active as "isActive", old_invitee as "oldInvitee",
  new_invitee as "newInvitee", body, extract(epoch from created_at)::float8 * 1000 as "createdAt",
  extract(epoch from updated_at)::float8 * 1000 as "updatedAt"`

const idOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 24)
const uriOf = (...path: ReadonlyArray<string>): string => `${simulatedApiUrl}/${path.join("/")}`
const timeOf = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")

export const userUri = (holder: string): string => uriOf("users", idOf("user", holder))
const typeUri = (holder: string, slug: string): string => uriOf("event_types", idOf("type", holder, slug))
export const inviteeUriOf = ({ eventId, inviteeId }: Pick<BookingRow, "eventId" | "inviteeId">): string =>
  uriOf("scheduled_events", eventId, "invitees", inviteeId)
export const minutesOf = (slug: string): number => simulatedTypes.find((type) => type.slug === slug)?.minutes ?? 30

/** Of the event that a booking is in its host's calendar. */
const calendarEventId = ({ eventId }: Pick<BookingRow, "eventId">): string => `cal${eventId.replaceAll("-", "")}`
const nameOfType = (slug: string): string => simulatedTypes.find((type) => type.slug === slug)?.name ?? slug
const joinUrl = (eventId: string): string => `https://meet.sandbox.invalid/${eventId}`

/** A booking as it stands in its host's calendar. */
export const hostEventOf = ({ body, eventId, slug, startsAt }: BookingRow): HostEvent => ({
  eventId: calendarEventId({ eventId }),
  title: `${body.name}: ${nameOfType(slug)}`,
  startsAt: fromMillis(startsAt),
  endsAt: fromMillis(startsAt + minutesOf(slug) * 60_000),
  meetingUrl: joinUrl(eventId),
  attendee: { name: body.name, email: body.email }
})

const cancellationOf = ({ body, updatedAt }: BookingRow) =>
  body.cancellation === null ? {} : { cancellation: { ...body.cancellation, created_at: timeOf(updatedAt) } }

const eventView = (row: BookingRow) => ({
  uri: uriOf("scheduled_events", row.eventId),
  name: nameOfType(row.slug),
  status: row.isActive ? "active" : "canceled",
  start_time: timeOf(row.startsAt),
  end_time: timeOf(row.startsAt + minutesOf(row.slug) * 60_000),
  event_type: typeUri(row.holder, row.slug),
  location: { type: "google_conference", status: "pushed", join_url: joinUrl(row.eventId) },
  invitees_counter: { total: 1, active: row.isActive ? 1 : 0, limit: 1 },
  event_memberships: [{ user: userUri(row.holder), user_email: row.holder }],
  event_guests: [],
  calendar_event: { kind: "google", external_id: calendarEventId(row) },
  ...cancellationOf(row),
  created_at: timeOf(row.createdAt),
  updated_at: timeOf(row.updatedAt)
})

export const inviteeView = (row: BookingRow) => ({
  uri: inviteeUriOf(row),
  email: row.body.email,
  name: row.body.name,
  status: row.isActive ? "active" : "canceled",
  timezone: "America/Sao_Paulo",
  event: uriOf("scheduled_events", row.eventId),
  rescheduled: row.newInvitee !== null,
  old_invitee: row.oldInvitee,
  new_invitee: row.newInvitee,
  questions_and_answers: [{ question: "O que você gostaria de ver?", answer: "O dia a dia.", position: 0 }],
  tracking: { utm_campaign: null, utm_source: null, utm_medium: null, utm_term: null, ...row.body.tracking },
  ...cancellationOf(row),
  created_at: timeOf(row.createdAt),
  updated_at: timeOf(row.updatedAt)
})

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

/** The interface of the simulated scheduler: its rules, pages, limits and faults, of whichever account calls. */
export const makeCalendlySandbox = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const consents = yield* SimulatedConsents
  const seal = yield* makeAccountSeal
  const hostCalendar = yield* SimulatedHostCalendar
  const { baseUrl } = yield* Settings

  const rowsOf = Effect.fnUntraced(function* (holder: string) {
    const { accountId } = yield* Caller
    return yield* sql<BookingRow>`
      select ${sql.literal(bookingColumns)} from sandbox_scheduler_booking
      where account_id = ${accountId} and holder = ${holder} order by starts_at, invitee_id`.pipe(fromSql())
  })

  /** The holder's account there, made when it is first asked for. */
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
    type: "StandardEventType",
    profile: { type: "User", name: holder, owner: userUri(holder) },
    secret: false
  })

  const listed = (rows: ReadonlyArray<unknown>, query: URLSearchParams) => {
    const count = Math.min(Number(query.get("count") ?? "20"), 100)
    const from = Number(query.get("page_token") ?? "0")
    if (!Number.isInteger(count) || count < 1) return fault(400, "Invalid Argument", "count")
    if (!Number.isInteger(from) || from < 0) return fault(400, "Invalid Argument", "page_token")
    const next = from + count < rows.length ? `${from + count}` : null
    return answer(200, {
      collection: rows.slice(from, from + count),
      pagination: { count: Math.min(count, rows.length - from), next_page: null, next_page_token: next }
    })
  }

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
    return answer(201, { resource: { uri: uriOf("webhook_subscriptions", id), callback_url: url, state: "active" } })
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

  const answered = Effect.fnUntraced(function* (request: OutboundRequest) {
    const { accountId } = yield* Caller
    const { pathname, searchParams: query } = new URL(request.url)
    const token = /^Bearer (.+)$/.exec(request.headers?.["authorization"] ?? "")?.[1] ?? ""
    const consent = yield* consents.of(schedulerService, token)
    if (Option.isNone(consent)) return fault(401, "Unauthenticated")
    const { holder } = consent.value
    const own = yield* ofHolder(holder)
    if (own.slow_for > 0) {
      const left = `${Math.ceil(own.slow_for)}`
      return answer(429, { title: "Too Many Requests" }, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": left })
    }
    const [kind = "", id = "", part = "", partId = ""] = pathname.slice(1).split("/").map(decodeURIComponent)
    const rows = yield* rowsOf(holder)
    const event = rows.find(({ eventId }) => eventId === id)
    const types = simulatedTypes.map((type) => typeView(holder, own.page_key, type))
    switch (
      `${request.method} ${kind}${id === "" ? "" : "/:id"}${part === "" ? "" : `/${part}`}${partId === "" ? "" : "/:id"}`
    ) {
      case "GET users/:id":
        return id === "me"
          ? answer(200, {
              resource: {
                uri: userUri(holder),
                name: holder,
                email: holder,
                timezone: "America/Sao_Paulo",
                scheduling_url: `${baseUrl}${simulatedPagePath}/${own.page_key}`,
                current_organization: uriOf("organizations", idOf("organization", holder))
              }
            })
          : missing
      case "GET event_types":
        return query.get("user") === userUri(holder)
          ? listed(
              types.filter(({ active }) => query.get("active") !== "true" || active),
              query
            )
          : fault(403, "Permission Denied")
      case "GET event_types/:id": {
        const type = types.find(({ uri }) => uri === uriOf("event_types", id))
        return type === undefined ? missing : answer(200, { resource: type })
      }
      case "GET scheduled_events": {
        if (query.get("user") !== userUri(holder)) return fault(403, "Permission Denied")
        const from = Date.parse(query.get("min_start_time") ?? "0001-01-01T00:00:00Z")
        const to = Date.parse(query.get("max_start_time") ?? "9999-01-01T00:00:00Z")
        const status = query.get("status")
        const found = rows
          .map(eventView)
          .filter(
            (each) =>
              (status === null || each.status === status) &&
              Date.parse(each.start_time) >= from &&
              Date.parse(each.start_time) < to
          )
        return listed(found, query)
      }
      case "GET scheduled_events/:id":
        return event === undefined ? missing : answer(200, { resource: eventView(event) })
      case "GET scheduled_events/:id/invitees":
        return event === undefined ? missing : listed([inviteeView(event)], query)
      case "GET scheduled_events/:id/invitees/:id":
        return event?.inviteeId === partId ? answer(200, { resource: inviteeView(event) }) : missing
      case "POST scheduled_events/:id/cancellation":
        return yield* cancelled(holder, id, parsed(request.body)["reason"])
      case "POST scheduling_links":
        return yield* linked(holder, own.page_key, parsed(request.body))
      case "GET webhook_subscriptions": {
        const subscriptions = yield* sql<{ readonly id: string; readonly url: string }>`
          select subscription_id as id, url from sandbox_scheduler_subscription
          where account_id = ${accountId} and holder = ${holder} order by subscription_id`.pipe(fromSql())
        const views = subscriptions.map((each) => ({
          uri: uriOf("webhook_subscriptions", each.id),
          callback_url: each.url,
          state: "active"
        }))
        return listed(views, query)
      }
      case "POST webhook_subscriptions":
        return yield* subscribed(holder, parsed(request.body))
      case "DELETE webhook_subscriptions/:id": {
        const gone = yield* sql`
          delete from sandbox_scheduler_subscription
          where account_id = ${accountId} and holder = ${holder} and subscription_id = ${id} returning url`.pipe(
          fromSql()
        )
        return gone.length === 0 ? missing : answer(204, undefined)
      }
      default:
        return missing
    }
  })

  return {
    request: (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
      outsideTransaction(unit.write(answered(request))).pipe(
        Effect.mapError((_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false }))
      )
  }
})
