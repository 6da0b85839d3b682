import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { callTool } from "../../calls/Call.ts"
import { type LeadRow, readLeads } from "../../calls/LeadPages.ts"
import { arrange, type inboxShows } from "./InboxSearch.ts"

export type ConversationRow = LeadRow

type Show = (typeof inboxShows)[number]

const pageSize = 100
/**
 * The most conversations in which waiting leads are searched. More would take hundreds of calls with each new message.
 */
export const mostConversations = 10_000

const latestFirst = { sort_by: "last_prospecting_message" } as const

/** Conversations by their latest message, a hundred at a time. */
const useAllConversations = (enabled: boolean) => {
  const query = useInfiniteQuery({
    queryKey: ["search_leads", "conversations"],
    queryFn: async ({ pageParam, signal }) =>
      await callTool("search_leads", { ...latestFirst, page: pageParam, page_size: pageSize }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => ((last.page + 1) * last.page_size < last.total ? last.page + 1 : undefined),
    enabled
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.leads) ?? [], [query.data])
  return { query, rows }
}

/**
 * Reads all conversations. The lead that waits longest is at the end of the tool's order, so all must be read to find
 * it. Leads without a message come last, and end the search.
 */
const useEveryConversation = (enabled: boolean) =>
  useQuery({
    queryKey: ["search_leads", "every conversation"],
    queryFn: async ({ signal }) =>
      await readLeads({
        readPage: async (page, size) =>
          await callTool("search_leads", { ...latestFirst, page, page_size: size }, { signal }),
        mostLeads: mostConversations,
        isPastEnd: (lead) => lead.last_message_direction === null
      }),
    enabled
  })

export const useConversations = (show: Show) => {
  const isAll = show === "all"
  const all = useAllConversations(isAll)
  const every = useEveryConversation(!isAll)
  const rows = isAll ? all.rows : (every.data?.leads ?? [])
  const items: ReadonlyArray<ConversationRow> = useMemo(() => arrange(rows, show), [rows, show])
  return {
    query: isAll ? all.query : every,
    items,
    /** Undefined if everything was read. */
    further: isAll ? { query: all.query, readCount: all.rows.length } : undefined,
    isPart: every.data !== undefined && !isAll && !every.data.isWhole
  }
}
