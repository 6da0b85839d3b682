import { Schema } from "effect"
import type { Chart, DrawingModel, Gantt, Graph } from "../../src/Services/Media/DrawingModel.ts"
import type { DrawingReading } from "../../src/Services/Media/DrawingReading.ts"
import { fold, stringsIn } from "../../src/Services/Text/PlainText.ts"

/** The drawing that a careful designer would make from a prompt. It only has the parts of its kind. */
export const ExpectedDrawing = Schema.Struct({
  kind: Schema.String,
  title: Schema.optional(Schema.String),
  values: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
  valuesList: Schema.optional(Schema.Array(Schema.Number)),
  series: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.Number) })),
  edges: Schema.optional(Schema.Array(Schema.Tuple(Schema.String, Schema.String))),
  nodes: Schema.optional(Schema.Array(Schema.String)),
  decision: Schema.optional(Schema.Boolean),
  tasks: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })),
  events: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  sets: Schema.optional(Schema.Array(Schema.String)),
  shared: Schema.optional(Schema.String),
  quadrants: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })),
  center: Schema.optional(Schema.String),
  branches: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })),
  rows: Schema.optional(Schema.Array(Schema.Array(Schema.String))),
  labels: Schema.optional(Schema.Array(Schema.String))
})
export type ExpectedDrawing = typeof ExpectedDrawing.Type

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "")

/** Whether two labels mean the same: one contains the words of the other. */
const names = (one: string, other: string): boolean => {
  const [left, right] = [` ${wordsOf(one).join(" ")} `, ` ${wordsOf(other).join(" ")} `]
  return left === right || (left.length > 2 && right.includes(left)) || (right.length > 2 && left.includes(right))
}

const numbersAlike = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((value, index) => Math.abs(value - (other[index] ?? Number.NaN)) < 1e-6)

