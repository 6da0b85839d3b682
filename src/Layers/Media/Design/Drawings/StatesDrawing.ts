import type { DrawingModel, StateMap } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { stateTiles } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { writeAmount } from "../../../../Services/Media/Drawings/DrawingText.ts"
import { type Canvas } from "../Canvas.ts"
import { mix } from "../Color.ts"
import { printable, widthOf } from "../Typeface.ts"
import { type Content, colorAt, look, textOn } from "./DrawingSheet.ts"

/** Light to dark by value, on a scale between the least and the most. */
export const heat = (value: number | null, least: number, most: number): string => {
  if (value === null) return colorAt(0)
  const share = most === least ? 1 : (value - least) / (most - least)
  return mix("#cfe3ef", "#0f4468", share)
}

/** The scale of a map's colours. */
export const drawScale = (canvas: Canvas, x: number, y: number, least: string, most: string): void => {
  const steps = 24
  for (let index = 0; index < steps; index++) {
    canvas.rect({ x: x + index * 8, y, width: 8.5, height: 16 }, heat(index, 0, steps - 1))
  }
  canvas.line({ text: least, x, y: y + 40, face: "Regular", size: 17, color: look.quiet, on: [look.paper] })
  canvas.line({
    text: most,
    x: x + steps * 8,
    y: y + 40,
    face: "Regular",
    size: 17,
    color: look.quiet,
    on: [look.paper],
    anchor: "end"
  })
}

/** Draws the states of Brazil as tiles of one size, arranged as on a map. */
export const statesContent = ({ regions, unit }: StateMap, language: DrawingModel["language"]): Content => {
  const tile = 104
  const values = new Map(regions.map(({ code, value }) => [code, value]))
  const numbers = regions.flatMap(({ value }) => (value === null ? [] : [value]))
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const hasScale = new Set(numbers).size > 1
  return {
    width: tile * 7,
    height: tile * 7,
    draw: (canvas, x, y) => {
      for (const [code, [column, row]] of Object.entries(stateTiles)) {
        const value = values.get(code)
        const fill = value === undefined ? "#e6eaed" : heat(value, least, most)
        const [left, top] = [x + column * tile + 3, y + row * tile + 3]
        canvas.rect(
          { x: left, y: top, width: tile - 6, height: tile - 6 },
          fill,
          12,
          `data-state="${code}"${value === undefined || value === null ? "" : ` data-value="${value}"`}`
        )
        const hasValue = value !== undefined && value !== null
        const middle = left + (tile - 6) / 2
        canvas.line({
          text: code,
          x: middle,
          y: top + (hasValue ? 44 : 58),
          face: "Bold",
          size: 24,
          color: textOn(fill),
          on: [fill],
          anchor: "middle"
        })
        if (!hasValue) continue
        const text = printable(writeAmount(value, unit, language))
        const size = Math.min(18, (tile - 18) / Math.max(0.1, widthOf(text, "SemiBold", 1)))
        canvas.line({
          text,
          x: middle,
          y: top + 72,
          face: "SemiBold",
          size,
          color: textOn(fill),
          on: [fill],
          anchor: "middle"
        })
      }
      if (hasScale)
        drawScale(
          canvas,
          x,
          y + tile * 7 - 60,
          printable(writeAmount(least, unit, language)),
          printable(writeAmount(most, unit, language))
        )
    }
  }
}
