import type { Chart, ChartForm } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { listIn, splitOutside } from "../DrawingWords.ts"
import {
  type Entry,
  entriesInTurn,
  entryOf,
  itemsOf,
  labelOf,
  readAll,
  valuesOf,
  withNumbers,
  withoutRemainder
} from "./DrawingEntries.ts"
import { type ReadChart, severalIn } from "./DrawingSeries.ts"
import { areTimes, isTime, listedTimes, rangeIn } from "./DrawingTimes.ts"

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.filter((text) => text !== ""))
]

const couldBeSingular = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() || `${one}s`.toLowerCase() === other.toLowerCase()

/** The common unit of all numbers; undefined if there are several. */
export const unitOf = (
  entries: ReadonlyArray<{ readonly unit: string; readonly counted: string }>
): string | undefined => {
  const signs = distinct(entries.map(({ unit }) => unit))
  const words = distinct(entries.map(({ counted }) => counted))
  if (signs.length > 1 || (signs.length > 0 && words.length > 0)) return undefined
  const [word = ""] = words
  if (words.some((each) => !couldBeSingular(word, each) && !couldBeSingular(each, word))) return undefined
  const unit = signs[0] ?? words.at(-1) ?? ""
  return unit.length <= 12 ? unit : undefined
}

/** Labels for numbers without any: the times that the text names, or else their positions. */
const labelled = (values: ReadonlyArray<Entry>, ask: string): ReadonlyArray<Entry> => {
  const times = [rangeIn(ask), listedTimes(ask)].find((labels) => labels.length === values.length)
  return values.map((entry, at) => ({ ...entry, label: times?.[at] ?? String(at + 1) }))
}

/**
 * "reclamações jan 12, fev 9": if the other labels are times, the first one is too, and the words before it are a
 * heading.
 */
const withoutHeading = (
  entries: ReadonlyArray<Entry>
): { readonly entries: ReadonlyArray<Entry>; readonly heading: string } => {
  const [first, ...others] = entries
  const words = first?.label.split(" ") ?? []
  const last = words.at(-1) ?? ""
  const isHeaded = first !== undefined && words.length > 1 && isTime(last) && !isTime(first.label)
  return isHeaded && areTimes([last, ...others.map(({ label }) => label)])
    ? { entries: [{ ...first, label: last }, ...others], heading: words.slice(0, -1).join(" ") }
    : { entries, heading: "" }
}

const singleOf = (read: ReadonlyArray<Entry>, form: ChartForm, ask: string): ReadChart | undefined => {
  const [first] = read
  if (first === undefined || read.length < 2) return undefined
  const isUnlabelled = read.slice(1).every(({ label }) => label === "")
  const { entries, heading } = isUnlabelled
    ? { entries: labelled(read, ask), heading: first.label }
    : withoutHeading(read)
  const unit = unitOf(entries)
  const labels = new Set(entries.map(({ label }) => label.toLowerCase()))
  // If some labels precede their numbers and others follow them, the assignment would be a guess.
  if (new Set(entries.map(({ isBehind }) => isBehind)).size > 1 && !isUnlabelled) return undefined
  if (unit === undefined || labels.size < entries.length || labels.has("")) return undefined
  const rows = entries.map(({ label, value }) => ({ label: cut(label, 60), values: [value] }))
  return { heading, chart: { kind: "chart", form, unit, series: [""], rows } }
}

/** "we had 12 bookings in May, 19 in June": the words before the first number state what is counted. */
const headedEntries = (
  items: ReadonlyArray<string>
): { readonly heading: string; readonly entries: ReadonlyArray<Entry> } | undefined => {
  const [first = "", ...others] = items
  const [value] = valuesOf(first)
  const rest = readAll(others.map(entryOf))
  const start = value === undefined ? undefined : entryOf(first.slice(value.from))
  if (rest === undefined || start === undefined || start.label === "" || rest.length === 0) return undefined
  if (!rest.every(({ isBehind, label }) => isBehind && label !== "")) return undefined
  return { heading: labelOf(first.slice(0, value?.from)), entries: [start, ...rest] }
}

/** Parts of a whole, and the remaining part. */
const withRest = (entries: ReadonlyArray<Entry>, rest: string | undefined): ReadonlyArray<Entry> | undefined => {
  if (rest === undefined) return entries
  const left = 100 - entries.reduce((sum, { value }) => sum + value, 0)
  if (rest === "" || left <= 0 || !entries.every(({ unit }) => unit === "%")) return undefined
  return [
    ...entries,
    { label: rest, value: Number(left.toFixed(6)), unit: "%", counted: "", isBehind: entries[0]?.isBehind ?? false }
  ]
}

