import { fold } from "../Text/PlainText.ts"
import type { Gantt, Timeline } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"
import { bareLabel, onlyAsks, splitOutside } from "./DrawingWords.ts"

const months =
  "(?:jan(?:uary|eiro)?|fev(?:ereiro)?|feb(?:ruary|rero)?|mar(?:ch|co|zo)?|abr(?:il)?|apr(?:il)?|mai(?:o)?|may(?:o)?|jun(?:e|ho|io)?|jul(?:y|ho|io)?|ago(?:sto)?|aug(?:ust)?|set(?:embro)?|sep(?:t(?:ember|iembre)?)?|out(?:ubro)?|oct(?:ober|ubre)?|nov(?:ember|embro|iembre)?|dez(?:embro)?|dec(?:ember)?|dic(?:iembre)?|ene(?:ro)?)"
const to = "(?:\\s?(?:-|to|until|through|a|al|ate|hasta|y|e|and)\\s?)"
const day = "(\\d{1,2})(?:st|nd|rd|th|o)?"
const lead = "(?:(?:on|from|de|del|dia|dias|em|en|el|in|entre|between)\\s(?:el |o |a )?)?"

const monthNumbers: ReadonlyArray<string> = [
  "jan ene",
  "fev feb",
  "mar",
  "abr apr",
  "mai may",
  "jun",
  "jul",
  "ago aug",
  "set sep",
  "out oct",
  "nov",
  "dez dec dic"
]
const monthOf = (name: string | undefined): number =>
  name === undefined ? -1 : monthNumbers.findIndex((names) => names.split(" ").includes(name.slice(0, 3)))

/** Of a year that is no leap year: days are only counted to place bars. */
const dayOf = (date: number, month: number): number => Math.round(Date.UTC(2001, month, date) / 86_400_000)

interface Span {
  readonly from: number
  readonly to: number
  readonly unit: "day" | "week" | "month" | "year"
  readonly month: number
}

type Forms = ReadonlyArray<
  readonly [RegExp, (groups: ReadonlyArray<string | undefined>, month: number) => Span | undefined]
>

const days = (from: number, fromMonth: number, until: number, untilMonth: number): Span | undefined =>
  fromMonth < 0 || untilMonth < 0 || from < 1 || until < 1 || from > 31 || until > 31
    ? undefined
    : { from: dayOf(from, fromMonth), to: dayOf(until, untilMonth) + 1, unit: "day", month: untilMonth }

const forms: Forms = [
  [
    new RegExp(`^${lead}${day}\\s(?:de |of )?(${months})${to}${day}\\s(?:de |of )?(${months})(?![a-z])`),
    ([, a, m, b, k]) => days(Number(a), monthOf(m), Number(b), monthOf(k))
  ],
  [
    new RegExp(`^${lead}${day}${to}(?:el )?${day}\\s(?:de |of )?(${months})(?![a-z])`),
    ([, a, b, m]) => days(Number(a), monthOf(m), Number(b), monthOf(m))
  ],
  [
    new RegExp(`^${lead}(${months})\\s${day}${to}${day}(?![a-z\\d])`),
    ([, m, a, b]) => days(Number(a), monthOf(m), Number(b), monthOf(m))
  ],
  [
    new RegExp(`^${lead}${day}\\s(?:de |of )?(${months})(?![a-z])`),
    ([, a, m]) => days(Number(a), monthOf(m), Number(a), monthOf(m))
  ],
  [
    new RegExp(`^${lead}(${months})\\s${day}(?![a-z\\d])`),
    ([, m, a]) => days(Number(a), monthOf(m), Number(a), monthOf(m))
  ],
  [
    new RegExp(`^${lead}(?:semanas?|weeks?)\\s(\\d{1,2})(?:${to}(?:semana |week )?(\\d{1,2}))?(?![\\d])`),
    ([, a, b]) => ({ from: Number(a), to: Number(b ?? a) + 1, unit: "week", month: -1 })
  ],
  [
    new RegExp(`^${lead}(?:meses|mes|months?)\\s(\\d{1,2})(?:${to}(\\d{1,2}))?(?![\\d])`),
    ([, a, b]) => ({ from: Number(a), to: Number(b ?? a) + 1, unit: "month", month: -1 })
  ],
  [
    new RegExp(`^${lead}(${months})${to}(${months})(?![a-z])`),
    ([, a, b]) => ({ from: monthOf(a), to: monthOf(b) + 1, unit: "month", month: monthOf(b) })
  ],
  [
    new RegExp(`^${lead}(${months})(?![a-z])`),
    ([, a]) => ({ from: monthOf(a), to: monthOf(a) + 1, unit: "month", month: monthOf(a) })
  ],
  // Without a month it is the month before's.
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
  readonly label: string
  readonly when: string
  readonly span: Span
}

