import { dateParts, instantOf, offsetAt, type SendWindow, startOfDay, wallClock } from "../Core/LocalTime.ts"

/** From the first instant (Unix milliseconds) up to, but not including, the other. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** The properties of an event that decide whether its owner is busy. */
export interface Occupation extends Period {
  readonly status: "confirmed" | "tentative" | "cancelled"
  readonly isTransparent: boolean
  readonly kind: EventKind
  /** Whether the owner declined the event. */
  readonly isDeclined: boolean
}

/** `presence` is a working location or a birthday, and does not make its owner busy. */
export type EventKind = "default" | "outOfOffice" | "focusTime" | "presence"

/** Tentative events and being out of office also count as busy. */
export const isBusy = ({ from, isDeclined, isTransparent, kind, status, to }: Occupation): boolean =>
  status !== "cancelled" && kind !== "presence" && !isTransparent && !isDeclined && to > from

const minute = 60_000
const day = 24 * 60 * minute

/**
 * The period of an all-day event: from midnight to midnight in the calendar's zone. `end` is the day after the last.
 */
export const allDay = (start: string, end: string, zone: string): Period => ({
  from: startOfDay(...dateParts(start), zone),
  to: startOfDay(...dateParts(end), zone)
})

/** Sorted busy periods without overlaps. */
export const merged = (periods: ReadonlyArray<Period>): ReadonlyArray<Period> => {
  const result: Array<Period> = []
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last !== undefined && from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else result.push({ from, to })
  }
  return result
}

export interface SlotRules {
  /** The lead's time zone. */
  readonly zone: string
  /** The send window on workdays in the lead's zone. */
  readonly window: SendWindow
  /** IANA name of the zone of the people whom the lead will meet, so that no meeting is at night for them. */
  readonly hostZone: string
  /** The hosts' work hours. Its closed days are the hosts' holidays. */
  readonly hostWindow: SendWindow
  readonly lengthMinutes: number
  /** Slots begin at multiples of this within the lead's hour. */
  readonly stepMinutes: number
  /** The gap before and after other appointments. */
  readonly gapMinutes: number
  /** The earliest proposal is this far in the future. */
  readonly noticeMinutes: number
  readonly days: number
}

export const usualSlots = {
  hostWindow: { startHour: 7, endHour: 21 },
  lengthMinutes: 30,
  stepMinutes: 30,
  gapMinutes: 15,
  noticeMinutes: 120,
  days: 30
} as const

/** The latest day that is proposed for a first meeting. */
const mostDaysAhead = 120

const within = ({ from, to }: Period, zone: string, { endHour, startHour }: SendWindow): boolean => {
  const first = wallClock(from, zone)
  const last = wallClock(to - minute, zone)
  return first.day === last.day && first.hour >= startHour && first.hour < endHour && last.hour < endHour
}

/** Whether the slot begins on one of the host's workdays. */
const isHostOpen = ({ from }: Period, zone: string, { isClosed }: SendWindow): boolean => {
  const { day: dayOfMonth, month, weekday, year } = wallClock(from, zone)
  return isWorkday(weekday) && isClosed?.(year, month, dayOfMonth) !== true
}

const isWorkday = (weekday: number): boolean => weekday >= 1 && weekday <= 5

/** Whether a meeting in that period keeps the gap to all others. `busy` must be merged. */
export const isFree = ({ from, to }: Period, busy: ReadonlyArray<Period>, gapMinutes = 0): boolean => {
  const gap = gapMinutes * minute
  // A binary search for the first busy period that ends after the slot's beginning. Earlier ones cannot overlap.
  let [low, high] = [0, busy.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((busy[middle]?.to ?? 0) + gap <= from) low = middle + 1
    else high = middle
  }
  const next = busy[low]
  return next === undefined || next.from - gap >= to
}

/**
 * Returns the available slots of the coming days (`now` in Unix milliseconds). They are within the lead's window on a
 * day that is a workday for both sides, within the host's hours, and do not overlap busy times.
 */
export const freeSlots = (now: number, occupied: ReadonlyArray<Period>, rules: SlotRules): ReadonlyArray<Period> => {
  const { days, gapMinutes, hostWindow, hostZone, lengthMinutes, noticeMinutes, stepMinutes, window, zone } = rules
  const busy = merged(occupied)
  const today = wallClock(now, zone)
  const earliest = now + noticeMinutes * minute
  const step = stepMinutes * minute
  const slots: Array<Period> = []
  for (let ahead = 0; ahead < days; ahead++) {
    const weekday = (today.weekday + ahead) % 7
    if (!isWorkday(weekday)) continue
    const begins = startOfDay(today.year, today.month, today.day + ahead, zone)
    const date = wallClock(begins, zone)
    if (window.isClosed?.(date.year, date.month, date.day) === true) continue
    const ends = startOfDay(today.year, today.month, today.day + ahead + 1, zone)
    const isPlain = offsetAt(begins, zone) === offsetAt(ends, zone)
    // Without a clock change on the day, the window's hours can be added to its start.
    const [from, to] = isPlain
      ? [begins + window.startHour * 60 * minute, begins + window.endHour * 60 * minute]
      : [begins, ends]
    for (let at = from; at + lengthMinutes * minute <= to; at += step) {
      const slot = { from: at, to: at + lengthMinutes * minute }
      if (at < earliest || !isFree(slot, busy, gapMinutes)) continue
      if (!isPlain && !within(slot, zone, window)) continue
      if (hostZone !== zone && !within(slot, hostZone, hostWindow)) continue
      if (!isHostOpen(slot, hostZone, hostWindow)) continue
      slots.push(slot)
    }
  }
  return slots
}

