import { clockFiguresAt, type Figures, halfOfPart, readingsOf } from "./ClockFigures.ts"
import { isOrdinal, type Match, meaning, numberAt, type Tokens } from "./DateAtoms.ts"
import type { Relation } from "./TimeMeanings.ts"
import type { TimeToken } from "./TimeTokens.ts"

/** A time of day in a text, in minutes since midnight. */
export interface ClockAtom {
  readonly is: "clock"
  /** The possible readings: two if the text leaves open which half of the day is meant. */
  readonly readings: ReadonlyArray<number>
  /** The end of a range, or of a part of the day. */
  readonly until?: number
  /** Only a part of the day ("in the afternoon"), without a time. */
  readonly isPart?: boolean
  readonly relation?: Relation
}

const noon = 720

interface Reading {
  readonly figures: Figures
  readonly half: "am" | "pm" | undefined
  readonly length: number
}

const readingAt = (tokens: Tokens, at: number, isBare: boolean): Reading | undefined => {
  const figures = clockFiguresAt(tokens, at, isBare)
  if (figures === undefined) return undefined
  const behind = at + figures.length
  // A mark in between, as in "3, da tarde" or "10:00 (am)", usually separates two times.
  const half = figures.isNamed ? undefined : halfOfPart(tokens[behind], figures.hour)
  return { figures, half, length: figures.length + (half === undefined ? 0 : 1) }
}

/** The reading of an ambiguous time that is in business hours: 1 to 6 is the afternoon. */
const businessReading = (readings: ReadonlyArray<number>): number => {
  const [early = 0, late] = readings
  return late !== undefined && early < 7 * 60 ? late : early
}

interface Range {
  readonly readings: ReadonlyArray<number>
  readonly until: number
}

/** "9 to 11", "3 y 5 pm", "10 a 2": one end may decide how to read the other. */
const rangeOf = (start: Reading, end: Reading): Range => {
  const sharedHalf = end.half !== undefined && start.figures.hour <= end.figures.hour ? end.half : undefined
  const starts = readingsOf(start.figures, start.half ?? sharedHalf)
  const ends = readingsOf(end.figures, end.half)
  const first = businessReading(starts)
  const until = ends.find((minutes) => minutes > first) ?? ends[0] ?? first
  const before = starts.filter((minutes) => minutes < until)
  const isOpen = starts.length > 1 && first >= noon
  return { readings: before.length === 0 || isOpen ? starts : before, until }
}

const isAtWord = (token: TimeToken | undefined): boolean => meaning(token, "at") !== undefined

const isEndOfClause = (token: TimeToken | undefined): boolean => token === undefined || ".,;!?)".includes(token.text)

/** The words before a time: "depois das", "entre as", "a eso de las". */
interface LeadIn {
  readonly relation: Relation | undefined
  readonly isRange: boolean
  readonly isAt: boolean
  /** The position of the time itself. */
  readonly index: number
}

const leadInAt = (tokens: Tokens, at: number): LeadIn => {
  const relation = meaning(tokens[at], "relation")?.value
  const isRange = meaning(tokens[at], "range start") !== undefined || relation === "from"
  let index = isRange || relation !== undefined ? at + 1 : at
  while (isAtWord(tokens[index]) && numberAt(tokens[index]) === undefined && index < at + 4) index++
  return { relation, isRange, isAt: index > at && isAtWord(tokens[index - 1]), index }
}

/** "2-4pm", "10 a 12h": a number that is an hour because the one after it is. */
const isStartOfRange = (tokens: Tokens, at: number): boolean => {
  if (tokens[at]?.number === undefined || isOrdinal(tokens[at]) || meaning(tokens[at + 1], "to") === undefined)
    return false
  const end = readingAt(tokens, pastAt(tokens, at + 2), false)
  return end !== undefined && !end.figures.isNamed
}

const pastAt = (tokens: Tokens, at: number): number =>
  isAtWord(tokens[at]) && numberAt(tokens[at]) === undefined ? at + 1 : at

