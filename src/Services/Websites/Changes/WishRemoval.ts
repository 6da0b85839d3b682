import { itemsIn, sentencesIn, within } from "../Material/MaterialText.ts"
import type { Site, SiteBlock } from "../Site.ts"
import { applyOperations, type SiteOperation } from "../SiteOperations.ts"
import { colorsNamed } from "../Writing/ColorWords.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import {
  allBlocks,
  blockNamed,
  blocksOfKind,
  kindNamed,
  nameOfBlock,
  type PlacedBlock,
  pageNamed
} from "./ChangeTargets.ts"
import { changingSentences, changingTexts, says, sentencesOfSite, withoutListed } from "./SiteTexts.ts"
import { isEmptied, resolveThings, type Thing, withoutPart } from "./SiteThings.ts"
import { change, type Doer, failure, type Outcome, severalFound } from "./WishOutcome.ts"
import { bare, contentOf, sameWord, unexplained, wordsOf } from "./WishTokens.ts"
import { isNoun, type Noun } from "./WishWords.ts"

const replaced = ({ block, page }: PlacedBlock, changed: SiteBlock): SiteOperation =>
  isEmptied(changed)
    ? { _tag: "RemoveBlock", page: page.id, block: block.id }
    : { _tag: "ReplaceBlock", page: page.id, variant: null, block: changed }

/** Takes parts out of their lists, several of one block at once. */
export const withoutThings = (things: ReadonlyArray<Thing>): ReadonlyArray<SiteOperation> => {
  const blocks = [...new Map(things.map(({ placed }) => [placed.block.id, placed])).values()]
  return blocks.map((placed) => {
    const indexes = things.filter((thing) => thing.placed.block.id === placed.block.id).map(({ index }) => index)
    const rest = indexes.toSorted((one, other) => other - one).reduce(withoutPart, placed.block)
    return replaced(placed, rest)
  })
}

/** Where sentences list the thing by its name, they list it no longer. */
const unlisted = (site: Site, name: string): ReadonlyArray<SiteOperation> =>
  changingTexts(site, (text) => changingSentences(text, (sentence) => withoutListed(sentence, name, site.language)))

const removedThings = (things: ReadonlyArray<Thing>, { notes, site }: ChangeDesk): Outcome => {
  const [first] = things
  if (first === undefined) return failure(notes.nothing, notes.nameIt)
  const isOffer = first.kind === "service" || first.kind === "price" || first.kind === "client"
  const withoutIt = withoutThings(things)
  const ids = new Set(things.map(({ placed }) => placed.block.id))
  const mentions = isOffer
    ? unlisted(site, first.name).filter(
        (operation) => operation._tag !== "ReplaceBlock" || !ids.has(operation.block.id)
      )
    : []
  const choices = isOffer ? withoutChoice(site, first.name) : []
  const isForm = first.kind === "field"
  const collections = isForm ? fieldCollections(site, things) : []
  return change(notes.removed(first.name), [...withoutIt, ...collections, ...mentions, ...choices], {
    absent: isForm || first.kind === "button" ? [] : [first.name]
  })
}

/** Forms offer the choice no longer. */
const withoutChoice = (site: Site, name: string): ReadonlyArray<SiteOperation> => {
  const cut = <F extends { readonly choices: ReadonlyArray<string> }>(fields: ReadonlyArray<F>): ReadonlyArray<F> =>
    fields.map((field) => ({ ...field, choices: field.choices.filter((choice) => choice !== name) }))
  const has = (fields: ReadonlyArray<{ readonly choices: ReadonlyArray<string> }>): boolean =>
    fields.some(({ choices }) => choices.includes(name))
  return [
    ...blocksOfKind(site, "Form")
      .filter(({ block }) => has(block.fields))
      .map((placed) => replaced(placed, { ...placed.block, fields: cut(placed.block.fields) })),
    ...site.collections
      .filter(({ fields }) => has(fields))
      .map(
        (collection): SiteOperation => ({
          _tag: "SetCollection",
          collection: { ...collection, fields: cut(collection.fields) }
        })
      )
  ]
}

