import type { CallOptions } from "./client.ts"
import { type EventFeed, type EventFeedOptions, eventFeed } from "./events.ts"
import { downloadFile, uploadFile } from "./files.ts"
import { Namespaces } from "./generated/namespaces.ts"
import { type Job, type WaitOptions, waitForJob } from "./jobs.ts"

/** The gateway with all its tools, by group: `gateway.leads.registerLead({ name: "Ana Souza" })`. */
export class Gateway extends Namespaces {
  /** The account's events, from a cursor on. */
  events(options?: EventFeedOptions): EventFeed {
    return eventFeed(this, options)
  }

  /** Waits until a background job is finished. Throws `JobFailed`. */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Job> {
    return waitForJob(this, jobId, options)
  }

  uploadFile(file: Parameters<typeof uploadFile>[1], options?: CallOptions): ReturnType<typeof uploadFile> {
    return uploadFile(this, file, options)
  }

  downloadFile(...rest: [file: { readonly download_url: string }, options?: Parameters<typeof downloadFile>[2]]) {
    return downloadFile(this, ...rest)
  }
}
