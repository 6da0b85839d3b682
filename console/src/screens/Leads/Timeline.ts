import type { AnswerOf } from "../../calls/Tools.ts"

export type Exchange = AnswerOf<"get_lead_conversation">["items"][number]
export type Occurrence = AnswerOf<"list_lead_lifecycle_events">["events"][number]

export type Entry =
  | { readonly key: string; readonly at: string; readonly exchange: Exchange }
  | { readonly key: string; readonly at: string; readonly occurrence: Occurrence }

/** Two lists as one, newest first. */
export const mergeTimeline = (
  exchanges: ReadonlyArray<Exchange>,
  occurrences: ReadonlyArray<Occurrence>
): ReadonlyArray<Entry> =>
  [
    ...exchanges.map((exchange) => ({
      key: `${exchange.channel}-${exchange.direction}-${exchange.id}`,
      at: exchange.at,
      exchange
    })),
    ...occurrences.map((occurrence) => ({
      key: `event-${occurrence.lead_lifecycle_event_id}`,
      at: occurrence.created_at,
      occurrence
    }))
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))

/** Longer messages are folded, so that the history stays a history. */
const foldFrom = 600

/** Returns a message without the quoted older one, shortened to a few lines. */
export const foldMessage = (text: string): string => {
  const lines = text.split("\n")
  const quote = lines.findIndex((line) => /^\s*>/.test(line))
  const before = lines.slice(0, Math.max(quote, 0)).join("\n").trimEnd()
  // The line that introduces the quote, such as "On Monday Ana wrote:", belongs to it.
  const fresh = quote < 0 ? text : before.replace(/\n[^\n]*:\s*$/, "").trimEnd()
  const shortened = fresh === "" ? text : fresh
  return shortened.length <= foldFrom ? shortened : `${shortened.slice(0, foldFrom).trimEnd()}…`
}
