import { type Act, type ActTime, isExactTime } from "../Acts.ts"

/** The meeting that was agreed on, as the lead's clock shows its beginning. */
export interface StandingMeeting {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** `HH:MM`. */
  readonly time: string
}

/** What a reply wants about meetings. Proposed times are acts of kind `proposes`. */
export type MeetingWish =
  | { readonly _tag: "None" }
  /** The meeting that was agreed on stays. */
  | { readonly _tag: "Keep" }
  /** The meeting is cancelled. `proposals` may name another time. */
  | { readonly _tag: "CallOff"; readonly proposals: ReadonlyArray<Act> }
  /** The meeting should move. It stays as it is until a new time is agreed. */
  | { readonly _tag: "Move"; readonly proposals: ReadonlyArray<Act> }
  /** A first meeting is wanted. */
  | { readonly _tag: "Meet"; readonly proposals: ReadonlyArray<Act> }
  /** The reply may change the meeting that was agreed on, or may not: a person decides. */
  | { readonly _tag: "Unclear" }

/** Minutes since midnight of a clock such as `09:30`. */
export const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number)
  return hours * 60 + minutes
}

/** Whether a time may be that of the meeting: what it leaves open does not contradict. */
export const isOfMeeting = (time: ActTime, { date, time: clock }: StandingMeeting): boolean =>
  (time.days.length === 0
    ? time.first === null || (time.first <= date && date <= (time.last ?? date))
    : time.days.includes(date)) &&
  (time.minutes.length === 0 || time.untilMinute !== null || time.minutes.includes(minutesOf(clock)))

/** Whether a time is exactly that of the meeting, or names just its day or its hour. */
const namesMeeting = (time: ActTime, standing: StandingMeeting): boolean =>
  (time.days.length > 0 || time.minutes.length > 0) && isOfMeeting(time, standing)

const hasDay = (time: ActTime): boolean => time.days.length > 0

/** What two mentions of one time have in common. */
const timeKey = ({ days, minutes, untilMinute }: ActTime): string => JSON.stringify([days, minutes, untilMinute])

const only = <A>(values: ReadonlyArray<A>): A | undefined => (values.length === 1 ? values[0] : undefined)

/** The share of a clause's letters from which on it is nothing but its time: "Tomorrow." */
const bareShare = 0.8

/** Whether a text is hardly more than a time that it names. */
export const isNothingBut = (text: string, time: ActTime): boolean => time.text.length >= bareShare * text.length

interface DayAct extends Act {
  readonly time: ActTime
}

/** The only day that a reply names, where no act proposes it: an hour that is named elsewhere may be on it. */
const dayIn = (acts: ReadonlyArray<Act>): DayAct | undefined => {
  const days = acts.flatMap((act) =>
    act.time !== null && hasDay(act.time) && !act.time.isPast ? [{ ...act, time: act.time }] : []
  )
  const [first] = days
  const isOnly = days.every(({ time }) => timeKey(time) === (first && timeKey(first.time)))
  return isOnly && first?.kind === "mentions" && !first.isCertain && !isExactTime(first.time) ? first : undefined
}

/** "Can we move it from 1:30 to 4:15?" is no range of times where the meeting is at 1:30. */
const asMoved = (act: Act, standing: StandingMeeting): Act => {
  const { kind, time } = act
  const isFromMeeting =
    time !== null &&
    time.untilMinute !== null &&
    time.minutes.includes(minutesOf(standing.time)) &&
    isOfMeeting(time, standing)
  if (!isFromMeeting || (kind !== "wants_to_move" && kind !== "proposes")) return act
  const days = time.days.length > 0 ? time.days : [standing.date]
  return { ...act, time: { ...time, days, minutes: [time.untilMinute ?? 0], untilMinute: null } }
}

/**
 * The times that a reply proposes. Where one sentence names the day and another one the hour, both make one time; an
 * hour alone is on the day of the meeting that was agreed on.
 */
