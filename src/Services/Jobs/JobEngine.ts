import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { JobStatus } from "./Jobs.ts"

/** Counts for operators. Cached for some seconds, because counting reads every row. */
export interface JobCounts {
  /** Background jobs of all accounts, by status. */
  readonly jobs: { readonly [Status in JobStatus]: number }
  /** Internal tasks: due, due later, claimed by a worker, and out of attempts. */
  readonly tasks: {
    readonly ready: number
    readonly scheduled: number
    readonly running: number
    readonly failed: number
  }
  /** How long the oldest due task has been waiting for a worker. */
  readonly oldestDueSeconds: number
}

/** Runs the background work of this process. */
export class JobEngine extends Context.Tag("JobEngine")<
  JobEngine,
  {
    readonly jobCounts: Effect.Effect<JobCounts, Transient>
    /** Whether every pool claims work. False while a pool restarts after it lost the database. */
    readonly isWorking: Effect.Effect<boolean>
  }
>() {}
