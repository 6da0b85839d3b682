import { Config, type ConfigError, Context, Effect, Layer } from "effect"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import {
  networkTransport,
  type ProviderTransport,
  providerLayer,
  settingsIfLive
} from "../Platform/Outbound/ProviderLayer.ts"
import { makeApolloSandboxTransport } from "./sandbox/ApolloSandboxTransport.ts"

export interface LeadSourceSettingsShape {
  /** No operator's key says which: the lead database is the accounts' own. */
  readonly mode: ServiceMode
}

export class LeadSourceSettings extends Context.Tag("LeadSourceSettings")<
  LeadSourceSettings,
  LeadSourceSettingsShape
>() {}

export const loadLeadSourceSettings: Effect.Effect<LeadSourceSettingsShape, ConfigError.ConfigError> = Effect.map(
  Config.literal("sandbox", "live")("LEADSOURCE_MODE").pipe(Config.withDefault("sandbox" as const)),
  (mode) => ({ mode })
)

export const LeadSourceSettingsLive = Layer.effect(LeadSourceSettings, loadLeadSourceSettings)

/** How the lead database is reached. */
export class LeadSourceTransport extends Context.Tag("LeadSourceTransport")<LeadSourceTransport, ProviderTransport>() {}

export const LeadSourceTransportConfigured = providerLayer(LeadSourceTransport, {
  settings: settingsIfLive(LeadSourceSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeApolloSandboxTransport, (request) => ({ mode: "sandbox", request }))
})
