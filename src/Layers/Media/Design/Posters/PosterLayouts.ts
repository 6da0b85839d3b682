import { type Box, n } from "../Canvas.ts"
import { isDark, mix } from "../Color.ts"
import { art } from "./PosterArt.ts"
import { inset, type Sheet, stack, whole } from "./PosterSheet.ts"

/** Large type on an area of colour, with the subject in a round window. */
export const editorial = (sheet: Sheet): void => {
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

/** A layout with the subject above and the text on a band below, in heavy type. */
export const band = (sheet: Sheet): void => {
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

/** A frame with everything in its middle. */
export const framed = (sheet: Sheet): void => {
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

/** Two areas side by side or above each other, separated by a slanted line. */
export const slanted = (sheet: Sheet): void => {
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

/** A layout with the reference pictures above or next to the text. */
export const withPictures = (sheet: Sheet, pictures: ReadonlyArray<Uint8Array>): void => {
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

/** A transparent poster: the subject, and text on a plate. */
export const cutOut = (sheet: Sheet): void => {
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

/** A layout without text: the subject fills the picture. */
export const wordless = (sheet: Sheet): void => {
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
