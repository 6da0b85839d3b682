export const inboxShows = ["waiting", "yours", "all"] as const

export interface InboxSearch {
  readonly show?: (typeof inboxShows)[number]
  readonly lead?: number
}

/** Reads the address. What it does not know is ignored. */
export const parseInboxSearch = (search: Readonly<Record<string, unknown>>): InboxSearch => {
  const show = inboxShows.find((candidate) => candidate === search["show"])
  const lead = Number(search["lead"])
  return {
    ...(show === undefined ? {} : { show }),
    ...(Number.isInteger(lead) && lead > 0 ? { lead } : {})
  }
}

interface Waiting {
  readonly last_message_direction: "outbound" | "inbound" | null
  readonly last_inbound_at: string | null
  readonly pipeline_state: string
  readonly final_outcome: string | null
}

const since = ({ last_inbound_at }: Waiting): number => Date.parse(last_inbound_at ?? "") || 0

/**
 * Returns the conversations of a tab. Leads that wait for an answer are sorted by their waiting time, and the others
 * newest first.
 */
export const arrange = <Row extends Waiting>(
  rows: ReadonlyArray<Row>,
  show: (typeof inboxShows)[number]
): ReadonlyArray<Row> => {
  const withMessages = rows.filter(({ last_message_direction }) => last_message_direction !== null)
  if (show === "all") return withMessages
  if (show === "yours") return withMessages.filter(({ pipeline_state }) => pipeline_state === "user_controlled")
  return withMessages
    .filter(
      ({ final_outcome, last_message_direction }) => last_message_direction === "inbound" && final_outcome === null
    )
    .toSorted((one, other) => since(one) - since(other))
}
