import type { JsonObject } from "./Protocol.ts"
import { isObject } from "./Protocol.ts"

/** Members of any tool's answers that contain text by outsiders. */
const everywhere: ReadonlySet<string> = new Set([
  "background",
  "body",
  "cancel_reason",
  "last_reply_excerpt",
  "media_name",
  "notes",
  "question",
  "question_text",
  "referrer",
  "review_reason",
  "said",
  "search_term",
  "snippet",
  "subject",
  "transcript",
  "utm_campaign",
  "utm_content",
  "utm_medium",
  "utm_source",
  "utm_term"
])

const ofCalendar = ["summary", "description", "location"]
const ofNotifications = ["message"]
const ofPages = ["title", "passage", "result", "chunk", "content", "text", "analysis", "description"]
const ofCalls = ["summary", "text"]

/** Members that contain text by outsiders only in these tools. */
const ofTools: Readonly<Record<string, ReadonlyArray<string>>> = {
  list_calendar_events: ofCalendar,
  create_calendar_event: ofCalendar,
  update_calendar_event: ofCalendar,
  delete_calendar_event: ofCalendar,
  respond_calendar_event: ofCalendar,
  get_scheduler_event: ["answer", "location"],
  list_scheduler_upcoming_events: ["location"],
  list_pending_notifications: ofNotifications,
  list_notification_history: ofNotifications,
  acknowledge_notification: ofNotifications,
  what_changed_since: [...ofNotifications, "answer"],
  crawl_website: ofPages,
  screenshot_website: ofPages,
  get_online_search: ofPages,
  register_online_search: ofPages,
  get_voice_call: ofCalls,
  list_voice_calls: ofCalls
}

const isOutsiders = (tool: string, member: string): boolean =>
  everywhere.has(member) || ofTools[tool]?.includes(member) === true

/** The keyword that marks such members in an answer's schema. */
export const untrustedContentMark = "x-untrusted-content"

/** Returns the answer's schema with a mark on members that contain text by outsiders. */
export const markUntrustedContent = (tool: string, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((part: unknown) => markUntrustedContent(tool, part))
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties" && isObject(value)) {
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([member, part]) => {
              const marked = markUntrustedContent(tool, part)
              return [
                member,
                isObject(marked) && isOutsiders(tool, member) ? { ...marked, [untrustedContentMark]: true } : marked
              ]
            })
          )
        ]
      }
      // These keywords contain data, not schemas.
      return ["const", "default", "enum", "examples"].includes(keyword)
        ? [keyword, value]
        : [keyword, markUntrustedContent(tool, value)]
    })
  )
}

export const lockdownNotice = "[Written by somebody outside the account; left out, since X-MCP-Lockdown was sent.]"

/** Members with names of persons. The names may come from forms and mail. */
const namesOfPersons: ReadonlySet<string> = new Set([
  "contact_name",
  "from_name",
  "invitee_name",
  "lead_name",
  "sender_name"
])

const plainName = /^[\p{L}\p{M} .'-]{1,60}$/u

export const nameWithheld = "[name withheld]"

const isName = (member: string, record: JsonObject): boolean =>
  namesOfPersons.has(member) || (member === "name" && "lead_id" in record)

/** Replaces a name that could contain an instruction or an address. */
const shownName = (value: unknown): unknown =>
  typeof value !== "string" || value === "" || plainName.test(value) ? value : nameWithheld

const allTexts = (value: unknown): unknown => {
  if (typeof value === "string") return value === "" ? value : lockdownNotice
  if (Array.isArray(value)) return value.map(allTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([member, part]) => [member, allTexts(part)]))
}

/** Returns the answer with text by outsiders replaced by a notice. */
export const lockedDown = (tool: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((part: unknown) => lockedDown(tool, part))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, part]) => [
      member,
      isOutsiders(tool, member) ? allTexts(part) : isName(member, value) ? shownName(part) : lockedDown(tool, part)
    ])
  ) satisfies JsonObject
}
