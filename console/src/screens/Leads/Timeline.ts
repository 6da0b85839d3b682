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
