import { createRequire } from "node:module"
import { renderAsync } from "@resvg/resvg-js"
import { Effect } from "effect"
import { html, type Markup } from "../../../Services/Text/Web/Html.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
import { paletteOf } from "../Design/Palette.ts"

const { resolve } = createRequire(import.meta.url)
const fontFiles = [
  resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
  resolve("@expo-google-fonts/inter/800ExtraBold/Inter_800ExtraBold.ttf")
]

const width = 1200
const height = 630
const margin = 90
/** The average width of a letter, as a share of the font's size. */
const letterWidth = 0.6

/** Returns at most `most` lines of words that fit. A longer text ends in an ellipsis. */
export const linesOf = (text: string, size: number, most: number): ReadonlyArray<string> => {
  const fits = Math.floor((width - 2 * margin) / (size * letterWidth))
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    const cut = word.length > fits ? `${word.slice(0, fits - 1)}…` : word
    const longer = line === "" ? cut : `${line} ${cut}`
    if (longer.length <= fits) line = longer
    else {
      lines.push(line)
      line = cut
    }
    if (lines.length === most) return [...lines.slice(0, -1), `${(lines.at(-1) ?? "").slice(0, fits - 1)}…`]
  }
  return line === "" ? lines : [...lines, line]
}

const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, " ")

/** Returns the picture that is shown for a link to the site: its name and tagline in its colours. */
export const socialSvg = ({ name, tagline, theme }: Pick<Site, "name" | "tagline" | "theme">): string => {
  const { accent, deep, deepMuted, onDeep } = paletteOf(theme)
  const nameSize = name.length > 22 ? 72 : 96
  const names = linesOf(withoutControls(name), nameSize, 2)
  const tags = linesOf(withoutControls(tagline), 38, 3)
  const top = height / 2 - (names.length * nameSize * 1.1 + (tags.length === 0 ? 0 : 36 + tags.length * 52)) / 2
  const text = (
    lines: ReadonlyArray<string>,
    y: number,
    size: number,
    step: number,
    weight: number,
    fill: string
  ): ReadonlyArray<Markup> =>
    lines.map(
      (line, index) =>
        html`<text x="${margin}" y="${Math.round(y + size * 0.85 + index * step)}" font-family="Inter" font-size="${size}" font-weight="${weight}" fill="${fill}">${line}</text>`
    )
  const below = top + names.length * nameSize * 1.1 + 36
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${deep}"/><rect x="${margin}" y="${Math.round(top - 46)}" width="120" height="10" rx="5" fill="${accent}"/>${text(names, top, nameSize, nameSize * 1.1, 800, onDeep)}${text(tags, below, 38, 52, 600, deepMuted)}</svg>`
    .markup
}

/** Renders the picture as PNG in a worker thread. */
export const socialImage = (site: Pick<Site, "name" | "tagline" | "theme">): Effect.Effect<Uint8Array> =>
  Effect.promise(() =>
    renderAsync(socialSvg(site), { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "Inter" } })
  ).pipe(Effect.map((image) => image.asPng()))
