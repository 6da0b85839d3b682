import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { JobId } from "./Ids.ts"

export const JobStatus = Schema.Literal("queued", "running", "finished", "failed", "cancelled")
export type JobStatus = typeof JobStatus.Type

/** Work that continues after its tool has returned. */
export const JobView = Schema.Struct({
  job_id: JobId,
  kind: Schema.String.annotations({ description: "What the job does, for example lead_import." }),
  subject_id: Schema.NullOr(Schema.Int).annotations({ description: "The record it works on, such as a lead import." }),
  status: JobStatus,
  progress: Schema.Int.pipe(Schema.between(0, 100)),
  failure_reason: Schema.NullOr(Schema.String),
  cancel_requested: Schema.Boolean.annotations({
    description: "Whether cancellation was asked for; a running job stops at its next step."
  }),
  created_at: Timestamp,
  started_at: Schema.NullOr(Timestamp),
  finished_at: Schema.NullOr(Timestamp)
})
export type JobView = typeof JobView.Type

export interface JobPage {
  readonly jobs: ReadonlyArray<JobView>
  readonly total: number
}

/** The maximum number of unfinished jobs per account. */
export const maximumUnfinishedJobs = 50

export class Jobs extends Context.Tag("Jobs")<
  Jobs,
  {
    /**
     * Stores the job and queues it in the caller's transaction. It starts only if that commits. Refused with
     * `too_many_jobs` if the account has `maximumUnfinishedJobs`.
     */
    readonly enqueue: (job: {
      readonly kind: string
      readonly subjectId: number | undefined
      /** `render` for images and videos. They delay no other jobs, not even of the same account. */
      readonly lane?: "render"
    }) => Effect.Effect<JobId, Refused | Transient, Caller>
    /** For a subject that refers to its job and is therefore created after it. */
    readonly setSubject: (jobId: JobId, subjectId: number) => Effect.Effect<void, Transient, Caller>
    readonly get: (jobId: JobId) => Effect.Effect<JobView, NotFound | Transient, Caller>
    /** Newest first. */
    readonly list: (options: {
      readonly status: JobStatus | undefined
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<JobPage, Transient, Caller>
    /**
     * A queued job is cancelled immediately. A running one stops at its next step, and is shown as running until then.
     */
    readonly cancel: (jobId: JobId) => Effect.Effect<JobView, NotFound | Refused | Transient, Caller>
  }
>() {}
