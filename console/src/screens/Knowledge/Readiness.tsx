import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { missingFirst } from "./Points.ts"

type Assessment = NonNullable<AnswerOf<"get_business_assessment">["assessment"]>
type Point = Assessment["points"][number]

const tones: Readonly<Record<string, Tone>> = { strong: "good", promising: "cool", weak: "warn", not_ready: "bad" }

const PointLine = ({ point }: { readonly point: Point }) => {
  const { locale, t } = useTexts()
  const score = numberText(point.score, locale, { style: "percent", maximumFractionDigits: 0 })
  return (
    <li className="line">
      <div className="grow">
        <div className="row spread">
          <strong className="small">{t(`knowledge.topic.${point.topic}`)}</strong>
          <span className="row">
            <span className="meter" aria-hidden="true">
              <span data-level={point.score >= 0.99 ? "full" : "part"} style={{ width: score }} />
            </span>
            <span className="num small faint meter-text">{score}</span>
          </span>
        </div>
        {point.missing === null ? null : (
          <div className="soft small line-detail">{t(`knowledge.missing.${point.topic}`)}</div>
        )}
      </div>
    </li>
  )
}

/** Shows how well the account is prepared, and what is missing, the most important first. */
export const Readiness = () => {
  const { locale, t } = useTexts()
  const answer = useTool("get_business_assessment", {})
  return (
    <Card title={t("knowledge.readiness")} isFlush>
      <Answer of={answer} lines={8}>
        {({ assessed_at, assessment }) =>
          assessment === null ? (
            <Empty icon="target" title={t("knowledge.readiness.none")} text={t("knowledge.readiness.none.text")} />
          ) : (
            <>
              <div className="card-body row spread">
                <span className="row">
                  <span className="readiness num">
                    {numberText(assessment.results_probability, locale, {
                      style: "percent",
                      maximumFractionDigits: 0
                    })}
                  </span>
                  <span className="soft small">{t("knowledge.probability")}</span>
                </span>
                <ValueBadge kind="verdict" value={assessment.verdict} tones={tones} />
              </div>
              <ul className="lines lines-ruled">
                {missingFirst(assessment.points).map((point) => (
                  <PointLine key={point.topic} point={point} />
                ))}
              </ul>
              {assessed_at === null ? null : (
                <p className="card-note faint small">
                  {t("knowledge.assessed")} <Time at={assessed_at} />
                </p>
              )}
            </>
          )
        }
      </Answer>
    </Card>
  )
}
