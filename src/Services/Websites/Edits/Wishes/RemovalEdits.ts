import { sentencesIn, within } from "../../Material/MaterialText.ts"
import type { SiteBlock } from "../../Site.ts"
import { applyOperations, type SiteOperation } from "../../SiteOperations.ts"
import { colorsNamed } from "../../Writing/ColorWords.ts"
import { type Change, change, type EditDesk, failure, type Outcome, severalFound } from "../EditDesk.ts"
import { actsOf, type Clause, trimmed, unexplained, withTokens } from "../Reading/EditClause.ts"
import { has, isContent, isWord, sameWord, type Token, wordsOf } from "../Reading/EditTokens.ts"
import type { Role } from "../Reading/EditWords.ts"
import { allBlocks, blocksOfKind, nameOfBlock, pageNamed, replaceBlock, sectionsNamed } from "../SiteSections.ts"
import { changingSentences, changingTexts, says, sentencesOfSite, withoutListed } from "../SiteTexts.ts"
import { resolveThings, withoutPart } from "../SiteThings.ts"
import { type Detail, detailsOf } from "./ContactEdits.ts"
import { removedThings, replacedOrGone, withoutThings } from "./ThingRemoval.ts"

/** The words that name what to remove. */
type Words = ReadonlyArray<string>
type Remover = (words: Words, desk: EditDesk, tokens: ReadonlyArray<Token>) => Outcome | undefined

const are = (tokens: ReadonlyArray<Token>, ...any: ReadonlyArray<Role>): boolean =>
  tokens.every((token) => isWord(token) && has(token, ...any))
const speak = (tokens: ReadonlyArray<Token>, ...any: ReadonlyArray<Role>): boolean =>
  tokens.some((token) => isWord(token) && has(token, ...any))

/** Removes a price from an item: "The price of the whitening". */
const priceRemoval: Remover = (_, desk, tokens) => {
  const { notes, site } = desk
  if (!speak(tokens, "price")) return undefined
  const rest = tokens.filter((token) => !has(token, "price")).map(({ word }) => word)
  if (rest.length === 0) return undefined
  const finding = resolveThings(site, rest, ({ kind }) => kind === "price")
  if (finding._tag === "Several") return severalFound(desk, finding.names)
  const [thing] = finding._tag === "Things" ? finding.things : []
  if (thing === undefined || thing.placed.block._tag !== "Prices") return undefined
  const { block } = thing.placed
  const item = block.items[thing.index]
  if (item === undefined) return undefined
  const isElsewhere = allBlocks(site).some(
    (placed) =>
      placed.block.id !== block.id &&
      says({ ...site, pages: [{ ...placed.page, blocks: [placed.block], variants: [] }] }, item.name)
  )
  const without: SiteBlock = isElsewhere
    ? withoutPart(block, thing.index)
    : { ...block, items: block.items.map((each) => (each === item ? { ...each, price: "" } : each)) }
  const isShared = block.items.some((each) => each !== item && each.price === item.price)
  return change("removal", notes.removedPrice(item.name), [replacedOrGone(thing.placed, without)], {
    present: isElsewhere ? [] : [item.name],
    absent: isShared ? [] : [item.price],
    topic: item.name
  })
}

const details: ReadonlyArray<readonly [Detail, ReadonlyArray<Role>]> = [
  ["phone", ["phone", "number"]],
  ["email", ["email"]],
  ["address", ["address"]],
  ["hours", ["hours"]]
]

/** The one contact detail that the words name. Undefined if they name anything else too. */
const detailNamed = (tokens: ReadonlyArray<Token>): Detail | undefined =>
  details.find(
    ([, nouns]) => speak(tokens, ...nouns) && are(tokens, ...nouns, "contact", "section", "everywhere", "business")
  )?.[0]

