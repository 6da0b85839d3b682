import type { AnswerOf, ArgumentsOf } from "./Tools.ts"

type Answer = AnswerOf<"search_leads">
export type LeadRow = Answer["leads"][number]
export type LeadQuery = Omit<ArgumentsOf<"search_leads">, "page" | "page_size">

/** The largest page of the tool. */
const pageSize = 100
/** Pages that are read at the same time. */
const parallelPages = 4

export interface ReadLeads {
  readonly leads: ReadonlyArray<LeadRow>
  /** The number of leads that the filter finds. */
  readonly total: number
  /** True if these are all leads of the query. */
  readonly isWhole: boolean
}

interface ReadOptions {
  readonly readPage: (page: number, pageSize: number) => Promise<Answer>
  readonly mostLeads: number
  /** Returns true if no lead after this one is needed. */
  readonly isPastEnd?: (lead: LeadRow) => boolean
  readonly onProgress?: (readCount: number, total: number) => void
}

/**
 * Reads all leads of a query, page by page, up to `mostLeads`. New leads move others to later pages, where these are
 * read again. So none is missed, and duplicates are removed.
 */
export const readLeads = async (options: ReadOptions): Promise<ReadLeads> => {
  const { isPastEnd = () => false, mostLeads, onProgress, readPage } = options
  const byId = new Map<number, LeadRow>()
  let total = 0
  const mostPages = Math.ceil(mostLeads / pageSize)
  for (let page = 0; page < mostPages; ) {
    // The first page shows whether there are others.
    const count = page === 0 ? 1 : Math.min(parallelPages, mostPages - page)
    const answers = await Promise.all(Array.from({ length: count }, (_, step) => readPage(page + step, pageSize)))
    for (const answer of answers) {
      total = answer.total
      for (const lead of answer.leads) if (!isPastEnd(lead) && !byId.has(lead.lead_id)) byId.set(lead.lead_id, lead)
    }
    page += count
    onProgress?.(byId.size, total)
    const isPast = answers.some(({ leads }) => leads.some(isPastEnd))
    if (isPast || page * pageSize >= total) return { leads: [...byId.values()], total, isWhole: true }
  }
  return { leads: [...byId.values()], total, isWhole: false }
}
