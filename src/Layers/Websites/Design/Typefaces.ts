import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { SiteTheme } from "../../../Services/Websites/Site.ts"

/**
 * The fonts' files. Each has only Latin letters, which is enough for all languages of sites, and an open licence (OFL).
 */
const files = {
  manrope: "@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2",
  figtree: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
  fraunces: "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2",
  bricolage: "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2",
  instrument: "@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2"
} as const
type FontName = keyof typeof files

interface Face {
  readonly font: FontName
  readonly family: string
  /** One weight, or the weight range of a variable font. */
  readonly weight: string
}

interface Pair {
  readonly heading: Face
  readonly text: Face
  /** The fallback until the font is loaded. */
  readonly headingFallback: string
  /** Weight of headings, and how tightly they are set. */
  readonly headingWeight: number
  readonly tracking: string
  readonly leading: string
}

const sans = 'system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'
const serif = 'Georgia,"Times New Roman",serif'

const figtree: Face = { font: "figtree", family: "Figtree", weight: "300 900" }
const manrope: Face = { font: "manrope", family: "Manrope", weight: "200 800" }
const fraunces: Face = { font: "fraunces", family: "Fraunces", weight: "600" }
const bricolage: Face = { font: "bricolage", family: "Bricolage Grotesque", weight: "700" }
const instrument: Face = { font: "instrument", family: "Instrument Serif", weight: "400" }

const pairs: readonly [Pair, Pair, Pair, Pair] = [
  {
    heading: manrope,
    text: manrope,
    headingFallback: sans,
    headingWeight: 750,
    tracking: "-.03em",
    leading: "1.08"
  },
  {
    heading: fraunces,
    text: figtree,
    headingFallback: serif,
    headingWeight: 600,
    tracking: "-.02em",
    leading: "1.08"
  },
  {
    heading: bricolage,
    text: manrope,
    headingFallback: sans,
    headingWeight: 700,
    tracking: "-.025em",
    leading: "1.02"
  },
  {
    heading: instrument,
    text: figtree,
    headingFallback: serif,
    headingWeight: 400,
    tracking: "-.015em",
    leading: "1.04"
  }
]

const pairOf = (theme: SiteTheme): Pair => pairs[theme.typefaces] ?? pairs[0]

const facesOf = (theme: SiteTheme): ReadonlyArray<Face> => {
  const { heading, text } = pairOf(theme)
  return heading === text ? [text] : [heading, text]
}

const { resolve } = createRequire(import.meta.url)
const read = new Map<FontName, Uint8Array>()

const isFontName = (name: string): name is FontName => Object.hasOwn(files, name)

/** Returns the WOFF2 file for `/_/font/{name}.woff2`; undefined for an unknown name. */
export const fontBytes = (name: string): Uint8Array | undefined => {
  if (!isFontName(name)) return undefined
  const known = read.get(name)
  if (known !== undefined) return known
  const bytes = readFileSync(resolve(files[name]))
  read.set(name, bytes)
  return bytes
}

const inline = (name: FontName): string =>
  `data:font/woff2;base64,${Buffer.from(fontBytes(name) ?? []).toString("base64")}`

/** Addresses of the fonts that a theme's pages load. */
export const fontPaths = (theme: SiteTheme): ReadonlyArray<string> =>
  facesOf(theme).map(({ font }) => `/_/font/${font}.woff2`)

/** Rules that load the fonts, and the properties that the style sheets read. */
export const typeStyles = (theme: SiteTheme, where: "served" | "inline"): string => {
  const pair = pairOf(theme)
  const faces = facesOf(theme).map(
    ({ family, font, weight }) =>
      `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url("${where === "inline" ? inline(font) : `/_/font/${font}.woff2`}") format("woff2")}`
  )
  return `${faces.join("")}:root{--heading:"${pair.heading.family}",${pair.headingFallback};--text:"${pair.text.family}",${sans};--heading-weight:${pair.headingWeight};--tracking:${pair.tracking};--leading:${pair.leading}}`
}
