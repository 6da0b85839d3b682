import type { Site, SiteBlock } from "../Site.ts"
import { contentWords, isTypoOf, sameWord, wordsOf } from "./Reading/EditTokens.ts"
import { hasRole, type Role } from "./Reading/EditWords.ts"
import { allBlocks, callsSection, type PlacedBlock } from "./SiteSections.ts"

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

/** A part of a block that has a name, such as a service or a person. */
export interface Thing {
  readonly kind: ThingKind
  readonly name: string
  readonly placed: PlacedBlock
  /** Its position in the block's list. */
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

/** The names of a block's parts, in order. */
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

/** Returns the block without the part at this index. */
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

/** True if a block has nothing left to show. */
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

/** The words by which owners call each kind of part. */
const nounsOf: { readonly [K in ThingKind]: ReadonlyArray<Role> } = {
  service: ["item"],
  price: ["item", "price"],
  question: ["question"],
  quote: ["quote", "person"],
  person: ["person", "team"],
  client: ["client"],
  step: ["steps"],
  figure: ["number"],
  field: ["field", "form"],
  link: ["link", "network"],
  button: ["button"]
}

/** Kinds that their noun identifies. The nouns for services, prices and steps are too common. */
const toldKinds: ReadonlyArray<ThingKind> = ["question", "quote", "person", "client", "field", "button"]

export type Resolved =
  | { readonly _tag: "Things"; readonly things: ReadonlyArray<Thing> }
  | { readonly _tag: "Several"; readonly names: ReadonlyArray<string> }
  | { readonly _tag: "None" }

const none: Resolved = { _tag: "None" }

interface Match {
  readonly thing: Thing
  /** The share of the name's words that the wish named. */
  readonly share: number
}

type Equality = (one: string, other: string) => boolean

/** Matches a thing by the words of its name. Words for its kind or its section may be added. */
const matchOf = (thing: Thing, words: ReadonlyArray<string>, isSame: Equality): Match | undefined => {
  const ofName = wordsOf(thing.name)
  const isKind = (word: string): boolean =>
    hasRole(word, ...nounsOf[thing.kind], "section", "list", "page") || callsSection(word, thing.placed.block)
  const isNamed = (word: string): boolean => ofName.some((each) => isSame(each, word))
  if (!words.every((word) => isNamed(word) || isKind(word))) return undefined
  const content = contentWords(thing.name)
  const named = content.filter((word) => words.some((each) => isSame(word, each)))
  return named.length === 0 ? undefined : { thing, share: named.length / content.length }
}

const matchesIn = (
  things: ReadonlyArray<Thing>,
  words: ReadonlyArray<string>,
  isSame: Equality
): ReadonlyArray<Match> =>
  things.flatMap((thing) => {
    const match = matchOf(thing, words, isSame)
    return match === undefined ? [] : [match]
  })

const isClose: Equality = (one, other) => sameWord(one, other) || isTypoOf(one, other)

const selected = (matches: ReadonlyArray<Match>): Resolved => {
  const whole = matches.filter(({ share }) => share === 1)
  const longest = Math.max(0, ...whole.map(({ thing }) => wordsOf(thing.name).length))
  const best = whole.length > 0 ? whole.filter(({ thing }) => wordsOf(thing.name).length === longest) : matches
  const names = new Set(best.map(({ thing }) => `${wordsOf(thing.name).join(" ")}`))
  const things = best.map(({ thing }) => thing)
  // Two things of the same name in one block are different things, such as two people.
  const isDouble = things.some((one) =>
    things.some((other) => one !== other && one.placed.block.id === other.placed.block.id)
  )
  if (things.length === 0) return none
  return names.size === 1 && !isDouble
    ? { _tag: "Things", things }
    : { _tag: "Several", names: [...new Set(things.map(({ name }) => name))] }
}

/**
 * Finds the parts of the site that the words name. Each word must belong to the part's name, its kind or its section,
 * and at least one to its name. Full names win over partial ones.
 */
export const resolveThings = (
  site: Site,
  words: ReadonlyArray<string>,
  isWanted: (thing: Thing) => boolean = () => true
): Resolved => {
  if (words.length === 0) return none
  const things = thingsOf(site).filter(isWanted)
  const exact = matchesIn(things, words, sameWord)
  const matches = exact.length > 0 ? exact : matchesIn(things, words, isClose)
  const ofNouns = toldKinds.filter((kind) => words.some((word) => hasRole(word, ...nounsOf[kind])))
  const ofKind = matches.filter(({ thing }) => ofNouns.includes(thing.kind))
  // Fields and buttons often have the same name as the thing that they ask for or lead to, so other kinds win.
  const others = matches.filter(({ thing }) => thing.kind !== "field" && thing.kind !== "button")
  return selected(ofKind.length > 0 ? ofKind : others)
}
