import { readsOfToday } from "./firstReads.js"
import { queryClient, toolQuery } from "./Queries.ts"
import { readSession, sessionKey } from "./Session.ts"
import type { ArgumentsOf, ToolName } from "./Tools.ts"

export const allCampaigns = { page_size: 100 } as const

const sessionStaleMillis = 60_000

/** Reads the session. It is requested once, however many parts need it. */
export const fetchSession = async () =>
  await queryClient.fetchQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: sessionStaleMillis })

const begin = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>): void => {
  void queryClient.prefetchQuery(toolQuery(tool, args))
}

export const beginToday = (): void => {
  for (const [tool, args] of readsOfToday) begin(tool, args)
}

/** Reads the campaigns, and then the report of each. */
const campaignsAndReports = async (): Promise<void> => {
  const { campaigns } = await queryClient.fetchQuery({
    ...toolQuery("list_campaigns", allCampaigns),
    staleTime: sessionStaleMillis
  })
  for (const { campaign_id } of campaigns) begin("get_prospecting_report", { campaign: String(campaign_id) })
}

export const beginCampaigns = (): void => {
  // A failure is ignored here. The screen requests the answer again, and shows the error.
  campaignsAndReports().catch(() => undefined)
}
