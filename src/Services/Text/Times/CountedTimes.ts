import { type DateAtom, exact, type Matcher, meaning, numberAt, spanOf, type Tokens } from "./DateAtoms.ts"
import { type Day, dayOf, monthDays, partsOf } from "./Days.ts"
import type { Unit } from "./TimeMeanings.ts"
import { periodAt, weekday } from "./Weekdays.ts"

/** In days, for units other than months. */
const daysOfUnit: { readonly [U in Unit]?: number } = {
  day: 1,
  "business day": 1.4,
  week: 7,
  weekend: 7,
  fortnight: 14
}
const monthsOfUnit: { readonly [U in Unit]?: number } = { month: 1, quarter: 3, "half-year": 6, year: 12 }

/** The same day of another month, or its last day. */
const plusMonths = (day: Day, months: number): Day => {
  const { dayOfMonth, month, year } = partsOf(day)
  const index = year * 12 + month - 1 + months
  const [ofYear, ofMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  return dayOf(ofYear, ofMonth, dayOfMonth) ?? monthDays(ofYear, ofMonth).last
}

/** Half a month in days, for halves such as "a month and a half". */
const halfMonth = 15

const plus = (day: Day, count: number, unit: Unit): Day => {
  const months = monthsOfUnit[unit]
  if (months === undefined) return day + Math.round(count * (daysOfUnit[unit] ?? 1))
  const whole = Math.trunc(count * months)
  return plusMonths(day, whole) + (whole === count * months ? 0 : halfMonth)
}

/** "In three weeks" is approximate, so the span extends by a seventh of the time. */
const about = (today: Day, count: number, unit: Unit): DateAtom => {
  const day = plus(today, count, unit)
  if (unit === "day") return exact(day)
  return spanOf({ first: day, last: day + Math.max(1, Math.round(Math.abs(day - today) / 7)) }, "span")
}

/** Longer spans, in days, are not times for the next contact. */
const mostCounted = 400

interface Count {
  readonly count: number
  readonly unit: Unit
  /** The position after the unit. */
  readonly end: number
}

const articles = new Set(["a", "an", "uns", "unos", "unas", "umas"])

/** How many tokens after the unit add a half: "um mês e meio", "a month and a half". */
const halfBehind = (tokens: Tokens, at: number): number => {
  const words = tokens.slice(at, at + 3).map(({ text }) => text)
  if (words.join(" ").startsWith("and a half")) return 3
  if (words[0] === "e meia" || words[0] === "y media") return 1
  const isAnd = words[0] === "e" || words[0] === "y"
  return isAnd && ["meio", "meia", "medio", "media"].includes(words[1] ?? "") ? 2 : 0
}

/** "two weeks", "a month", "uns 3 meses", "quince días". */
const countAt = (tokens: Tokens, at: number): Count | undefined => {
  const isArticle = articles.has(tokens[at]?.text ?? "")
  const index = isArticle && numberAt(tokens[at + 1]) !== undefined ? at + 1 : at
  const count = numberAt(tokens[index]) ?? (isArticle ? 1 : undefined)
  const unit = meaning(tokens[index + 1], "unit")?.value ?? (tokens[index + 1]?.text === "dia" ? "day" : undefined)
  if (count === undefined || unit === undefined || count > mostCounted) return undefined
  const half = halfBehind(tokens, index + 2)
  return { count: count + (half === 0 ? 0 : 0.5), unit, end: index + 2 + half }
}

/** Words that may come before a count, as in "In exactly two weeks". */
const hedges: ReadonlySet<string> = new Set(
  "exactly about around roughly approximately maybe perhaps another exatamente aproximadamente mais exactamente unos unas otros otras".split(
    " "
  )
)

/** "em 15 dias", "in two weeks", "dentro de un mes", "two weeks from now", "há 2 semanas". */
export const ahead: Matcher = (tokens, at, { today }) => {
  const isAgoBefore = meaning(tokens[at], "ago") !== undefined
  const isAhead = meaning(tokens[at], "ahead") !== undefined
  let index = isAhead || isAgoBefore ? at + 1 : at
  if (meaning(tokens[index], "at") !== undefined && countAt(tokens, index) === undefined) index++
  if (hedges.has(tokens[index]?.text ?? "")) index++
  const counted = countAt(tokens, index)
  if (counted === undefined) return undefined
  const { count, end, unit } = counted
  const isAgo = isAgoBefore || meaning(tokens[end], "ago") !== undefined
  if (isAgo) {
    return { atom: { ...about(today, -count, unit), isPast: true }, length: end + (isAgoBefore ? 0 : 1) - at }
  }
  const isFromNow = meaning(tokens[end], "from now") !== undefined
  if (!isAhead && !isFromNow) return undefined
  return { atom: about(today, count, unit), length: end + (isFromNow ? 1 : 0) - at }
}

/** "a week from Tuesday", "two weeks from today", "a week tomorrow"; "for a fortnight from Monday" is a span. */
export const countedFrom: Matcher = (tokens, at, setting) => {
  const counted = countAt(tokens, at)
  if (counted === undefined) return undefined
  const { count, end, unit } = counted
  const isFrom = tokens[end]?.text === "from" || (tokens[end]?.text === "on" && unit === "week")
  // "A week tomorrow" needs no word in between.
  const start = isFrom ? end + 1 : end
  const named = meaning(tokens[start], "named day")
  if (
    (unit !== "week" && unit !== "day" && unit !== "fortnight") ||
    !(isFrom || (named !== undefined && named.value >= 0))
  ) {
    return undefined
  }
  const from =
    named === undefined ? weekday(tokens, start, setting) : { atom: exact(setting.today + named.value), length: 1 }
  if (from === undefined) return undefined
  const { first } = from.atom.days
  const last = plus(first, count, unit)
  const length = start + from.length - at
  return { atom: tokens[at - 1]?.text === "for" ? spanOf({ first, last: last - 1 }, "span") : exact(last), length }
}

/** "in the next two weeks", "nas próximas três semanas": from now until then. */
export const withinNext: Matcher = (tokens, at, { today }) => {
  const counted = countAt(tokens, at + 1)
  if (periodAt(tokens, at) !== "next" || counted === undefined) return undefined
  return {
    atom: spanOf({ first: today, last: plus(today, counted.count, counted.unit) }, "span"),
    length: counted.end - at
  }
}

export const namedDay: Matcher = (tokens, at, { today }) => {
  const named = meaning(tokens[at], "named day")
  if (named === undefined) return undefined
  // "Tomorrow week" is a week after tomorrow.
  if (named.value >= 0 && tokens[at + 1]?.text === "week" && tokens[at + 2]?.text !== "of") {
    return { atom: exact(today + named.value + 7), length: 2 }
  }
  const atom = exact(today + named.value)
  return { atom: named.value < 0 ? { ...atom, isPast: true } : atom, length: 1 }
}
