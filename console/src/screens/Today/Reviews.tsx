import type { UseQueryResult } from "@tanstack/react-query"
import { useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { useAction } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { LeadLine } from "../../parts/LeadLine.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type ReviewList = AnswerOf<"list_pending_review">
type Review = ReviewList["leads"][number]

/** The number of reviews that are shown at first. A longer list would hide what is below it. */
const mostShown = 6

const ReviewLine = ({ lead }: { readonly lead: Review }) => {
  const { t, optional } = useTexts()
  const args = { lead_id: lead.lead_id }
  const takeOver = useAction("take_over_lead", {
    done: () => t("leads.takeOver.done"),
    undo: async () => await callTool("recover_lead_to_pipeline", args, { idempotencyKey: crypto.randomUUID() })
  })
  const back = useAction("return_lead_to_pipeline", { done: () => t("leads.return.done") })
  const reason = lead.review_reason ?? ""
  return (
    <LeadLine
      leadId={lead.lead_id}
      name={lead.name}
      note={lead.company}
      detail={optional(`values.reason.${reason}`) ?? reason}
      end={<Time at={lead.review_requested_at} />}
    >
      <Button writes icon="hand" isBusy={takeOver.isRunning} onClick={() => takeOver.run(args)}>
        {t("leads.takeOver")}
      </Button>
      <Button writes kind="plain" icon="undo" isBusy={back.isRunning} onClick={() => back.run(args)}>
        {t("leads.return")}
      </Button>
    </LeadLine>
  )
}

/** Leads about which a person decides, those waiting longest first. */
export const Reviews = ({ query }: { readonly query: UseQueryResult<ReviewList> }) => {
  const { t } = useTexts()
  const [isWhole, setIsWhole] = useState(false)
  return (
    <Card title={t("today.reviews")} isFlush>
      <Answer of={query} lines={5}>
        {({ leads }) =>
          leads.length === 0 ? (
            <Empty icon="check" title={t("today.reviews.none")} text={t("today.reviews.none.text")} />
          ) : (
            <>
              <ul className="lines">
                {(isWhole ? leads : leads.slice(0, mostShown)).map((lead) => (
                  <ReviewLine key={lead.lead_id} lead={lead} />
                ))}
              </ul>
              {leads.length > mostShown && !isWhole ? (
                <div className="lines-more">
                  <Button kind="plain" onClick={() => setIsWhole(true)}>
                    {t("today.showAll", { count: leads.length })}
                  </Button>
                </div>
              ) : null}
            </>
          )
        }
      </Answer>
    </Card>
  )
}
