import { numberBehindWeekday } from "./CalendarDates.ts"
import {
  type DateAtom,
  exact,
  type Match,
  type Matcher,
  meaning,
  ordinalAt,
  pastSmall,
  spanOf,
  type Tokens
} from "./DateAtoms.ts"
import { type Day, mondayOf, weekdayOf } from "./Days.ts"
import type { Period } from "./TimeMeanings.ts"
import type { TimeToken } from "./TimeTokens.ts"

export const periodAt = (tokens: Tokens, at: number): Period | undefined => meaning(tokens[at], "period")?.value

const weekdayOn = (weekday: number, period: Period | undefined, isEnglishNext: boolean, today: Day): DateAtom => {
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  const coming = today + (ahead === 0 ? 7 : ahead)
  const named = { ...exact(coming), weekday }
  const isComingNextWeek = coming > mondayOf(today) + 6
  switch (period) {
    case "last":
      return { ...exact(coming - 7), weekday, isPast: true }
    case "this":
      return ahead === 0 ? { ...exact(today), weekday } : named
    case "after next":
      return { ...exact(coming + 7), weekday }
    case "next":
      // Before the weekend, "next Thursday" is this week's for some people and next week's for others.
      if (isComingNextWeek || (!isEnglishNext && coming - today > 1)) return named
      return { ...named, alternatives: [coming, coming + 7] }
    default:
      return ahead === 0 ? { ...named, alternatives: [today, coming] } : named
  }
}

const isTimeOfDay = (token: TimeToken | undefined, behind: TimeToken | undefined): boolean =>
  token?.clock !== undefined ||
  (token?.number !== undefined && (meaning(behind, "hours") ?? meaning(behind, "meridian")) !== undefined)

const isAt = (token: TimeToken | undefined): boolean => meaning(token, "at") !== undefined

/**
 * "Thu", "seg" and "mar" are also ordinary words. They count as weekdays next to a date or a clock, or after a word
 * that usually precedes a day.
 */
const isSurelyWeekday = (tokens: Tokens, at: number): boolean => {
  const next = pastSmall(tokens, at + 1, 2)
  const [behind, before] = [tokens[next], tokens[at - 1]]
  const isClock = isTimeOfDay(behind, tokens[next + 1])
  const isAtClock = isAt(behind) && (tokens[next + 1]?.number ?? tokens[next + 1]?.clock) !== undefined
  const isDate = behind?.date !== undefined || meaning(behind, "month") !== undefined
  const isFollowed = isClock || isAtClock || isDate || meaning(behind, "day part") !== undefined
  const isPreceded =
    periodAt(tokens, at - 1) !== undefined || before?.text === "on" || before?.text === "na" || before?.text === "el"
  return isFollowed || isPreceded
}

/** The Portuguese number of a weekday: "3ª" is Tuesday, if something shows that it is a day. */
const numberedWeekday = (tokens: Tokens, at: number): number | undefined => {
  const token = tokens[at]
  const ending = token?.ordinalEnding
  if ((ending !== "a" && ending !== "ª") || token?.number === undefined) return undefined
  if (token.number < 2 || token.number > 6) return undefined
  const next = pastSmall(tokens, at + 1, 2)
  const isNamed = tokens[at + 1]?.text === "feira" || (tokens[at + 1]?.text === "-" && tokens[at + 2]?.text === "feira")
  const isFollowed = isAt(tokens[next]) || isTimeOfDay(tokens[next], tokens[next + 1])
  return isNamed || isFollowed || meaning(tokens[next], "day part") !== undefined ? token.number - 1 : undefined
}

interface NamedWeekday {
  readonly value: number
  readonly isEvery: boolean
  /** Tokens. */
  readonly length: number
}

const weekdayAt = (tokens: Tokens, at: number): NamedWeekday | undefined => {
  const numbered = numberedWeekday(tokens, at)
  if (numbered !== undefined) {
    const [next, afterNext] = [tokens[at + 1]?.text, tokens[at + 2]?.text]
    return {
      value: numbered,
      isEvery: false,
      length: next === "feira" ? 2 : next === "-" && afterNext === "feira" ? 3 : 1
    }
  }
  const named = meaning(tokens[at], "weekday")
  if (named === undefined || (named.isDoubtful === true && !isSurelyWeekday(tokens, at))) return undefined
  return { value: named.value, isEvery: named.isEvery === true, length: 1 }
}

/** In Portuguese "segunda" is "second" before these: "segunda via do boleto". */
const countedNouns = new Set(
  "via vez opcao fase etapa parte loja unidade filial pessoa geracao linha pergunta duvida proposta tentativa mensagem rodada".split(
    " "
  )
)

const lastWorkday = 5

/** "de segunda a quinta", "Monday to Wednesday": the days in between. Monday to Friday is understood as every week. */
const daysThrough = (tokens: Tokens, at: number, from: number, today: Day): Match<DateAtom> | undefined => {
  const isRange =
    meaning(tokens[at - 2], "range start") !== undefined || meaning(tokens[at - 1], "range start") !== undefined
  const joint = tokens[at]
  if ((meaning(joint, "to") ?? (isRange ? meaning(joint, "and") : undefined)) === undefined) return undefined
  const index = pastSmall(tokens, at + 1, 1)
  const to = weekdayAt(tokens, index)
  if (to === undefined) return undefined
  const { first } = weekdayOn(from, undefined, false, today).days
  const span = spanOf({ first, last: first + ((to.value - from + 7) % 7) }, "span")
  const isOfEveryWeek = from === 1 && to.value >= lastWorkday
  return { atom: isOfEveryWeek ? { ...span, isRecurring: true } : span, length: index + to.length - at }
}

