import type { Chart, DrawingModel } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { writeAmount } from "../../../../Services/Media/Drawings/DrawingText.ts"
import { n } from "../Canvas.ts"
import { mix } from "../Color.ts"
import { printable, widthOf } from "../Typeface.ts"
import { askedColor } from "./ChartColor.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, textOn } from "./DrawingSheet.ts"

type Language = DrawingModel["language"]

const width = pageWidth - 2 * margin

/** Draws parts of a whole. Negative values have no part. */
export const roundContent = (chart: Chart, language: Language): Content => {
  const parts = chart.rows
    .map(({ label, values }, index) => ({ label, value: Math.max(0, values[0] ?? 0), index }))
    .filter(({ value }) => value > 0)
  const sum = parts.reduce((all, { value }) => all + value, 0)
  // If the shares do not add up to the whole, the rest of the circle stays empty.
  const total = chart.unit === "%" ? Math.max(100, sum) : sum
  const radius = 230
  const rowHeight = Math.max(30, Math.min(62, (radius * 2) / Math.max(1, parts.length)))
  const height = Math.max(radius * 2 + 20, rowHeight * parts.length)
  return {
    width,
    height,
    draw: (canvas, x, y) => {
      const [cx, cy] = [x + radius + 50, y + height / 2]
      let angle = -Math.PI / 2
      if (total > sum) canvas.circle(cx, cy, radius, look.soft)
      const tone = (index: number) =>
        askedColor(chart, chart.rows[index]?.label) ??
        (index < look.colors.length ? colorAt(index) : mix(colorAt(index), "#ffffff", 0.35))
      for (const { index, value } of parts) {
        const sweep = (value / total) * Math.PI * 2
        const end = angle + sweep
        const point = (at: number) => `${n(cx + Math.cos(at) * radius)} ${n(cy + Math.sin(at) * radius)}`
        const data = `data-row="${index}" data-share="${value / total}"`
        canvas.add(
          parts.length === 1 && total === sum
            ? `<circle cx="${n(cx)}" cy="${n(cy)}" r="${radius}" fill="${tone(index)}" ${data}/>`
            : `<path d="M${n(cx)} ${n(cy)}L${point(angle)}A${radius} ${radius} 0 ${sweep > Math.PI ? 1 : 0} 1 ${point(end)}Z" fill="${tone(index)}" stroke="${look.paper}" stroke-width="3" ${data}/>`
        )
        angle = end
      }
      canvas.circle(cx, cy, radius * 0.52, look.paper)
      const left = cx + radius + 70
      const first = y + (height - rowHeight * parts.length) / 2
      parts.forEach(({ index, label, value }, place) => {
        const middle = first + rowHeight * (place + 0.5)
        canvas.rect({ x: left, y: middle - 10, width: 20, height: 20 }, tone(index), 5)
        const amount = writeAmount(value, chart.unit, language)
        const amountWidth = widthOf(printable(amount), "SemiBold", 18)
        const right = x + width
        canvas.line({
          text: printable(amount),
          x: right,
          y: middle + 6,
          face: "SemiBold",
          size: 18,
          color: look.ink,
          on: [look.paper],
          anchor: "end"
        })
        const set = setIn(label, right - left - 50 - amountWidth, rowHeight, 20, { smallest: 12, lines: 2 })
        canvas.block(set, { x: left + 34, y: middle - set.height / 2, width: 10, color: look.ink, on: [look.paper] })
      })
    }
  }
}

/** Draws a funnel: each step is a part of the step before it. */
export const funnelContent = (chart: Chart, language: Language): Content => {
  const rows = chart.rows.map(({ label, values }) => ({ label, value: Math.max(0, values[0] ?? 0) }))
  const most = Math.max(1, ...rows.map(({ value }) => value))
  const [rowHeight, gap, widest] = [74, 12, width * 0.56]
  return {
    width,
    height: rows.length * (rowHeight + gap) - gap,
    draw: (canvas, x, y) => {
      const cx = x + width * 0.36 + widest / 2
      rows.forEach(({ label, value }, row) => {
        const top = y + row * (rowHeight + gap)
        const half = Math.max(2, ((value / most) * widest) / 2)
        const next = rows[row + 1]?.value ?? value
        const lower = Math.max(2, ((Math.min(next, value) / most) * widest) / 2)
        const fill = askedColor(chart, label) ?? mix(colorAt(0), colorAt(2), row / Math.max(1, rows.length - 1))
        canvas.add(
          `<path d="M${n(cx - half)} ${n(top)}H${n(cx + half)}L${n(cx + lower + (half - lower) * 0.4)} ${n(top + rowHeight)}H${n(cx - lower - (half - lower) * 0.4)}Z" fill="${fill}" data-row="${row}" data-value="${value}" data-length="${n(half * 2)}"/>`
        )
        const set = setIn(label, width * 0.33, rowHeight, 22, { face: "SemiBold", smallest: 13 })
        canvas.block(set, {
          x,
          y: top + (rowHeight - set.height) / 2,
          width: width * 0.33,
          color: look.ink,
          on: [look.paper],
          align: "end"
        })
        const text = printable(writeAmount(value, chart.unit, language))
        const wide = widthOf(text, "Bold", 21)
        const inside = wide + 24 < lower * 2
        canvas.line({
          text,
          x: inside ? cx : Math.min(cx + half + 16, x + width - wide),
          y: top + rowHeight / 2 + 7,
          face: "Bold",
          size: 21,
          color: inside ? textOn(fill) : look.ink,
          on: [inside ? fill : look.paper],
          anchor: inside ? "middle" : "start"
        })
      })
    }
  }
}
