import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { CalendarTransport } from "../../src/Layers/Calendar/CalendarTransport.ts"
import type { SandboxCalendarAct } from "../../src/Layers/Calendar/sandbox/CalendarSandboxEndpoints.ts"
import { makeCalendarSandboxes } from "../../src/Layers/Calendar/sandbox/CalendarSandboxes.ts"
import { SchedulerTransport } from "../../src/Layers/Scheduler/CalendlyApi.ts"
import { makeCalendlySandbox } from "../../src/Layers/Scheduler/sandbox/CalendlySandbox.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { MeetingId } from "../../src/Services/Meetings/Ids.ts"
import {
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse
} from "../../src/Services/Outbound/OutboundHttp.ts"
import { CalendarGroup } from "../../src/Tools/Calendar/Calendar.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { collectedFaults, faultsOfExchange, vendorJudge } from "../support/VendorJudge.ts"
import { Background, calendarLayers } from "./calendarLayers.ts"

/** What happens to a request on its way: before it arrives, or to its answer. */
export type Fault = (
  arrive: Effect.Effect<OutboundResponse, OutboundFailure>
) => Effect.Effect<OutboundResponse, OutboundFailure>

/** The way to the simulated calendar with troubles that tests plan, and what went over it. */
export class CalendarRoad extends Context.Tag("CalendarRoad")<
  CalendarRoad,
  {
    readonly requests: Array<string>
    readonly bodies: ReadonlyArray<string>
    /** Of the next requests of this account that match; each is used up by one. */
    readonly plan: (isMeant: RegExp, ...faults: ReadonlyArray<Fault>) => Effect.Effect<void, never, Caller>
  }
>() {}

const google = vendorJudge("google_calendar")
const microsoft = vendorJudge("microsoft_graph")
const calendly = vendorJudge("calendly")
const judgeOf = ({ url }: OutboundRequest) => (url.startsWith("https://graph.microsoft.com/") ? microsoft : google)

const RoadLive = Layer.scopedContext(
  Effect.gen(function* () {
    const simulated = yield* makeCalendarSandboxes
    const requests: Array<string> = []
    const bodies: Array<string> = []
    const faults = yield* collectedFaults
    const planned = new Map<number, Array<{ readonly isMeant: RegExp; readonly faults: Array<Fault> }>>()
    const request = (outbound: OutboundRequest) =>
      Effect.flatMap(Caller, (caller) => {
        const line = `${outbound.method} ${new URL(outbound.url).pathname}`
        requests.push(line)
        if (typeof outbound.body === "string") bodies.push(outbound.body)
        const arrive = Effect.tap(Effect.provideService(simulated(outbound), Caller, caller), (answer) =>
          Effect.sync(() => {
            for (const fault of faultsOfExchange(judgeOf(outbound), outbound, answer)) faults.add(fault)
          })
        )
        const fault = planned
          .get(caller.accountId)
          ?.find(({ faults, isMeant }) => faults.length > 0 && isMeant.test(line))
          ?.faults.shift()
        return fault === undefined ? arrive : fault(arrive)
      })
    const road = CalendarRoad.of({
      requests,
      bodies,
      plan: (isMeant, ...faults) =>
        Effect.map(Caller, ({ accountId }) => {
          planned.set(accountId, [...(planned.get(accountId) ?? []), { isMeant, faults: [...faults] }])
        })
    })
    return Context.make(CalendarTransport, { mode: "sandbox" as const, request }).pipe(Context.add(CalendarRoad, road))
  })
)

export const answered =
  (status: number, reason: string): Fault =>
  () =>
    Effect.succeed({
      status,
      headers: {},
      body: Buffer.from(JSON.stringify({ error: { code: status, errors: [{ reason }] } }))
    })
/** It never arrived. */
export const lostBefore: Fault = () =>
  Effect.fail(new OutboundFailure({ reason: "connection_failed", mayHaveArrived: false }))
/** Nobody can tell: it did not do anything. */
export const timedOutBefore: Fault = () =>
  Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true }))
/** Nobody can tell: it did it. */
export const timedOutAfter: Fault = (arrive) =>
  Effect.zipRight(arrive, Effect.fail(new OutboundFailure({ reason: "timed_out", mayHaveArrived: true })))

/** Connects the calendar of the account that calls, as the page's button does it. */
export const connect = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const oauth = yield* OAuth
  yield* oauth.consentInSandbox("calendar", `owner${accountId}@calendar.example`)
})

const SchedulerRoadLive = Layer.scoped(
  SchedulerTransport,
  Effect.gen(function* () {
    const simulated = yield* makeCalendlySandbox
    const faults = yield* collectedFaults
    const request = (outbound: OutboundRequest) =>
      Effect.tap(simulated.request(outbound), (answer) =>
        Effect.sync(() => {
          for (const fault of faultsOfExchange(calendly, outbound, answer)) faults.add(fault)
        })
      )
    return SchedulerTransport.of({ mode: "sandbox", request })
  })
)

export const CalendarWorld = calendarLayers(RoadLive, SchedulerRoadLive).pipe(
  Layer.provideMerge(LeadServices),
  Layer.provideMerge(TestSettings),
  Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
)

const catalog = Catalog.make([CalendarGroup])
/** An answer, held against the schema that is published for it. */
export const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
export const refusalOf = (name: string, args: object = {}) => Effect.flip(callTool(catalog, name, args))

/** An account of its own, with its calendar connected. */
export const connected = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    yield* as(caller)(connect)
    return yield* as(caller)(test)
  })

/** Somebody does something in the calendar itself. */
export const act = (given: SandboxCalendarAct) => Effect.flatMap(Background, ({ acts }) => acts.act(given))

/** Reads what changed, as the task does it. */
export const sync = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const { mirror } = yield* Background
  yield* mirror.sync(accountId)
})

/** Settles all meetings that wait for it, as the tasks do it. */
export const settle = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const { events } = yield* Background
  const rows = yield* sql<{ readonly id: MeetingId }>`
    select meeting_id as id from meeting where account_id = ${accountId} order by meeting_id`
  for (const { id } of rows) yield* events.settle({ accountId, meetingId: id })
})

export interface KeptEvent {
  readonly event_id: string
  readonly body: { readonly [member: string]: unknown }
  readonly updates_sent: number
}

/** The events that the simulated calendar has, also deleted ones. */
export const eventsThere = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<KeptEvent>`
    select event_id, body, updates_sent from sandbox_calendar_event
    where account_id = ${accountId} and not is_leftover order by event_id`
})
