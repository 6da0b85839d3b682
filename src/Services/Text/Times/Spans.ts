import { dateInFigures, dayOfMonthAlone, dayThenMonth, monthThenDay, yearBehind } from "./CalendarDates.ts"
import {
  type DateAtom,
  type DateSetting,
  exact,
  type Grain,
  type Match,
  type Matcher,
  meaning,
  numberAt,
  ordinalAt,
  pastSmall,
  spanOf,
  type Tokens
} from "./DateAtoms.ts"
import { type Day, type Days, holidayDays, mondayOf, monthDays, monthsDays, partsOf, seasonDays } from "./Days.ts"
import type { Period, Unit } from "./TimeMeanings.ts"
import { ordinalOrLast, periodAt, weekdayOfMonth } from "./Weekdays.ts"

const weekFrom = (monday: Day): Days => ({ first: monday, last: monday + 6 })

const shiftOfPeriod: { readonly [P in Period]: number } = { next: 1, this: 0, last: -1, "after next": 2 }

/** The whole week, month or year that is `shift` units ahead. */
const wholeOf = (unit: Unit, shift: number, today: Day): { readonly days: Days; readonly grain: Grain } | undefined => {
  const { month, year } = partsOf(today)
  switch (unit) {
    case "week":
      return { days: weekFrom(mondayOf(today) + 7 * shift), grain: "week" }
    case "weekend": {
      const saturday = mondayOf(today) + 7 * shift + 5
      return { days: { first: saturday, last: saturday + 1 }, grain: "weekend" }
    }
    case "month":
      return { days: monthDays(year, month + shift), grain: "month" }
    case "quarter":
      return { days: monthsDays(year, Math.floor((month - 1) / 3) * 3 + 1 + 3 * shift, 3), grain: "quarter" }
    case "half-year":
      return { days: monthsDays(year, (month <= 6 ? 1 : 7) + 6 * shift, 6), grain: "half-year" }
    case "year":
      return { days: monthsDays(year + shift, 1, 12), grain: "year" }
    case "fortnight":
      return { days: { first: today, last: today + 14 }, grain: "span" }
    default:
      return undefined
  }
}

const spanOfPeriod = (unit: Unit, period: Period, today: Day): DateAtom | undefined => {
  const shift = shiftOfPeriod[period]
  const whole = wholeOf(unit, shift, today)
  if (whole === undefined) return undefined
  const { days, grain } = whole
  if (shift === 0) return spanOf({ first: Math.max(today, days.first), last: days.last }, grain)
  return { ...spanOf(days, grain), ...(shift < 0 ? { isPast: true } : {}) }
}

/** "semana que vem", "next month", "the week after next", "esta semana". A weekend alone means the coming one. */
export const period: Matcher = (tokens, at, { today }) => {
  const before = periodAt(tokens, at)
  const index = before === undefined ? at : at + 1
  const unit = meaning(tokens[index], "unit")?.value
  if (unit === undefined) return undefined
  const behind = periodAt(tokens, index + 1)
  const named = behind === "after next" ? behind : (before ?? behind ?? (unit === "weekend" ? "this" : undefined))
  const length = index + 1 - at + (behind !== undefined && (before === undefined || behind === "after next") ? 1 : 0)
  if (named === undefined) return undefined
  const atom = spanOfPeriod(unit, named, today)
  return atom === undefined ? undefined : { atom, length }
}

const comingSpan = (days: (year: number) => Days, today: Day): Days => {
  const { year } = partsOf(today)
  const now = days(year)
  return now.last >= today ? { first: Math.max(today, now.first), last: now.last } : days(year + 1)
}

/** A person who says "in the second half of the year" during that half means the next one. */
const nextSpan = (days: (year: number) => Days, today: Day): Days => {
  const { year } = partsOf(today)
  return days(year).first > today ? days(year) : days(year + 1)
}

interface PartOfYear {
  readonly unit: "quarter" | "half-year"
  readonly which: number
  /** The position after the words that name it. */
  readonly end: number
}

/** "Q2", "segundo semestre", "first quarter", "second half of the year". */
const partOfYearAt = (tokens: Tokens, at: number): PartOfYear | undefined => {
  const partOfYear = tokens[at]?.partOfYear
  if (partOfYear !== undefined) return { unit: partOfYear.unit, which: partOfYear.value, end: at + 1 }
  const half = meaning(tokens[at], "half")?.value
  const which = ordinalAt(tokens[at]) ?? half
  const index = pastSmall(tokens, at + 1, 3)
  const unit = meaning(tokens[index], "unit")?.value
  if (which === undefined || periodAt(tokens, index) !== undefined) return undefined
  if (unit === "quarter" || unit === "half-year") return { unit, which, end: index + 1 }
  return half !== undefined && unit === "year" && periodAt(tokens, index + 1) === undefined
    ? { unit: "half-year", which: half, end: index + 1 }
    : undefined
}

