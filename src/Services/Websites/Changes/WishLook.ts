import { fold } from "../../Text/PlainText.ts"
import type { SiteTheme } from "../Site.ts"
import { colorsNamed, type NamedColor } from "../Writing/ColorWords.ts"
import { colorsOfTheme, looksNamed, wishedLook } from "../Writing/ThemeChoice.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { change, type Outcome } from "./WishOutcome.ts"
import { unexplained, wordsOf } from "./WishTokens.ts"
import { valueMarks, verbs, wordList } from "./WishWords.ts"

const layouts: ReadonlyArray<SiteTheme["layout"]> = ["harbour", "atelier", "ledger", "meadow", "signal", "column"]

const colorNouns = wordList(
  "cor cores color colour colors colours colores tom tons tone tones tono tonos paleta palette principal main marca brand destaque predominante base detalhes details detalles esquema scheme theme tema"
)
const styleNouns = wordList(
  "layout diagramacao disposicao maquetacion estilo visual look style design diseno cara aparencia apariencia aspecto tema theme modo mode fundo fondo background ar feel vibe jeito"
)
const fontNouns = wordList(
  "fonte fontes tipografia tipografias font fonts typeface typefaces typography letra letras tipo"
)
const another = wordList(
  "outro outra outros outras another other different diferente diferentes otro otra otros otras novo nova novos novas new nuevo nueva nuevos nuevas"
)
const extent = wordList(
  "mais more mas tudo everything todo bem very muy muito super mucho bastante little pouco poco bit um tudo all page pagina prefiro prefer vea ver fique fica luzca luce feel parece pareca quede look looks feels quero quiero want can have get it la lo ele ela isso esto with com con em in en mode modo"
)
const insteadOf = /\b(?:instead of|em vez d[eoa]s?|no lugar d[eoa]s?|en vez de(?:l)?|en lugar de(?:l)?|rather than)\b/

/** Parts of a page that have a colour by themselves. */
const parts: ReadonlyArray<readonly ["background" | "headings" | "buttons", ReturnType<typeof wordList>]> = [
  ["background", wordList("fundo fondo background")],
  [
    "headings",
    wordList("titulo titulos title titles heading headings headline headlines titular titulares encabezado encabezados")
  ],
  ["buttons", wordList("botao botoes button buttons boton botones")]
]

const isOrder = (word: string): boolean =>
  valueMarks.has(word) ||
  extent.has(word) ||
  verbs.some(([act, words]) => act !== "remove" && act !== "swap" && words.has(word))

const set = (
  { site }: ChangeDesk,
  changed: Partial<SiteTheme>,
  without: ReadonlyArray<keyof SiteTheme>,
  note: string
): Outcome => {
  const unchanged = Object.fromEntries(
    Object.entries(site.theme).filter(([key]) => !without.some((each) => each === key))
  )
  const { brand, layout, palette, typefaces } = site.theme
  return change(note, [{ _tag: "SetTheme", theme: { brand, layout, palette, typefaces, ...unchanged, ...changed } }])
}

/** "Fundo branco", "the buttons green", "o título em vinho". */
const partColor = (
  words: ReadonlyArray<string>,
  colors: ReadonlyArray<NamedColor>,
  desk: ChangeDesk
): Outcome | undefined => {
  const [color] = colors
  const named = parts.filter(([, nouns]) => words.some((word) => nouns.has(word)))
  const [part] = named
  if (color === undefined || colors.length !== 1 || part === undefined || named.length !== 1) return undefined
  const [key, nouns] = part
  const left = unexplained(
    words,
    (word) => nouns.has(word) || color.words.includes(word) || colorNouns.has(word) || isOrder(word) || allOf.has(word)
  )
  return left.length > 0 ? undefined : set(desk, { [key]: color.color }, [], desk.notes[key](color.color))
}

const allOf = wordList("todos todas all site pagina page every")

const fontChange = (words: ReadonlyArray<string>, desk: ChangeDesk): Outcome | undefined => {
  const { typefaces } = desk.site.theme
  const serif = wordList("serifa serifas serif serifada serifado serifadas")
  const isSans = words.some((word) => ["sans", "sem", "sin", "sans-serif"].includes(word))
  const isSerif = words.some((word) => serif.has(word))
  const isOther = words.some(
    (word) =>
      another.has(word) ||
      word.startsWith("mud") ||
      word.startsWith("troc") ||
      word.startsWith("cambi") ||
      word.startsWith("chang")
  )
  const left = unexplained(
    words,
    (word) =>
      fontNouns.has(word) ||
      serif.has(word) ||
      another.has(word) ||
      isOrder(word) ||
      ["sans", "sem", "sin", "sans-serif"].includes(word)
  )
  if (left.length > 0 || (!isSans && !isSerif && !isOther)) return undefined
  const next = isSans ? (typefaces === 0 ? 2 : 0) : isSerif ? (typefaces === 1 ? 3 : 1) : (typefaces + 1) % 4
  return set(desk, { typefaces: next }, [], desk.notes.typefaces)
}

