import { Context, Schema } from "effect"

/** Whether an outside service is the real provider or a local simulation. */
export const ServiceMode = Schema.Literal("live", "sandbox")
export type ServiceMode = typeof ServiceMode.Type

/** `missing` services lack a program on this machine. Tools that need it are refused, and everything else works. */
export const IntegrationMode = Schema.Literal(...ServiceMode.literals, "unavailable")
export type IntegrationMode = typeof IntegrationMode.Type

/** The mode of each outside service by its name (`mail`, `voice`, …), as configured. */
export class IntegrationModes extends Context.Reference<IntegrationModes>()("IntegrationModes", {
  defaultValue: (): { readonly [service: string]: IntegrationMode } => ({})
}) {}