/** A quarter or half of a year: "primeiro trimestre de 2027", "H2 next year". */
export const partOfYear: Matcher = (tokens, at, { today }) => {
  const part = partOfYearAt(tokens, at)
  if (part === undefined) return undefined
  const months = part.unit === "quarter" ? 3 : 6
  if (part.which * months > 12) return undefined
  const { end, year } = yearBehind(tokens, part.end, today)
  const daysIn = (of: number): Days => monthsDays(of, (part.which - 1) * months + 1, months)
  return { atom: spanOf(year === undefined ? nextSpan(daysIn, today) : daysIn(year), part.unit), length: end - at }
}

type Part = "start" | "middle" | "end" | 1 | 2

const workdays = 5
const daysOfHalfMonth = 15

/**
 * Measures a period for later parts of it: the end of its first half, and the lengths of its beginning and end in days.
 */
const measuresOf = ({ first, last }: Days, grain: Grain): { half: number; edge: number; length: number } => {
  const length = last - first + 1
  if (grain === "week") return { length: workdays, half: 3, edge: 2 }
  if (grain === "month") return { length, half: daysOfHalfMonth, edge: 10 }
  if (grain === "year") return { length, half: monthsDays(partsOf(first).year, 1, 6).last - first + 1, edge: 45 }
  return { length, half: Math.ceil(length / 2), edge: Math.max(1, Math.round(length / 3)) }
}

/** A part of a span: "first half of next week", "fim do mês", "meados de março". */
const partOfSpan = (days: Days, grain: Grain, part: Part): Days => {
  const { edge, half, length } = measuresOf(days, grain)
  const last = days.first + length - 1
  switch (part) {
    case "start":
      return { first: days.first, last: days.first + edge - 1 }
    case "middle":
      return { first: days.first + edge, last: last - edge }
    case "end":
      return { first: last - edge + 1, last }
    case 1:
      return { first: days.first, last: days.first + half - 1 }
    case 2:
      return { first: grain === "week" ? days.first + 2 : days.first + half, last }
  }
}

/** The whole span that a match is part of. "this month" in August starts on the 1st, even though part of it is over. */
const wholeSpan = ({ days, grain }: DateAtom): Days => wholeOf(unitOfGrain(grain), 0, days.last)?.days ?? days

const unitOfGrain = (grain: Grain): Unit => (grain === "span" ? "day" : grain)

/** A half or an end of a span: "first half of next week", "mid-January", "fim do mês". */
export const edge: Matcher = (tokens, at, setting) => {
  const part = meaning(tokens[at], "edge")?.value ?? meaning(tokens[at], "half")?.value
  if (part === undefined) return undefined
  const next = pastSmall(tokens, at + 1, 3)
  const named = period(tokens, next, setting) ?? monthAlone(tokens, next, setting, true)
  if (named !== undefined) {
    const { atom, length } = named
    const days = partOfSpan(wholeSpan(atom), atom.grain, part)
    return { atom: { ...atom, days, grain: "span" }, length: next + length - at }
  }
  const unit = meaning(tokens[next], "unit")?.value
  if (unit === undefined || next === at + 1) return undefined
  return edgeOfRunning(unit, part, next + 1 - at, setting.today)
}

/** "fim do mês": the end of this month, or of the next if this month's end is over. */
const edgeOfRunning = (unit: Unit, part: Part, length: number, today: Day): Match<DateAtom> | undefined => {
  const [now, coming] = [wholeOf(unit, 0, today), wholeOf(unit, 1, today)]
  if (now === undefined || coming === undefined) return undefined
  const running = partOfSpan(now.days, now.grain, part)
  const isOver = running.last < today + 2
  const days = isOver
    ? partOfSpan(coming.days, coming.grain, part)
    : { ...running, first: Math.max(today, running.first) }
  return { atom: spanOf(days, "span"), length }
}

const monthPreposition = new Set(
  "em in en de by this next para pra for of no mes early late mid since desde".split(" ")
)

/** A month alone. Abbreviations and names that are ordinary words only count after a preposition. */
export const monthAlone = (
  tokens: Tokens,
  at: number,
  { today }: DateSetting,
  isIntroduced = false
): Match<DateAtom> | undefined => {
  const before = periodAt(tokens, at)
  const index = before === undefined ? at : at + 1
  const named = meaning(tokens[index], "month")
  if (named === undefined) return undefined
  const preceding = tokens[at - 1]
  const isPreceded =
    isIntroduced ||
    before !== undefined ||
    monthPreposition.has(preceding?.text ?? "") ||
    meaning(preceding, "relation") !== undefined
  if (named.isDoubtful === true && !isPreceded) return undefined
  const { end, year } = yearBehind(tokens, index + 1, today)
  const behind = year === undefined ? periodAt(tokens, index + 1) : undefined
  const days = year === undefined ? comingSpan((of) => monthDays(of, named.value), today) : monthDays(year, named.value)
  const isPast = days.last < today
  const isLast = before === "last" || behind === "last"
  const atom = isLast && !isPast ? monthBefore(days, today, named.value) : spanOf(days, "month")
  return {
    atom: isPast || isLast ? { ...atom, isPast: true } : atom,
    length: (behind === undefined ? end : index + 2) - at
  }
}

