import type { Language } from "./Language.ts"

/** A day, or a time of day, or both, as a text names them; local to whoever wrote it. */
export interface NamedMoment {
  /** `YYYY-MM-DD`. */
  readonly date: string | undefined
  /** `HH:MM`. */
  readonly time: string | undefined
  /** Where it stands in the text. */
  readonly index: number
  readonly text: string
  /** False where only a month or a week was named, and `date` is its first day. */
  readonly isExact: boolean
}

const day = 86_400_000
const longestText = 2000

const millisOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** `YYYY-MM-DD` where the day exists. */
const calendarDay = (year: number, month: number, dayOfMonth: number): string | undefined => {
  if (year < 2000 || year > 2100 || month < 1 || month > 12 || dayOfMonth < 1) return undefined
  const date = dateOf(Date.UTC(year, month - 1, dayOfMonth))
  return Number(date.slice(8)) === dayOfMonth ? date : undefined
}

const monthNames: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:janeiro|jan|january|enero|ene)$/, 1],
  [/^(?:fevereiro|fev|february|feb|febrero)$/, 2],
  [/^(?:marco|mar|march|marzo)$/, 3],
  [/^(?:abril|abr|april|apr)$/, 4],
  [/^(?:maio|mai|may|mayo)$/, 5],
  [/^(?:junho|jun|june|junio)$/, 6],
  [/^(?:julho|jul|july|julio)$/, 7],
  [/^(?:agosto|ago|august|aug)$/, 8],
  [/^(?:setembro|set|september|sept|sep|septiembre|setiembre)$/, 9],
  [/^(?:outubro|out|october|oct|octubre)$/, 10],
  [/^(?:novembro|nov|november|noviembre)$/, 11],
  [/^(?:dezembro|dez|december|dec|diciembre|dic)$/, 12]
]
const monthWord =
  "(?:janeiro|january|enero|fevereiro|february|febrero|marco|march|marzo|abril|april|maio|mayo|may|junho|june|junio|julho|july|julio|agosto|august|setembro|septiembre|setiembre|september|sept|outubro|octubre|october|novembro|noviembre|november|dezembro|diciembre|december|jan|ene|fev|feb|mar|abr|apr|mai|jun|jul|ago|aug|set|sep|oct|nov|dez|dec|dic)"
const fullMonthWord =
  "(?:janeiro|january|enero|fevereiro|february|febrero|marco|march|marzo|abril|april|maio|mayo|junho|june|junio|julho|july|julio|agosto|august|setembro|septiembre|setiembre|september|outubro|octubre|october|novembro|noviembre|november|dezembro|diciembre|december)"

const monthNumber = (word: string): number => monthNames.find(([name]) => name.test(word))?.[1] ?? 0

const weekdays: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:domingo|sunday)/, 0],
  [/^(?:segunda|monday|lunes)/, 1],
  [/^(?:terca|tuesday|martes)/, 2],
  [/^(?:quarta|wednesday|miercoles)/, 3],
  [/^(?:quinta|thursday|jueves)/, 4],
  [/^(?:sexta|friday|viernes)/, 5],
  [/^(?:sabado|saturday)/, 6]
]

/** Of dates without a year the one that is meant: this year's, or next year's when that is long past. */
const withYear = (today: string, month: number, dayOfMonth: number, year: string | undefined): string | undefined => {
  if (year !== undefined) return calendarDay(year.length === 2 ? 2000 + Number(year) : Number(year), month, dayOfMonth)
  const thisYear = Number(today.slice(0, 4))
  const date = calendarDay(thisYear, month, dayOfMonth)
  if (date === undefined) return calendarDay(thisYear + 1, month, dayOfMonth)
  return millisOf(today) - millisOf(date) > 60 * day ? calendarDay(thisYear + 1, month, dayOfMonth) : date
}

/** The next day of the month with this number, today included. */
const nextDayOfMonth = (today: string, dayOfMonth: number): string | undefined => {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7))
  for (let ahead = 0; ahead < 3; ahead++) {
    const date = calendarDay(year + Math.floor((month - 1 + ahead) / 12), ((month - 1 + ahead) % 12) + 1, dayOfMonth)
    if (date !== undefined && date >= today) return date
  }
  return undefined
}

const nextWeekday = (today: string, weekday: number, isNextWeek: boolean): string => {
  const from = new Date(millisOf(today)).getUTCDay()
  const ahead = (weekday - from + 7) % 7 || 7
  if (!isNextWeek) return dateOf(millisOf(today) + ahead * day)
  const untilMonday = (8 - from) % 7 || 7
  return dateOf(millisOf(today) + (untilMonday + ((weekday + 6) % 7)) * day)
}

const plusDays = (today: string, days: number): string | undefined =>
  days <= 730 ? dateOf(millisOf(today) + days * day) : undefined

