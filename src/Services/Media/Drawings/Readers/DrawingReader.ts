import { detectLanguage } from "../../../Text/Language.ts"
import { readBrief } from "../../Brief.ts"
import { recoloured } from "../Changes/DrawingWishes.ts"
import { type AskedData, askedData, valuesIn } from "../DrawingAsk.ts"
import { type AskedKind, formIn, kindIn } from "../DrawingKinds.ts"
import type { ChartForm, DrawingModel } from "../DrawingModel.ts"
import { prepared } from "../DrawingPreparation.ts"
import {
  chartOfTable,
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
} from "../DrawingPrompt.ts"
import { reportedTree } from "../DrawingReports.ts"
import { cut } from "../DrawingText.ts"
import { isAsking, onlyAsks, piecesOf, sentenceMarks, splitOutside, tokensOf, withoutMarks } from "../DrawingWords.ts"
import { gateBreach, isLeftOut } from "../Gate/DrawingGate.ts"
import { isMermaid, readMermaid } from "../Mermaid.ts"
import { chartIn } from "./DrawingCharts.ts"
import { flowIn } from "./DrawingFlows.ts"
import type { DrawingReading } from "./DrawingReading.ts"
import { fieldsIn, swotIn, vennIn } from "./DrawingSets.ts"
import { spansIn } from "./DrawingSpans.ts"
import { tableOf } from "./DrawingTables.ts"
import { branchedTree, hasCentre, indentedTree } from "./DrawingTrees.ts"

type Body = DrawingModel["body"]

const read = (model: DrawingModel, undone: ReadonlyArray<string> = []): DrawingReading => ({
  _tag: "Read",
  model,
  undone
})

const unread = (
  reason: Extract<DrawingReading, { readonly _tag: "Unread" }>["reason"],
  words: ReadonlyArray<string> = []
): DrawingReading => ({ _tag: "Unread", reason, words })

const formOf = (text: string): ChartForm => formIn(text) ?? "bar"

interface ReadBody {
  readonly body: Body
  readonly heading: string
}

const bodyOnly = (body: Body | undefined): ReadBody | undefined =>
  body === undefined ? undefined : { body, heading: "" }

const chartOf = ({ ask, data }: AskedData, form: ChartForm): ReadBody | undefined => {
  const read = chartIn(data, ask, form)
  return read === undefined ? undefined : { body: read.chart, heading: read.heading }
}

/** Arrows without questions. A question is parsed with its answers. */
const arrowsIn = (text: string): Body | undefined => (text.includes("?") ? undefined : graphIn(text))

/** The body of the requested kind; undefined if it cannot be parsed with certainty. */
const bodyOfKind = (kind: AskedKind, request: AskedData, { language, text, title }: Asked): ReadBody | undefined => {
  const { ask, data } = request
  switch (kind) {
    case "venn":
      return bodyOnly(vennIn(data))
    case "swot":
      return bodyOnly(swotIn(text))
    case "gantt":
    case "timeline":
      return bodyOnly(spansIn(data, kind === "gantt", language))
    case "org":
      return bodyOnly(indentedTree(data, "", "down") ?? arrowTree(data) ?? reportedTree(data))
    case "branches":
      return bodyOnly(
        arrowTree(data) ?? (hasCentre(data) ? undefined : reportedBranches(data)) ?? branchedTree(data, title)
      )
    case "table":
      return bodyOnly(tableOf(ask, data))
    case "chart":
      return bodyOnly(mapIn(text)) ?? chartOf(request, formOf(ask === "" ? text : ask))
    case "flow":
      return bodyOnly(arrowsIn(text) ?? flowIn(data, language))
    case "matrix":
      return bodyOnly(fieldsIn(data))
    case "floorPlan":
      return undefined
  }
}

/** "Services > Hair, Nails. Hair -> Cut": the arrows of each sentence. */
const arrowTree = (data: string): Body | undefined =>
  /\s>\s|->|→/.test(data) ? graphIn(data.replace(/\.\s|\.$/g, "\n").replace(/\s>\s/g, " -> ")) : undefined

/** A tree from sentences that state what belongs below what. */
const reportedBranches = (data: string): Body | undefined =>
  /(?<!\p{L})(?:se divide|divide-se|splits?|divided|embaixo|under|debajo|tem|tiene|tienen|has|have)(?!\p{L})/iu.test(
    data
  )
    ? reportedTree(data)
    : undefined

/** Whether all lines have the same number of semicolons, as the rows of a table do. */
const hasEvenRows = (text: string): boolean => {
  const counts = text.split("\n").map((line) => line.split(";").length - 1)
  const rows = counts.filter((count) => count > 0)
  return rows.length > 1 && new Set(rows).size === 1
}

/** Text in a formal language: Mermaid, tables, arrows. */
const formalIn = (text: string): Body | undefined => {
  const mermaid = readMermaid(text)
  if (mermaid !== undefined) return mermaid
  const table = /[|\t]/.test(text) || hasEvenRows(text) ? tableIn(text) : undefined
  if (table === undefined) return undefined
  const wantsChart = kindIn(text) === "chart"
  return (wantsChart ? chartOfTable(table, formOf(text)) : undefined) ?? table
}

/** The body if no kind is requested: arrows, labels with numbers, or a list. */
const unaskedBody = (text: string, request: AskedData): ReadBody | undefined => {
  const { data } = request
  const graph = arrowsIn(text)
  if (graph !== undefined) return bodyOnly(graph)
  const chart = chartOf(request, pairsIn(data).length > 8 ? "horizontal" : "bar")
  if (chart !== undefined) return chart
  // Only a list that its marks make certain is drawn as one.
  const items = /^ {0,8}(?:[-*•]|\d{1,2}[.)])\s/m.test(text) ? itemsIn(text) : []
  return items.length >= 2 ? bodyOnly(gridOf(items)) : undefined
}