/** The end of a range whose start ends before `at`. Without "from" or "between", "and" separates two times. */
const endOfRange = (tokens: Tokens, at: number, isRange: boolean): Match<Reading> | undefined => {
  const joint = tokens[at]
  if ((meaning(joint, "to") ?? (isRange ? meaning(joint, "and") : undefined)) === undefined) return undefined
  const index = pastAt(tokens, at + 1)
  const end = readingAt(tokens, index, true)
  return end === undefined ? undefined : { atom: end, length: index + end.length - at }
}

/** Without "from" or "between" a range needs a sign of the clock on either hour: "10-12h", "2 to 4pm". */
const isCertainRange = (start: Reading, end: Reading): boolean =>
  [start, end].some(({ figures, half }) => half !== undefined || figures.isMarked)

/**
 * The time, range of times or part of the day that begins at a token. After a date (`isBehindDate`), a number is more
 * likely to be an hour.
 */
export const clockAt = (tokens: Tokens, at: number, isBehindDate: boolean): Match<ClockAtom> | undefined => {
  const { index, isAt, isRange, relation } = leadInAt(tokens, at)
  // "after 10" may be a day, a price or a number of people, so an hour needs further evidence.
  const isBareAllowed = isAt || isRange || (relation !== undefined && isEndOfClause(tokens[index + 1]))
  const isOfRange = isStartOfRange(tokens, index)
  const start = readingAt(tokens, index, isBareAllowed || isOfRange || isBehindDate)
  if (start === undefined) return partAt(tokens, at, relation)
  const range = endOfRange(tokens, index + start.length, isRange)
  if (range !== undefined && (isCertainRange(start, range.atom) || isRangeOfHours(tokens, at, isBehindDate, isRange))) {
    const length = index + start.length + range.length - at
    return { atom: { is: "clock", ...rangeOf(start, range.atom) }, length }
  }
  if (isRange && relation === undefined && !isAtWord(tokens[at])) return undefined
  if (!isBareAllowed && !start.figures.isMarked && start.half === undefined) return undefined
  const readings = readingsOf(start.figures, start.half)
  return {
    atom: { is: "clock", readings, ...(relation === undefined ? {} : { relation }) },
    length: index + start.length - at
  }
}

/** "de 9 a 11" is a range of hours only after a date, "das 9 às 11" and "between 9 and 11" anywhere. */
const isRangeOfHours = (tokens: Tokens, at: number, isBehindDate: boolean, isRange: boolean): boolean =>
  isBehindDate || (isRange && tokens[at]?.text !== "de" && tokens[at]?.text !== "from")

const partAt = (tokens: Tokens, at: number, relation: Relation | undefined): Match<ClockAtom> | undefined => {
  const index = relation === undefined ? at : at + 1
  const part = meaning(tokens[index], "day part")
  if (part === undefined) return undefined
  return {
    atom: {
      is: "clock",
      readings: [part.from * 60],
      until: part.to * 60,
      isPart: true,
      ...(relation === undefined ? {} : { relation })
    },
    length: index + 1 - at
  }
}

/** A time combined with the part of the day next to it: "às 8 da noite", "à tarde, lá pelas 3". */
export const joinedClocks = (one: ClockAtom, other: ClockAtom): ClockAtom | undefined => {
  const [part, clock] = one.isPart === true ? [one, other] : [other, one]
  if (part.isPart !== true) return undefined
  if (clock.isPart === true) return joinedParts(part, clock)
  const isLate = (part.readings[0] ?? 0) >= noon
  const readings = clock.readings.filter((minutes) => minutes >= noon === isLate)
  return readings.length === 0 ? undefined : { ...clock, readings }
}

/** The narrower of two parts of the day: "de la tarde, a última hora". */
const joinedParts = (one: ClockAtom, other: ClockAtom): ClockAtom | undefined => {
  const contains = (outer: ClockAtom, inner: ClockAtom): boolean =>
    (outer.readings[0] ?? 0) <= (inner.readings[0] ?? 0) && (inner.until ?? 0) <= (outer.until ?? 0)
  return contains(one, other) ? other : contains(other, one) ? one : undefined
}
