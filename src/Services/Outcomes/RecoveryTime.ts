import { isZone, startOfDay } from "../Core/LocalTime.ts"
import { hashOf } from "../Text/PlainText.ts"

const minute = 60_000
const hour = 60 * minute

/** A person who is asked to take a conversation up again does so within minutes to hours, never in the same second. */
const shortestWait = 20 * minute
const longestWait = 4 * hour
/** Between the last message that went to the lead, of whomever, and the one that takes the conversation up again. */
const leastDistance = 24 * hour

export interface RecoverySituation {
  readonly leadId: number
  /** Unix milliseconds. */
  readonly now: number
  /** When the last message went to the lead. Unix milliseconds; undefined where none did. */
  readonly lastOutbound: number | undefined
  /** When the lead wrote last. */
  readonly lastInbound: number | undefined
  /** The day (`YYYY-MM-DD`) on which the lead wanted to hear again. */
  readonly namedDay: string | undefined
  /** IANA name of the zone of that day. Any other text counts as UTC. */
  readonly zone: string
}

/** When a conversation that is recovered is taken up again. Its message then waits for the send window. */
export const recoveryTime = ({ lastInbound, lastOutbound, leadId, namedDay, now, zone }: RecoverySituation): number => {
  const wait = shortestWait + (hashOf(`recovery:${leadId}`) % (longestWait - shortestWait))
  // Who wrote last is answered, and not kept waiting for a day.
  const isAwaited = lastInbound !== undefined && (lastOutbound === undefined || lastInbound > lastOutbound)
  const distant = lastOutbound === undefined || isAwaited ? now : lastOutbound + leastDistance
  const [year = 1970, month = 1, day = 1] = (namedDay ?? "1970-01-01").split("-").map(Number)
  const named = startOfDay(year, month, day, isZone(zone) ? zone : "UTC")
  return Math.max(now + wait, distant, named)
}
