import { type Day, type Days, dayOf, holidayDays, mondayOf, monthDays, monthsDays, partsOf, weekdayOf } from "./Days.ts"
import type { TimeToken } from "./TimeTokens.ts"
import type { Relation, TimeWord, Unit } from "./TimeWords.ts"

/** What kind of span was named: only a day can be an appointment's. */
export type Grain = "day" | "weekend" | "week" | "month" | "quarter" | "half-year" | "year" | "span"

/** A day or a span of days that a text names. */
export interface DateAtom {
  readonly is: "date"
  readonly days: Days
  readonly grain: Grain
  /** The weekday that was named, 0 for Sunday. */
  readonly weekday?: number
  /** Other days that the same words may mean: "next Tuesday", said on a Monday. */
  readonly alternatives?: ReadonlyArray<Day>
  readonly relation?: Relation
  /** Named as past, or as one that comes every week. */
  readonly isPast?: boolean
  readonly isRecurring?: boolean
}

/** Where and how the text was inFigures. */
export interface DateSetting {
  readonly today: Day
  /** How "3/12" is read: `month` first, `day` first, or `either` where the writer may mean both. */
  readonly figures: "month" | "day" | "either"
}

/** An atom with the number of tokens that it takes. */
export interface Match<Atom> {
  readonly atom: Atom
  readonly length: number
}

export type Tokens = ReadonlyArray<TimeToken>

export const meaning = <Is extends TimeWord["is"]>(
  token: TimeToken | undefined,
  is: Is
): Extract<TimeWord, { readonly is: Is }> | undefined =>
  token?.meanings.find((word): word is Extract<TimeWord, { readonly is: Is }> => word.is === is)

export const isLight = (token: TimeToken | undefined): boolean => meaning(token, "light") !== undefined

/** A whole number, in figures or as a word. */
export const numberAt = (token: TimeToken | undefined): number | undefined =>
  token?.number ?? meaning(token, "number")?.value

const ordinalAt = (token: TimeToken | undefined): number | undefined =>
  (token?.isOrdinal === true ? token.number : undefined) ?? meaning(token, "ordinal")?.value

/** The first token from `at` on that is not a small word, looking past at most `most` of them. */
const pastLight = (tokens: Tokens, at: number, most = 3): number => {
  let index = at
  while (index < at + most && isLight(tokens[index]) && meaning(tokens[index], "period") === undefined) index++
  return index
}

const exact = (day: Day): DateAtom => ({ is: "date", days: { first: day, last: day }, grain: "day" })

const spanOf = (days: Days, grain: Grain): DateAtom => ({ is: "date", days, grain })

/** A day and a month without a year: the next such day, or the one that was less than two months ago. */
const nearestDay = (month: number, dayOfMonth: number, today: Day): DateAtom | undefined => {
  const { year } = partsOf(today)
  const [thisYear, nextYear] = [dayOf(year, month, dayOfMonth), dayOf(year + 1, month, dayOfMonth)]
  if (thisYear !== undefined && thisYear >= today) return exact(thisYear)
  if (thisYear !== undefined && today - thisYear < 60) return { ...exact(thisYear), isPast: true }
  return nextYear === undefined ? undefined : exact(nextYear)
}

const dateInFigures: Matcher = (tokens, at, { figures, today }) => {
  const inFigures = tokens[at]?.date
  if (inFigures === undefined) return undefined
  if (inFigures.kind === "iso") {
    const day = dayOf(inFigures.year, inFigures.month, inFigures.day)
    return day === undefined ? undefined : { atom: exact(day), length: 1 }
  }
  const { first, second, year } = inFigures
  const readings = (
    figures === "month"
      ? [[first, second]]
      : figures === "day"
        ? [[second, first]]
        : [
            [second, first],
            [first, second]
          ]
  )
    .concat(figures === "month" ? [[second, first]] : figures === "day" ? [[first, second]] : [])
    .flatMap(([month = 0, day = 0]) => {
      if (year !== undefined) return dayOf(year, month, day) ?? []
      return nearestDay(month, day, today) ?? []
    })
    .map((reading) => (typeof reading === "number" ? exact(reading) : reading))
  const [best, other] = readings
  if (best === undefined) return undefined
  const isDoubtful = figures === "either" && other !== undefined && other.days.first !== best.days.first
  return { atom: isDoubtful ? { ...best, alternatives: [best.days.first, other.days.first] } : best, length: 1 }
}

const yearAt = (token: TimeToken | undefined): number | undefined =>
  token?.number !== undefined && token.number >= 2000 && token.number <= 2100 ? token.number : undefined

