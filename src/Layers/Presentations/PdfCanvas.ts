import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { Effect } from "effect"
import type PDFDocument from "pdfkit"

export type Document = InstanceType<typeof PDFDocument>

const fontFiles = {
  Regular: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
  SemiBold: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
  Bold: "@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf"
} as const
type Font = keyof typeof fontFiles

export interface Typeface {
  readonly [weight: string]: Buffer
}

/** Reads the typeface, once for all documents. */
export const loadTypeface: Effect.Effect<Typeface> = Effect.promise(async () => {
  const { resolve } = createRequire(import.meta.url)
  const entries = await Promise.all(
    Object.entries(fontFiles).map(async ([weight, file]) => [weight, await readFile(resolve(file))] as const)
  )
  return Object.fromEntries(entries)
})

export interface Palette {
  readonly deep: string
  readonly accent: string
  readonly tint: string
}

export const palettes: readonly [Palette, ...ReadonlyArray<Palette>] = [
  { deep: "#12355b", accent: "#1f7a8c", tint: "#e8f1f2" },
  { deep: "#1b4332", accent: "#2d8a5f", tint: "#e9f5ee" },
  { deep: "#3c1b54", accent: "#8145a8", tint: "#f3ebf8" },
  { deep: "#5b2333", accent: "#b8435a", tint: "#faecef" },
  { deep: "#24324a", accent: "#c2661f", tint: "#fbf1e8" }
]
export const ink = "#1f2933"
export const quiet = "#52606d"

/** Points, in the shape of a screen, because presentations are read on one. */
export const size = { width: 960, height: 540 } as const
export const margin = 64
export const inner = size.width - 2 * margin

interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  /** The height of the box. Text that does not fit ends in an ellipsis. */
  readonly height: number
  readonly font: Font
  /** The largest size that is tried, in points. Smaller ones follow until the text fits. */
  readonly size: number
  readonly smallest?: number
  readonly color: string
  readonly link?: string
}

/** Returns the height of a text at its full size. */
export const heightOf = (
  doc: Document,
  text: string,
  box: { readonly width: number; readonly size: number; readonly font?: Font }
): number =>
  doc
    .font(box.font ?? "Regular")
    .fontSize(box.size)
    .heightOfString(text, { width: box.width, lineGap: box.size * 0.22 })

/** Draws text in a box. Returns its height. */
export const setText = (doc: Document, text: string, box: TextBox): number => {
  const { color, font, height, link, smallest = box.size, width, x, y } = box
  const lineGap = box.size * 0.22
  doc.font(font)
  let points = box.size
  while (points > smallest && doc.fontSize(points).heightOfString(text, { width, lineGap }) > height) points -= 1
  const taken = doc.fontSize(points).heightOfString(text, { width, lineGap })
  doc.fillColor(color).text(text, x, y, {
    width,
    height: Math.max(height, points * 1.3),
    lineGap,
    ellipsis: true,
    ...(link === undefined ? {} : { link })
  })
  return Math.min(taken, height)
}
