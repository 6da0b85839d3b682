import { fold, shareOf } from "../../Text/PlainText.ts"
import { isAsk } from "../Material/MaterialLabels.ts"
import { sentencesIn } from "../Material/MaterialText.ts"
import { type Sector, sectors } from "../Material/Sectors.ts"
import type { SiteTheme } from "../Site.ts"
import { colorsNamed, isPale } from "./ColorWords.ts"

type Layout = SiteTheme["layout"]

const ofColors = /\b(?:cor|cores|colou?rs?|color|colores|tons?|tones?|tonos?|palette|paleta)\b|#[0-9a-f]{6}\b/
const layoutWishes: ReadonlyArray<readonly [RegExp, Layout]> = [
  [/\b(?:minimalista?s?|minimal|minimalist|clean|enxut[oa]|despojad[oa])\b/, "column"],
  [/\b(?:elegantes?|sofisticad[oa]|luxo|luxuos[oa]|elegant|luxur\w+|refined|editorial|lujo)\b/, "atelier"],
  [
    /\b(?:sobri[oa]s?|classic[oa]?s?|formal|tradicional|serio|seria|sober|classic|traditional|conservador[a]?)\b/,
    "ledger"
  ],
  [
    /\b(?:alegres?|divertid[oa]|acolhedor[a]?|infantil|vivo|viva|vibrantes?|friendly|playful|cheerful|fun|ludic[oa]|amigable|colorid[oa]|colorful|colourful)\b/,
    "meadow"
  ],
  [
    /\b(?:moderna?s?|moderno|tecnologic[oa]|ousad[oa]|impactante|modern|bold|futuristic|high-tech|tech|audaz)\b/,
    "signal"
  ],
  [/\b(?:corporativ[oa]|institucional|corporate|profissional|professional|profesional)\b/, "harbour"]
]
const paletteWishes: ReadonlyArray<readonly [RegExp, ReadonlyArray<number>]> = [
  [
    /\b(?:dark (?:mode|theme|background|look|design)|(?:tema|fundo|modo|visual|fondo|site|design) (?:escuro|oscuro|dark|noturno))\b/,
    [4, 9]
  ],
  [/\b(?:quentes?|warm|calid[oa]s?|aconchegantes?|cozy|cosy|terros[oa]s?|earthy|creme|cream|bege|beige)\b/, [1, 6]],
  [/\b(?:terra|tierra|earth tones|natural|naturais)\b/, [1, 6]],
  [/\b(?:preto e branco|black and white|blanco y negro|monocrom\w+)\b/, [8]],
  [/\b(?:pastel|pasteis|suaves?|soft|delicad[oa]s?)\b/, [3, 7]],
  [/\b(?:frias?|frios?|cool|neutr[oa]s?|neutral)\b/, [2]]
]

const lightPalettes = [0, 1, 2, 3, 5, 6, 7]
// Only of a change that speaks of the look: elsewhere these are words like others.
const lookWishes: ReadonlyArray<readonly [RegExp, ReadonlyArray<number>]> = [
  ...paletteWishes,
  [/\b(?:escur[oa]s?|oscur[oa]s?|dark(?:er)?|pret[oa]s?|black|negr[oa]s?|noturno)\b/, [4, 9]],
  [/\b(?:clar[oa]s?|light(?:er)?|branc[oa]s?|white|blanc[oa]s?|luminos[oa]s?|bright(?:er)?)\b/, lightPalettes]
]

/** What a wish says of the look, and the words that say it. */
export interface WishedLook {
  readonly theme: Partial<SiteTheme>
  readonly words: ReadonlyArray<string>
}

/** The mood that a folded wish names: its palettes must agree, and only one layout can be named. */
export const wishedLook = (wish: string, before: SiteTheme): WishedLook | undefined => {
  const palettes = lookWishes.filter(([words]) => words.test(wish))
  const layouts = layoutWishes.filter(([words]) => words.test(wish))
  const agreed = palettes.reduce<ReadonlyArray<number> | undefined>(
    (left, [, each]) => (left === undefined ? each : left.filter((palette) => each.includes(palette))),
    undefined
  )
  if (agreed?.length === 0 || layouts.length > 1) return undefined
  const layout = layouts[0]?.[1]
  if (agreed === undefined && layout === undefined) return undefined
  const palette = agreed?.includes(before.palette) === true ? before.palette : agreed?.[0]
  return {
    theme: {
      ...(layout === undefined ? {} : { layout }),
      ...(palette === undefined ? {} : { palette })
    },
    words: [...palettes.map(([words]) => words.source), ...layouts.map(([words]) => words.source)]
  }
}

