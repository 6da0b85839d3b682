import { useState } from "react"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { valueInWords } from "./Sheet.ts"

type Learning = AnswerOf<"list_prospecting_learnings">["learnings"][number]
type Rate = NonNullable<Learning["Summary"]["rate"]>

/** Two rates with the range in which the true one is with 95 % certainty. */
const Ranges = ({ rates }: { readonly rates: ReadonlyArray<{ readonly text: string; readonly rate: Rate }> }) => {
  const texts = useTexts()
  const most = Math.max(...rates.map(({ rate }) => rate.interval_high_pct), 1)
  const at = (percent: number) => `${(percent / most) * 100}%`
  return (
    <dl className="ranges">
      {rates.map(({ rate, text }) => (
        <div key={text}>
          <dt className="truncate">{text}</dt>
          <dd>
            <span className="range" aria-hidden="true">
              <span
                className="range-line"
                style={{ left: at(rate.interval_low_pct), right: `calc(100% - ${at(rate.interval_high_pct)})` }}
              />
              <span className="range-dot" style={{ left: at(rate.rate_pct) }} />
            </span>
            <span className="num small">{valueInWords(rate.rate_pct, "rate", texts)}</span>
            <span className="faint small num">
              {texts.t("reports.ofSample", { count: valueInWords(rate.sample_size, "count", texts) })}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const LearningLine = ({ dismiss, learning }: { readonly learning: Learning; readonly dismiss: () => void }) => {
  const { t, valueText } = useTexts()
  const { group, others, rate } = learning.Summary
  return (
    <li className="line">
      <div className="grow stack">
        <div className="row spread">
          <Badge text={valueText("learning", learning.kind)} />
          <span className="row">
            <span className="faint small">
              <Time at={learning.made_at} />
            </span>
            <IconButton writes icon="close" label={t("reports.dismiss")} onClick={dismiss} />
          </span>
        </div>
        <p className="line-question">{learning.Content}</p>
        {rate === null || others === null ? null : (
          <Ranges
            rates={[
              { text: group ?? t("reports.thisGroup"), rate },
              { text: t("reports.others"), rate: others }
            ]}
          />
        )}
        {learning.advice === null ? null : <p className="soft small">{learning.advice.text}</p>}
      </div>
    </li>
  )
}

/** What the results of the last 90 days prove. */
export const Learnings = () => {
  const { t } = useTexts()
  const learnings = useTool("list_prospecting_learnings", {})
  const [dismissed, setDismissed] = useState<Learning>()
  const close = () => setDismissed(undefined)
  return (
    <Card title={t("reports.learnings")} isFlush>
      <Answer of={learnings} lines={6}>
        {(answer) =>
          answer.learnings.length === 0 ? (
            <Empty icon="sparkle" title={t("reports.learnings.empty")} text={t("reports.learnings.empty.text")} />
          ) : (
            <ul className="lines">
              {answer.learnings.map((learning) => (
                <LearningLine key={learning.learning_id} learning={learning} dismiss={() => setDismissed(learning)} />
              ))}
            </ul>
          )
        }
      </Answer>
      {dismissed === undefined ? null : (
        <Dialog title={t("reports.dismiss")} onClose={close}>
          <p className="soft">{dismissed.Content}</p>
          <SchemaForm
            tool="dismiss_prospecting_learning"
            fixed={{ learning_id: dismissed.learning_id }}
            submitLabel={t("reports.dismiss")}
            doneText={t("reports.dismissed")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      )}
    </Card>
  )
}
