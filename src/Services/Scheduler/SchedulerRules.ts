import { type Refused, refused } from "../../Errors.ts"
import { fold } from "../Text/PlainText.ts"
import type { SchedulerEventType } from "./SchedulerModel.ts"

/** Days that one listing may span, both ends among them. */
export const maximumDays = 100
/** From the first to the last day where no end is given. */
export const usualDays = 7

const dayMillis = 86_400_000
export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** UTC days, both inclusive, as an interval of Unix milliseconds whose end is exclusive. */
export const rangeOf = (
  today: string,
  startDate: string | undefined,
  endDate: string | undefined
): { readonly startDate: string; readonly endDate: string; readonly from: number; readonly to: number } | Refused => {
  const first = startDate ?? today
  const last = endDate ?? dayOf(startOf(first) + usualDays * dayMillis)
  const days = (startOf(last) - startOf(first)) / dayMillis + 1
  if (days < 1) {
    return refused("range_reversed", "The range ends before it begins.", "Send an end_date on start_date or later.", {
      parameter: "end_date",
      start_date: first,
      end_date: last
    })
  }
  if (days > maximumDays) {
    return refused(
      "range_too_long",
      `The range has ${days} days; the scheduler takes ${maximumDays} at most.`,
      "Ask for a shorter range, or in parts.",
      { parameter: "end_date", maximum_days: maximumDays }
    )
  }
  return { startDate: first, endDate: last, from: startOf(first), to: startOf(last) + dayMillis }
}

const uuid = "[A-Za-z0-9_-]{1,100}"
const shapes = {
  scheduled_event: new RegExp(`^/scheduled_events/(${uuid})$`),
  event_type: new RegExp(`^/event_types/(${uuid})$`),
  invitee: new RegExp(`^/scheduled_events/(${uuid})/invitees/${uuid}$`)
}

/**
 * A resource of the scheduler's by its address, which is fetched with the account's token: only its own host and path
 * will do, nothing that a browser would make of it. Undefined for any other.
 */
export const resourceOf = (kind: keyof typeof shapes, apiUrl: string, uri: string): string | undefined => {
  if (!uri.startsWith(`${apiUrl}/`) || uri.length > 300) return undefined
  return shapes[kind].exec(uri.slice(apiUrl.length))?.[1]
}

export const uriRefused = (parameter: string, from: string): Refused =>
  refused("uri_not_of_scheduler", `${parameter} is no address of the scheduler's.`, `Send one that ${from} answers.`, {
    parameter
  })

const words = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** How well a name fits: 3 the same, 2 begins alike, 1 all words are in it, 0 not. */
const fit = (wanted: string, name: string): number => {
  const [asked, own] = [words(wanted), words(name)]
  if (asked.length === 0) return 0
  if (asked.join(" ") === own.join(" ")) return 3
  if (own.join(" ").startsWith(asked.join(" "))) return 2
  return asked.every((word) => own.some((other) => other.startsWith(word))) ? 1 : 0
}

/** The active type that a name means. One that fits several equally well is refused with these. */
export const eventTypeNamed = (
  wanted: string,
  types: ReadonlyArray<SchedulerEventType>
): SchedulerEventType | Refused => {
  const rated = types.map((type) => ({ type, rate: fit(wanted, type.name) }))
  const best = Math.max(0, ...rated.map(({ rate }) => rate))
  const found = best === 0 ? [] : rated.filter(({ rate }) => rate === best).map(({ type }) => type)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const candidates = (found.length === 0 ? types : found).map(({ name, uri }) => ({ uri, name }))
  return found.length === 0
    ? refused("event_type_not_found", "No active event type has this name.", "Send one of accepted_values.", {
        parameter: "event_type_name",
        accepted_values: candidates.map(({ name }) => name),
        candidates
      })
    : refused(
        "event_type_ambiguous",
        "Several event types fit this name.",
        "Send event_type_uri of one of candidates.",
        {
          parameter: "event_type_name",
          candidates
        }
      )
}