/**
 * The number of the day right after the weekday: "lunes 16". A number that does not fit is an hour, unless a clock
 * follows.
 */
const withDayNumber = (tokens: Tokens, at: number, named: DateAtom, today: Day): Match<DateAtom> | undefined => {
  const number = numberBehindWeekday(tokens, at, today)
  if (number === undefined || named.weekday === undefined) return undefined
  const { day } = number.atom
  if (weekdayOf(day) === named.weekday)
    return { atom: { ...exact(day), weekday: named.weekday }, length: number.length }
  const behind = at + number.length
  const isBeforeClock = isAt(tokens[behind]) || isTimeOfDay(tokens[behind], tokens[behind + 1])
  if (!isBeforeClock) return undefined
  return {
    atom: { ...exact(day), alternatives: [day, nearestWeekday(day, named.weekday, today)] },
    length: number.length
  }
}

/** The closest such weekday to a day, but not before today: "terça, 2 de dezembro" may be Tuesday the 1st. */
export const nearestWeekday = (day: Day, weekday: number, today: Day): Day => {
  const ahead = (weekday - weekdayOf(day) + 7) % 7
  const nearest = ahead > 3 ? day + ahead - 7 : day + ahead
  return nearest < today ? nearest + 7 : nearest
}

/** A weekday's name with the words before it. */
interface Naming extends NamedWeekday {
  readonly before: Period | undefined
  readonly isEnglishNext: boolean
  /** After the name. */
  readonly end: number
}

const namingAt = (tokens: Tokens, at: number): Naming | undefined => {
  const isEvery = meaning(tokens[at], "every") !== undefined
  const before = isEvery ? undefined : periodAt(tokens, at)
  const index = before === undefined && !isEvery ? at : at + 1
  const named = weekdayAt(tokens, index)
  if (named === undefined) return undefined
  const next = tokens[index + named.length]
  const unit = meaning(next, "unit")?.value
  // "segunda quinzena", "segunda via": an ordinal.
  if ((unit !== undefined && unit !== "week") || countedNouns.has(next?.text ?? "")) return undefined
  const isEnglishNext = before === "next" && tokens[at]?.text === "next"
  return { ...named, isEvery: isEvery || named.isEvery, before, isEnglishNext, end: index + named.length }
}

/** "terça", "next Thursday", "quinta que vem", "el lunes pasado", "toda terça", "Tuesday week". */
export const weekday: Matcher = (tokens, at, { today }) => {
  const naming = namingAt(tokens, at)
  if (naming === undefined) return undefined
  const { before, end, isEnglishNext, isEvery, value } = naming
  const through = daysThrough(tokens, end, value, today)
  if (through !== undefined) return { ...through, length: through.length + end - at }
  const plain = weekdayOn(value, isEvery ? "next" : undefined, false, today)
  if (isEvery) return { atom: { ...exact(plain.days.first), weekday: value, isRecurring: true }, length: end - at }
  if (before !== undefined) return { atom: weekdayOn(value, before, isEnglishNext, today), length: end - at }
  return weekdayWithMore(tokens, at, end, value, plain, today)
}

/** A weekday with the words after it: "quinta que vem", "lunes 16", "Tuesday week". */
const weekdayWithMore = (
  tokens: Tokens,
  at: number,
  end: number,
  value: number,
  plain: DateAtom,
  today: Day
): Match<DateAtom> | undefined => {
  const behind = periodAt(tokens, end)
  // In "this Thursday next week", the period is part of "week".
  const isOfUnit = behind !== undefined && meaning(tokens[end + 1], "unit") !== undefined
  if (behind !== undefined && !isOfUnit) {
    return { atom: weekdayOn(value, behind, false, today), length: end + 1 - at }
  }
  if (tokens[end]?.text === "week" && tokens[end + 1]?.text !== "of") {
    return { atom: { ...exact(plain.days.first + 7), weekday: value }, length: end + 1 - at }
  }
  const numbered = behind === undefined ? withDayNumber(tokens, end, plain, today) : undefined
  return numbered === undefined
    ? { atom: plain, length: end - at }
    : { ...numbered, length: numbered.length + end - at }
}

/** "todos los días", "every day". */
export const everyDay: Matcher = (tokens, at, { today }) => {
  const unit = meaning(tokens[at + 1], "unit")?.value
  if (meaning(tokens[at], "every") === undefined || (unit !== "day" && unit !== "business day")) return undefined
  return { atom: { ...exact(today + 1), isRecurring: true }, length: 2 }
}

/** "first Monday of March", "última terça de janeiro". */
export const weekdayOfMonth = (
  ordinal: number | "last",
  weekdayNumber: number,
  first: Day,
  last: Day
): Day | undefined => {
  const start = first + ((weekdayNumber - weekdayOf(first) + 7) % 7)
  if (ordinal === "last") return start + Math.floor((last - start) / 7) * 7
  const day = start + (ordinal - 1) * 7
  return day <= last ? day : undefined
}

export const ordinalOrLast = (tokens: Tokens, at: number): number | "last" | undefined =>
  periodAt(tokens, at) === "last" ? "last" : ordinalAt(tokens[at])