/** A sentence besides the data that names a colour is carried out. Any other is not. */
const withColor = (reading: DrawingReading, sentence: string): DrawingReading => {
  if (reading._tag === "Unread") return reading
  const painted = recoloured(reading.model, sentence)
  return painted === undefined
    ? read(reading.model, [...reading.undone, sentence])
    : read(painted.model, reading.undone)
}

/** The drawing, if the gate lets it pass. */
const gated = (
  prompt: string,
  request: AskedData | undefined,
  model: DrawingModel,
  kind: AskedKind | undefined,
  isFormal = false
): DrawingReading => {
  const { ask, others } = request ?? { ask: "", others: [] }
  const reading = others.reduce<DrawingReading>(withColor, read(model))
  if (reading._tag === "Unread") return reading
  const breach = gateBreach(prompt, reading.model, {
    kind,
    isFormal,
    asides: reading.undone,
    topic: headingOf(ask)
  })
  // What the prompt asks to leave out is done.
  const undone = reading.undone.filter((aside) => !isLeftOut(aside))
  return breach === undefined ? { ...reading, undone } : unread(breach.reason, breach.words.slice(0, 12))
}

interface Asked {
  readonly text: string
  readonly title: string
  readonly language: DrawingModel["language"]
}

/** Adds the words before the data in its first sentence as a heading. */
const headed = (model: DrawingModel, heading: string): DrawingModel => {
  if (heading === "") return model
  const note = cut(heading, 60)
  return {
    ...model,
    title: model.title === "" ? capitalised(note) : `${cut(model.title, 120)} (${note})`
  }
}

const capitalised = (text: string): string => {
  const [first = "", ...rest] = Array.from(text)
  return first.toLocaleUpperCase() + rest.join("")
}

const leadsTo: ReadonlySet<string> = new Set("sobre about".split(" "))

/** The title from a request: its words without those that ask for a drawing. */
const headingOf = (ask: string): string => {
  const [clause = ""] = splitOutside(ask, /,\s|\.\s/gu).filter((each) => !onlyAsks(each))
  const words = clause.split(/\s+/)
  while (words.length > 0 && tokensOf(words[0] ?? "").every((word) => isAsking(word) || leadsTo.has(word)))
    words.shift()
  return cut(capitalised(withoutMarks(words.join(" "), " ,;:–-")), 90)
}

const titleFor = (text: string, { ask, title }: AskedData): string => {
  if (title !== "") return title
  return readBrief(ask).quotes[0] ?? (ask === "" ? titleOf(text) : headingOf(ask))
}

/** The request in the lines above a pasted table. Its first clause is the title, and the others are not carried out. */
const askedAbove = (text: string, request: AskedData | undefined): AskedData => {
  const lines = text.split("\n")
  const head = lines
    .slice(
      0,
      lines.findIndex((line) => /[|\t;]/.test(line))
    )
    .join(". ")
  const clauses = splitOutside(head, /,\s|[.:](?:\s|$)/gu).filter((clause) => clause.trim() !== "" && !onlyAsks(clause))
  const title = request?.title ?? ""
  return {
    ask: clauses[0] ?? head,
    data: "",
    title,
    others: clauses.slice(1).filter((clause) => !clause.includes(title) || title === "")
  }
}

/** Maps, pages and shapes are parsed from their own words, and their numbers are checked. */
const pictureIn = (text: string, kind: AskedKind | undefined): Body | undefined => {
  if (kind === undefined && wireWords.test(text)) return wireframeIn(text)
  const map = kind === "branches" ? undefined : mapIn(text)
  return map ?? (kind === undefined ? shapesIn(text) : undefined)
}

/** A comparison of numbers is a chart, if no other kind is named. */
const compares = /^(?:compare|compara|comparar|comparando)\s/iu

/** The kind that the beginning asks for, or else the end, or else any part of the prompt. */
const askedKind = (text: string): AskedKind | undefined => {
  const sentences = piecesOf(text, sentenceMarks).filter((each) => each.text.trim() !== "")
  const [first = ""] = splitOutside(sentences[0]?.text ?? "", /:(?=\s|$)/gu)
  return (
    kindIn(first) ?? kindIn(sentences.at(-1)?.text ?? "") ?? kindIn(text) ?? (compares.test(text) ? "chart" : undefined)
  )
}

/** Parses what a prompt wants drawn. A drawing shows every number and label of its prompt, or there is none. */
export const readDrawing = (prompt: string): DrawingReading => {
  const text = prepared(prompt.slice(0, 8000).normalize("NFC").replace(/\r\n?/g, "\n").trim())
  const language = detectLanguage(text) ?? "pt-BR"
  const kind = askedKind(text)
  const request = askedData(text, kind)
  const title = request === undefined ? "" : titleFor(text, request)
  const model = (body: Body): DrawingModel => ({ title, language, body })
  const formal = formalIn(text)
  if (formal !== undefined && isMermaid(text))
    return gated(text, request, { ...model(formal), title: titleOf(text) }, kind, true)
  if (formal !== undefined) {
    const above = askedAbove(text, request)
    return gated(text, above, { ...model(formal), title: titleFor(text, above) }, kind)
  }
  if (kind === "floorPlan") return unread("noFloorPlan")
  const picture = pictureIn(text, kind)
  if (picture !== undefined) return gated(text, request, model(picture), kind)
  if (request === undefined) return unread("notClear")
  const match = kind === undefined ? unaskedBody(text, request) : bodyOfKind(kind, request, { language, text, title })
  if (match !== undefined) return gated(text, request, headed(model(match.body), match.heading), kind)
  return unread(kind === "chart" && valuesIn(request.data).length === 0 ? "noData" : "notClear")
}
