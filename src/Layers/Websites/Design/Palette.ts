import { converter, formatHex, toGamut, wcagContrast } from "culori"
import type { SiteTheme } from "../../../Services/Websites/Site.ts"

/**
 * The colours of a site, as `#rrggbb`. Texts have a contrast of at least 4.5 on every background that they may be on.
 */
export interface Palette {
  readonly bg: string
  /** The background of every second section. */
  readonly soft: string
  readonly card: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  /** The border of fields. Its contrast to the background is 3 to 1. */
  readonly edge: string
  readonly brand: string
  readonly onBrand: string
  /** The brand as a text's colour. */
  readonly link: string
  readonly accent: string
  readonly onAccent: string
  /** The background of prominent bands, such as calls to action and footers. */
  readonly deep: string
  readonly onDeep: string
  readonly deepMuted: string
  readonly deepLine: string
  readonly isDark: boolean
}

interface Tone {
  readonly l: number
  readonly c: number
  readonly h: number
}

interface Recipe {
  readonly isDark: boolean
  /** The background: lightness, chroma, and the hue, which may be that of the brand. */
  readonly bg: readonly [l: number, c: number, hue: number | "brand"]
  readonly soft: readonly [l: number, c: number, hue: number | "brand"]
  readonly card: readonly [l: number, c: number, hue: number | "brand"]
  /** The angle from the brand's hue to the accent's. */
  readonly turn: number
  readonly deep: readonly [l: number, c: number]
  readonly accent: readonly [l: number, c: number]
}

// Ten ways to set a brand's colour: paper, cream, cool, tint, night, complement, sand, mist, plain, dusk.
const recipes: ReadonlyArray<Recipe> = [
  {
    isDark: false,
    bg: [1, 0, "brand"],
    soft: [0.97, 0.008, "brand"],
    card: [1, 0, "brand"],
    turn: 30,
    deep: [0.27, 0.06],
    accent: [0.8, 0.13]
  },
  {
    isDark: false,
    bg: [0.982, 0.012, 85],
    soft: [0.95, 0.022, 80],
    card: [0.995, 0.005, 85],
    turn: -35,
    deep: [0.29, 0.045],
    accent: [0.78, 0.12]
  },
  {
    isDark: false,
    bg: [0.985, 0.004, 250],
    soft: [0.945, 0.01, 250],
    card: [1, 0, 250],
    turn: 150,
    deep: [0.23, 0.035],
    accent: [0.82, 0.14]
  },
  {
    isDark: false,
    bg: [0.965, 0.022, "brand"],
    soft: [0.925, 0.04, "brand"],
    card: [0.99, 0.008, "brand"],
    turn: 60,
    deep: [0.33, 0.09],
    accent: [0.84, 0.13]
  },
  {
    isDark: true,
    bg: [0.17, 0.02, "brand"],
    soft: [0.21, 0.026, "brand"],
    card: [0.25, 0.03, "brand"],
    turn: 45,
    deep: [0.12, 0.02],
    accent: [0.82, 0.15]
  },
  {
    isDark: false,
    bg: [0.995, 0.003, "brand"],
    soft: [0.955, 0.028, "brand"],
    card: [1, 0, "brand"],
    turn: 180,
    deep: [0.36, 0.1],
    accent: [0.83, 0.13]
  },
  {
    isDark: false,
    bg: [0.955, 0.02, 70],
    soft: [0.92, 0.03, 65],
    card: [0.98, 0.012, 75],
    turn: 20,
    deep: [0.25, 0.03],
    accent: [0.76, 0.11]
  },
  {
    isDark: false,
    bg: [0.975, 0.015, 165],
    soft: [0.945, 0.03, 165],
    card: [0.998, 0.004, 165],
    turn: 100,
    deep: [0.3, 0.055],
    accent: [0.85, 0.12]
  },
  {
    isDark: false,
    bg: [1, 0, 0],
    soft: [0.955, 0, 0],
    card: [1, 0, 0],
    turn: 0,
    deep: [0.16, 0],
    accent: [0.8, 0.16]
  },
  {
    isDark: true,
    bg: [0.24, 0.05, "brand"],
    soft: [0.28, 0.058, "brand"],
    card: [0.32, 0.06, "brand"],
    turn: 120,
    deep: [0.18, 0.045],
    accent: [0.85, 0.13]
  }
]

