import { detectLanguage } from "../Text/Language.ts"
import { readBrief } from "./Brief.ts"
import { chartIn } from "./DrawingCharts.ts"
import { numbersNotDrawn, wordsNotDrawn } from "./DrawingCoverage.ts"
import { flowIn } from "./DrawingFlows.ts"
import type { ChartForm, DrawingModel } from "./DrawingModel.ts"
import type { DrawingNotes } from "./DrawingNotes.ts"
import {
  chartOfTable,
  formIn,
  graphIn,
  gridOf,
  itemsIn,
  mapIn,
  pairsIn,
  shapesIn,
  tableIn,
  titleOf,
  wireframeIn,
  wireWords
} from "./DrawingPrompt.ts"
import { swotIn, tableOf, vennIn } from "./DrawingSets.ts"
import { spansIn } from "./DrawingSpans.ts"
import { cut } from "./DrawingText.ts"
import { branchedTree, indentedTree, reportedTree } from "./DrawingTrees.ts"
import {
  type AskedData,
  amountsIn,
  askedData,
  bareLabel,
  isAsking,
  isYear,
  tokensOf,
  withoutMarks
} from "./DrawingWords.ts"
import { readMermaid } from "./Mermaid.ts"

type Body = DrawingModel["body"]

/** A drawing that shows all that its prompt says; else why there is none, and the words that it would not show. */
export type DrawingReading =
  | { readonly _tag: "Read"; readonly model: DrawingModel }
  | {
      readonly _tag: "Unread"
      readonly reason: keyof Pick<DrawingNotes, "notShown" | "noData" | "noFloorPlan" | "notClear" | "notChanged">
      readonly words: ReadonlyArray<string>
    }

const unread = (
  reason: Extract<DrawingReading, { readonly _tag: "Unread" }>["reason"],
  words: ReadonlyArray<string> = []
): DrawingReading => ({ _tag: "Unread", reason, words })

const kindWords = {
  floorPlan:
    /\b(?:planta baixa|floor ?plans?|plano de (?:la )?planta|plantas? d[aeo]s? (?:casa|loja|cl[ií]nica|consult[oó]rio|escrit[oó]rio)|croqui)\b/iu,
  venn: /\bvenn\b/iu,
  swot: /\b(?:swot|foda|dafo|fofa)\b/iu,
  gantt: /\b(?:gantt|cronograma|project plan|schedule|project schedule)\b/iu,
  timeline: /\b(?:linha d[eo] tempo|timeline|l[ií]nea de(?:l)? tiempo|roadmap)\b/iu,
  org: /\b(?:organograma|org(?:ani[sz]ation(?:al)?)? ?chart|organigrama|hierarquia|hierarchy|jerarqu[ií]a)\b/iu,
  branches: /(?<!\p{L})(?:mapa mental|mind ?map|mapa conceptual|mapa conceitual|[aá]rvore|tree|[aá]rbol)(?!\p{L})/iu,
  flow: /\b(?:fluxograma|flow ?chart|flow diagram|diagrama de flujo|flujograma|fluxo|flujo|process(?:o)?|proceso|jornada|journey|pipeline|passos|steps|pasos|etapas)\b/iu,
  table: /\b(?:tabela|table|tabla|planilha|spreadsheet)\b/iu,
  matrix: /\b(?:matri[zx]|matriz|2x2|quadrantes?|quadrants?|cuadrantes?)\b/iu,
  chart:
    /(?<!\p{L})(?:gr[aá]ficos?|(?<!flow |org )charts?|graph|barras|bars?|funil|funnel|embudo|histograma?)(?!\p{L})/iu
} as const
type AskedKind = keyof typeof kindWords

const order: ReadonlyArray<AskedKind> = [
  "floorPlan",
  "venn",
  "swot",
  "gantt",
  "timeline",
  "org",
  "branches",
  "matrix",
  "table",
  "chart",
  "flow"
]

const stacked = /\b(?:stacked|empilhad[oa]s?|apilad[oa]s?)\b/iu

const formOf = (text: string): ChartForm => {
  if (stacked.test(text)) return "stacked"
  // "Horizontal bars" are named by the first word, "bars" alone stand upright.
  return formIn(text) ?? "bar"
}

const joinedText = ({ ask, data }: AskedData): string => (ask === "" ? data : data.trim() === "" ? ask : data)

/** The body of the kind that is asked for; undefined where it cannot be read with certainty. */
const bodyOfKind = (kind: AskedKind, text: string, request: AskedData, title: string): Body | undefined => {
  const { ask, data } = request
  switch (kind) {
    case "venn":
      return vennIn(ask, data)
    case "swot":
      return swotIn(text)
    case "gantt":
    case "timeline":
      return spansIn(data, kind === "gantt")
    case "org":
      return indentedTree(data, "", "down") ?? graphIn(text) ?? reportedTree(joinedText(request))
    case "branches":
      return branchedTree(data, title)
    case "table":
      return tableOf(ask, data)
    case "chart":
      return mapIn(text) ?? chartIn(data, formOf(text))
    case "flow":
      return graphIn(text) ?? flowIn(data)
    case "matrix":
    case "floorPlan":
      return undefined
  }
}

/** Whether lines have as many semicolons each: rows of a table. */
const hasEvenRows = (text: string): boolean => {
  const counts = text.split("\n").map((line) => line.split(";").length - 1)
  const rows = counts.filter((count) => count > 0)
  return rows.length > 1 && new Set(rows).size === 1
}

