import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import type { CustomerFileId } from "../Files/Ids.ts"
import { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import { Channel, LeadId } from "../Leads/Ids.ts"

/** Why a lead's schedule was not changed: a change would have no effect, or the schedule is already as requested. */
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

/** The most leads of an import that one call changes. A background job handles larger imports. */
export const maximumAtOnce = 5000

export const leadReschedulingKind = "lead_rescheduling"

/** The most leads of each kind that an answer lists. The counts include all of them. */
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

/** Changes when leads are contacted next. */
export class LeadSchedule extends Context.Tag("LeadSchedule")<
  LeadSchedule,
  {
    /**
     * Changes the next touch of leads in prospecting: the listed ones, and those of the file's imports. A background
     * job handles a large import in batches. A time in the past means as soon as possible. Call it inside a
     * transaction.
     */
    readonly reschedule: (options: {
      readonly leadIds: ReadonlyArray<LeadId>
      readonly importedFrom: CustomerFileId | undefined
      readonly nextTouchAt: Timestamp | undefined
      readonly preferredChannel: Channel | undefined
    }) => Effect.Effect<RescheduledLeads, NotFound | Refused | Transient, Caller>
    /** Runs the job, continuing where it last stopped. Each batch is one transaction. */
    readonly run: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const leadReschedulingJob = JobHandler.make(leadReschedulingKind, {
  run: (job) => Effect.flatMap(LeadSchedule, (schedule) => schedule.run(job))
})
