import type { Chart, Graph } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"

const start =
  /^ {0,12}(graph|flowchart|pie|xychart-beta|stateDiagram-v2|stateDiagram|sequenceDiagram|mindmap|erDiagram|classDiagram)\b(.{0,400})/

interface Source {
  readonly type: string
  readonly rest: string
  readonly lines: ReadonlyArray<string>
}

const sourceIn = (text: string): Source | undefined => {
  const lines = text.split("\n").map((line) => line.replace(/```\w{0,20}/g, ""))
  const at = lines.findIndex((line) => start.test(line))
  const [, type = "", rest = ""] = start.exec(lines[at] ?? "") ?? []
  if (type === "") return undefined
  const body = lines.slice(at + 1).filter((line) => line.trim() !== "" && !line.trim().startsWith("%%"))
  // "graph", "pie" and "flowchart" are also words. In Mermaid, a direction or a line of the diagram follows them.
  if (type === "graph" && !/^ (?:TB|TD|BT|LR|RL)\b/.test(rest)) return undefined
  if (type === "pie" && !body.some((line) => line.trim().startsWith('"'))) return undefined
  if (body.length === 0 && !rest.includes(";")) return undefined
  return { type, rest: rest.trim(), lines: body }
}

type Node = Graph["nodes"][number]

class Nodes {
  readonly #found = new Map<string, Node>()

  add(id: string, label = "", shape: Node["shape"] = "box"): string {
    const key = cut(id, 60)
    const existingNode = this.#found.get(key)
    if (key === "" || (existingNode === undefined && this.#found.size >= 60)) return key
    this.#found.set(key, {
      id: key,
      label: cut(label === "" ? (existingNode?.label ?? key) : label, 80),
      shape: label === "" ? (existingNode?.shape ?? shape) : shape
    })
    return key
  }

  has(id: string): boolean {
    return this.#found.has(id)
  }

  get all(): ReadonlyArray<Node> {
    return [...this.#found.values()]
  }
}

/** Removes the brackets around it, of any shape. */
const unwrapped = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && "[({>/\\".includes(text[from] ?? "")) from++
  while (to > from && "])}/\\".includes(text[to - 1] ?? "")) to--
  return text.slice(from, to)
}

const clean = (text: string): string =>
  text
    .replace(/["`]/g, "")
    .replace(/<br ?\/?>/gi, " ")
    .trim()

/** `id`, `id[Label]`, `id(Label)`, `id{Label}`, `id((Label))`, … */
const nodeOf = (nodes: Nodes, text: string): string => {
  const trimmed = (text.split(":::")[0] ?? "").trim()
  const at = trimmed.search(/[[({>]/)
  if (at < 0) return nodes.add(clean(trimmed))
  const id = clean(trimmed.slice(0, at))
  const inner = trimmed.slice(at)
  const label = clean(unwrapped(inner))
  return nodes.add(
    id === "" ? label : id,
    label,
    inner.startsWith("{") ? "diamond" : inner.startsWith("(") ? "round" : "box"
  )
}

const linkAt = /<?(?:-{2,4}|-\.{1,3}-|={2,4})[>ox]?/y

interface Linked {
  readonly node: string
  /** The label of the link to it. */
  readonly label: string
}

/** The nodes of a chain `A --> B -->|yes| C` or `A -- yes --> B`, in order. */
const chainOf = (line: string): ReadonlyArray<Linked> => {
  const links: Array<Linked> = []
  let [begin, at, depth] = [0, 0, 0]
  let label = ""
  let isOpen = false
  const close = (end: number) => {
    const text = line.slice(begin, end).trim()
    // Words after a link without an arrowhead belong to the arrow that the next link ends.
    if (isOpen && text !== "") label = text
    else if (text !== "") {
      links.push({ node: text, label })
      label = ""
    }
  }
  while (at < line.length) {
    const character = line[at] ?? ""
    if ("[({".includes(character)) depth += 1
    if ("])}".includes(character)) depth -= 1
    linkAt.lastIndex = at
    const link = depth <= 0 ? linkAt.exec(line)?.[0] : undefined
    if (link === undefined) {
      at += 1
      continue
    }
    close(at)
    isOpen = !isOpen && !/[>ox]$/.test(link) && /-->|==>|\.->/.test(line.slice(at + link.length))
    at += link.length
    const rest = line.slice(at)
    const bar = rest.search(/\S/)
    const end = rest[bar] === "|" ? rest.indexOf("|", bar + 1) : -1
    if (end > 0) {
      label = rest.slice(bar + 1, end)
      at += end + 1
    }
    begin = at
  }
  isOpen = false
  close(line.length)
  return links
}

type Edge = Graph["edges"][number]

const mostEdges = 150

const flowchart = ({ lines, rest }: Source): Graph => {
  const nodes = new Nodes()
  const edges: Array<Edge> = []
  for (const statement of [...rest.split(";").slice(1), ...lines.flatMap((line) => line.split(";"))]) {
    const line = statement.trim()
    if (line === "" || /^(?:subgraph|end$|style |classDef|class |linkStyle|click |direction)/.test(line)) continue
    let from: ReadonlyArray<string> = []
    for (const { label, node } of chainOf(line)) {
      const match = node
        .split("&")
        .map((part) => nodeOf(nodes, part))
        .filter((id) => nodes.has(id))
      for (const one of from) {
        for (const other of match) {
          if (edges.length < mostEdges) edges.push({ from: one, to: other, label: cut(clean(label), 40) })
        }
      }
      from = match
    }
  }
  return { kind: "graph", direction: /^(?:LR|RL)/.test(rest) ? "across" : "down", nodes: nodes.all, edges }
}

const separators: { readonly [type: string]: RegExp } = {
  sequenceDiagram: /-{1,2}>{1,2}[+-]?|-{1,2}[x)]/,
  erDiagram: /[|}o]{2}(?:--|\.\.)[|{o]{2}/,
  classDiagram: /<\|--|--\|>|\*--|o--|-->|<--|\.\.>|<\.\.|--/
}

/** States, entities, classes, and sequences of messages. */
const relations = ({ lines, type }: Source): Graph => {
  const nodes = new Nodes()
  const edges: Array<Edge> = []
  const isSequence = type === "sequenceDiagram"
  const name = (text: string) => (text.trim() === "[*]" ? "•" : clean(text.trim().replace(/^[+-]/, "")))
  for (const raw of lines) {
    const line = raw.trim()
    if (/^(?:participant|actor) /.test(line)) {
      const [id = "", ...alias] = line.slice(line.indexOf(" ") + 1).split(" as ")
      nodes.add(id.trim(), clean(alias.join(" as ")))
      continue
    }
    if (/^(?:note|activate|deactivate|loop|alt|else|opt|end|autonumber|direction|state|title)\b/i.test(line)) continue
    const [left = "", right] = line.split(separators[type] ?? /-->/)
    if (right === undefined) continue
    const [target = "", ...label] = right.split(":")
    const [from, to] = [nodes.add(name(left)), nodes.add(name(target))]
    if (!nodes.has(from) || !nodes.has(to) || edges.length >= mostEdges) continue
    const text = clean(label.join(":"))
    edges.push({ from, to, label: cut(isSequence ? `${edges.length + 1}. ${text}` : text, 44) })
  }
  return { kind: "graph", direction: isSequence ? "across" : "down", nodes: nodes.all, edges }
}

const mindmap = ({ lines }: Source): Graph => {
  const nodes = new Nodes()
  const edges: Array<Edge> = []
  const above: Array<{ readonly indent: number; readonly id: string }> = []
  lines.forEach((line, index) => {
    const indent = line.length - line.trimStart().length
    const trimmed = line.trim()
    const opening = trimmed.search(/[[({]/)
    const label = clean(opening < 0 ? trimmed : unwrapped(trimmed.slice(opening)))
    const id = nodes.add(`${index}`, label, index === 0 ? "round" : "box")
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const parent = above.at(-1)
    if (parent !== undefined && nodes.has(id) && edges.length < mostEdges)
      edges.push({ from: parent.id, to: id, label: "" })
    above.push({ indent, id })
  })
  return { kind: "graph", direction: "across", nodes: nodes.all, edges }
}

const pie = ({ lines }: Source): Chart => ({
  kind: "chart",
  form: "pie",
  unit: "",
  series: [""],
  rows: lines
    .flatMap((line) => {
      const [, label, rest] = line.split('"')
      const digits = (rest ?? "").replace(":", "").trim()
      return label === undefined || !/^\d{1,15}(?:\.\d{1,6})?$/.test(digits)
        ? []
        : [{ label: cut(label, 60), values: [Number(digits)] }]
    })
    .slice(0, 40)
})

const listed = (line = ""): ReadonlyArray<string> =>
  unwrapped(line.slice(Math.max(0, line.indexOf("["))).trim())
    .split(",")
    .map(clean)
    .filter((part) => part !== "")

const xychart = ({ lines }: Source): Chart => {
  const find = (name: string) => lines.find((line) => line.trim().startsWith(name))
  const labels = listed(find("x-axis"))
  const values = listed(find("bar") ?? find("line")).map(Number)
  return {
    kind: "chart",
    form: find("bar") === undefined ? "line" : "bar",
    unit: "",
    series: [""],
    rows: values
      .map((value, index) => ({ label: cut(labels[index] ?? String(index + 1), 60), values: [value] }))
      .filter((row) => row.values.every(Number.isFinite))
      .slice(0, 40)
  }
}

const read = (source: Source): Graph | Chart => {
  switch (source.type) {
    case "pie":
      return pie(source)
    case "xychart-beta":
      return xychart(source)
    case "mindmap":
      return mindmap(source)
    case "graph":
    case "flowchart":
      return flowchart(source)
    default:
      return relations(source)
  }
}

/** Whether a text is in this language. */
export const isMermaid = (text: string): boolean => sourceIn(text) !== undefined

/** The Mermaid diagram or chart in a text, if there is one. */
export const readMermaid = (text: string): Graph | Chart | undefined => {
  const source = sourceIn(text)
  if (source === undefined) return undefined
  const diagram = read(source)
  return (diagram.kind === "chart" ? diagram.rows.length : diagram.nodes.length) > 0 ? diagram : undefined
}
