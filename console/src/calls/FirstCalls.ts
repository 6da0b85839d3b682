import { queryClient, toolQuery } from "./Queries.ts"
import { readSession, sessionKey } from "./Session.ts"
import type { ArgumentsOf, ToolName } from "./Tools.ts"

/** Arguments that a screen and the start of its calls share, so that both mean the same answer. */
export const hotReplies = { status: "Interested", sort_by: "last_prospecting_message", page_size: 100 } as const
export const meetingsOfToday = { include_past: true } as const
export const activeIncidents = { scope: "active" } as const
export const failedJobs = { status: "failed", page_size: 20 } as const
export const allCampaigns = { page_size: 100 } as const

const sessionStaleMillis = 60_000

/** The session, which is asked for once, however many need it. */
export const fetchSession = async () =>
  await queryClient.fetchQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: sessionStaleMillis })

const begin = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>): void => {
  void queryClient.prefetchQuery(toolQuery(tool, args))
}

/** Begins the calls of today's screen while its code is still on the way, so that one does not wait for the other. */
export const beginToday = (): void => {
  begin("list_pending_review", {})
  begin("list_open_lead_questions", {})
  begin("search_leads", hotReplies)
  begin("list_lead_meetings", meetingsOfToday)
  begin("list_incidents", activeIncidents)
  begin("whoami", {})
  begin("list_background_jobs", failedJobs)
}

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
