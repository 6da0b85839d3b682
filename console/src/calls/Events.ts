import type { QueryClient } from "@tanstack/react-query"
import { sessionKey } from "./Session.ts"
import type { ToolName } from "./Tools.ts"

const ofLeads: ReadonlyArray<ToolName> = [
  "search_leads",
  "get_lead",
  "list_pending_review",
  "list_lead_lifecycle_events",
  "list_paused_prospecting_leads"
]
const ofConversations: ReadonlyArray<ToolName> = [...ofLeads, "get_lead_conversation", "list_open_lead_questions"]
const ofMeetings: ReadonlyArray<ToolName> = [...ofLeads, "list_lead_meetings", "list_calendar_events"]

/** The answers that an event makes old. */
const affectedTools: Readonly<Record<string, ReadonlyArray<ToolName>>> = {
  lead_replied_email: ofConversations,
  lead_replied_chatapp: ofConversations,
  email_received: ofConversations,
  lead_sent_for_human_review: ofConversations,
  lead_became_interested: ofConversations,
  lead_confirmed: ofConversations,
  meeting_booked: ofMeetings,
  meeting_cancelled: ofMeetings,
  voice_call_finished: [...ofConversations, "list_voice_calls", "get_voice_call"],
  import_finished: [...ofLeads, "list_lead_imports", "get_lead_import", "list_background_jobs", "list_campaigns"],
  support_request_answered: ["list_support_requests"]
}

/**
 * Milliseconds for which events are collected. So many events at once, such as those of an import, reload lists only
 * once.
 */
const collectMillis = 400
const reconnectMillis = 20_000
const path = "/console/api/platform/v1/events"

/** Opens one connection for the whole console. Returns a function that closes it. */
export const followEvents = (client: QueryClient, onState: (isLive: boolean) => void): (() => void) => {
  let source: EventSource | undefined
  let lastId = ""
  const affected = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let reconnect: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    const tools = new Set(affected)
    affected.clear()
    void client.invalidateQueries({ predicate: ({ queryKey }) => tools.has(String(queryKey[0])) })
  }
  /** The browser reconnects by itself, unless the gateway refused. It may then be busy, or the session has ended. */
  const onError = () => {
    onState(false)
    if (source?.readyState !== EventSource.CLOSED) return
    void client.invalidateQueries({ queryKey: sessionKey })
    reconnect ??= setTimeout(connect, reconnectMillis)
  }
  const connect = () => {
    reconnect = undefined
    source = new EventSource(`${path}${lastId === "" ? "" : `?last_event_id=${lastId}`}`)
    for (const type of Object.keys(affectedTools)) {
      source.addEventListener(type, (event: MessageEvent<string>) => {
        lastId = event.lastEventId
        for (const tool of affectedTools[type] ?? []) affected.add(tool)
        timer ??= setTimeout(refresh, collectMillis)
      })
    }
    source.addEventListener("open", () => onState(true))
    source.addEventListener("end", () => void client.invalidateQueries({ queryKey: sessionKey }))
    source.addEventListener("error", onError)
  }
  connect()
  return () => {
    clearTimeout(timer)
    clearTimeout(reconnect)
    source?.close()
  }
}
