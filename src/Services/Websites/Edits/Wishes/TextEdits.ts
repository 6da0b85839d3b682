import { distance } from "fastest-levenshtein"
import { fold } from "../../../Text/PlainText.ts"
import { capitalised, within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site } from "../../Site.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import {
  asks,
  type Clause,
  rawText,
  says as speaks,
  trimmed,
  unexplained,
  valuesOf,
  withTokens
} from "../Reading/EditClause.ts"
import { contentWords, has, isContent, isWord, sameWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import { allBlocks, blocksOfKind, nameOfBlock, type PlacedBlock, replaceBlock, sectionsNamed } from "../SiteSections.ts"
import { replacingText, visibleTexts, writtenAs } from "../SiteTexts.ts"
import { resolveThings } from "../SiteThings.ts"
import { settingName } from "./NameEdits.ts"

/** The old text of a replacement and the new one. */
interface Exchange {
  readonly from: ReadonlyArray<Token>
  readonly to: ReadonlyArray<Token>
}

const insteadAt = (tokens: ReadonlyArray<Token>): readonly [at: number, length: number] | undefined => {
  for (let at = 0; at < tokens.length; at++) {
    const [one, two, three] = [tokens[at]?.word, tokens[at + 1]?.word, tokens[at + 2]?.word]
    if ((one === "instead" && two === "of") || (one === "rather" && two === "than")) return [at, 2]
    if (
      ["em", "en", "no"].includes(one ?? "") &&
      ["vez", "lugar"].includes(two ?? "") &&
      ["de", "do", "da", "del"].includes(three ?? "")
    )
      return [at, 3]
  }
  return undefined
}

/** Reads a replacement: "X instead of Y", "em vez de X põe Y", "replace X by Y", "X → Y". */
const exchangeOf = (clause: Clause): Exchange | undefined => {
  const { tokens, verb } = clause
  const body = verb === undefined ? tokens : tokens.slice(1)
  const instead = insteadAt(body)
  if (instead !== undefined) {
    const [at, length] = instead
    const behind = body.slice(at + length)
    const before = trimmed(body.slice(0, at))
    if (before.length > 0) return { from: trimmed(behind), to: before }
    const order = behind.findIndex((token, index) => index > 0 && isWord(token) && has(token, "set", "add"))
    return order < 0 ? undefined : { from: trimmed(behind.slice(0, order)), to: trimmed(behind.slice(order + 1)) }
  }
  const arrow = body.findIndex(({ text }) => text === "→" || text === ">")
  if (arrow > 0) return { from: trimmed(body.slice(0, arrow)), to: trimmed(body.slice(arrow + 1)) }
  if (!asks(clause, "change") || verb === undefined) return undefined
  const marks = new Set(
    clause.language === "en"
      ? ["by", "with", "to", "for", "into"]
      : ["por", "para", "pra", "pro", ...(clause.language === "es" ? ["a"] : [])]
  )
  const quotes = valuesOf(clause, "quote")
  const seams = body.flatMap((token, at) =>
    isWord(token) && marks.has(token.word) && at > 0 && at < body.length - 1 ? [at] : []
  )
  const [seam, ...more] = seams
  if (seam === undefined || (more.length > 0 && quotes.length < 2)) return undefined
  return { from: trimmed(body.slice(0, seam)), to: trimmed(body.slice(seam + 1)) }
}

const leadWords = ["text", "sentence", "name", "function", "about", "person"] as const

/** Removes the words that only introduce a text: "a palavra X", "where it says X". */
const bareTokens = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const quote = tokens.find(({ kind }) => kind === "quote")
  const others = tokens.filter((token) => token !== quote)
  if (
    quote !== undefined &&
    others.every(
      (token) => token.kind === "mark" || !isContent(token) || has(token, ...leadWords, "only", "button", "headline")
    )
  )
    return [quote]
  let begin = 0
  while (begin < tokens.length - 1) {
    const token = tokens[begin]
    if (token === undefined || !isWord(token) || !/^\p{Ll}/u.test(token.text) || !has(token, "function", "only")) break
    begin++
  }
  let end = tokens.length
  while (end > begin + 1) {
    const token = tokens[end - 1]
    if (token === undefined || !isWord(token) || !has(token, "everywhere", "now") || /^\p{Lu}/u.test(token.text)) break
    end--
  }
  return trimmed(tokens.slice(begin, end))
}

const isQuoted = (tokens: ReadonlyArray<Token>): boolean => tokens.length === 1 && tokens[0]?.kind === "quote"

/** Nouns for a contact detail or another fact. Alone they are not a text of the site. */
const nouns = [
  "phone",
  "number",
  "whatsapp",
  "email",
  "address",
  "hours",
  "contact",
  "link",
  "network",
  "name",
  "headline",
  "main",
  "subtitle",
  "text",
  "price",
  "button",
  "field",
  "form",
  "section",
  "list",
  "page",
  "picture",
  "look",
  "order",
  "size"
] as const

