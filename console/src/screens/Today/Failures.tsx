import { activeIncidents, failedJobs } from "../../calls/firstReads.js"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { useNow } from "../../parts/useNow.ts"

interface Failure {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly at: string
}

/** A failed job older than a week was seen or does not matter. */
const jobMillis = 7 * 86_400_000

/** Returns current failures: incidents of the platform, broken connections, and failed jobs. */
export const useFailures = () => {
  const { t, valueText } = useTexts()
  const now = useNow()
  const incidents = useTool("list_incidents", activeIncidents)
  const account = useTool("whoami", {})
  const jobs = useTool("list_background_jobs", failedJobs)
  const items: ReadonlyArray<Failure> | undefined =
    incidents.data === undefined || account.data === undefined || jobs.data === undefined
      ? undefined
      : [
          ...incidents.data.incidents.map((incident) => ({
            key: `incident-${incident.incident_id}`,
            title: incident.title,
            detail: incident.updates.at(-1)?.message ?? "",
            at: incident.started_at
          })),
          ...account.data.outside_outages.map((outage) => ({
            key: `outage-${outage.connection}`,
            title: t("today.failures.outage", { service: valueText("service", outage.connection) }),
            detail: outage.reason ?? "",
            at: outage.since
          })),
          ...jobs.data.jobs
            .filter(({ created_at }) => now - Date.parse(created_at) < jobMillis)
            .map((job) => ({
              key: job.job_id,
              title: t("today.failures.job", { kind: valueText("job_kind", job.kind) }),
              detail: job.failure_reason ?? "",
              at: job.finished_at ?? job.created_at
            }))
        ]
  const failed = [incidents, account, jobs].find(({ error }) => error !== null) ?? incidents
  const refetch = () => [incidents, account, jobs].map((query) => query.refetch())
  return { items, state: { data: items, error: failed.error, refetch } }
}

export const Failures = ({ failures }: { readonly failures: ReturnType<typeof useFailures> }) => {
  const { t } = useTexts()
  return (
    <Card title={t("today.failures")} isFlush>
      <Answer of={failures.state} lines={2}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="check" title={t("today.failures.none")} />
          ) : (
            <ul className="lines">
              {items.map((item) => (
                <li key={item.key} className="line">
                  <span className="line-mark" data-tone="bad">
                    <Icon name="alert" />
                  </span>
                  <div className="grow">
                    <div className="row spread">
                      <strong className="truncate">{item.title}</strong>
                      <span className="faint small line-end">
                        <Time at={item.at} />
                      </span>
                    </div>
                    <div className="soft small text">{item.detail}</div>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
