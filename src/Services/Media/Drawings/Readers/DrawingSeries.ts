import type { Chart, ChartForm } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { listIn, splitOutside, withoutMarks } from "../DrawingWords.ts"
import { type Entry, entriesInTurn, entryOf, itemsOf, labelOf, readAll, rowsOf, valuesOf } from "./DrawingEntries.ts"
import { areTimes, listedTimes, rangeIn, timesOf } from "./DrawingTimes.ts"

/** A chart, and the words before its data that state its topic. */
export interface ReadChart {
  readonly chart: Chart
  readonly heading: string
}

/** Numbers in a table. Each row has one for each column. */
interface Cells {
  readonly rows: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly values: ReadonlyArray<ReadonlyArray<number>>
  readonly units: ReadonlyArray<string>
}

const same = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((text, at) => text.toLowerCase() === other[at]?.toLowerCase())

const isRegular = ({ columns, rows, values }: Cells): boolean =>
  rows.length >= 2 &&
  columns.length >= 2 &&
  new Set(rows.map((row) => row.toLowerCase())).size === rows.length &&
  new Set(columns.map((column) => column.toLowerCase())).size === columns.length &&
  ![...rows, ...columns].includes("") &&
  values.every((row) => row.length === columns.length)

const turned = ({ columns, rows, units, values }: Cells): Cells => ({
  rows: columns,
  columns: rows,
  units,
  values: columns.map((_, column) => values.map((row) => row[column] ?? Number.NaN))
})

const areYears = (labels: ReadonlyArray<string>): boolean =>
  labels.every((label) => timesOf(label).some(({ kind }) => kind === "year"))

/** Times are on the axis. Years with months or quarters become series that are compared. */
const placed = (cells: Cells): Cells => {
  const [rowsAreTimes, columnsAreTimes] = [areTimes(cells.rows), areTimes(cells.columns)]
  if (rowsAreTimes && columnsAreTimes) return areYears(cells.rows) ? turned(cells) : cells
  return columnsAreTimes ? turned(cells) : cells
}

/** Groups with a name and labelled numbers: the groups are the series, unless they are times and their labels are not. */
const placedGroups = (cells: Cells): Cells => {
  const isOnAxis = areTimes(cells.rows) && !areYears(cells.rows) && !areTimes(cells.columns)
  return isOnAxis ? cells : turned(cells)
}

const chartOf = (cells: Cells, form: ChartForm, isGrouped: boolean): Chart | undefined => {
  const signs = [...new Set(cells.units.filter((unit) => unit !== ""))]
  if (!isRegular(cells) || signs.length > 1) return undefined
  const { columns, rows, values } = isGrouped ? placedGroups(cells) : placed(cells)
  if (columns.length > 6) return undefined
  return {
    kind: "chart",
    form,
    unit: signs[0] ?? "",
    series: columns.map((column) => cut(column, 60)),
    rows: rows.map((label, at) => ({ label: cut(label, 60), values: values[at] ?? [] }))
  }
}

interface Group {
  readonly name: string
  readonly text: string
}

const nameMark = /:\s|\s[-–—]\s|:$/gu

/** A row with a name before a mark. */
const groupOf = (row: string): Group => {
  const [name = "", ...rest] = splitOutside(row, nameMark)
  return rest.length > 0 && name.length <= 60
    ? { name: withoutMarks(name, " \"“”'()"), text: row.slice(name.length).replace(/^(?::\s?|\s[-–—]\s)/u, "") }
    : { name: "", text: row }
}

const entriesOf = (text: string): ReadonlyArray<Entry> | undefined =>
  readAll(itemsOf(text).map(entryOf)) ?? entriesInTurn(text)

/** "2024: T1 120, T2 135. 2025: T1 140, T2 160": each row has a name, and labels with numbers. */
const grouped = (rows: ReadonlyArray<string>): Cells | undefined => {
  const groups = rows.map(groupOf)
  const read = readAll(groups.map(({ text }) => entriesOf(text)))
  const columns = read?.[0]?.map(({ label }) => label) ?? []
  if (read === undefined || groups.some(({ name }) => name === "")) return undefined
  const isEven = read.every((entries) =>
    same(
      entries.map(({ label }) => label),
      columns
    )
  )
  if (!isEven || read.flat().some(({ counted }) => counted !== "")) return undefined
  return {
    rows: groups.map(({ name }) => name),
    columns,
    values: read.map((entries) => entries.map(({ value }) => value)),
    units: read.flat().map(({ unit }) => unit)
  }
}

interface Named {
  readonly label: string
  readonly names: ReadonlyArray<string>
  readonly values: ReadonlyArray<{ readonly value: number; readonly unit: string }>
}

/** "Support opened 40 closed 35": the label, and the words before each number. */
const namedValues = (item: string): Named | undefined => {
  const values = valuesOf(item)
  const between = values.map((value, at) => labelOf(item.slice(values[at - 1]?.to ?? 0, value.from)))
  const words = (between[0] ?? "").split(" ")
  if (labelOf(item.slice(values.at(-1)?.to ?? 0)) !== "" || values.length < 2) return undefined
  return { label: labelOf(words.slice(0, -1).join(" ")), names: [words.at(-1) ?? "", ...between.slice(1)], values }
}