const detailRemoval: Remover = (_, { notes, site }, tokens) => {
  const detail = detailNamed(tokens)
  if (detail === undefined) return undefined
  const values = detailsOf(site, detail)
  if (values.length === 0) return undefined
  const kind = detail === "phone" ? "Phone" : detail === "email" ? "Mail" : undefined
  const buttons = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
    const { block } = each
    if ((block._tag !== "Hero" && block._tag !== "CallToAction") || kind === undefined) return []
    const actions = block.actions.filter(({ target }) => target._tag !== kind)
    return actions.length === block.actions.length ? [] : [replaceBlock(each, { ...block, actions })]
  })
  const contacts = blocksOfKind(site, "Contact").filter(({ block }) => block[detail] !== null)
  return change(
    "removal",
    notes.removed(notes[detail]),
    [...contacts.map((each) => replacedOrGone(each, { ...each.block, [detail]: null })), ...buttons],
    { absent: values }
  )
}

/** Removes the whole form. */
const formRemoval: Remover = (_, { notes, site }, tokens) => {
  if (!speak(tokens, "form") || !are(tokens, "form", "section", "contact", "booking", "page")) return undefined
  const forms = blocksOfKind(site, "Form")
  const [form] = forms
  if (form === undefined) return failure(notes.noForm, notes.nameIt)
  return change(
    "removal",
    notes.removed(nameOfBlock(form.block)),
    forms.map(({ block, page }) => ({ _tag: "RemoveBlock", page: page.id, block: block.id }))
  )
}

/** Removes links of the contact: "the booking link", "Instagram". */
const linkRemoval: Remover = (_, { notes, site }, tokens) => {
  if (!speak(tokens, "link", "network", "booking") && !tokens.some(({ kind }) => kind === "handle" || kind === "url"))
    return undefined
  const all = blocksOfKind(site, "Contact").flatMap((placed) =>
    placed.block.links.map((link, index) => ({ link, index, placed }))
  )
  const isOf = (token: Token, label: string): boolean => {
    const ownWords = wordsOf(label)
    const isNamed = ownWords.includes(token.word) || (token.kind === "handle" && label.includes(token.text))
    // "Insta" and "ig" match the label "Instagram".
    const isShort = ["insta", "ig"].includes(token.word) && ownWords.includes("instagram")
    return (
      isNamed ||
      isShort ||
      (has(token, "booking") && ownWords.some((each) => ["cal", "calendly", "booking"].includes(each)))
    )
  }
  const named = all.filter(({ link }) => {
    const label = `${link.label} ${link.target._tag === "Web" ? link.target.url : ""}`
    return (
      tokens.every((token) => isOf(token, label) || has(token, "link", "contact", "page", "section")) &&
      tokens.some((token) => isOf(token, label))
    )
  })
  const [finding] = named.length === 1 ? named : all.length === 1 && are(tokens, "link", "booking") ? all : []
  if (finding === undefined) return undefined
  const { link, placed } = finding
  const operations = withoutThings([{ kind: "link", name: link.label, placed, index: finding.index }])
  const buttons = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
    const { block } = each
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.filter(({ target }) => JSON.stringify(target) !== JSON.stringify(link.target))
    return actions.length === block.actions.length ? [] : [replaceBlock(each, { ...block, actions })]
  })
  return change("removal", notes.removed(link.label), [...operations, ...buttons], { absent: [link.label] })
}

const thingRemoval: Remover = (words, desk) => {
  const finding = resolveThings(desk.site, words)
  if (finding._tag === "None") return undefined
  return finding._tag === "Several" ? severalFound(desk, finding.names) : removedThings(finding.things, desk)
}

const pageRemoval: Remover = (words, { notes, site }, tokens) => {
  if (!speak(tokens, "page")) return undefined
  const page = pageNamed(site, words)
  return page === undefined || page === site.pages[0]
    ? undefined
    : change("removal", notes.removedPage(page.label), [{ _tag: "RemovePage", page: page.id }])
}

