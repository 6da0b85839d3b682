import { type Refused, refused } from "../../Errors.ts"
import { fold } from "../Text/PlainText.ts"
import type { SchedulerEventType } from "./SchedulerModel.ts"

/** The most days of one listing, both ends included. */
export const maximumDays = 100
/** The days of a listing without an end. */
export const usualDays = 7

const dayMillis = 86_400_000
export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** UTC days, both inclusive, as an interval of Unix milliseconds with an exclusive end. */
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
 * A resource at the scheduler by its URI. It is fetched with the account's token, so only the scheduler's host and path
 * are accepted, exactly as written. Undefined for others.
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

/** How well a name matches: 3 equal, 2 same beginning, 1 contains all words, 0 not. */
const fit = (requestedName: string, name: string): number => {
  const [requestedWords, nameWords] = [words(requestedName), words(name)]
  if (requestedWords.length === 0) return 0
  if (requestedWords.join(" ") === nameWords.join(" ")) return 3
  if (nameWords.join(" ").startsWith(requestedWords.join(" "))) return 2
  return requestedWords.every((word) => nameWords.some((other) => other.startsWith(word))) ? 1 : 0
}

/** The active event type that a name refers to. If several match equally well, the refusal lists them. */
export const eventTypeNamed = (
  requestedName: string,
  types: ReadonlyArray<SchedulerEventType>
): SchedulerEventType | Refused => {
  const rated = types.map((type) => ({ type, rate: fit(requestedName, type.name) }))
  const best = Math.max(0, ...rated.map(({ rate }) => rate))
  const bestTypes = best === 0 ? [] : rated.filter(({ rate }) => rate === best).map(({ type }) => type)
  const [first] = bestTypes
  if (first !== undefined && bestTypes.length === 1) return first
  const candidates = (bestTypes.length === 0 ? types : bestTypes).map(({ name, uri }) => ({ uri, name }))
  return bestTypes.length === 0
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