export const paletteCount = recipes.length

const oklch = converter("oklch")
const inGamut = toGamut("rgb", "oklch")
const hex = ({ c, h, l }: Tone): string => formatHex(inGamut({ mode: "oklch", l, c, h: ((h % 360) + 360) % 360 }))

const contrast = (one: string, other: string): number => wcagContrast(one, other)

/** The contrast that normal text needs (4.5), with a small margin for rounding. */
const legible = 4.55

/** Returns the tone with the nearest lightness in the given direction that is legible on all of these backgrounds. */
const legibleOn = (tone: Tone, on: ReadonlyArray<string>, towards: "dark" | "light", least = legible): string => {
  for (let step = 0; step <= 50; step++) {
    const l = towards === "dark" ? tone.l * (1 - step / 50) : tone.l + (1 - tone.l) * (step / 50)
    const color = hex({ ...tone, l, c: tone.c * (1 - step / 60) })
    if (on.every((background) => contrast(color, background) >= least)) return color
  }
  return towards === "dark" ? "#000000" : "#ffffff"
}

/** Returns white or nearly black, whichever is more legible on a fill. The other bound is for medium fills. */
const onFill = (fill: string, hue: number): string => {
  const dark = hex({ l: 0.18, c: 0.02, h: hue })
  return contrast("#ffffff", fill) >= legible ? "#ffffff" : contrast(dark, fill) >= legible ? dark : "#000000"
}

const made = new Map<string, Palette>()

type Colors = Pick<SiteTheme, "brand" | "palette" | "accent" | "background">

/** Returns the recipe for a page whose background the owner chose. The other backgrounds differ a little from it. */
const onBackground = (recipe: Recipe, background: string): Recipe => {
  const { c = 0, h = 0, l = 1 } = oklch(background) ?? {}
  const isDark = l < 0.55
  const apart = isDark ? 0.05 : l > 0.9 ? -0.035 : 0.03
  return {
    ...recipe,
    isDark,
    bg: [l, c, h],
    soft: [l + apart, c, h],
    card: [isDark ? l + 0.08 : Math.min(1, l + 0.02), c, h],
    deep: isDark ? [Math.max(0.08, l - 0.08), Math.min(c, 0.04)] : recipe.deep
  }
}

const make = ({ accent: accentChoice, background, brand: brandColor }: Colors, plain: Recipe): Palette => {
  const recipe = background === undefined ? plain : onBackground(plain, background)
  const color = oklch(brandColor)
  const brandTone: Tone = { l: color?.l ?? 0.5, c: color?.c ?? 0, h: color?.h ?? 250 }
  const grey = brandTone.c < 0.02
  const tone = ([l, c, hue]: readonly [number, number, number | "brand"]): string =>
    hex({ l, c: hue === "brand" && grey ? 0 : c, h: hue === "brand" ? brandTone.h : hue })
  const [bg, soft, card] = [background ?? tone(recipe.bg), tone(recipe.soft), tone(recipe.card)]
  const grounds = [bg, soft, card]
  const away = recipe.isDark ? "light" : "dark"
  const tinted = (l: number, c: number): Tone => ({ l, c: grey ? 0 : c, h: brandTone.h })
  const ink = legibleOn(tinted(recipe.isDark ? 0.96 : 0.23, 0.02), grounds, away)
  const muted = legibleOn(tinted(recipe.isDark ? 0.78 : 0.48, 0.025), grounds, away)
  // A fill must be visible on its background. If the two are too similar, the fill's lightness changes until it is.
  const brand = legibleOn(brandTone, [bg, soft], away, 1.9)
  const deep = hex({ l: recipe.deep[0], c: grey ? Math.min(0.01, recipe.deep[1]) : recipe.deep[1], h: brandTone.h })
  const accent =
    accentChoice ??
    hex({
      l: recipe.accent[0],
      c: recipe.accent[1],
      h: grey && recipe.turn === 0 ? 90 : brandTone.h + recipe.turn
    })
  return {
    bg,
    soft,
    card,
    ink,
    muted,
    line: hex(tinted(recipe.isDark ? 0.38 : 0.89, 0.015)),
    edge: legibleOn(tinted(recipe.isDark ? 0.6 : 0.6, 0.02), grounds, away, 3.1),
    brand,
    onBrand: onFill(brand, brandTone.h),
    link: legibleOn({ ...brandTone, l: recipe.isDark ? Math.max(0.75, brandTone.l) : brandTone.l }, grounds, away),
    accent,
    onAccent: onFill(accent, brandTone.h),
    deep,
    onDeep: legibleOn(tinted(0.97, 0.012), [deep], "light"),
    deepMuted: legibleOn(tinted(0.82, 0.03), [deep], "light"),
    deepLine: hex(tinted(recipe.deep[0] + 0.14, 0.03)),
    isDark: recipe.isDark
  }
}