const numberWords: { readonly [word: string]: number } = {
  um: 1,
  uma: 1,
  un: 1,
  una: 1,
  a: 1,
  one: 1,
  dois: 2,
  duas: 2,
  dos: 2,
  two: 2,
  tres: 3,
  three: 3,
  quatro: 4,
  cuatro: 4,
  four: 4,
  cinco: 5,
  five: 5,
  seis: 6,
  six: 6
}
const daysIn = (unit: string): number => (/^(?:d)/.test(unit) ? 1 : /^(?:sem|week)/.test(unit) ? 7 : 30)

interface Found {
  readonly index: number
  readonly length: number
  readonly date: string | undefined
  readonly isExact: boolean
}

type Reading = { readonly date: string | undefined; readonly isExact?: boolean } | undefined

interface DatePattern {
  readonly pattern: RegExp
  readonly read: (groups: ReadonlyArray<string | undefined>, today: string, language: Language) => Reading
}

const number = (text: string | undefined): number => Number(text ?? "0")

const datePatterns: ReadonlyArray<DatePattern> = [
  {
    pattern: /\b(20\d\d)-(\d{1,2})-(\d{1,2})\b/g,
    read: ([, year, month, date]) => ({ date: calendarDay(number(year), number(month), number(date)) })
  },
  {
    // In English 3/12 is March the 12th, unless that month does not exist.
    pattern: /(?<![\d/.,-])(\d{1,2})[/.-](\d{1,2})(?:[/.-](20\d\d|\d\d))?(?![\d/]|[.,-]\d|\s?%|\s?(?:h|hs|am|pm)\b)/g,
    read: ([whole, first, second, year], today, language) => {
      if (whole?.includes("/") === false && year === undefined) return undefined
      const isMonthFirst = language === "en" && number(first) <= 12
      const [month, date] = isMonthFirst || number(second) > 12 ? [first, second] : [second, first]
      return { date: withYear(today, number(month), number(date), year) }
    }
  },
  {
    pattern: new RegExp(
      `\\b(\\d{1,2})(?:o|a|º|st|nd|rd|th)?,? (?:de |do |of )?(${monthWord})\\b\\.?(?:,? (?:de |del )?(20\\d\\d))?`,
      "g"
    ),
    read: ([, date, month, year], today) => ({ date: withYear(today, monthNumber(month ?? ""), number(date), year) })
  },
  {
    pattern: new RegExp(`\\b(${monthWord})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:|h)(?:,? (20\\d\\d))?`, "g"),
    read: ([, month, date, year], today) => ({ date: withYear(today, monthNumber(month ?? ""), number(date), year) })
  },
  {
    pattern: /\b(?:depois de amanha|pasado manana|(?:the )?day after tomorrow)\b/g,
    read: (_, today) => ({ date: plusDays(today, 2) })
  },
  {
    // "Mañana" after an article or "por la" is the morning.
    pattern: /(?<!\b(?:la|las|una|de|otra) )\b(?:amanha|tomorrow|manana)\b/g,
    read: (_, today) => ({ date: plusDays(today, 1) })
  },
  { pattern: /\b(?:hoje|today|hoy)\b/g, read: (_, today) => ({ date: today }) },
  {
    pattern:
      /\b(next |proxim[ao] )?(segunda|terca|quarta|quinta|sexta|sabado|domingo|monday|tuesday|wednesday|thursday|friday|saturday|sunday|lunes|martes|miercoles|jueves|viernes)(?:[- ]feira)?\b/g,
    read: ([, next, word], today) => {
      const weekday = weekdays.find(([name]) => name.test(word ?? ""))?.[1]
      return weekday === undefined ? undefined : { date: nextWeekday(today, weekday, next === "next ") }
    }
  },
  {
    pattern:
      /\b(?:daqui a |dentro de |em |in |within |en )(\d{1,3}|um|uma|una?|a|one|dois|duas|dos|two|tres|three|quatro|cuatro|four|cinco|five|seis|six) (dias?|days?|semanas?|weeks?|mes|meses|months?)\b/g,
    read: ([, count, unit], today) => {
      const amount = numberWords[count ?? ""] ?? number(count)
      return amount === 0 ? undefined : { date: plusDays(today, amount * daysIn(unit ?? "")), isExact: false }
    }
  },
  {
    pattern: /\b(?:dia|el dia|el|the|on the) (\d{1,2})(?:st|nd|rd|th)?\b(?![:/%]|h\b|\s?(?:%|horas|reais|mil))/g,
    read: ([, date], today) => ({ date: nextDayOfMonth(today, number(date)) })
  },
  {
    pattern: /\b(?:semana que vem|proxima semana|next week|semana proxima|semana que viene)\b/g,
    read: (_, today) => ({ date: nextWeekday(today, 1, false), isExact: false })
  },
  {
    pattern: /\b(?:mes que vem|proximo mes|next month|mes que viene)\b/g,
    read: (_, today) => ({
      date: withNextMonth(today),
      isExact: false
    })
  },
  {
    pattern: new RegExp(
      `\\b(?:em|in|en|ate|until|till|hasta|de|a partir de) (${fullMonthWord})\\b(?: de (20\\d\\d))?`,
      "g"
    ),
    read: ([, month, year], today) => ({ date: withYear(today, monthNumber(month ?? ""), 1, year), isExact: false })
  }
]

