import { isForeign, languageOf } from "../../../Text/Language.ts"
import { capitalised, keyFor, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { ordersInside } from "../EditGuards.ts"
import { withoutPlacement } from "../Placement.ts"
import {
  asks,
  type Clause,
  givenText,
  rawText,
  speaksOf,
  trimmed,
  unexplained,
  withTokens
} from "../Reading/EditClause.ts"
import { has, isContent, isWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import { blocksOfKind, keysOf, placeOn, replaceBlock } from "../SiteSections.ts"
import { changingSentences, changingTexts, says } from "../SiteTexts.ts"

const endsInMark = (text: string): string => (/[.!?…”"]$/.test(text) ? text : `${text}.`)

const longestOpening = 400

/** Adds the owner's sentence to the opening, to the section about the business, or in a new section. */
const sentenceOperations = (site: Site, sentence: string, isTop: boolean): ReadonlyArray<SiteOperation> => {
  const [prose] = blocksOfKind(site, "Prose")
  const [hero] = blocksOfKind(site, "Hero")
  if (isTop)
    return hero === undefined || hero.block.text.length + sentence.length > longestOpening
      ? []
      : [replaceBlock(hero, { ...hero.block, text: `${sentence} ${hero.block.text}`.trim() })]
  if (prose !== undefined)
    return [replaceBlock(prose, { ...prose.block, text: within(`${prose.block.text}\n\n${sentence}`.trim(), 4000) })]
  if (hero !== undefined && hero.block.text.length + sentence.length < longestOpening)
    return [replaceBlock(hero, { ...hero.block, text: `${hero.block.text} ${sentence}`.trim() })]
  const [home] = site.pages
  if (home === undefined) return []
  const block: SiteBlock = {
    _tag: "Prose",
    id: keyFor("information", keysOf(site)),
    title: siteWords[languageOf(site.language)].information,
    text: sentence,
    picture: null
  }
  return [{ _tag: "AddBlock", page: home.id, after: placeOn(home), block }]
}

const that: ReadonlySet<string> = new Set(["que", "q", "that"])

/** The owner's sentence: after a colon or "that", or in quotation marks. */
const statementIn = (clause: Clause): ReadonlyArray<Token> | undefined => {
  const body = clause.tokens.filter((token) => token !== clause.verb)
  const isLead = (token: Token): boolean =>
    token.kind === "mark" ||
    !isContent(token) ||
    (isWord(token) && has(token, "sentence", "text", "about", "add", "set", "only", "page", "main", "top"))
  const quote = body.find(({ kind }) => kind === "quote")
  if (
    quote !== undefined &&
    !body.some((token) => isWord(token) && (that.has(token.word) || has(token, "sentence", "top")))
  )
    return undefined
  if (clause.inherited.nouns.length > 0) return undefined
  if (quote !== undefined) return body.every((token) => token === quote || isLead(token)) ? [quote] : undefined
  const seam = body.findIndex((token) => token.text === ":" || that.has(token.word))
  const isOfPage =
    body.slice(0, Math.max(0, seam)).some(({ word }) => word === "pagina" || word === "page") &&
    !body.some((token) => isWord(token) && has(token, "top", "main"))
  if (seam < 0 || isOfPage || !body.slice(0, seam).every(isLead)) return undefined
  let begin = seam + 1
  while (begin < body.length) {
    const token = body[begin]
    if (token === undefined || !(token.kind === "mark" || that.has(token.word))) break
    begin++
  }
  return trimmed(body.slice(begin))
}

/** Words that address the person who builds the site, not its visitors. */
const toTheMaker: ReadonlySet<string> = new Set(
  "quero queremos want quiero site sitio website pagina page texto text titulo title botao button boton formulario form voce vocês vc you tu".split(
    " "
  )
)

/** Words that give an instruction instead of stating a fact. */
const instructing: ReadonlySet<string> = new Set([
  "tem",
  "deve",
  "should",
  "must",
  "needs",
  "debe",
  "tiene",
  "sea",
  "seja",
  "ficou",
  "adorou",
  "gostei"
])

/** True if a clause orders a sentence and nothing that belongs into another kind of section. */
const ordersSentence = (clause: Clause): boolean =>
  asks(clause, "add") &&
  !asks(clause, "remove") &&
  !speaksOf(clause, "field", "form", "question", "quote", "button", "headline", "item", "team") &&
  !ordersInside(clause.tokens)

/** True if the words are meant for visitors: no instruction, and no amount or address that belongs elsewhere. */
const isForVisitors = (statement: ReadonlyArray<Token>): boolean =>
  (statement.length === 1 && statement[0]?.kind === "quote") ||
  !statement.some(
    (token) =>
      (isWord(token) && (toTheMaker.has(token.word) || instructing.has(token.word))) ||
      ["money", "url", "email", "phone"].includes(token.kind)
  )

/** Adds a sentence of the owner: "Adiciona: aceitamos Unimed", "acrescente que atendemos também em Santos". */
export const addingSentence = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (clause.verb === undefined || !ordersSentence(clause)) return undefined
  const placed = withoutPlacement(clause, desk)
  if (placed === undefined || placed.placement !== undefined) return undefined
  // "Ponle que …" adds to something that was named before.
  const isOfTopic = clause.language === "es" && /\p{L}{3}(?:le|les|lo|la)$/u.test(clause.verb.word)
  const statement = statementIn(clause)
  if (statement === undefined || statement.length === 0 || isOfTopic || !isForVisitors(statement)) return undefined
  const text = rawText(prompt, statement)
  const sentence = endsInMark(capitalised(withoutEnd(text.trim(), ".;")))
  const words = wordsOf(sentence)
  const isTop = clause.tokens.some((token) => !statement.includes(token) && isWord(token) && has(token, "top"))
  const isElsewhere = clause.tokens.some(
    (token) => !statement.includes(token) && isWord(token) && has(token, "bottom", "beside", "section", "place")
  )
  if (words.length < 2 || sentence.length > 400 || isElsewhere) return undefined
  if (isForeign(sentence, languageOf(site.language))) return failure(notes.foreignText, notes.inSiteLanguage)
  if (says(site, withoutEnd(sentence, "."))) return failure(notes.already(sentence), notes.oneByOne)
  const operations = sentenceOperations(site, sentence, isTop)
  return operations.length === 0
    ? undefined
    : change("addition", notes.fact(sentence), operations, { present: [withoutEnd(sentence, ".")], topic: sentence })
}

/** A sentence counts as a list from this many entries on. */
const shortestList = 3

/** The entries of a list in a sentence. Every entry after the first must begin with a capital. */
const listedNames = (sentence: string): ReadonlyArray<string> => {
  const parts = withoutEnd(sentence, ".!").split(/, | (?:e|and|y|&) /u)
  const isName = (part: string): boolean => {
    const words = part.split(" ").filter((word) => !/^\p{Ll}{1,3}$/u.test(word))
    return words.length > 0 && words.length <= 4 && words.every((word) => /^\p{Lu}\p{Ll}/u.test(word))
  }
  return parts.length >= shortestList && parts.slice(1).every(isName) ? parts : []
}

/** Adds an entry to the list in a sentence, at its place. */
const withListed = (
  sentence: string,
  name: string,
  after: string | undefined,
  language: string
): string | undefined => {
  const parts = listedNames(sentence)
  if (parts.length === 0) return undefined
  const at =
    after === undefined
      ? parts.length - 1
      : parts.findIndex((part) => wordsOf(part).join(" ").endsWith(wordsOf(after).join(" ")))
  if (at < 0) return undefined
  const mark = /[.!]$/.exec(sentence)?.[0] ?? ""
  const all = [...parts.slice(0, at + 1), name, ...parts.slice(at + 1)]
  const and = ` ${siteWords[languageOf(language)].and} `
  return `${all.slice(0, -1).join(", ")}${and}${all.at(-1) ?? ""}${mark}`
}

/**
 * Adds a name to a list in a sentence: "Acrescenta Monte Belo do Sul nas cidades", "add Rothwell to the places, after
 * Garforth".
 */
export const addingListed = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (!asks(clause, "add") || clause.tokens.some(({ kind }) => !["word", "mark"].includes(kind))) return undefined
  const behind = clause.tokens.findIndex((token, at) => at > 1 && isWord(token) && has(token, "after"))
  const anchor = behind < 0 ? [] : trimmed(clause.tokens.slice(behind + 1)).filter(isContent)
  const body = clause.tokens.slice(clause.verb === undefined ? 0 : 1, behind < 0 ? undefined : behind)
  const isPlaceWord = (token: Token): boolean => isWord(token) && has(token, "place", "list", "section")
  const capitals = body.filter((token) => isWord(token) && /^\p{Lu}/u.test(token.text) && !isPlaceWord(token))
  const [first] = capitals
  const last = capitals.at(-1)
  if (first === undefined || last === undefined) return undefined
  const name = rawText(prompt, body.slice(body.indexOf(first), body.indexOf(last) + 1))
  const left = unexplained(
    withTokens(clause, body),
    isPlaceWord,
    (token) => body.indexOf(token) >= body.indexOf(first) && body.indexOf(token) <= body.indexOf(last),
    "now",
    (token) => ["mais", "more", "another", "outro", "otro"].includes(token.word)
  )
  const isPlace = body.some((token) => isWord(token) && has(token, "place"))
  if (
    left.length > 0 ||
    wordsOf(name).length > 5 ||
    (!isPlace && anchor.length === 0) ||
    body.slice(body.indexOf(first), body.indexOf(last)).some(({ kind }) => kind === "mark")
  )
    return undefined
  const after = anchor.length === 0 ? undefined : rawText(prompt, anchor)
  if (says(site, name)) return failure(notes.already(name), notes.nameIt)
  const changed = new Map<string, string>()
  changingTexts(site, (text) =>
    changingSentences(text, (sentence) => {
      const longer = withListed(sentence, name, after, site.language)
      if (longer !== undefined) changed.set(sentence, longer)
      return sentence
    })
  )
  const [only] = [...changed]
  if (only === undefined || changed.size > 1) return undefined
  const operations = changingTexts(site, (text) =>
    changingSentences(text, (sentence) => (sentence === only[0] ? only[1] : sentence))
  )
  return change("addition", notes.added(name, within(only[1], 120)), operations, { present: [name], topic: name })
}

/** Sets the description of an item: "A descrição da limpeza: …". */
export const describing = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (asks(clause, "remove") || !clause.tokens.some((token) => isWord(token) && has(token, "text"))) return undefined
  const ownText = givenText(clause, prompt)
  if (ownText === undefined) return undefined
  const words = unexplained(ownText.rest, "text", "set", "change", "add", "copula", "valuemark", "about").map(
    ({ word }) => word
  )
  const hits = [
    ...blocksOfKind(site, "Features"),
    ...blocksOfKind(site, "Prices"),
    ...blocksOfKind(site, "People"),
    ...blocksOfKind(site, "Steps")
  ].flatMap((placed) =>
    placed.block.items.flatMap((item, index) => {
      const ownWords = wordsOf("title" in item ? item.title : item.name)
      return words.length > 0 && words.every((word) => ownWords.includes(word))
        ? [{ placed, index, name: "title" in item ? item.title : item.name }]
        : []
    })
  )
  const [hit] = hits
  if (hit === undefined || hits.length > 1) return undefined
  const text = within(capitalised(ownText.text), 400)
  const { block } = hit.placed
  const set = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
    items.map((item, index) => (index === hit.index ? { ...item, text } : item))
  const changed: SiteBlock =
    block._tag === "Features"
      ? { ...block, items: set(block.items) }
      : block._tag === "Prices"
        ? { ...block, items: set(block.items) }
        : block._tag === "People"
          ? { ...block, items: set(block.items) }
          : { ...block, items: set(block.items) }
  return change("values", notes.text(hit.name, text), [replaceBlock(hit.placed, changed)], {
    present: [text],
    topic: hit.name
  })
}
