import { fold } from "../../../Text/PlainText.ts"
import type { Gantt, Timeline } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { bareLabel, onlyAsks, splitOutside } from "../DrawingWords.ts"
import { monthOf } from "./DrawingTimes.ts"

const months =
  "(?:jan(?:uary|eiro)?|fev(?:ereiro)?|feb(?:ruary|rero)?|mar(?:ch|co|zo)?|abr(?:il)?|apr(?:il)?|mai(?:o)?|may(?:o)?|jun(?:e|ho|io)?|jul(?:y|ho|io)?|ago(?:sto)?|aug(?:ust)?|set(?:embro)?|sep(?:t(?:ember|iembre)?)?|out(?:ubro)?|oct(?:ober|ubre)?|nov(?:ember|embro|iembre)?|dez(?:embro)?|dec(?:ember)?|dic(?:iembre)?|ene(?:ro)?)"
const to = "(?:\\s?(?:-|to|until|through|a|ao|al|ate|hasta|y|e|and)\\s?(?:o |el |the )?(?:dia )?)"
const year = "(?:,? (?:de |of )?(?:19|20)\\d\\d)?"
const day = "(\\d{1,2})(?:st|nd|rd|th|o)?"
const lead = "(?:(?:on|from|de|del|desde|da|do|dia|dias|em|en|el|in|entre|between|desde)\\s(?:el |o |a |dia )?)?"
const slashed = "(\\d{1,2})/(\\d{1,2})(?:/(?:20)?\\d\\d)?"

/** The day in a year that is not a leap year. Days are only used to position bars. */
const dayOf = (date: number, month: number): number => Math.round(Date.UTC(2001, month, date) / 86_400_000)

interface Span {
  readonly from: number
  readonly to: number
  readonly unit: "hour" | "day" | "week" | "month" | "year"
  readonly month: number
}

type Forms = ReadonlyArray<
  readonly [RegExp, (groups: ReadonlyArray<string | undefined>, month: number) => Span | undefined]
>

const days = (from: number, fromMonth: number, until: number, untilMonth: number): Span | undefined =>
  fromMonth < 0 || untilMonth < 0 || from < 1 || until < 1 || from > 31 || until > 31
    ? undefined
    : { from: dayOf(from, fromMonth), to: dayOf(until, untilMonth) + 1, unit: "day", month: untilMonth }

/** A time of day at which a task begins. */
const hours = (hour: number, minute: number, half: string | undefined): Span | undefined => {
  if (hour > 24 || minute > 59) return undefined
  const from = (half === "pm" && hour < 12 ? hour + 12 : hour) + minute / 60
  return { from, to: from + 1, unit: "hour", month: -1 }
}

/** Day and month. Their order is certain if one is above 12, or if the language has only one order. */
const slashedDays = (groups: ReadonlyArray<string | undefined>, isDayFirst: boolean | undefined): Span | undefined => {
  const [a = 0, b = 0, c = a, d = b] = groups.slice(1).flatMap((each) => (each === undefined ? [] : [Number(each)]))
  const first = a > 12 || c > 12 ? true : b > 12 || d > 12 ? false : isDayFirst
  if (first === undefined) return undefined
  const [from, fromMonth, until, untilMonth] = first ? [a, b, c, d] : [b, a, d, c]
  return fromMonth > 12 || untilMonth > 12 ? undefined : days(from, fromMonth - 1, until, untilMonth - 1)
}

const slashedForm = new RegExp(`^${lead}${slashed}(?:${to}${slashed})?(?![\\d/])`)

