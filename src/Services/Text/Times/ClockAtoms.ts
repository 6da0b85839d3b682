import { isLight, type Match, meaning, numberAt, type Tokens } from "./DateAtoms.ts"
import type { TimeToken } from "./TimeTokens.ts"
import type { Relation } from "./TimeWords.ts"

/** A time of day that a text names, in minutes since midnight. */
export interface ClockAtom {
  readonly is: "clock"
  /** What the figures can mean: two where they leave open which half of the day is meant. */
  readonly readings: ReadonlyArray<number>
  /** The end of a range, or of a part of the day. */
  readonly until?: number
  /** A part of the day ("in the afternoon") and no time. */
  readonly isPart?: boolean
  readonly relation?: Relation
}

const noon = 720
const wholeDay = 1440

interface Figures {
  readonly hour: number
  readonly minute: number
  readonly isTwentyFourHours: boolean
  readonly length: number
}

const plain = (hour: number, minute: number, length: number): Figures => ({
  hour,
  minute,
  isTwentyFourHours: hour > 12 || hour === 0,
  length
})

const isHour = (number: number | undefined): number is number => number !== undefined && number >= 0 && number <= 24

/** "2 e meia", "dos y media", "3 y cuarto": what is added behind the hour. */
const minutesBehind = (token: TimeToken | undefined): number =>
  meaning(token, "half hour") !== undefined && token?.text !== "half past" && token?.text !== "media"
    ? 30
    : meaning(token, "quarter hour") !== undefined && !/past|after/.test(token?.text ?? "")
      ? 15
      : 0

const beforeTheHour = (tokens: Tokens, at: number): Figures | undefined => {
  const token = tokens[at]
  const hour = numberAt(tokens[at + 1])
  if (!isHour(hour) || hour > 12) return undefined
  if (token?.text === "half past") return plain(hour, 30, 2)
  if (/quarter (?:past|after)$/.test(token?.text ?? "")) return plain(hour, 15, 2)
  if (meaning(token, "to the hour") !== undefined) return plain((hour + 11) % 12 || 12, 45, 2)
  return undefined
}

/** The hour that begins at a token. `isBare` allows a number alone, where a word before it says that it is an hour. */
const figuresAt = (tokens: Tokens, at: number, isBare: boolean): Figures | undefined => {
  const token = tokens[at]
  if (token === undefined) return undefined
  if (token.clock !== undefined && token.date === undefined) {
    const hours = meaning(tokens[at + 1], "hours") === undefined ? 1 : 2
    return { ...token.clock, length: hours }
  }
  if (token.clock !== undefined && isBare) return { ...token.clock, length: 1 }
  const spoken = beforeTheHour(tokens, at)
  if (spoken !== undefined) return spoken
  const hour = numberAt(token)
  if (!isHour(hour) || token.isOrdinal) return undefined
  const next = tokens[at + 1]
  const added = minutesBehind(next)
  if (added > 0) {
    const isHours = meaning(tokens[at + 2], "hours") !== undefined
    return plain(hour % 24, added, isHours ? 3 : 2)
  }
  if (meaning(next, "hours") !== undefined) {
    const behind = minutesBehind(tokens[at + 2])
    return plain(hour % 24, behind, behind > 0 ? 3 : 2)
  }
  if (meaning(next, "meridian") !== undefined) return plain(hour, 0, 1)
  const isOfPart = meaning(next, "day part") !== undefined && /^(?:d[ae]|in|p|la) /.test(`${next?.text ?? ""} `)
  if (isOfPart && /^(?:da|de la|in the|por la|la) /.test(next?.text ?? "")) return plain(hour, 0, 1)
  const isRange = meaning(next, "to") !== undefined && numberAt(tokens[at + 2]) !== undefined
  return isBare && (isRange || isClockEnd(next)) ? plain(hour % 24, 0, 1) : undefined
}

/** What may follow a bare hour such as "às 8": the end, a mark, or a word of time, but not what it may count. */
const isClockEnd = (token: TimeToken | undefined): boolean =>
  token === undefined || (token.number === undefined && /^[^\p{L}%$]$/u.test(token.text)) || isWordOfTime(token)

const isWordOfTime = (token: TimeToken): boolean =>
  token.meanings.length > 0 && meaning(token, "unit") === undefined && token.text !== "h"

/** Both halves of the day, unless the words or the figures themselves say which. */
const readingsOf = (
  { hour, isTwentyFourHours, minute }: Figures,
  half: "am" | "pm" | undefined
): ReadonlyArray<number> => {
  const minutes = hour * 60 + minute
  if (isTwentyFourHours || hour > 12) return [minutes]
  const early = (hour % 12) * 60 + minute
  if (half === "am") return [early]
  if (half === "pm") return [early + noon]
  return hour === 12 ? [noon + minute] : [early, early + noon]
}

