import { Effect, Schema } from "effect"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { LeadExportId, LeadExports } from "../../Services/LeadFiles/LeadExports.ts"
import { searchText } from "../../Services/Leads/LeadSearch.ts"
import * as Tool from "../Core/Tool.ts"
import { filterParams, unlessBlank } from "../Leads/LeadParams.ts"

export const exportLeads = Tool.make("export_leads", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description:
    "Writes the leads that match all filters into a CSV file, in the background. A notification follows when it is done; the file is then among the account's files.",
  parameters: filterParams,
  returns: Schema.Struct({
    lead_export_id: LeadExportId,
    job_id: JobId.annotations({ description: "The background job, as list_background_jobs names it." }),
    status: JobStatus
  }),
  errors: { NotFound: ["campaign_not_found"], Refused: ["too_many_jobs"] },
  runsInBackground: true,
  example: { status: "Interested" },
  run: Effect.fnUntraced(function* (args) {
    const exports = yield* LeadExports
    const { jobId, leadExportId } = yield* exports.start({
      query: searchText(args.query),
      status: args.status,
      campaign: unlessBlank(args.campaign),
      createdFrom: args.created_after,
      createdBefore: args.created_before
    })
    return { lead_export_id: leadExportId, job_id: jobId, status: "queued" as const }
  })
})
