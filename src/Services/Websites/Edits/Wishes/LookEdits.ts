import { fold } from "../../../Text/PlainText.ts"
import type { SiteTheme } from "../../Site.ts"
import { colorsNamed, type NamedColor } from "../../Writing/ColorWords.ts"
import { colorsOfTheme, looksNamed, wishedLook } from "../../Writing/ThemeChoice.ts"
import { change, type EditDesk, type Outcome } from "../EditDesk.ts"
import type { Clause } from "../Reading/EditClause.ts"
import { wordsOf } from "../Reading/EditTokens.ts"
import { hasRole } from "../Reading/EditWords.ts"

const layouts: ReadonlyArray<SiteTheme["layout"]> = [
  "harbour",
  "atelier",
  "ledger",
  "meadow",
  "signal",
  "column",
  "split",
  "tiles"
]

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const colorNouns = set(
  "cor cores color colour colors colours colores tom tons tone tones tono tonos paleta palette principal main marca brand destaque predominante base detalhes details detalles esquema scheme theme tema accent acento"
)
const styleNouns = set(
  "layout diagramacao disposicao maquetacion estilo visual look style design diseno cara aparencia apariencia aspecto tema theme modo mode fundo fondo background ar feel vibe jeito"
)
const fontNouns = set("fonte fontes tipografia tipografias font fonts typeface typefaces typography letra letras tipo")
const another = set(
  "outro outra outros outras another other different diferente diferentes otro otra otros otras novo nova novos novas new nuevo nueva nuevos nuevas"
)
const extent = set(
  "mais more mas tudo everything todo bem very muy muito super mucho bastante little pouco poco bit um all page pagina prefiro prefer vea ver fique fica luzca luce feel parece pareca quede look looks feels quero quiero want can have get it la lo ele ela isso esto with com con em in en mode modo pra para ponlo hazla faz"
)
const serif = set("serifa serifas serif serifada serifado serifadas")
const sans = set("sans sem sin sans-serif")
const insteadOf = /\b(?:instead of|em vez d[eoa]s?|no lugar d[eoa]s?|en vez de(?:l)?|en lugar de(?:l)?|rather than)\b/

type Part = "background" | "headings" | "buttons"

/** The parts of a page that can have their own colour. */
const parts: ReadonlyArray<readonly [Part, ReadonlySet<string>]> = [
  ["background", set("fundo fondo background")],
  [
    "headings",
    set("titulo titulos title titles heading headings headline headlines titular titulares encabezado encabezados")
  ],
  ["buttons", set("botao botoes button buttons boton botones")]
]

const isOrder = (word: string): boolean =>
  extent.has(word) || hasRole(word, "set", "change", "valuemark", "copula", "now", "polite")

const left = (words: ReadonlyArray<string>, explains: (word: string) => boolean): ReadonlyArray<string> =>
  words.filter((word) => !hasRole(word, "function") && !explains(word))

const themed = (
  { site }: EditDesk,
  changed: Partial<SiteTheme>,
  without: ReadonlyArray<keyof SiteTheme>,
  note: string
): Outcome => {
  const unchanged = Object.fromEntries(
    Object.entries(site.theme).filter(([key]) => !without.some((each) => each === key))
  )
  const { brand, layout, palette, typefaces } = site.theme
  return change("look", note, [
    { _tag: "SetTheme", theme: { brand, layout, palette, typefaces, ...unchanged, ...changed } }
  ])
}

/** Sets the colour of one part: "Fundo branco", "the buttons green", "o título em vinho". */
const partColor = (
  words: ReadonlyArray<string>,
  colors: ReadonlyArray<NamedColor>,
  desk: EditDesk
): Outcome | undefined => {
  const [color] = colors
  const named = parts.filter(([, nouns]) => words.some((word) => nouns.has(word)))
  const [part] = named
  if (color === undefined || colors.length !== 1 || part === undefined || named.length !== 1) return undefined
  const [key, nouns] = part
  const rest = left(
    words,
    (word) =>
      nouns.has(word) ||
      color.words.includes(word) ||
      colorNouns.has(word) ||
      isOrder(word) ||
      hasRole(word, "both", "page")
  )
  return rest.length > 0 ? undefined : themed(desk, { [key]: color.color }, [], desk.notes[key](color.color))
}

const isChange = (word: string): boolean => another.has(word) || /^(?:mud|troc|troqu|chang|cambi)/.test(word)

const fontChange = (words: ReadonlyArray<string>, desk: EditDesk): Outcome | undefined => {
  const { typefaces } = desk.site.theme
  const isSans = words.some((word) => sans.has(word))
  const isSerif = words.some((word) => serif.has(word))
  const rest = left(
    words,
    (word) => fontNouns.has(word) || serif.has(word) || another.has(word) || isOrder(word) || sans.has(word)
  )
  if (rest.length > 0 || (!isSans && !isSerif && !words.some(isChange))) return undefined
  const next = isSans ? (typefaces === 0 ? 2 : 0) : isSerif ? (typefaces === 1 ? 3 : 1) : (typefaces + 1) % 4
  return themed(desk, { typefaces: next }, [], desk.notes.typefaces)
}

