import { fold } from "../../../Text/PlainText.ts"
import type { Chart, DrawingModel, Gantt, Graph, Quadrants, Table, Timeline, Venn } from "../DrawingModel.ts"
import { areTimes } from "../Readers/DrawingTimes.ts"

/** The parts of a drawing that contradict each other or were not understood; empty if it keeps all laws of its kind. */
export type Breaches = ReadonlyArray<string>

const repeated = (labels: ReadonlyArray<string>): Breaches => {
  const folded = labels.map((label) => fold(label).trim())
  return labels.filter((_, at) => folded.indexOf(folded[at] ?? "") !== at)
}

/** Words of a correction. They are never part of a label. */
const corrected =
  /(?<!\p{L})(?:no,? wait|wait,? no|scratch that|i mean(?!\p{L})|n[aã]o,? (?:pera|perd[aã]o)|perd[aã]o|perd[oó]n|quer dizer|ou melhor|mejor dicho|digo)(?!\p{L})/iu

/** Labels of a whole, which is no part of itself. */
const totals =
  /^(?:o |el |the )?(?:sub)?(?:total|totales|totais|sum|soma|suma)(?!\p{L}).{0,20}$|^(?:encuestad[oa]s|entrevistad[oa]s|respondents|people asked|pessoas ouvidas|surveyed)$/iu

/** "March 2024 verdict": the rest of a date whose day was taken for a value. */
const restOfDate =
  /^(?:de |of )?(?:jan|ene|fev|feb|mar|abr|apr|mai|may|jun|jul|ago|aug|set|sep|out|oct|nov|dez|dec|dic)\p{L}{0,8}[-./ ,]{1,2}(?:de |of )?(?:19|20)\d\d\s\S/iu

const chartLaws = ({ form, rows, series, unit }: Chart): Breaches => {
  const labels = rows.map(({ label }) => label)
  const breaches = [...repeated(labels), ...repeated(series.filter((name) => name !== ""))]
  breaches.push(...labels.filter((label) => label === "" || totals.test(label) || restOfDate.test(label)))
  breaches.push(...rows.filter(({ values }) => values.length !== series.length).map(({ label }) => label))
  breaches.push(...labels.filter((label, at) => isOddTime(labels, label, at)))
  if (form === "pie" || form === "funnel") {
    breaches.push(...rows.filter(({ values }) => values.some((value) => value < 0)).map(({ label }) => label))
    const sum = rows.reduce((all, { values }) => all + (values[0] ?? 0), 0)
    if (series.length > 1 || (form === "pie" && ((unit === "%" && sum > 100.5) || sum <= 0))) breaches.push(...labels)
  }
  return breaches
}

/** "sales first quarter jan" among months: words of the request are no part of a label. */
const isOddTime = (labels: ReadonlyArray<string>, label: string, at: number): boolean => {
  const others = labels.filter((_, place) => place !== at)
  const words = label.split(" ")
  return (
    others.length > 0 &&
    words.length > 1 &&
    !areTimes(labels) &&
    areTimes([...others, words.at(-1) ?? ""]) &&
    areTimes(others)
  )
}

const outOf = ({ edges }: Pick<Graph, "edges">, id: string) => edges.filter(({ from }) => from === id)

const reachedFrom = (graph: Graph, start: string): ReadonlySet<string> => {
  const reached = new Set([start])
  for (const id of reached) for (const { to } of outOf(graph, id)) reached.add(to)
  return reached
}

/** A step that still has its number, or is only the word for a decision. */
const numbered =
  /^\d{1,2}\s\p{L}{3,20}(?:\s\p{L}{1,20}){0,4}\s\d{1,2}\s|^(?:first |second |third )?(?:check|decision|pergunta|pregunta)$/iu

/** Each decision has labelled answers, and each step is reached. */
const flowLaws = (graph: Graph): Breaches => {
  const { nodes } = graph
  const breaches: Array<string> = []
  for (const { id, label, shape } of nodes) {
    const answers = outOf(graph, id).map((edge) => fold(edge.label).trim())
    if (shape === "diamond" && (answers.length < 2 || answers.includes("") || new Set(answers).size < answers.length))
      breaches.push(label)
    if ((shape !== "diamond" && label.includes("?")) || numbered.test(label)) breaches.push(label)
  }
  const [first] = nodes
  const reached = first === undefined ? new Set<string>() : reachedFrom(graph, first.id)
  return [...breaches, ...nodes.filter(({ id }) => !reached.has(id)).map(({ label }) => label)]
}

/** One root, and each node below one other. */
const treeLaws = ({ edges, nodes }: Graph, law: GraphLaw): Breaches => {
  const above = (id: string) => edges.filter(({ to }) => to === id).length
  const roots = nodes.filter(({ id }) => above(id) === 0)
  const [root] = roots
  const branches = root === undefined ? [] : outOf({ edges }, root.id)
  const only = branches.length === 1 && nodes.length > 4 ? nodes.filter(({ id }) => id === branches[0]?.to) : []
  return [
    // A centre with a single branch is mostly a sentence that was taken for a branch.
    ...(law === "mindmap" ? only.map(({ label }) => label) : []),
    ...repeated(nodes.map(({ label }) => label)),
    ...nodes.filter(({ id }) => above(id) > 1).map(({ label }) => label),
    ...(roots.length === 1 ? [] : roots.map(({ label }) => label))
  ]
}

