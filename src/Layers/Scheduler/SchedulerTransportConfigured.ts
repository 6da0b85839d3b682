import { Effect } from "effect"
import { networkTransport, providerLayer, settingsIfLive } from "../Platform/Outbound/ProviderLayer.ts"
import { SchedulerTransport } from "./CalendlyApi.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { makeSimulatedCalendly } from "./SimulatedCalendly.ts"

/** The network, or the simulated scheduler, as the settings say. */
export const SchedulerTransportConfigured = providerLayer(SchedulerTransport, {
  settings: settingsIfLive(SchedulerSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeSimulatedCalendly, ({ request }) => ({ mode: "sandbox", request }))
})
