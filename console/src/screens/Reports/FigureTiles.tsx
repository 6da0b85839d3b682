import type { UseQueryResult } from "@tanstack/react-query"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Answer } from "../../parts/States.tsx"
import { type Figure, type Total, totalOf } from "./Figures.ts"

const figureNames: ReadonlyArray<Figure> = ["leads", "sent", "replies", "confirmed", "interested"]

const width = 120
const height = 32

const TrendBars = ({ values }: { readonly values: ReadonlyArray<number> }) => {
  const most = Math.max(...values, 1)
  const slot = width / Math.max(values.length, 1)
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const size = Math.max((value / most) * height, 1)
        return (
          <rect
            key={index}
            x={index * slot}
            width={slot * 0.72}
            y={height - size}
            height={size}
            data-none={value === 0}
          />
        )
      })}
    </svg>
  )
}

/** Shows the change from the previous period. Nothing is shown without a number to compare with. */
const Change = ({ total }: { readonly total: Total }) => {
  const { locale, t } = useTexts()
  if (total.before === 0) return <span className="faint small">{t("reports.noComparison")}</span>
  const share = total.count / total.before - 1
  const text = numberText(share, locale, { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" })
  return (
    <span className="small change" data-way={share > 0 ? "up" : share < 0 ? "down" : "same"}>
      <strong className="num">{text}</strong>{" "}
      <span className="faint">{t("reports.before", { count: numberText(total.before, locale) })}</span>
    </span>
  )
}

/** The sums of the period, next to those of the period before. */
export const FigureTiles = ({
  days,
  query
}: {
  readonly days: number
  readonly query: UseQueryResult<AnswerOf<"get_performance_trends">>
}) => {
  const { locale, t } = useTexts()
  return (
    <Answer of={query} lines={4}>
      {({ trends }) => (
        <dl className="figures">
          {figureNames.map((figure) => {
            const total = totalOf(trends, days, figure)
            return (
              <div key={figure} className="figure">
                <dt>{t(`reports.figure.${figure}`)}</dt>
                <dd>
                  <span className="figure-count num">{numberText(total.count, locale)}</span>
                  <Change total={total} />
                  <TrendBars values={total.values} />
                </dd>
              </div>
            )
          })}
        </dl>
      )}
    </Answer>
  )
}
