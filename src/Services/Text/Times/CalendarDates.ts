import {
  type DateAtom,
  exact,
  isOrdinal,
  type Match,
  type Matcher,
  meaning,
  numberAt,
  ordinalAt,
  pastSmall,
  spanOf,
  type Tokens
} from "./DateAtoms.ts"
import { type Day, dayOf, monthDays, partsOf } from "./Days.ts"
import type { TimeToken } from "./TimeTokens.ts"
import type { WrittenDate } from "./WrittenFigures.ts"

/** A date without a year may be this many days in the past. Otherwise it is in the next year. */
const longestAgo = 60

/** A day and a month without a year: the next one, or the last one if it was less than two months ago. */
const nearestDay = (month: number, dayOfMonth: number, today: Day): DateAtom | undefined => {
  const { year } = partsOf(today)
  const [thisYear, nextYear] = [dayOf(year, month, dayOfMonth), dayOf(year + 1, month, dayOfMonth)]
  if (thisYear !== undefined && thisYear >= today) return exact(thisYear)
  if (thisYear !== undefined && today - thisYear < longestAgo) return { ...exact(thisYear), isPast: true }
  return nextYear === undefined ? undefined : exact(nextYear)
}

const dayOfFigures = (
  { first, second, year }: Extract<WrittenDate, { readonly kind: "figures" }>,
  isMonthFirst: boolean,
  today: Day
): DateAtom | undefined => {
  const [month, dayOfMonth] = isMonthFirst ? [first, second] : [second, first]
  if (year === undefined) return nearestDay(month, dayOfMonth, today)
  const day = dayOf(year, month, dayOfMonth)
  return day === undefined ? undefined : { ...exact(day), ...(day < today ? { isPast: true } : {}) }
}

/** "3/12", "2026-12-03". If the order of day and month is unclear, both readings are returned. */
export const dateInFigures: Matcher = (tokens, at, { figures, today }) => {
  const date = tokens[at]?.date
  if (date === undefined) return undefined
  if (date.kind === "iso") {
    const day = dayOf(date.year, date.month, date.day)
    return day === undefined ? undefined : { atom: exact(day), length: 1 }
  }
  const orders = figures === "month" ? [true, false] : [false, true]
  const [best, other] = orders.flatMap((isMonthFirst) => dayOfFigures(date, isMonthFirst, today) ?? [])
  if (best === undefined) return undefined
  const isOpen = figures === "either" && other !== undefined && other.days.first !== best.days.first
  return { atom: isOpen ? { ...best, alternatives: [best.days.first, other.days.first] } : best, length: 1 }
}

const yearAt = (token: TimeToken | undefined): number | undefined =>
  token?.number !== undefined && token.number >= 2000 && token.number <= 2100 ? token.number : undefined

/** The year after a date, following ", " or " de ", and its end: "10 de janeiro de 2027", "novembro do ano passado". */
export const yearBehind = (
  tokens: Tokens,
  at: number,
  today: Day
): { readonly year: number | undefined; readonly end: number } => {
  const index = pastSmall(tokens, at, 2)
  const year = yearAt(tokens[index])
  if (year !== undefined) return { year, end: index + 1 }
  const shift = yearShiftAt(tokens, index)
  return shift === undefined
    ? { year, end: at }
    : { year: partsOf(today).year + shift.years, end: index + shift.length }
}

const yearsOfPeriod = { next: 1, this: 0, last: -1, "after next": 2 } as const

/** "ano passado", "next year", "este año". */
const yearShiftAt = (tokens: Tokens, at: number): { readonly years: number; readonly length: number } | undefined => {
  const isYear = (index: number): boolean => meaning(tokens[index], "unit")?.value === "year"
  const [before, behind] = [meaning(tokens[at], "period"), meaning(tokens[at + 1], "period")]
  const period = before !== undefined && isYear(at + 1) ? before : isYear(at) ? behind : undefined
  return period === undefined ? undefined : { years: yearsOfPeriod[period.value], length: 2 }
}

const dayWithMonth = (
  tokens: Tokens,
  behind: number,
  at: number,
  month: number,
  dayOfMonth: number,
  today: Day
): Match<DateAtom> | undefined => {
  const { end, year } = yearBehind(tokens, behind, today)
  if (year === undefined) {
    const atom = nearestDay(month, dayOfMonth, today)
    return atom === undefined ? undefined : { atom, length: end - at }
  }
  const day = dayOf(year, month, dayOfMonth)
  return day === undefined
    ? undefined
    : { atom: { ...exact(day), ...(day < today ? { isPast: true } : {}) }, length: end - at }
}

const isDayNumber = (number: number | undefined): number is number =>
  number !== undefined && number >= 1 && number <= 31

const dayNumberAt = (token: TimeToken | undefined): number | undefined => {
  const number = numberAt(token) ?? (ordinalAt(token) === 1 ? 1 : undefined)
  return isDayNumber(number) ? number : undefined
}

/** "2 de dezembro", "3rd of March". */
export const dayThenMonth: Matcher = (tokens, at, { today }) => {
  const dayOfMonth = dayNumberAt(tokens[at])
  if (dayOfMonth === undefined) return undefined
  const next = pastSmall(tokens, at + 1, 2)
  const month = meaning(tokens[next], "month")
  return month === undefined ? undefined : dayWithMonth(tokens, next + 1, at, month.value, dayOfMonth, today)
}