/** "Tira o laranja, põe vermelho": what is taken out is only what was there before. */
const withoutOld = (text: string): string => {
  const match =
    /^(?:tir\p{L}+|sac\p{L}+|quit\p{L}+|remov\p{L}+|drop|lose|take)\s(.{2,40}?)(?:\sout|\saway)?(?:,\s|;\s|\se\s|\sy\s|\sand\s)(.+)$/iu.exec(
      text
    )
  const [, old = "", rest = ""] = match ?? []
  const colors = colorsNamed(old).flatMap(({ words }) => words)
  const isColor =
    match !== null &&
    colors.length > 0 &&
    unexplained(wordsOf(old), (word) => colors.includes(word) || colorNouns.has(word)).length === 0
  return isColor ? rest : text
}

/** Whether all that a wish wants no longer is of the look. */
const isOldLook = (old: string): boolean => {
  const oldColors = colorsNamed(old).flatMap((color) => color.words)
  const rest = looksNamed(old).reduce((each, source) => each.replace(new RegExp(source, "g"), " "), old)
  return (
    unexplained(wordsOf(rest), (word) => oldColors.includes(word) || colorNouns.has(word) || styleNouns.has(word))
      .length === 0
  )
}

type Wished = ReturnType<typeof wishedLook>

/** The theme with the colours and the mood that a wish names. */
const namedLook = (colors: ReadonlyArray<NamedColor>, wished: Wished, desk: ChangeDesk): Outcome | undefined => {
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
  return set(desk, { ...wished?.theme, ...ofColors }, without, lines.join(" "))
}

/** "Another layout", "other colours". */
const otherLook = (words: ReadonlyArray<string>, desk: ChangeDesk): Outcome | undefined => {
  const { layout, palette } = desk.site.theme
  const isOther = words.some((word) => another.has(word) || /^(?:mud|troc|troqu|chang|cambi)/.test(word))
  if (!isOther) return undefined
  if (words.some((word) => styleNouns.has(word)))
    return set(
      desk,
      { layout: layouts[(layouts.indexOf(layout) + 1) % layouts.length] ?? "harbour" },
      [],
      desk.notes.layout
    )
  return words.some((word) => colorNouns.has(word))
    ? set(desk, { palette: (palette + 1) % 10 }, ["background"], desk.notes.palette)
    : undefined
}

/** Colours, mood, layout and typefaces of the site. */
export const look = (text: string, desk: ChangeDesk): Outcome | undefined => {
  if (/[“”"«»\d]/.test(text.replace(/#[0-9a-f]{6}\b/gi, ""))) return undefined
  const [wish = "", ...behind] = fold(withoutOld(text)).split(insteadOf)
  const old = behind.join(" ")
  if (!isOldLook(old)) return undefined
  const words = wordsOf(wish)
  if (words.some((word) => fontNouns.has(word))) return fontChange(words, desk)
  const colors = colorsNamed(wish)
  const ofPart = partColor(words, colors, desk)
  if (ofPart !== undefined) return ofPart
  const isPart = words.some((word) => parts.some(([key, nouns]) => key !== "background" && nouns.has(word)))
  const colorWords = new Set(colors.flatMap((color) => color.words))
  const mood = words.filter((word) => !colorWords.has(word)).join(" ")
  const layout = layouts.find((name) => words.includes(name))
  const wished: Wished =
    layout === undefined ? wishedLook(mood, desk.site.theme) : { theme: { layout }, words: [layout] }
  const rest = (wished?.words ?? []).reduce((each, source) => each.replace(new RegExp(source, "g"), " "), mood)
  const left = unexplained(
    wordsOf(rest),
    (word) => colorNouns.has(word) || styleNouns.has(word) || isOrder(word) || another.has(word)
  )
  if (left.length > 0 || isPart) return undefined
  if (colors.length > 0 || wished !== undefined) return namedLook(colors, wished, desk)
  return old === "" ? otherLook(words, desk) : undefined
}