/** What is written in a formal language: Mermaid, tables, arrows. */
const formalIn = (text: string): Body | undefined => {
  const mermaid = readMermaid(text)
  if (mermaid !== undefined) return mermaid
  const table = /[|\t]/.test(text) || hasEvenRows(text) ? tableIn(text) : undefined
  if (table === undefined) return undefined
  const wantsChart = kindWords.chart.test(text) && !kindWords.table.test(text)
  return (wantsChart ? chartOfTable(table, formOf(text)) : undefined) ?? table
}

/** A body where no kind is asked for: arrows, labels with numbers, a list. */
const unaskedBody = (text: string, { ask, data }: AskedData): Body | undefined => {
  const graph = graphIn(text)
  if (graph !== undefined) return graph
  const chart = chartIn(data, pairsIn(data).length > 8 ? "horizontal" : "bar")
  if (chart !== undefined) return chart
  const items = itemsIn(ask === "" ? text : `x: ${data}`)
  return items.length >= 2 && (ask !== "" || /^ {0,8}(?:[-*•]|\d{1,2}[.)])\s/m.test(text)) ? gridOf(items) : undefined
}

/** Words by which a kind is described, and that its lines or places show instead. */
const structure: { readonly [K in AskedKind]?: ReadonlySet<string> } = {
  org: new Set(
    "reports report answers works responde respondem reporta reportam reportan depende dependem dependen trabalha trabalham dirige lidera manages leads heads coordena coordina todo tudo everything everyone todos ele ela el ella him her he she".split(
      " "
    )
  ),
  table: new Set(["vs", "versus", "contra"]),
  venn: new Set(["tres", "three", "dois", "dos", "two", "duas", "ambos", "both"])
}

const checked = (
  prompt: string,
  { data }: AskedData,
  model: DrawingModel,
  kind: AskedKind | undefined
): DrawingReading => {
  const words = kind === undefined ? undefined : structure[kind]
  const missing = [...new Set([...numbersNotDrawn(prompt, model), ...wordsNotDrawn(data, model)])].filter(
    (word) => words?.has(word) !== true
  )
  return missing.length === 0 ? { _tag: "Read", model } : unread("notShown", missing.slice(0, 12))
}

/** A chart of numbers without labels: the words before the first one are its heading. */
const headed = (model: DrawingModel, { data }: AskedData): DrawingModel => {
  const { body } = model
  if (body.kind !== "chart" || body.rows[0]?.label !== "1" || body.series.length > 1) return model
  const heading = bareLabel(data.slice(0, amountsIn(data)[0]?.from ?? 0))
  return heading === "" ? model : { ...model, title: cut(capitalised(heading), 90) }
}

const capitalised = (text: string): string => {
  const [first = "", ...rest] = Array.from(text)
  return first.toLocaleUpperCase() + rest.join("")
}

const leadsTo: ReadonlySet<string> = new Set("sobre about".split(" "))

/** What a request calls the drawing: its words without those that ask for one. */
const headingOf = (ask: string): string => {
  const words = ask.split(/\s+/)
  while (words.length > 0 && tokensOf(words[0] ?? "").every((word) => isAsking(word) || leadsTo.has(word)))
    words.shift()
  return cut(capitalised(withoutMarks(words.join(" "), " ,;:–-")), 90)
}

const titleFor = (text: string, { ask, title }: AskedData): string => {
  if (title !== "") return title
  return readBrief(ask).quotes[0] ?? (ask === "" ? titleOf(text) : headingOf(ask))
}

const kindIn = (text: string, ask: string): AskedKind | undefined => {
  const head = ask === "" ? text : ask
  const named = order.find((each) => kindWords[each].test(head))
  if (named !== undefined) return named
  return formIn(head) === undefined ? order.find((each) => kindWords[each].test(text)) : "chart"
}

/** Maps, pages and shapes: what they show is read by their own words, and numbers are checked. */
const pictureIn = (text: string, kind: AskedKind | undefined): Body | undefined => {
  if (kind === undefined && wireWords.test(text)) return wireframeIn(text)
  const map = kind === "branches" ? undefined : mapIn(text)
  return map ?? (kind === undefined ? shapesIn(text) : undefined)
}

const checkedPicture = (text: string, model: DrawingModel): DrawingReading => {
  const isMap = model.body.kind === "world" || model.body.kind === "states"
  const missing = isMap ? numbersNotDrawn(text, model) : []
  return missing.length === 0 ? { _tag: "Read", model } : unread("notShown", missing)
}

/** Reads what a prompt wants drawn. A drawing shows every number and label of its prompt, or there is none. */
export const readDrawing = (prompt: string): DrawingReading => {
  const text = prompt.slice(0, 8000).replace(/\r\n?/g, "\n").trim()
  const language = detectLanguage(text) ?? "pt-BR"
  const request = askedData(text)
  const title = titleFor(text, request)
  const model = (body: Body): DrawingModel => ({ title, language, body })
  const formal = formalIn(text)
  if (formal !== undefined)
    return { _tag: "Read", model: { ...model(formal), title: request.title === "" ? titleOf(text) : request.title } }
  const kind = kindIn(text, request.ask)
  if (kind === "floorPlan") return unread("noFloorPlan")
  const picture = pictureIn(text, kind)
  if (picture !== undefined) return checkedPicture(text, model(picture))
  const body = kind === undefined ? unaskedBody(text, request) : bodyOfKind(kind, text, request, title)
  if (body !== undefined) return checked(text, request, headed(model(body), request), kind)
  const hasValues = amountsIn(request.data).some((amount) => !isYear(amount))
  return unread(kind === "chart" && !hasValues ? "noData" : "notClear")
}
