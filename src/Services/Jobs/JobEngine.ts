import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { JobStatus } from "./Jobs.ts"

/** How many there are, for operators. Read at most once in some seconds, since counting visits every row. */
export interface JobCounts {
  /** Background jobs of all accounts, as their callers see them. */
  readonly jobs: { readonly [Status in JobStatus]: number }
  /** Internal tasks: due, due later, taken by a worker, and out of attempts. */
  readonly tasks: {
    readonly ready: number
    readonly scheduled: number
    readonly running: number
    readonly failed: number
  }
  /** How long the task has been due that waits longest for a worker. */
  readonly oldestDueSeconds: number
}

/** What does the background work of this process. */
export class JobEngine extends Context.Tag("JobEngine")<
  JobEngine,
  {
    readonly jobCounts: Effect.Effect<JobCounts, Transient>
    /** Whether every pool takes work now; false while one starts again after it lost the database. */
    readonly isWorking: Effect.Effect<boolean>
  }
>() {}
