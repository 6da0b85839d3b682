import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { Channel, LeadId } from "../Leads/Ids.ts"

/** Why the schedule of a lead was left as it is: nothing would come of another one, or it is as requested already. */
export const NotScheduled = Schema.Literal(
  "lead_not_found",
  "not_started",
  "finished",
  "pending_review",
  "user_controlled",
  "rejected",
  "frozen",
  "unchanged"
)
export type NotScheduled = typeof NotScheduled.Type

/** Leads of an import that one call moves itself; of a larger one a background job moves them. */
export const maximumAtOnce = 5000

export const leadReschedulingKind = "lead_rescheduling"

/** An answer names this many leads of each kind; the counts are of all. */
export const maximumNamed = 500

export const RescheduledLeads = Schema.Struct({
  updated_count: Schema.Int,
  skipped_count: Schema.Int,
  next_touch_at: Schema.NullOr(Timestamp).annotations({
    description: "When the updated leads are contacted next; null where each keeps its own schedule."
  }),
  preferred_channel: Schema.NullOr(Channel),
  preferred_channel_count: Schema.Int.annotations({
    description: "Updated leads that can be reached by the preferred channel, and have it now."
  }),
  updated_lead_ids: Schema.Array(LeadId).annotations({ description: `The first ${maximumNamed}, by id.` }),
  skipped_by_reason: Schema.Array(Schema.Struct({ reason: NotScheduled, count: Schema.Int })),
  skipped: Schema.Array(Schema.Struct({ lead_id: LeadId, reason: NotScheduled })).annotations({
    description: `The first ${maximumNamed} for each reason, by id.`
  }),
  job_id: Schema.NullOr(JobId).annotations({
    description: `Where the import has more than ${maximumAtOnce} leads: the background job that moves them; the counts are then of lead_ids alone. A notification tells how it ended.`
  }),
  queued_count: Schema.Int.annotations({ description: "Leads that the job looks at; 0 without one." })
})
export type RescheduledLeads = typeof RescheduledLeads.Type

/** When leads are contacted next. */
export class LeadSchedule extends Context.Tag("LeadSchedule")<
  LeadSchedule,
  {
    /**
     * Moves the next touch of leads that prospecting works: the leads named and those that came out of imports of the
     * file. Of a large import a background job does, batch by batch. A time that has passed means as soon as possible.
     * Belongs in a transaction.
     */
    readonly reschedule: (options: {
      readonly leadIds: ReadonlyArray<LeadId>
      readonly importedFrom: CustomerFileId | undefined
      readonly nextTouchAt: Timestamp | undefined
      readonly preferredChannel: Channel | undefined
    }) => Effect.Effect<RescheduledLeads, NotFound | Refused | Transient, Caller>
    /** Does what the job is about, from where it ended last; each batch is one transaction. */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const leadReschedulingJob = JobHandler.make(leadReschedulingKind, {
  run: (job) => Effect.flatMap(LeadSchedule, (schedule) => schedule.run(job))
})
