import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import { clausesOf, denies } from "../Material/Audience.ts"
import { briefWordsOf, canMean } from "../Material/BriefWords.ts"
import { senseOf } from "../Material/ClauseClassifier.ts"
import { ofField } from "../Material/FieldWords.ts"
import { isLook, isLookWord } from "../Material/MaterialLabels.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import type { Site, SiteBlock } from "../Site.ts"
import { colorsNamed } from "./ColorWords.ts"
import { textsOf } from "./SiteCheck.ts"
import { showsMood } from "./ThemeChoice.ts"

/**
 * Whether a site does what its owner wants of it. A wish was carried out if each of its words is one of asking, or is seen on the
 * site: among its texts, its fields, its colours. All others are asked.
 */

interface SeenSite {
  readonly site: Site
  readonly blocks: ReadonlyArray<SiteBlock>
  readonly text: string
  readonly stems: ReadonlySet<string>
  readonly colors: ReadonlySet<string>
}

const seenOf = (site: Site): SeenSite => {
  const blocks = site.pages.flatMap((page) => page.blocks)
  const text = fold([site.name, site.tagline, ...blocks.flatMap(textsOf)].join("\n"))
  const { accent, background, brand, buttons, headings } = site.theme
  return {
    site,
    blocks,
    text,
    stems: new Set(contentWords(text).map(stemOf)),
    colors: new Set([accent, background, brand, buttons, headings].filter((color) => color !== undefined))
  }
}

/** Words for parts of a site, with what shows that it has the part. */
const parts: ReadonlyArray<readonly [words: RegExp, isThere: (view: SeenSite) => boolean]> = [
  [
    /^(?:portf?[oó]lios?|portafolio|blog|newsletter|(?:web)?sites?|webiste|webstie|paginas?|paginita|landing|pages?|webs?|sitios?|webpage|homepage)$/,
    () => true
  ],
  // How a look is spoken of: the words next to it say which.
  [
    /^(?:cor|cores|tons?|tonos?|visual|estilo|colou?rs?|colores|looks?|looking|sty(?:le|ling)|appearance|aspecto)$/,
    () => true
  ],
  [
    /^(?:botao|botoes|buttons?|boton|botones|formularios?|forms?|campos?|fields?)$/,
    ({ blocks }) => blocks.some(({ _tag }) => _tag === "Form")
  ],
  [/^(?:precos?|valor(?:es)?|prices?|pricing|precios?)$/, ({ text }) => /[€£$]/.test(text)],
  [
    /^(?:telefones?|fone|phone|numero|whats(?:app)?|zap|telefono|celular|mobile)$/,
    ({ blocks }) => blocks.some((block) => block._tag === "Contact" && (block.phone !== null || block.links.length > 0))
  ],
  [/^(?:e-?mail|correo)$/, ({ blocks }) => blocks.some((block) => block._tag === "Contact" && block.email !== null)],
  [
    /^(?:endereco|address|direccion)$/,
    ({ blocks }) => blocks.some((block) => block._tag === "Contact" && block.address !== null)
  ],
  [
    /^(?:depoimentos?|testimonials?|testimonios?|reviews?|comentarios?)$/,
    ({ blocks }) => blocks.some(({ _tag }) => _tag === "Quotes")
  ],
  [/^(?:galeria|gallery)$/, ({ blocks }) => blocks.some(({ _tag }) => _tag === "Gallery")]
]

const partOf = (word: string) => parts.find(([words]) => words.test(word))?.[1]

/** What is to stand out: that a part is there is not enough. */
const emphasis =
  /^(?:destac\w+|destaque|highlight\w*|big|bigger|huge|strong|grandes?|gran|enorme|resalt\w+|prominent\w*)$/

const isAsking = (word: string): boolean =>
  canMean(word, "make", "order", "tell", "wish", "polite", "lead", "chat", "aside", "pronoun") ||
  canMean(word, "softener", "approval", "visit", "naming", "trade", "negation") ||
  ofField(word, "plain", "own", "denial")

/** "Campo Grande" is no large field. */
const isEmphasis = (word: string, clause: string): boolean =>
  emphasis.test(word) && clause.split(/[^\p{L}]+/u).some((each) => fold(each) === word && /^\p{Ll}/u.test(each))