/** True if every word for what should disappear belongs to the look. */
const isOldLook = (old: string): boolean => {
  const oldColors = colorsNamed(old).flatMap((color) => color.words)
  const rest = looksNamed(old).reduce((each, source) => each.replace(new RegExp(source, "g"), " "), old)
  return (
    left(wordsOf(rest), (word) => oldColors.includes(word) || colorNouns.has(word) || styleNouns.has(word)).length === 0
  )
}

type Wished = ReturnType<typeof wishedLook>

/** Sets the colours and the mood that a wish names. */
const namedLook = (colors: ReadonlyArray<NamedColor>, wished: Wished, desk: EditDesk): Outcome | undefined => {
  const { notes } = desk
  const ofColors = colors.length === 0 ? {} : colorsOfTheme(colors.map(({ color }) => color))
  if (ofColors === undefined) return undefined
  const isToned = wished !== undefined && "palette" in wished.theme
  const without: ReadonlyArray<keyof SiteTheme> = [
    ...(colors.length > 0 ? (["accent"] as const) : []),
    ...(isToned ? (["background"] as const) : [])
  ]
  const colorList = Object.values(ofColors)
    .filter((color) => typeof color === "string")
    .join(", ")
  const lines = [
    ...(colorList === "" ? [] : [notes.color(colorList)]),
    ...(wished === undefined ? [] : ["layout" in wished.theme ? notes.layout : notes.palette])
  ]
  return themed(desk, { ...wished?.theme, ...ofColors }, without, lines.join(" "))
}

/** Chooses another layout or palette: "Another layout", "other colours". */
const otherLook = (words: ReadonlyArray<string>, desk: EditDesk): Outcome | undefined => {
  const { layout, palette } = desk.site.theme
  if (!words.some(isChange)) return undefined
  if (words.some((word) => styleNouns.has(word))) {
    const next = layouts[(layouts.indexOf(layout) + 1) % layouts.length] ?? "harbour"
    return themed(desk, { layout: next }, [], desk.notes.layout)
  }
  return words.some((word) => colorNouns.has(word))
    ? themed(desk, { palette: (palette + 1) % 10 }, ["background"], desk.notes.palette)
    : undefined
}

/** Replaces one colour by another: "tira o laranja, põe vermelho". */
const exchangedColor = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { tokens, verb } = clause
  if (verb === undefined || !hasRole(verb.word, "remove", "change")) return undefined
  const seam = tokens.findIndex(
    ({ word }, at) => at > 0 && (hasRole(word, "set", "valuemark") || word === ",") && at > 1
  )
  if (seam < 0) return undefined
  const text = (from: number, to?: number): string =>
    tokens
      .slice(from, to)
      .map(({ word }) => word)
      .join(" ")
  const [old, next] = [text(1, seam), text(seam)]
  const colors = colorsNamed(next)
  const named = colorsNamed(old).flatMap(({ words }) => words)
  const isOld =
    named.length > 0 && left(wordsOf(old), (word) => named.includes(word) || colorNouns.has(word)).length === 0
  const isNew =
    left(
      wordsOf(next),
      (word) => colors.some(({ words }) => words.includes(word)) || colorNouns.has(word) || isOrder(word)
    ).length === 0
  const [color] = colors
  if (!isOld || !isNew || color === undefined || colors.length > 1) return undefined
  return exchanging(
    colorsNamed(old).map((each) => each.color),
    color.color,
    desk
  )
}

/** Replaces a colour of the theme. Undefined if the theme does not use it, so that no other colour is lost. */
const exchanging = (old: ReadonlyArray<string>, next: string, desk: EditDesk): Outcome | undefined => {
  const { theme } = desk.site
  const keys = (["brand", "accent", "background", "headings", "buttons"] as const).filter((key) => {
    const color = theme[key]
    return color !== undefined && old.some((each) => isNearColor(each, color))
  })
  if (keys.length === 0) return undefined
  return themed(desk, Object.fromEntries(keys.map((key) => [key, next])), [], desk.notes.color(next))
}

const tooMuch = set("too muito mt muy demais demasiado demasiada mucho very wrong")

/** Words that introduce a replacement: "bota um verde no lugar", "mejor rojo oscuro". */
const better = set("mejor melhor better rather prefiro prefiero instead lugar vez place")

