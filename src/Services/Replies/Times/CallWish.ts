import { instantOf, wallClock } from "../../Core/LocalTime.ts"
import type { ReplyReading } from "../ReplyReading.ts"

/** No one is called at night, because "now" may be in a message that was read late. */
const callingHours = { startHour: 8, endHour: 21 } as const
/** Later wishes are appointments. */
const furthest = 14 * 86_400_000

/** The reasons for which a meeting is not booked that say nothing against a call by the platform. */
const noObstacle: ReadonlySet<string> = new Set(["too_soon", "taken"])

const isCallable = (at: number, now: number, zone: string): boolean => {
  const { hour } = wallClock(at, zone)
  return at >= now && at - now <= furthest && hour >= callingHours.startHour && hour < callingHours.endHour
}

/** Whether a reply asks the platform's side to call the lead on the number that is known. */
export const asksForCall = ({ acts, contact }: Pick<ReplyReading, "acts" | "contact">): boolean =>
  acts.some(({ isCertain, kind }) => kind === "wants_call" && isCertain) &&
  (contact === null || (contact.phone === null && contact.email === null))

/** The instant of an hour on a day of the lead's clock; "at 5 pm" without a day is today. */
const instantNamed = (date: string | null, time: string, now: number, zone: string): number => {
  const today = wallClock(now, zone)
  const [year = today.year, month = today.month, day = today.day] = date === null ? [] : date.split("-").map(Number)
  const [hour = 0, minute = 0] = time.split(":").map(Number)
  return instantOf(year, month, day, hour, minute, zone)
}

/**
 * When a lead that asks to be called is called: at the exact time that it named, or at `soon` if it named none. Undefined
 * where it does not ask for a call with certainty, where its time is open or at night, or where it named another number.
 */
export const callTimeOf = (
  { acts, contact, proposedMeeting, timeProblem }: ReplyReading,
  setting: { readonly now: number; readonly soon: number; readonly zone: string; readonly near: number | undefined }
): number | undefined => {
  const { near, now, soon, zone } = setting
  if (!asksForCall({ acts, contact })) return undefined
  if (proposedMeeting === null) return isCallable(soon, now, zone) ? soon : undefined
  const { date, time } = proposedMeeting
  if (time === null) return undefined
  if (date === null) {
    const today = instantNamed(null, time, now, zone)
    return isCallable(today, now, zone) ? today : undefined
  }
  const isClear = timeProblem === null || noObstacle.has(timeProblem)
  return isClear && near !== undefined && isCallable(near, now, zone) ? near : undefined
}

/** A touch begins a little after its time. A later one is no longer the call that was asked for. */
const longestDelay = 30 * 60_000

/** Whether the time at which the lead asked to be called is now. */
export const isCallDue = (reading: ReplyReading, now: number, zone: string): boolean => {
  if (!asksForCall(reading) || !isCallable(now, now, zone)) return false
  const { proposedMeeting } = reading
  if (proposedMeeting === null) return true
  const { date, time } = proposedMeeting
  return time !== null && Math.abs(instantNamed(date, time, now, zone) - now) <= longestDelay
}
