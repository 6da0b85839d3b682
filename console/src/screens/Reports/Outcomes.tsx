import { Link } from "@tanstack/react-router"
import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { saveCsv } from "../../parts/SaveFile.ts"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { dayIn } from "../../parts/TimeText.ts"
import { useNow } from "../../parts/useNow.ts"
import { valueInWords } from "./Sheet.ts"

type Changes = AnswerOf<"what_changed_since">

const dayMillis = 86_400_000

const countsOf = ({ meetings, outcomes }: Changes) =>
  [
    ["won", outcomes.won_count],
    ["lost", outcomes.lost_count],
    ["gaveUp", outcomes.gave_up_count],
    ["booked", meetings.booked],
    ["held", meetings.held],
    ["noShow", meetings.no_show],
    ["cancelled", meetings.cancelled]
  ] as const

const Won = ({ items }: { readonly items: Changes["outcomes"]["won_items"] }) => {
  const texts = useTexts()
  return (
    <ul className="lines">
      {items.map((item) => (
        <li key={item.lead_id} className="line">
          <div className="grow">
            <div className="row spread">
              <Link className="line-name truncate" to="/leads/$leadId" params={{ leadId: String(item.lead_id) }}>
                {item.name}
              </Link>
              <strong className="num line-end">{valueInWords(item.deal_value_brl, "money", texts)}</strong>
            </div>
            <div className="row spread faint small">
              <span className="truncate">{item.company ?? item.campaign_name}</span>
              <Time at={item.won_at} look="day" />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The outcomes of the period's leads, and their value. */
export const Outcomes = ({ days }: { readonly days: number }) => {
  const texts = useTexts()
  const { t } = texts
  const zone = useSession()?.account.time_zone ?? "UTC"
  const since = dayIn(new Date(useNow() - (days - 1) * dayMillis), zone)
  const changes = useTool("what_changed_since", { since_date: since }, { keepsLast: true })
  const save = ({ outcomes, ...rest }: Changes) =>
    saveCsv("outcomes", [
      [t("reports.outcome"), t("reports.count")],
      ...countsOf({ outcomes, ...rest }).map(([id, count]) => [t(`reports.outcome.${id}`), count]),
      [t("reports.value"), outcomes.total_deal_value_brl]
    ])
  return (
    <Card
      title={t("reports.outcomes")}
      isFlush
      actions={
        <IconButton
          icon="download"
          label={t("reports.save", { report: t("reports.outcomes") })}
          disabled={changes.data === undefined}
          onClick={() => (changes.data === undefined ? undefined : save(changes.data))}
        />
      }
    >
      <Answer of={changes} lines={6}>
        {(answer) => (
          <>
            <div className="card-body">
              <div className="figure-count num">
                {valueInWords(answer.outcomes.total_deal_value_brl, "money", texts)}
              </div>
              <div className="faint small">{t("reports.value")}</div>
              <dl className="outcome-counts">
                {countsOf(answer).map(([id, count]) => (
                  <div key={id}>
                    <dt>{t(`reports.outcome.${id}`)}</dt>
                    <dd className="num">{valueInWords(count, "count", texts)}</dd>
                  </div>
                ))}
              </dl>
            </div>
            {answer.outcomes.won_items.length === 0 ? null : (
              <>
                <div className="lines-label">{t("reports.outcome.won")}</div>
                <Won items={answer.outcomes.won_items.slice(0, 5)} />
              </>
            )}
          </>
        )}
      </Answer>
      <p className="report-note faint small">{t("reports.wholeAccount")}</p>
    </Card>
  )
}