/** The year behind a date, past ", " or " de ", and where it ends. */
const yearBehind = (tokens: Tokens, at: number): { readonly year: number | undefined; readonly end: number } => {
  const year = yearAt(tokens[pastLight(tokens, at, 2)])
  return year === undefined ? { year, end: at } : { year, end: pastLight(tokens, at, 2) + 1 }
}

const dayWithMonth = (
  tokens: Tokens,
  behind: number,
  at: number,
  month: number,
  dayOfMonth: number,
  today: Day
): Match<DateAtom> | undefined => {
  const { end, year } = yearBehind(tokens, behind)
  const day = year === undefined ? undefined : dayOf(year, month, dayOfMonth)
  const atom = year === undefined ? nearestDay(month, dayOfMonth, today) : day === undefined ? undefined : exact(day)
  return atom === undefined ? undefined : { atom, length: end - at }
}

const isDayNumber = (number: number | undefined): number is number =>
  number !== undefined && number >= 1 && number <= 31

/** "2 de dezembro", "3rd of March". */
const dayThenMonth: Matcher = (tokens, at, { today }) => {
  const dayOfMonth = numberAt(tokens[at]) ?? (ordinalAt(tokens[at]) === 1 ? 1 : undefined)
  if (!isDayNumber(dayOfMonth)) return undefined
  const next = pastLight(tokens, at + 1, 2)
  const month = meaning(tokens[next], "month")
  return month === undefined ? undefined : dayWithMonth(tokens, next + 1, at, month.value, dayOfMonth, today)
}

/** "December 2nd", "Dec. the 2nd". */
const monthThenDay: Matcher = (tokens, at, { today }) => {
  const month = meaning(tokens[at], "month")
  if (month === undefined) return undefined
  let next = at + 1
  if (tokens[next]?.text === "." || tokens[next]?.text === "the") next++
  const token = tokens[next]
  if (!isDayNumber(token?.number) || token.clock !== undefined) return undefined
  // "March 10 am" is a clock.
  if (meaning(tokens[next + 1], "meridian") !== undefined && !token.isOrdinal) return undefined
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

/** "dia 10", "the 10th", "el 5". */
const dayOfMonthAlone: Matcher = (tokens, at, setting) => {
  const { today } = setting
  const introduction = tokens[at]
  const isDays = introduction?.text === "dias"
  if (meaning(introduction, "day of month") === undefined && !isDays) return undefined
  let next = at + 1
  while (next < at + 3 && tokens[next]?.text === "dia") next++
  const withMonth = dayThenMonth(tokens, next, setting)
  if (withMonth !== undefined) return { ...withMonth, length: withMonth.length + next - at }
  const token = tokens[next]
  if (!isDayNumber(token?.number) || token.clock !== undefined) return undefined
  const isEnglish = introduction?.text === "the" || introduction?.text === "on the"
  if (isEnglish && !token.isOrdinal) return undefined
  const behind = tokens[next + 1]
  if (behind?.text === "%" || meaning(behind, "unit") !== undefined || meaning(behind, "hours") !== undefined)
    return undefined
  const day = nextDayOfMonth(token.number, today)
  return day === undefined ? undefined : { atom: exact(day), length: next + 1 - at }
}

/** "on the 10th" is said with any weekday before it; a bare "10th" is a day too. */
const bareOrdinal: Matcher = (tokens, at, { today }) => {
  const token = tokens[at]
  if (token?.isOrdinal !== true || !/(?:st|nd|rd|th)$/.test(token.text) || !isDayNumber(token.number)) return undefined
  if (meaning(tokens[at + 1], "unit") !== undefined) return undefined
  const day = nextDayOfMonth(token.number, today)
  return day === undefined ? undefined : { atom: exact(day), length: 1 }
}

const namedDay: Matcher = (tokens, at, { today }) => {
  const named = meaning(tokens[at], "named day")
  if (named === undefined) return undefined
  const atom = exact(today + named.value)
  return { atom: named.value < 0 ? { ...atom, isPast: true } : atom, length: 1 }
}

type Period = "next" | "this" | "last" | "after next"

const periodAt = (tokens: Tokens, at: number): Period | undefined => meaning(tokens[at], "period")?.value

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
      // Before the weekend "next Thursday" is this week's to some and next week's to others.
      if (isComingNextWeek || (!isEnglishNext && coming - today > 1)) return named
      return { ...named, alternatives: [coming, coming + 7] }
    default:
      return ahead === 0 ? { ...named, alternatives: [today, coming] } : named
  }
}

