import { Option, Predicate } from "effect"
import type { OutboundRequest, OutboundResponse } from "../../../Services/Outbound/OutboundHttp.ts"
import { periodOf, readEvent } from "../Google/GoogleEvent.ts"
import { instancesOf, type StoredEvent } from "./CalendarSandboxSeries.ts"

// The simulated provider's checks of requests and formats of responses.

const day = 86_400_000
const mostInstancesOfADay = 24

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const failed = (status: number, reason: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers,
  body: { error: { code: status, message: reason, errors: [{ domain: "calendar", reason, message: reason }] } }
})

export const etagOf = (version: number): string => `"${version}"`

export const parsedBody = (request: OutboundRequest): { readonly [member: string]: unknown } | undefined => {
  if (request.body === undefined) return {}
  try {
    const value: unknown = JSON.parse(
      typeof request.body === "string" ? request.body : Buffer.from(request.body).toString("utf8")
    )
    return Predicate.isReadonlyRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Removes members that are null, as the provider does. */
export const patched = (before: StoredEvent, changes: { readonly [member: string]: unknown }): StoredEvent => ({
  ...Object.fromEntries(
    Object.entries({
      ...before,
      ...changes,
      start: time(before.start, changes.start),
      end: time(before.end, changes.end)
    }).filter(([, value]) => value !== null && value !== undefined)
  ),
  id: before.id
})

const time = (before: unknown, change: unknown): unknown => {
  if (!Predicate.isReadonlyRecord(change)) return before
  const whole = { ...(Predicate.isReadonlyRecord(before) ? before : {}), ...change }
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null))
}

export const attendeesOf = (
  attendees: unknown,
  holder: string
): ReadonlyArray<{ readonly [member: string]: unknown }> =>
  (Array.isArray(attendees) ? attendees.filter(Predicate.isReadonlyRecord) : []).map((attendee) => ({
    responseStatus: "needsAction",
    ...attendee,
    ...(attendee.email === holder ? { self: true } : {})
  }))

export const isOwn = (event: StoredEvent): boolean =>
  !Predicate.hasProperty(event.organizer, "self") || event.organizer.self === true

/** Changes to another person's event may only contain the account's own answer. */
export const answersOnly = (changes: { readonly [member: string]: unknown }): boolean =>
  Object.keys(changes).every((name) => name === "attendees" || name === "reminders" || name === "transparency")

export const isTimeValid = (event: StoredEvent, zone: string): boolean => {
  const decoded = readEvent(event)
  const period = Option.isSome(decoded) ? periodOf(decoded.value, zone) : undefined
  return period !== undefined && period.to >= period.from && isSeriesValid(event, period.from, zone)
}

/** A recurrence rule that cannot be expanded would make every later read fail. */
const isSeriesValid = (event: StoredEvent, from: number, zone: string): boolean => {
  if (event.recurrence === undefined) return true
  try {
    return instancesOf(event, from, from + day, zone).length <= mostInstancesOfADay
  } catch {
    return false
  }
}

export const responseOf = ({ body, headers = {}, status }: Answer): OutboundResponse => ({
  status,
  headers,
  body: Buffer.from(body === undefined ? "" : JSON.stringify(body))
})