const labelsSaid =
  /^(?:labels?|r[oó]tulos?|etiquetas?|categorias?|categor[ií]as?|meses|months|dias|d[ií]as|anos|a[nñ]os|years)\s?:?\s/iu

/** "Jan, Feb, Mar: 10, 20, 30" and similar texts: all labels, then all numbers. */
const listedApart = (data: string, form: ChartForm): ReadChart | undefined => {
  const [value] = valuesOf(data)
  if (value === undefined) return undefined
  const head = data
    .slice(0, value.from)
    .replace(labelsSaid, "")
    .replace(/[:.;\n]\s*(?:valores?|values?)?\s*[:=]?\s*$/iu, "")
  const values = readAll(itemsOf(data.slice(value.from)).map(entryOf))
  const labels = [listIn(head), listedTimes(head)].find((each) => each.length > 1 && each.length === values?.length)
  if (labels === undefined || values === undefined || !values.every(({ label }) => label === "")) return undefined
  return singleOf(
    values.map((entry, at) => ({ ...entry, label: labels[at] ?? "", isBehind: false })),
    form,
    ""
  )
}

const singleIn = (data: string, ask: string, form: ChartForm): ReadChart | undefined => {
  const { rest, text } = withoutRemainder(data)
  const items = withNumbers(itemsOf(text))
  const plain = readAll(items.map(entryOf))
  const parted = plain !== undefined && plain.length > 1 ? withRest(plain, rest) : undefined
  const direct = parted === undefined ? undefined : singleOf(parted, form, ask)
  if (direct !== undefined) return direct
  const headed = rest === undefined ? headedEntries(items) : undefined
  const read = headed === undefined ? undefined : singleOf(headed.entries, form, ask)
  if (read !== undefined && headed !== undefined) return { ...read, heading: headed.heading }
  if (rest !== undefined) return undefined
  const inTurn = entriesInTurn(text) ?? turnsOf(items)
  return inTurn === undefined ? listedApart(text, form) : (singleOf(inTurn, form, ask) ?? listedApart(text, form))
}

/** Items that may contain several labels with their numbers. */
const turnsOf = (items: ReadonlyArray<string>): ReadonlyArray<Entry> | undefined => {
  const read = items.map((item) => {
    const one = entryOf(item)
    return one === undefined ? entriesInTurn(item) : [one]
  })
  return readAll(read)?.flat()
}

/** Shares that exceed the whole cannot be drawn as its parts. */
const isDrawable = ({ form, rows, series, unit }: Chart): boolean => {
  if (form !== "pie" && form !== "funnel") return true
  const values = rows.flatMap((row) => row.values)
  if (series.length > 1 || values.some((value) => value < 0)) return false
  const sum = values.reduce((total, value) => total + value, 0)
  return form === "funnel" || (sum > 0 && (unit !== "%" || sum <= 100.5))
}

const descending =
  /(?<!\p{L})(?:(?:do|from|de) ?(?:o )?(?:maior|mayor|highest|largest|most|biggest)|(?:maior|mayor|highest|largest|biggest|most)(?:es|s)?(?: \p{L}+)? (?:first|primeiro|primero)|descending|decrescente|descendente)(?!\p{L})/iu
const ascending =
  /(?<!\p{L})(?:(?:do|from|de) ?(?:o )?(?:menor|smallest|lowest|least|fewest)|(?:menor|lowest|smallest|fewest)(?:es|s)?(?: \p{L}+)? (?:first|primeiro|primero)|ascending|crescente|ascendente)(?!\p{L})/iu

/** The order of rows that a text asks for. */
export const orderIn = (text: string): "descending" | "ascending" | undefined =>
  descending.test(text) ? "descending" : ascending.test(text) ? "ascending" : undefined

export const sorted = (chart: Chart, order: "descending" | "ascending"): Chart => {
  const totalOf = (row: Chart["rows"][number]) => row.values.reduce((sum, value) => sum + value, 0)
  const rows = [...chart.rows].sort((one, other) => totalOf(other) - totalOf(one))
  return { ...chart, rows: order === "descending" ? rows : rows.reverse() }
}

/** More items would not fit into a chart. */
const mostItems = 250

/** A chart from labels and numbers; undefined if any part is uncertain. */
export const chartIn = (data: string, ask: string, form: ChartForm): ReadChart | undefined => {
  const text = data.replace(/\.\s*$/, "")
  if (splitOutside(text, /[;\n,]|\.\s/gu).length > mostItems || valuesOf(text).length > mostItems) return undefined
  const read = severalIn(text, ask, form) ?? singleIn(text, ask, form)
  if (read === undefined || read.chart.rows.length > 40 || !isDrawable(read.chart)) return undefined
  const order = orderIn(ask)
  return order === undefined ? read : { ...read, chart: sorted(read.chart, order) }
}