/** Replaces one text by another wherever the site has it. */
const exchanged = (from: string, to: string, { notes, site }: EditDesk, isExact: boolean): Outcome | undefined => {
  const spelling = writtenAs(site, from)
  if (spelling === undefined) return isExact ? failure(notes.notFound(within(from, 160)), notes.nameIt) : undefined
  if (spelling === to) return failure(notes.already(to), notes.oneByOne)
  const isCapital = /^\p{Lu}/u.test(spelling) && /^\p{Ll}/u.test(to) && !isExact
  const next = isCapital ? capitalised(to) : to
  if (spelling === site.name) return settingName({ site, notes, prompt: "", material: emptyMaterial }, next)
  return change(
    "values",
    notes.replaced(within(spelling, 120), within(next, 120)),
    replacingText(site, spelling, next),
    {
      present: [next],
      absent: fold(next).includes(fold(spelling)) ? [] : [spelling],
      topic: next
    }
  )
}

/** Renaming needs no material. */
const emptyMaterial: EditDesk["material"] = {
  type: "Website",
  language: "",
  description: "",
  guidelines: "",
  businessName: null,
  storesData: false,
  facts: [],
  campaigns: []
}

const isNumber = ({ kind }: Token): boolean => kind === "money" || kind === "number" || kind === "time"

/** True if the old text can be a text of the site and the new one is of the same kind. */
const mayBeExchanged = (from: ReadonlyArray<Token>, to: ReadonlyArray<Token>): boolean => {
  if (from.length === 0 || to.length === 0 || [...from, ...to].some(({ text }) => /^[;:!?\n]$/.test(text))) return false
  const content = from.filter(isContent)
  const isNounAlone = content.every((token) => isWord(token) && has(token, ...nouns))
  if (!isQuoted(from) && isNounAlone) return false
  if (to.some(isNumber) !== from.some(isNumber) && !isQuoted(to)) return false
  // A number alone could belong to many things, so it is not replaced.
  return !content.every(isNumber) && !to.some((token) => isWord(token) && has(token, "negation", "limit"))
}

/** Replaces a text of the site: "troca Lucía Ferrer por Lucía Ferrer Mas". */
export const replacing = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (asks(clause, "remove") && !asks(clause, "change", "set")) return undefined
  const exchange = exchangeOf(clause)
  if (exchange === undefined) return undefined
  const [from, to] = [bareTokens(exchange.from), bareTokens(exchange.to)]
  if (!mayBeExchanged(from, to)) return undefined
  const [old, next] = [
    withoutEnd(rawText(desk.prompt, from), ".;,"),
    withoutEnd(rawText(desk.prompt, to), isQuoted(to) ? "" : ".;,")
  ]
  if (next === "" || next.length > 600) return undefined
  // A word inside a longer text is replaced only if it is a name or was quoted.
  const isNamed =
    isQuoted(from) || /^\p{Lu}/u.test(old) || resolveThings(desk.site, contentWords(old))._tag === "Things"
  const isValue = isQuoted(to) || /^\p{Lu}/u.test(next) || wordsOf(next).length <= 4
  return isNamed && isValue ? exchanged(old, next, desk, isQuoted(from)) : undefined
}

