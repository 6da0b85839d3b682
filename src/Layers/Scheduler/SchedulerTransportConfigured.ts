import { Effect } from "effect"
import { networkTransport, providerLayer, settingsIfLive } from "../Platform/Outbound/ProviderLayer.ts"
import { SchedulerTransport } from "./CalendlyApi.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { makeCalendlySandbox } from "./sandbox/CalendlySandbox.ts"

/** The network, or the simulated scheduler, as the settings say. */
export const SchedulerTransportConfigured = providerLayer(SchedulerTransport, {
  settings: settingsIfLive(SchedulerSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeCalendlySandbox, ({ request }) => ({ mode: "sandbox", request }))
})