const forms: Forms = [
  [
    new RegExp(`^${lead}${day}\\s(?:de |of )?(${months})${year}${to}${day}\\s(?:de |of )?(${months})${year}(?![a-z])`),
    ([, a, m, b, k]) => days(Number(a), monthOf(m), Number(b), monthOf(k))
  ],
  [
    new RegExp(`^${lead}(${months})\\s${day}${to}(${months})\\s${day}(?![a-z\\d])`),
    ([, m, a, k, b]) => days(Number(a), monthOf(m), Number(b), monthOf(k))
  ],
  [
    new RegExp(`^${lead}${day}${to}(?:el )?${day}\\s(?:de |of )?(${months})${year}(?![a-z])`),
    ([, a, b, m]) => days(Number(a), monthOf(m), Number(b), monthOf(m))
  ],
  [
    new RegExp(`^${lead}(${months})\\s${day}${to}${day}(?![a-z\\d])`),
    ([, m, a, b]) => days(Number(a), monthOf(m), Number(b), monthOf(m))
  ],
  [
    new RegExp(`^${lead}${day}\\s(?:de |of )?(${months})${year}(?![a-z])`),
    ([, a, m]) => days(Number(a), monthOf(m), Number(a), monthOf(m))
  ],
  [
    new RegExp(`^${lead}(${months})\\s${day}(?![a-z\\d])`),
    ([, m, a]) => days(Number(a), monthOf(m), Number(a), monthOf(m))
  ],
  [
    new RegExp(
      `^${lead}(?:semanas?|weeks?|sem\\.?|wk|w|s)\\s?(\\d{1,2})(?:${to}(?:semana |week |sem |wk |w|s)?(\\d{1,2}))?(?![\\d])`
    ),
    ([, a, b]) => ({ from: Number(a), to: Number(b ?? a) + 1, unit: "week", month: -1 })
  ],
  [
    new RegExp(`^${lead}(?:meses|mes|months?)\\s(\\d{1,2})(?:${to}(\\d{1,2}))?(?![\\d])`),
    ([, a, b]) => ({ from: Number(a), to: Number(b ?? a) + 1, unit: "month", month: -1 })
  ],
  [
    new RegExp(`^${lead}(${months})(?: de | of |,? |/)((?:19|20)\\d\\d)(?![\\d])`),
    ([, m, y]) => ({
      from: Number(y) * 12 + monthOf(m),
      to: Number(y) * 12 + monthOf(m) + 1,
      unit: "month",
      month: monthOf(m)
    })
  ],
  [
    new RegExp(`^${lead}(${months})${to}(${months})(?![a-z])`),
    ([, a, b]) => ({ from: monthOf(a), to: monthOf(b) + 1, unit: "month", month: monthOf(b) })
  ],
  [
    new RegExp(`^${lead}(${months})(?![a-z])`),
    ([, a]) => ({ from: monthOf(a), to: monthOf(a) + 1, unit: "month", month: monthOf(a) })
  ],
  [
    new RegExp(`^${lead}(?:as |at |a las )?(\\d{1,2})(?:h|:|hs)(\\d\\d)?h?(?:\\s?(am|pm))?(?![a-z\\d])`),
    ([, hour, minute, half]) => hours(Number(hour), Number(minute ?? 0), half)
  ],
  [new RegExp(`^${lead}(\\d{1,2})\\s?(am|pm)(?![a-z])`), ([, hour, half]) => hours(Number(hour), 0, half)],
  [
    new RegExp(`^${lead}${day}[-.](${months})[-.](?:20|19)?\\d\\d(?![\\d])`),
    ([, a, m]) => days(Number(a), monthOf(m), Number(a), monthOf(m))
  ],
  // Today is the last of the events, and no task has it.
  [
    /^(?:hoje|today|hoy)(?![a-z])/,
    () => ({ from: Number.MAX_SAFE_INTEGER - 1, to: Number.MAX_SAFE_INTEGER, unit: "hour", month: -1 })
  ],
  // Without a month, the previous one applies.
  [
    new RegExp(`^${lead}${day}${to}(?:el )?${day}(?![a-z\\d])`),
    ([, a, b], month) => days(Number(a), month, Number(b), month)
  ],
  [
    new RegExp(`^${lead}((?:19|20)\\d\\d)(?:${to}((?:19|20)\\d\\d))?(?![\\d])`),
    ([, a, b]) => ({ from: Number(a), to: Number(b ?? a) + 1, unit: "year", month: -1 })
  ]
]

interface Dated {
  /** Whether the time precedes the label. */
  readonly isFirst: boolean
  readonly label: string
  readonly when: string
  readonly span: Span
}

/** The state before an item is parsed: the previous month, and the order of day and month. */
interface Before {
  readonly month: number
  readonly isDayFirst: boolean | undefined
}

const spanAt = (
  text: string,
  { isDayFirst, month }: Before
): { readonly span: Span; readonly length: number } | undefined => {
  const numbers = slashedForm.exec(text)
  const dates = numbers === null ? undefined : slashedDays(numbers, isDayFirst)
  if (numbers !== null) return dates === undefined ? undefined : { span: dates, length: numbers[0].length }
  for (const [form, make] of forms) {
    const match = form.exec(text)
    const span = match === null ? undefined : make(match, month)
    if (match !== null && span !== undefined && span.to > span.from) return { span, length: match[0].length }
  }
  return undefined
}