const pronouns =
  "he|she|they|him|her|them|it|nobody|nothing|no one|ele|ela|eles|elas|ningu[eé]m|nada|[eé]l|ella|ellos|ellas|nadie|two|three|four|five|dois|duas|tr[eê]s|quatro|cinco|dos|cuatro"
const relations =
  "under|below|reports? to|answers? to|embaixo|abaixo|debaixo|debajo|responde(?:m|n)?|dependen?|dependem|reportan?|reportam|mas|but|pero"

/** Words that state how parts are connected. A label that contains one is a sentence that was not understood. */
const unread: { readonly [kind: string]: RegExp } = {
  tree: new RegExp(`^(?:${pronouns})(?!\\p{L})|(?<!\\p{L})(?:${relations})(?!\\p{L})`, "iu"),
  venn: /(?<!\p{L})(?:where|onde|donde|overlaps?|interse\p{L}+|write|escreve|escreva|escribe|pon|circles?|c[ií]rculos?|only|both|ambos|no meio|in the middle|en el medio|en el centro|os dois|los dos|comparten|solo|sozinh[oa]|all three|os tr[eê]s|los tres)(?!\p{L})/iu,
  flow: /^(?:if|se|si|else|otherwise|sen[aã]o|sino|yes|no|sim|n[aã]o|s[ií])(?!\p{L})|(?<!\p{L})(?:otherwise|go back|when|quando|cuando|and then|e depois|y despu[eé]s|y luego|goes back|volta (?:para|pra|pro|ao)|vuelve a|volver a|either way|nos dois casos|en ambos casos|in both cases|if not|se n[aã]o|si no|caso contr[aá]rio)(?!\p{L})/iu,
  gantt:
    /(?<!\p{L})(?:after|then|depois|despu[eé]s|luego|dura|duram|duran|takes?|lasts?|starts?|come[cç]am?|empiezan?|until|hasta|at[eé]|days?|dias?|d[ií]as|weeks?|semanas?)(?!\p{L})/iu,
  // A year or season in a label belongs to the time.
  timeline:
    /(?<!\p{L})(?:19|20)\d\d(?!\d)|(?:^|\s)(?:spring|summer|autumn|winter|verano|ver[aã]o|oto[nñ]o|outono|invierno|inverno|primavera)$/iu
}

const unreadIn = (kind: string, labels: ReadonlyArray<string>): Breaches =>
  labels.filter((label) => unread[kind]?.test(label) === true)

const ganttLaws = ({ tasks }: Gantt): Breaches => [
  ...repeated(tasks.map(({ label }) => label)),
  ...tasks.filter(({ from, to }) => !(to > from)).map(({ label, when }) => `${label} ${when}`),
  ...unreadIn(
    "gantt",
    tasks.map(({ label }) => label)
  )
]

const timelineLaws = ({ events }: Timeline): Breaches => [
  ...repeated(events.map(({ label, when }) => `${when} ${label}`)),
  ...events.filter(({ label, when }) => label === "" || when === "").map(({ label, when }) => `${when} ${label}`),
  ...unreadIn(
    "timeline",
    events.map(({ label }) => label)
  )
]

const vennLaws = ({ sets, shared }: Venn): Breaches => [
  ...(sets.length === 2 || sets.length === 3 ? [] : sets.map(({ label }) => label)),
  ...repeated(sets.map(({ label }) => label)),
  ...unreadIn("venn", [...sets.flatMap(({ items, label }) => [label, ...items]), shared])
]

const tableLaws = ({ columns, rows }: Table): Breaches =>
  rows
    .filter(
      (row) =>
        row.length !== columns.length ||
        // Without a header, a second cell with several statements was not understood.
        (columns.every((column) => column === "") && /\s(?:e|y|and)\s\p{L}{3,}/u.test(row[1] ?? ""))
    )
    .map((row) => row.join(" "))

const quadrantLaws = ({ cells }: Quadrants): Breaches => [
  ...(cells.length === 4 ? [] : cells.map(({ title }) => title)),
  ...repeated(cells.map(({ title }) => title)),
  ...cells.filter(({ items }) => items.length === 0).map(({ title }) => title)
]

/** Kinds of graph that have laws. Others come from a formal text, which states each arrow. */
export type GraphLaw = "tree" | "mindmap" | "flow" | undefined

const graphLaws = (graph: Graph, law: GraphLaw): Breaches => {
  if (law === undefined) return []
  const labels = graph.nodes.map(({ label }) => label)
  return [
    ...(law === "flow" ? flowLaws(graph) : treeLaws(graph, law)),
    ...unreadIn(law === "flow" ? law : "tree", labels)
  ]
}

const bodyLaws = (body: DrawingModel["body"], law: GraphLaw): Breaches => {
  switch (body.kind) {
    case "chart":
      return chartLaws(body)
    case "graph":
      return graphLaws(body, law)
    case "gantt":
      return ganttLaws(body)
    case "timeline":
      return timelineLaws(body)
    case "venn":
      return vennLaws(body)
    case "table":
      return tableLaws(body)
    case "quadrants":
      return quadrantLaws(body)
    default:
      return []
  }
}

/** What in a drawing breaks a law of its kind. */
export const lawsBroken = ({ body }: DrawingModel, law: GraphLaw, labels: ReadonlyArray<string>): Breaches => [
  ...new Set([...bodyLaws(body, law), ...labels.filter((label) => corrected.test(label))])
]
