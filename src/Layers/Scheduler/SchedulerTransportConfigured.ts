import { Effect } from "effect"
import { networkTransport, providerLayer, settingsIfLive } from "../Platform/Outbound/ProviderLayer.ts"
import { SchedulerTransport } from "./CalendlyApi.ts"
import { SchedulerSettings } from "./SchedulerSettings.ts"
import { makeCalendlySandbox } from "./sandbox/CalendlySandbox.ts"

/** Provides the network or the simulated scheduler, by the settings. */
export const SchedulerTransportConfigured = providerLayer(SchedulerTransport, {
  settings: settingsIfLive(SchedulerSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeCalendlySandbox, ({ request }) => ({ mode: "sandbox", request }))
})
