import "./jobs.css"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { toolQuery, useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type Job = AnswerOf<"list_background_jobs">["jobs"][number]

const tones: Readonly<Record<string, Tone>> = { running: "accent", finished: "good", failed: "bad", cancelled: "warn" }
const statuses = ["running", "queued", "finished", "failed", "cancelled"] as const
type Status = (typeof statuses)[number]

/** The progress of jobs is not among the account's events, so it is polled while there is any. */
const pollMillis = 1_500

const isUnfinished = ({ status }: { readonly status: string }): boolean => status === "queued" || status === "running"

const useJobs = (status: Status | undefined) =>
  useQuery({
    ...toolQuery("list_background_jobs", { page_size: 100, ...(status === undefined ? {} : { status }) }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) === true ? pollMillis : false)
  })

const JobLine = ({ job }: { readonly job: Job }) => {
  const { t, valueText } = useTexts()
  const cancel = useAction("cancel_background_job", { done: () => t("jobs.cancel.done") })
  const { cancel_requested, failure_reason, finished_at, kind, progress, started_at, status } = job
  const name = valueText("job_kind", kind)
  return (
    <li className="line job">
      <div className="grow stack">
        <div className="row wrap">
          <span className="line-name">{name}</span>
          <ValueBadge kind="job_status" value={status} tones={tones} />
          {cancel_requested && isUnfinished(job) ? <span className="small faint">{t("jobs.cancelling")}</span> : null}
        </div>
        {status === "running" ? (
          <div className="row">
            <progress className="job-progress" max={100} value={progress} aria-label={t("jobs.progress", { name })} />
            <span className="small num soft">{progress} %</span>
          </div>
        ) : null}
        {failure_reason === null ? null : <div className="small soft">{valueText("job_failure", failure_reason)}</div>}
      </div>
      <span className="faint small line-end">
        <Time at={finished_at ?? started_at ?? job.created_at} />
      </span>
      {isUnfinished(job) && !cancel_requested ? (
        <Button writes isBusy={cancel.isRunning} onClick={() => cancel.run({ job_id: job.job_id })}>
          {t("common.cancel")}
        </Button>
      ) : null}
    </li>
  )
}

/** Work that continues after its tool has answered: imports, exports, videos and so on. */
export const JobsScreen = () => {
  const { t, valueText } = useTexts()
  const [status, setStatus] = useState<Status>()
  const jobs = useJobs(status)
  return (
    <Page title={t("jobs.title")} lead={t("jobs.lead")}>
      <div className="chips" role="group" aria-label={t("jobs.show")}>
        {[undefined, ...statuses].map((one) => (
          <button
            key={one ?? "all"}
            type="button"
            className="chip"
            aria-pressed={one === status}
            onClick={() => setStatus(one)}
          >
            {one === undefined ? t("jobs.all") : valueText("job_status", one)}
          </button>
        ))}
      </div>
      <section className="card" aria-label={t("jobs.title")}>
        <Answer of={jobs} lines={6}>
          {(answer) =>
            answer.jobs.length === 0 ? (
              <Empty icon="clock" title={t("jobs.empty")} text={t("jobs.empty.text")} />
            ) : (
              <ul className="lines">
                {answer.jobs.map((job) => (
                  <JobLine key={job.job_id} job={job} />
                ))}
              </ul>
            )
          }
        </Answer>
      </section>
    </Page>
  )
}
