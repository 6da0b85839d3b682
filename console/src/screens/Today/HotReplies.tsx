import { Link } from "@tanstack/react-router"
import { hotReplies } from "../../calls/firstReads.js"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Card } from "../../parts/Card.tsx"
import { LeadLine } from "../../parts/LeadLine.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

type Row = AnswerOf<"search_leads">["leads"][number]

const mostShown = 6

/** Interested leads who wrote last: their answer is due. */
export const useHotReplies = () => {
  const query = useTool("search_leads", hotReplies)
  const leads: ReadonlyArray<Row> | undefined = query.data?.leads.filter(
    (lead) => lead.last_message_direction === "inbound" && lead.final_outcome === null
  )
  return { query, leads }
}

export const HotReplies = ({ replies }: { readonly replies: ReturnType<typeof useHotReplies> }) => {
  const { t, valueText } = useTexts()
  const leads = replies.leads ?? []
  return (
    <Card
      title={t("today.hot")}
      isFlush
      actions={
        <Link to="/leads" search={{ status: "Interested", sort: "last_prospecting_message" }} className="small">
          {t("today.hot.all")}
        </Link>
      }
    >
      <Answer of={replies.query} lines={4}>
        {() =>
          leads.length === 0 ? (
            <Empty icon="sparkle" title={t("today.hot.none")} text={t("today.hot.none.text")} />
          ) : (
            <ul className="lines">
              {leads.slice(0, mostShown).map((lead) => (
                <LeadLine
                  key={lead.lead_id}
                  leadId={lead.lead_id}
                  name={lead.name}
                  note={lead.company}
                  detail={
                    lead.last_reply_class === null ? undefined : (
                      <Badge text={valueText("reply_class", lead.last_reply_class)} tone="good" />
                    )
                  }
                  end={lead.last_inbound_at === null ? null : <Time at={lead.last_inbound_at} />}
                />
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
