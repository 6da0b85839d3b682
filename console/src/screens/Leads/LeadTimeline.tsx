import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import type { Lead } from "./NextStep.tsx"
import { mergeTimeline } from "./Timeline.ts"
import { TimelineEntry } from "./TimelineEntry.tsx"

const pageSize = 50
const historyLimit = 200
const shows = ["all", "messages", "history"] as const

/** The history of a lead, newest first: messages, calls and events. */
export const LeadTimeline = ({ lead }: { readonly lead: Lead }) => {
  const { t } = useTexts()
  const [show, setShow] = useState<(typeof shows)[number]>("all")
  const conversation = useInfiniteQuery({
    queryKey: ["get_lead_conversation", "pages", lead.lead_id],
    queryFn: async ({ pageParam, signal }) =>
      await callTool(
        "get_lead_conversation",
        { lead_id: lead.lead_id, page: pageParam, page_size: pageSize },
        { signal }
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => ((last.page + 1) * last.page_size < last.total ? last.page + 1 : undefined)
  })
  const history = useTool("list_lead_lifecycle_events", { lead_id: lead.lead_id, limit: historyLimit })
  const entries = mergeTimeline(
    show === "history" ? [] : (conversation.data?.pages.flatMap((page) => page.items) ?? []),
    show === "messages" ? [] : (history.data?.events ?? [])
  )
  return (
    <Card
      title={t("leads.timeline")}
      isFlush
      actions={
        <div className="segmented" role="group" aria-label={t("leads.timeline.show")}>
          {shows.map((each) => (
            <button key={each} type="button" aria-pressed={each === show} onClick={() => setShow(each)}>
              {t(`leads.timeline.${each}`)}
            </button>
          ))}
        </div>
      }
    >
      <div className="card-body">
        <Answer of={conversation} lines={8}>
          {() =>
            entries.length === 0 ? (
              <Empty icon="message" title={t("leads.timeline.empty")} text={t("leads.timeline.empty.text")} />
            ) : (
              <ol className="timeline">
                {entries.map((entry) => (
                  <TimelineEntry key={entry.key} entry={entry} name={lead.name} />
                ))}
              </ol>
            )
          }
        </Answer>
        {conversation.hasNextPage && show !== "history" ? (
          <Button isBusy={conversation.isFetchingNextPage} onClick={() => void conversation.fetchNextPage()}>
            {t("common.older")}
          </Button>
        ) : null}
      </div>
    </Card>
  )
}
