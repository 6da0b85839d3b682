import { Schema } from "effect"

export const WebsiteId = Schema.Int.pipe(Schema.brand("WebsiteId"))
export type WebsiteId = typeof WebsiteId.Type

/** A history entry: one state of a site, after a generation, a change or a restoration. */
export const WebsiteCodeId = Schema.Int.pipe(Schema.brand("WebsiteCodeId"))
export type WebsiteCodeId = typeof WebsiteCodeId.Type

export const ApplicationType = Schema.Literal("Website", "LeadCapturePage")
export type ApplicationType = typeof ApplicationType.Type

export const GenerationType = Schema.Literal("Fast", "Quality")
export type GenerationType = typeof GenerationType.Type

export const ReasoningMode = Schema.Literal("Fast", "Thinking")
export type ReasoningMode = typeof ReasoningMode.Type