/** The words of every mood that a wish may name, as what it wants no longer. */
export const looksNamed = (wish: string): ReadonlyArray<string> =>
  [...lookWishes, ...layoutWishes].filter(([words]) => words.test(wish)).map(([words]) => words.source)

type Colors = Pick<SiteTheme, "accent" | "background"> & { readonly brand?: string }

/** How a site shows the colours that its owner names: the pale one behind all, then the brand's, then the accent's. */
export const colorsOfTheme = (colors: ReadonlyArray<string>): Colors | undefined => {
  const [background, morePale] = colors.filter(isPale)
  const [brand, accent, ...more] = [...new Set(colors.filter((color) => !isPale(color)))]
  if (more.length > 0 || morePale !== undefined) return undefined
  return {
    ...(brand === undefined ? {} : { brand }),
    ...(accent === undefined ? {} : { accent }),
    ...(background === undefined ? {} : { background })
  }
}

/** Words in the middle of a sentence that begin with a capital are names. */
const withoutNames = (sentence: string): string => sentence.replace(/(?<=\S\s)\p{Lu}[\p{L}'’-]*/gu, " ")

/** The colours that a text wants; only where it speaks of the look, since names have colours too. */
export const wishedColors = (text: string, orders: ReadonlyArray<string> = []): Colors => {
  const colors = text
    .split("\n")
    .flatMap(sentencesIn)
    .flatMap((sentence) =>
      ofColors.test(fold(sentence)) ? [sentence] : isAsk(sentence) ? [withoutNames(sentence)] : []
    )
    .concat(orders.map(withoutNames))
    .flatMap(colorsNamed)
    .map(({ color }) => color)
  const all = [...new Set(colors)]
  const selection = [...all.filter((color) => !isPale(color)).slice(0, 2), ...all.filter(isPale).slice(0, 1)]
  return colorsOfTheme(selection) ?? {}
}

/** Whether a folded word names a mood that the look has. */
export const showsMood = (word: string, { layout, palette }: SiteTheme): boolean =>
  layoutWishes.some(([words, wished]) => words.test(word) && wished === layout) ||
  lookWishes.some(([words, palettes]) => words.test(word) && palettes.includes(palette))

export const wishedLayout = (wishes: string): Layout | undefined =>
  layoutWishes.find(([words]) => words.test(wishes))?.[1]

export const wishedPalettes = (wishes: string): ReadonlyArray<number> | undefined =>
  paletteWishes.find(([words]) => words.test(wishes))?.[1]

/** The palettes of an order that wants it dark or light, and not a colour darker or lighter. */
const shadeOf = (orders: ReadonlyArray<string>): ReadonlyArray<number> | undefined => {
  const words = orders.flatMap((order) => {
    const ofColor = new Set(colorsNamed(order).flatMap((each) => each.words))
    return fold(order)
      .split(/[^\p{L}-]+/u)
      .filter((word) => !ofColor.has(word))
  })
  return lookWishes.find(([look]) => words.some((word) => look.test(word)))?.[1]
}

const picked = <A>(from: ReadonlyArray<A>, share: number, otherwise: A): A =>
  from[Math.min(from.length - 1, Math.floor(share * from.length))] ?? otherwise

/** The look of a site: what its owner wishes, else one of those that suit the sector, always the same for the same text. */
export const themeFor = (sector: Sector, seed: string, text: string, orders: ReadonlyArray<string> = []): SiteTheme => {
  const wishes = fold(text)
  const rule = sectors[sector]
  const share = (of: string): number => shareOf(`${seed}\n${of}`)
  const wished = wishedColors(text, orders)
  const layout = wishedLayout(wishes) ?? picked(rule.layouts, share("layout"), "harbour")
  return {
    layout,
    brand: picked(rule.colors, share("color"), "#1d4ed8"),
    ...wished,
    palette: picked(wishedPalettes(wishes) ?? shadeOf(orders) ?? rule.palettes, share("palette"), 0),
    typefaces: picked(rule.typefaces, share("type"), 0)
  }
}
