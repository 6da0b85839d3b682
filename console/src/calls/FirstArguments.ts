import type { ArgumentsOf, ToolName } from "./Tools.ts"

/** Arguments that a screen and its early calls share, so that both use the same cached answer. */
export const hotReplies = { status: "Interested", sort_by: "last_prospecting_message", page_size: 100 } as const
export const meetingsOfToday = { include_past: true } as const
export const activeIncidents = { scope: "active" } as const
export const failedJobs = { status: "failed", page_size: 20 } as const

type Begin = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>) => void

/** The calls of today's screen. */
export const beginToday = (begin: Begin): void => {
  begin("list_pending_review", {})
  begin("list_open_lead_questions", {})
  begin("search_leads", hotReplies)
  begin("list_lead_meetings", meetingsOfToday)
  begin("list_incidents", activeIncidents)
  begin("whoami", {})
  begin("list_background_jobs", failedJobs)
}
