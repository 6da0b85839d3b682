import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { microsoftCalendarService } from "../../../Services/Calendar/Calendar.ts"
import { SimulatedConsents } from "../../../Services/Connections/OAuth.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../../Services/Outbound/OutboundHttp.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { CalendarSettings } from "../CalendarSettings.ts"
import { eventsInPeriod, placedEvent } from "./CalendarSandbox.ts"
import { type Answer, parsedBody, responseOf } from "./CalendarSandboxAnswers.ts"
import { makeSandboxEvents, type World } from "./CalendarSandboxEvents.ts"
import { graphEventOf, graphIdOf, storedEtagOf, storedFields, storedIdOf } from "./MicrosoftSandboxShapes.ts"

/** The longest subscription to events, in minutes. */
const longestSubscriptionMinutes = 10_080

const failed = (status: number, code: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body: { error: { code, message: `The simulated calendar refuses this: ${code}.` } }
})
const notFound = failed(404, "ErrorItemNotFound")

const codes: { readonly [status: number]: Answer } = {
  403: failed(403, "ErrorAccessDenied"),
  404: notFound,
  // The simulator does not store deleted events.
  410: notFound,
  412: failed(412, "ErrorIrresolvableConflict")
}

const headerOf = ({ headers }: OutboundRequest, name: string): string =>
  Object.entries(headers ?? {}).find(([each]) => each.toLowerCase() === name)?.[1] ?? ""

const makeServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const consents = yield* SimulatedConsents
  const events = yield* makeSandboxEvents
  const { microsoft } = yield* CalendarSettings
  return { apiUrl: microsoft.apiUrl, consents, events, sql, unit }
})
type Services = Effect.Effect.Success<typeof makeServices>

/** A request with its parsed parts. */
interface GraphCall {
  readonly world: World
  readonly request: OutboundRequest
  readonly body: { readonly [member: string]: unknown }
  readonly query: URLSearchParams
}

/** A requested list: of a period, or of the changes since an earlier list. */
interface AskedList {
  readonly since: string | null
  readonly from: number
  readonly period: URLSearchParams
  readonly offset: number
  readonly size: number
  /** The version at the first page. Later changes are in the next list. */
  readonly version: number
}

const pageSize = (query: URLSearchParams, prefer: string): number =>
  Math.max(1, Number(query.get("$top") ?? /odata\.maxpagesize=(\d{1,5})/.exec(prefer)?.[1] ?? 250))

const askedList = (query: URLSearchParams, world: World, prefer: string): AskedList | Answer => {
  const since = query.get("$deltatoken")
  const skip = /^p(\d{1,9})-(\d{1,15})$/.exec(query.get("$skiptoken") ?? "")
  const from = since === null ? 0 : Number(/^s(\d{1,15})$/.exec(since)?.[1] ?? -1)
  if (from < 0 || (since !== null && from < world.tokensFrom)) return failed(410, "SyncStateNotFound")
  const period = new URLSearchParams({
    timeMin: query.get("startDateTime") ?? "",
    timeMax: query.get("endDateTime") ?? ""
  })
  if (since === null && skip === null && !Number.isFinite(Date.parse(period.get("timeMin") ?? ""))) {
    return failed(400, "ErrorInvalidParameter")
  }
  const size = pageSize(query, prefer)
  return { since, from, period, offset: Number(skip?.[1] ?? 0), size, version: Number(skip?.[2] ?? world.version) }
}

const nextQuery = ({ offset, period, since, size, version }: AskedList): string =>
  new URLSearchParams({
    startDateTime: period.get("timeMin") ?? "",
    endDateTime: period.get("timeMax") ?? "",
    ...(since === null ? {} : { $deltatoken: since }),
    $skiptoken: `p${offset + size}-${version}`
  }).toString()

