import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { callTool } from "../../calls/Call.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { arrange, type inboxShows } from "./InboxSearch.ts"

export type ConversationRow = AnswerOf<"search_leads">["leads"][number]

const pageSize = 100

/** Leads by their latest message, a hundred at a time. */
export const useConversations = (show: (typeof inboxShows)[number]) => {
  const query = useInfiniteQuery({
    queryKey: ["search_leads", "conversations"],
    queryFn: async ({ pageParam, signal }) =>
      await callTool(
        "search_leads",
        { sort_by: "last_prospecting_message", page: pageParam, page_size: pageSize },
        { signal }
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => ((last.page + 1) * last.page_size < last.total ? last.page + 1 : undefined)
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.leads) ?? [], [query.data])
  const items: ReadonlyArray<ConversationRow> = useMemo(() => arrange(rows, show), [rows, show])
  return { query, items, readCount: rows.length }
}