/** Capitalised words on the site. */
const siteNames = (site: Site): ReadonlySet<string> =>
  new Set(
    visibleTexts(site).flatMap((text) => [...text.matchAll(/[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu)].map(([word]) => word))
  )

/** Only words with at least this many letters are corrected, and only up to this many wrong letters. */
const shortestName = 5
const mostWrongLetters = 2

/** The one word of the site of which this word may be the correct spelling. */
const misspelt = (word: string, site: Site): string | undefined => {
  if (word.length < shortestName) return undefined
  const all = [...siteNames(site)]
  if (all.some((each) => each === word)) return undefined
  const near = all.filter(
    (each) => each.charAt(0).toLowerCase() === word.charAt(0).toLowerCase() && distance(each, word) <= mostWrongLetters
  )
  const forms = [...new Set(near.map((each) => each.toLowerCase()))]
  return forms.length === 1 ? near[0] : undefined
}

const letters: ReadonlySet<string> = new Set(
  "letra letras letter letters l dois duas double two one con com with an a acento accent tilde minuscula mayuscula maiuscula lowercase capital dos doble um una".split(
    " "
  )
)

/** Corrects a spelling from "X, not Y": X is right and Y is wrong. */
const notThat = (
  desk: EditDesk,
  wrong: ReadonlyArray<Token>,
  names: ReadonlyArray<Token>,
  quote: string | undefined
): Outcome | undefined => {
  const from = rawText(desk.prompt, bareTokens(wrong))
  const to = quote ?? rawText(desk.prompt, names)
  if (to === "" || from === "" || wrong.some(({ kind, text }) => kind === "mark" && !"-'.".includes(text)))
    return undefined
  if (quote !== undefined) return exchanged(from, quote, desk, true)
  const isWhole =
    wordsOf(from).length > 1 && wordsOf(to).length === wordsOf(from).length && distance(from, to) <= mostWrongLetters
  if (isWhole) return exchanged(from, to, desk, true)
  // In "Bron MacAllister, not McAllister", only the similar word changes.
  const like = names.find(({ text }) => distance(text, from) <= 3 && text !== from)
  return like === undefined ? undefined : exchanged(from, like.text, desk, true)
}

/**
 * Corrects the spelling of a name: "I spelt Springfield wrong", "É Priscilla com dois L", "It's Bron MacAllister with
 * an a, not McAllister".
 */
export const respelling = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  const isOfSpelling =
    clause.tokens.some((token) => isWord(token) && /^\p{Ll}/u.test(token.text) && has(token, "spelled")) ||
    clause.inherited.nouns.some((word) => /^(?:spelled|escrev|spel|errad|wrong|escrib)/.test(word))
  const denial = clause.tokens.findIndex((token) => isWord(token) && has(token, "negation"))
  const right = denial < 0 ? clause.tokens : clause.tokens.slice(0, denial)
  const wrong = denial < 0 ? [] : trimmed(clause.tokens.slice(denial + 1))
  if (!isOfSpelling && wrong.length === 0) return undefined
  const quotes = right.filter(({ kind }) => kind === "quote")
  const names = right.filter(
    (token) =>
      isWord(token) &&
      ((/^\p{Lu}/u.test(token.text) && token !== right[0]) ||
        (token === right[0] && misspelt(token.text, site) !== undefined)) &&
      !has(token, "function", "copula", "spelled", "everywhere")
  )
  const rest = unexplained(
    withTokens(clause, right),
    (token) => names.includes(token) || quotes.includes(token) || letters.has(token.word) || token.text.length === 1,
    "spelled",
    "everywhere",
    "copula",
    "name",
    "change",
    "set",
    "person",
    "subject"
  )
  if (rest.length > 0) return undefined
  const [quote] = quotes
  if (wrong.length > 0) return notThat(desk, wrong, names, quote?.text)
  const pairs = names.flatMap(({ text }) => {
    const old = misspelt(text, site)
    return old === undefined ? [] : [{ old, text }]
  })
  const [pair] = pairs
  if (pair === undefined || pairs.length > 1) return undefined
  const operations = replacingText(site, pair.old, pair.text)
  return change("values", notes.replaced(pair.old, pair.text), operations, { present: [pair.text], topic: pair.text })
}

/** The new text that the owner gives: the quotation, or everything after a colon or "para". */
const newText = (
  clause: Clause,
  prompt: string
): { readonly text: string; readonly rest: ReadonlyArray<Token> } | undefined => {
  const quotes = valuesOf(clause, "quote")
  const quote = quotes.at(-1)
  if (quote !== undefined) return { text: quote.text.trim(), rest: clause.tokens.filter((token) => token !== quote) }
  const colon = clause.tokens.findIndex(({ text }) => text === ":")
  if (colon > 0) return { text: rawText(prompt, clause.tokens.slice(colon + 1)), rest: clause.tokens.slice(0, colon) }
  const seam = clause.tokens.findIndex(
    (token, at) => at > 1 && isWord(token) && ["para", "pra", "to", "como", "por"].includes(token.word)
  )
  if (seam < 0) return undefined
  return { text: rawText(prompt, clause.tokens.slice(seam + 1)), rest: clause.tokens.slice(0, seam) }
}

