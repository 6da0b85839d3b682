import { Config, type ConfigError, Context, Effect, Layer } from "effect"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"

export interface CrmSettingsShape {
  /** No operator's key says which: CRMs are the accounts' own. */
  readonly mode: ServiceMode
}

export class CrmSettings extends Context.Tag("CrmSettings")<CrmSettings, CrmSettingsShape>() {}

export const loadCrmSettings: Effect.Effect<CrmSettingsShape, ConfigError.ConfigError> = Effect.map(
  Config.literal("sandbox", "live")("CRM_MODE").pipe(Config.withDefault("sandbox" as const)),
  (mode) => ({ mode })
)

export const CrmSettingsLive = Layer.effect(CrmSettings, loadCrmSettings)
