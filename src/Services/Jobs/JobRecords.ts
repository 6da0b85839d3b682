import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../Accounts/Ids.ts"
import type { JobId } from "./Ids.ts"
import type { EndedJob } from "./JobHandler.ts"

export interface JobKey {
  readonly account_id: AccountId
  readonly job_id: JobId
}

export interface StartedJob {
  readonly kind: string
  readonly subject_id: number | null
  readonly attempts: number
  readonly is_cancel_requested: boolean
  readonly plan: Plan
}

export interface JobOutcome {
  readonly kind: string
  readonly subject_id: number | null
  readonly status: EndedJob["status"]
  readonly plan: Plan
}

export interface JobEnd {
  readonly status: EndedJob["status"]
  /** Why it failed, as a readable sentence. */
  readonly reason: string | null
}

/** The record of one job, for the engine. */
export interface JobRecord {
  /** Empty if the job has ended or was deleted. */
  readonly start: Effect.Effect<Option.Option<StartedJob>, Transient>
  /** The outcome of a job that has ended. */
  readonly outcome: Effect.Effect<Option.Option<JobOutcome>, Transient>
  readonly setProgress: (progress: number) => Effect.Effect<void, Transient>
  /** Also true if the job was deleted. */
  readonly isCancelRequested: Effect.Effect<boolean, Transient>
  /** Schedules the next attempt. The job is shown as queued, and is cancelled immediately if that was requested. */
  readonly requeue: Effect.Effect<void, Transient>
  /** Undoes the start of the attempt. */
  readonly undoStart: Effect.Effect<void, Transient>
  readonly end: (end: JobEnd) => Effect.Effect<void, Transient>
}

/** The records of background jobs, for the engine that runs them. */
export class JobRecords extends Context.Tag("JobRecords")<JobRecords, { readonly of: (key: JobKey) => JobRecord }>() {}
