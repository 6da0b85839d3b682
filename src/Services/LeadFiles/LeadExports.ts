import { Context, Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import type { LeadFilter } from "../Leads/LeadSearch.ts"

export const LeadExportId = Schema.Int.pipe(Schema.brand("LeadExportId"))
export type LeadExportId = typeof LeadExportId.Type

export class LeadExports extends Context.Tag("LeadExports")<
  LeadExports,
  {
    /** Stores the export and queues its job. Call it in a transaction. */
    readonly start: (
      filter: LeadFilter
    ) => Effect.Effect<
      { readonly leadExportId: LeadExportId; readonly jobId: JobId },
      NotFound | Refused | Transient,
      Caller
    >
    /**
     * Writes the file of the job's export in parts, so that memory stays small, and notifies the owner. A failed
     * attempt starts from the beginning.
     */
    readonly write: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const leadExportKind = "lead_export"

export const leadExportJob = JobHandler.make(leadExportKind, {
  run: (job) => Effect.flatMap(LeadExports, (exports) => exports.write(job))
})
