import { isZone, startOfDay } from "../Core/LocalTime.ts"
import { hashOf } from "../Text/PlainText.ts"

const minute = 60_000
const hour = 60 * minute

/** A person who resumes a conversation does so within minutes to hours, never within a second. */
const shortestWait = 20 * minute
const longestWait = 4 * hour
/**
 * The shortest time between the last message to the lead, from any sender, and the message that resumes the
 * conversation.
 */
const leastDistance = 24 * hour

export interface RecoverySituation {
  readonly leadId: number
  /** Unix milliseconds. */
  readonly now: number
  /** When the last message was sent to the lead, in Unix milliseconds. Undefined without one. */
  readonly lastOutbound: number | undefined
  /** When the lead wrote last. */
  readonly lastInbound: number | undefined
  /** The date (`YYYY-MM-DD`) on which the lead wants to be contacted again. */
  readonly namedDay: string | undefined
  /** IANA name of the date's zone. Any other text counts as UTC. */
  readonly zone: string
}

/** When to resume a recovered conversation. The message then waits for the send window. */
export const recoveryTime = ({ lastInbound, lastOutbound, leadId, namedDay, now, zone }: RecoverySituation): number => {
  const wait = shortestWait + (hashOf(`recovery:${leadId}`) % (longestWait - shortestWait))
  // If the lead wrote last, it is answered without waiting a day.
  const isAwaited = lastInbound !== undefined && (lastOutbound === undefined || lastInbound > lastOutbound)
  const distant = lastOutbound === undefined || isAwaited ? now : lastOutbound + leastDistance
  const [year = 1970, month = 1, day = 1] = (namedDay ?? "1970-01-01").split("-").map(Number)
  const named = startOfDay(year, month, day, isZone(zone) ? zone : "UTC")
  return Math.max(now + wait, distant, named)
}