/** "December 2nd", "Dec. the 2nd". */
export const monthThenDay: Matcher = (tokens, at, { today }) => {
  const month = meaning(tokens[at], "month")
  if (month === undefined) return undefined
  let next = at + 1
  if (tokens[next]?.text === "." || tokens[next]?.text === "the") next++
  const token = tokens[next]
  if (!isDayNumber(token?.number)) return undefined
  // "March 10 am" is a time of day.
  const behind = tokens[next + 1]
  if ((meaning(behind, "meridian") ?? meaning(behind, "hours")) !== undefined && !isOrdinal(token)) return undefined
  return dayWithMonth(tokens, next + 1, at, month.value, token.number, today)
}

const nextDayOfMonth = (dayOfMonth: number, today: Day): Day | undefined => {
  const { month, year } = partsOf(today)
  for (let ahead = 0; ahead < 4; ahead++) {
    const { first, last } = monthDays(year, month + ahead)
    const day = first + dayOfMonth - 1
    if (day <= last && day >= today) return day
  }
  return undefined
}

/** Whether the next token shows that a number is not a day: "10 %", "3 semanas", "9 h". */
const isCounted = (behind: TimeToken | undefined): boolean =>
  behind?.text === "%" ||
  behind?.text === ":" ||
  (meaning(behind, "unit") ?? meaning(behind, "hours") ?? meaning(behind, "meridian") ?? meaning(behind, "minutes")) !==
    undefined

/** "dia 10", "the 10th", "el 5". */
export const dayOfMonthAlone: Matcher = (tokens, at, setting) => {
  const introduction = tokens[at]
  if (meaning(introduction, "introduces a day") === undefined) return undefined
  let next = at + 1
  while (next < at + 3 && tokens[next]?.text === "dia") next++
  const withMonth = dayThenMonth(tokens, next, setting)
  if (withMonth !== undefined) return { ...withMonth, length: withMonth.length + next - at }
  const token = tokens[next]
  if (!isDayNumber(token?.number) || isCounted(tokens[next + 1])) return undefined
  const isEnglish = introduction?.text === "the" || introduction?.text === "on the"
  if (isEnglish && !isOrdinal(token)) return undefined
  const day = nextDayOfMonth(token.number, setting.today)
  return day === undefined ? undefined : { atom: exact(day), length: next + 1 - at }
}

const englishEndings = new Set(["st", "nd", "rd", "th"])

/** "on the 10th" may have any weekday before it. A bare "10th" is a day too. */
export const bareOrdinal: Matcher = (tokens, at, { today }) => {
  const token = tokens[at]
  if (!englishEndings.has(token?.ordinalEnding ?? "") || !isDayNumber(token?.number)) return undefined
  if (meaning(tokens[at + 1], "unit") !== undefined) return undefined
  const day = nextDayOfMonth(token.number, today)
  return day === undefined ? undefined : { atom: exact(day), length: 1 }
}

/** The number of a day after its weekday: "lunes 16", "quinta, 3". */
export const numberBehindWeekday = (
  tokens: Tokens,
  at: number,
  today: Day
): Match<{ readonly day: Day }> | undefined => {
  const index = tokens[at]?.text === "," ? at + 1 : at
  const number = tokens[index]?.number
  if (!isDayNumber(number) || isOrdinal(tokens[index]) || isCounted(tokens[index + 1])) return undefined
  if (meaning(tokens[pastSmall(tokens, index + 1, 2)], "month") !== undefined) return undefined
  // "miércoles 9 y media" is half past nine.
  const behind = tokens[index + 1]
  if (meaning(behind, "half hour") !== undefined && /^[ey] /.test(behind?.text ?? "")) return undefined
  if (meaning(tokens[index + 1], "to") !== undefined && numberAt(tokens[index + 2]) !== undefined) return undefined
  const day = nextDayOfMonth(number, today)
  return day === undefined ? undefined : { atom: { day }, length: index + 1 - at }
}

/** "15 a 19 de março", "entre el 3 y el 7 de mayo", "15-19 March". */
export const daysThenMonth: Matcher = (tokens, at, setting) => {
  const isRange = meaning(tokens[at], "range start") !== undefined
  const from = pastSmall(tokens, isRange ? at + 1 : at, 2)
  const first = dayNumberAt(tokens[from])
  const joint = tokens[from + 1]
  if (first === undefined || (meaning(joint, "to") ?? (isRange ? meaning(joint, "and") : undefined)) === undefined)
    return undefined
  const second = pastSmall(tokens, from + 2, 2)
  const end = dayThenMonth(tokens, second, setting)
  if (end === undefined || !isWithinMonth(first, end.atom.days.first)) return undefined
  return rangeTo(first, end.atom, second + end.length - at)
}

/** "March 15-19", "Dec 1 to 5". */
export const monthThenDays: Matcher = (tokens, at, setting) => {
  const start = monthThenDay(tokens, at, setting)
  if (start === undefined || meaning(tokens[at + start.length], "to") === undefined) return undefined
  const index = at + start.length + 1
  const number = tokens[index]?.number
  if (!isDayNumber(number) || isCounted(tokens[index + 1])) return undefined
  const { dayOfMonth } = partsOf(start.atom.days.first)
  if (number <= dayOfMonth) return undefined
  const { first } = start.atom.days
  return { atom: spanOf({ first, last: first + number - dayOfMonth }, "span"), length: index + 1 - at }
}

const isWithinMonth = (dayOfMonth: number, end: Day): boolean => dayOfMonth < partsOf(end).dayOfMonth

const rangeTo = (dayOfMonth: number, end: DateAtom, length: number): Match<DateAtom> => {
  const { last } = end.days
  return { atom: spanOf({ first: last - partsOf(last).dayOfMonth + dayOfMonth, last }, "span"), length }
}
