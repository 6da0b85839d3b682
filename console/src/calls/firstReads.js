/**
 * Arguments that a screen and its early calls share, so that both use the same cached answer. The build reads this file too: the
 * gateway asks the browser to begin these calls before any script runs.
 */
export const hotReplies = /** @type {const} */ ({
  status: "Interested",
  sort_by: "last_prospecting_message",
  page_size: 100
})
export const meetingsOfToday = /** @type {const} */ ({ include_past: true })
export const activeIncidents = /** @type {const} */ ({ scope: "active" })
export const failedJobs = /** @type {const} */ ({ status: "failed", page_size: 20 })

/** The calls of today's screen. */
export const readsOfToday = /** @type {const} */ ([
  ["list_pending_review", {}],
  ["list_open_lead_questions", {}],
  ["search_leads", hotReplies],
  ["list_lead_meetings", meetingsOfToday],
  ["list_incidents", activeIncidents],
  ["whoami", {}],
  ["list_background_jobs", failedJobs]
])

/** The path at which one request makes several calls. */
export const readsPath = (/** @type {ReadonlyArray<readonly [tool: string, args: object]>} */ reads) =>
  `/console/api/rest/v1/reads?calls=${encodeURIComponent(JSON.stringify(reads))}`
