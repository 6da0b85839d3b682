import { type Copy } from "../../../../Services/Media/Brief.ts"
import type { MotifName } from "../../../../Services/Media/Motif.ts"
import type { Box, Canvas } from "../Canvas.ts"
import { mix, readable } from "../Color.ts"
import { type Palette } from "../Palettes.ts"
import { type FaceName, type FittedText, fit } from "../Typeface.ts"

export interface Sheet {
  readonly canvas: Canvas
  readonly copy: Copy
  readonly palette: Palette
  readonly motifs: ReadonlyArray<MotifName>
  readonly seed: number
  /** The shorter side. All other sizes are derived from it. */
  readonly unit: number
}

type Align = "start" | "middle"

interface StackOptions {
  readonly box: Box
  /** The colours behind it. */
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

/** Headline and body below each other in a box: measured first, so that nothing is cut or overlaps. */
export const stack = ({ canvas, copy, unit }: Sheet, options: StackOptions): void => {
  const { accent, align, box, face, on, vertical } = options
  const gap = unit * 0.028
  const rule = unit * 0.008
  const above = rule + gap * 1.4
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
  const length = unit * 0.1
  canvas.rect(
    { x: align === "middle" ? box.x + (box.width - length) / 2 : box.x, y, width: length, height: rule },
    accent
  )
  y += above
  y += canvas.block(headline, { ...place, y, color })
  if (body.height > 0) canvas.block(body, { ...place, y: y + gap * 1.2, color: quiet })
}

export const inset = ({ height, width, x, y }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by
})

export const whole = ({ canvas }: Sheet): Box => ({ x: 0, y: 0, width: canvas.width, height: canvas.height })
