import { Graphviz } from "@hpcc-js/wasm-graphviz"
import { Predicate } from "effect"
import type { Graph } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { n } from "../Canvas.ts"
import type { FittedText } from "../Typeface.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, tint } from "./DrawingSheet.ts"

const pointsPerInch = 72

interface Placed {
  readonly x: number
  readonly y: number
}

const numbersIn = (text: unknown): ReadonlyArray<number> =>
  typeof text === "string" ? (text.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number) : []

const point = (text: unknown): Placed | undefined => {
  const [x, y] = numbersIn(text)
  return x === undefined || y === undefined ? undefined : { x, y }
}

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> =>
  Predicate.hasProperty(value, name) && Array.isArray(value[name]) ? value[name] : []

const attribute = (value: unknown, name: string): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

interface Box {
  readonly text: FittedText
  readonly width: number
  readonly height: number
}

const boxOf = ({ label, shape }: Graph["nodes"][number]): Box => {
  const text = setIn(label, 210, 110, 20, { face: "SemiBold", smallest: 14, balanced: true })
  const [across, up] = shape === "diamond" ? [1.75, 1.85] : [1, 1]
  return { text, width: Math.max(80, text.width * across + 44), height: Math.max(54, text.height * up + 30) }
}

/** The input of the layout, which computes all positions. It gets the sizes of labels instead of their texts. */
const source = (
  { direction, edges, nodes }: Graph,
  boxes: ReadonlyArray<Box>,
  labels: ReadonlyArray<FittedText>
): string => {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]))
  const drawn = boxes.map(
    ({ height, width }, index) => `n${index} [width=${n(width / pointsPerInch)} height=${n(height / pointsPerInch)}]`
  )
  const linked = edges.flatMap(({ from, to }, index) => {
    const [start, end] = [indexOf.get(from), indexOf.get(to)]
    if (start === undefined || end === undefined) return []
    const { height = 0, width = 0 } = labels[index] ?? {}
    const label =
      width > 0
        ? ` label=<<TABLE BORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" WIDTH="${Math.ceil(width + 16)}" HEIGHT="${Math.ceil(height + 8)}"><TR><TD></TD></TR></TABLE>>`
        : ""
    return [`n${start} -> n${end} [id="e${index}"${label}]`]
  })
  return `digraph { graph [rankdir=${direction === "across" ? "LR" : "TB"} nodesep=0.45 ranksep=0.6] node [shape=box fixedsize=true label=""] ${drawn.join(";")}; ${linked.join(";")} }`
}

let loaded: Promise<Graphviz> | undefined

/** Boxes and arrows, laid out with few crossings. */
export const graphContent = async (graph: Graph): Promise<Content> => {
  loaded ??= Graphviz.load()
  const graphviz = await loaded
  const boxes = graph.nodes.map(boxOf)
  const labels = graph.edges.map(({ label }) => setIn(label, 170, 50, 16, { smallest: 13 }))
  const laid: unknown = JSON.parse(graphviz.layout(source(graph, boxes, labels), "json", "dot"))
  const bounds = numbersIn(attribute(laid, "bb"))
  const [, , wide = 100, tall = 100] = bounds
  const inner = pageWidth - 2 * margin
  const scale = Math.min(1.25, inner / wide, 1500 / tall)
  const places = new Map(
    listOf(laid, "objects").flatMap((object) => {
      const name = attribute(object, "name")
      const place = point(attribute(object, "pos"))
      return typeof name === "string" && place !== undefined ? [[name, place] as const] : []
    })
  )
  return {
    width: wide * scale,
    height: tall * scale,
    draw: (canvas, left, top) => {
      const at = ({ x, y }: Placed): Placed => ({ x: left + x * scale, y: top + (tall - y) * scale })
      for (const edge of listOf(laid, "edges")) {
        const raw = attribute(edge, "pos")
        if (typeof raw !== "string") continue
        const tip = /e,([-\d.e]+),([-\d.e]+)/.exec(raw)
        const rest = numbersIn(raw.replace(/[es],[-\d.e]+,[-\d.e]+/g, ""))
        const points = Array.from({ length: Math.floor(rest.length / 2) }, (_, index) =>
          at({ x: rest[index * 2] ?? 0, y: rest[index * 2 + 1] ?? 0 })
        )
        const [first, ...others] = points
        const last = points.at(-1)
        if (first === undefined || last === undefined) continue
        const curve = Array.from({ length: Math.floor(others.length / 3) }, (_, index) =>
          others
            .slice(index * 3, index * 3 + 3)
            .map(({ x, y }) => `${n(x)} ${n(y)}`)
            .join(" ")
        )
        const end = tip === null ? last : at({ x: Number(tip[1]), y: Number(tip[2]) })
        canvas.add(
          `<path d="M${n(first.x)} ${n(first.y)}${curve.map((part) => `C${part}`).join("")}" fill="none" stroke="${look.quiet}" stroke-width="2.4"/>`
        )
        const angle = Math.atan2(end.y - last.y, end.x - last.x)
        const wing = (turn: number) =>
          `${n(end.x - Math.cos(angle + turn) * 14)} ${n(end.y - Math.sin(angle + turn) * 14)}`
        canvas.add(`<path d="M${n(end.x)} ${n(end.y)}L${wing(0.45)}L${wing(-0.45)}Z" fill="${look.quiet}"/>`)
      }
      graph.nodes.forEach(({ shape }, index) => {
        const box = boxes[index]
        const place = places.get(`n${index}`)
        if (box === undefined || place === undefined) return
        const middle = at(place)
        const [width, height] = [box.width * scale, box.height * scale]
        const color = colorAt(shape === "diamond" ? 1 : shape === "round" ? 2 : 0)
        const fill = tint(color, 0.88)
        const x = middle.x - width / 2
        const y = middle.y - height / 2
        const stroke = `stroke="${color}" stroke-width="2.4" data-node="${index}"`
        if (shape === "diamond") {
          canvas.add(
            `<path d="M${n(middle.x)} ${n(y)}L${n(x + width)} ${n(middle.y)}L${n(middle.x)} ${n(y + height)}L${n(x)} ${n(middle.y)}Z" fill="${fill}" ${stroke}/>`
          )
        } else canvas.rect({ x, y, width, height }, fill, shape === "round" ? height / 2 : 10, stroke)
        const size = box.text.size * scale
        const text = { ...box.text, size }
        canvas.block(text, {
          x,
          y: middle.y - (text.lines.length * size * text.lineHeight) / 2,
          width,
          color: look.ink,
          on: [fill],
          align: "middle"
        })
      })
      listOf(laid, "edges").forEach((edge) => {
        const index = Number(String(attribute(edge, "id")).slice(1))
        const place = point(attribute(edge, "lp"))
        const label = labels[index]
        if (place === undefined || label === undefined || label.lines.length === 0) return
        const middle = at(place)
        const size = label.size * scale
        const [width, height] = [label.width * scale, label.lines.length * size * label.lineHeight]
        canvas.rect(
          { x: middle.x - width / 2 - 5, y: middle.y - height / 2 - 2, width: width + 10, height: height + 4 },
          look.paper,
          4
        )
        canvas.block(
          { ...label, size },
          {
            x: middle.x - width / 2,
            y: middle.y - height / 2,
            width,
            color: look.quiet,
            on: [look.paper],
            align: "middle"
          }
        )
      })
    }
  }
}
