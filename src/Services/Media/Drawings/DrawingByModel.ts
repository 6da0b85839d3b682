import { Schema } from "effect"
import type { PromptText } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"
import {
  DrawingModel,
  Gantt,
  Graph,
  Grid,
  PlainChart,
  Quadrants,
  Shapes,
  StateMap,
  stateNames,
  Table,
  Timeline,
  Venn,
  Wireframe,
  WorldMap
} from "./DrawingModel.ts"

const file = loadPromptFile(new URL("./drawing.md", import.meta.url))

/** A language model's answer: one of the kinds is set, the others are null. */
export const ModelledDrawing = Schema.Struct({
  title: DrawingModel.fields.title,
  language: DrawingModel.fields.language,
  graph: Schema.NullOr(Graph),
  chart: Schema.NullOr(PlainChart),
  table: Schema.NullOr(Table),
  grid: Schema.NullOr(Grid),
  wireframe: Schema.NullOr(Wireframe),
  shapes: Schema.NullOr(Shapes),
  world: Schema.NullOr(WorldMap),
  states: Schema.NullOr(StateMap),
  gantt: Schema.NullOr(Gantt),
  timeline: Schema.NullOr(Timeline),
  venn: Schema.NullOr(Venn),
  quadrants: Schema.NullOr(Quadrants)
})
export type ModelledDrawing = typeof ModelledDrawing.Type

/** The drawing in a model's answer; undefined if there is none, or its parts do not match. */
export const drawingOf = (answer: ModelledDrawing): DrawingModel | undefined => {
  const {
    chart,
    gantt,
    graph,
    grid,
    language,
    quadrants,
    shapes,
    states,
    table,
    timeline,
    title,
    venn,
    wireframe,
    world
  } = answer
  const body =
    graph ?? chart ?? table ?? grid ?? wireframe ?? shapes ?? world ?? states ?? gantt ?? timeline ?? venn ?? quadrants
  if (body === null) return undefined
  if (body.kind === "chart" && body.rows.some(({ values }) => values.length !== body.series.length)) return undefined
  if (body.kind === "table" && body.rows.some((row) => row.length !== body.columns.length)) return undefined
  if (body.kind === "states" && body.regions.some(({ code }) => !Object.hasOwn(stateNames, code))) return undefined
  return { title, language, body }
}

/** The prompt, with the drawing to change if there is one. */
export const drawingPrompt = (word: string, prompt: string, previous: DrawingModel | undefined): PromptText => ({
  system: file.section("system", { delimiter_rule: delimiterRule(word) }),
  user: file.section("task", {
    prompt: delimited(word, "prompt", prompt, 8000),
    previous: previous === undefined ? "None." : delimited(word, "previous_drawing", JSON.stringify(previous), 12_000)
  })
})