/** Changes the label of every button that has the old one. */
const buttonText = (
  clause: Clause,
  words: ReadonlyArray<Token>,
  value: string,
  { notes, site }: EditDesk
): Outcome | undefined => {
  const labels = allBlocks(site).flatMap(({ block }) =>
    block._tag === "Form" ? [block.submit] : "actions" in block ? block.actions.map(({ label }) => label) : []
  )
  const named = words.filter(
    (token) =>
      !has(token, "button", "text", "main", "form", "top", "contact", "everywhere") ||
      labels.some((label) => wordsOf(label).includes(token.word))
  )
  const matching = labels.filter((label) =>
    named.every(({ word }) => wordsOf(label).some((each) => sameWord(each, word)))
  )
  const forms = blocksOfKind(site, "Form").map(({ block }) => block.submit)
  const wantsForm = speaks(clause, "form")
  const choices = [...new Set(named.length > 0 ? matching : wantsForm ? forms : labels.slice(0, 1))]
  const [label] = choices
  if (label === undefined) return failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
  if (choices.length > 1) return failure(notes.several(choices.join(", ")), notes.nameIt)
  const next = within(withoutEnd(value, "."), 60)
  if (next === label) return failure(notes.already(next), notes.oneByOne)
  const operations = allBlocks(site).flatMap((each) => {
    const { block } = each
    if (block._tag === "Hero" || block._tag === "CallToAction") {
      if (!block.actions.some((action) => action.label === label)) return []
      return [
        replaceBlock(each, {
          ...block,
          actions: block.actions.map((action) => (action.label === label ? { ...action, label: next } : action))
        })
      ]
    }
    return block._tag === "Form" && block.submit === label ? [replaceBlock(each, { ...block, submit: next })] : []
  })
  return change("values", notes.text(notes.button, next), operations, {
    present: [next],
    absent: next.includes(label) ? [] : [label],
    topic: label
  })
}

/** The section whose heading or text the wish names. Without a name, the opening. */
const placeOf = (site: Site, words: ReadonlyArray<Token>): PlacedBlock | undefined => {
  const rest = words.filter(
    (token) => !has(token, "main", "page", "headline", "subtitle", "text", "section", "name", "called")
  )
  const [hero] = blocksOfKind(site, "Hero")
  if (rest.length === 0) {
    const sections = words.filter((token) => has(token, "section"))
    return sections.length > 0 ? undefined : hero
  }
  const named = sectionsNamed(
    site,
    rest.map(({ word }) => word)
  )
  return named.length === 1 ? named[0] : undefined
}

/** Sets the heading or the text of the section that the words name. */
const headingOrText = (words: ReadonlyArray<Token>, text: string, { notes, site }: EditDesk): Outcome | undefined => {
  const isHeading = words.some((token) => has(token, "headline"))
  if (!isHeading && !words.some((token) => has(token, "subtitle", "text"))) return undefined
  const placed = placeOf(site, words)
  if (placed === undefined) return undefined
  const { block } = placed
  const where = block._tag === "Hero" ? notes.opening : nameOfBlock(block)
  if (isHeading) {
    const title = within(withoutEnd(text, "."), 160)
    if (title === block.title) return failure(notes.already(title), notes.oneByOne)
    return change("values", notes.text(where, title), [replaceBlock(placed, { ...block, title })], { present: [title] })
  }
  return "text" in block
    ? change("values", notes.text(where, within(text, 200)), [replaceBlock(placed, { ...block, text })], {
        present: [text]
      })
    : undefined
}

/** Sets a heading, the text below it, or a button's label. */
export const settingText = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { prompt } = desk
  const isStatement = clause.verb === undefined
  if (!isStatement && !asks(clause, "change", "set", "add")) return undefined
  if (speaks(clause, "field", "question", "answer", "quote", "negation")) return undefined
  const exchange = speaks(clause, "button") ? exchangeOf(clause) : undefined
  const fresh =
    exchange === undefined
      ? newText(clause, prompt)
      : { text: rawText(prompt, bareTokens(exchange.to)), rest: exchange.from }
  if (fresh === undefined || fresh.text.length < 2 || fresh.text.length > 4000) return undefined
  const rest = withTokens(clause, fresh.rest)
  const words = unexplained(rest, "set", "change", "copula", "valuemark", "now", "about", "called", "oldmark")
  if (!words.every(isWord)) return undefined
  const isWrittenOut = exchange !== undefined || valuesOf(clause, "quote").length > 0 || clause.text.includes(":")
  if (speaks(clause, "button") && !isWrittenOut) return undefined
  if (speaks(clause, "button"))
    return buttonText(
      clause,
      words.filter((token) => !has(token, "add")),
      fresh.text,
      desk
    )
  if (isStatement && valuesOf(clause, "quote").length === 0 && !clause.text.includes(":")) return undefined
  return headingOrText(words, fresh.text, desk)
}

/** Renames a section: "Rename the team bit "The hands"". */
export const renamingSection = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  if (clause.verb === undefined || !asks(clause, "change") || !has(clause.verb, "called")) return undefined
  const fresh = newText(clause, prompt)
  if (fresh === undefined) return undefined
  const words = unexplained(withTokens(clause, fresh.rest), "valuemark", "headline")
  const named = sectionsNamed(
    site,
    words.map(({ word }) => word)
  )
  const [placed] = named
  const title = within(withoutEnd(fresh.text, "."), 160)
  return placed === undefined || named.length > 1 || words.length === 0 || title === placed.block.title
    ? undefined
    : change(
        "values",
        notes.text(nameOfBlock(placed.block), title),
        [replaceBlock(placed, { ...placed.block, title })],
        { present: [title] }
      )
}
