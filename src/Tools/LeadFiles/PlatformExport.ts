import { Effect, Schema } from "effect"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { AccountExportId, AccountExports } from "../../Services/LeadFiles/AccountExports.ts"
import * as Tool from "../Core/Tool.ts"

const exportAccount = Tool.make("export_account", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  runsInBackground: true,
  description:
    "Writes everything that the account has into one archive, in the background: records as JSON Lines, leads also as CSV that import_leads reads, and all files. Secrets are left out. The archive is then among the account's files as account-export. Anyone who has its address can download it, until it is removed.",
  parameters: {},
  returns: Schema.Struct({
    account_export_id: AccountExportId,
    job_id: JobId.annotations({ description: "The background job, as list_background_jobs names it." }),
    status: JobStatus
  }),
  errors: { Refused: ["too_many_jobs"] },
  example: {},
  run: Effect.fnUntraced(function* () {
    const exports = yield* AccountExports
    const { exportId, jobId } = yield* exports.start
    return { account_export_id: exportId, job_id: jobId, status: "queued" as const }
  })
})

/** The tool that exports all data of the account in one archive. */
export const platformExport = [exportAccount] as const
