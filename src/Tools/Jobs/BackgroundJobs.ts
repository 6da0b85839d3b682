import { Effect, Schema } from "effect"
import { notFound } from "../../Errors.ts"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus, Jobs, JobView } from "../../Services/Jobs/Jobs.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const listBackgroundJobs = Tool.make("list_background_jobs", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the account's background jobs, newest first: imports, exports and other work that continues after its tool has answered.",
  parameters: {
    status: Param.optional(Param.oneOf(JobStatus.literals, "Only jobs with this status; all by default.")),
    ...Param.pages()
  },
  returns: Tool.page({ jobs: Schema.Array(JobView) }, "How many jobs there are on all pages together."),
  example: { status: "finished" },
  run: Tool.pageVia(Jobs, (jobs, page, { status }) => jobs.list({ status, ...page }))
})

const isJobId = Schema.is(JobId)

const cancelBackgroundJob = Tool.make("cancel_background_job", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Cancels a background job. A queued job never starts; a running one stops at its next step and is shown as running until then. What it has already done stays.",
  parameters: { job_id: Param.text("The job, as list_background_jobs names it.") },
  returns: JobView,
  errors: { NotFound: ["background_job_not_found"], Refused: ["job_already_ended"] },
  example: { job_id: "0190f3a8-5c1e-4d2b-9f6a-3e7d8c4b1a20" },
  run: Effect.fnUntraced(function* ({ job_id }) {
    const jobs = yield* Jobs
    return isJobId(job_id) ? yield* jobs.cancel(job_id) : yield* notFound("background job", "job_id", job_id)
  })
})

export const BackgroundJobsGroup = Tool.group(
  "Background jobs",
  "Work that continues after its tool has answered: what runs, its progress, and how to stop it.",
  [listBackgroundJobs, cancelBackgroundJob]
)
