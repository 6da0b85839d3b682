import { Schema } from "effect"

export const LeadId = Schema.Int.pipe(Schema.brand("LeadId"))
export type LeadId = typeof LeadId.Type

/** How far the conversation with a lead has come, independent of who handles the lead. */
export const LeadStatus = Schema.Literal(
  "Pending",
  "Cold",
  "Confirmed",
  "Aware",
  "NotInterested",
  "Interested",
  "Frozen",
  "Closed",
  "Unqualified",
  "Rejected",
  "Gatekeeper"
)
export type LeadStatus = typeof LeadStatus.Type

export const Channel = Schema.Literal("Email", "ChatApp")
export type Channel = typeof Channel.Type

/** Who handles a lead: the platform (`in_pipeline`), a person (`user_controlled`), no one yet, or no one any more. */
export const PipelineState = Schema.Literal(
  "not_started",
  "in_pipeline",
  "pending_review",
  "user_controlled",
  "finished"
)
export type PipelineState = typeof PipelineState.Type
