import { Context, type Effect } from "effect"
import type { Json, NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
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

/** What accompanies an operation on a lead's pipeline. Fields left out or `undefined` change nothing. */
export interface OperationDetails {
  /** Who caused it; the account's owner unless told. */
  readonly actor?: "owner" | "platform" | "lead"
  /** Kept with the history entry, and with the pause or the review request it causes. */
  readonly reason?: string | undefined
  /** What the history entry says beside it, such as a deal's value. */
  readonly data?: { readonly [key: string]: Json }
  /** When the lead, once in the pipeline, is contacted next; at once where it enters the pipeline without. */
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
    /** Leads that wait for a person's decision, longest waiting first; at most 500 of them. */
    readonly listAwaitingReview: Effect.Effect<
      { readonly leads: ReadonlyArray<LeadAwaitingReview>; readonly total: number },
      Transient,
      Caller
    >
    /** By id, from the first after `afterLeadId`; at most 50. `next` is where the next page goes on, if there is one. */
    readonly listPaused: (afterLeadId: number) => Effect.Effect<
      {
        readonly leads: ReadonlyArray<PausedLead>
        readonly total: number
        readonly next: LeadId | undefined
      },
      Transient,
      Caller
    >
    /** One statement, atomic by itself: of calls at once with the same contact one creates the lead. */
    readonly register: (lead: NewLead) => Effect.Effect<RegisteredLead, NotFound | Refused | Transient, Caller>
    readonly update: (leadId: LeadId, update: LeadUpdate) => Effect.Effect<UpdatedLead, NotFound | Transient, Caller>
    /**
     * The one way in which a lead's pipeline state, pause, unsubscription and outcome change: `transition` of
     * LeadPipeline decides, the history gets an entry, and mail that must not go out any more is cancelled. To be run
     * in a transaction, since it locks the lead and then changes it.
     */
    readonly transition: (
      leadId: LeadId,
      operation: LeadOperation,
      details?: OperationDetails
    ) => Effect.Effect<LeadPipelineView, NotFound | Refused | Transient, Caller>
    /**
     * Deletes the lead with its messages and history, for good, and keeps its contacts from being registered again.
     * To be run in a transaction.
     */
    readonly erase: (
      leadId: LeadId,
      reason: string | undefined
    ) => Effect.Effect<ErasedLead, NotFound | Transient, Caller>
  }
>() {}
