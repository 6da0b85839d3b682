import { Context, Effect, Layer } from "effect"
import type { Refused } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import {
  type OutboundFailure,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse
} from "../../Services/Outbound/OutboundHttp.ts"
import { CalendarSettings } from "./CalendarSettings.ts"
import { makeSimulatedCalendar } from "./SandboxCalendar.ts"

/** The way to calendars: the network, or a simulator that keeps them in the database. */
export class CalendarTransport extends Context.Tag("CalendarTransport")<
  CalendarTransport,
  {
    readonly mode: ServiceMode
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  }
>() {}

/** As the settings say. */
export const CalendarTransportConfigured = Layer.effect(
  CalendarTransport,
  Effect.gen(function* () {
    const { mode } = yield* CalendarSettings
    if (mode === "sandbox") return CalendarTransport.of({ mode, request: yield* makeSimulatedCalendar })
    const { request } = yield* OutboundHttp
    return CalendarTransport.of({ mode, request })
  })
)