/** Replaces the colour that the previous clause complained about. */
const inPlaceOf = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const old = colorsNamed(clause.inherited.topic).map((each) => each.color)
  const colors = colorsNamed(clause.text)
  const [color] = colors
  if (old.length === 0 || color === undefined || colors.length > 1) return undefined
  const words = wordsOf(clause.text)
  const rest = left(
    words,
    (word) => color.words.includes(word) || colorNouns.has(word) || isOrder(word) || better.has(word)
  )
  return rest.length > 0 || !words.some((word) => better.has(word)) ? undefined : exchanging(old, color.color, desk)
}

const partsOf = (color: string): ReadonlyArray<number> =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Two colours count as the same if their red, green and blue differ by at most this much in sum. */
const nearColors = 120

const isNearColor = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)]
  return a.reduce((sum, part, at) => sum + Math.abs(part - (b[at] ?? 0)), 0) <= nearColors
}

/** True if every token could belong to a wish about the look. */
const maySpeakOfLook = ({ tokens, verb }: Clause): boolean => {
  const isPlain = ({ kind, text }: (typeof tokens)[number]): boolean =>
    kind === "word" || (kind === "mark" && ",.#-".includes(text)) || /^[0-9a-f]{6}$/i.test(text)
  const isDoubted = tokens.some(({ word }) => hasRole(word, "negation", "limit", "only", "sentence") && !sans.has(word))
  // "The green is too green" is a complaint. It does not say what is wanted.
  const isComplaint =
    tokens.some(({ word }) => tooMuch.has(word)) &&
    tokens.some(({ word }) => hasRole(word, "copula") || word === "ta" || word === "to")
  const isBare = verb === undefined && tokens.filter(({ kind }) => kind === "word").length < 2
  return tokens.every(isPlain) && !isDoubted && !isComplaint && !isBare
}

/** True if a clause has a verb or a noun of the look. A bare colour does not say what to colour. */
const namesLook = ({ tokens, verb }: Clause): boolean =>
  verb !== undefined ||
  tokens.some(({ word }) =>
    [colorNouns, styleNouns, fontNouns, extent, ...parts.map(([, nouns]) => nouns)].some((list) => list.has(word))
  )

/** Replaces a colour: "Dark red instead of orange". */
const insteadOfColor = (
  words: ReadonlyArray<string>,
  colors: ReadonlyArray<NamedColor>,
  old: ReadonlyArray<NamedColor>,
  desk: EditDesk
): Outcome | undefined => {
  const [color] = colors
  if (old.length === 0 || color === undefined || colors.length > 1) return undefined
  const rest = left(words, (word) => color.words.includes(word) || colorNouns.has(word) || isOrder(word))
  return rest.length > 0
    ? undefined
    : exchanging(
        old.map((each) => each.color),
        color.color,
        desk
      )
}

/** Changes colours, mood, layout and typefaces of the site. */
export const look = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (!maySpeakOfLook(clause)) return undefined
  const replaced = inPlaceOf(clause, desk)
  if (replaced !== undefined) return replaced
  if (!namesLook(clause)) return undefined
  const exchanged = exchangedColor(clause, desk)
  if (exchanged !== undefined) return exchanged
  const [wish = "", ...behind] = fold(clause.text).split(insteadOf)
  const old = behind.join(" ")
  if (
    !isOldLook(old) ||
    (clause.verb !== undefined && hasRole(clause.verb.word, "remove") && !hasRole(clause.verb.word, "set"))
  )
    return undefined
  const words = wordsOf(wish)
  if (words.some((word) => fontNouns.has(word))) return fontChange(words, desk)
  const colors = colorsNamed(wish)
  const precise = insteadOfColor(words, colors, colorsNamed(old), desk) ?? partColor(words, colors, desk)
  return precise ?? wishedMood(words, colors, desk, old === "")
}

/** Changes colours and mood of the whole site. */
const wishedMood = (
  words: ReadonlyArray<string>,
  colors: ReadonlyArray<NamedColor>,
  desk: EditDesk,
  mayBeOther: boolean
): Outcome | undefined => {
  const isPart = words.some((word) => parts.some(([key, nouns]) => key !== "background" && nouns.has(word)))
  const colorWords = new Set(colors.flatMap((each) => each.words))
  const mood = words.filter((word) => !colorWords.has(word)).join(" ")
  const layout = layouts.find((name) => words.includes(name))
  const wished: Wished =
    layout === undefined ? wishedLook(mood, desk.site.theme) : { theme: { layout }, words: [layout] }
  const rest = (wished?.words ?? []).reduce((each, source) => each.replace(new RegExp(source, "g"), " "), mood)
  const unread = left(
    wordsOf(rest),
    (word) => colorNouns.has(word) || styleNouns.has(word) || isOrder(word) || another.has(word)
  )
  if (unread.length > 0 || isPart) return undefined
  if (colors.length > 0 || wished !== undefined) return namedLook(colors, wished, desk)
  return mayBeOther ? otherLook(words, desk) : undefined
}
