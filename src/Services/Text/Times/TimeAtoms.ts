import { type ClockAtom, clockAt } from "./ClockAtoms.ts"
import { type DateAtom, type DateSetting, isSmall, isWholeDay, meaning, spanOf, type Tokens } from "./DateAtoms.ts"
import { dateAt } from "./DateReader.ts"
import { weekdayOf } from "./Days.ts"
import type { Relation } from "./TimeMeanings.ts"
import type { TimeToken } from "./TimeTokens.ts"
import { nearestWeekday } from "./Weekdays.ts"
import { explicitZoneAt, type NamedZone, zoneBehind } from "./ZoneNames.ts"

export interface ZoneAtom {
  readonly is: "zone"
  readonly zone: string | undefined
}

export interface Placed<Atom> {
  readonly atom: Atom
  /** Tokens. */
  readonly start: number
  readonly end: number
}

export type Atom = Placed<DateAtom> | Placed<ClockAtom> | Placed<ZoneAtom>

export const isDate = (placed: Atom): placed is Placed<DateAtom> => placed.atom.is === "date"
export const isClock = (placed: Atom): placed is Placed<ClockAtom> => placed.atom.is === "clock"

/** The most function words between two parts of one expression. */
export const widestGap = 4

export const isJoint = (token: TimeToken | undefined): boolean =>
  isSmall(token) ||
  (meaning(token, "at") ?? meaning(token, "relation") ?? meaning(token, "introduces a day")) !== undefined

export const areAdjacent = (tokens: Tokens, end: number, start: number): boolean =>
  start - end <= widestGap && tokens.slice(end, start).every(isJoint)

/**
 * The relation just before a date: "depois do carnaval", "until Friday". Words before `least` belong to another date.
 */
const relationBefore = (tokens: Tokens, at: number, least: number): Relation | undefined => {
  for (let index = at - 1; index >= Math.max(least, at - 2); index--) {
    const relation = meaning(tokens[index], "relation")
    if (relation !== undefined) return relation.value
    if (!isSmall(tokens[index]) && meaning(tokens[index], "at") === undefined) return undefined
  }
  return undefined
}

/** The relation just after a date: "12 April at the earliest". */
const relationBehind = (tokens: Tokens, end: number): Relation | undefined => {
  const isEnd = tokens[end + 1] === undefined || ".,;!?)".includes(tokens[end + 1]?.text ?? "")
  return tokens[end]?.text === "on" && !isEnd ? undefined : meaning(tokens[end], "relation behind")?.value
}

const datePlaced = (tokens: Tokens, start: number, end: number, atom: DateAtom, least: number): Placed<DateAtom> => {
  const behind = relationBehind(tokens, end)
  const relation = behind ?? relationBefore(tokens, start, least)
  return {
    atom: relation === undefined ? atom : { ...atom, relation },
    start,
    end: behind === undefined ? end : end + 1
  }
}

const zonePlaced = (start: number, { end, zone }: NamedZone): Placed<ZoneAtom> => ({
  atom: { is: "zone", zone },
  start,
  end
})

/** Whether a token is not part of any time. */
const isOther = (token: TimeToken | undefined): boolean =>
  token === undefined ||
  (token.meanings.length === 0 &&
    token.number === undefined &&
    (token.clock ?? token.date ?? token.partOfYear) === undefined)

const atomAt = (tokens: Tokens, at: number, last: Atom | undefined, setting: DateSetting): Atom | undefined => {
  if (isOther(tokens[at])) {
    const zone = explicitZoneAt(tokens, at)
    return zone === undefined ? undefined : zonePlaced(at, zone)
  }
  const isBehindDate = last !== undefined && isDate(last) && areAdjacent(tokens, last.end, at)
  const date = dateAt(tokens, at, setting)
  const clock = clockAt(tokens, at, isBehindDate)
  // "the 10th at 3" begins with a date, "10 to 12h" with a clock. The longer reading wins.
  if (date !== undefined && (clock === undefined || date.length >= clock.length)) {
    return datePlaced(tokens, at, at + date.length, date.atom, last?.end ?? 0)
  }
  if (clock !== undefined) return { atom: clock.atom, start: at, end: at + clock.length }
  const zone = explicitZoneAt(tokens, at)
  return zone === undefined ? undefined : zonePlaced(at, zone)
}

