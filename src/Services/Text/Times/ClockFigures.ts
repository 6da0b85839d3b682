import { isOrdinal, meaning, numberAt, pastSmall, type Tokens } from "./DateAtoms.ts"
import type { TimeToken } from "./TimeTokens.ts"
import { isZoneWord } from "./ZoneNames.ts"

/** An hour and its minutes as written or spelled out. */
export interface Figures {
  readonly hour: number
  readonly minute: number
  readonly isTwentyFourHours: boolean
  /** Whether a mark or a word shows that it is a time, and not just its position in the sentence. */
  readonly isMarked: boolean
  /** Noon and midnight. */
  readonly isNamed: boolean
  /** Tokens. */
  readonly length: number
}

const noon = 720

const figures = (hour: number, minute: number, length: number, isMarked: boolean): Figures => ({
  hour: hour % 24,
  minute,
  isTwentyFourHours: hour > 12 || hour === 0,
  isMarked,
  isNamed: false,
  length
})

const isHour = (number: number | undefined): number is number => number !== undefined && number >= 0 && number <= 24
const isMinute = (number: number | undefined): number is number => number !== undefined && number > 0 && number < 60

/** "noon", "meio-dia e meia". */
const namedTime = (tokens: Tokens, at: number): Figures | undefined => {
  const word = meaning(tokens[at], "clock word")
  if (word === undefined) return undefined
  const added = minutesBehind(tokens, at + 1)
  const length = 1 + (added?.length ?? 0)
  return {
    ...figures(word.minutes / 60, added?.minutes ?? 0, length, true),
    isTwentyFourHours: true,
    isNamed: true
  }
}

/** Minutes that are added to an hour in words or figures: "e quinze", "y veinte", "e meia". */
const minutesBehind = (
  tokens: Tokens,
  at: number
): { readonly minutes: number; readonly length: number } | undefined => {
  const [token, next] = [tokens[at], tokens[at + 1]]
  const isJoined = token?.text.startsWith("e ") === true || token?.text.startsWith("y ") === true
  if (meaning(token, "half hour") !== undefined && isJoined) return { minutes: 30, length: 1 }
  if (meaning(token, "quarter hour") !== undefined && isJoined) return { minutes: 15, length: 1 }
  if (meaning(token, "and") === undefined) return undefined
  const minutes = numberAt(next)
  // "às 10 e às 11" and "9 e 12" are two times.
  const isSaid = isMinute(minutes) && (next?.number === undefined || minutes > 24) && minutes % 5 === 0
  return isSaid ? { minutes, length: 2 } : undefined
}

/** "menos cuarto", "menos diez": minutes that are subtracted from the hour. */
const minutesLess = (tokens: Tokens, at: number): { readonly minutes: number; readonly length: number } | undefined => {
  if (meaning(tokens[at], "minus") === undefined) return undefined
  const next = tokens[at + 1]
  const minutes = meaning(next, "quarter hour") === undefined ? numberAt(next) : 15
  return isMinute(minutes) && minutes < 30 ? { minutes, length: 2 } : undefined
}

/** The minutes before "to" and "past": "quarter", "half", "ten". */
const minutesAhead = (token: TimeToken | undefined): number | undefined => {
  if (meaning(token, "quarter hour") !== undefined) return 15
  if (meaning(token, "half hour") !== undefined) return 30
  const minutes = numberAt(token)
  return isMinute(minutes) && minutes % 5 === 0 ? minutes : undefined
}

const isTwelveHours = (hour: number | undefined): hour is number => hour !== undefined && hour >= 1 && hour <= 12

/** "half three" */
const halfOf = (tokens: Tokens, at: number): Figures | undefined => {
  const next = tokens[at + 1]
  const hour = numberAt(next)
  return tokens[at]?.text === "half" && isTwelveHours(hour) && next?.number === undefined
    ? figures(hour, 30, 2, true)
    : undefined
}

/** Words between hours and minutes. */
const minuteWords: ReadonlySet<string> = new Set(["minutes", "mins", "min", "minutos"])