const spanAt = (text: string, month: number): { readonly span: Span; readonly length: number } | undefined => {
  for (const [form, make] of forms) {
    const match = form.exec(text)
    const span = match === null ? undefined : make(match, month)
    if (match !== null && span !== undefined && span.to > span.from) return { span, length: match[0].length }
  }
  return undefined
}

/** An item that begins or ends with its time. */
const datedIn = (item: string, month: number): Dated | undefined => {
  const folded = fold(item)
  if (folded.length !== item.length) return undefined
  const first = spanAt(folded, month)
  if (first !== undefined)
    return { label: bareLabel(item.slice(first.length)), when: item.slice(0, first.length).trim(), span: first.span }
  for (let at = folded.indexOf(" "); at > 0; at = folded.indexOf(" ", at + 1)) {
    const match = spanAt(
      folded
        .slice(at + 1)
        .replace(/^\(/, " ")
        .trimStart(),
      month
    )
    const start =
      folded.length -
      folded
        .slice(at + 1)
        .replace(/^\(/, "")
        .trimStart().length
    if (match !== undefined && bareLabel(item.slice(start + match.length).replace(")", "")) === "")
      return {
        label: bareLabel(item.slice(0, start).replace(/\($/, "")),
        when: item.slice(start, start + match.length).trim(),
        span: match.span
      }
  }
  return undefined
}

const itemsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data, /[;\n]|,\s|\.\s|\.$/u)
    .map((part) =>
      part
        .replace(/^\s*[-*•–]\s+/, "")
        .replace(/^(?:e|and|y|then|depois|luego)\s/iu, "")
        .trim()
    )
    .filter((part) => part !== "" && !(onlyAsks(part) && !/\d/.test(part)))

/** Tasks or events, each with its time as it is written; undefined where one has none, or times are of several kinds. */
export const spansIn = (data: string, isGantt: boolean): Gantt | Timeline | undefined => {
  const items = itemsOf(data)
  const dated: Array<Dated> = []
  let month = -1
  for (const item of items) {
    const match = datedIn(item, month)
    if (match === undefined || match.label === "") return undefined
    month = match.span.month
    dated.push(match)
  }
  if (dated.length < 2 || dated.length > 30 || new Set(dated.map(({ span }) => span.unit)).size > 1) return undefined
  const isRange = dated.some(({ span }) => span.to - span.from > 1)
  if (!isGantt && !isRange)
    return {
      kind: "timeline",
      events: dated.map(({ label, when }) => ({ when: cut(when, 40), label: cut(label, 120) }))
    }
  // What comes before the one before it is in the next year.
  let turn = 0
  let before = Number.NEGATIVE_INFINITY
  const tasks = dated.map(({ label, span, when }) => {
    if (span.unit === "day" && span.from + turn < before - 180) turn += 365
    before = span.from + turn
    return { label: cut(label, 80), when: cut(when, 40), from: span.from + turn, to: span.to + turn }
  })
  return { kind: "gantt", tasks }
}
