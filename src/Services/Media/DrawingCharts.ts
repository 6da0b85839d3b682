import type { Chart, ChartForm } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"
import { amountsIn, bareLabel, type FoundAmount, isOfName, isYear, onlyAsks, splitOutside } from "./DrawingWords.ts"

interface Entry {
  readonly label: string
  readonly value: number
  readonly unit: string
  /** Words behind the number: what it counts. */
  readonly behind: string
}

const itemMarks = /[;\n]|,(?!\d)|\.\s/u

/** "Jan 3 and Feb 4" in two, where each part has a number. */
const partedByAnd = (part: string): ReadonlyArray<string> => {
  const pieces = part.split(/\s(?:e|and|y)\s/)
  return pieces.length > 1 && pieces.every((piece) => amountsIn(piece).length > 0) ? pieces : [part]
}

const itemsOf = (data: string): ReadonlyArray<string> =>
  splitOutside(data, itemMarks)
    .flatMap(partedByAnd)
    .map((part) => part.replace(/^\s*(?:[-*•–]|\d{1,2}[.)])\s+/, "").trim())
    .filter((part) => part !== "")

/** The numbers of an item that can be values: years and numbers of names are labels where another is there, else nothing. */
const valuesOf = (item: string): ReadonlyArray<FoundAmount> => {
  const amounts = amountsIn(item).filter((amount) => !isOfName(item, amount))
  return amounts.filter((amount) => !isYear(amount))
}

/** One label with one number; undefined where it is not certain which is which. */
const entryOf = (item: string): Entry | undefined => {
  const values = valuesOf(item)
  const [value] = values
  if (value === undefined || values.length > 1) return undefined
  const before = bareLabel(item.slice(0, value.from))
  const behind = bareLabel(item.slice(value.to))
  return before === ""
    ? { label: behind, value: value.value, unit: value.unit, behind: "" }
    : { label: before, value: value.value, unit: value.unit, behind }
}

/** The labels and numbers of a text; undefined where one of them is not certain. */
export const entriesIn = (text: string): ReadonlyArray<Entry> | undefined => {
  const items = itemsOf(text)
  const entries = items.map(entryOf).filter((entry) => entry !== undefined)
  return entries.length === items.length ? entries : undefined
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.filter((text) => text !== ""))
]

const unitOf = (units: ReadonlyArray<string>, behind: ReadonlyArray<string>): string | undefined => {
  const [signs, words] = [distinct(units), distinct(behind)]
  if (signs.length + words.length > 1) return undefined
  // A sign that only some numbers have would be drawn on all of them.
  if (signs.length === 1 && units.some((unit) => unit === "")) return undefined
  const unit = signs[0] ?? words[0] ?? ""
  return unit.length <= 12 ? unit : undefined
}

/** Numbers without labels, "1,204, then 1,350": their places are their labels. */
const unlabelled = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.length > 1 && entries.slice(1).every(({ label }) => label === "")
    ? entries.map((entry, index) => ({ ...entry, label: String(index + 1) }))
    : entries

const singleSeries = (items: ReadonlyArray<string>, form: ChartForm): Chart | undefined => {
  const read = items.map(entryOf)
  const entries = unlabelled(read.filter((entry) => entry !== undefined))
  if (entries.length !== items.length || entries.length < 2) return undefined
  const unit = unitOf(
    entries.map((entry) => entry.unit),
    entries.map(({ behind }) => behind)
  )
  const labels = new Set(entries.map(({ label }) => label.toLowerCase()))
  if (unit === undefined || labels.size < entries.length || labels.has("")) return undefined
  return {
    kind: "chart",
    form,
    unit,
    series: [""],
    rows: entries.map(({ label, value }) => ({ label: cut(label, 60), values: [value] }))
  }
}

/** "Support opened 40 closed 35": what comes before each number is the name of its series. */
const severalPerItem = (items: ReadonlyArray<string>, form: ChartForm): Chart | undefined => {
  const read = items.map((item) => {
    const values = valuesOf(item)
    const names = values.map((value, index) => bareLabel(item.slice(values[index - 1]?.to ?? 0, value.from)))
    const words = (names[0] ?? "").split(" ")
    return {
      label: bareLabel(words.slice(0, -1).join(" ")),
      names: [words.at(-1) ?? "", ...names.slice(1)],
      values,
      rest: bareLabel(item.slice(values.at(-1)?.to ?? 0))
    }
  })
  const names = read[0]?.names ?? []
  const isEven = read.every(
    (each) =>
      each.label !== "" && each.rest === "" && each.names.join("\n").toLowerCase() === names.join("\n").toLowerCase()
  )
  const unit = unitOf(
    read.flatMap(({ values }) => values.map((value) => value.unit)),
    []
  )
  if (read.length < 2 || names.length < 2 || names.length > 6 || names.includes("") || !isEven || unit === undefined)
    return undefined
  return {
    kind: "chart",
    form,
    unit,
    series: names,
    rows: read.map(({ label, values }) => ({ label: cut(label, 60), values: values.map(({ value }) => value) }))
  }
}

/** "2024: T1 120, T2 135. 2025: T1 140, T2 160": a series each, over the same labels. */
const grouped = (data: string, form: ChartForm): Chart | undefined => {
  const groups = data
    .split(/\n|;\s|\.\s/u)
    .map((part) => part.trim().replace(/\.$/, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf(":")
      const name = at > 0 && at <= 40 ? part.slice(0, at).trim() : ""
      return { name, entries: itemsOf(part.slice(at + 1)).map(entryOf) }
    })
  const labelsOf = (entries: ReadonlyArray<Entry | undefined>) => entries.map((entry) => entry?.label ?? "")
  const labels = labelsOf(groups[0]?.entries ?? [])
  const isEven = groups.every(
    ({ entries, name }) => name !== "" && labelsOf(entries).join("\n").toLowerCase() === labels.join("\n").toLowerCase()
  )
  const all = groups.flatMap(({ entries }) => entries)
  const read = all.filter((entry) => entry !== undefined)
  const unit = unitOf(
    read.map((entry) => entry.unit),
    read.map(({ behind }) => behind)
  )
  if (groups.length < 2 || groups.length > 6 || labels.length < 2 || labels.includes("") || !isEven) return undefined
  if (unit === undefined || read.length < all.length || new Set(labels).size < labels.length) return undefined
  return {
    kind: "chart",
    form,
    unit,
    series: groups.map(({ name }) => cut(name, 60)),
    rows: labels.map((label, row) => ({
      label: cut(label, 60),
      values: groups.map(({ entries }) => entries[row]?.value ?? 0)
    }))
  }
}

/** The shares of a whole that are more than it cannot be drawn as its parts. */
const isDrawable = ({ form, rows, series, unit }: Chart): boolean => {
  if (form !== "pie" && form !== "funnel") return true
  const values = rows.flatMap((row) => row.values)
  if (series.length > 1 || values.some((value) => value < 0)) return false
  const sum = values.reduce((total, value) => total + value, 0)
  return form === "funnel" || (sum > 0 && (unit !== "%" || sum <= 100.5))
}

/** The chart of labels and numbers; undefined where any part is not certain. */
export const chartIn = (data: string, form: ChartForm): Chart | undefined => {
  const items = itemsOf(data).filter((item) => amountsIn(item).length > 0 || !onlyAsks(item))
  const chart = grouped(data, form) ?? singleSeries(items, form) ?? severalPerItem(items, form)
  return chart !== undefined && chart.rows.length <= 40 && isDrawable(chart) ? chart : undefined
}