/** "quarter to four", "half past two", "half three", "quinze para as três". */
const spokenFromMinutes = (tokens: Tokens, at: number): Figures | undefined => {
  const token = tokens[at]
  // "Twenty minutes to ten".
  const named = minuteWords.has(tokens[at + 1]?.text ?? "") ? 1 : 0
  const joint = tokens[at + 1 + named]
  const length = 3 + named
  const minutes = minutesAhead(token)
  if (minutes === undefined) return undefined
  const hour = numberAt(tokens[at + 2 + named])
  const isInFigures = token?.number !== undefined
  const isBefore = meaning(joint, "before the hour") !== undefined
  const isPast = meaning(joint, "past the hour") !== undefined
  if (isPast && isTwelveHours(hour) && !isCountedAt(tokens, at + length)) return figures(hour, minutes, length, true)
  // "10 to 5" is a range, and "ten to five" a time.
  const isRange = isInFigures && named === 0 && joint?.text === "to"
  if (isBefore && !isRange && isTwelveHours(hour) && minutes < 30 && !isCountedAt(tokens, at + length)) {
    return figures((hour + 11) % 12 || 12, 60 - minutes, length, true)
  }
  return halfOf(tokens, at)
}

const isCountedAt = (tokens: Tokens, at: number): boolean => meaning(tokens[at], "unit") !== undefined

/** "14:30", "14h30min", "2.30 pm". */
const writtenTime = (tokens: Tokens, at: number, isBare: boolean): Figures | undefined => {
  const clock = tokens[at]?.clock
  if (clock === undefined) return undefined
  const next = tokens[at + 1]
  const isMarked = isOfHours(next) || meaning(next, "minutes") !== undefined
  // "3.30 on Thursday".
  const isOfDay =
    (meaning(next, "weekday") ?? meaning(next?.text === "on" ? tokens[at + 2] : undefined, "weekday")) !== undefined
  const isSure = !clock.isDoubtful || isMarked || isBare || isOfDay || halfOfPart(next, clock.hour) !== undefined
  if (!isSure || "$€£".includes(tokens[at - 1]?.text ?? " ")) return undefined
  const { hour, isTwentyFourHours, minute } = clock
  return { ...figures(hour, minute, isMarked ? 2 : 1, true), isTwentyFourHours }
}

/** "415pm" */
const compactTime = (tokens: Tokens, at: number): Figures | undefined => {
  const token = tokens[at]
  if (token?.number === undefined || token.text.length < 3 || meaning(tokens[at + 1], "meridian") === undefined) {
    return undefined
  }
  const [hour, minute] = [Math.floor(token.number / 100), token.number % 100]
  return isTwelveHours(hour) && minute < 60 ? figures(hour, minute, 1, true) : undefined
}

/** "1430" after a date or "at". Elsewhere it may be a year. */
const militaryTime = (tokens: Tokens, at: number, isBare: boolean): Figures | undefined => {
  const token = tokens[at]
  const isHours = isOfHours(tokens[at + 1])
  if (token?.number === undefined || token.text.length !== 4 || !(isBare || isHours) || isOrdinal(token))
    return undefined
  const [hour, minute] = [Math.floor(token.number / 100), token.number % 100]
  const isYear = (hour === 19 || hour === 20) && !isHours
  if (hour > 23 || minute > 59 || isYear) return undefined
  return { ...figures(hour, minute, isHours ? 2 : 1, true), isTwentyFourHours: hour > 12 || token.text.startsWith("0") }
}

/** Words for hours after a number. "hora" can also belong to a zone ("10:00 hora de Lima"). */
const isOfHours = (token: TimeToken | undefined): boolean =>
  meaning(token, "hours") !== undefined && token?.text !== "hora"

/** A number that is an hour because of what follows it or, if `isBare` allows it, because of its position. */
const plainHour = (tokens: Tokens, at: number, isBare: boolean): Figures | undefined => {
  const token = tokens[at]
  const hour = numberAt(token)
  if (!isHour(hour) || isOrdinal(token) || ((token?.text.length ?? 0) > 2 && token?.number !== undefined))
    return undefined
  const joined = joinedMinutes(tokens, at, hour)
  if (joined !== undefined) return joined
  const next = tokens[at + 1]
  if (isOfHours(next)) return hourWithUnit(tokens, at, hour, isBare)
  if (halfOfPart(next, hour) !== undefined && isPartOfHour(next)) return figures(hour, 0, 1, true)
  const spelled = token?.number === undefined && isTwelveHours(hour) ? spelledMinutes(tokens, at + 1) : undefined
  if (spelled !== undefined) return figures(hour, spelled.minutes, 1 + spelled.length, isBare || spelled.isSure)
  return isBare && isFreeHour(tokens, at + 1) ? figures(hour, 0, 1, false) : undefined
}