const makeLists = ({ apiUrl, events }: Services) => {
  /** The events of a period or the changes since a list, in pages. */
  const listed = Effect.fnUntraced(function* ({ query, request, world }: GraphCall, isOfChanges: boolean) {
    const listing = askedList(query, world, headerOf(request, "prefer"))
    if ("status" in listing) return listing
    const { from, offset, period, since, size, version } = listing
    const rows = yield* events.rowsOf(world)
    const all = events.singles(world, rows, from)
    const foundEvents =
      since === null ? eventsInPeriod(all, period, world.zone) : all.map((row) => placedEvent(row, world.zone))
    const ordered =
      query.get("$orderby") === "start/dateTime" ? foundEvents.toSorted((a, b) => a.at - b.at) : foundEvents
    const isLast = offset + size >= ordered.length
    const address = `${apiUrl}/me/calendarView${isOfChanges ? "/delta" : ""}`
    const next = nextQuery(listing)
    return {
      status: 200,
      body: {
        value: ordered
          .slice(offset, offset + size)
          .map(({ body, version: at }) => graphEventOf(events.asResponse(world, body, at), at)),
        ...(isLast ? {} : { "@odata.nextLink": `${address}?${next}` }),
        ...(isLast && isOfChanges ? { "@odata.deltaLink": `${address}?$deltatoken=s${version}` } : {})
      }
    }
  })

  /** Events by an id that an app stored in them. */
  const filtered = Effect.fnUntraced(function* ({ query, world }: GraphCall) {
    const value = /ep\/value eq '([\w-]{1,200})'\)$/.exec(query.get("$filter") ?? "")?.[1]
    if (value === undefined) return failed(400, "ErrorInvalidUrlQueryFilter")
    const rows = (yield* events.rowsOf(world)).filter(
      ({ body }) => textAt(body, "ownId") === value && body.status !== "cancelled"
    )
    return {
      status: 200,
      body: { value: rows.map(({ body, version }) => graphEventOf(events.asResponse(world, body, version), version)) }
    }
  })

  return { filtered, listed }
}

const makeEvents = ({ events }: Services) => {
  /** The stored event of an answer, in Graph's format. */
  const graphAnswer = Effect.fnUntraced(function* (world: World, answer: Answer, storedId: string, status: number) {
    if (answer.status >= 300) return codes[answer.status] ?? failed(400, "ErrorInvalidRequest")
    const row = yield* events.find(world, storedId)
    return row === undefined || row.body.status === "cancelled"
      ? notFound
      : { status, body: graphEventOf(events.asResponse(world, row.body, row.version), row.version) }
  })

  const create = Effect.fnUntraced(function* ({ body, world }: GraphCall) {
    const fields = storedFields(body)
    if (fields === undefined) return failed(400, "ErrorInvalidRequest")
    const transactionId = textAt(body, "transactionId")
    const earlier = (yield* events.rowsOf(world)).find(
      (row) => transactionId !== "" && textAt(row.body, "transactionId") === transactionId
    )
    if (earlier !== undefined) return yield* graphAnswer(world, { status: 200 }, earlier.event_id, 201)
    const answer = yield* events.insert(world, fields, { isTold: true })
    return yield* graphAnswer(world, answer, textAt(answer.body, "id"), 201)
  })

  const answer = Effect.fnUntraced(function* ({ world }: GraphCall, storedId: string, action: string) {
    const row = yield* events.find(world, storedId)
    if (row === undefined) return notFound
    const responseStatus = action === "accept" ? "accepted" : action === "decline" ? "declined" : ("tentative" as const)
    const attendees = listAt(row.body, "attendees").map((attendee) =>
      typeof attendee === "object" && at(attendee, "self") === true ? { ...attendee, responseStatus } : attendee
    )
    const { status } = yield* events.patch(world, storedId, { attendees }, { isTold: true })
    return status >= 300 ? (codes[status] ?? failed(400, "ErrorInvalidRequest")) : { status: 202 }
  })

  const one = Effect.fnUntraced(function* (call: GraphCall, graphId: string, action: string | undefined) {
    const { body, request, world } = call
    const storedId = storedIdOf(graphId)
    if (action !== undefined) return yield* answer(call, storedId, action)
    if (request.method === "PATCH") {
      const changes = storedFields(body)
      if (changes === undefined) return failed(400, "ErrorInvalidRequest")
      const ifMatch = headerOf(request, "if-match")
      const patched = yield* events.patch(world, storedId, changes, {
        isTold: true,
        ifMatch: ifMatch === "" ? undefined : storedEtagOf(ifMatch)
      })
      return yield* graphAnswer(world, patched, storedId, 200)
    }
    if (request.method === "DELETE") {
      const removed = yield* events.remove(world, storedId, true)
      return removed.status >= 300 ? (codes[removed.status] ?? notFound) : { status: 204 }
    }
    return yield* graphAnswer(world, { status: 200 }, storedId, 200)
  })

  return { create, one }
}

