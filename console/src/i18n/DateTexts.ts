import type { Locale } from "./Format.ts"

/**
 * Dates and times in the console's languages, as the browser's formatters write them. Loading those takes longer than drawing
 * the first screen. `test/Console/Dates.test.ts` compares both.
 */
interface Language {
  readonly months: ReadonlyArray<string>
  readonly shortMonths: ReadonlyArray<string>
  readonly weekdays: ReadonlyArray<string>
  /** The letters of a short weekday, and what follows them. */
  readonly shortWeekday: readonly [letters: number, end: string]
  readonly day: (day: number, month: string, year: number | undefined) => string
  readonly clock: (hour: number, minute: string) => string
  readonly units: Readonly<Record<Unit, string>>
  readonly past: (amount: string) => string
  readonly future: (amount: string) => string
  readonly thisMinute: string
  /** Days that have a name, by their distance. */
  readonly days: ReadonlyMap<number, string>
}

export type Unit = "minute" | "hour" | "day"

const list = (words: string): ReadonlyArray<string> => words.split(" ")
const twoDigits = (value: number): string => String(value).padStart(2, "0")

const english: Language = {
  months: list("January February March April May June July August September October November December"),
  shortMonths: list("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
  weekdays: list("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
  shortWeekday: [3, ""],
  day: (day, month, year) => `${month} ${day}${year === undefined ? "" : `, ${year}`}`,
  clock: (hour, minute) => `${twoDigits(hour % 12 === 0 ? 12 : hour % 12)}:${minute} ${hour < 12 ? "AM" : "PM"}`,
  units: { minute: " min.", hour: " hr.", day: " days" },
  past: (amount) => `${amount} ago`,
  future: (amount) => `in ${amount}`,
  thisMinute: "this minute",
  days: new Map([
    [-1, "yesterday"],
    [0, "today"],
    [1, "tomorrow"]
  ])
}

const portuguese: Language = {
  months: list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
  shortMonths: list("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
  weekdays: list("domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado"),
  shortWeekday: [3, "."],
  day: (day, month, year) => `${day} de ${month}${year === undefined ? "" : ` de ${year}`}`,
  clock: (hour, minute) => `${twoDigits(hour)}:${minute}`,
  units: { minute: " min.", hour: " h", day: " dias" },
  past: (amount) => `há ${amount}`,
  future: (amount) => `em ${amount}`,
  thisMinute: "este minuto",
  days: new Map([
    [-2, "anteontem"],
    [-1, "ontem"],
    [0, "hoje"],
    [1, "amanhã"],
    [2, "depois de amanhã"]
  ])
}

const spanish: Language = {
  months: list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
  shortMonths: list("ene feb mar abr may jun jul ago sept oct nov dic"),
  weekdays: list("domingo lunes martes miércoles jueves viernes sábado"),
  shortWeekday: [3, ""],
  day: (day, month, year) => `${day} ${month}${year === undefined ? "" : ` ${year}`}`,
  clock: (hour, minute) => `${twoDigits(hour)}:${minute}`,
  units: { minute: " min", hour: " h", day: " d" },
  past: (amount) => `hace ${amount}`,
  future: (amount) => `dentro de ${amount}`,
  thisMinute: "este minuto",
  days: new Map([
    [-2, "anteayer"],
    [-1, "ayer"],
    [0, "hoy"],
    [1, "mañana"],
    [2, "pasado mañana"]
  ])
}

const languages: Readonly<Record<Locale, Language>> = { en: english, "pt-BR": portuguese, es: spanish }

const weekdayOf = (at: Date, { weekdays }: Language): string => weekdays[at.getUTCDay()] ?? ""

/** A day of a wall clock, such as `Aug 3`, and `Mon, Aug 3, 2025` with its weekday and year. */
export const dayText = (
  at: Date,
  locale: Locale,
  { hasWeekday = false, hasYear = false }: { readonly hasWeekday?: boolean; readonly hasYear?: boolean } = {}
): string => {
  const language = languages[locale]
  const month = language.shortMonths[at.getUTCMonth()] ?? ""
  const day = language.day(at.getUTCDate(), month, hasYear ? at.getUTCFullYear() : undefined)
  if (!hasWeekday) return day
  const [letters, end] = language.shortWeekday
  return `${weekdayOf(at, language).slice(0, letters)}${end}, ${day}`
}

/** `Monday, August 3`. */
export const longDayText = (at: Date, locale: Locale): string => {
  const language = languages[locale]
  const month = language.months[at.getUTCMonth()] ?? ""
  const day = locale === "es" ? `${at.getUTCDate()} de ${month}` : language.day(at.getUTCDate(), month, undefined)
  return `${weekdayOf(at, language)}, ${day}`
}

export const clockText = (at: Date, locale: Locale): string =>
  languages[locale].clock(at.getUTCHours(), twoDigits(at.getUTCMinutes()))

/** `3 hr. ago`, `tomorrow`. A distance below one minute is this minute. */
export const distanceText = (distance: number, unit: Unit, locale: Locale): string => {
  const { days, future, past, thisMinute, units } = languages[locale]
  if (unit === "minute" && distance === 0) return thisMinute
  const name = unit === "day" ? days.get(distance) : undefined
  if (name !== undefined) return name
  const amount = `${Math.abs(distance)}${units[unit]}`
  return distance < 0 ? past(amount) : future(amount)
}
