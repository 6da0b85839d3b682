import { colorsIn, colorWords } from "../../Media/Brief.ts"
import { fold, shareOf } from "../../Text/PlainText.ts"
import { sentencesIn } from "../Material/MaterialText.ts"
import { type Sector, sectors } from "../Material/Sectors.ts"
import type { SiteTheme } from "../Site.ts"

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
    /\b(?:alegres?|divertid[oa]|acolhedor[a]?|infantil|friendly|playful|cheerful|fun|ludic[oa]|amigable|colorid[oa]|colorful|colourful)\b/,
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

/** The look that has all that a folded wish names: its palettes must agree, and only one layout can be named. */
export const wishedLook = (wish: string, before: SiteTheme): WishedLook | undefined => {
  const palettes = lookWishes.filter(([words]) => words.test(wish))
  const layouts = layoutWishes.filter(([words]) => words.test(wish))
  const colors = colorsIn(wish).filter(carries)
  const brand = colors.find((color) => color !== "#15171c")
  const agreed = palettes.reduce<ReadonlyArray<number> | undefined>(
    (left, [, each]) => (left === undefined ? each : left.filter((palette) => each.includes(palette))),
    undefined
  )
  if (agreed?.length === 0 || layouts.length > 1) return undefined
  const layout = layouts[0]?.[1]
  if (agreed === undefined && layout === undefined && brand === undefined) return undefined
  const palette = agreed?.includes(before.palette) === true ? before.palette : agreed?.[0]
  return {
    theme: {
      ...(brand === undefined ? {} : { brand }),
      ...(layout === undefined ? {} : { layout }),
      ...(palette === undefined ? {} : { palette })
    },
    words: [
      ...palettes.map(([words]) => words.source),
      ...layouts.map(([words]) => words.source),
      ...(brand === undefined ? [] : [colorWords(brand)])
    ]
  }
}

/** The words of every look that a wish may name, as what it wants no longer. */
export const looksNamed = (wish: string): ReadonlyArray<string> => [
  ...[...lookWishes, ...layoutWishes].filter(([words]) => words.test(wish)).map(([words]) => words.source),
  ...colorsIn(wish).map(colorWords)
]

/** Whether a colour can carry a site: neither nearly white nor nothing. */
const carries = (color: string): boolean =>
  Number.parseInt(color.slice(1, 3), 16) +
    Number.parseInt(color.slice(3, 5), 16) +
    Number.parseInt(color.slice(5, 7), 16) <
  690

/** The colour that a text wants; only where it speaks of colours, since names have colours too. */
export const wishedColor = (text: string): string | undefined =>
  text
    .split("\n")
    .flatMap(sentencesIn)
    .filter((sentence) => ofColors.test(fold(sentence)))
    .flatMap(colorsIn)
    .find(carries)

export const wishedLayout = (wishes: string): Layout | undefined =>
  layoutWishes.find(([words]) => words.test(wishes))?.[1]

export const wishedPalettes = (wishes: string): ReadonlyArray<number> | undefined =>
  paletteWishes.find(([words]) => words.test(wishes))?.[1]

const picked = <A>(from: ReadonlyArray<A>, share: number, otherwise: A): A =>
  from[Math.min(from.length - 1, Math.floor(share * from.length))] ?? otherwise

/** The look of a site: what its owner wishes, else one of those that suit the sector, always the same for the same text. */
export const themeFor = (sector: Sector, seed: string, text: string): SiteTheme => {
  const wishes = fold(text)
  const rule = sectors[sector]
  const share = (of: string): number => shareOf(`${seed}\n${of}`)
  const wished = wishedColor(text)
  const layout = wishedLayout(wishes) ?? picked(rule.layouts, share("layout"), "harbour")
  return {
    layout,
    brand: wished ?? picked(rule.colors, share("color"), "#1d4ed8"),
    palette: picked(wishedPalettes(wishes) ?? rule.palettes, share("palette"), 0),
    typefaces: picked(rule.typefaces, share("type"), 0)
  }
}