const makeSubscriptions = ({ sql }: Services) => ({
  subscribe: Effect.fnUntraced(function* ({ body, world }: GraphCall) {
    const channel = parsedUrl(textAt(body, "notificationUrl"))?.searchParams.get("channel") ?? ""
    const until = Date.parse(textAt(body, "expirationDateTime"))
    const isWhole = channel !== "" && textAt(body, "resource") === "/me/events" && textAt(body, "clientState") !== ""
    const isTooLong = !(until - world.now <= longestSubscriptionMinutes * 60_000)
    if (!isWhole || isTooLong || textAt(body, "changeType") === "") return failed(400, "InvalidRequest")
    const id = `sub-${channel}`
    yield* sql`
      insert into sandbox_calendar_channel (account_id, channel_id, resource_id, expires_at)
      values (${world.accountId}, ${channel}, ${id}, ${fromMillis(until)}) on conflict do nothing`.pipe(fromSql())
    return {
      status: 201,
      body: { id, resource: "/me/events", changeType: body.changeType, expirationDateTime: fromMillis(until) }
    }
  }),
  unsubscribe: Effect.fnUntraced(function* ({ world }: GraphCall, id: string) {
    const deletedRows = yield* sql`
      delete from sandbox_calendar_channel where account_id = ${world.accountId} and resource_id = ${id}
      returning channel_id`.pipe(fromSql())
    return deletedRows.length === 0 ? failed(404, "ResourceNotFound") : { status: 204 }
  })
})

const makeRoutes = (services: Services) => {
  const { filtered, listed } = makeLists(services)
  const { create, one } = makeEvents(services)
  const { subscribe, unsubscribe } = makeSubscriptions(services)

  return (call: GraphCall, path: string): Effect.Effect<Answer, Transient> => {
    const { holder } = call.world
    const { method } = call.request
    const line = `${method} ${path}`
    if (line === "GET /me") return Effect.succeed({ status: 200, body: { id: holder, mail: holder } })
    if (line === "GET /me/calendar") {
      return Effect.succeed({ status: 200, body: { id: graphIdOf("calendar"), name: "Calendar", canEdit: true } })
    }
    if (line === "GET /me/events") return filtered(call)
    if (line === "POST /me/events") return create(call)
    if (line === "GET /me/calendarView") return listed(call, false)
    if (line === "GET /me/calendarView/delta") return listed(call, true)
    if (line === "POST /subscriptions") return subscribe(call)
    const subscription = /^DELETE \/subscriptions\/([^/]+)$/.exec(line)?.[1]
    if (subscription !== undefined) return unsubscribe(call, decodeURIComponent(subscription))
    const event = /^\/me\/events\/([^/]+)(?:\/(accept|decline|tentativelyAccept))?$/.exec(path)
    return event === null ? Effect.succeed(notFound) : one(call, decodeURIComponent(event[1] ?? ""), event[2])
  }
}

/** The simulated Microsoft 365. It uses the same events as the first simulated provider. */
export const makeMicrosoftSandbox = Effect.gen(function* () {
  const services = yield* makeServices
  const { apiUrl, consents, events, unit } = services
  const routed = makeRoutes(services)

  const answered = Effect.fnUntraced(function* (request: OutboundRequest) {
    const { accountId } = yield* Caller
    const url = new URL(request.url)
    const token = /^Bearer (\S+)$/.exec(headerOf(request, "authorization"))?.[1] ?? ""
    const consent = yield* consents.of(microsoftCalendarService, token)
    if (Option.isNone(consent)) return failed(401, "InvalidAuthenticationToken")
    const { holder, scopes } = consent.value
    const path = url.pathname.slice(new URL(apiUrl).pathname.length)
    const isCovered = scopes.includes(path === "/me" ? "User.Read" : "Calendars.ReadWrite")
    if (!isCovered) return failed(403, "ErrorAccessDenied")
    const body = parsedBody(request)
    if (body === undefined) return failed(400, "BadRequest")
    return yield* unit.write(
      Effect.gen(function* () {
        const { slowFor, world } = yield* events.enter(accountId, holder)
        if (slowFor > 0) return failed(429, "ApplicationThrottled", { "retry-after": `${Math.ceil(slowFor)}` })
        return yield* routed({ world, request, body, query: url.searchParams }, path)
      })
    )
  })

  return (request: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailure, Caller> =>
    outsideTransaction(answered(request)).pipe(
      Effect.mapBoth({
        onSuccess: responseOf,
        onFailure: (_: Transient) => new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false })
      })
    )
})
