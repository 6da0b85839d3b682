import { Config, type ConfigError, Context, Effect, Layer } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"

export interface CrmSettingsShape {
  /** Whether CRMs are live or simulated. The operator has no keys for them, because CRMs belong to the accounts. */
  readonly mode: ServiceMode
}

export class CrmSettings extends Context.Tag("CrmSettings")<CrmSettings, CrmSettingsShape>() {}

export const loadCrmSettings: Effect.Effect<CrmSettingsShape, ConfigError.ConfigError> = Effect.map(
  Config.literal("sandbox", "live")("CRM_MODE").pipe(Config.withDefault("sandbox" as const)),
  (mode) => ({ mode })
)

export const CrmSettingsLive = Layer.effect(CrmSettings, loadCrmSettings)