/** Collections keep what was sent, without the field for what comes. */
const fieldCollections = (site: Site, things: ReadonlyArray<Thing>): ReadonlyArray<SiteOperation> =>
  things.flatMap(({ index, placed }): ReadonlyArray<SiteOperation> => {
    const { block } = placed
    if (block._tag !== "Form") return []
    const field = block.fields[index]
    const collection = site.collections.find(({ id }) => id === block.collection)
    if (collection === undefined || field === undefined) return []
    return [
      {
        _tag: "SetCollection",
        collection: { ...collection, fields: collection.fields.filter(({ name }) => name !== field.name) }
      }
    ]
  })

/** "The price of the whitening". */
const priceRemoval = (object: string, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const words = wordsOf(object)
  if (!words.some((word) => isNoun(word, "price"))) return undefined
  const rest = words.filter((word) => !isNoun(word, "price"))
  if (contentOf(rest).length === 0) return undefined
  const finding = resolveThings(site, rest.join(" "), ({ kind }) => kind === "price")
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
  return change(notes.removedPrice(item.name), [replaced(thing.placed, without)], {
    present: isElsewhere ? [] : [item.name],
    absent: isShared ? [] : [item.price]
  })
}

const details: ReadonlyArray<readonly ["phone" | "email" | "address" | "hours", ReadonlyArray<Noun>]> = [
  ["phone", ["phone", "number"]],
  ["email", ["email"]],
  ["address", ["address"]],
  ["hours", ["hours"]]
]

/** A detail of the contact that a phrase names, and nothing else. */
export const detailNamed = (object: string): "phone" | "email" | "address" | "hours" | undefined => {
  const words = contentOf(wordsOf(object))
  return details.find(
    ([, of]) =>
      words.some((word) => isNoun(word, ...of)) &&
      words.every(
        (word) => isNoun(word, ...of, "contact", "section") || (of[0] === "phone" && isNoun(word, "whatsapp"))
      )
  )?.[0]
}

const detailRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const detail = detailNamed(object)
  if (detail === undefined) return undefined
  const placed = blocksOfKind(site, "Contact").filter(({ block }) => block[detail] !== null)
  if (placed.length === 0) return undefined
  const values = placed.flatMap(({ block }) => (block[detail] === null ? [] : [block[detail]]))
  const kind = detail === "phone" ? "Phone" : detail === "email" ? "Mail" : undefined
  const buttons = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
    const { block } = each
    if ((block._tag !== "Hero" && block._tag !== "CallToAction") || kind === undefined) return []
    const actions = block.actions.filter(({ target }) => target._tag !== kind)
    return actions.length === block.actions.length ? [] : [replaced(each, { ...block, actions })]
  })
  return change(
    notes.removed(notes[detail]),
    [...placed.map((each) => replaced(each, { ...each.block, [detail]: null })), ...buttons],
    { absent: values }
  )
}

/** The form, a field of it, or a link by its name. */
const formRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = contentOf(wordsOf(object))
  const isForm = words.some((word) => isNoun(word, "form"))
  const forms = blocksOfKind(site, "Form")
  const isWhole = isForm && words.every((word) => isNoun(word, "form", "section", "contact", "booking", "page"))
  if (!isWhole) return undefined
  if (forms.length === 0) return failure(notes.noForm, notes.nameIt)
  return change(
    notes.removed(nameOfBlock(forms[0]?.block ?? { _tag: "Prose", id: "form", title: "", text: "", picture: null })),
    forms.map(({ block, page }) => ({ _tag: "RemoveBlock", page: page.id, block: block.id }))
  )
}

/** Links of the contact: "the booking link", "Instagram". */
const linkRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = contentOf(wordsOf(object))
  if (!words.some((word) => isNoun(word, "link", "network"))) return undefined
  const all = blocksOfKind(site, "Contact").flatMap((placed) =>
    placed.block.links.map((link, index) => ({ link, index, placed }))
  )
  const named = all.filter(({ link }) => {
    const ownWords = wordsOf(`${link.label} ${link.target._tag === "Web" ? link.target.url : ""}`)
    return words.every(
      (word) =>
        ownWords.includes(word) ||
        isNoun(word, "link", "contact") ||
        (isNoun(word, "booking") && ownWords.some((each) => isNoun(each, "booking") || each === "cal"))
    )
  })
  const [finding] =
    named.length === 1 ? named : all.length === 1 && words.every((word) => isNoun(word, "link", "booking")) ? all : []
  if (finding === undefined) return undefined
  const { link, placed } = finding
  const operations = withoutThings([{ kind: "link", name: link.label, placed, index: finding.index }])
  const buttons = allBlocks(site).flatMap((each): ReadonlyArray<SiteOperation> => {
    const { block } = each
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.filter(({ target }) => JSON.stringify(target) !== JSON.stringify(link.target))
    return actions.length === block.actions.length ? [] : [replaced(each, { ...block, actions })]
  })
  return change(notes.removed(link.label), [...operations, ...buttons], { absent: [link.label] })
}

