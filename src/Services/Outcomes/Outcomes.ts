import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { LeadId, PipelineState } from "../Leads/Ids.ts"
import { LeadPipelineView } from "../Leads/LeadModel.ts"
import { LifecycleEventType } from "../Leads/LeadPipeline.ts"

/** How a lead ended, as the account reports it. The first three are final and stop prospecting. */
export const LeadOutcome = Schema.Literal("won", "lost", "gave_up", "negotiating", "unresponsive")
export type LeadOutcome = typeof LeadOutcome.Type

export const RegisteredOutcome = Schema.Struct({
  outcome: LeadOutcome,
  is_final: Schema.Boolean,
  reason: Schema.NullOr(Schema.String),
  deal_value_brl: Schema.NullOr(Schema.Number),
  lead: LeadPipelineView
})
export type RegisteredOutcome = typeof RegisteredOutcome.Type

export const LeadLifecycleEvent = Schema.Struct({
  lead_lifecycle_event_id: Schema.Int,
  event_type: Schema.Literal(...LifecycleEventType.literals, "check_ins_muted", "check_ins_snoozed", "context_added"),
  actor: Schema.Literal("owner", "platform", "lead"),
  from_state: Schema.NullOr(PipelineState),
  to_state: Schema.NullOr(PipelineState),
  reason: Schema.NullOr(Schema.String),
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    description: "Further details, such as a deal's value; the members depend on the type."
  }),
  created_at: Timestamp
})
export type LeadLifecycleEvent = typeof LeadLifecycleEvent.Type

export const LeadCheckIns = Schema.Struct({
  lead_id: LeadId,
  is_muted: Schema.Boolean,
  muted_at: Schema.NullOr(Timestamp),
  snoozed_until: Schema.NullOr(Timestamp).annotations({ description: "No question about the lead before then." })
})
export type LeadCheckIns = typeof LeadCheckIns.Type

/** Outcomes of leads. Methods that change something must be called in a transaction. */
export class Outcomes extends Context.Tag("Outcomes")<
  Outcomes,
  {
    /** Only a won deal has a value. The same outcome again corrects its reason and value. */
    readonly register: (
      leadId: LeadId,
      options: {
        readonly outcome: LeadOutcome
        readonly reason: string | undefined
        readonly dealValueBrl: number | undefined
      }
    ) => Effect.Effect<RegisteredOutcome, NotFound | Refused | Transient, Caller>
    /** Returns the lead to prospecting, which resumes with a gentle message that uses `ownerContext`. */
    readonly recover: (
      leadId: LeadId,
      ownerContext: string | undefined
    ) => Effect.Effect<LeadPipelineView, NotFound | Refused | Transient, Caller>
    /** Newest first. */
    readonly history: (
      leadId: LeadId,
      limit: number
    ) => Effect.Effect<
      { readonly events: ReadonlyArray<LeadLifecycleEvent>; readonly total: number },
      NotFound | Transient,
      Caller
    >
    /** Stops the questions about the lead, or postpones them by `snoozeDays`. The latest call applies. */
    readonly muteCheckIns: (
      leadId: LeadId,
      options: { readonly reason: string | undefined; readonly snoozeDays: number | undefined }
    ) => Effect.Effect<LeadCheckIns, NotFound | Transient, Caller>
  }
>() {}