/** "Thu", "seg" and "mar" are words too: they count next to a date or a clock, or behind a word that a day follows. */
const isSurelyWeekday = (tokens: Tokens, at: number): boolean => {
  const index = pastLight(tokens, at + 1, 2)
  const [next, afterNext, before] = [tokens[index], tokens[index + 1], tokens[at - 1]?.text]
  const isHour =
    next?.number !== undefined && [meaning(afterNext, "hours"), meaning(afterNext, "meridian")].some(Boolean)
  return (
    isHour ||
    next?.clock !== undefined ||
    next?.date !== undefined ||
    meaning(next, "month") !== undefined ||
    meaning(tokens[at - 1], "period") !== undefined ||
    before === "on" ||
    before === "na"
  )
}

/** In Portuguese "segunda" is "second" before these: "segunda via do boleto". */
const countedNouns = new Set(
  "via vez opcao fase etapa parte loja unidade filial pessoa geracao linha pergunta duvida proposta tentativa mensagem rodada feira".split(
    " "
  )
)

/** "de segunda a quinta", "Monday to Wednesday": the days from one to the other. */
const daysThrough = (tokens: Tokens, at: number, from: number, today: Day): Match<DateAtom> | undefined => {
  if (!/^(?:a|to|through|thru|-|ate)$/.test(tokens[at + 1]?.text ?? "")) return undefined
  const to = meaning(tokens[at + 2], "weekday")
  if (to === undefined) return undefined
  const first = weekdayOn(from, undefined, false, today).days.first
  const length = (to.value - from + 7) % 7
  return { atom: spanOf({ first, last: first + length }, "span"), length: 3 }
}

/** "terça", "next Thursday", "quinta que vem", "el lunes pasado"; a weekday of every week is no day. */
const weekday: Matcher = (tokens, at, { today }) => {
  if (meaning(tokens[at], "recurring weekday") !== undefined) {
    return { atom: { ...spanOf({ first: today, last: today + 6 }, "week"), isRecurring: true }, length: 1 }
  }
  const before = periodAt(tokens, at)
  const index = before === undefined ? at : at + 1
  const named = meaning(tokens[index], "weekday")
  if (named === undefined || (named.isDoubtful === true && !isSurelyWeekday(tokens, index))) return undefined
  if (countedNouns.has(tokens[index + 1]?.text ?? "")) return undefined
  // "segunda quinzena": an ordinal.
  const unit = meaning(tokens[index + 1], "unit")?.value
  if (unit !== undefined && unit !== "week") return undefined
  const through = daysThrough(tokens, index, named.value, today)
  if (through !== undefined) return { ...through, length: through.length + index - at }
  const behind = periodAt(tokens, index + 1)
  // In "this Thursday next week" the period belongs to the week.
  const isOfUnit = behind !== undefined && meaning(tokens[index + 2], "unit") !== undefined
  const period = before ?? (isOfUnit ? undefined : behind)
  const isEnglishNext = before === "next" && tokens[at]?.text === "next"
  const length = index + 1 - at + (before === undefined && behind !== undefined && !isOfUnit ? 1 : 0)
  return { atom: weekdayOn(named.value, period, isEnglishNext, today), length }
}

const weekFrom = (monday: Day): Days => ({ first: monday, last: monday + 6 })

const spanOfPeriod = (unit: Unit, period: Period, today: Day): DateAtom | undefined => {
  const { month, year } = partsOf(today)
  const shift = { next: 1, this: 0, last: -1, "after next": 2 }[period]
  const from = (days: Days, grain: Grain): DateAtom => ({
    ...spanOf(shift === 0 ? { first: Math.max(today, days.first), last: days.last } : days, grain),
    ...(shift < 0 ? { isPast: true } : {})
  })
  const quarter = Math.floor((month - 1) / 3) * 3 + 1
  const half = month <= 6 ? 1 : 7
  switch (unit) {
    case "week":
      return from(weekFrom(mondayOf(today) + 7 * shift), "week")
    case "weekend":
      return from({ first: mondayOf(today) + 7 * shift + 5, last: mondayOf(today) + 7 * shift + 6 }, "weekend")
    case "month":
      return from(monthDays(year, month + shift), "month")
    case "quarter":
      return from(monthsDays(year, quarter + 3 * shift, 3), "quarter")
    case "half-year":
      return from(monthsDays(year, half + 6 * shift, 6), "half-year")
    case "year":
      return from(monthsDays(year + shift, 1, 12), "year")
    case "fortnight":
      return from({ first: today, last: today + 14 }, "span")
    default:
      return undefined
  }
}

