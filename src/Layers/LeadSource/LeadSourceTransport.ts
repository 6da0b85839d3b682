import { Config, type ConfigError, Context, Effect, Layer } from "effect"
import type { Refused } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import {
  type OutboundFailure,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse
} from "../../Services/Outbound/OutboundHttp.ts"
import { makeSimulatedApollo } from "./SandboxApollo.ts"

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

/** The way to the lead database: the network, or a simulator of it. */
export class LeadSourceTransport extends Context.Tag("LeadSourceTransport")<
  LeadSourceTransport,
  {
    readonly mode: ServiceMode
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, Refused | OutboundFailure, Caller>
  }
>() {}

export const LeadSourceTransportConfigured = Layer.effect(
  LeadSourceTransport,
  Effect.gen(function* () {
    const { mode } = yield* LeadSourceSettings
    const request = mode === "sandbox" ? yield* makeSimulatedApollo : (yield* OutboundHttp).request
    return LeadSourceTransport.of({ mode, request })
  })
)