/** Removes a section only if the words name nothing else: "the focaccia from the menu" keeps the menu. */
const sectionRemoval: Remover = (words, { notes, site }) => {
  const named = sectionsNamed(site, words).filter(({ block }) => block._tag !== "Hero")
  const [placed] = named
  if (placed === undefined) return undefined
  if (named.length > 1)
    return failure(notes.several(named.map(({ block }) => nameOfBlock(block)).join(", ")), notes.nameIt)
  const { block, page } = placed
  return page.blocks.length > 1
    ? change("removal", notes.removed(nameOfBlock(block)), [{ _tag: "RemoveBlock", page: page.id, block: block.id }])
    : change("removal", notes.removedPage(page.label), [{ _tag: "RemovePage", page: page.id }])
}

const pictureRemoval: Remover = (_, { notes, site }, tokens) => {
  if (!speak(tokens, "picture") || !are(tokens, "picture", "main", "section")) return undefined
  const pictured = allBlocks(site).filter(({ block }) => "picture" in block && block.picture !== null)
  const [hero] = pictured.filter(({ block }) => block._tag === "Hero")
  const only = hero ?? (pictured.length === 1 ? pictured[0] : undefined)
  return only === undefined || !("picture" in only.block)
    ? undefined
    : change("removal", notes.removed(notes.opening), [replaceBlock(only, { ...only.block, picture: null })])
}

/** Removes one detail of a person or plan: "the OAB of Dra. Helena". */
const partRemoval: Remover = (words, { notes, site }, tokens) => {
  const hits = allBlocks(site).flatMap((placed) => {
    const { block } = placed
    if (block._tag !== "People" && block._tag !== "Prices") return []
    return block.items.flatMap((item) => {
      const name = wordsOf(item.name)
      const rest = words.filter(
        (word, at) =>
          !name.some((each) => sameWord(each, word)) &&
          !(tokens[at] !== undefined && has(tokens[at], "item", "person", "number"))
      )
      const parts = "role" in item ? item.role.split(/,\s|\s[–—-]\s|;\s/) : item.includes
      const hit = parts.filter((part) =>
        rest.every((word) => wordsOf(part).some((each) => sameWord(each, word) || each.startsWith(`${word}-`)))
      )
      const isNamed = words.some((word) => name.some((each) => sameWord(each, word)))
      return isNamed && rest.length > 0 && hit.length === 1 ? [{ placed, item, part: hit[0] ?? "", parts }] : []
    })
  })
  const [only] = hits
  if (hits.length !== 1 || only === undefined) return undefined
  const { item, part, parts, placed } = only
  const left = parts.filter((each) => each !== part)
  const cut = (block: SiteBlock): SiteBlock =>
    block._tag === "People"
      ? { ...block, items: block.items.map((each) => (each === item ? { ...each, role: left.join(", ") } : each)) }
      : block._tag === "Prices"
        ? { ...block, items: block.items.map((each) => (each === item ? { ...each, includes: left } : each)) }
        : block
  return change("removal", notes.removed(part), [replaceBlock(placed, cut(placed.block))], {
    present: [item.name],
    absent: [part]
  })
}

/** A sentence up to this many words is removed when only its subject is named. */
const longestFact = 14

/** Removes a sentence by its words: "the guarantee", "the line about parking". */
const sentenceRemoval: Remover = (_, { notes, site }, tokens) => {
  const quote = tokens.find(({ kind }) => kind === "quote")
  const named =
    quote === undefined
      ? tokens.filter((token) => !has(token, "sentence", "text", "about", "everywhere")).map(({ word }) => word)
      : wordsOf(quote.text)
  const speaksOfSentence = quote !== undefined || speak(tokens, "sentence", "text", "about")
  // "Take the orange out" is about the look.
  if (named.length === 0 || named.every((word) => colorsNamed(word).length > 0)) return undefined
  if (
    tokens.some(
      (token) =>
        token !== quote &&
        isWord(token) &&
        has(token, "look", "size", "picture", "form", "field", "button", "hours", "phone", "email", "address")
    )
  )
    return undefined
  const hits = sentencesOfSite(site).filter((sentence) => {
    const ownWords = wordsOf(sentence)
    return named.every((word) => ownWords.some((each) => sameWord(each, word)))
  })
  const [sentence] = hits
  if (hits.length !== 1 || sentence === undefined) return undefined
  const isFact = wordsOf(sentence).length <= longestFact && !/,\s|\s(?:e|and|y)\s/.test(sentence)
  if (!speaksOfSentence && !isFact) return undefined
  if (allBlocks(site).some(({ block }) => block.title === sentence)) return undefined
  const operations = changingTexts(site, (text) =>
    sentencesIn(text.replaceAll("\n", " ")).includes(sentence)
      ? changingSentences(text, (each) => (each === sentence ? "" : each))
      : text
  )
  return change("removal", notes.removed(within(sentence, 200)), operations, { absent: [sentence] })
}

