import { type Box, n } from "../Canvas.ts"
import { mix, readable } from "../Color.ts"
import { motif } from "../Motifs.ts"
import { gradientEnd } from "../Palettes.ts"
import { art, colorsOn } from "./PosterArt.ts"
import { inset, type Sheet, stack, whole } from "./PosterSheet.ts"

/** Soft fields of colour that run into each other. */
export const gradient = (sheet: Sheet): void => {
  const { canvas, copy, motifs, palette, seed, unit } = sheet
  const { height, width } = canvas
  const end = gradientEnd(palette.ground, palette.accent)
  const third = gradientEnd(palette.ground, palette.second)
  canvas.define(
    `<linearGradient id="base" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${palette.ground}"/><stop offset="1" stop-color="${end}"/></linearGradient><radialGradient id="glow"><stop offset="0" stop-color="${third}"/><stop offset="1" stop-color="${third}" stop-opacity="0"/></radialGradient>`
  )
  canvas.rect(whole(sheet), "url(#base)")
  canvas.circle(width * (0.15 + (seed % 5) * 0.06), height * 0.85, unit * 0.75, "url(#glow)")
  canvas.circle(width * 0.92, height * 0.1, unit * 0.55, "url(#glow)")
  const on = [palette.ground, end, third, mix(palette.ground, end, 0.5), mix(end, third, 0.5)]
  const isWide = width > height * 1.2
  const hasWords = copy.headline !== ""
  const margin = unit * 0.09
  if (motifs.length > 0) {
    art(
      sheet,
      !hasWords
        ? inset(whole(sheet), unit * 0.22)
        : isWide
          ? { x: width * 0.62, y: height * 0.2, width: width * 0.32, height: height * 0.6 }
          : { x: width * 0.22, y: height * 0.07, width: width * 0.56, height: height * 0.36 },
      mix(palette.ground, end, 0.5)
    )
  }
  if (!hasWords) return
  const beside = motifs.length > 0
  stack(sheet, {
    box:
      beside && isWide
        ? { x: margin, y: margin, width: width * 0.54 - margin, height: height - 2 * margin }
        : beside
          ? { x: margin, y: height * 0.47, width: width - 2 * margin, height: height * 0.53 - margin }
          : inset(whole(sheet), margin),
    on,
    align: isWide && beside ? "start" : "middle",
    vertical: "middle",
    face: "Bold",
    accent: readable(on)
  })
}

/** A seamless pattern of the things that the prompt names, with plain shapes between them. */
export const pattern = (sheet: Sheet): void => {
  const { canvas, copy, motifs, palette, seed, unit } = sheet
  const { height, width } = canvas
  canvas.rect(whole(sheet), palette.ground)
  const columns = Math.max(4, Math.round((width / unit) * 5))
  const cell = width / columns
  const rows = Math.ceil(height / cell) + 1
  const colors = colorsOn(palette.ground, palette)
  const swapped = { ...colors, main: colors.second, second: colors.main }
  for (let row = 0; row < rows; row++) {
    for (let column = -1; column <= columns; column++) {
      const x = (column + (row % 2 === 0 ? 0.5 : 1)) * cell
      const y = (row + 0.5) * cell
      const place = row * 7 + column * 3 + (seed % 11)
      const isMain = (row + column) % 2 === 0
      const each = motifs[Math.floor((column + 1 + row) / 2) % Math.max(1, motifs.length)]
      if (each !== undefined && isMain) canvas.add(motif(each, x, y, cell * 0.62, row % 4 < 2 ? colors : swapped))
      else if (each !== undefined) {
        canvas.circle(x, y, cell * 0.08, row % 4 < 2 ? colors.second : colors.main)
        canvas.add(
          `<path d="M${n(x - cell * 0.2)} ${n(y)}h${n(cell * 0.06)}M${n(x + cell * 0.14)} ${n(y)}h${n(cell * 0.06)}M${n(x)} ${n(y - cell * 0.2)}v${n(cell * 0.06)}M${n(x)} ${n(y + cell * 0.14)}v${n(cell * 0.06)}" stroke="${colors.light}" stroke-width="${n(cell * 0.03)}" stroke-linecap="round"/>`
        )
      } else {
        const fill = [colors.main, colors.second, colors.light][Math.abs(place) % 3] ?? colors.main
        const r = cell * 0.36
        const turn = (Math.abs(place) % 4) * 90
        canvas.add(
          Math.abs(place) % 5 < 3
            ? `<path d="M${n(-r)} ${n(-r)}H${n(r)}A${n(2 * r)} ${n(2 * r)} 0 0 1 ${n(-r)} ${n(r)}Z" fill="${fill}" transform="translate(${n(x)} ${n(y)}) rotate(${turn})"/>`
            : `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * 0.8)}" fill="none" stroke="${fill}" stroke-width="${n(r * 0.4)}"/>`
        )
      }
    }
  }
  if (copy.headline === "") return
  const label: Box = { x: width * 0.12, y: height * 0.36, width: width * 0.76, height: height * 0.28 }
  canvas.rect(inset(label, -unit * 0.015), palette.ground, unit * 0.03)
  canvas.rect(label, palette.light, unit * 0.02)
  stack(sheet, {
    box: inset(label, unit * 0.04),
    on: [palette.light],
    align: "middle",
    vertical: "middle",
    face: "Bold",
    accent: palette.accent,
    largest: unit * 0.09
  })
}
