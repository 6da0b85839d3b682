import { beginToday as beginTodayWith } from "./FirstArguments.ts"
import { queryClient, toolQuery } from "./Queries.ts"
import { readSession, sessionKey } from "./Session.ts"
import type { ArgumentsOf, ToolName } from "./Tools.ts"

export const allCampaigns = { page_size: 100 } as const

const sessionStaleMillis = 60_000

/** The session, which is asked for once, however many need it. */
export const fetchSession = async () =>
  await queryClient.fetchQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: sessionStaleMillis })

const begin = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>): void => {
  void queryClient.prefetchQuery(toolQuery(tool, args))
}

export const beginToday = (): void => beginTodayWith(begin)

/** The campaigns, and then what became of the leads of each. */
const campaignsAndReports = async (): Promise<void> => {
  const { campaigns } = await queryClient.fetchQuery({
    ...toolQuery("list_campaigns", allCampaigns),
    staleTime: sessionStaleMillis
  })
  for (const { campaign_id } of campaigns) begin("get_prospecting_report", { campaign: String(campaign_id) })
}

export const beginCampaigns = (): void => {
  // The screen asks again, and says what went wrong.
  campaignsAndReports().catch(() => undefined)
}
