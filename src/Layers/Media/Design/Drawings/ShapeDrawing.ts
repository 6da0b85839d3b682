import type { Shapes } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { n } from "../Canvas.ts"
import { type Content, look, margin, pageWidth } from "./DrawingSheet.ts"

const width = pageWidth - 2 * margin

const polygon = (sides: number, x: number, y: number, r: number, inner?: number): string =>
  Array.from({ length: inner === undefined ? sides : sides * 2 }, (_, index) => {
    const turn = inner === undefined ? (index * 2 * Math.PI) / sides : (index * Math.PI) / sides
    const radius = inner !== undefined && index % 2 === 1 ? inner : r
    return `${n(x + Math.sin(turn) * radius)},${n(y - Math.cos(turn) * radius)}`
  }).join(" ")

const shapeSvg = (
  shape: Shapes["items"][number]["shape"],
  x: number,
  y: number,
  r: number,
  fill: string,
  data: string
): string => {
  switch (shape) {
    case "circle":
      return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${data}/>`
    case "square":
      return `<rect x="${n(x - r * 0.9)}" y="${n(y - r * 0.9)}" width="${n(r * 1.8)}" height="${n(r * 1.8)}" fill="${fill}" ${data}/>`
    case "rectangle":
      return `<rect x="${n(x - r)}" y="${n(y - r * 0.6)}" width="${n(r * 2)}" height="${n(r * 1.2)}" fill="${fill}" ${data}/>`
    case "triangle":
      return `<polygon points="${polygon(3, x, y + r * 0.2, r * 1.1)}" fill="${fill}" ${data}/>`
    case "star":
      return `<polygon points="${polygon(5, x, y, r, r * 0.42)}" fill="${fill}" ${data}/>`
    case "hexagon":
      return `<polygon points="${polygon(6, x, y, r)}" fill="${fill}" ${data}/>`
    case "diamond":
      return `<polygon points="${polygon(4, x, y, r)}" fill="${fill}" ${data}/>`
    case "heart":
      return `<path d="M50 88C22 68 8 52 8 34 8 20 18 12 29 12c9 0 17 5 21 13 4-8 12-13 21-13 11 0 21 8 21 22 0 18-14 34-42 54Z" transform="translate(${n(x - r)} ${n(y - r)}) scale(${n(r / 50)})" fill="${fill}" ${data}/>`
    case "arrow":
      return `<path d="M${n(x - r)} ${n(y - r * 0.25)}h${n(r * 1.1)}v${n(-r * 0.4)}l${n(r * 0.9)} ${n(r * 0.65)}l${n(-r * 0.9)} ${n(r * 0.65)}v${n(-r * 0.4)}h${n(-r * 1.1)}Z" fill="${fill}" ${data}/>`
  }
}

export const shapesContent = ({ items }: Shapes): Content => {
  const columns = Math.min(6, Math.max(1, Math.ceil(Math.sqrt(items.length * 1.8))))
  const cell = Math.min(300, width / columns)
  const rows = Math.ceil(items.length / columns)
  return {
    width: cell * columns,
    height: cell * rows,
    draw: (canvas, x, y) => {
      items.forEach(({ color, shape }, index) => {
        const inRow = Math.min(columns, items.length - Math.floor(index / columns) * columns)
        const left = x + ((columns - inRow) * cell) / 2 + (index % columns) * cell + cell / 2
        const stroke = color === "#fafafa" ? ` stroke="${look.line}" stroke-width="3"` : ""
        canvas.add(
          shapeSvg(
            shape,
            left,
            y + Math.floor(index / columns) * cell + cell / 2,
            cell * 0.38,
            color,
            `data-shape="${shape}"${stroke}`
          )
        )
      })
    }
  }
}
