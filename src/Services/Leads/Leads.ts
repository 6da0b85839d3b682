import { Context, type Effect } from "effect"
import type { Json, NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { LeadId } from "./Ids.ts"
import type {
  AssignableLeadStatus,
  ErasedLead,
  LeadAwaitingReview,
  LeadPipelineView,
  LeadProfile,
  PausedLead,
  RegisteredLead,
  UpdatedLead
} from "./LeadModel.ts"
import type { LeadOperation } from "./LeadPipeline.ts"
import type { NewLead } from "./NewLead.ts"

/** What accompanies an operation on a lead's pipeline. Missing and `undefined` fields change nothing. */
export interface OperationDetails {
  /** Who caused it. By default the account's owner. */
  readonly actor?: "owner" | "platform" | "lead"
  /** Stored with the history entry, and with the pause or the review that it causes. */
  readonly reason?: string | undefined
  /** Additional data of the history entry, such as a deal's value. */
  readonly data?: { readonly [key: string]: Json }
  /** The next contact of a lead in the pipeline. Without it, a lead that enters the pipeline is contacted at once. */
  readonly nextTouchAt?: Timestamp | undefined
  readonly nextTouchInstructions?: string | undefined
}

export interface LeadUpdate {
  readonly status: AssignableLeadStatus | undefined
  /** An empty text clears the field. */
  readonly goal: string | undefined
  readonly background: string | undefined
}

export class Leads extends Context.Tag("Leads")<
  Leads,
  {
    readonly get: (leadId: LeadId) => Effect.Effect<LeadProfile, NotFound | Transient, Caller>
    /** Leads that wait for a person's decision, longest waiting first, at most 500. */
    readonly listAwaitingReview: Effect.Effect<
      { readonly leads: ReadonlyArray<LeadAwaitingReview>; readonly total: number },
      Transient,
      Caller
    >
    /**
     * Paused leads by id, at most 50, from the first one after `afterLeadId`. `next` is the cursor of the next page, if
     * there is one.
     */
    readonly listPaused: (afterLeadId: number) => Effect.Effect<
      {
        readonly leads: ReadonlyArray<PausedLead>
        readonly total: number
        readonly next: LeadId | undefined
      },
      Transient,
      Caller
    >
    /** One atomic statement. Of parallel calls with the same contact, one creates the lead. */
    readonly register: (lead: NewLead) => Effect.Effect<RegisteredLead, NotFound | Refused | Transient, Caller>
    readonly update: (leadId: LeadId, update: LeadUpdate) => Effect.Effect<UpdatedLead, NotFound | Transient, Caller>
    /**
     * The only way in which a lead's pipeline state, pause, unsubscription and outcome change. `transition` in
     * LeadPipeline decides, the history gets an entry, and mail that must not be sent any more is cancelled. Call it in
     * a transaction, because it locks the lead and then changes it.
     */
    readonly transition: (
      leadId: LeadId,
      operation: LeadOperation,
      details?: OperationDetails
    ) => Effect.Effect<LeadPipelineView, NotFound | Refused | Transient, Caller>
    /**
     * Deletes the lead with its messages and history, and blocks its contacts from being registered again. Call it in a
     * transaction.
     */
    readonly erase: (
      leadId: LeadId,
      reason: string | undefined
    ) => Effect.Effect<ErasedLead, NotFound | Transient, Caller>
  }
>() {}
