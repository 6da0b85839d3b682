import { errorText } from "../../calls/ErrorText.ts"
import type { LeadRow } from "../../calls/LeadPages.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { type BulkResult, countOutcomes } from "./BulkActions.ts"

const tones = { changes: "good", unchanged: "neutral", refused: "bad", skipped: "neutral" } as const
/** Outcomes that need a person's attention come first. */
const order = ["refused", "skipped", "changes", "unchanged"] as const
/** The most leads that are listed. Longer lists say no more than the counts. */
const mostShown = 200

/** The outcomes of an action, expected or actual: the number of leads of each kind, and their names. */
export const BulkPreview = ({
  isDone = false,
  leads,
  results
}: {
  readonly leads: ReadonlyArray<LeadRow>
  readonly results: ReadonlyArray<BulkResult>
  readonly isDone?: boolean
}) => {
  const texts = useTexts()
  const { t } = texts
  const byId = new Map(leads.map((lead) => [lead.lead_id, lead]))
  const counts = countOutcomes(results)
  const sorted = order.flatMap((outcome) => results.filter((result) => result.outcome === outcome))
  const textOf = (outcome: BulkResult["outcome"]) =>
    t(isDone && outcome === "changes" ? "leads.bulk.outcome.changed" : `leads.bulk.outcome.${outcome}`)
  return (
    <>
      <div className="row wrap" role="status">
        {order
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <Badge
              key={outcome}
              text={t("leads.bulk.countOf", { count: counts[outcome], what: textOf(outcome) })}
              tone={tones[outcome]}
            />
          ))}
      </div>
      <ul className="preview">
        {sorted.slice(0, mostShown).map(({ error, leadId, outcome }) => (
          <li key={leadId} className="row spread">
            <span className="truncate">
              {byId.get(leadId)?.name ?? leadId} <span className="faint">{byId.get(leadId)?.company}</span>
              {error === undefined ? null : <span className="faint small"> {errorText(texts, error)}</span>}
            </span>
            <Badge text={textOf(outcome)} tone={tones[outcome]} />
          </li>
        ))}
      </ul>
      {sorted.length > mostShown ? (
        <p className="small faint">{t("leads.bulk.more", { count: sorted.length - mostShown })}</p>
      ) : null}
    </>
  )
}
