import { Config, type ConfigError, Context, Effect, Layer } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import {
  networkTransport,
  type ProviderTransport,
  providerLayer,
  settingsIfLive
} from "../Platform/Outbound/ProviderLayer.ts"
import { makeApolloSandboxTransport } from "./sandbox/ApolloSandboxTransport.ts"

export interface LeadSourceSettingsShape {
  /** A setting, because each account has its own key and the operator has none. */
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

/** Sends requests to the lead database. */
export class LeadSourceTransport extends Context.Tag("LeadSourceTransport")<LeadSourceTransport, ProviderTransport>() {}

export const LeadSourceTransportConfigured = providerLayer(LeadSourceTransport, {
  settings: settingsIfLive(LeadSourceSettings),
  live: () => networkTransport,
  sandbox: Effect.map(makeApolloSandboxTransport, (request) => ({ mode: "sandbox", request }))
})