/** Whether a slot begins before noon for the lead. */
const isMorning = ({ from }: Period, zone: string): boolean => wallClock(from, zone).hour < 12

/** The date in the lead's zone, as `YYYY-MM-DD`. */
const dayOf = ({ from }: Period, zone: string): string => {
  const { day: dayOfMonth, month, year } = wallClock(from, zone)
  const two = (part: number) => String(part).padStart(2, "0")
  return `${year}-${two(month)}-${two(dayOfMonth)}`
}

/** The days and the part of the day that a lead prefers, in its zone. */
export interface WantedSlots {
  readonly first: string | null
  readonly last: string | null
  readonly minutes: { readonly from: number; readonly until: number } | null
}

const isInPart = ({ from, to }: Period, zone: string, { minutes }: WantedSlots): boolean => {
  if (minutes === null) return true
  const { hour, minute: past } = wallClock(from, zone)
  const begin = hour * 60 + past
  return begin >= minutes.from && begin + (to - from) / minute <= minutes.until
}

/**
 * Returns the free slots on the lead's preferred days and part of the day. If there are none, any time on those days,
 * otherwise times after the first preferred day.
 */
const wantedSlots = (
  slots: ReadonlyArray<Period>,
  zone: string,
  wish: WantedSlots | undefined
): ReadonlyArray<Period> => {
  if (wish === undefined) return slots
  const { first, last } = wish
  const later = slots.filter((slot) => first === null || dayOf(slot, zone) >= first)
  const onDays = later.filter((slot) => last === null || dayOf(slot, zone) <= last)
  const inPart = onDays.filter((slot) => isInPart(slot, zone, wish))
  return [inPart, onDays, later].find((some) => some.length > 0) ?? slots
}

/**
 * A few slots to choose from, on different days if possible, alternating between mornings and afternoons. `seed`
 * distributes leads, so that they are not all offered the same hour.
 */
export const proposals = (
  slots: ReadonlyArray<Period>,
  {
    count = 3,
    seed,
    wish,
    zone
  }: {
    readonly zone: string
    readonly seed: number
    readonly count?: number
    readonly wish?: WantedSlots | undefined
  }
): ReadonlyArray<Period> => {
  const days = new Map<string, Array<Period>>()
  for (const slot of wantedSlots(slots, zone, wish)) {
    const name = dayOf(slot, zone)
    days.set(name, [...(days.get(name) ?? []), slot])
  }
  const chosenSlots: Array<Period> = []
  // Later rounds take further slots of days that were already used.
  for (let round = 0; round < count && chosenSlots.length < count; round++) {
    for (const ofDay of days.values()) {
      if (chosenSlots.length >= count) break
      const morning = (chosenSlots.length + seed) % 2 === 0
      const half = ofDay.filter((slot) => isMorning(slot, zone) === morning && !chosenSlots.includes(slot))
      const choice = half.length > 0 ? half : ofDay.filter((slot) => !chosenSlots.includes(slot))
      const slot = choice[Math.abs(seed * 7919) % Math.max(1, choice.length)]
      if (slot !== undefined) chosenSlots.push(slot)
    }
  }
  return chosenSlots.toSorted((a, b) => a.from - b.from)
}

/** How many days ahead to look for slots. It is more than usual if the lead asks for a later week. */
export const daysAhead = (now: number, wish: WantedSlots | undefined): number => {
  const end = wish?.last ?? wish?.first
  const until = end === null || end === undefined ? now : Date.parse(`${end}T00:00:00Z`)
  const days = Math.ceil((until - now) / day) + 7
  return Math.min(mostDaysAhead, Math.max(usualSlots.days, Number.isFinite(days) ? days : 0))
}

/** The UTC day of a date, as a period. */
export const utcDay = (date: string): Period => {
  const from = Date.parse(`${date}T00:00:00Z`)
  return { from, to: from + day }
}

/** The instant of a local day and hour in the zone. */
export const localInstant = (date: string, hour: number, minutes: number, zone: string): number =>
  instantOf(...dateParts(date), hour, minutes, zone)
