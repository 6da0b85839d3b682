import type { Chart, DrawingModel, Graph, Table } from "../DrawingModel.ts"
import { placeMap, placeShapes, placeWireframe } from "../DrawingPicturePlaces.ts"
import { rangeIn } from "../Readers/DrawingTimes.ts"
import { type Drawn, isSameNumber, type PromptPlaces, type Run } from "./DrawingPlaces.ts"

type Body = DrawingModel["body"]
type Row = Chart["rows"][number]

/** What is drawn but the prompt does not contain. */
type Unplaced = ReadonlyArray<string>

/** Text between a label and its number: on one line and in one item, or with one mark as in a pasted table. */
const isTogether = (between: string): boolean =>
  !/[;,\n|\t]|[.!?](?=\s|$)/.test(between) || /^[,;|\t]$/.test(between.replace(/ /g, ""))

const isOneItem = (between: string): boolean => !/[;,\n|\t:]|[.!?](?=\s|$)/.test(between)

const after = (places: PromptPlaces, { label, values }: Row): readonly [Run, Run] | undefined => {
  const value = values[0] ?? Number.NaN
  for (const run of places.runsOf(label)) {
    const amount = places.amounts.find(({ from }) => from >= run.to)
    if (amount === undefined || !isSameNumber(amount.value, value) || !places.isFree(amount)) continue
    if (isTogether(places.text.slice(run.to, amount.from))) return [run, amount]
  }
  return undefined
}

const before = (places: PromptPlaces, { label, values }: Row): readonly [Run, Run] | undefined => {
  const value = values[0] ?? Number.NaN
  for (const amount of places.amounts) {
    if (!isSameNumber(amount.value, value) || !places.isFree(amount)) continue
    const next = places.amounts.find(({ from }) => from >= amount.to)?.from ?? Number.POSITIVE_INFINITY
    const run = places.runsOf(label, amount.to)[0]
    const isNext = run !== undefined && (run.from < next || run.from === next)
    if (isNext && isOneItem(places.text.slice(amount.to, run.from))) return [run, amount]
  }
  return undefined
}

/** Each row's label with its number, all in the same order. Undefined if one has no place. */
const pairsPlaced = (
  places: PromptPlaces,
  rows: ReadonlyArray<Row>,
  find: (places: PromptPlaces, row: Row) => readonly [Run, Run] | undefined
): PromptPlaces | undefined => {
  const copy = places.copy()
  for (const row of rows) {
    const pair = find(copy, row)
    if (pair === undefined) return undefined
    for (const run of pair) copy.take(run)
  }
  return copy
}

/** Labels of a range that the prompt only names by its ends: "Jan to Jun". */
const takeRange = (places: PromptPlaces, labels: ReadonlyArray<string>): boolean => {
  const range = rangeIn(places.text)
  if (range.length < labels.length || !labels.every((label) => range.includes(label))) return false
  return [labels[0] ?? "", labels.at(-1) ?? ""].every((label) => places.takeLabel(label))
}

const sequencePlaced = (
  places: PromptPlaces,
  header: ReadonlyArray<string>,
  drawn: ReadonlyArray<Drawn>
): PromptPlaces | undefined => {
  const headers: ReadonlyArray<(copy: PromptPlaces) => boolean> =
    header.length === 0 || header.every((label) => label === "")
      ? [() => true]
      : [(copy) => copy.takeSequence(header), (copy) => takeRange(copy, header)]
  const [whole, ...others] = headers.map((take): PromptPlaces | undefined => {
    // A header precedes its rows. If the rows precede it, they are placed first.
    const whole = places.copy()
    if (header.length > 0 && header.every((label) => label !== "") && whole.takeSequence([...header, ...drawn]))
      return whole
    const copy = places.copy()
    if (copy.takeSequence(drawn) && take(copy)) return copy
    const turned = places.copy()
    return take(turned) && turned.takeSequence(drawn) ? turned : undefined
  })
  return whole ?? others.find((each) => each !== undefined)
}

/** The orders in which people write the numbers of several series. */
const orders = ({ rows, series }: Chart): ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<Drawn>]> => {
  const labels = rows.map(({ label }) => label)
  const columns = series.map((name, at) => ({ name, values: rows.map(({ values }) => values[at] ?? Number.NaN) }))
  const [first, ...others] = rows
  const plain = (row: Row): ReadonlyArray<Drawn> => [row.label, ...row.values]
  const named = ({ label, values }: Row): ReadonlyArray<Drawn> => [
    label,
    ...values.flatMap((value, at) => [series[at] ?? "", value])
  ]
  const ofColumns = (item: (label: string, value: number) => ReadonlyArray<Drawn>) =>
    columns.flatMap(({ name, values }) => [name, ...values.flatMap((value, at) => item(labels[at] ?? "", value))])
  return [
    [series, rows.flatMap(plain)],
    [labels, columns.flatMap(({ name, values }) => [name, ...values])],
    [[], ofColumns((label, value) => [label, value])],
    [[], ofColumns((label, value) => [value, label])],
    [[], rows.flatMap(named)],
    [[], rows.flatMap(({ label, values }) => [label, ...values.flatMap((value, at) => [value, series[at] ?? ""])])],
    [[], first === undefined ? [] : [...named(first), ...others.flatMap(plain)]]
  ]
}

const remainder = /(?<!\p{L})(?:resto|restante|rest|remaining|remainder|demais|dem[aá]s)(?!\p{L})/iu