/** Whether `wanted` and `drawn` match one to one. */
const pairedOff = <A, B>(
  wantedItems: ReadonlyArray<A>,
  drawn: ReadonlyArray<B>,
  isSame: (one: A, other: B) => boolean
): boolean => {
  const left = [...drawn]
  const isFound = wantedItems.every((each) => {
    const at = left.findIndex((other) => isSame(each, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return isFound && left.length === 0
}

const labelsAlike = (wantedLabels: ReadonlyArray<string>, drawn: ReadonlyArray<string>): boolean =>
  pairedOff(wantedLabels, drawn, names)

const forms: { readonly [kind: string]: ReadonlyArray<Chart["form"]> } = {
  bar: ["bar", "horizontal", "stacked"],
  horizontal: ["horizontal"],
  stacked: ["stacked"],
  line: ["line"],
  pie: ["pie"],
  funnel: ["funnel"]
}

const isChart = (kind: string, expected: ExpectedDrawing, chart: Chart): boolean => {
  if (forms[kind]?.includes(chart.form) !== true) return false
  const { series, values, valuesList } = expected
  const first = chart.rows.map((row) => row.values[0] ?? Number.NaN)
  if (valuesList !== undefined) return numbersAlike(valuesList, first)
  if (series !== undefined)
    return pairedOff(
      Object.entries(series),
      chart.series.map((name, at) => [name, chart.rows.map((row) => row.values[at] ?? Number.NaN)] as const),
      ([name, wantedNumbers], [drawn, numbers]) => names(name, drawn) && numbersAlike(wantedNumbers, numbers)
    )
  return (
    values !== undefined &&
    chart.series.length === 1 &&
    pairedOff(
      Object.entries(values),
      chart.rows,
      ([name, value], row) => names(name, row.label) && numbersAlike([value], row.values)
    )
  )
}

const edgesOf = ({ edges, nodes }: Graph): ReadonlyArray<readonly [string, string]> => {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  return edges.map(({ from, to }) => [labels.get(from) ?? "", labels.get(to) ?? ""] as const)
}

const isTree = ({ branches = {}, center = "", edges }: ExpectedDrawing, graph: Graph): boolean => {
  const expected =
    edges ??
    Object.entries(branches).flatMap(([branch, items]) => [
      [center, branch] as const,
      ...items.map((item) => [branch, item] as const)
    ])
  return pairedOff(expected, edgesOf(graph), ([from, to], [above, below]) => names(from, above) && names(to, below))
}

const isFlow = ({ decision = false, nodes = [] }: ExpectedDrawing, graph: Graph): boolean =>
  nodes.every((node) => graph.nodes.some(({ label }) => names(node, label))) &&
  decision === graph.nodes.some(({ shape }) => shape === "diamond")

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(5, 10)

const isGantt = ({ tasks = {} }: ExpectedDrawing, gantt: Gantt): boolean =>
  pairedOff(Object.entries(tasks), gantt.tasks, ([name, [from = "", to = ""]], task) => {
    if (!names(name, task.label)) return false
    if (!/^\d\d-\d\d$/.test(from)) return wordsOf(`${from} ${to}`).every((word) => wordsOf(task.when).includes(word))
    return dateOf(task.from) === from && dateOf(task.to - 1) === to
  })

const cellsAlike = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length &&
  one.every(
    (cell, at) => wordsOf(cell).join(" ") === wordsOf(other[at] ?? "").join(" ") || names(cell, other[at] ?? "")
  )

const isKind = (kind: string, expected: ExpectedDrawing, { body }: DrawingModel): boolean => {
  const { events = {}, labels, quadrants = {}, rows = [], sets = [], shared } = expected
  if (labels !== undefined && body.kind !== "chart") {
    const isOfKind = kind === "gantt" || kind === "timeline" ? body.kind === kind : body.kind === "graph"
    return isOfKind && labels.every((label) => stringsIn(body).some((text) => names(label, text)))
  }
  switch (body.kind) {
    case "chart":
      return isChart(kind, expected, body)
    case "graph":
      if (kind === "flow") return isFlow(expected, body)
      return (kind === "org" || kind === "mindmap" || kind === "tree") && isTree(expected, body)
    case "gantt":
      return kind === "gantt" && isGantt(expected, body)
    case "timeline":
      return (
        kind === "timeline" &&
        pairedOff(Object.entries(events), body.events, ([when, what], event) =>
          [names(when, event.when), names(what, event.label)].every(Boolean)
        )
      )
    case "venn":
      return (
        kind === "venn" &&
        labelsAlike(
          sets,
          body.sets.map(({ label }) => label)
        ) &&
        (shared === undefined ? body.shared === "" : names(shared, body.shared))
      )
    case "quadrants":
      return (
        (kind === "swot" || kind === "matrix") &&
        pairedOff(
          Object.entries(quadrants),
          body.cells,
          ([title, items], cell) => names(title, cell.title) && labelsAlike(items, cell.items)
        )
      )
    case "table":
      return (
        kind === "table" &&
        (pairedOff(rows, body.rows, cellsAlike) || pairedOff(rows, [body.columns, ...body.rows], cellsAlike))
      )
    default:
      return false
  }
}

export type Verdict = "right" | "failed honestly" | "wrong"

/** Whether the reading is as expected, could not be read, or differs. */
export const verdictOf = (expected: ExpectedDrawing, reading: DrawingReading): Verdict => {
  const kinds = expected.kind.split(" or ")
  if (reading._tag === "Unread") return kinds.includes("fail") ? "right" : "failed honestly"
  const { model } = reading
  const hasTitle = expected.title === undefined || names(expected.title, model.title)
  return hasTitle && kinds.some((kind) => isKind(kind, expected, model)) ? "right" : "wrong"
}

/** A drawing's content, one short line per part. */
export const linesOf = ({ body, title }: DrawingModel): ReadonlyArray<string> => {
  const heading = `${body.kind}: ${title}`
  switch (body.kind) {
    case "chart":
      return [
        `${heading} (${body.form}, unit "${body.unit}", ${body.series.join(" | ")})`,
        ...body.rows.map(({ label, values }) => `${label} ${values.join(" | ")}`),
        ...(body.colors ?? []).map(({ color, of }) => `${of === "" ? "all" : of} in ${color}`)
      ]
    case "graph": {
      const labels = new Map(body.nodes.map(({ id, label, shape }) => [id, shape === "diamond" ? `<${label}>` : label]))
      return [heading, ...body.edges.map(({ from, label, to }) => `${labels.get(from)} -${label}-> ${labels.get(to)}`)]
    }
    case "gantt":
      return [heading, ...body.tasks.map(({ from, label, to, when }) => `${label}: ${when} (${to - from})`)]
    case "timeline":
      return [heading, ...body.events.map(({ label, when }) => `${when}: ${label}`)]
    case "venn":
      return [heading, ...body.sets.map(({ items, label }) => `${label}: ${items.join(", ")}`), `all: ${body.shared}`]
    case "quadrants":
      return [heading, ...body.cells.map(({ items, title: cell }) => `${cell}: ${items.join(" | ")}`)]
    case "table":
      return [heading, ...[body.columns, ...body.rows].map((row) => row.join(" | "))]
    default:
      return [heading, ...stringsIn(body)]
  }
}
