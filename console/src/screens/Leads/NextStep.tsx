import type { AnswerOf } from "../../calls/Tools.ts"
import { type Texts, useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Icon, type IconName } from "../../parts/Icon.tsx"
import { Time } from "../../parts/Time.tsx"

export type Lead = AnswerOf<"get_lead">

interface Step {
  readonly text: string
  readonly icon: IconName
  readonly tone: "good" | "warn" | "bad" | "cool"
  readonly at?: string | null
}

/** Returns everything that decides about the next contact, starting with what forbids it. */
const stepsOf = (lead: Lead, { t, valueText }: Texts): ReadonlyArray<Step> => {
  const blocks = lead.blocks.map((block): Step => ({ text: valueText("block", block), icon: "ban", tone: "bad" }))
  const paused: ReadonlyArray<Step> = lead.is_paused
    ? [{ text: t("leads.next.paused", { reason: lead.pause_reason }), icon: "pause", tone: "warn", at: lead.paused_at }]
    : []
  const reviewed: ReadonlyArray<Step> =
    lead.pipeline_state === "pending_review" && lead.review_reason !== null
      ? [{ text: t("leads.next.review", { reason: lead.review_reason }), icon: "flag", tone: "warn" }]
      : []
  const waits = lead.waiting_for.map(
    ({ reason, until }): Step => ({ text: valueText("waiting", reason), icon: "clock", tone: "cool", at: until })
  )
  return [...blocks, ...paused, ...reviewed, ...waits]
}

const headline = (lead: Lead, { t, valueText }: Texts): string => {
  if (lead.final_outcome !== null) return t("leads.next.outcome", { outcome: valueText("outcome", lead.final_outcome) })
  if (lead.is_paused) return t("leads.next.isPaused")
  if (lead.blocks.length > 0) return t("leads.next.blocked")
  return lead.next_touch_at === null ? t("leads.next.none") : t("leads.next.planned")
}

/** Shows why the lead is contacted next, or why it is not. */
export const NextStep = ({ lead }: { readonly lead: Lead }) => {
  const texts = useTexts()
  const { t } = texts
  const steps = stepsOf(lead, texts)
  const isPlanned = lead.next_touch_at !== null && lead.blocks.length === 0 && !lead.is_paused
  return (
    <Card title={t("leads.next")}>
      <div className="stack">
        <p className="next-step">
          {headline(lead, texts)}{" "}
          {isPlanned && lead.next_touch_at !== null ? (
            <strong>
              <Time at={lead.next_touch_at} look="full" />
            </strong>
          ) : null}
        </p>
        {steps.length === 0 ? null : (
          <ul className="steps">
            {steps.map((step) => (
              <li key={step.text} className="row" data-tone={step.tone}>
                <Icon name={step.icon} />
                <span>
                  {step.text}{" "}
                  {step.at === null || step.at === undefined ? null : (
                    <span className="faint">
                      <Time at={step.at} look="full" />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        {lead.next_touch_instructions === null ? null : (
          <blockquote className="quote">{lead.next_touch_instructions}</blockquote>
        )}
      </div>
    </Card>
  )
}