/** Removes one entry from a list in a sentence: "Rothwell" from "We cover Leeds, Morley and Rothwell". */
const listedRemoval: Remover = (words, { notes, site }, tokens) => {
  if (tokens.some(({ kind }) => kind !== "word") || words.length === 0 || words.length > 5) return undefined
  const rest = words.filter((_, at) => !(tokens[at] !== undefined && has(tokens[at], "place", "list", "everywhere")))
  const name = rest.join(" ")
  if (name.length < 3) return undefined
  const operations = changingTexts(site, (text) =>
    changingSentences(text, (sentence) => withoutListed(sentence, name, site.language))
  )
  return operations.length === 0 ? undefined : change("removal", notes.removed(name), operations, { absent: [name] })
}

const removers: ReadonlyArray<Remover> = [
  priceRemoval,
  formRemoval,
  detailRemoval,
  pageRemoval,
  linkRemoval,
  thingRemoval,
  sectionRemoval,
  pictureRemoval,
  partRemoval,
  listedRemoval,
  sentenceRemoval
]

/** Words that mean removal but do not name what to remove. */
const goneWords: ReadonlySet<string> = new Set(
  "out off away down rid up fora afuera completely completamente inteiro whole all already anymore longer mais mas after todo de instead please ya ja".split(
    " "
  )
)

const removeOne = (tokens: ReadonlyArray<Token>, desk: EditDesk): Outcome | undefined => {
  const content = tokens.filter((token) => isContent(token) && !goneWords.has(token.word))
  if (
    content.length === 0 ||
    content.some((token) => isWord(token) && !/^\p{Lu}/u.test(token.text) && has(token, "limit", "only", "negation"))
  )
    return undefined
  const words = content.map(({ word }) => word)
  let first: Outcome | undefined
  for (const remover of removers) {
    const outcome = remover(words, desk, content)
    if (outcome?._tag === "Change") return outcome
    first ??= outcome
  }
  // If the page shows no e-mail address, "the e-mail" is the form's field.
  const field = resolveThings(desk.site, [...words, "campo"], ({ kind }) => kind === "field")
  return first === undefined && field._tag === "Things" && detailNamed(content) !== undefined
    ? removedThings(field.things, desk)
    : first
}

const joints: ReadonlySet<string> = new Set(["e", "and", "y", ",", "&"])

