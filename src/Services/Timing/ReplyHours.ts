import { wallClock } from "../Core/LocalTime.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { leadZoneOf } from "../Zones/LeadZone.ts"
import { enough, isSameSector, type KnownHours, type ReplyHour, type TimingSource } from "./Timing.ts"

/** What tells the time zone of whoever replied. */
export interface ReplyPlace {
  readonly timeZone: string | null
  readonly state: string | null
  readonly phone: string | null
  readonly country: string | null
}

export interface KnownReply extends ReplyPlace {
  readonly leadId: LeadId
  /** Unix seconds, as is `after`: when the lead was last written to before it replied. */
  readonly at: number
  readonly after: number | null
  readonly cnae: string | null
  readonly industry: string | null
}

/** What an account's leads answered, and the zone of those whose own is not known. */
export interface AccountReplies {
  readonly timeZone: string
  readonly replies: ReadonlyArray<KnownReply>
}

/** Seconds; what comes later answers nothing. */
export const longestResponse = 30 * 86_400

/** Counts by hour of the leads' own weekdays. Of several replies to one message the first is the response. */
export const hoursOf = (replies: ReadonlyArray<KnownReply>, accountZone: string): ReadonlyArray<ReplyHour> => {
  const first = new Map<string, number>()
  for (const { after, at, leadId } of replies) {
    if (after === null) continue
    const key = `${leadId}:${after}`
    first.set(key, Math.min(first.get(key) ?? at, at))
  }
  const hours = new Map<number, ReplyHour>()
  for (const reply of replies) {
    const { after, at, leadId } = reply
    const { hour, weekday } = wallClock(at * 1000, leadZoneOf(reply, { timeZone: accountZone }).zone)
    const known = hours.get(weekday * 24 + hour) ?? { weekday, hour, replies: 0, responses: 0, responseSeconds: 0 }
    const isResponse = after !== null && at - after <= longestResponse && first.get(`${leadId}:${after}`) === at
    hours.set(weekday * 24 + hour, {
      ...known,
      replies: known.replies + 1,
      responses: known.responses + (isResponse ? 1 : 0),
      responseSeconds: known.responseSeconds + (isResponse ? at - after : 0)
    })
  }
  return [...hours.values()]
}

const isEnough = (level: "lead" | "sector" | "account", replies: ReadonlyArray<KnownReply>): boolean =>
  replies.length >= enough[level].replies && new Set(replies.map(({ leadId }) => leadId)).size >= enough[level].leads

/** The level that has replies enough; `own` are the lead's. */
export const hoursKnownOf = (
  lead: Pick<KnownReply, "cnae" | "industry">,
  own: ReadonlyArray<KnownReply>,
  { replies, timeZone }: AccountReplies
): KnownHours | undefined => {
  const known = (source: TimingSource, of: ReadonlyArray<KnownReply>) => ({
    source,
    replies: of.length,
    hours: hoursOf(of, timeZone)
  })
  if (isEnough("lead", own)) return known("lead", own)
  const sector = replies.filter((reply) => isSameSector(reply, lead))
  if (isEnough("sector", sector)) return known("sector", sector)
  return isEnough("account", replies) ? known("account", replies) : undefined
}
