import { Schema } from "effect"
import type { Chart, DrawingModel, Gantt, Graph } from "../../src/Services/Media/Drawings/DrawingModel.ts"
import { joiningWords } from "../../src/Services/Media/Drawings/DrawingWords.ts"
import type { DrawingReading } from "../../src/Services/Media/Drawings/Readers/DrawingReading.ts"
import { fold, stringsIn } from "../../src/Services/Text/PlainText.ts"

/** The drawing that a careful designer would make from a prompt. It only has the parts of its kind. */
export const ExpectedDrawing = Schema.Struct({
  kind: Schema.String,
  title: Schema.optional(Schema.String),
  values: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Number })),
  valuesList: Schema.optional(Schema.Array(Schema.Number)),
  /** A null is a gap: the prompt gives no number there. */
  series: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.NullOr(Schema.Number)) })),
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

const contentOf = (text: string): ReadonlyArray<string> => {
  const words = wordsOf(text)
  const content = words.filter((word) => !joiningWords.has(word))
  return content.length > 0 ? content : words
}

const isSameText = (one: string, other: string): boolean => contentOf(one).join(" ") === contentOf(other).join(" ")

/** "Ana (owner)" and "director Ana Ruiz": a name with its role. */
const withoutRole = (text: string): string => text.replace(/\s?\([^()]*\)$/, "")

/** Whether two labels mean the same: the same words, apart from articles, a role in brackets, or one more word. */
const names = (one: string, other: string): boolean => {
  if (isSameText(one, other) || isSameText(withoutRole(one), withoutRole(other))) return true
  const [left, right] = [contentOf(one), contentOf(other)]
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  return short.length >= 2 && long.length - short.length === 1 && ` ${long.join(" ")} `.includes(` ${short.join(" ")} `)
}

const numbersAlike = (one: ReadonlyArray<number | null>, other: ReadonlyArray<number | null>): boolean =>
  one.length === other.length &&
  one.every((value, index) => {
    const drawn = other[index]
    return value === null || drawn === null || drawn === undefined ? value === drawn : Math.abs(value - drawn) < 1e-6
  })

/** Whether `wanted` and `drawn` match one to one. */
const pairedOff = <A, B>(
  wantedItems: ReadonlyArray<A>,
  drawn: ReadonlyArray<B>,
  isSame: (one: A, other: B) => boolean
): boolean => {
  if (wantedItems.length !== drawn.length) return false
  const [first, ...others] = wantedItems
  if (first === undefined) return true
  return drawn.some((each, at) => isSame(first, each) && pairedOff(others, drawn.toSpliced(at, 1), isSame))
}

const labelsAlike = (wantedLabels: ReadonlyArray<string>, drawn: ReadonlyArray<string>): boolean =>
  pairedOff(wantedLabels, drawn, names)

const inOrder = (wantedLabels: ReadonlyArray<string>, drawn: ReadonlyArray<string>): boolean =>
  wantedLabels.length === drawn.length && wantedLabels.every((label, at) => names(label, drawn[at] ?? ""))

const formsOf: { readonly [kind: string]: Chart["form"] } = {
  bar: "bar",
  horizontal: "horizontal",
  stacked: "stacked",
  line: "line",
  pie: "pie",
  funnel: "funnel"
}

/** Keys that look like numbers lose their place in a record. */
const keepsOrder = (keys: ReadonlyArray<string>): boolean => !keys.some((key) => /^\d+$/.test(key))

