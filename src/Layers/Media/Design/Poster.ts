import { type Copy, copyOf, readBrief, seedOf } from "../../../Services/Media/Brief.ts"
import type { MotifName } from "../../../Services/Media/Motif.ts"
import { type Box, Canvas, n } from "./Canvas.ts"
import { contrast, isDark, mix, readable } from "./Color.ts"
import { type MotifColors, motif } from "./Motifs.ts"
import { gradientEnd, type Palette, pickPalette } from "./Palettes.ts"
import { type FaceName, type FittedText, fit, printable } from "./Typeface.ts"

/** What a poster is made of. */
export interface PosterRequest {
  readonly prompt: string
  readonly width: number
  readonly height: number
  readonly isTransparent: boolean
  /** Encoded anew, as JPEG. */
  readonly pictures: ReadonlyArray<Uint8Array>
}

interface Sheet {
  readonly canvas: Canvas
  readonly copy: Copy
  readonly palette: Palette
  readonly motifs: ReadonlyArray<MotifName>
  readonly seed: number
  /** The shorter side, which sizes follow. */
  readonly unit: number
}

type Align = "start" | "middle"

interface StackOptions {
  readonly box: Box
  /** The colours that lie behind it. */
  readonly on: ReadonlyArray<string>
  readonly align: Align
  readonly vertical: "top" | "middle" | "bottom"
  readonly face: FaceName
  readonly accent: string
  readonly largest?: number
}

const emptyText: FittedText = {
  lines: [],
  size: 0,
  lineHeight: 1,
  face: "Regular",
  width: 0,
  height: 0,
  isShortened: false
}

/** Kicker, headline and body below each other in a box: measured first, so that nothing is cut or overlaps. */
const stack = ({ canvas, copy, unit }: Sheet, options: StackOptions): void => {
  const { accent, align, box, face, on, vertical } = options
  const gap = unit * 0.028
  const kicker =
    copy.kicker === ""
      ? emptyText
      : fit(copy.kicker.toLocaleUpperCase(), {
          ...box,
          height: unit * 0.07,
          face: "SemiBold",
          largest: unit * 0.026,
          smallest: unit * 0.017,
          lines: 1
        })
  const rule = unit * 0.008
  const above = kicker.height > 0 ? kicker.height + gap : rule + gap * 1.4
  const bodyRoom = copy.body === "" ? 0 : Math.min(box.height * 0.36, box.height - above)
  const body =
    copy.body === ""
      ? emptyText
      : fit(copy.body, {
          width: box.width,
          height: bodyRoom,
          face: "Regular",
          largest: unit * 0.038,
          smallest: unit * 0.0175,
          lineHeight: 1.38,
          balanced: align === "middle"
        })
  const below = body.height > 0 ? body.height + gap * 1.2 : 0
  const headline = fit(copy.headline, {
    width: box.width,
    height: box.height - above - below,
    face,
    largest: options.largest ?? unit * (copy.headline.length < 18 ? 0.17 : 0.125),
    smallest: unit * 0.019,
    lineHeight: face === "Serif" ? 1.14 : 1.1,
    balanced: true
  })
  const total = above + headline.height + below
  const free = Math.max(0, box.height - total)
  let y = box.y + (vertical === "top" ? 0 : vertical === "middle" ? free / 2 : free)
  const color = readable(on)
  const quiet = readable(on, mix(color, on[0] ?? color, 0.22), color)
  const place = { x: box.x, width: box.width, on, align }
  if (kicker.height > 0) y += canvas.block(kicker, { ...place, y, color: readable(on, accent) }) + gap
  else {
    const length = unit * 0.1
    canvas.rect(
      { x: align === "middle" ? box.x + (box.width - length) / 2 : box.x, y, width: length, height: rule },
      accent
    )
    y += above
  }
  y += canvas.block(headline, { ...place, y, color })
  if (body.height > 0) canvas.block(body, { ...place, y: y + gap * 1.2, color: quiet })
}

const inset = ({ height, width, x, y }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by
})

/** Colours for a motif that shows on a background. */
const colorsOn = (background: string, { accent, ground, light, panel, second }: Palette): MotifColors => {
  const visible = [accent, second, panel, ground, light].filter((color) => contrast(color, background) > 1.7)
  const pick = (index: number, fallback: string) => visible[index] ?? fallback
  const bright = isDark(background) ? mix(background, "#ffffff", 0.92) : mix(background, "#ffffff", 0.75)
  const ink = readable([background])
  return { main: pick(0, ink), second: pick(1, mix(ink, background, 0.35)), light: bright }
}