const cellsOf = (read: ReadonlyArray<Named>, columns: ReadonlyArray<string>): Cells => ({
  rows: read.map(({ label }) => label),
  columns,
  values: read.map(({ values }) => values.map(({ value }) => value)),
  units: read.flatMap(({ values }) => values.map(({ unit }) => unit))
})

/** The first row names its numbers. The other rows name them too, or have numbers in the same order. */
const namedRows = (rows: ReadonlyArray<string>): Cells | undefined => {
  const first = namedValues(rows[0] ?? "")
  if (first === undefined || first.label === "" || first.names.includes("")) return undefined
  const others = rows.slice(1).map((row) => {
    const read = namedValues(row)
    if (read !== undefined && same(read.names, first.names)) return read
    const listed = listedValues(row)
    return listed?.values.length === first.names.length ? { ...listed, names: first.names } : undefined
  })
  const all = readAll(others)
  return all === undefined ? undefined : cellsOf([first, ...all], first.names)
}

/** "Centro 412, 438, 450": a name and its numbers, without other words. */
const listedValues = (row: string): { readonly label: string; readonly values: Named["values"] } | undefined => {
  const { name, text } = groupOf(row)
  const values = valuesOf(text)
  const [first] = values
  if (first === undefined || values.length < 2) return undefined
  const label = name === "" ? labelOf(text.slice(0, first.from)) : name
  const before = name === "" ? "" : labelOf(text.slice(0, first.from))
  const between = values.map(({ to }, at) => text.slice(to, values[at + 1]?.from))
  const isBare = between.every((part) => /^[\s,/|.]*(?:e|and|y|vs\.?|contra|x|-)?\s*$/iu.test(part))
  return label !== "" && before === "" && isBare ? { label, values } : undefined
}

const bracketed = /\(([^()]{3,200})\)/gu
const versus =
  /(?:^|\s)([\p{L}\d]+(?:\s[\p{L}\d]+)?)\s(?:vs\.?|versus|x|contra|e|y|and|com|con|with)\s(?:o |a |the |el |la |los |las |del? )?([\p{L}\d]+(?:\s[\p{L}\d]+)?)(?![\p{L}\d])/iu

/** The names in a request for a number of things: a list of times or in brackets, a range, or two that are compared. */
const namesIn = (text: string, count: number): ReadonlyArray<string> | undefined => {
  const lists = [
    rangeIn(text),
    listedTimes(text),
    ...[...text.matchAll(bracketed)].flatMap(([, inner = ""]) => [listIn(inner), inner.split(/\s?\/\s?/).map(labelOf)]),
    ...splitOutside(text, /[:.;]\s/gu).map(listIn)
  ]
  if (count === 2) {
    const match = versus.exec(text)
    if (match !== null) lists.push([labelOf(match[1] ?? ""), labelOf(match[2] ?? "")])
  }
  return lists.find((names) => names.length === count && names.every((name) => name !== ""))
}

/** Each row has a name and a list of numbers. The request names the columns. */
const listedRows = (rows: ReadonlyArray<string>, ask: string): Cells | undefined => {
  const isLabels = (row: string) =>
    valuesOf(row).length === 0 && (rangeIn(row).length > 1 || listedTimes(row).length > 1)
  const read = readAll(rows.filter((row) => !isLabels(row)).map(listedValues))
  const count = read?.[0]?.values.length ?? 0
  if (read === undefined || read.length < 2) return undefined
  const askAndLabels = [ask, ...rows.filter(isLabels)].join(". ")
  const places = Array.from({ length: count }, (_, at) => String(at + 1))
  const columns = namesIn(askAndLabels, count) ?? (count > 2 ? places : undefined)
  if (columns === undefined) return undefined
  const names = read.map((row) => ({ ...row, names: columns }))
  return cellsOf(names, columns)
}

const notes = /\s*\((?:same order|mesma ordem|mismo orden)?[^()]{0,60}\)\s*$/iu

/** A chart with several series; undefined if there is only one, or the assignment of numbers is uncertain. */
export const severalIn = (data: string, ask: string, form: ChartForm): ReadChart | undefined => {
  const note = notes.exec(data)
  const text = note === null || valuesOf(note[0]).length > 0 ? data : data.slice(0, note.index)
  const whole = rowsOf(text)
  const byComma = splitOutside(text, /[;\n]|,(?!\d)|\.\s/gu)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const heading =
    text === data ? "" : (note?.[0] ?? "").replace(/[()]|same order,?|mesma ordem,?|mismo orden,?/giu, "").trim()
  for (const rows of [whole, byComma].filter(({ length }) => length > 1)) {
    const readings = [grouped(rows), namedRows(rows), listedRows(rows, ask)]
    for (const [at, cells] of readings.entries()) {
      const chart = cells === undefined ? undefined : chartOf(cells, form, at === 0)
      if (chart !== undefined) return { chart, heading }
    }
  }
  return undefined
}