const isChart = (kind: string, expected: ExpectedDrawing, chart: Chart): boolean => {
  if (formsOf[kind] !== chart.form) return false
  const { labels, series, values, valuesList } = expected
  const drawnLabels = chart.rows.map(({ label }) => label)
  const columns = chart.series.map((_, at) => chart.rows.map((row) => row.values[at] ?? null))
  if (labels !== undefined && !inOrder(labels, drawnLabels)) return false
  if (valuesList !== undefined) return columns.length === 1 && numbersAlike(valuesList, columns[0] ?? [])
  if (series !== undefined)
    return pairedOff(
      Object.entries(series),
      chart.series.map((name, at) => [name, columns[at] ?? []] as const),
      ([name, wantedNumbers], [drawn, numbers]) => names(name, drawn) && numbersAlike(wantedNumbers, numbers)
    )
  if (values === undefined || chart.series.length !== 1) return false
  const keys = Object.keys(values)
  return (
    (!keepsOrder(keys) || inOrder(keys, drawnLabels)) &&
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

const hasEdges = (expected: ReadonlyArray<readonly [string, string]>, graph: Graph): boolean => {
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]))
  return (
    graph.nodes.every(({ id }) => linked.has(id)) &&
    pairedOff(expected, edgesOf(graph), ([from, to], [above, below]) => names(from, above) && names(to, below))
  )
}

const isTree = ({ branches = {}, center = "", edges }: ExpectedDrawing, graph: Graph): boolean =>
  hasEdges(
    edges ??
      Object.entries(branches).flatMap(([branch, items]) => [
        [center, branch] as const,
        ...items.map((item) => [branch, item] as const)
      ]),
    graph
  )

/** Whether the answers of each question differ and are labelled. */
const isLabelled = ({ edges, nodes }: Graph): boolean =>
  nodes
    .filter(({ shape }) => shape === "diamond")
    .every(({ id }) => {
      const answers = edges.filter(({ from }) => from === id).map(({ label }) => fold(label))
      return answers.length > 1 && !answers.includes("") && new Set(answers).size === answers.length
    })

const isFlow = ({ decision = false, edges, nodes = [] }: ExpectedDrawing, graph: Graph): boolean =>
  decision === graph.nodes.some(({ shape }) => shape === "diamond") &&
  isLabelled(graph) &&
  (edges === undefined
    ? nodes.every((node) => graph.nodes.some(({ label }) => names(node, label)))
    : hasEdges(edges, graph))

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(5, 10)

const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? Number.NaN)

const isGantt = ({ tasks = {} }: ExpectedDrawing, gantt: Gantt): boolean =>
  pairedOff(Object.entries(tasks), gantt.tasks, ([name, [from = "", to = ""]], task) => {
    if (!names(name, task.label)) return false
    if (/^\d\d-\d\d$/.test(from)) return dateOf(task.from) === from && dateOf(task.to - 1) === to
    if (/^\p{L}+ \d+$/u.test(from)) return task.from === numberIn(from) && task.to - 1 === numberIn(to)
    return wordsOf(`${from} ${to}`).every((word) => wordsOf(task.when).includes(word))
  })

const cellText = (cell: string): string =>
  fold(cell)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.;,]$/, "")

const rowsAlike = (
  expected: ReadonlyArray<ReadonlyArray<string>>,
  drawn: ReadonlyArray<ReadonlyArray<string>>
): boolean =>
  expected.length === drawn.length &&
  expected.every(
    (row, at) =>
      row.length === drawn[at]?.length &&
      row.every((cell, place) => cellText(cell) === cellText(drawn[at]?.[place] ?? ""))
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
        pairedOff(
          Object.entries(events),
          body.events,
          ([when, what], event) => names(when, event.when) && names(what, event.label)
        ) &&
        (!keepsOrder(Object.keys(events)) ||
          inOrder(
            Object.keys(events),
            body.events.map(({ when }) => when)
          ))
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
      return kind === "table" && (rowsAlike(rows, body.rows) || rowsAlike(rows, [body.columns, ...body.rows]))
    default:
      return false
  }
}

export type Verdict = "right" | "failed honestly" | "wrong"

/** Whether the reading is as expected, could not be read, or differs. */
export const verdictOf = (expected: ExpectedDrawing, reading: DrawingReading): Verdict => {
  const kinds = expected.kind.split(" or ")
  if (reading._tag === "Unread")
    return kinds.includes("fail") || kinds.includes("refused") ? "right" : "failed honestly"
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
