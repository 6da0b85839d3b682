import { Resvg } from "@resvg/resvg-js"
import sharp from "sharp"
import type { Canvas } from "./Canvas.ts"
import { fontFiles } from "./Typeface.ts"

/** The canvas as PNG. It blocks its thread, so call it in a worker thread. */
export const rasterize = async (isTransparent: boolean, canvas: Canvas, withTexts = true): Promise<Uint8Array> => {
  const image = new Resvg(canvas.svg(withTexts), {
    font: { fontFiles: [...fontFiles], loadSystemFonts: false, defaultFontFamily: "Inter" }
  }).render()
  const raw = sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 4 } })
  return await (isTransparent ? raw : raw.removeAlpha()).png({ compressionLevel: 7 }).toBuffer()
}
