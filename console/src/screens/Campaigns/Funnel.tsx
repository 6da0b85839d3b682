import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"

export interface Stage {
  readonly id: string
  readonly text: string
  readonly count: number
}

/** Each stage as a bar, with its share of the first one. */
export const Funnel = ({ label, stages }: { readonly label: string; readonly stages: ReadonlyArray<Stage> }) => {
  const { locale } = useTexts()
  const all = Math.max(stages[0]?.count ?? 0, 1)
  return (
    <ol className="funnel" aria-label={label}>
      {stages.map((stage, index) => {
        const share = stage.count / all
        return (
          <li key={stage.id} className="funnel-stage">
            <span className="funnel-text">{stage.text}</span>
            <span className="funnel-track" aria-hidden="true">
              <span className="funnel-bar" style={{ width: `${Math.max(share * 100, stage.count > 0 ? 0.6 : 0)}%` }} />
            </span>
            <span className="num funnel-count">{numberText(stage.count, locale)}</span>
            <span className="num faint small funnel-share">
              {index === 0 ? "" : numberText(share, locale, { style: "percent", maximumFractionDigits: 1 })}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
