import { wallClock } from "../Core/LocalTime.ts"
import type { LeadId } from "../Leads/Ids.ts"
import { leadZoneOf } from "../Zones/LeadZone.ts"
import { type BestHours, enough, isSameSector, type ReplyHour, type TimingSource } from "./Timing.ts"

/** The facts that determine the time zone of a person who replied. */
export interface ReplyPlace {
  readonly timeZone: string | null
  readonly state: string | null
  readonly phone: string | null
  readonly country: string | null
}

export interface TimedReply extends ReplyPlace {
  readonly leadId: LeadId
  /** Unix seconds, like `after`, which is when the lead got the last message before it replied. */
  readonly at: number
  readonly after: number | null
  readonly cnae: string | null
  readonly industry: string | null
}

/** An account's replies, and the time zone for leads without one. */
export interface AccountReplies {
  readonly timeZone: string
  readonly replies: ReadonlyArray<TimedReply>
}

/** In seconds. Later messages are no response. */
export const longestResponse = 30 * 86_400

/**
 * Counts by hour and weekday in the leads' time zones. Of several replies to one message, the first is the response.
 */
export const hoursOf = (replies: ReadonlyArray<TimedReply>, accountZone: string): ReadonlyArray<ReplyHour> => {
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
    const counts = hours.get(weekday * 24 + hour) ?? { weekday, hour, replies: 0, responses: 0, responseSeconds: 0 }
    const isResponse = after !== null && at - after <= longestResponse && first.get(`${leadId}:${after}`) === at
    hours.set(weekday * 24 + hour, {
      ...counts,
      replies: counts.replies + 1,
      responses: counts.responses + (isResponse ? 1 : 0),
      responseSeconds: counts.responseSeconds + (isResponse ? at - after : 0)
    })
  }
  return [...hours.values()]
}

const isEnough = (level: "lead" | "sector" | "account", replies: ReadonlyArray<TimedReply>): boolean =>
  replies.length >= enough[level].replies && new Set(replies.map(({ leadId }) => leadId)).size >= enough[level].leads

/** The first level with enough replies. `leadReplies` are the replies of the lead itself. */
export const hoursKnownOf = (
  lead: Pick<TimedReply, "cnae" | "industry">,
  leadReplies: ReadonlyArray<TimedReply>,
  { replies, timeZone }: AccountReplies
): BestHours | undefined => {
  const levelHours = (source: TimingSource, of: ReadonlyArray<TimedReply>) => ({
    source,
    replies: of.length,
    hours: hoursOf(of, timeZone)
  })
  if (isEnough("lead", leadReplies)) return levelHours("lead", leadReplies)
  const sector = replies.filter((reply) => isSameSector(reply, lead))
  if (isEnough("sector", sector)) return levelHours("sector", sector)
  return isEnough("account", replies) ? levelHours("account", replies) : undefined
}
