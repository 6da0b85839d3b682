import { createRequire } from "node:module"
import type { ParsedResult, ParsingOption, ParsingReference } from "chrono-node"
import type { Language } from "../Language.ts"
import { fold } from "../PlainText.ts"
import { type Day, dayOf, partsOf, weekdayOf } from "./Days.ts"
import type { TimeMention } from "./TimeMentions.ts"
import { timeTokens } from "./TimeTokens.ts"

/**
 * Whether a second date parser agrees. `silent` if it does not read the mention, or is often wrong about such mentions.
 */
export type Agreement = "agrees" | "disagrees" | "silent"

interface Parser {
  readonly parse: (
    text: string,
    reference: ParsingReference,
    option: ParsingOption
  ) => ReadonlyArray<Pick<ParsedResult, "index" | "start" | "text">>
}

const isParser = (value: unknown): value is Parser =>
  typeof value === "object" && value !== null && "parse" in value && typeof value.parse === "function"

const modules: { readonly [L in Language]: string } = {
  "pt-BR": "chrono-node/pt",
  en: "chrono-node/en",
  es: "chrono-node/es"
}

const parsers = new Map<string, Parser>()

/** Loaded at the first mention, because each language takes about 50 milliseconds and most runs need none. */
const parserOf = (language: Language, isMonthFirst: boolean): Parser | undefined => {
  const key = `${language} ${isMonthFirst}`
  const loaded = parsers.get(key)
  if (loaded !== undefined) return loaded
  const exported: unknown = createRequire(import.meta.url)(modules[language])
  if (typeof exported !== "object" || exported === null) return undefined
  const isBritish = language === "en" && !isMonthFirst
  const parser: unknown =
    isBritish && "GB" in exported ? exported.GB : "casual" in exported ? exported.casual : undefined
  if (!isParser(parser)) return undefined
  parsers.set(key, parser)
  return parser
}

type Result = ReturnType<Parser["parse"]>[number]

/** The circumstances in which a mention was written. */
export interface OpinionSetting {
  /** `YYYY-MM-DD` in the writer's zone. */
  readonly today: string
  readonly figures: "month" | "day" | "either"
  readonly language: Language
}

const longUnits: ReadonlySet<string> = new Set([
  "week",
  "weekend",
  "fortnight",
  "month",
  "quarter",
  "half-year",
  "year"
])
const hourWords: ReadonlySet<string> = new Set(["h", "hs", "hr", "hrs", "hora", "horas"])
const midnights: ReadonlySet<string> = new Set(["midnight", "medianoche", "meia-noite", "meia noite"])
/**
 * Words that change the meaning of the day after them: "depois de amanhã" is not tomorrow, and "la mañana" is not a
 * day.
 */
const wordsBeforeOther = [" from", "depois de", "dps de", "pasado", "after", "antes de", " la"]

/**
 * Whether the second parser is known to be wrong here. It reads "15h" as a duration, "next week" as a day, and midnight
 * as tomorrow.
 */
const isBlindSpot = (text: string, result: Result, language: Language): boolean => {
  const part = fold(result.text).trim()
  const words = timeTokens(part, language).filter(({ number }) => number === undefined)
  const isCountOfHours = language !== "en" && words.length === 1 && hourWords.has(words[0]?.text ?? "")
  if (midnights.has(part) || isCountOfHours) return true
  const before = fold(text.slice(0, result.index)).trimEnd()
  if (wordsBeforeOther.some((word) => before.endsWith(word))) return true
  return words.some(({ meanings }) => meanings.some((one) => one.is === "unit" && longUnits.has(one.value)))
}

/** The results for the mention. Folding keeps positions, unless the text has hidden characters. */
const resultsFor = (
  text: string,
  { from, to }: TimeMention,
  { figures, language, today }: OpinionSetting
): ReadonlyArray<Result> => {
  const reference = { instant: new Date(`${today}T12:00:00Z`), timezone: 0 }
  const results = parserOf(language, figures === "month")?.parse(text, reference, { forwardDate: true }) ?? []
  return results.filter(
    (result) => result.index < to && result.index + result.text.length > from && !isBlindSpot(text, result, language)
  )
}

const dayOfResult = ({ start }: Result): Day | undefined =>
  dayOf(start.get("year") ?? 0, start.get("month") ?? 0, start.get("day") ?? 0)

const isExactDay = ({ start }: Result): boolean => start.isCertain("day") && start.isCertain("month")

/** The second parser reads the hour in "July 21, 10 to 11am" as a year. */
const isInAnotherYear = (result: Result, day: Day): boolean => result.start.get("year") !== partsOf(day).year

/** For a weekday only the name is compared, because the second parser often chooses the wrong week. */
const opinionOnDay = ({ dayChoices, isPast }: TimeMention, results: ReadonlyArray<Result>): Agreement => {
  const [day, ...others] = dayChoices
  if (day === undefined || others.length > 0 || isPast) return "silent"
  const named = results.filter((result) => isExactDay(result) || result.start.isCertain("weekday"))
  if (named.some((result) => dayOfResult(result) === day)) return "agrees"
  if (named.some((result) => isExactDay(result) && !isInAnotherYear(result, day))) return "disagrees"
  const weekdays = results.flatMap(({ start }) => (start.isCertain("weekday") ? [start.get("weekday")] : []))
  return weekdays.length === 0 || weekdays.includes(weekdayOf(day)) ? "silent" : "disagrees"
}

const hour = 60
const halfDay = 12 * hour

/**
 * Only times with minutes or a half of the day are compared. The second parser drops the minutes of "2 e meia" and
 * "quarter past 9".
 */
const opinionOnClock = ({ clock, clockUntil, isPartOfDay }: TimeMention, results: ReadonlyArray<Result>): Agreement => {
  if (clock.length === 0 || isPartOfDay) return "silent"
  const ours = new Set([...clock, ...(clockUntil === undefined ? [] : [clockUntil])].map((time) => time % halfDay))
  const opinions = results.flatMap(({ start, text }): ReadonlyArray<Agreement> => {
    const hasMinutes = text.includes(":")
    if (!start.isCertain("hour") || !(hasMinutes || start.isCertain("meridiem"))) return []
    const minutes = ((start.get("hour") ?? 0) * hour + (start.get("minute") ?? 0)) % halfDay
    if (ours.has(minutes)) return ["agrees"]
    const isNear = [...ours].some((time) => Math.abs(time - minutes) < hour)
    return isNear && !hasMinutes ? [] : ["disagrees"]
  })
  return opinions.includes("agrees") ? "agrees" : (opinions[0] ?? "silent")
}

/**
 * Whether the second parser reads a mention as the same day and time. If it disagrees, the lead should be asked.
 * `silent` proves nothing. `text` is the original text of the folded one.
 */
export const agreement = (text: string, mention: TimeMention, setting: OpinionSetting): Agreement => {
  const results = resultsFor(text, mention, setting)
  const opinions = [opinionOnDay(mention, results), opinionOnClock(mention, results)]
  return opinions.includes("disagrees") ? "disagrees" : opinions.includes("agrees") ? "agrees" : "silent"
}