/** "last March", "janeiro passado". */
const monthBefore = (days: Days, today: Day, month: number): DateAtom => {
  const { year } = partsOf(days.first)
  return spanOf(days.first > today ? monthDays(year - 1, month) : days, "month")
}

const calendarDates: ReadonlyArray<Matcher> = [dayThenMonth, monthThenDay, dayOfMonthAlone, dateInFigures]

const holiday: Matcher = (tokens, at, { today }) => {
  const named = meaning(tokens[at], "holiday")
  return named === undefined ? undefined : { atom: spanOf(holidayDays(named.value, today), "span"), length: 1 }
}

/** A holiday, or the week that contains it: "after Easter", "Thanksgiving week". */
export const holidayOrItsWeek: Matcher = (tokens, at, setting) => {
  const named = holiday(tokens, at, setting)
  if (named === undefined || meaning(tokens[at + 1], "unit")?.value !== "week") return named
  return { atom: spanOf(weekFrom(mondayOf(named.atom.days.first)), "week"), length: 2 }
}

/** "semana do dia 14", "the week of December 14", "la semana de Pascua". */
export const weekOf: Matcher = (tokens, at, setting) => {
  if (meaning(tokens[at], "unit")?.value !== "week") return undefined
  for (let next = at + 1; next <= pastSmall(tokens, at + 1, 3); next++) {
    for (const matcher of [...calendarDates, holiday]) {
      const date = matcher(tokens, next, setting)
      if (date === undefined) continue
      const atom = spanOf(weekFrom(mondayOf(date.atom.days.first)), "week")
      return { atom, length: next + date.length - at }
    }
  }
  return undefined
}

/** "última semana de março", "second week of January", "first Monday of March". */
export const countedInMonth: Matcher = (tokens, at, setting) => {
  const ordinal = ordinalOrLast(tokens, at)
  if (ordinal === undefined) return undefined
  const named = meaning(tokens[at + 1], "weekday")?.value
  const isWeek = meaning(tokens[at + 1], "unit")?.value === "week"
  if (named === undefined && !isWeek) return undefined
  const next = pastSmall(tokens, at + 2, 2)
  const month = monthAlone(tokens, next, setting, true) ?? monthOfYear(tokens, next, setting)
  if (month === undefined) return undefined
  const { first, last } = wholeSpan(month.atom)
  const length = next + month.length - at
  if (named !== undefined) {
    const day = weekdayOfMonth(ordinal, named, first, last)
    return day === undefined ? undefined : { atom: { ...exact(day), weekday: named }, length }
  }
  if (ordinal === "last") return { atom: spanOf({ first: last - 6, last }, "span"), length }
  const start = first + (ordinal - 1) * 7
  return start > last ? undefined : { atom: spanOf({ first: start, last: Math.min(last, start + 6) }, "span"), length }
}

/** "of the month", "do mês". */
const monthOfYear: Matcher = (tokens, at, setting) =>
  meaning(tokens[at], "unit")?.value === "month"
    ? (period(tokens, at, setting) ?? {
        atom: spanOf(monthDays(partsOf(setting.today).year, partsOf(setting.today).month), "month"),
        length: 1
      })
    : undefined

export const season: Matcher = (tokens, at, { isSouthern, today }) => {
  const before = periodAt(tokens, at)
  const index = before === undefined ? at : at + 1
  const named = meaning(tokens[index], "season")
  if (named === undefined) return undefined
  const behind = before === undefined ? periodAt(tokens, index + 1) : undefined
  const length = index + 1 - at + (behind === undefined ? 0 : 1)
  return { atom: spanOf(seasonDays(named.value, isSouthern, today), "quarter"), length }
}

/** A year as a number: "in 2028", "só em 2027". */
export const yearAlone: Matcher = (tokens, at, { today }) => {
  const number = numberAt(tokens[at])
  const { year } = partsOf(today)
  const isPreceded =
    monthPreposition.has(tokens[at - 1]?.text ?? "") || meaning(tokens[at - 1], "relation") !== undefined
  if (tokens[at]?.number === undefined || number === undefined || !isPreceded) return undefined
  if (number < year - 1 || number > year + 5) return undefined
  return { atom: spanOf(monthsDays(number, 1, 12), "year"), length: 1 }
}
