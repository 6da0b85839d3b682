import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { contentWords, stemOf } from "../../Text/WordStems.ts"
import { clausesOf, denies, isForMaker } from "../Material/Audience.ts"
import { briefWordsOf, canMean } from "../Material/BriefWords.ts"
import { senseOf } from "../Material/ClauseClassifier.ts"
import { factWords } from "../Material/Completeness.ts"
import { ofField } from "../Material/Fields/FieldWords.ts"
import type { ReadMaterial } from "../Material/MaterialReader.ts"
import { labelledSentencesOf } from "../Material/MaterialText.ts"
import { isPartOfSite } from "../Material/Names/NameChoice.ts"
import { kindOfText } from "../Material/SentenceParts.ts"
import type { Site, SiteBlock } from "../Site.ts"
import { colorsNamed } from "./ColorWords.ts"
import { textsOf } from "./SiteCheck.ts"
import { showsMood } from "./ThemeChoice.ts"

/**
 * Whether a site does what its owner wants of it. A wish was carried out if each of its words is one of asking, or is seen on the
 * site: among its texts, its fields, its colours. All others are asked.
 */

/** What a visitor sees of a site. */
export interface SeenSite {
  readonly site: Site
  readonly blocks: ReadonlyArray<SiteBlock>
  readonly text: string
  /** All that it shows without anything but digits and what parts them. */
  readonly digits: string
  readonly stems: ReadonlySet<string>
  readonly colors: ReadonlySet<string>
}

const digitsOf = (text: string): string => text.replace(/[^\d]+/g, "")

export const seenOf = (site: Site): SeenSite => {
  const blocks = site.pages.flatMap((page) => page.blocks)
  const text = fold([site.name, site.tagline, ...blocks.flatMap(textsOf)].join("\n"))
  const { accent, background, brand, buttons, headings } = site.theme
  return {
    site,
    blocks,
    text,
    digits: digitsOf(text),
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
    /^(?:endereco|address|direccion|rua|street|calle)$/,
    ({ blocks }) => blocks.some((block) => block._tag === "Contact" && block.address !== null)
  ],
  [
    /^(?:depoimentos?|testimonials?|testimonios?|reviews?|comentarios?)$/,
    ({ blocks }) => blocks.some(({ _tag }) => _tag === "Quotes")
  ],
  [/^(?:sobrenome|nome|surname|name|apellidos?|nombre)$/, ({ blocks }) => blocks.some(({ _tag }) => _tag === "People")],
  [/^(?:galeria|gallery)$/, ({ blocks }) => blocks.some(({ _tag }) => _tag === "Gallery")]
]

const partOf = (word: string) => parts.find(([words]) => words.test(word))?.[1]

/** What is to stand out: that a part is there is not enough. */
const emphasis =
  /^(?:destac\w+|destaque|highlight\w*|big|bigger|huge|strong|grandes?|gran|enorme|resalt\w+|prominent\w*)$/

export const isAsking = (word: string): boolean =>
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

/** What becomes of a wish. Without one that is `unmet`, nothing that visitors read is wrong: its owner reads of it. */
type Fate = "done" | "unmet" | "undone" | "broken"

const quoted = /"[^"]{1,200}"|“[^“”]{1,200}”|«[^«»]{1,200}»/g
const saysThat = /^(?:that|que|q)$/
/** How near behind a verb of telling "that" comes. */
const nearVerb = 3

/** "Mention that we are insured": what it wants said is a fact for visitors. */
const wantsSaid = (words: ReadonlyArray<string>): boolean =>
  words.some(
    (word, at) =>
      canMean(word, "tell", "order", "make") &&
      words.slice(at + 1, at + 1 + nearVerb).some((next) => saysThat.test(next))
  )

/** What a form asks for, as far as no site has it without being asked. */
const isOfField = (word: string): boolean => ofField(word, "name", "email", "phone", "company", "message", "date")

/** Whether a clause lists what a form is to ask for. */
const listsFields = (words: ReadonlyArray<string>): boolean => words.filter(isOfField).length > 1

const languageRoles = { "pt-BR": "portuguese", en: "english", es: "spanish" } as const

/** "In English": a language that the site is not written in. */
const isOtherLanguage = (words: ReadonlyArray<string>, site: string): boolean => {
  const named = words.filter(
    (word, at) => /^(?:em|in|en)$/.test(words[at - 1] ?? "") && canMean(word, "portuguese", "english", "spanish")
  )
  return named.length > 0 && !named.some((word) => canMean(word, languageRoles[languageOf(site)]))
}

const shortNumber = /^\d{1,2}(?!\d)\p{L}{0,2}$/u
const ofSections = /^(?:sec(?:ao|oes|tions?|cion|ciones)|pages?|paginas?|apartados?|abas?|tabs?|menu)$/

const surelyWish = 0.6
const fewestWordsOfSentence = 3

