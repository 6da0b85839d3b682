import { Context, Effect } from "effect"
import {
  networkTransport,
  type ProviderTransport,
  providerLayer,
  settingsIfLive
} from "../Platform/Outbound/ProviderLayer.ts"
import { CalendarSettings } from "./CalendarSettings.ts"
import { makeCalendarSandboxes } from "./sandbox/CalendarSandboxes.ts"

/** Access to calendars: the network or the simulator. */
export class CalendarTransport extends Context.Tag("CalendarTransport")<CalendarTransport, ProviderTransport>() {}

export const CalendarTransportConfigured = providerLayer(CalendarTransport, {
  settings: settingsIfLive(CalendarSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeCalendarSandboxes, (request) => ({ mode: "sandbox", request }))
})