const isSeen = (word: string, clause: string, view: SeenSite, colorWords: ReadonlySet<string>): boolean => {
  if (colorWords.has(word) || showsMood(word, view.site.theme)) return true
  const isThere = partOf(word)
  if (isThere !== undefined) return isThere(view) || view.stems.has(stemOf(word))
  if (isEmphasis(word, clause)) return false
  if (view.stems.has(stemOf(word)) || isAsking(word)) return true
  return /\d/.test(word) && view.text.includes(word)
}

/** What of a clause is not seen on the site; a colour that it does not have counts as all of the clause. */
const unseenWords = (clause: string, view: SeenSite): ReadonlyArray<string> => {
  const colors = colorsNamed(clause)
  if (colors.some(({ color }) => !view.colors.has(color))) return contentWords(clause)
  const colorWords = new Set(colors.flatMap(({ words }) => words))
  return contentWords(clause).filter((word) => !isSeen(word, clause, view, colorWords))
}

/** A mood says nothing to visitors: without it nothing on the page is wrong. Dark and light can be view, and so can colours. */
const isMood = (word: string): boolean =>
  (isLookWord(word) || canMean(word, "look")) && colorsNamed(word).length === 0 && !shades.test(word)
const shades =
  /^(?:dark|escur[oa]s?|oscur[oa]s?|light|clar[oa]s?|colorid[oa]s?|colou?rful|vibrantes?|vibrant|neon|pastel)$/

type Fate = "done" | "mood" | "undone"

/** "Friendly tone", "Quiet and old-fashioned": nothing but how it is to feel. */
const isOnlyMood = (clause: string): boolean =>
  colorsNamed(clause).length === 0 &&
  !briefWordsOf(clause).some((word) => shades.test(word)) &&
  (isLook(fold(clause)) || /^(?:tom|tono|tone|estilo|style|clima|mood)\s\S+(?:\s\S+){0,4}\.?$/.test(fold(clause)))

/** "Customers get spooked": a reason next to a wish. */
const isReason = (clause: string, { site }: SeenSite): boolean => {
  const { isProbable } = senseOf(clause, languageOf(site.language))
  return isProbable("aside") && !isProbable("order") && !isProbable("claim") && !/[\d@]/.test(clause)
}

const fateOf = (clause: string, view: SeenSite): Fate => {
  if (isLeftOut(clause, view)) return "done"
  const unseen = unseenWords(clause, view)
  if (unseen.length === 0 || isReason(clause, view)) return "done"
  return unseen.every(isMood) || isOnlyMood(clause) ? "mood" : "undone"
}

/** "Don't forget to say that it is free" leaves nothing out. */
const remembers = /\b(?:esque[cç]\w+|olvid\w+|forget|deix\w+ de|dej\w+ de)\b/

/** How near to the beginning of its clause a denial is that comes behind the verb: "write without long words". */
const nearStart = 3

/** Whether a clause leaves something out, and the site has it nowhere. "Put that we don't bake on Mondays" leaves nothing out. */
const isLeftOut = (clause: string, view: SeenSite): boolean => {
  const words = briefWordsOf(clause.replace(/"[^"]{1,200}"|“[^“”]{1,200}”|«[^«»]{1,200}»/g, " "))
  const denial = words.findIndex((word) => denies(word, languageOf(view.site.language)))
  const verb = words.findIndex((word) => canMean(word, "make", "order", "tell"))
  return (
    denial >= 0 &&
    (denial < nearStart || denial < verb) &&
    !remembers.test(fold(clause)) &&
    !words.some((word) => canMean(word, "content") && partOf(word)?.(view) === true)
  )
}

interface OpenWishes {
  /** The wishes that the site does not show to have been carried out. */
  readonly wishes: ReadonlyArray<string>
  /** Wishes of which only a mood is not view. */
  readonly moods: ReadonlyArray<string>
}

export const openWishes = ({ ownOrders }: ReadMaterial, site: Site): OpenWishes => {
  const view = seenOf(site)
  const fates = ownOrders.map(({ text }) => ({ text, fates: clausesOf(text).map((clause) => fateOf(clause, view)) }))
  return {
    wishes: fates.filter((order) => order.fates.includes("undone")).map(({ text }) => text),
    moods: fates
      .filter((order) => order.fates.includes("mood") && !order.fates.includes("undone"))
      .map(({ text }) => text)
  }
}
