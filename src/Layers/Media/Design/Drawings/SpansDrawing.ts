import type { Gantt, Timeline } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { printable, widthOf } from "../Typeface.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, textOn } from "./DrawingSheet.ts"

const width = pageWidth - 2 * margin
const labelWidth = 300
const rowHeight = 58

/** A bar for each task from its beginning to its end, labelled with its time. */
export const ganttContent = ({ tasks }: Gantt): Content => {
  const first = Math.min(...tasks.map(({ from }) => from))
  const last = Math.max(...tasks.map(({ to }) => to))
  const scale = (width - labelWidth) / Math.max(1e-9, last - first)
  return {
    width,
    height: tasks.length * rowHeight,
    draw: (canvas, x, y) => {
      const track = x + labelWidth
      tasks.forEach(({ from, label, to, when }, row) => {
        const top = y + row * rowHeight
        const fill = colorAt(row)
        if (row % 2 === 0) canvas.rect({ x, y: top, width, height: rowHeight }, look.soft)
        const ground = row % 2 === 0 ? look.soft : look.paper
        const name = setIn(label, labelWidth - 28, rowHeight - 8, 19, { smallest: 12 })
        canvas.block(name, {
          x: x + 12,
          y: top + (rowHeight - name.height) / 2,
          width: labelWidth - 28,
          color: look.ink,
          on: [ground]
        })
        const bar = { x: track + (from - first) * scale, width: Math.max(6, (to - from) * scale) }
        canvas.rect(
          { ...bar, y: top + 10, height: rowHeight - 20 },
          fill,
          6,
          `data-task="${row}" data-from="${from}" data-to="${to}"`
        )
        const text = printable(when)
        const wide = widthOf(text, "SemiBold", 16)
        const isInside = wide + 16 <= bar.width
        const isRight = bar.x + bar.width + wide + 12 <= x + width
        canvas.line({
          text,
          x: isInside ? bar.x + bar.width / 2 : isRight ? bar.x + bar.width + 8 : bar.x - 8,
          y: top + rowHeight / 2 + 6,
          face: "SemiBold",
          size: 16,
          color: isInside ? textOn(fill) : look.ink,
          on: [isInside ? fill : ground],
          anchor: isInside ? "middle" : isRight ? "start" : "end"
        })
      })
      canvas.rect({ x: track - 1, y, width: 2, height: tasks.length * rowHeight }, look.line)
    }
  }
}

const timeWidth = 210

/** Events below each other, each next to its time. */
export const timelineContent = ({ events }: Timeline): Content => {
  const set = events.map(({ label, when }) => ({
    when: setIn(when, timeWidth - 40, 60, 22, { face: "Bold", smallest: 14 }),
    label: setIn(label, width - timeWidth - 60, 90, 20, { smallest: 14 })
  }))
  const heights = set.map(({ label, when }) => Math.max(64, label.height + 26, when.height + 26))
  const height = heights.reduce((sum, each) => sum + each, 0)
  return {
    width,
    height,
    draw: (canvas, x, y) => {
      const line = x + timeWidth
      canvas.rect(
        {
          x: line - 2,
          y: y + (heights[0] ?? 0) / 2,
          width: 4,
          height: height - ((heights[0] ?? 0) + (heights.at(-1) ?? 0)) / 2
        },
        look.line
      )
      let top = y
      set.forEach(({ label, when }, index) => {
        const middle = top + (heights[index] ?? 0) / 2
        canvas.circle(line, middle, 11, colorAt(index), `stroke="${look.paper}" stroke-width="4" data-event="${index}"`)
        canvas.block(when, {
          x,
          y: middle - when.height / 2,
          width: timeWidth - 40,
          color: look.ink,
          on: [look.paper],
          align: "end"
        })
        canvas.block(label, {
          x: line + 36,
          y: middle - label.height / 2,
          width: width - timeWidth - 60,
          color: look.ink,
          on: [look.paper]
        })
        top += heights[index] ?? 0
      })
    }
  }
}