/** "semana que vem", "next month", "the week after next", "esta semana". */
const period: Matcher = (tokens, at, { today }) => {
  const before = periodAt(tokens, at)
  const index = before === undefined ? at : at + 1
  const unit = meaning(tokens[index], "unit")?.value
  if (unit === undefined) return undefined
  const behind = periodAt(tokens, index + 1)
  const named = behind === "after next" ? behind : (before ?? behind)
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

/** Who says "in the second half of the year" while it runs means the next one. */
const nextSpan = (days: (year: number) => Days, today: Day): Days => {
  const { year } = partsOf(today)
  return days(year).first > today ? days(year) : days(year + 1)
}

/** "Q2", "segundo semestre", "first quarter", "second half of the year", "primeiro trimestre de 2027". */
const partOfYear: Matcher = (tokens, at, { today }) => {
  const ordinal = ordinalAt(tokens[at]) ?? meaning(tokens[at], "half")?.value
  const quarter = tokens[at]?.quarter
  const unitIndex = quarter === undefined ? pastLight(tokens, at + 1, 3) : at
  const unit = quarter === undefined ? meaning(tokens[unitIndex], "unit")?.value : "quarter"
  const which = quarter ?? ordinal
  const isHalfOfYear = meaning(tokens[at], "half") !== undefined && unit === "year"
  if (which === undefined || (unit !== "quarter" && unit !== "half-year" && !isHalfOfYear)) return undefined
  const months = unit === "quarter" ? 3 : 6
  if (which * months > 12) return undefined
  const { end, year } = yearBehind(tokens, unitIndex + 1)
  const daysIn = (of: number): Days => monthsDays(of, (which - 1) * months + 1, months)
  const days = year === undefined ? nextSpan(daysIn, today) : daysIn(year)
  return { atom: spanOf(days, unit === "quarter" ? "quarter" : "half-year"), length: end - at }
}

/** The part of a span: "first half of next week", "fim do mês", "meados de março". */
const partOfSpan = (days: Days, part: "start" | "middle" | "end" | 1 | 2): Days => {
  const length = days.last - days.first + 1
  // Of a week Monday to Friday counts.
  const whole = length === 7 ? 5 : length
  const third = Math.max(1, Math.round(whole / 3))
  const half = Math.ceil(whole / 2)
  switch (part) {
    case "start":
      return { first: days.first, last: days.first + third - 1 }
    case "middle":
      return { first: days.first + third, last: days.first + whole - 1 - third }
    case "end":
      return { first: days.first + whole - third, last: days.first + whole - 1 }
    case 1:
      return { first: days.first, last: days.first + half - 1 }
    case 2:
      return { first: days.first + whole - half, last: days.first + whole - 1 }
  }
}

const edge: Matcher = (tokens, at, setting) => {
  const part = meaning(tokens[at], "edge")?.value ?? meaning(tokens[at], "half")?.value
  if (part === undefined) return undefined
  const next = pastLight(tokens, at + 1, 3)
  const named = period(tokens, next, setting) ?? monthAlone(tokens, next, setting, true)
  if (named !== undefined) {
    const atom = { ...named.atom, days: partOfSpan(named.atom.days, part), grain: "span" as const }
    return { atom, length: next + named.length - at }
  }
  const unit = meaning(tokens[next], "unit")?.value
  if (unit === undefined || unit === "day" || unit === "business day" || next === at + 1) return undefined
  const [now, coming] = [spanOfPeriod(unit, "this", setting.today), spanOfPeriod(unit, "next", setting.today)]
  if (now === undefined || coming === undefined) return undefined
  const whole = { first: now.days.last - (coming.days.last - coming.days.first), last: now.days.last }
  const inPart = partOfSpan(whole, part)
  const days =
    inPart.last < setting.today + 2
      ? partOfSpan(coming.days, part)
      : { first: Math.max(setting.today, inPart.first), last: inPart.last }
  return { atom: spanOf(days, "span"), length: next + 1 - at }
}

const monthPreposition = new Set([
  "em",
  "in",
  "en",
  "de",
  "by",
  "this",
  "next",
  "para",
  "pra",
  "for",
  "of",
  "no",
  "mes",
  "early",
  "late",
  "mid"
])

/** A month by itself. Short names, and those that are words too, count only behind a preposition. */
const monthAlone = (
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
  const behind = periodAt(tokens, index + 1)
  const { end, year } = yearBehind(tokens, index + 1)
  const days = year === undefined ? comingSpan((of) => monthDays(of, named.value), today) : monthDays(year, named.value)
  const isPast = before === "last" || behind === "last"
  return {
    atom: { ...spanOf(days, "month"), ...(isPast ? { isPast } : {}) },
    length: (year === undefined && behind !== undefined ? index + 2 : end) - at
  }
}

const lengthOf: { readonly [U in Unit]: number } = {
  day: 1,
  "business day": 1.4,
  week: 7,
  weekend: 7,
  fortnight: 14,
  month: 30,
  quarter: 91,
  "half-year": 182,
  year: 365
}

/** How exact "in three weeks" is meant: three weeks, give or take some days. */
const about = (today: Day, count: number, unit: Unit): DateAtom => {
  const day = today + Math.round(count * lengthOf[unit])
  if (unit === "day") return exact(day)
  return spanOf({ first: day, last: day + Math.max(1, Math.round((count * lengthOf[unit]) / 6)) }, "span")
}

/** "em 15 dias", "in two weeks", "dentro de un mes", "two weeks from now", "há 2 semanas". */
const ahead: Matcher = (tokens, at, { today }) => {
  const isAgoBefore = meaning(tokens[at], "ago") !== undefined
  const isAhead = meaning(tokens[at], "ahead") !== undefined
  let index = isAhead || isAgoBefore ? at + 1 : at
  if (meaning(tokens[index], "at") !== undefined && numberAt(tokens[index]) === undefined) index++
  const article = tokens[index]?.text === "a" || tokens[index]?.text === "an" || tokens[index]?.text === "uns"
  const count = numberAt(tokens[index]) ?? (article ? 1 : undefined)
  const unit = meaning(tokens[index + 1], "unit")?.value
  if (count === undefined || unit === undefined || count > 400) return undefined
  const behind = tokens[index + 2]
  const isAgo = isAgoBefore || meaning(behind, "ago") !== undefined
  const isFromNow = meaning(behind, "from now") !== undefined
  if (isAgo) {
    return { atom: { ...about(today, -count, unit), isPast: true }, length: index + (isAgoBefore ? 2 : 3) - at }
  }
  if (!isAhead && !isFromNow) return undefined
  return { atom: about(today, count, unit), length: index + (isFromNow ? 3 : 2) - at }
}

/** "a week from Tuesday", "two weeks from Monday". */
const countedFrom: Matcher = (tokens, at, setting) => {
  const article = tokens[at]?.text === "a"
  const count = numberAt(tokens[at]) ?? (article ? 1 : undefined)
  const unit = meaning(tokens[at + 1], "unit")?.value
  if (count === undefined || (unit !== "week" && unit !== "day") || tokens[at + 2]?.text !== "from") return undefined
  const from = weekday(tokens, at + 3, setting) ?? namedDay(tokens, at + 3, setting)
  if (from === undefined) return undefined
  return { atom: exact(from.atom.days.first + count * lengthOf[unit]), length: from.length + 3 }
}

/** "in the next two weeks", "nas próximas três semanas": from now until then. */
const withinNext: Matcher = (tokens, at, { today }) => {
  const count = numberAt(tokens[at + 1])
  const unit = meaning(tokens[at + 2], "unit")?.value
  if (periodAt(tokens, at) !== "next" || count === undefined || unit === undefined || count > 400) return undefined
  return { atom: spanOf({ first: today, last: today + Math.round(count * lengthOf[unit]) }, "span"), length: 3 }
}

const holiday: Matcher = (tokens, at, { today }) => {
  const named = meaning(tokens[at], "holiday")
  return named === undefined ? undefined : { atom: spanOf(holidayDays(named.value, today), "span"), length: 1 }
}

type Matcher = (tokens: Tokens, at: number, setting: DateSetting) => Match<DateAtom> | undefined

const matchers: ReadonlyArray<Matcher> = [
  dateInFigures,
  dayThenMonth,
  monthThenDay,
  partOfYear,
  edge,
  holiday,
  period,
  weekday,
  ahead,
  countedFrom,
  withinNext,
  namedDay,
  dayOfMonthAlone,
  bareOrdinal,
  (tokens, at, setting) => monthAlone(tokens, at, setting)
]

/** The date that begins at a token: the reading that takes most of the text. */
export const dateAt = (tokens: Tokens, at: number, setting: DateSetting): Match<DateAtom> | undefined => {
  let best: Match<DateAtom> | undefined
  for (const matcher of matchers) {
    const match = matcher(tokens, at, setting)
    if (match !== undefined && (best === undefined || match.length > best.length)) best = match
  }
  return best
}
