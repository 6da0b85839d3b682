import { Schema } from "effect"

export const SupportRequestId = Schema.Int.pipe(Schema.brand("SupportRequestId"))
export type SupportRequestId = typeof SupportRequestId.Type

export const SupportRequestType = Schema.Literal("technical", "sales", "human", "question")
export type SupportRequestType = typeof SupportRequestType.Type

export const SupportSeverity = Schema.Literal("low", "medium", "high", "critical")
export type SupportSeverity = typeof SupportSeverity.Type

export const SupportRequestStatus = Schema.Literal("pending", "answered", "closed")
export type SupportRequestStatus = typeof SupportRequestStatus.Type

export const IncidentId = Schema.Int.pipe(Schema.brand("IncidentId"))
export type IncidentId = typeof IncidentId.Type

/** The steps of an incident in order. Steps may be skipped, and `resolved` ends it. */
export const IncidentStatus = Schema.Literal("investigating", "identified", "monitoring", "resolved")
export type IncidentStatus = typeof IncidentStatus.Type

/**
 * `outage`: nothing works. `degradation`: a part is slow or fails for some accounts. `instability`: the problem comes
 * and goes.
 */
export const IncidentImpact = Schema.Literal("outage", "degradation", "instability")
export type IncidentImpact = typeof IncidentImpact.Type
