import type { Grid, Table } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { readAmount } from "../../../../Services/Media/Drawings/DrawingText.ts"
import { printable, widthOf } from "../Typeface.ts"
import { type Content, colorAt, look, margin, pageWidth, setIn, textOn, tint } from "./DrawingSheet.ts"

const width = pageWidth - 2 * margin

/** Columns fit their content. Numbers are aligned right. */
export const tableContent = ({ columns, rows }: Table): Content => {
  const all = [columns, ...rows]
  const wishes = columns.map((_, index) =>
    Math.min(
      380,
      Math.max(
        60,
        ...all.map((row, place) => widthOf(printable(row[index] ?? ""), place === 0 ? "SemiBold" : "Regular", 19) + 36)
      )
    )
  )
  const total = wishes.reduce((sum, wish) => sum + wish, 0)
  const widths = wishes.map((wish) => (wish * width) / total)
  const isNumber = columns.map((_, index) =>
    rows.every((row) => (row[index] ?? "") === "" || readAmount((row[index] ?? "").trim()) !== undefined)
  )
  const set = all.map((row, place) =>
    columns.map((_, index) =>
      setIn(row[index] ?? "", (widths[index] ?? 0) - 32, 100, 19, {
        face: place === 0 ? "SemiBold" : "Regular",
        smallest: 13
      })
    )
  )
  const isHeadless = columns.every((column) => column.trim() === "")
  const heights = set.map((row, place) =>
    place === 0 && isHeadless ? 0 : Math.max(26, ...row.map(({ height }) => height)) + 26
  )
  return {
    width,
    height: heights.reduce((sum, height) => sum + height, 0),
    draw: (canvas, x, y) => {
      let top = y
      set.forEach((row, place) => {
        const height = heights[place] ?? 0
        if (height === 0) return
        const fill = place === 0 ? colorAt(0) : place % 2 === 0 ? look.soft : look.paper
        canvas.rect({ x, y: top, width, height }, fill, place === 0 ? 8 : 0)
        if (place > 0) canvas.rect({ x, y: top + height - 1, width, height: 1 }, look.line)
        let left = x
        row.forEach((cell, index) => {
          const column = widths[index] ?? 0
          canvas.block(cell, {
            x: left + 16,
            y: top + (height - cell.height) / 2,
            width: column - 32,
            color: textOn(fill),
            on: [fill],
            align: isNumber[index] === true && index > 0 ? "end" : "start"
          })
          left += column
        })
        top += height
      })
    }
  }
}

export const gridContent = ({ cells }: Grid): Content => {
  const count = cells.length
  const columns = count <= 1 ? 1 : count <= 4 ? 2 : 3
  const gap = 24
  const cell = (width - gap * (columns - 1)) / columns
  const set = cells.map(({ text, title }) => ({
    title: setIn(title, cell - 96, 120, 23, { face: "SemiBold", smallest: 15 }),
    text: setIn(text, cell - 96, 130, 18, { smallest: 13 })
  }))
  const height = Math.max(
    100,
    ...set.map(({ text, title }) => title.height + (text.height > 0 ? text.height + 10 : 0) + 52)
  )
  const rows = Math.ceil(count / columns)
  return {
    width,
    height: rows * height + (rows - 1) * gap,
    draw: (canvas, x, y) => {
      set.forEach(({ text, title }, index) => {
        const left = x + (index % columns) * (cell + gap)
        const top = y + Math.floor(index / columns) * (height + gap)
        const color = colorAt(index)
        const fill = tint(color, 0.9)
        canvas.rect({ x: left, y: top, width: cell, height }, fill, 14, `data-cell="${index}"`)
        canvas.circle(left + 42, top + height / 2, 21, color)
        canvas.line({
          text: String(index + 1),
          x: left + 42,
          y: top + height / 2 + 7,
          face: "Bold",
          size: 20,
          color: textOn(color),
          on: [color],
          anchor: "middle"
        })
        const taken = title.height + (text.height > 0 ? text.height + 10 : 0)
        const start = top + (height - taken) / 2
        canvas.block(title, { x: left + 78, y: start, width: cell - 96, color: look.ink, on: [fill] })
        canvas.block(text, {
          x: left + 78,
          y: start + title.height + 10,
          width: cell - 96,
          color: look.ink,
          on: [fill]
        })
      })
    }
  }
}