const proposalsIn = (all: ReadonlyArray<Act>, standing: StandingMeeting | undefined): ReadonlyArray<Act> => {
  const acts = standing === undefined ? all : all.map((act) => asMoved(act, standing))
  // "Would the 9th be possible?" may sound like a refusal of what it certainly proposes.
  const isProposed = ({ text }: Act): boolean =>
    acts.some((act) => act.kind === "proposes" && act.isCertain && act.isQuestion && act.text === text)
  const refused = acts.flatMap((act) =>
    act.kind === "cannot" && act.time !== null && !isProposed(act) ? [act.time] : []
  )
  const isRefused = (time: ActTime): boolean => refused.some((other) => timeKey(other) === timeKey(time))
  const proposing: ReadonlySet<Act["kind"]> = new Set(
    standing === undefined ? ["proposes", "confirms"] : ["proposes", "wants_to_move"]
  )
  // "From two to half past four": the standing time is what the meeting moves from.
  const isLeft = (time: ActTime): boolean =>
    standing !== undefined && hasDay(time) && isExactTime(time) && namesMeeting(time, standing)
  const named = acts.filter(
    ({ kind, time }) => proposing.has(kind) && time !== null && !time.isPast && !isRefused(time) && !isLeft(time)
  )
  const keys = new Set<string>()
  const distinct = named.flatMap((act): ReadonlyArray<Act & { readonly time: ActTime }> => {
    if (act.time === null) return []
    const key = timeKey(act.time)
    const twin = named.some((other) => other !== act && other.isCertain && other.time?.text === act.time?.text)
    if (keys.has(key) || (!act.isCertain && twin)) return []
    keys.add(key)
    return [{ ...act, time: act.time }]
  })
  const day =
    only(distinct.filter(({ time }) => hasDay(time) && !isExactTime(time))) ??
    (standing === undefined ? dayIn(acts) : undefined)
  const clock = only(distinct.filter(({ time }) => isExactTime(time) && !hasDay(time) && time.first === null))
  const whole = distinct.filter((act) => act !== day && act !== clock)
  if (clock === undefined) return distinct
  if (day !== undefined && whole.length === 0) {
    const { minutes, untilMinute, zone } = clock.time
    const isCertain = clock.isCertain && (day.kind !== "mentions" || isNothingBut(day.text, day.time))
    return [{ ...clock, isCertain, time: { ...day.time, minutes, untilMinute, zone } }]
  }
  if (standing === undefined || whole.length > 0) return distinct
  const onItsDay = { days: [standing.date], first: standing.date, last: standing.date }
  return [{ ...clock, time: { ...clock.time, ...onItsDay } }]
}

const isNew = ({ time }: Act, standing: StandingMeeting): boolean => time !== null && !namesMeeting(time, standing)

/** From which certainty on a wish to move counts in the clause that names the new time. */
const likelyMove = 0.5
/** From which on it counts beside a certain new time, even if the sentence might call the meeting off. */
const clearMove = 0.95

/** Reads what a reply wants if a meeting was already agreed. */
const aboutStanding = (acts: ReadonlyArray<Act>, standing: StandingMeeting): MeetingWish => {
  const has = (kind: Act["kind"], test: (act: Act) => boolean = () => true): boolean =>
    acts.some((act) => act.kind === kind && test(act))
  const proposals = proposalsIn(acts, standing).filter((act) => isNew(act, standing))
  const exact = proposals.filter(({ time }) => time !== null && hasDay(time) && isExactTime(time))
  const confirms =
    // "See you by Thursday" names no single day, and none but that of the meeting.
    has("confirms", ({ time }) => time === null || isOfMeeting(time, standing)) ||
    has("proposes", (act) => act.time !== null && isExactTime(act.time) && namesMeeting(act.time, standing))
  const concerns = ({ time }: Act): boolean => time === null || namesMeeting(time, standing)
  const cannot = has("cannot", (act) => act.isCertain && concerns(act) && (act.time !== null || !confirms))
  const callsOff = has("calls_off", concerns)
  const moves = has("wants_to_move", ({ isCertain }) => isCertain || !confirms)
  // A lead that asks for another time and names it keeps the meeting until that time is agreed on.
  const certainTimes = exact.filter(({ isCertain }) => isCertain)
  const movesTo = has(
    "wants_to_move",
    ({ certainty, isCertain, text }) =>
      certainTimes.length > 0 &&
      // "Wednesday at 12:45 instead": who names another time with certainty need not wish to move as clearly.
      (isCertain ||
        certainty >= clearMove ||
        (certainty >= likelyMove && certainTimes.some((act) => act.text === text)))
  )
  if (movesTo && !has("calls_off", (act) => act.isCertain && concerns(act))) return { _tag: "Move", proposals }
  if (callsOff || cannot) {
    // "The supplier's visit is cancelled, our talk at four is on": what is off may be something else.
    if (confirms && !moves) return { _tag: "Unclear" }
    const isCertain = cannot || has("calls_off", (act) => act.isCertain && concerns(act))
    if (moves && !callsOff && exact.length === 0) return { _tag: "CallOff", proposals }
    return isCertain ? { _tag: "CallOff", proposals } : { _tag: "Unclear" }
  }
  if (moves) return { _tag: "Move", proposals }
  if (confirms) return { _tag: "Keep" }
  return exact.length > 0 ? { _tag: "Unclear" } : { _tag: "None" }
}

/** Reads what a reply wants about meetings, from its acts alone. */
export const meetingWishOf = (acts: ReadonlyArray<Act>, standing: StandingMeeting | undefined): MeetingWish => {
  if (standing !== undefined) return aboutStanding(acts, standing)
  const proposals = proposalsIn(acts, undefined)
  const wantsMeeting = acts.some(
    ({ kind }) => kind === "wants_meeting" || kind === "proposes" || kind === "wants_to_move" || kind === "cannot"
  )
  return proposals.length > 0 || wantsMeeting ? { _tag: "Meet", proposals } : { _tag: "None" }
}
