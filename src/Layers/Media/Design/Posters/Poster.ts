import { type Copy, copyOf, readBrief, seedOf } from "../../../../Services/Media/Brief.ts"
import { Canvas } from "../Canvas.ts"
import { pickPalette } from "../Palettes.ts"
import { printable } from "../Typeface.ts"
import { gradient, pattern } from "./PosterFields.ts"
import { band, cutOut, editorial, framed, slanted, withPictures, wordless } from "./PosterLayouts.ts"
import type { Sheet } from "./PosterSheet.ts"

/** The input of a poster. */
export interface PosterRequest {
  readonly prompt: string
  readonly width: number
  readonly height: number
  readonly isTransparent: boolean
  /** The reference pictures, re-encoded as JPEG. */
  readonly pictures: ReadonlyArray<Uint8Array>
}

const layouts = [editorial, band, framed, slanted] as const

const printed = ({ body, headline }: Copy): Copy => ({ headline: printable(headline), body: printable(body) })

/** Designs the requested picture. The same request gives the same picture. */
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
