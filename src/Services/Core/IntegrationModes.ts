import { Context, Schema } from "effect"

/** Whether an outside service is the real provider, or a local stand-in whose deeds stay in this gateway. */
export const ServiceMode = Schema.Literal("live", "sandbox")
export type ServiceMode = typeof ServiceMode.Type

/** Also services that this machine lacks a program for: what needs them is refused, all else works. */
export const IntegrationMode = Schema.Literal(...ServiceMode.literals, "unavailable")
export type IntegrationMode = typeof IntegrationMode.Type

/** The mode of each outside service, by its name (`mail`, `voice`, …), as the configuration chose it. */
export class IntegrationModes extends Context.Reference<IntegrationModes>()("IntegrationModes", {
  defaultValue: (): { readonly [service: string]: IntegrationMode } => ({})
}) {}
