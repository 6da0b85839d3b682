import type { CallOptions, Client } from "./client.ts"
import { type ListBackgroundJobsAnswer, listBackgroundJobs } from "./generated/tools.ts"
import { each } from "./pages.ts"
import { sleep } from "./pauses.ts"

export type Job = ListBackgroundJobsAnswer["jobs"][number]

export interface WaitOptions extends Pick<CallOptions, "signal"> {
  /** Called with each state that differs from the one before. `progress` is 0 to 100. */
  readonly onProgress?: (job: Job) => void
  /** The pause between two looks. By default 1 000. */
  readonly intervalMillis?: number
}

/** A job that failed, was cancelled, or does not exist. */
export class JobFailed extends Error {
  override readonly name = "JobFailed"
  readonly _tag = "JobFailed"
  readonly jobId: string
  readonly job: Job | undefined

  constructor(jobId: string, job: Job | undefined) {
    super(
      job === undefined
        ? `There is no background job ${jobId}.`
        : `The background job ${jobId} was ${job.status}${job.failure_reason === null ? "" : `: ${job.failure_reason}`}.`
    )
    this.jobId = jobId
    this.job = job
  }
}

const find = async (client: Client, jobId: string, options: CallOptions): Promise<Job | undefined> => {
  for await (const job of each(client, listBackgroundJobs, { page_size: 100 }, options)) {
    if (job.job_id === jobId) return job
  }
  return undefined
}

/** Waits until a background job is finished. */
export const waitForJob = async (client: Client, jobId: string, options: WaitOptions = {}): Promise<Job> => {
  const { intervalMillis = 1_000, onProgress, signal } = options
  let last: Job | undefined
  while (true) {
    const job = await find(client, jobId, signal === undefined ? {} : { signal })
    if (job === undefined) throw new JobFailed(jobId, undefined)
    if (job.status !== last?.status || job.progress !== last.progress) onProgress?.(job)
    last = job
    if (job.status === "finished") return job
    if (job.status === "failed" || job.status === "cancelled") throw new JobFailed(jobId, job)
    await sleep(intervalMillis, signal)
  }
}