/** An item that begins or ends with its time. */
const datedIn = (item: string, before: Before): Dated | undefined => {
  const folded = fold(item)
  if (folded.length !== item.length) return undefined
  const first = spanAt(folded, before)
  if (first !== undefined)
    return {
      isFirst: true,
      label: bareLabel(item.slice(first.length)),
      when: item.slice(0, first.length).trim(),
      span: first.span
    }
  for (let at = folded.indexOf(" "); at > 0; at = folded.indexOf(" ", at + 1)) {
    const match = spanAt(
      folded
        .slice(at + 1)
        .replace(/^\(/, " ")
        .trimStart(),
      before
    )
    const start =
      folded.length -
      folded
        .slice(at + 1)
        .replace(/^\(/, "")
        .trimStart().length
    if (match !== undefined && bareLabel(item.slice(start + match.length).replace(")", "")) === "")
      return {
        isFirst: false,
        label: bareLabel(item.slice(0, start).replace(/\($/, "")),
        when: item.slice(start, start + match.length).trim(),
        span: match.span
      }
  }
  return undefined
}

const itemsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data, /[;\n]|,\s|\.\s|\.$/gu)
    .map((part) =>
      part
        .replace(/^\s*[-*•–]\s+/, "")
        .replace(/^(?:e|and|y|then|depois|luego)\s/iu, "")
        .trim()
    )
    .filter((part) => part !== "" && !(onlyAsks(part) && !/\d/.test(part)))

/** Splits "a in 2016 and b in 2022", if each part has a time. */
const partedByAnd = (item: string, before: Before): ReadonlyArray<string> => {
  const pieces = item.split(/\s(?:e|and|y)\s/)
  return pieces.length > 1 && pieces.every((piece) => (datedIn(piece, before)?.label ?? "") !== "") ? pieces : [item]
}

/** The items with their times. If times come first, a part without one belongs to the item before it. */
const datedItems = (data: string, isDayFirst: boolean | undefined): ReadonlyArray<Dated> | undefined => {
  const dated: Array<Dated> = []
  let month = -1
  for (const item of itemsOf(data)) {
    const before = { month, isDayFirst }
    for (const part of partedByAnd(item, before)) {
      const match = datedIn(part, before)
      const last = dated.at(-1)
      if (match !== undefined && match.label !== "") {
        month = match.span.month
        dated.push({ ...match, when: match.when.replace(/^(?:in|em|en)\s(?=\d{4}$)/iu, "") })
      } else if (last?.isFirst === true && match === undefined && !/\d/.test(part)) {
        dated[dated.length - 1] = { ...last, label: `${last.label}, ${bareLabel(part)}` }
      } else return undefined
    }
  }
  return new Set(dated.map(({ isFirst }) => isFirst)).size > 1 ? consistent(dated) : dated
}

/** Some times before and others after their labels are only accepted if no item was continued. */
const consistent = (dated: ReadonlyArray<Dated>): ReadonlyArray<Dated> | undefined =>
  dated.some(({ isFirst, label }) => isFirst && label.includes(", ")) ? undefined : dated

/** Events in chronological order, if their times are years or days of one calendar. */
const timelineOf = (dated: ReadonlyArray<Dated>): Timeline => {
  const isYears = dated.every(({ span }) => span.unit === "year")
  const ordered = isYears ? [...dated].sort((one, other) => one.span.from - other.span.from) : dated
  return {
    kind: "timeline",
    events: ordered.map(({ label, when }) => ({ when: cut(when, 40), label: cut(label, 120) }))
  }
}

/** Tasks or events with their times as text; undefined if one has no time, or the times are of several kinds. */
export const spansIn = (data: string, isGantt: boolean, language: string): Gantt | Timeline | undefined => {
  const dated = datedItems(data, language === "en" ? undefined : true)
  if (dated === undefined || dated.length < 2 || dated.length > 30) return undefined
  if (!isGantt) return timelineOf(dated)
  // Times of day only state when tasks begin, not how long they take.
  if (new Set(dated.map(({ span }) => span.unit)).size > 1 || dated[0]?.span.unit === "hour") return undefined
  // A date before the previous one is in the next year.
  let turn = 0
  let last = Number.NEGATIVE_INFINITY
  const tasks = dated.map(({ label, span, when }) => {
    if (span.unit === "day" && span.from + turn < last - 180) turn += 365
    last = span.from + turn
    return { label: cut(label, 80), when: cut(when, 40), from: span.from + turn, to: span.to + turn }
  })
  return { kind: "gantt", tasks }
}
