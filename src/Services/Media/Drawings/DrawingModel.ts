import { Schema } from "effect"

const Label = Schema.String.pipe(Schema.maxLength(200))
const Amount = Schema.Number.pipe(Schema.finite())
const list = <A, I>(item: Schema.Schema<A, I>, most: number) => Schema.Array(item).pipe(Schema.maxItems(most))

export const Graph = Schema.Struct({
  kind: Schema.Literal("graph"),
  direction: Schema.Literal("across", "down"),
  nodes: list(Schema.Struct({ id: Label, label: Label, shape: Schema.Literal("box", "round", "diamond") }), 60),
  edges: list(Schema.Struct({ from: Label, to: Label, label: Schema.String.pipe(Schema.maxLength(80)) }), 150)
})
export type Graph = typeof Graph.Type

export const ChartForm = Schema.Literal("bar", "horizontal", "line", "pie", "funnel", "stacked")
export type ChartForm = typeof ChartForm.Type

/** A chart in a language model's answer. */
export const PlainChart = Schema.Struct({
  kind: Schema.Literal("chart"),
  form: ChartForm,
  unit: Schema.String.pipe(Schema.maxLength(12)),
  series: list(Label, 6),
  /** Each row has a value for each series. */
  rows: list(Schema.Struct({ label: Label, values: list(Amount, 6) }), 40)
})

const Color = Schema.String.pipe(Schema.pattern(/^#[0-9a-f]{6}$/))

export const Chart = Schema.Struct({
  ...PlainChart.fields,
  /** Requested colours, by the label of a row or a series. An empty label means all. */
  colors: Schema.optionalWith(list(Schema.Struct({ of: Label, color: Color }), 46), { exact: true })
})
export type Chart = typeof Chart.Type

export const Table = Schema.Struct({
  kind: Schema.Literal("table"),
  columns: list(Label, 8),
  rows: list(list(Label, 8), 30)
})
export type Table = typeof Table.Type

export const Grid = Schema.Struct({
  kind: Schema.Literal("grid"),
  cells: list(Schema.Struct({ title: Label, text: Label }), 24)
})
export type Grid = typeof Grid.Type

export const Wireframe = Schema.Struct({
  kind: Schema.Literal("wireframe"),
  device: Schema.Literal("browser", "phone"),
  blocks: list(
    Schema.Struct({
      part: Schema.Literal("menu", "hero", "text", "picture", "cards", "form", "list", "button", "footer"),
      label: Label,
      items: list(Label, 6)
    }),
    12
  )
})
export type Wireframe = typeof Wireframe.Type

export const Shapes = Schema.Struct({
  kind: Schema.Literal("shapes"),
  items: list(
    Schema.Struct({
      shape: Schema.Literal(
        "circle",
        "square",
        "rectangle",
        "triangle",
        "star",
        "hexagon",
        "heart",
        "diamond",
        "arrow"
      ),
      color: Schema.String.pipe(Schema.pattern(/^#[0-9a-f]{6}$/)),
      label: Label
    }),
    30
  )
})
export type Shapes = typeof Shapes.Type

/** Tasks with their times, as text and as positions on one axis. */
export const Gantt = Schema.Struct({
  kind: Schema.Literal("gantt"),
  tasks: list(Schema.Struct({ label: Label, when: Label, from: Amount, to: Amount }), 30)
})
export type Gantt = typeof Gantt.Type

export const Timeline = Schema.Struct({
  kind: Schema.Literal("timeline"),
  events: list(Schema.Struct({ when: Label, label: Label }), 30)
})
export type Timeline = typeof Timeline.Type

/** Two or three sets, and what all of them share. */
export const Venn = Schema.Struct({
  kind: Schema.Literal("venn"),
  sets: list(Schema.Struct({ label: Label, items: list(Label, 6) }), 3),
  shared: Label
})
export type Venn = typeof Venn.Type

/** Four lists in two rows. */
export const Quadrants = Schema.Struct({
  kind: Schema.Literal("quadrants"),
  cells: list(Schema.Struct({ title: Label, items: list(Label, 8) }), 4)
})
export type Quadrants = typeof Quadrants.Type

/** A country by its two-letter code, or a Brazilian state by its code. */
const Region = Schema.Struct({
  code: Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/)),
  value: Schema.NullOr(Amount)
})

export const WorldMap = Schema.Struct({
  kind: Schema.Literal("world"),
  unit: Schema.String.pipe(Schema.maxLength(12)),
  regions: list(Region, 200)
})
export type WorldMap = typeof WorldMap.Type

export const StateMap = Schema.Struct({
  kind: Schema.Literal("states"),
  unit: Schema.String.pipe(Schema.maxLength(12)),
  regions: list(Region, 27)
})
export type StateMap = typeof StateMap.Type

/** The data of a drawing. The drawing is made from it, and changed by changing it. */
export const DrawingModel = Schema.Struct({
  title: Label,
  language: Schema.Literal("pt-BR", "en", "es"),
  body: Schema.Union(Graph, Chart, Table, Grid, Wireframe, Shapes, WorldMap, StateMap, Gantt, Timeline, Venn, Quadrants)
})
export type DrawingModel = typeof DrawingModel.Type

/** The tiles of the map of states: each state's column and row on a grid. */
export const stateTiles: { readonly [code: string]: readonly [column: number, row: number] } = {
  RR: [2, 0],
  AP: [4, 0],
  AM: [1, 1],
  PA: [3, 1],
  MA: [4, 1],
  CE: [5, 1],
  RN: [6, 1],
  AC: [0, 2],
  RO: [1, 2],
  MT: [2, 2],
  TO: [3, 2],
  PI: [4, 2],
  PE: [5, 2],
  PB: [6, 2],
  MS: [2, 3],
  GO: [3, 3],
  DF: [4, 3],
  BA: [5, 3],
  AL: [6, 3],
  MG: [4, 4],
  ES: [5, 4],
  SE: [6, 4],
  SP: [3, 4],
  RJ: [4, 5],
  PR: [3, 5],
  SC: [3, 6],
  RS: [2, 6]
}

export const stateNames: { readonly [code: string]: string } = {
  AC: "Acre",
  AL: "Alagoas",
  AM: "Amazonas",
  AP: "Amapá",
  BA: "Bahia",
  CE: "Ceará",
  DF: "Distrito Federal",
  ES: "Espírito Santo",
  GO: "Goiás",
  MA: "Maranhão",
  MG: "Minas Gerais",
  MS: "Mato Grosso do Sul",
  MT: "Mato Grosso",
  PA: "Pará",
  PB: "Paraíba",
  PE: "Pernambuco",
  PI: "Piauí",
  PR: "Paraná",
  RJ: "Rio de Janeiro",
  RN: "Rio Grande do Norte",
  RO: "Rondônia",
  RR: "Roraima",
  RS: "Rio Grande do Sul",
  SC: "Santa Catarina",
  SE: "Sergipe",
  SP: "São Paulo",
  TO: "Tocantins"
}