/** Splits "A, B and C" into its parts. */
const listedParts = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> => {
  const parts: Array<Array<Token>> = [[]]
  for (const token of tokens) {
    if (joints.has(token.word)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.map(trimmed).filter((part) => part.some(isContent))
}

/** Removes what the tokens name: one thing or each of several. */
export const removingNamed = (tokens: ReadonlyArray<Token>, desk: EditDesk): Outcome | undefined => {
  const whole = removeOne(tokens, desk)
  if (whole?._tag === "Change") return whole
  const parts = listedParts(tokens)
  if (parts.length < 2) return whole
  // Each part is read against the site without the parts before it.
  let left = desk
  const done: Array<Change> = []
  for (const part of parts) {
    const outcome = removeOne(part, left)
    if (outcome?._tag !== "Change") return whole ?? outcome
    done.push(outcome)
    left = { ...left, site: applyOperations(left.site, outcome.operations).site }
  }
  return change(
    "removal",
    done.flatMap((each) => each.notes),
    done.flatMap(({ operations }) => operations),
    {
      absent: done.flatMap(({ absent }) => absent),
      present: done.flatMap(({ present }) => present),
      topic: done.at(-1)?.topic ?? ""
    }
  )
}

/** Removes what a clause names: "Take the booking link out", "tira os implantes da lista". */
export const removing = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes } = desk
  const isOrder = actsOf(clause).includes("remove")
  const [first] = clause.tokens
  // The verb may be the last word: "O Frigorífico Solimões, retirar".
  const last = clause.tokens.at(-1)
  const isLast = !isOrder && last !== undefined && isWord(last) && has(last, "remove") && clause.verb === undefined
  if (!isOrder && !isLast) return undefined
  if (first !== undefined && clause.verb === first && ["take", "get"].includes(first.word)) {
    const isGone = clause.tokens.some((token) => ["out", "off", "away", "down", "rid"].includes(token.word))
    if (!isGone) return undefined
  }
  const object = clause.tokens.filter((token) => token !== clause.verb && !(isLast && token === last))
  const hasNew = object.some((token) => token !== first && isWord(token) && ["para", "pra", "by"].includes(token.word))
  if (hasNew) return undefined
  return removingNamed(object, desk) ?? failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
}

const pronouns: ReadonlySet<string> = new Set(
  "those them him her he she that this it isso isto eso esto ellos esas esos deles delas nada anything lo la los las o a".split(
    " "
  )
)

/**
 * Removes what the business no longer does: "We don't do chimney repairs any more", "ya no copiamos llaves", "nao quero
 * mais fazer roupa de quadrilha".
 */
export const noLonger = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { tokens } = clause
  const isDenied = tokens.some((token) => isWord(token) && has(token, "negation"))
  const isEnded = tokens.some(
    (token) =>
      isWord(token) &&
      (has(token, "anymore") || ["stopped", "paramos", "deixamos", "dejamos", "longer"].includes(token.word))
  )
  const isStopped = tokens.some(({ word }) => ["stopped", "paramos", "deixamos", "dejamos", "quit"].includes(word))
  if (!((isDenied && isEnded) || isStopped)) return undefined
  const seam = tokens.findIndex(
    (token) =>
      isWord(token) &&
      (has(token, "negation") || ["stopped", "paramos", "deixamos", "dejamos", "quit"].includes(token.word))
  )
  const lead = tokens.slice(0, seam)
  if (unexplained(withTokens(clause, lead), "subject", "now", "anymore", "business", "function").length > 0)
    return undefined
  const behind = trimmed(tokens.slice(seam + 1)).filter((token) => !(isWord(token) && has(token, "anymore", "polite")))
  const [verb] = behind
  if (verb === undefined || !isWord(verb)) return undefined
  const rest = behind.slice(1).filter((token) => !(isWord(token) && has(token, "doing") && !has(token, "item")))
  const content = rest.filter(isContent)
  if (content.length === 0 || content.every((token) => pronouns.has(token.word))) return undefined
  const removal = removingNamed(rest, desk)
  if (removal?._tag === "Change") return removal
  // The site may list the service with its verb: "Ya no copiamos llaves" can match "copiamos llaves".
  const whole = removingNamed(behind, desk)
  return whole?._tag === "Change" ? whole : (removal ?? whole)
}

/** True if a clause only repeats that what was just removed is gone. */
export const repeatsRemoval = (clause: Clause): boolean => {
  const left = unexplained(
    clause,
    "doing",
    "anymore",
    "negation",
    "subject",
    "remove",
    "item",
    "polite",
    "reasonverb",
    (token) => pronouns.has(token.word) || goneWords.has(token.word)
  )
  return (
    left.length === 0 && clause.tokens.some((token) => isWord(token) && has(token, "negation", "remove", "reasonverb"))
  )
}
