import { Effect, Layer } from "effect"
import { OutboundHttp } from "../../Services/Outbound/OutboundHttp.ts"
import { SchedulerTransport } from "./CalendlyApi.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { makeSimulatedCalendly } from "./SimulatedCalendly.ts"

/** The network, or the simulated scheduler where the settings say so. */
export const SchedulerTransportConfigured = Layer.effect(
  SchedulerTransport,
  Effect.gen(function* () {
    const { mode } = yield* SchedulerSettings
    if (mode === "sandbox") return SchedulerTransport.of({ mode, ...(yield* makeSimulatedCalendly) })
    const { request } = yield* OutboundHttp
    return SchedulerTransport.of({ mode, request })
  })
)
