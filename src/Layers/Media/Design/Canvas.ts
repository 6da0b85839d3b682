import { attribute, html, verbatim } from "../../../Services/Text/Web/Html.ts"
import { type FaceName, type FittedText, faceOf, widthOf } from "./Typeface.ts"

/** The position and colours of a line of text, for tests. */
export interface TextRun {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: string
  readonly on: ReadonlyArray<string>
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Formats a number for SVG with few digits. */
export const n = (value: number): string => String(Math.round(value * 100) / 100)

export interface Line {
  readonly text: string
  readonly x: number
  /** The vertical position of the baseline. */
  readonly y: number
  readonly face: FaceName
  readonly size: number
  readonly color: string
  readonly on: ReadonlyArray<string>
  readonly anchor?: "start" | "middle" | "end"
}

export interface Block {
  readonly x: number
  /** The vertical position of the top of the first line. */
  readonly y: number
  readonly width: number
  readonly color: string
  readonly on: ReadonlyArray<string>
  readonly align?: "start" | "middle" | "end"
}

const offset = { start: 0, middle: 0.5, end: 1 } as const

/** A picture under construction: shapes and texts, each text with its measured position. */
export class Canvas {
  readonly #parts: Array<string> = []
  readonly #definitions: Array<string> = []
  readonly texts: Array<TextRun> = []
  readonly width: number
  readonly height: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }

  /** Adds trusted SVG, which contains no text of callers. */
  add(part: string): this {
    this.#parts.push(part)
    return this
  }

  define(part: string): this {
    this.#definitions.push(part)
    return this
  }

  rect(box: Box, fill: string, radius = 0, more = ""): this {
    return this.add(
      `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"${radius > 0 ? ` rx="${n(radius)}"` : ""} fill="${fill}"${more === "" ? "" : ` ${more}`}/>`
    )
  }

  circle(x: number, y: number, radius: number, fill: string, more = ""): this {
    return this.add(
      `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"${more === "" ? "" : ` ${more}`}/>`
    )
  }

  /** A re-encoded picture, cropped to the box. */
  picture(box: Box, jpeg: Uint8Array, radius: number, id: string): this {
    const data = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).toString("base64")
    this.define(
      `<clipPath id="${id}"><rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" rx="${n(radius)}"/></clipPath>`
    )
    return this.add(
      `<image x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" preserveAspectRatio="xMidYMid slice" clip-path="url(#${id})" href="data:image/jpeg;base64,${data}"/>`
    )
  }

  line({ anchor = "start", color, face, on, size, text, x, y }: Line): this {
    if (text === "") return this
    const { ascent, descent, family, weight } = faceOf(face)
    const width = widthOf(text, face, size)
    this.texts.push({
      text,
      x: x - width * offset[anchor],
      y: y - ascent * size * 0.8,
      width,
      height: (ascent * 0.8 + descent) * size,
      color,
      on
    })
    return this.add(
      html`<text x="${n(x)}" y="${n(y)}" font-family="${family}" font-weight="${weight}" font-size="${n(size)}" fill="${color}"${attribute("text-anchor", anchor === "start" ? undefined : anchor)} xml:space="preserve">${verbatim(text)}</text>`
        .markup
    )
  }

  /** Draws lines below each other. Returns their total height. */
  block({ face, lineHeight, lines, size }: FittedText, { align = "start", color, on, width, x, y }: Block): number {
    lines.forEach((text, index) => {
      this.line({
        text,
        x: x + width * offset[align],
        y: y + (index + 0.5) * size * lineHeight + size * 0.36,
        face,
        size,
        color,
        on,
        anchor: align
      })
    })
    return lines.length * size * lineHeight
  }

  /** Returns the picture as SVG. If `withTexts` is false, only the shapes behind the texts are included. */
  svg(withTexts = true): string {
    const parts = withTexts ? this.#parts : this.#parts.filter((part) => !part.startsWith("<text"))
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(this.width)}" height="${n(this.height)}" viewBox="0 0 ${n(this.width)} ${n(this.height)}"><defs>${this.#definitions.join("")}</defs>${parts.join("")}</svg>`
  }
}
