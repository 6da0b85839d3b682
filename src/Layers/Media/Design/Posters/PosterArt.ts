import { type Box, n } from "../Canvas.ts"
import { contrast, isDark, mix, readable } from "../Color.ts"
import { type MotifColors, motif } from "../Motifs.ts"
import { type Palette } from "../Palettes.ts"
import type { Sheet } from "./PosterSheet.ts"

/** Colours for a motif that shows on a background. */
export const colorsOn = (background: string, { accent, ground, light, panel, second }: Palette): MotifColors => {
  const visible = [accent, second, panel, ground, light].filter((color) => contrast(color, background) > 1.7)
  const pick = (index: number, fallback: string) => visible[index] ?? fallback
  const bright = isDark(background) ? mix(background, "#ffffff", 0.92) : mix(background, "#ffffff", 0.75)
  const ink = readable([background])
  return { main: pick(0, ink), second: pick(1, mix(ink, background, 0.35)), light: bright }
}

/** A composition of plain shapes, for subjects that cannot be drawn. */
const composition = ({ canvas, palette, seed }: Sheet, box: Box, background: string): void => {
  const { light, main, second } = colorsOn(background, palette)
  const side = Math.min(box.width, box.height)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const r = side / 2
  switch (seed % 4) {
    case 0:
      canvas
        .circle(x, y, r * 0.95, second)
        .circle(x, y, r * 0.68, main)
        .circle(x, y, r * 0.4, light)
        .circle(x, y, r * 0.16, main)
      break
    case 1:
      for (let index = 0; index < 4; index++) {
        const radius = r * (1 - index * 0.23)
        canvas.add(
          `<path d="M${n(x - radius)} ${n(y + r * 0.8)}v${n(-r * 0.75)}a${n(radius)} ${n(radius)} 0 0 1 ${n(radius * 2)} 0v${n(r * 0.75)}Z" fill="${[main, second, light, main][index] ?? main}"/>`
        )
      }
      break
    case 2: {
      const cell = side / 4
      const fills = [main, second, mix(main, background, 0.45)]
      for (let row = 0; row < 4; row++) {
        for (let column = 0; column < 4; column++) {
          const [left, top] = [x - r + column * cell, y - r + row * cell]
          const fill = fills[(seed + row * 5 + column * 4 + row * column) % 3] ?? main
          const turn = ((row * 2 + column + (seed % 7)) % 4) * 90
          canvas.add(
            `<path d="M0 0H${n(cell)}A${n(cell)} ${n(cell)} 0 0 1 0 ${n(cell)}Z" fill="${fill}" transform="translate(${n(left)} ${n(top)}) rotate(${turn},${n(cell / 2)},${n(cell / 2)})"/>`
          )
        }
      }
      break
    }
    default:
      canvas
        .circle(x + r * 0.28, y - r * 0.28, r * 0.6, second)
        .rect({ x: x - r * 0.85, y: y - r * 0.1, width: r * 1.1, height: r * 0.95 }, main)
        .add(
          `<path d="M${n(x)} ${n(y + r * 0.85)}L${n(x + r * 0.9)} ${n(y + r * 0.85)}L${n(x + r * 0.45)} ${n(y)}Z" fill="${light}"/>`
        )
  }
}

/** Draws the subject's things in a box, the first one largest. */
export const art = (sheet: Sheet, box: Box, background: string): void => {
  const { canvas, motifs, palette } = sheet
  const [first, second, third] = motifs
  if (first === undefined) return composition(sheet, box, background)
  const colors = colorsOn(background, palette)
  const side = Math.min(box.width, box.height)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  if (second === undefined) {
    canvas.add(motif(first, x, y, side, colors))
    return
  }
  const isWide = box.width >= box.height * 1.25
  const isTall = box.height >= box.width * 1.25
  const scale = Math.min(1, Math.max(box.width, box.height) / (side * 1.58))
  const small = side * (isWide || isTall ? 0.62 * scale : 0.42)
  const large = side * (isWide || isTall ? 0.92 * scale : 0.68)
  const shift = isWide
    ? { x: large * 0.62, y: 0 }
    : isTall
      ? { x: 0, y: large * 0.62 }
      : { x: side * 0.26, y: side * 0.26 }
  canvas.add(
    motif(
      first,
      x - (isWide ? small * 0.62 : isTall ? 0 : side * 0.14),
      y - (isTall ? small * 0.62 : isWide ? 0 : side * 0.14),
      large,
      colors
    )
  )
  const swapped = { ...colors, main: colors.second, second: colors.main }
  canvas.add(motif(second, x + shift.x * 0.98, y + shift.y * (isWide || isTall ? 0.98 : 1), small, swapped))
  if (third !== undefined && !isWide && !isTall)
    canvas.add(motif(third, x + side * 0.3, y - side * 0.3, small * 0.78, swapped))
}