/** Without the row for what the others leave of 100 %, if the prompt asks for it. */
const withoutRemainder = (places: PromptPlaces, { rows, unit }: Chart): ReadonlyArray<Row> => {
  const last = rows.at(-1)
  const sum = rows.reduce((all, { values }) => all + (values[0] ?? 0), 0)
  const isDerived =
    last !== undefined && unit === "%" && isSameNumber(sum, 100) && remainder.test(places.text) && rows.length > 1
  if (!isDerived || places.amounts.some(({ value }) => isSameNumber(value, last.values[0] ?? Number.NaN))) return rows
  places.takeLabel(last.label)
  return rows.slice(0, -1)
}

const placeChart = (places: PromptPlaces, chart: Chart): PromptPlaces | undefined => {
  const { series } = chart
  if (series.length > 1) {
    for (const [header, drawn] of orders(chart)) {
      const placed = sequencePlaced(places, header, drawn)
      if (placed !== undefined) return placed
    }
    return undefined
  }
  const copy = places.copy()
  const rows = withoutRemainder(copy, chart)
  const labels = rows.map(({ label }) => label)
  const values = rows.map((row) => row.values[0] ?? Number.NaN)
  const placed =
    pairsPlaced(copy, rows, after) ?? pairsPlaced(copy, rows, before) ?? sequencePlaced(copy, labels, values)
  if (placed !== undefined) placed.takeLabel(series[0] ?? "")
  return placed
}

/** A name and what is written in brackets after it can be in different places of the prompt. */
const partsOf = (label: string): ReadonlyArray<string> => {
  const match = /^(.+?)\s\(([^()]+)\)$/.exec(label)
  return match === null ? [label] : [match[1] ?? "", match[2] ?? ""]
}

const placeLabels = (places: PromptPlaces, labels: ReadonlyArray<string>): Unplaced =>
  // Longer labels first, because a shorter one can be part of them.
  [...labels]
    .filter((label) => label !== "")
    .sort((one, other) => other.length - one.length)
    .filter((label) => {
      if (places.takeLabel(label)) return false
      return !partsOf(label).every((part) => places.takeLabel(part))
    })

const placeTable = (places: PromptPlaces, { columns, rows }: Table): Unplaced => {
  const named = columns.filter((column) => column !== "")
  const cells = rows.flat().filter((cell) => /[\p{L}\d]/u.test(cell))
  const placed = sequencePlaced(places, named, cells)
  if (placed === undefined) return cells
  for (const column of [...named, ...cells]) for (const run of placed.runsOf(column, 0, false)) places.take(run)
  return []
}

const placeTimes = (
  places: PromptPlaces,
  items: ReadonlyArray<{ readonly when: string; readonly label: string }>
): Unplaced =>
  items.flatMap(({ label, when }) => {
    for (const time of places.runsOf(when)) {
      const next = places.runsOf(label, time.to)[0]
      const previous = places.runsOf(label).findLast(({ to }) => to <= time.from)
      const isNear = (from: number, to: number): boolean => !/\p{L}{5,}|\d/u.test(places.text.slice(from, to))
      const run =
        next !== undefined && isNear(time.to, next.from)
          ? next
          : previous !== undefined && isNear(previous.to, time.from)
            ? previous
            : undefined
      if (run === undefined) continue
      places.take(time)
      places.take(run)
      return []
    }
    // The parts of an event can be apart: "1970 me, and the garden".
    return places.takeLabel(when) && placeLabels(places, label.split(", ")).length === 0 ? [] : [`${when} ${label}`]
  })

const placeGraph = (places: PromptPlaces, { edges, nodes }: Graph): Unplaced => {
  const unplaced = placeLabels(
    places,
    nodes.map(({ label }) => label)
  )
  // "Yes" and "no" can be implied by "otherwise".
  for (const { label } of edges) places.takeLabel(label)
  return unplaced
}

/** Places the whole drawing in its prompt. Returns what has no place. */
export const placeBody = (
  places: PromptPlaces,
  body: Body
): { readonly places: PromptPlaces; readonly unplaced: Unplaced } => {
  switch (body.kind) {
    case "chart": {
      const placed = placeChart(places, body)
      return placed === undefined
        ? { places, unplaced: body.rows.map(({ label, values }) => `${label} ${values.join(" ")}`) }
        : { places: placed, unplaced: [] }
    }
    case "table":
      return { places, unplaced: placeTable(places, body) }
    case "timeline":
      return { places, unplaced: placeTimes(places, body.events) }
    case "gantt":
      return { places, unplaced: placeTimes(places, body.tasks) }
    case "graph":
      return { places, unplaced: placeGraph(places, body) }
    case "venn":
      return {
        places,
        unplaced: placeLabels(places, [...body.sets.flatMap(({ items, label }) => [label, ...items]), body.shared])
      }
    case "quadrants": {
      const drawn = [...body.cells].flatMap(({ items, title }) => [title, ...items])
      return { places, unplaced: placeLabels(places, drawn) }
    }
    case "grid":
      return {
        places,
        unplaced: placeLabels(
          places,
          body.cells.flatMap(({ text, title }) => [title, text])
        )
      }
    case "shapes":
      return { places, unplaced: placeShapes(places, body) }
    case "wireframe":
      return { places, unplaced: placeWireframe(places, body) }
    case "world":
    case "states":
      return { places, unplaced: placeMap(places, body) }
  }
}