const withNextMonth = (today: string): string | undefined => {
  const month = Number(today.slice(5, 7))
  return calendarDay(Number(today.slice(0, 4)) + (month === 12 ? 1 : 0), (month % 12) + 1, 1)
}

const timePattern =
  /\b(?:(?:as|a las|at|pelas|tipo|umas|las|a) )?(?:(\d{1,2})[:h](\d{2})(?: ?(?:h|hs|hrs))?|(\d{1,2}) ?(?:h|hs|hrs|horas)\b|(\d{1,2})(?: o'clock)?(?= ?(?:am\b|pm\b|a\.m\.|p\.m\.| da (?:manha|tarde|noite)| de la (?:manana|tarde|noche)| in the (?:morning|afternoon|evening))))(?: ?(am|pm|a\.m\.|p\.m\.)| (?:da|de la|in the) (manha|manana|morning|tarde|afternoon|noite|noche|evening))?|\b(?:as|a las|at) (\d{1,2})\b(?![:/%]|\.\d)|\b(meio[- ]dia|mediodia|noon)\b/g

interface FoundTime {
  readonly index: number
  readonly length: number
  readonly time: string
}

/** The hour and minute of a match of `timePattern`, which may be out of range. */
const clockOf = (groups: ReadonlyArray<string | undefined>): readonly [hour: number, minute: number] => {
  const [clockHour, clockMinute, hourOnly, halfDayHour, halfDay, dayPart, bare, noon] = groups
  if (noon !== undefined) return [12, 0]
  const hour = number(clockHour ?? hourOnly ?? halfDayHour ?? bare)
  const minute = number(clockMinute)
  const isAfternoon = /^p/.test(halfDay ?? "") || /^(?:tarde|afternoon|noite|noche|evening)/.test(dayPart ?? "")
  const isMorning = /^a/.test(halfDay ?? "") || /^(?:manha|manana|morning)/.test(dayPart ?? "")
  // A bare "at 3" in business is three in the afternoon.
  const isMeantLate = !isMorning && clockHour === undefined && hourOnly === undefined && hour >= 1 && hour <= 6
  if ((isAfternoon || isMeantLate) && hour < 12) return [hour + 12, minute]
  return [isMorning && hour === 12 ? 0 : hour, minute]
}

const timesIn = (text: string): ReadonlyArray<FoundTime> => {
  const found: Array<FoundTime> = []
  for (const match of text.matchAll(timePattern)) {
    const [whole, ...groups] = match
    const [hour, minute] = clockOf(groups)
    if (hour > 23 || minute > 59) continue
    found.push({
      index: match.index,
      length: whole.length,
      time: `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`
    })
  }
  return found
}

const overlaps = (one: { readonly index: number; readonly length: number }, other: typeof one): boolean =>
  one.index < other.index + other.length && other.index < one.index + one.length

const datesIn = (text: string, today: string, language: Language): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const { pattern, read } of datePatterns) {
    for (const match of text.matchAll(pattern)) {
      const place = { index: match.index, length: match[0].length }
      if (found.some((other) => overlaps(place, other))) continue
      const reading = read([...match], today, language)
      if (reading?.date !== undefined) found.push({ ...place, date: reading.date, isExact: reading.isExact ?? true })
    }
  }
  return found.sort((a, b) => a.index - b.index)
}

/** How far apart the day and the time of one moment may stand, in characters. */
const near = 40

/**
 * The days and times that a folded text names, in the order in which they stand. `today` (`YYYY-MM-DD`) is the day on
 * which it was written, where it was written. A weekday is the next one; a time goes with the day beside it.
 */
export const momentsIn = (folded: string, today: string, language: Language): ReadonlyArray<NamedMoment> => {
  const text = folded.slice(0, longestText)
  const dates = datesIn(text, today, language)
  const times = timesIn(text).filter((time) => !dates.some((date) => overlaps(time, date)))
  const used = new Set<FoundTime>()
  const moments: Array<NamedMoment> = dates.map((date) => {
    const time = times.find(
      (candidate) =>
        !used.has(candidate) &&
        (candidate.index >= date.index
          ? candidate.index - (date.index + date.length) <= near
          : date.index - (candidate.index + candidate.length) <= near)
    )
    if (time !== undefined) used.add(time)
    const index = Math.min(date.index, time?.index ?? date.index)
    const end = Math.max(date.index + date.length, time === undefined ? 0 : time.index + time.length)
    return { date: date.date, time: time?.time, index, text: text.slice(index, end), isExact: date.isExact }
  })
  for (const time of times) {
    if (used.has(time)) continue
    moments.push({
      date: undefined,
      time: time.time,
      index: time.index,
      text: text.slice(time.index, time.index + time.length),
      isExact: true
    })
  }
  return moments.sort((a, b) => a.index - b.index)
}
