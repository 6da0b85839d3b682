import { colorsIn, readBrief, shortened } from "../Brief.ts"
import { countriesIn, stateOf, statesIn } from "../Regions.ts"
import type { Chart, ChartForm, Graph, Grid, Shapes, StateMap, Table, Wireframe, WorldMap } from "./DrawingModel.ts"
import { cut, readAmount } from "./DrawingText.ts"

export interface Pair {
  readonly label: string
  readonly value: number
  readonly unit: string
}

const bullet = /^\s{0,8}(?:[-*•–]|\d{1,2}[.)])\s+/

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Removes these characters from both ends of the text. */
const trimmed = (text: string, marks: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && marks.includes(text[from] ?? "")) from++
  while (to > from && marks.includes(text[to - 1] ?? "")) to--
  return text.slice(from, to)
}

/** Splits "Jan: 3 and Feb: 4" in two, if each part has a number. */
const withoutAnd = (part: string): ReadonlyArray<string> => {
  const pieces = part.split(/ (?:e|and|y) /)
  return pieces.every((piece) => /\d/.test(piece)) ? pieces : [part]
}

/** The parts of a text between commas, semicolons and line breaks. A comma inside a number does not separate. */
const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[;\n]|,(?!\d)/)
    .flatMap(withoutAnd)
    .map((part) => part.replace(bullet, "").trim())
    .filter((part) => part !== "")

/** The text after the last sentence mark or line break of a label: "Vendas por mês: Jan" becomes "Jan". */
const lastLabel = (text: string): string => {
  const pieces = text.split(/[:.!?\n](?:\s|$)/)
  return trimmed(pieces.at(-1) ?? text, "\"“”'() ").replace(/^(?:e|and|y|com|with|con) /i, "")
}

/** Pairs of a label and a number: `Jan: 30`, `São Paulo = 1.200`, `Norte - 12%`, `Alta 40%`. */
export const pairsIn = (text: string): ReadonlyArray<Pair> =>
  partsOf(text).flatMap((part): ReadonlyArray<Pair> => {
    for (const mark of [":", "=", " - ", " – ", "→"]) {
      let at = part.lastIndexOf(mark)
      while (at > 0) {
        const amount = readAmount(part.slice(at + mark.length).trimStart())
        if (amount !== undefined) {
          const label = lastLabel(part.slice(0, at))
          return label === "" ? [] : [{ label: cut(label, 60), value: amount.value, unit: amount.unit }]
        }
        at = part.lastIndexOf(mark, at - 1)
      }
    }
    const words = lastLabel(part).split(" ")
    const last = words.at(-1) ?? ""
    const lastAmount = words.length > 1 && words.length <= 5 ? readAmount(last) : undefined
    if (lastAmount === undefined || lastAmount.length < last.length) return []
    const label = lastLabel(words.slice(0, -1).join(" "))
    return label === "" ? [] : [{ label: cut(label, 60), value: lastAmount.value, unit: lastAmount.unit }]
  })

const arrow = /-{1,3}>|={1,2}>|→|⟶|➜/

const idOf = (label: string): string => label.toLowerCase().replace(/\s+/g, " ").trim()

