import { Canvas } from "../Canvas.ts"
import { isDark, mix, readable } from "../Color.ts"
import { type FaceName, type FittedText, fit, printable } from "../Typeface.ts"

/** The colours and sizes that all drawings share. */
export const look = {
  paper: "#fbfaf7",
  ink: "#1c2733",
  quiet: "#55606b",
  line: "#ccd3d9",
  soft: "#eef1f2",
  colors: ["#1f5f8b", "#d9722e", "#3b8a5f", "#8a4fa3", "#c23b4a", "#b68a1f", "#2a9d9a", "#6b7380"]
} as const

export const colorAt = (index: number): string => look.colors[index % look.colors.length] ?? look.colors[0]

/** Returns a light tone of a colour, for areas behind text. */
export const tint = (color: string, share = 0.86): string => mix(color, "#ffffff", share)

export const textOn = (background: string): string => readable([background], isDark(background) ? "#ffffff" : look.ink)

/** Fits a text into a box of a drawing. */
export const setIn = (
  text: string,
  width: number,
  height: number,
  size: number,
  options: {
    readonly face?: FaceName
    readonly smallest?: number
    readonly lines?: number
    readonly balanced?: boolean
  } = {}
): FittedText =>
  fit(printable(text), {
    width,
    height,
    face: options.face ?? "Regular",
    largest: size,
    smallest: options.smallest ?? Math.min(size, 13),
    lineHeight: 1.25,
    ...(options.lines === undefined ? {} : { lines: options.lines }),
    balanced: options.balanced ?? false
  })

export const pageWidth = 1200
export const margin = 64

/** The content of a drawing: its height at the page's width, and the function that draws it with its top at `y`. */
export interface Content {
  readonly width: number
  readonly height: number
  readonly draw: (canvas: Canvas, x: number, y: number) => void
}

export interface Framing {
  readonly title: string
  readonly caption: string
  readonly picture: Uint8Array | undefined
}

/** The page of a drawing: the title above, a picture and the caption below. */
export const pageOf = (content: Content, { caption, picture, title }: Framing): Canvas => {
  const inner = pageWidth - 2 * margin
  const heading = setIn(title, inner, 130, 42, { face: "Serif", smallest: 26, balanced: true })
  const note = setIn(caption, inner, 120, 21, { smallest: 15 })
  const top = margin * 0.85 + (heading.height > 0 ? heading.height + 44 : 12)
  const pictureHeight = picture === undefined ? 0 : 320
  const below = content.height + top + (pictureHeight > 0 ? pictureHeight + 36 : 0)
  const height = Math.ceil(below + (note.height > 0 ? note.height + 40 : 0) + margin * 0.9)
  const canvas = new Canvas(pageWidth, height)
  canvas.rect({ x: 0, y: 0, width: pageWidth, height }, look.paper)
  canvas.rect({ x: 0, y: 0, width: pageWidth, height: 10 }, colorAt(0))
  if (heading.height > 0) {
    canvas.block(heading, { x: margin, y: margin * 0.85, width: inner, color: look.ink, on: [look.paper] })
    canvas.rect({ x: margin, y: margin * 0.85 + heading.height + 12, width: 72, height: 5 }, colorAt(1))
  }
  content.draw(canvas, (pageWidth - content.width) / 2, top)
  if (picture !== undefined) {
    canvas.picture(
      { x: margin, y: top + content.height + 36, width: inner, height: pictureHeight },
      picture,
      14,
      "reference"
    )
  }
  if (note.height > 0) {
    canvas.block(note, { x: margin, y: below + 34, width: inner, color: look.quiet, on: [look.paper] })
  }
  return canvas
}
