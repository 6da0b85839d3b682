import { Context, Effect, Schema } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { JobId } from "../Jobs/Ids.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"

export const AccountExportId = Schema.Int.pipe(Schema.brand("AccountExportId"))
export type AccountExportId = typeof AccountExportId.Type

/** The archive of all data of an account. */
export class AccountExports extends Context.Tag("AccountExports")<
  AccountExports,
  {
    /** Stores the export and queues its job. Call it in a transaction. */
    readonly start: Effect.Effect<
      { readonly exportId: AccountExportId; readonly jobId: JobId },
      Refused | Transient,
      Caller
    >
    /** Writes the archive in parts, so that memory stays small. A failed attempt starts from the beginning. */
    readonly write: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
  }
>() {}

export const accountExportKind = "account_export"

export const accountExportJob = JobHandler.make(accountExportKind, {
  timeout: "2 hours",
  run: (job) => Effect.flatMap(AccountExports, (exports) => exports.write(job))
})