/** What stands for the subject where nothing that it names can be drawn: a composition of plain shapes. */
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

/** The subject's things in a box, the first one largest. */
const art = (sheet: Sheet, box: Box, background: string): void => {
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

const whole = ({ canvas }: Sheet): Box => ({ x: 0, y: 0, width: canvas.width, height: canvas.height })

/** Large type over a field of colour, the subject in a round window. */
const editorial = (sheet: Sheet): void => {
  const { canvas, palette, unit } = sheet
  const { height, width } = canvas
  const margin = unit * 0.08
  canvas.rect(whole(sheet), palette.ground)
  if (width > height * 1.2) {
    const radius = height * 0.4
    canvas.circle(width - radius * 0.98, height / 2, radius * 1.12, palette.panel)
    art(
      sheet,
      { x: width - radius * 1.73, y: height / 2 - radius * 0.75, width: radius * 1.5, height: radius * 1.5 },
      palette.panel
    )
    stack(sheet, {
      box: { x: margin, y: margin, width: width - radius * 2.2 - margin * 1.6, height: height - 2 * margin },
      on: [palette.ground],
      align: "start",
      vertical: "middle",
      face: "Serif",
      accent: palette.accent
    })
    return
  }
  const radius = Math.min(width * 0.43, height * 0.27)
  const [x, y] = [width - radius * 0.94, height - radius * 0.98]
  canvas.circle(x, y, radius * 1.16, palette.panel)
  art(sheet, { x: x - radius * 0.74, y: y - radius * 0.74, width: radius * 1.36, height: radius * 1.36 }, palette.panel)
  canvas.rect(
    { x: margin, y: height - margin - unit * 0.012, width: unit * 0.16, height: unit * 0.012 },
    palette.accent
  )
  canvas.rect(
    { x: margin, y: height - margin - unit * 0.045, width: unit * 0.09, height: unit * 0.012 },
    palette.second
  )
  stack(sheet, {
    box: { x: margin, y: margin * 1.15, width: width - 2 * margin, height: y - radius * 1.16 - margin * 1.9 },
    on: [palette.ground],
    align: "start",
    vertical: "top",
    face: "Serif",
    accent: palette.accent
  })
}

/** The subject above, the words on a band below, in heavy type. */
const band = (sheet: Sheet): void => {
  const { canvas, palette, unit } = sheet
  const { height, width } = canvas
  const isWide = width > height * 1.2
  const artBox: Box = isWide
    ? { x: width * 0.56, y: 0, width: width * 0.44, height }
    : { x: 0, y: 0, width, height: height * 0.52 }
  const textBox: Box = isWide
    ? { x: 0, y: 0, width: width * 0.56, height }
    : { x: 0, y: height * 0.52, width, height: height * 0.48 }
  const field = palette.accent
  canvas.rect(whole(sheet), field)
  const [x, y] = [artBox.x + artBox.width / 2, artBox.y + artBox.height / 2]
  const tone = mix(field, isDark(field) ? "#ffffff" : "#000000", 0.12)
  const reach = Math.hypot(artBox.width, artBox.height)
  const rays = Array.from({ length: 12 }, (_, index) => {
    const angle = (index * Math.PI) / 6
    const point = (at: number) => `${n(x + Math.cos(at) * reach)} ${n(y + Math.sin(at) * reach)}`
    return `M${n(x)} ${n(y)}L${point(angle)}L${point(angle + Math.PI / 12)}Z`
  }).join("")
  canvas.define(
    `<clipPath id="art"><rect x="${n(artBox.x)}" y="${n(artBox.y)}" width="${n(artBox.width)}" height="${n(artBox.height)}"/></clipPath>`
  )
  canvas.add(`<path d="${rays}" fill="${tone}" clip-path="url(#art)"/>`)
  const side = Math.min(artBox.width, artBox.height)
  canvas.circle(x, y, side * 0.4, palette.light)
  art(sheet, { x: x - side * 0.27, y: y - side * 0.27, width: side * 0.54, height: side * 0.54 }, palette.light)
  canvas.rect(textBox, palette.ground)
  stack(sheet, {
    box: inset(textBox, unit * 0.075),
    on: [palette.ground],
    align: "start",
    vertical: "middle",
    face: "Bold",
    accent: palette.accent
  })
}

/** A frame, everything in its middle. */
const framed = (sheet: Sheet): void => {
  const { canvas, palette, unit } = sheet
  const paper = palette.light
  canvas.rect(whole(sheet), palette.ground)
  const card = inset(whole(sheet), unit * 0.055)
  canvas.rect(card, paper, unit * 0.03)
  const frame = inset(card, unit * 0.022)
  canvas.add(
    `<rect x="${n(frame.x)}" y="${n(frame.y)}" width="${n(frame.width)}" height="${n(frame.height)}" rx="${n(unit * 0.018)}" fill="none" stroke="${palette.accent}" stroke-width="${n(unit * 0.005)}"/>`
  )
  const inner = inset(frame, unit * 0.06)
  const isWide = inner.width > inner.height * 1.3
  const artBox: Box = isWide
    ? { x: inner.x, y: inner.y, width: inner.width * 0.36, height: inner.height }
    : { x: inner.x, y: inner.y, width: inner.width, height: inner.height * 0.42 }
  art(sheet, artBox, paper)
  stack(sheet, {
    box: isWide
      ? { ...inner, x: inner.x + inner.width * 0.42, width: inner.width * 0.58 }
      : { ...inner, y: inner.y + inner.height * 0.44, height: inner.height * 0.56 },
    on: [paper],
    align: isWide ? "start" : "middle",
    vertical: "middle",
    face: "Serif",
    accent: palette.accent,
    largest: unit * 0.115
  })
}

/** Two fields side by side or above each other, cut at a slant. */
const slanted = (sheet: Sheet): void => {
  const { canvas, palette, unit } = sheet
  const { height, width } = canvas
  canvas.rect(whole(sheet), palette.panel)
  const margin = unit * 0.08
  if (width > height * 1.2) {
    canvas.add(
      `<path d="M${n(width * 0.62)} 0H${n(width)}V${n(height)}H${n(width * 0.52)}Z" fill="${palette.ground}"/>`
    )
    art(sheet, { x: width * 0.62, y: height * 0.12, width: width * 0.34, height: height * 0.76 }, palette.ground)
    stack(sheet, {
      box: { x: margin, y: margin, width: width * 0.52 - margin * 1.5, height: height - 2 * margin },
      on: [palette.panel],
      align: "start",
      vertical: "middle",
      face: "Bold",
      accent: palette.accent
    })
    return
  }
  const [left, right] = [height * 0.52, height * 0.42]
  canvas.add(`<path d="M0 0H${n(width)}V${n(right)}L0 ${n(left)}Z" fill="${palette.ground}"/>`)
  canvas.add(
    `<path d="M0 ${n(left)}L${n(width)} ${n(right)}V${n(right + unit * 0.02)}L0 ${n(left + unit * 0.02)}Z" fill="${palette.accent}"/>`
  )
  art(
    sheet,
    { x: width * 0.12, y: height * 0.045, width: width * 0.76, height: right - height * 0.075 },
    palette.ground
  )
  stack(sheet, {
    box: { x: margin, y: left + unit * 0.07, width: width - 2 * margin, height: height - left - unit * 0.07 - margin },
    on: [palette.panel],
    align: "start",
    vertical: "middle",
    face: "Bold",
    accent: palette.accent
  })
}

/** Soft fields of colour that run into each other. */
const gradient = (sheet: Sheet): void => {
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

/** A pattern that goes on over its edges: what the prompt names, in rows, with plain shapes between. */
const pattern = (sheet: Sheet): void => {
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
  if (copy.headline === "" || copy.kicker === "") return
  // Only quoted words are written over a pattern: its subject is what it shows.
  const label: Box = { x: width * 0.12, y: height * 0.36, width: width * 0.76, height: height * 0.28 }
  canvas.rect(inset(label, -unit * 0.015), palette.ground, unit * 0.03)
  canvas.rect(label, palette.light, unit * 0.02)
  stack(
    { ...sheet, copy: { ...copy, kicker: "" } },
    {
      box: inset(label, unit * 0.04),
      on: [palette.light],
      align: "middle",
      vertical: "middle",
      face: "Bold",
      accent: palette.accent,
      largest: unit * 0.09
    }
  )
}

/** The pictures that were given, above or beside the words. */
const withPictures = (sheet: Sheet, pictures: ReadonlyArray<Uint8Array>): void => {
  const { canvas, copy, palette, unit } = sheet
  const { height, width } = canvas
  canvas.rect(whole(sheet), palette.ground)
  const gap = unit * 0.016
  const margin = unit * 0.05
  const isWide = width > height * 1.2
  const hasWords = copy.headline !== ""
  const area: Box = !hasWords
    ? inset(whole(sheet), margin)
    : isWide
      ? { x: width * 0.46, y: margin, width: width * 0.54 - margin, height: height - 2 * margin }
      : { x: margin, y: margin, width: width - 2 * margin, height: height * 0.58 - margin }
  const [first, ...others] = pictures
  if (first !== undefined) {
    const side = others.length === 0 ? 0 : isWide ? area.height * 0.3 : area.width * 0.3
    const main: Box = isWide
      ? { ...area, height: area.height - (side > 0 ? side + gap : 0) }
      : { ...area, width: area.width - (side > 0 ? side + gap : 0) }
    canvas.picture(main, first, unit * 0.025, "p0")
    others.forEach((bytes, index) => {
      const length = ((isWide ? area.width : area.height) - gap * (others.length - 1)) / others.length
      const place: Box = isWide
        ? { x: area.x + index * (length + gap), y: area.y + area.height - side, width: length, height: side }
        : { x: area.x + area.width - side, y: area.y + index * (length + gap), width: side, height: length }
      canvas.picture(place, bytes, unit * 0.02, `p${index + 1}`)
    })
  }
  if (!hasWords) return
  stack(sheet, {
    box: isWide
      ? { x: margin * 1.4, y: margin * 1.4, width: width * 0.46 - margin * 2.4, height: height - margin * 2.8 }
      : {
          x: margin * 1.4,
          y: height * 0.58 + margin * 0.8,
          width: width - margin * 2.8,
          height: height * 0.42 - margin * 2
        },
    on: [palette.ground],
    align: "start",
    vertical: "middle",
    face: "Serif",
    accent: palette.accent
  })
}

/** What stands alone on nothing: the subject, and words on a plate of their own. */
const cutOut = (sheet: Sheet): void => {
  const { canvas, copy, palette, unit } = sheet
  const { height, width } = canvas
  const hasWords = copy.headline !== ""
  const paper = palette.light
  const artHeight = hasWords ? height * 0.56 : height * 0.86
  const side = Math.min(width * 0.86, artHeight)
  const [x, y] = [width / 2, hasWords ? artHeight / 2 + height * 0.03 : height / 2]
  canvas.circle(x, y, side * 0.5, paper).circle(x, y, side * 0.47, palette.ground)
  art(sheet, { x: x - side * 0.31, y: y - side * 0.31, width: side * 0.62, height: side * 0.62 }, palette.ground)
  if (!hasWords) return
  const plate: Box = { x: width * 0.06, y: height * 0.63, width: width * 0.88, height: height * 0.33 }
  canvas.rect(plate, paper, unit * 0.04)
  stack(sheet, {
    box: inset(plate, unit * 0.045),
    on: [paper],
    align: "middle",
    vertical: "middle",
    face: "Bold",
    accent: palette.accent,
    largest: unit * 0.09
  })
}

/** Only the subject, over the whole field. */
const wordless = (sheet: Sheet): void => {
  const { canvas, palette, unit } = sheet
  const { height, width } = canvas
  const end = mix(palette.ground, isDark(palette.ground) ? "#ffffff" : "#000000", 0.14)
  canvas.define(
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.ground}"/><stop offset="1" stop-color="${end}"/></linearGradient>`
  )
  canvas.rect(whole(sheet), "url(#sky)")
  const base = height * 0.74
  canvas.circle(width / 2, base - unit * 0.22, unit * 0.4, palette.panel)
  canvas.rect({ x: 0, y: base + unit * 0.08, width, height: height - base - unit * 0.08 }, palette.accent)
  art(sheet, { x: width * 0.16, y: base - unit * 0.5, width: width * 0.68, height: unit * 0.56 }, palette.panel)
}

const layouts = [editorial, band, framed, slanted] as const

const printed = ({ body, headline, kicker }: Copy): Copy => ({
  headline: printable(headline),
  body: printable(body),
  kicker: printable(kicker)
})

/** Designs the picture that a prompt asks for. The same request leads to the same picture. */
export const poster = ({ height, isTransparent, pictures, prompt, width }: PosterRequest): Canvas => {
  const brief = readBrief(prompt)
  const seed = seedOf(prompt)
  const canvas = new Canvas(width, height)
  const sheet: Sheet = {
    canvas,
    copy: printed(copyOf(brief)),
    palette: pickPalette(seed >>> 3, brief.colors),
    motifs: brief.motifs,
    seed,
    unit: Math.min(width, height)
  }
  if (pictures.length > 0) withPictures(sheet, pictures)
  else if (isTransparent) cutOut(sheet)
  else if (brief.style === "pattern") pattern(sheet)
  else if (brief.style === "gradient") gradient(sheet)
  else if (sheet.copy.headline === "") wordless(sheet)
  else layouts[seed % layouts.length]?.(sheet)
  return canvas
}