/** Whether a wish that was not carried out is about what visitors read, and not about how the site looks and is built. */
const isAboutFacts = (clause: string, unseen: ReadonlyArray<string>, view: SeenSite): boolean => {
  const words = briefWordsOf(clause)
  const wantsText = words.some((word) => canMean(word, "tell", "order"))
  const names = factWords(clause).filter(
    (word) =>
      !view.text.includes(word) &&
      !isPartOfSite(word) &&
      // "Like a menu of the 50s", "3 sections".
      (wantsText || !shortNumber.test(word))
  )
  return (
    names.some((word) => unseen.some((each) => word.includes(each) || each.includes(word))) ||
    (clause.match(quoted) ?? []).some((each) => !view.text.includes(fold(each.slice(1, -1)).trim())) ||
    wantsSaid(words) ||
    listsFields(words)
  )
}

/** "Customers get spooked": a reason next to a wish. */
const isReason = (clause: string, { site }: SeenSite): boolean => {
  const { isProbable } = senseOf(clause, languageOf(site.language))
  return isProbable("aside") && !isProbable("order") && !isProbable("claim") && !/[\d@"“«?]/.test(clause)
}

const fateOf = (clause: string, view: SeenSite, isListed: boolean): Fate => {
  const denial = denialIn(clause, view)
  if (denial !== undefined) return denial === "kept" ? "done" : "broken"
  if (isOtherLanguage(briefWordsOf(clause), view.site.language)) return "broken"
  const unseen = unseenWords(clause, view)
  if (unseen.length === 0 || isReason(clause, view)) return "done"
  const { kind, share } = kindOfText(clause, languageOf(view.site.language))
  // What may be a sentence for visitors is no wish that can stay undone.
  const isSentence = briefWordsOf(clause).length >= fewestWordsOfSentence
  if (kind === "claim" && share >= surelyWish && isSentence && !isListed) return "undone"
  return !isListed && isAboutFacts(clause, unseen, view) ? "undone" : "unmet"
}

/** "Don't forget to say that it is free" leaves nothing out. */
const remembers = /\b(?:esque[cç]\w+|olvid\w+|forget|deix\w+ de|dej\w+ de)\b/

/** How near to the beginning of its clause a denial is that comes behind the verb: "write without long words". */
const nearStart = 3

/** Whether a clause wants something left out, and the site has it nowhere. "Put that we don't bake on Mondays" leaves nothing out. */
const denialIn = (clause: string, view: SeenSite): "kept" | "broken" | undefined => {
  const words = briefWordsOf(clause.replace(quoted, " "))
  const denial = words.findIndex((word) => denies(word, languageOf(view.site.language)))
  const verb = words.findIndex((word) => canMean(word, "make", "order", "tell"))
  if (denial < 0 || (denial >= nearStart && denial >= verb) || remembers.test(fold(clause))) return undefined
  const numbers = factWords(clause).filter((word) => /\d/.test(word))
  if (numbers.length > 0) return numbers.some((word) => view.digits.includes(digitsOf(word))) ? "broken" : "kept"
  const isContentShown = words
    .slice(denial + 1)
    .some((word) => canMean(word, "content") && partOf(word)?.(view) === true)
  const isQuoteShown = (clause.match(quoted) ?? []).some((each) => view.text.includes(fold(each.slice(1, -1)).trim()))
  return isContentShown || isQuoteShown ? "broken" : "kept"
}

/** The sentences that deny something between quotation marks which the site shows all the same. */
const shownDenials = (description: string, view: SeenSite): ReadonlyArray<string> =>
  labelledSentencesOf(description).filter((sentence) => {
    const quotes = sentence.match(quoted) ?? []
    return (
      quotes.some((each) => view.text.includes(fold(each.slice(1, -1)).trim())) &&
      briefWordsOf(sentence.slice(0, sentence.search(quoted))).some((word) =>
        denies(word, languageOf(view.site.language))
      ) &&
      isForMaker(sentence.replace(quoted, " "))
    )
  })

interface OpenWishes {
  /** The wishes about what visitors read that the site does not show to have been carried out. */
  readonly wishes: ReadonlyArray<string>
  /** What the site may not show and shows, or a language that it is not written in: their owner is asked. */
  readonly broken: ReadonlyArray<string>
  /** The wishes about look and structure that it may not have: their owner reads of them. */
  readonly unmet: ReadonlyArray<string>
}

export const openWishes = (description: string, { ownOrders }: ReadMaterial, view: SeenSite): OpenWishes => {
  const fates = ownOrders.map(({ text }) => {
    // "Pages: Home, Menu, The Barn": the titles of pages are no facts.
    const isListed = briefWordsOf(text).some((word) => ofSections.test(word)) && !/\d{3}|["“«]/.test(text)
    return { text, fates: clausesOf(text).map((clause) => fateOf(clause, view, isListed)) }
  })
  const worst = (of: ReadonlyArray<Fate>): Fate =>
    (["broken", "undone", "unmet"] as const).find((fate) => of.includes(fate)) ?? "done"
  const textsOf = (fate: Fate): ReadonlyArray<string> =>
    fates.filter((order) => worst(order.fates) === fate).map(({ text }) => text)
  return {
    wishes: textsOf("undone"),
    broken: [...textsOf("broken"), ...shownDenials(description, view)],
    unmet: textsOf("unmet")
  }
}
