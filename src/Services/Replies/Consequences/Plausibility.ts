import { type ClosedDays, instantAt, wallClock } from "../../Core/LocalTime.ts"
import { type Act, type ActKind, type ActTime, isExactTime } from "../Acts.ts"
import type { WhyNotBooked } from "../ReplyReading.ts"

/**
 * The door between reading and acting. A time that a lead named becomes a meeting only if it is certain what was meant
 * and plausible as an appointment. All else is proposed or asked, never booked. The same laws hold for rules and models.
 */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The hours of a host's day in which a meeting may lie. */
export const hostHours = { startHour: 7, endHour: 21 } as const
/** Where a clock leaves open which half of the day is meant, the reading within these hours is taken. */
const businessHours = { startHour: 8, endHour: 19 } as const
/** No lead is called at night, whatever the host's clocks show. */
const leadHours = { startHour: 7, endHour: 22 } as const
/** The shortest notice for a meeting, the same as for times that the platform proposes. */
export const noticeMinutes = 120
const meetingMinutes = 30
/** People make no appointment a year ahead: the date was read wrongly. */
const furthest = 366 * day

type TimeVerdict =
  | { readonly _tag: "Book"; readonly startsAt: number }
  /** `near` (Unix milliseconds) is the time that comes closest to what was named; undefined where none does. */
  | { readonly _tag: "Propose"; readonly why: WhyNotBooked; readonly near: number | undefined }

/** The data for judging a proposed time. Times are Unix milliseconds. */
export interface TimeSetting {
  readonly now: number
  /** IANA name; undefined where nothing says in which of several zones the lead lives. */
  readonly leadZone: string | undefined
  readonly hostZone: string
  readonly isLeadClosed: ClosedDays
  readonly isHostClosed: ClosedDays
  /** Whether the host has something else then. */
  readonly isTaken: (from: number, to: number) => boolean
}

interface Candidate {
  readonly startsAt: number
  readonly fault: WhyNotBooked | undefined
}

const isWithin = (
  startsAt: number,
  zone: string,
  { endHour, startHour }: { readonly startHour: number; readonly endHour: number }
): boolean => {
  const first = wallClock(startsAt, zone)
  const last = wallClock(startsAt + meetingMinutes * minute - 1, zone)
  return first.day === last.day && first.hour >= startHour && last.hour < endHour
}

const isDayOff = (startsAt: number, zone: string, isClosed: ClosedDays): boolean => {
  const { day: dayOfMonth, month, weekday, year } = wallClock(startsAt, zone)
  return weekday === 0 || weekday === 6 || isClosed(year, month, dayOfMonth)
}

const faultOf = (startsAt: number, zone: string, setting: TimeSetting): WhyNotBooked | undefined => {
  const { hostZone, isHostClosed, isLeadClosed, isTaken, now } = setting
  if (startsAt <= now) return "past"
  if (startsAt - now > furthest) return "too_far"
  if (!isWithin(startsAt, hostZone, hostHours) || !isWithin(startsAt, zone, leadHours)) return "night"
  if (isDayOff(startsAt, hostZone, isHostClosed) || isDayOff(startsAt, zone, isLeadClosed)) return "day_off"
  if (startsAt - now < noticeMinutes * minute) return "too_soon"
  return isTaken(startsAt, startsAt + meetingMinutes * minute) ? "taken" : undefined
}

/** Of several readings of a clock time, returns the one in usual meeting hours, or all if that does not decide. */
const plausibleReadings = (
  date: string,
  minutes: ReadonlyArray<number>,
  zone: string,
  hostZone: string
): ReadonlyArray<number> => {
  const instants = minutes.map((each) => instantAt(date, each, zone))
  if (instants.length < 2) return instants
  const awake = instants.filter((at) => isWithin(at, hostZone, hostHours) && isWithin(at, zone, leadHours))
  if (awake.length < 2) return awake.length === 0 ? instants.slice(0, 1) : awake
  const inBusiness = awake.filter((at) => isWithin(at, zone, businessHours))
  return inBusiness.length === 1 ? inBusiness : awake
}

const propose = (why: WhyNotBooked, near?: number): TimeVerdict => ({ _tag: "Propose", why, near })

const noon = 12 * 60

/** Judges one time that a lead named. */
const verdictOf = (act: Act, time: ActTime, setting: TimeSetting): TimeVerdict => {
  const zone = time.zone ?? setting.leadZone
  const firstDay = time.days[0] ?? time.first
  const about = firstDay === null ? undefined : instantAt(firstDay, time.minutes[0] ?? noon, zone ?? setting.hostZone)
  if (time.isPast) return propose("past")
  if (time.days.length === 0 || !isExactTime(time)) return propose("no_exact_time", about)
  if (zone === undefined) return propose("zone_unknown", about)
  const candidates: ReadonlyArray<Candidate> = time.days
    .flatMap((date) => plausibleReadings(date, time.minutes, zone, setting.hostZone))
    .map((startsAt) => ({ startsAt, fault: faultOf(startsAt, zone, setting) }))
  const toCome = candidates.filter(({ fault }) => fault !== "past")
  const [only, other] = toCome
  if (only === undefined) return propose("past")
  if (other !== undefined) return propose(time.days.length > 1 ? "day_open" : "hour_open", only.startsAt)
  if (only.fault !== undefined) return propose(only.fault, only.startsAt)
  if (!act.isCertain) return propose("uncertain", only.startsAt)
  return { _tag: "Book", startsAt: only.startsAt }
}

/** Acts whose times are proposals. Times that a reply cannot keep, or merely mentions, are none. */
const proposing: ReadonlySet<ActKind> = new Set(["proposes", "confirms", "wants_to_move", "wants_call"])

export interface TimesVerdict {
  /** Unix milliseconds, in the order in which they were named. */
  readonly bookable: ReadonlyArray<number>
  /** Why the first proposal is not booked; undefined where it can be, or where there is none. */
  readonly why: WhyNotBooked | undefined
  /** The time (Unix milliseconds) that comes closest to the first one, if any does. */
  readonly near: number | undefined
}

/** Judges the times that a reply proposes: those that can be booked, and why the first one cannot. */
export const judgeTimes = (proposals: ReadonlyArray<Act>, setting: TimeSetting): TimesVerdict => {
  const verdicts = proposals.flatMap((act) =>
    proposing.has(act.kind) && act.time !== null ? [verdictOf(act, act.time, setting)] : []
  )
  const bookable = verdicts.flatMap((verdict) => (verdict._tag === "Book" ? [verdict.startsAt] : []))
  const [first] = verdicts
  return first === undefined || first._tag === "Book"
    ? { bookable, why: undefined, near: bookable[0] }
    : { bookable, why: first.why, near: bookable[0] ?? first.near }
}
