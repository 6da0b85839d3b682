import type { ReactNode } from "react"
import { isWorking } from "../../calls/Live.ts"
import { useAction } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Icon, type IconName } from "../../parts/Icon.tsx"
import { type State, stateOf, type Work } from "./State.ts"

const tones: Readonly<Record<State, Tone>> = {
  waiting: "cool",
  working: "cool",
  failed: "bad",
  cancelled: "neutral",
  asks: "warn",
  partial: "warn",
  nothing: "bad",
  ready: "good"
}

export const WorkBadge = ({ work }: { readonly work: Work }) => {
  const state = stateOf(work)
  return <Badge text={useTexts().t(`content.state.${state}`)} tone={tones[state]} />
}

export const Progress = ({ work }: { readonly work: Work }) => {
  const { t } = useTexts()
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={t("content.progress")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={work.progress}
    >
      <span style={{ width: `${Math.max(work.progress, 4)}%` }} />
    </div>
  )
}

const Part = ({
  children,
  icon,
  title,
  tone
}: {
  readonly title: string
  readonly icon: IconName
  readonly tone: "good" | "bad" | "warn"
  readonly children: ReactNode
}) => (
  <section className="work-part" data-tone={tone}>
    <h3>
      <Icon name={icon} />
      {title}
    </h3>
    <ul>{children}</ul>
  </section>
)

const Cancel = ({ jobId }: { readonly jobId: string }) => {
  const { t } = useTexts()
  const cancel = useAction("cancel_background_job", { done: () => t("content.cancel.done") })
  return (
    <Button writes icon="stop" isBusy={cancel.isRunning} onClick={() => cancel.run({ job_id: jobId })}>
      {t("content.cancel")}
    </Button>
  )
}

/** Shows what was done, what was not and why, and open questions. While the work is running, shows its progress. */
export const WorkReport = ({ work }: { readonly work: Work }) => {
  const { t } = useTexts()
  if (isWorking(work)) {
    return (
      <div className="stack" role="status">
        <div className="row spread">
          <WorkBadge work={work} />
          <span className="num small soft">{work.progress} %</span>
        </div>
        <Progress work={work} />
        {work.job_id === null ? null : (
          <div>
            <Cancel jobId={work.job_id} />
          </div>
        )}
      </div>
    )
  }
  const failure = work.failure_detail ?? work.failure_reason
  return (
    <div className="stack work">
      <div>
        <WorkBadge work={work} />
      </div>
      {failure === null ? null : <p className="soft">{failure}</p>}
      {work.needs_input.length === 0 ? null : (
        <Part icon="question" tone="warn" title={t("content.asked")}>
          {work.needs_input.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </Part>
      )}
      {work.not_done.length === 0 ? null : (
        <Part icon="alert" tone="bad" title={t("content.notDone")}>
          {work.not_done.map(({ reason, suggestion, wish }) => (
            <li key={wish}>
              <strong>{wish}</strong>
              <div className="soft">{reason}</div>
              <div className="faint">{suggestion}</div>
            </li>
          ))}
        </Part>
      )}
      {work.done.length === 0 ? null : (
        <Part icon="check" tone="good" title={t("content.done")}>
          {work.done.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Part>
      )}
    </div>
  )
}