/** The palette of a theme, built from the brand's colour in OKLCH. */
export const paletteOf = (colors: Colors): Palette => {
  const { accent, background, brand, palette } = colors
  const key = `${brand}${palette}${accent}${background}`
  const known = made.get(key)
  if (known !== undefined) return known
  const recipe = recipes[palette] ?? recipes[0]
  if (recipe === undefined) throw new Error("There is no palette.")
  const built = make(colors, recipe)
  if (made.size > 500) made.clear()
  made.set(key, built)
  return built
}

const properties: ReadonlyArray<readonly [string, keyof Omit<Palette, "isDark">]> = [
  ["bg", "bg"],
  ["soft", "soft"],
  ["card", "card"],
  ["ink", "ink"],
  ["muted", "muted"],
  ["line", "line"],
  ["edge", "edge"],
  ["brand", "brand"],
  ["on-brand", "onBrand"],
  ["link", "link"],
  ["accent", "accent"],
  ["on-accent", "onAccent"],
  ["deep", "deep"],
  ["on-deep", "onDeep"],
  ["deep-muted", "deepMuted"],
  ["deep-line", "deepLine"]
]

/** Parts on bands of another colour keep the colour of those. */
const onBands =
  ".call h2,.foot h2,.signal .hero h1,.signal .opening h1,.harbour .figures h2,.split .hero h1,.split .opening h1,.tiles .hero h1,.tiles .figures h2"

/** The rules for colours that the owner chose for single parts. They are adjusted until they are legible. */
const chosenStyles = ({ buttons, headings }: SiteTheme, { bg, card, isDark, soft }: Palette): string => {
  const toneOf = (color: string): Tone => ({ l: 0.5, c: 0, h: 0, ...oklch(color) })
  const heading =
    headings === undefined ? "" : legibleOn(toneOf(headings), [bg, soft, card], isDark ? "light" : "dark", 4.5)
  return [
    headings === undefined
      ? ""
      : `h1,h2,.column .block:not(.hero):not(.call) h2{color:${heading}}${onBands}{color:inherit}`,
    buttons === undefined
      ? ""
      : `.button:not(.quiet){background:${buttons};color:${onFill(buttons, toneOf(buttons).h)}}`
  ].join("")
}

/** The variables of a theme's colours. */
export const paletteStyles = (theme: SiteTheme): string => {
  const palette = paletteOf(theme)
  return `:root{color-scheme:${palette.isDark ? "dark" : "light"};${properties.map(([name, key]) => `--${name}:${palette[key]}`).join(";")}}`
}

/** Returns the rules for colours that the owner chose. They come last in the stylesheet. */
export const chosenColors = (theme: SiteTheme): string => chosenStyles(theme, paletteOf(theme))