const thingRemoval = (object: string, desk: ChangeDesk): Outcome | undefined => {
  const finding = resolveThings(desk.site, object)
  if (finding._tag === "None") return undefined
  return finding._tag === "Several" ? severalFound(desk, finding.names) : removedThings(finding.things, desk)
}

const pageRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = contentOf(wordsOf(object))
  if (!words.some((word) => isNoun(word, "page"))) return undefined
  const page = pageNamed(site, object)
  if (page === undefined || page === site.pages[0]) return undefined
  const label = wordsOf(page.label)
  return unexplained(words, (word) => isNoun(word, "page") || label.includes(word)).length > 0
    ? undefined
    : change(notes.removedPage(page.label), [{ _tag: "RemovePage", page: page.id }])
}

/** A section goes only where nothing but it is named: of "the focaccia from the menu" the menu stays. */
const sectionRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const named = blockNamed(site, object)
  if (named === undefined || named.block._tag === "Hero") return undefined
  const { block, page } = named
  const title = wordsOf(block.title)
  const kind = kindNamed(object) === block._tag
  const rest = unexplained(
    wordsOf(object),
    (word) =>
      title.includes(word) ||
      isNoun(word, "section", "list", "page") ||
      (kind && (kindNamed(word) === block._tag || ofKinds.has(word)))
  )
  if (rest.length > 0) return undefined
  const left = page.blocks.length > 1
  return left
    ? change(notes.removed(nameOfBlock(block)), [{ _tag: "RemoveBlock", page: page.id, block: block.id }])
    : change(notes.removedPage(page.label), [{ _tag: "RemovePage", page: page.id }])
}

/** Words that only make up a kind's name of several words: "perguntas frequentes". */
const ofKinds: ReadonlySet<string> = new Set(
  "frequentes frecuentes asked frequently questions funciona how it works somos quem us nos acao action call to final precos estamos onde toda todo whole entire inteira inteiro entera entero".split(
    " "
  )
)

const pictureRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = contentOf(wordsOf(object))
  if (!words.some((word) => isNoun(word, "picture"))) return undefined
  if (!words.every((word) => isNoun(word, "picture", "main", "section"))) return undefined
  const pictured = allBlocks(site).filter(({ block }) => "picture" in block && block.picture !== null)
  const [hero] = pictured.filter(({ block }) => block._tag === "Hero")
  const only = hero ?? (pictured.length === 1 ? pictured[0] : undefined)
  return only === undefined || !("picture" in only.block)
    ? undefined
    : change(notes.removed(notes.opening), [replaced(only, { ...only.block, picture: null })])
}

/** Of a person or plan one detail: "the OAB of Dra. Helena". */
const partRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = contentOf(wordsOf(object))
  const finding = allBlocks(site).flatMap((placed) => {
    const { block } = placed
    if (block._tag !== "People" && block._tag !== "Prices") return []
    return block.items.flatMap((item) => {
      const name = wordsOf(item.name)
      const named = words.filter((word) => name.some((each) => sameWord(each, word)))
      const rest = words.filter((word) => !named.includes(word) && !isNoun(word, "item", "person"))
      const parts = "role" in item ? item.role.split(/,\s|\s[–—-]\s|;\s/) : item.includes
      const hit = parts.filter((part) =>
        rest.every((word) => wordsOf(part).some((each) => sameWord(each, word) || each.startsWith(`${word}-`)))
      )
      return named.length > 0 && rest.length > 0 && hit.length === 1
        ? [{ placed, item, part: hit[0] ?? "", parts }]
        : []
    })
  })
  const [only] = finding
  if (finding.length !== 1 || only === undefined) return undefined
  const { item, part, parts, placed } = only
  const left = parts.filter((each) => each !== part)
  const cut = (block: SiteBlock): SiteBlock =>
    block._tag === "People"
      ? { ...block, items: block.items.map((each) => (each === item ? { ...each, role: left.join(", ") } : each)) }
      : block._tag === "Prices"
        ? { ...block, items: block.items.map((each) => (each === item ? { ...each, includes: left } : each)) }
        : block
  return change(notes.removed(part), [replaced(placed, cut(placed.block))], { present: [item.name], absent: [part] })
}

