import type { Quadrants, Venn } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { n } from "../Canvas.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, tint } from "./DrawingSheet.ts"

const width = pageWidth - 2 * margin

interface Circle {
  readonly x: number
  readonly y: number
  /** The centre of the area that belongs to no other set. */
  readonly alone: { readonly x: number; readonly y: number }
}

const radius = 220
const twoCircles: ReadonlyArray<Circle> = [
  { x: width / 2 - 140, y: radius + 8, alone: { x: width / 2 - 235, y: radius + 8 } },
  { x: width / 2 + 140, y: radius + 8, alone: { x: width / 2 + 235, y: radius + 8 } }
]
const threeCircles: ReadonlyArray<Circle> = [
  { x: width / 2 - 145, y: radius + 8, alone: { x: width / 2 - 230, y: radius - 56 } },
  { x: width / 2 + 145, y: radius + 8, alone: { x: width / 2 + 230, y: radius - 56 } },
  { x: width / 2, y: radius + 258, alone: { x: width / 2, y: radius + 352 } }
]

/** Draws overlapping circles. Each has its own elements, and the middle has the elements that all share. */
export const vennContent = ({ sets, shared }: Venn): Content => {
  const circles = sets.length === 2 ? twoCircles : threeCircles
  const height = sets.length === 2 ? radius * 2 + 16 : radius * 2 + 266
  const middle = sets.length === 2 ? { x: width / 2, y: radius + 8 } : { x: width / 2, y: radius + 92 }
  return {
    width,
    height,
    draw: (canvas, left, top) => {
      const fills = sets.map((_, index) => tint(colorAt(index), 0.72))
      sets.forEach((_, index) => {
        const circle = circles[index]
        if (circle === undefined) return
        canvas.circle(
          left + circle.x,
          top + circle.y,
          radius,
          fills[index] ?? look.soft,
          `fill-opacity="0.62" stroke="${colorAt(index)}" stroke-width="3" data-set="${index}"`
        )
      })
      sets.forEach(({ items, label }, index) => {
        const circle = circles[index]
        if (circle === undefined) return
        const on = [fills[index] ?? look.soft, look.paper]
        const name = setIn(label, 210, 84, 22, { face: "SemiBold", smallest: 13, balanced: true })
        const list = items.map((item) => setIn(item, 200, 40, 17, { smallest: 12, lines: 2 }))
        const tall = name.height + list.reduce((sum, { height: each }) => sum + each + 4, list.length > 0 ? 8 : 0)
        let y = top + circle.alone.y - tall / 2
        const x = left + circle.alone.x
        canvas.block(name, { x: x - 105, y, width: 210, color: look.ink, on, align: "middle" })
        y += name.height + 8
        for (const item of list) {
          canvas.block(item, { x: x - 100, y, width: 200, color: look.ink, on, align: "middle" })
          y += item.height + 4
        }
      })
      if (shared === "") return
      const room = sets.length === 2 ? 136 : 132
      const text = setIn(shared, room, 120, 20, { face: "Bold", smallest: 11, balanced: true })
      canvas.block(text, {
        x: left + middle.x - room / 2,
        y: top + middle.y - text.height / 2,
        width: room,
        color: look.ink,
        on: [...fills, look.paper],
        align: "middle"
      })
    }
  }
}

/** Four lists in two rows, each below its heading. */
export const quadrantsContent = ({ cells }: Quadrants): Content => {
  const gap = 20
  const cell = (width - gap) / 2
  const set = cells.map(({ items, title }) => ({
    title: setIn(title, cell - 48, 60, 24, { face: "SemiBold", smallest: 15 }),
    items: items.map((item) => setIn(item, cell - 76, 70, 19, { smallest: 13 }))
  }))
  const heights = set.map(
    ({ items, title }) => title.height + 56 + items.reduce((sum, { height }) => sum + height + 8, 0)
  )
  const rows = [Math.max(160, heights[0] ?? 0, heights[1] ?? 0), Math.max(160, heights[2] ?? 0, heights[3] ?? 0)]
  return {
    width,
    height: (rows[0] ?? 0) + (rows[1] ?? 0) + gap,
    draw: (canvas, x, y) => {
      set.forEach(({ items, title }, index) => {
        const left = x + (index % 2) * (cell + gap)
        const top = y + (index < 2 ? 0 : (rows[0] ?? 0) + gap)
        const color = colorAt(index)
        const fill = tint(color, 0.9)
        canvas.rect(
          { x: left, y: top, width: cell, height: rows[index < 2 ? 0 : 1] ?? 0 },
          fill,
          14,
          `data-cell="${index}"`
        )
        canvas.rect({ x: left, y: top, width: 8, height: rows[index < 2 ? 0 : 1] ?? 0 }, color, 4)
        canvas.block(title, { x: left + 28, y: top + 18, width: cell - 48, color: look.ink, on: [fill] })
        let at = top + 18 + title.height + 14
        for (const item of items) {
          canvas.add(`<circle cx="${n(left + 36)}" cy="${n(at + 12)}" r="4" fill="${color}"/>`)
          canvas.block(item, { x: left + 52, y: at, width: cell - 76, color: look.ink, on: [fill] })
          at += item.height + 8
        }
      })
    }
  }
}
