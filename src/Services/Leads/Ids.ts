import { Schema } from "effect"

export const LeadId = Schema.Int.pipe(Schema.brand("LeadId"))
export type LeadId = typeof LeadId.Type

/** How far the conversation with a lead has come. Independent of who works the lead. */
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

/** Who works a lead: the platform (`in_pipeline`), a person (`user_controlled`), nobody yet or nobody any more. */
export const PipelineState = Schema.Literal(
  "not_started",
  "in_pipeline",
  "pending_review",
  "user_controlled",
  "finished"
)
export type PipelineState = typeof PipelineState.Type