/** The dates, clocks and zones of a text, in their order. */
const atomsIn = (tokens: Tokens, setting: DateSetting): ReadonlyArray<Atom> => {
  const atoms: Array<Atom> = []
  for (let at = 0; at < tokens.length; ) {
    const atom = atomAt(tokens, at, atoms.at(-1), setting)
    if (atom === undefined) {
      at++
      continue
    }
    atoms.push(atom)
    at = atom.end
    const isZoned = isClock(atom) || (isDate(atom) && atoms.at(-2)?.atom.is === "clock")
    const zone = isZoned ? zoneBehind(tokens, at, isClock(atom)) : undefined
    if (zone !== undefined) {
      atoms.push(zonePlaced(at, zone))
      at = zone.end
    }
  }
  return atoms
}

/**
 * Combines a weekday with the date next to it. If they disagree, as in "terça, 2 de dezembro" for a Wednesday, either
 * may be wrong.
 */
const weekdayWithDay = (weekday: number, day: DateAtom, today: number): DateAtom => {
  const choices = day.alternatives ?? [day.days.first]
  const agreeing = choices.filter((choice) => weekdayOf(choice) === weekday)
  const [first] = agreeing
  if (first !== undefined) return { ...day, days: { first, last: first }, alternatives: agreeing }
  const nearest = day.days.first < today ? day.days.first : nearestWeekday(day.days.first, weekday, today)
  return { ...day, alternatives: [...new Set([...choices, nearest])] }
}

/** A weekday within the span next to it: "quarta da semana que vem". */
const weekdayInSpan = (named: DateAtom, weekday: number, span: DateAtom): DateAtom | undefined => {
  const { first, last } = span.days
  const inside = Array.from({ length: Math.min(7, last - first + 1) }, (_, index) => first + index).find(
    (day) => weekdayOf(day) === weekday
  )
  if (inside === undefined) return undefined
  const isOneWeek = span.grain === "week" || last - first < 7
  const relation = span.relation ?? named.relation
  return {
    is: "date",
    days: { first: inside, last: inside },
    grain: "day",
    weekday,
    ...(isOneWeek ? {} : { alternatives: [inside, inside + 7] }),
    ...(relation === undefined ? {} : { relation }),
    ...(span.isPast === true ? { isPast: true } : {})
  }
}

/** Combines two parts of one date. */
const joinedDates = (one: DateAtom, other: DateAtom, today: number): DateAtom | undefined => {
  const [named, beside] = one.weekday !== undefined ? [one, other] : [other, one]
  if (named.weekday === undefined || beside.weekday !== undefined || named.isRecurring === true) return undefined
  return isWholeDay(beside) ? weekdayWithDay(named.weekday, beside, today) : weekdayInSpan(named, named.weekday, beside)
}

/** "del 20/03 al 25/03", "from Monday to the 20th", "entre 3/12 e 7/12". */
const rangeOfDates = (tokens: Tokens, one: Placed<DateAtom>, other: Placed<DateAtom>): DateAtom | undefined => {
  const between = tokens.slice(one.end, other.start)
  const isRange = [tokens[one.start - 1], tokens[one.start - 2]].some(
    (token) => meaning(token, "range start") !== undefined
  )
  const isTo = (token: TimeToken): boolean =>
    (meaning(token, "to") ?? (isRange ? meaning(token, "and") : undefined)) !== undefined && token.text !== ","
  const isJoined =
    between.length > 0 &&
    between.length < widestGap &&
    between.some(isTo) &&
    between.every((token) => isTo(token) || isJoint(token))
  // In "el martes al 16" and "a 22 de março", the function word belongs to the day.
  const startsWithTo = meaning(tokens[other.start], "to") !== undefined && between.length === 0
  if (!isJoined && !startsWithTo) return undefined
  if (one.atom.relation !== undefined && one.atom.relation !== "from") return undefined
  if (other.atom.days.first <= one.atom.days.last) return undefined
  return spanOf({ first: one.atom.days.first, last: other.atom.days.last }, "span")
}

const joinedWith = (tokens: Tokens, previous: Atom | undefined, placed: Atom, today: number): DateAtom | undefined => {
  if (previous === undefined || !isDate(previous) || !isDate(placed)) return undefined
  const range = rangeOfDates(tokens, previous, placed)
  if (range !== undefined) return range
  return areAdjacent(tokens, previous.end, placed.start) ? joinedDates(previous.atom, placed.atom, today) : undefined
}

/**
 * The atoms of a text: dates and clocks with their positions. Two parts of one date, or the two ends of a range, become
 * one atom.
 */
export const timeAtoms = (tokens: Tokens, setting: DateSetting): ReadonlyArray<Atom> => {
  const joined: Array<Atom> = []
  for (const placed of atomsIn(tokens, setting)) {
    const previous = joined.at(-1)
    const atom = joinedWith(tokens, previous, placed, setting.today)
    if (previous === undefined || atom === undefined) joined.push(placed)
    else joined[joined.length - 1] = { atom, start: previous.start, end: placed.end }
  }
  return joined
}