/** A graph from lines and chains such as `A -> B: label`. */
export const graphIn = (text: string): Graph | undefined => {
  const nodes = new Map<string, Graph["nodes"][number]>()
  const edges: Array<Graph["edges"][number]> = []
  const add = (raw: string): string => {
    const label = cut(trimmed(raw.replace(bullet, ""), '"“”[](){}.;, '), 60)
    const id = idOf(label)
    if (label !== "" && !nodes.has(id) && nodes.size < 60) {
      nodes.set(id, { id, label, shape: label.endsWith("?") ? "diamond" : "box" })
    }
    return id
  }
  for (const line of text.split(/[\n;]/)) {
    const parts = line.split(arrow)
    if (parts.length < 2) continue
    for (let at = 0; at + 1 < parts.length; at++) {
      const [left = "", right = ""] = [parts[at], parts[at + 1]]
      const start = at === 0 ? lastLabel(left) : (left.split(/:\s/)[0] ?? left)
      const [target = "", ...label] = right.split(/:\s/)
      // Several targets: "A -> B, C".
      for (const each of target.split(/,(?!\d)/)) {
        const [from, to] = [add(start), add(each)]
        if (nodes.has(from) && nodes.has(to) && edges.length < 150)
          edges.push({ from, to, label: cut(label.join(": "), 40) })
      }
    }
  }
  if (edges.length === 0) return undefined
  return {
    kind: "graph",
    direction: nodes.size > 5 || /vertical|de cima|top[- ]down|arriba/i.test(text) ? "down" : "across",
    nodes: [...nodes.values()],
    edges
  }
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  (line.includes("|")
    ? line.replace(/^\||\|$/g, "").split("|")
    : line.includes("\t")
      ? line.split("\t")
      : line.split(";")
  ).map((cell) => cut(cell, 80))

/** "Table: a | b": what asks for the table is no part of its first column. */
const tableWord = /^\s{0,8}(?:tabela|table|tabla|quadro|cuadro)\s?:\s/iu

/** A table in the text: Markdown, tabs or semicolons, with at least a header and a row. */
export const tableIn = (text: string): Table | undefined => {
  const rows = text
    .replace(tableWord, "")
    .split("\n")
    .map((line) => (line.includes("\t") ? trimmed(line, " ") : line.trim()))
    .filter((line) => /[|\t;]/.test(line))
    .filter((line) => !/^[\s|:;-]+$/.test(line))
    .map(cellsOf)
  const [head, ...body] = rows
  if (head === undefined || head.length < 2 || head.length > 8 || body.length === 0 || body.length > 30)
    return undefined
  // A row with more or fewer cells has lost its columns.
  return body.every((row) => row.length === head.length) ? { kind: "table", columns: head, rows: body } : undefined
}

const isTotal = (label: string): boolean =>
  /^(?:total|totales|totais|sum|soma|suma)(?:\s(?:geral|general))?:?$/iu.test(label)

/** The rows without a last one that states their sum. */
const withoutTotal = (rows: Chart["rows"]): Chart["rows"] => {
  const last = rows.at(-1)
  if (last === undefined || !isTotal(last.label)) return rows
  const parts = rows.slice(0, -1)
  const isSum = last.values.every(
    (value, at) => Math.abs(parts.reduce((all, row) => all + (row.values[at] ?? 0), 0) - value) < 0.01
  )
  return isSum ? parts : rows
}

const isAmount = (cell: string): boolean => {
  const amount = readAmount(cell)
  return amount !== undefined && amount.length === cell.trim().length && !/^(?:19|20)\d\d$/.test(cell.trim())
}

/** Converts a table to a chart, if all columns after the first contain numbers. */
export const chartOfTable = (table: Table, form: ChartForm): Chart | undefined => {
  // "Jan<tab>30" without a header: the first line is a row too.
  const isBare = table.columns.length === 2 && isAmount(table.columns[1] ?? "")
  const columns = isBare ? ["", ""] : table.columns
  const rows = isBare ? [table.columns, ...table.rows] : table.rows
  if (columns.length > 7) return undefined
  const read = rows.map((row) => row.slice(1, 7).map((cell) => readAmount(cell)))
  if (read.length === 0 || read.some((row) => row.length === 0 || row.some((cell) => cell === undefined)))
    return undefined
  return {
    kind: "chart",
    form,
    unit: read[0]?.[0]?.unit ?? "",
    series: columns.slice(1, 7),
    rows: withoutTotal(
      rows.map((row, index) => ({
        label: cut(row[0] ?? "", 60),
        values: (read[index] ?? []).map((cell) => cell?.value ?? 0)
      }))
    )
  }
}

export const wireWords =
  /\b(?:wireframe|mockup|esboço|layout|tela|pantalla|screen|landing(?: page)?|página inicial|homepage|protótipo|prototype|prototipo)\b/i
const phoneWords = /\b(?:celular|app|aplicativo|mobile|phone|m[oó]vil|smartphone|tel[eé]fono)\b/i

const wireParts: ReadonlyArray<readonly [RegExp, Wireframe["blocks"][number]["part"]]> = [
  [/menu|navega|navbar|cabeçalho|header|encabezado|topo\b/i, "menu"],
  [/hero|banner|destaque|chamada|principal|headline|título|titular/i, "hero"],
  [/form|cadastro|sign[- ]?up|registro|contato|contact|login|campos|fields|newsletter/i, "form"],
  [
    /cart(?:ões|ão|ao)|cards?\b|tarjetas?|planos|plans|planes|preços|pricing|precios|depoimentos|testimonials|testimonios|serviços|services|servicios|benef|recursos|features|funcionalidades|produtos|products|productos/i,
    "cards"
  ],
  [/lista|list\b|faq|perguntas|preguntas|questions|mensagens|messages|mensajes/i, "list"],
  [/foto|imagem|imagen|image|picture|galeria|gallery|galería|v[ií]deo|mapa|map\b|gr[aá]fico|chart/i, "picture"],
  [/bot(?:ão|ao|ón|on)|button|cta/i, "button"],
  [/rodap[eé]|footer|pie de página/i, "footer"],
  [/texto|text|parágrafo|paragraph|sobre|about|descri/i, "text"]
]

const labelsIn = (text: string): ReadonlyArray<string> =>
  text
    .split(/[,;\n]|\s(?:e|and|y|com|with|con)\s/)
    .map((part) => cut(lastLabel(part.replace(bullet, "")), 60))
    .filter((part) => part !== "")

export const wireframeIn = (text: string): Wireframe => {
  const { quotes } = readBrief(text)
  const labels = labelsIn(text).flatMap((label) => {
    const part = wireParts.find(([words]) => words.test(label))?.[1]
    return part === undefined || (wireWords.test(label) && label.length > 30) ? [] : [{ part, label }]
  })
  const blocks = labels.filter(
    ({ part }, index) =>
      part === "text" || part === "picture" || labels.findIndex((each) => each.part === part) === index
  )
  const device = phoneWords.test(text) ? "phone" : "browser"
  const rows =
    blocks.length >= 2
      ? blocks
      : [
          { part: "menu", label: "" } as const,
          { part: "hero", label: quotes[0] ?? "" } as const,
          { part: "cards", label: "" } as const,
          { part: "form", label: "" } as const,
          { part: "footer", label: "" } as const
        ]
  return {
    kind: "wireframe",
    device,
    blocks: rows.slice(0, 12).map(({ label, part }) => ({
      part,
      label:
        part === "hero" && quotes[0] !== undefined ? quotes[0] : label.charAt(0).toLocaleUpperCase() + label.slice(1),
      items: part === "button" ? quotes.slice(1, 2) : []
    }))
  }
}

const numbers: { readonly [word: string]: number } = {
  um: 1,
  uma: 1,
  one: 1,
  a: 1,
  an: 1,
  un: 1,
  una: 1,
  dois: 2,
  duas: 2,
  two: 2,
  dos: 2,
  três: 3,
  tres: 3,
  three: 3,
  quatro: 4,
  four: 4,
  cuatro: 4,
  cinco: 5,
  five: 5,
  seis: 6,
  six: 6,
  sete: 7,
  seven: 7,
  siete: 7,
  oito: 8,
  eight: 8,
  ocho: 8,
  nove: 9,
  nine: 9,
  nueve: 9,
  dez: 10,
  ten: 10,
  diez: 10
}

const shapeWords: ReadonlyArray<readonly [RegExp, Shapes["items"][number]["shape"]]> = [
  [/^(?:círculos?|circulos?|circles?|bolas?|balls?)$/i, "circle"],
  [/^(?:quadrados?|squares?|cuadrados?)$/i, "square"],
  [/^(?:retângulos?|retangulos?|rectangles?|rectángulos?|rectangulos?)$/i, "rectangle"],
  [/^(?:triângulos?|triangulos?|triangles?|triángulos?)$/i, "triangle"],
  [/^(?:estrelas?|stars?|estrellas?)$/i, "star"],
  [/^(?:hexágonos?|hexagonos?|hexagons?)$/i, "hexagon"],
  [/^(?:corações|corazones|coração|corazón|hearts?)$/i, "heart"],
  [/^(?:losangos?|rombos?|diamonds?|rhombus(?:es)?|diamantes?)$/i, "diamond"],
  [/^(?:setas?|arrows?|flechas?)$/i, "arrow"]
]
const shapeColors = ["#1d6fd1", "#c8322b", "#1f8a4c", "#e5b21d", "#6a3fb5", "#e2711d"] as const

/** The shape that a word names. */
export const shapeOf = (word: string): Shapes["items"][number]["shape"] | undefined =>
  shapeWords.find(([pattern]) => pattern.test(word))?.[1]

/** The number that a word names. */
export const countOf = (word: string): number | undefined =>
  /^\d{1,2}$/.test(word) ? Number(word) : numbers[word.toLowerCase()]

/** "3 blue circles and a red square", in three languages. */
export const shapesIn = (text: string): Shapes | undefined => {
  const words = text.slice(0, 4000).split(/[\s,;.:!?()]+/)
  const items: Array<Shapes["items"][number]> = []
  words.forEach((word, index) => {
    const shape = shapeOf(word)
    if (shape === undefined) return
    const before = words.slice(Math.max(0, index - 3), index)
    const counted = before.map(countOf).filter((each) => each !== undefined)
    const count = Math.max(1, Math.min(12, counted.at(-1) ?? 1))
    const color =
      colorsIn(words.slice(index + 1, index + 2).join(" "))[0] ??
      colorsIn(words[index - 1] ?? "")[0] ??
      shapeColors[new Set(items.map((item) => item.shape)).size % shapeColors.length] ??
      shapeColors[0]
    for (let each = 0; each < count && items.length < 30; each++) items.push({ shape, color, label: "" })
  })
  return items.length === 0 ? undefined : { kind: "shapes", items }
}

/** The items of a list in the text: bullets, or words after a colon, separated by commas. */
export const itemsIn = (text: string): ReadonlyArray<string> => {
  const bullets = linesOf(text)
    .filter((line) => bullet.test(line))
    .map((line) => line.replace(bullet, ""))
  if (bullets.length >= 2) return bullets.slice(0, 24).map((item) => cut(item))
  const colon = text.indexOf(":")
  const rest = colon >= 0 && colon < 200 ? text.slice(colon + 1) : text
  const parts = rest
    .split(/[,;\n]|\s(?:e|and|y)\s(?=\S{1,40}(?:\s\S{1,40}){0,5}$)/)
    .map((part) => cut(part.replace(/[.]\s*$/, "")))
    .filter((part) => part !== "")
  return parts.length >= 2 ? parts.slice(0, 24) : []
}

export const gridOf = (items: ReadonlyArray<string>): Grid => ({
  kind: "grid",
  cells: items.map((item) => {
    const at = item.search(/[:–]\s|\s-\s/)
    return at > 0 && at < 60
      ? { title: item.slice(0, at).trim(), text: item.slice(at + 1).replace(/^[-–:\s]+/, "") }
      : { title: item, text: "" }
  })
})

const mapWords = /\b(?:mapa|map|mapas)\b/i

const statesOf = (text: string, pairs: ReadonlyArray<Pair>): StateMap | undefined => {
  const valued = pairs.flatMap(({ label, unit, value }) => {
    const code = stateOf(label)
    return code === undefined ? [] : [{ code, value, unit }]
  })
  const named = statesIn(text)
  const isAsked = mapWords.test(text) || /\b(?:estados|states|ufs?)\b/i.test(text)
  if (!isAsked || (valued.length === 0 && named.length === 0)) return undefined
  const valuedCodes = new Set(valued.map(({ code }) => code))
  return {
    kind: "states",
    unit: valued.find(({ unit }) => unit !== "")?.unit ?? "",
    regions: [
      ...valued.map(({ code, value }) => ({ code, value })),
      ...named.filter((code) => !valuedCodes.has(code)).map((code) => ({ code, value: null }))
    ].filter(({ code }, index, all) => all.findIndex((each) => each.code === code) === index)
  }
}

const worldOf = (text: string, pairs: ReadonlyArray<Pair>): WorldMap | undefined => {
  if (!mapWords.test(text)) return undefined
  const named = countriesIn(text)
  if (named.length === 0 && !/\b(?:mundo|world|mundi|países|countries)\b/i.test(text)) return undefined
  const values = new Map(
    pairs.flatMap(({ label, value }) =>
      countriesIn(label)
        .slice(0, 1)
        .map((code) => [code, value] as const)
    )
  )
  return {
    kind: "world",
    unit: pairs.find(({ unit }) => unit !== "")?.unit ?? "",
    regions: named.map((code) => ({ code, value: values.get(code) ?? null }))
  }
}

/** The map of states or countries that a text asks for, with their numbers. */
export const mapIn = (text: string): StateMap | WorldMap | undefined => {
  const pairs = pairsIn(text)
  return statesOf(text, pairs) ?? worldOf(text, pairs)
}

const mermaidStart =
  /^(?:```mermaid|graph (?:TB|TD|BT|LR|RL)\b|flowchart\b|pie\b|xychart-beta|stateDiagram|sequenceDiagram|mindmap|erDiagram|classDiagram)/

/** "Crie um gráfico de barras das", "Line chart of": words that only name the kind of drawing. */
const drawingWords =
  /^(?:(?:crie|faça|gere|desenhe|monte|create|make|draw|generate|design|crea|haz|genera|dibuja) )?(?:(?:um|uma|a|an|the|un|una) )?(?:(?:gráfico|grafico|chart|graph) (?:de )?(?:barras?|colunas?|columnas?|linhas?|líneas?|pizza|torta|rosca|dona)(?: horizontais| horizontales)?|(?:horizontal )?(?:line|bar|pie|column|donut|funnel) (?:chart|graph)|gráfico|chart|world map|mapa(?: do mundo| del mundo)?|diagrama?|fluxograma|flowchart|tabela|table|tabla)\b ?(?:(?:de|do|da|dos|das|del|of|with|for|showing|com|con)\b ?)?(?:(?:our|the|o|a|os|as|el|la|los|las) )?/i

/** The drawing's title: the prompt's quoted words, or the words before its data. */
export const titleOf = (text: string): string => {
  const { quotes } = readBrief(text)
  if (mermaidStart.test(text)) return ""
  const head = (text.split(/\n|```/)[0] ?? "").split(/:(?=\s|$)/)[0] ?? ""
  const beforeData = /-{1,3}>|→|\|/.test(head) || pairsIn(head).length > 0 ? "" : head
  const { subject } = readBrief(beforeData.replace(drawingWords, ""))
  return cut(quotes[0] ?? shortened(subject, 80), 90)
}
