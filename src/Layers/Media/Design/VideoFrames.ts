import { motifsIn } from "../../../Services/Media/Motif.ts"
import type { Scene, Storyboard } from "../../../Services/Media/Storyboard.ts"
import { type Box, Canvas, n } from "./Canvas.ts"
import { contrast, isDark, mix, readable } from "./Color.ts"
import { motif } from "./Motifs.ts"
import { type Palette, pickPalette } from "./Palettes.ts"
import { fit, printable } from "./Typeface.ts"

/** The width of a scene's picture relative to the video. The picture moves by the difference. */
export const backdropScale = 1.12

/** Draws the background of a scene, which is wider than the video, and moves. */
const backdrop = (
  scene: Scene,
  palette: Palette,
  width: number,
  height: number,
  picture: Uint8Array | undefined
): Canvas => {
  const canvas = new Canvas(Math.round((width * backdropScale) / 2) * 2, Math.round((height * backdropScale) / 2) * 2)
  const [w, h] = [canvas.width, canvas.height]
  const whole: Box = { x: 0, y: 0, width: w, height: h }
  if (picture !== undefined) return canvas.rect(whole, palette.ground).picture(whole, picture, 0, "picture")
  const ground = scene.seed % 3 === 0 ? palette.panel : palette.ground
  const end = mix(ground, isDark(ground) ? "#ffffff" : "#000000", 0.12)
  canvas.define(
    `<linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${ground}"/><stop offset="1" stop-color="${end}"/></linearGradient>`
  )
  canvas.rect(whole, "url(#ground)")
  const unit = Math.min(w, h)
  const isWide = w > h
  const hasWords = scene.headline !== ""
  const [x, y] = !hasWords ? [w / 2, h / 2] : isWide ? [w * 0.71, h * 0.44] : [w / 2, h * 0.32]
  const radius = Math.min(unit * (hasWords ? (isWide ? 0.36 : 0.34) : 0.42), w * (isWide && hasWords ? 0.2 : 0.4))
  const tones = [palette.accent, palette.second, palette.light].filter((color) => contrast(color, ground) > 1.3)
  const ring = tones[scene.seed % Math.max(1, tones.length)] ?? palette.accent
  canvas.circle(x, y, radius * 1.28, mix(ring, ground, 0.72))
  canvas.circle(x, y, radius * 1.1, mix(ring, ground, 0.5))
  for (let index = 0; index < 7; index++) {
    const angle = index * 0.9 + (scene.seed % 10)
    const [dx, dy] = [x + Math.cos(angle) * radius * 1.5, y + Math.sin(angle) * radius * 1.42]
    canvas.circle(dx, dy, unit * (0.012 + (index % 3) * 0.008), tones[index % Math.max(1, tones.length)] ?? ring)
  }
  const disc = palette.light
  canvas.circle(x, y, radius * 0.92, disc)
  const visible = [palette.accent, palette.second, palette.ground, palette.panel].filter(
    (color) => contrast(color, disc) > 1.7
  )
  const [main = "#22303c", second = "#c8553d"] = visible
  const [first, other] = motifsIn(scene.subject)
  if (first !== undefined) {
    canvas.add(
      motif(first, x - (other === undefined ? 0 : radius * 0.14), y, radius * (other === undefined ? 1.12 : 0.96), {
        main,
        second,
        light: mix(disc, "#ffffff", 0.7)
      })
    )
    if (other !== undefined)
      canvas.add(
        motif(other, x + radius * 0.48, y + radius * 0.42, radius * 0.5, {
          main: second,
          second: main,
          light: mix(disc, "#ffffff", 0.7)
        })
      )
  } else {
    const turn = scene.seed % 90
    canvas.add(
      `<g transform="rotate(${turn} ${n(x)} ${n(y)})"><rect x="${n(x - radius * 0.5)}" y="${n(y - radius * 0.5)}" width="${n(radius * 0.62)}" height="${n(radius * 0.62)}" fill="${main}"/><circle cx="${n(x + radius * 0.22)}" cy="${n(y + radius * 0.16)}" r="${n(radius * 0.34)}" fill="${second}"/></g>`
    )
  }
  return canvas
}

/** Draws the text of a scene on a plate, with a transparent background. */
const caption = (scene: Scene, palette: Palette, width: number, height: number): Canvas => {
  const canvas = new Canvas(width, height)
  const headline = printable(scene.headline)
  if (headline === "") return canvas
  const unit = Math.min(width, height)
  const isWide = width > height
  const plateColor = isDark(palette.ground) ? palette.ground : palette.panel
  const plate = isDark(plateColor) ? plateColor : mix(plateColor, "#000000", 0.7)
  const color = readable([plate], "#ffffff")
  const pad = unit * 0.045
  const room = (isWide ? width * 0.46 : width * 0.84) - 2 * pad
  const title = fit(headline, {
    width: room,
    height: height * (isWide ? 0.5 : 0.26),
    face: "Bold",
    largest: unit * 0.1,
    smallest: unit * 0.028,
    lineHeight: 1.12,
    balanced: true
  })
  const body = fit(printable(scene.body), {
    width: room,
    height: height * 0.16,
    face: "Regular",
    largest: unit * 0.042,
    smallest: unit * 0.026,
    lineHeight: 1.3
  })
  const plateHeight = title.height + (body.height > 0 ? body.height + pad * 0.4 : 0) + 2 * pad
  const box: Box = isWide
    ? { x: width * 0.055, y: (height - plateHeight) / 2, width: room + 2 * pad, height: plateHeight }
    : { x: width * 0.08, y: height * 0.92 - plateHeight, width: width * 0.84, height: plateHeight }
  canvas.rect(box, plate, unit * 0.025)
  canvas.rect({ x: box.x, y: box.y + pad, width: unit * 0.012, height: plateHeight - 2 * pad }, palette.accent)
  const place = { x: box.x + pad, width: room, on: [plate] }
  canvas.block(title, { ...place, y: box.y + pad, color })
  canvas.block(body, { ...place, y: box.y + pad + title.height + pad * 0.4, color })
  return canvas
}

/** Returns each scene's pictures: the moving background, and its text. */
export const videoFrames = (
  { colors, paletteSeed, scenes }: Storyboard,
  size: { readonly width: number; readonly height: number },
  pictures: ReadonlyArray<Uint8Array | undefined>
): ReadonlyArray<{ readonly backdrop: Canvas; readonly caption: Canvas }> => {
  const palette = pickPalette(paletteSeed, colors)
  return scenes.map((scene, index) => ({
    backdrop: backdrop(scene, palette, size.width, size.height, pictures[index]),
    caption: caption(scene, palette, size.width, size.height)
  }))
}