/** "duas e quinze", "las cinco menos cuarto". */
const joinedMinutes = (tokens: Tokens, at: number, hour: number): Figures | undefined => {
  const added = minutesBehind(tokens, at + 1)
  if (added !== undefined) return withHours(tokens, at, figures(hour, added.minutes, 1 + added.length, true))
  const less = minutesLess(tokens, at + 1)
  return less !== undefined && isTwelveHours(hour)
    ? figures((hour + 11) % 12 || 12, 60 - less.minutes, 1 + less.length, true)
    : undefined
}

const withHours = (tokens: Tokens, at: number, read: Figures): Figures =>
  isOfHours(tokens[at + read.length]) ? { ...read, length: read.length + 1 } : read

/** "10h", "10 horas e meia". "2 horas" is a duration, unless a word before it shows that it is a time. */
const hourWithUnit = (tokens: Tokens, at: number, hour: number, isBare: boolean): Figures | undefined => {
  const isCount = meaning(tokens[at + 1], "hours")?.isLong === true || hour === 24
  if (isCount && !isBare) return undefined
  const added = minutesBehind(tokens, at + 2)
  return figures(hour, added?.minutes ?? 0, 2 + (added?.length ?? 0), true)
}

/**
 * "two thirty". Only tens and fifteen are read, and only if other words show that it is a time, because others are
 * rare.
 */
const spelledMinutes = (
  tokens: Tokens,
  at: number
): { readonly minutes: number; readonly length: number; readonly isSure: boolean } | undefined => {
  const minutes = meaning(tokens[at], "number")?.value
  if (!isMinute(minutes) || minutes < 15 || minutes % 5 !== 0) return undefined
  const behind = tokens[at + 1]
  const isSure = (meaning(behind, "meridian") ?? meaning(behind, "day part")) !== undefined || behind?.text === "on"
  return { minutes, length: 1, isSure }
}

/** Parts of the day that can follow an hour: "8 da noite", but not "10 cedo". */
const isPartOfHour = (token: TimeToken | undefined): boolean => {
  if (meaning(token, "meridian") !== undefined) return true
  const first = token?.text.split(" ")[0] ?? ""
  return token?.text.includes(" ") === true && ["da", "de", "in", "por", "x", "at", "del", "en", "a"].includes(first)
}

/** Words ending in s that are not plural nouns which a number before them counts. */
const wordsInS = new Set(
  "works is suits looks sounds does fits was nos es as os les vcs voces nosotros mas pues entonces gracias thanks".split(
    " "
  )
)
const countedWords = new Set("people mil k por percent gente million pessoal".split(" "))

/** Whether the hour before a token is not a count: "às 8" and "at 3 we", but not "às 10 lojas". */
const isFreeHour = (tokens: Tokens, at: number): boolean => {
  const token = tokens[at]
  if (token === undefined) return true
  if (token.number !== undefined || token.clock !== undefined) return false
  if (meaning(tokens[pastSmall(tokens, at, 2)], "month") !== undefined) return false
  if (
    meaning(token, "unit") !== undefined ||
    meaning(token, "month") !== undefined ||
    meaning(token, "minutes") !== undefined
  )
    return false
  if (token.meanings.length > 0 || isZoneWord(token.text) || "gmt utc".includes(token.text)) return true
  if (token.text.length === 1) return !"%$€".includes(token.text)
  const isPlural = token.text.endsWith("s") && !token.text.endsWith("mos") && !wordsInS.has(token.text)
  return !isPlural && !countedWords.has(token.text)
}

/**
 * The hour and minutes that begin at a token. `isBare` allows a number alone, if its position shows that it is an hour.
 */
export const clockFiguresAt = (tokens: Tokens, at: number, isBare: boolean): Figures | undefined =>
  namedTime(tokens, at) ??
  writtenTime(tokens, at, isBare) ??
  spokenFromMinutes(tokens, at) ??
  compactTime(tokens, at) ??
  militaryTime(tokens, at, isBare) ??
  plainHour(tokens, at, isBare)

/**
 * The half of the day that the token after an hour states: "12 de la mañana" is noon, and "12 de la noche" midnight.
 */
export const halfOfPart = (token: TimeToken | undefined, hour: number): "am" | "pm" | undefined => {
  const meridian = meaning(token, "meridian")
  if (meridian !== undefined) return meridian.value
  const part = meaning(token, "day part")
  if (part === undefined) return undefined
  const isLate = part.from >= 12
  if (hour === 12) return isLate && part.from >= 18 ? "am" : "pm"
  return isLate ? "pm" : "am"
}

/** Both halves of the day, unless the words or the figures decide. */
export const readingsOf = (
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