/** Which half of the day the token behind a clock says, and whether there is such a token. */
export const halfAt = (token: TimeToken | undefined): "am" | "pm" | undefined => {
  const meridian = meaning(token, "meridian")
  if (meridian !== undefined) return meridian.value
  const part = meaning(token, "day part")
  return part === undefined ? undefined : part.from >= 12 ? "pm" : "am"
}

interface Reading {
  readonly figures: Figures
  readonly half: "am" | "pm" | undefined
  readonly length: number
}

const readingAt = (tokens: Tokens, at: number, isBare: boolean): Reading | undefined => {
  const word = meaning(tokens[at], "clock word")
  if (word !== undefined) {
    const figures = { hour: word.minutes / 60, minute: 0, isTwentyFourHours: true, length: 1 }
    const isHalf = minutesBehind(tokens[at + 1]) === 30
    return { figures: isHalf ? { ...figures, minute: 30 } : figures, half: undefined, length: isHalf ? 2 : 1 }
  }
  const figures = figuresAt(tokens, at, isBare)
  if (figures === undefined) return undefined
  let behind = at + figures.length
  // "3, da tarde" and "10:00 (am)" are rare enough to be read as two things.
  const half = halfAt(tokens[behind])
  if (half !== undefined) behind++
  return { figures, half, length: behind - at }
}

/** The second hour of a range, which may say which half of the day both are in. */
const endOfRange = (
  tokens: Tokens,
  at: number,
  start: Reading
): (ClockAtom & { readonly length: number }) | undefined => {
  if (meaning(tokens[at], "to") === undefined) return undefined
  const end = readingAt(tokens, at + 1, true)
  if (end === undefined) return undefined
  const [ends] = [readingsOf(end.figures, end.half)]
  const half = start.half ?? (end.half !== undefined && start.figures.hour <= end.figures.hour ? end.half : undefined)
  const starts = readingsOf(start.figures, half)
  const first = starts[0] ?? 0
  const last = ends.find((minutes) => minutes > first) ?? ends[0] ?? wholeDay
  return { is: "clock", readings: starts, until: last, length: at + 1 + end.length }
}

const isAtWord = (token: TimeToken | undefined): boolean => meaning(token, "at") !== undefined

/** The time, range of times or part of the day that begins at a token. */
export const clockAt = (tokens: Tokens, at: number): Match<ClockAtom> | undefined => {
  let index = at
  const relation = meaning(tokens[index], "relation")?.value
  const isRange = meaning(tokens[index], "range start") !== undefined || relation === "from"
  if (isRange || relation !== undefined) index++
  while (isAtWord(tokens[index]) && numberAt(tokens[index]) === undefined && index < at + 4) index++
  const isIntroduced = index > at && (isAtWord(tokens[index - 1]) || isRange || relation !== undefined)
  // "after 10" may be a day, a price or people: an hour needs more than a relation before it.
  const isBare = isIntroduced && (isAtWord(tokens[index - 1]) || isRange || isEndOfClause(tokens[index + 1]))
  const start = readingAt(tokens, index, isBare || isStartOfRange(tokens, index))
  if (start === undefined) return partAt(tokens, at)
  const range = endOfRange(tokens, index + start.length, start)
  if (range !== undefined && (isRange || isCertainRange(tokens, index, start))) {
    const { length, ...atom } = range
    return { atom, length: length - at }
  }
  if (isRange && relation === undefined && !isAtWord(tokens[at])) return undefined
  return {
    atom: {
      is: "clock",
      readings: readingsOf(start.figures, start.half),
      ...(relation === undefined ? {} : { relation })
    },
    length: index + start.length - at
  }
}

/** "2-4pm", "10 a 12h": a number that is an hour because the one behind it is. */
const isStartOfRange = (tokens: Tokens, at: number): boolean => {
  if (tokens[at]?.number === undefined || !/^(?:-|a|to|as)$/.test(tokens[at + 1]?.text ?? "")) return false
  const end = readingAt(tokens, at + 2, false)
  return end !== undefined && tokens[at + 2]?.clock === undefined
}

const isEndOfClause = (token: TimeToken | undefined): boolean => token === undefined || /^[.,;!?)]$/.test(token.text)

/** Without "from" or "between" a range needs a sign of the clock on its second hour: "10-12h", "2 to 4pm". */
const isCertainRange = (tokens: Tokens, at: number, { figures, half, length }: Reading): boolean => {
  const joint = tokens[at + length]
  if (joint?.text === "e" || joint?.text === "y" || joint?.text === "and") return false
  const end = readingAt(tokens, at + length + 1, false)
  return end !== undefined && (end.half !== undefined || end.length > 0 || half !== undefined || figures.length > 1)
}

const partAt = (tokens: Tokens, at: number): Match<ClockAtom> | undefined => {
  const part = meaning(tokens[at], "day part")
  if (part === undefined || isLight(tokens[at])) return undefined
  return {
    atom: { is: "clock", readings: [part.from * 60], until: part.to * 60, isPart: true },
    length: 1
  }
}
