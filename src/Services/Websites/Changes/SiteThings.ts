import type { Site, SiteBlock } from "../Site.ts"
import { allBlocks, kindNamed, type PlacedBlock } from "./ChangeTargets.ts"
import { contentOf, sameWord, wordsOf } from "./WishTokens.ts"
import { isNoun, joining, type Noun } from "./WishWords.ts"

export type ThingKind =
  | "service"
  | "price"
  | "question"
  | "quote"
  | "person"
  | "client"
  | "step"
  | "figure"
  | "field"
  | "link"
  | "button"

/** A part of a block that has a name. */
export interface Thing {
  readonly kind: ThingKind
  readonly name: string
  readonly placed: PlacedBlock
  /** Where it is in its list. */
  readonly index: number
}

const kindsOf: { readonly [Tag in SiteBlock["_tag"]]?: ThingKind } = {
  Features: "service",
  Steps: "step",
  Prices: "price",
  Questions: "question",
  Quotes: "quote",
  People: "person",
  Clients: "client",
  Figures: "figure",
  Form: "field",
  Contact: "link",
  Hero: "button",
  CallToAction: "button"
}

/** The names of the parts of a block, in their order. */
export const namesIn = (block: SiteBlock): ReadonlyArray<string> => {
  switch (block._tag) {
    case "Features":
    case "Steps":
      return block.items.map(({ title }) => title)
    case "Prices":
    case "People":
    case "Quotes":
      return block.items.map(({ name }) => name)
    case "Questions":
      return block.items.map(({ question }) => question)
    case "Figures":
      return block.items.map(({ label, value }) => `${value} ${label}`)
    case "Clients":
      return block.names
    case "Form":
      return block.fields.map(({ label }) => label)
    case "Contact":
      return block.links.map(({ label }) => label)
    case "Hero":
    case "CallToAction":
      return block.actions.map(({ label }) => label)
    default:
      return []
  }
}

/** The block without the part at this place; undefined where it has no such part. */
export const withoutPart = (block: SiteBlock, index: number): SiteBlock => {
  const cut = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => items.filter((_, at) => at !== index)
  switch (block._tag) {
    case "Features":
      return { ...block, items: cut(block.items) }
    case "Steps":
      return { ...block, items: cut(block.items) }
    case "Prices":
      return { ...block, items: cut(block.items) }
    case "People":
      return { ...block, items: cut(block.items) }
    case "Quotes":
      return { ...block, items: cut(block.items) }
    case "Questions":
      return { ...block, items: cut(block.items) }
    case "Figures":
      return { ...block, items: cut(block.items) }
    case "Clients":
      return { ...block, names: cut(block.names) }
    case "Form":
      return { ...block, fields: cut(block.fields) }
    case "Contact":
      return { ...block, links: cut(block.links) }
    case "Hero":
      return { ...block, actions: cut(block.actions) }
    case "CallToAction":
      return { ...block, actions: cut(block.actions) }
    default:
      return block
  }
}

/** Whether nothing is left of a block that shows a list. */
export const isEmptied = (block: SiteBlock): boolean =>
  ("items" in block && block.items.length === 0) ||
  (block._tag === "Clients" && block.names.length === 0) ||
  (block._tag === "Contact" &&
    block.text === "" &&
    block.links.length === 0 &&
    [block.email, block.phone, block.address, block.hours].every((part) => part === null))

export const thingsOf = (site: Site): ReadonlyArray<Thing> =>
  allBlocks(site).flatMap((placed) => {
    const kind = kindsOf[placed.block._tag]
    return kind === undefined ? [] : namesIn(placed.block).map((name, index): Thing => ({ kind, name, placed, index }))
  })

/** The nouns by which owners call each kind of part. */
const nounsOf: { readonly [K in ThingKind]: ReadonlyArray<Noun> } = {
  service: ["item"],
  price: ["item", "price"],
  question: ["question"],
  quote: ["quote"],
  person: ["person"],
  client: ["client"],
  step: ["item"],
  figure: ["number"],
  field: ["field"],
  link: ["link", "network"],
  button: ["button"]
}

export type Resolved =
  | { readonly _tag: "Things"; readonly things: ReadonlyArray<Thing> }
  | { readonly _tag: "Several"; readonly names: ReadonlyArray<string> }
  | { readonly _tag: "None" }

const none: Resolved = { _tag: "None" }

interface Match {
  readonly thing: Thing
  /** Of the words of its name, the share that was named. */
  readonly share: number
}

const matchOf = (thing: Thing, words: ReadonlyArray<string>): Match | undefined => {
  const ofName = wordsOf(thing.name)
  const title = wordsOf(thing.placed.block.title)
  const isKind = (word: string): boolean => isNoun(word, ...nounsOf[thing.kind])
  const isPlace = (word: string): boolean =>
    isNoun(word, "list", "section", "page") ||
    title.includes(word) ||
    kindNamed(word) === thing.placed.block._tag ||
    (thing.kind === "field" && isNoun(word, "form"))
  const named = words.filter((word) => ofName.some((each) => sameWord(each, word)))
  const rest = words.filter((word) => !ofName.some((each) => sameWord(each, word)))
  if (!rest.every((word) => isKind(word) || isPlace(word))) return undefined
  const content = contentOf(ofName)
  const namedWords = (content.length > 0 ? content : ofName).filter((word) =>
    named.some((each) => sameWord(each, word))
  )
  return namedWords.length === 0 ? undefined : { thing, share: namedWords.length / Math.max(1, content.length) }
}

/** The parts of the site that a phrase names: all its words must be those of the part's name, of its kind or of its place. */
export const resolveThings = (
  site: Site,
  phrase: string,
  isWanted: (thing: Thing) => boolean = () => true
): Resolved => {
  const all = wordsOf(phrase)
  const content = all.filter((word) => !joining.has(word))
  const words = content.length > 0 ? content : all
  if (words.length === 0) return none
  const speaksOfField = words.some((word) => isNoun(word, "field", "form"))
  const speaksOfButton = words.some((word) => isNoun(word, "button"))
  const matches = thingsOf(site)
    .filter(
      (thing) =>
        isWanted(thing) && (thing.kind !== "field" || speaksOfField) && (thing.kind !== "button" || speaksOfButton)
    )
    .flatMap((thing) => {
      const match = matchOf(thing, words)
      return match === undefined ? [] : [match]
    })
  // What the words of the wish name by their kind: "the question about mats".
  const kinds = (Object.keys(nounsOf) as ReadonlyArray<ThingKind>).filter(
    (kind) =>
      kind !== "service" && kind !== "price" && kind !== "step" && words.some((word) => isNoun(word, ...nounsOf[kind]))
  )
  const ofKind = matches.filter(({ thing }) => kinds.includes(thing.kind))
  const candidates = ofKind.length > 0 ? ofKind : matches
  const whole = candidates.filter(({ share }) => share === 1)
  const best = whole.length > 0 ? whole : candidates
  const longest = Math.max(0, ...best.map(({ thing }) => wordsOf(thing.name).length))
  const selection = whole.length > 0 ? best.filter(({ thing }) => wordsOf(thing.name).length === longest) : best
  const names = [...new Set(selection.map(({ thing }) => wordsOf(thing.name).join(" ")))]
  if (names.length === 0) return none
  return names.length === 1
    ? { _tag: "Things", things: selection.map(({ thing }) => thing) }
    : { _tag: "Several", names: [...new Set(selection.map(({ thing }) => thing.name))] }
}