/** Longest sentence, in words, that goes where only its subject is named. */
const longestFact = 14

/** A sentence by its words: "the guarantee", "the sentence about parking". */
const sentenceRemoval = (object: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const quote = /^[“"«']([^”"»]+)[”"»']$/.exec(object.trim())?.[1]
  const words = contentOf(wordsOf(quote ?? object))
  const speaksOfSentence = quote !== undefined || words.some((word) => isNoun(word, "sentence", "text"))
  const rest = words.filter((word) => !isNoun(word, "sentence", "text", "quote") && !about.has(word))
  // "Take the orange out" speaks of the look.
  if (rest.length === 0 || rest.every((word) => colorsNamed(word).length > 0)) return undefined
  const hits = sentencesOfSite(site).filter((sentence) => {
    const ownWords = wordsOf(sentence)
    return rest.every((word) => ownWords.some((each) => sameWord(each, word)))
  })
  const [sentence] = hits
  if (hits.length !== 1 || sentence === undefined) return undefined
  const isFact = wordsOf(sentence).length <= longestFact && !/,\s|\s(?:e|and|y)\s/.test(sentence)
  if (!speaksOfSentence && !isFact && !words.some((word) => isNoun(word, "quote"))) return undefined
  const operations = changingTexts(site, (text) =>
    sentencesIn(text.replaceAll("\n", " ")).includes(sentence)
      ? changingSentences(text, (each) => (each === sentence ? "" : each))
      : text
  )
  const isTitle = allBlocks(site).some(({ block }) => block.title === sentence)
  return isTitle ? undefined : change(notes.removed(within(sentence, 200)), operations, { absent: [sentence] })
}

const about: ReadonlySet<string> = new Set(
  "sobre about acerca says diz dice saying que that fala falam fale mentions mention menciona mencionam habla hablan speaks talks".split(
    " "
  )
)

const removers: ReadonlyArray<(object: string, desk: ChangeDesk) => Outcome | undefined> = [
  priceRemoval,
  formRemoval,
  detailRemoval,
  pageRemoval,
  linkRemoval,
  thingRemoval,
  sectionRemoval,
  pictureRemoval,
  partRemoval,
  sentenceRemoval
]

const removeOne = (object: string, desk: ChangeDesk): Outcome | undefined => {
  let first: Outcome | undefined
  for (const remover of removers) {
    const outcome = remover(object, desk)
    if (outcome?._tag === "Change") return outcome
    first ??= outcome
  }
  // "The e-mail" of a page that shows none is the one that its form asks for.
  const field = resolveThings(desk.site, `campo ${object}`, ({ kind }) => kind === "field")
  if (first === undefined && field._tag === "Things" && detailNamed(object) !== undefined)
    return removedThings(field.things, desk)
  return first
}

/** Takes out what the object names: one thing, or each of several. */
export const removing: Doer = ({ act, object, value }, desk) => {
  if (act !== "remove" || value !== undefined) return undefined
  const { notes } = desk
  const phrase = bare(object)
  const whole = removeOne(phrase, desk)
  if (whole?._tag === "Change") return whole
  const items = itemsIn(phrase).map(bare)
  if (items.length < 2) return whole ?? failure(notes.notFound(within(phrase, 160)), notes.nameIt)
  // Each is read on what the ones before it left.
  let left = desk
  const done: Array<Extract<Outcome, { readonly _tag: "Change" }>> = []
  for (const item of items) {
    const outcome = removeOne(item, left)
    if (outcome?._tag !== "Change") return failure(notes.notFound(within(item, 160)), notes.oneByOne)
    done.push(outcome)
    left = { ...left, site: applyOperations(left.site, outcome.operations).site }
  }
  return {
    _tag: "Change",
    operations: done.flatMap(({ operations }) => operations),
    notes: done.flatMap((each) => each.notes),
    present: done.flatMap(({ present }) => present),
    absent: done.flatMap(({ absent }) => absent),
    answers: []
  }
}
