import { within } from "../Material/MaterialText.ts"
import type { SiteBlock } from "../Site.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { blockNamed, blocksOfKind, kindNamed, nameOfBlock, type PlacedBlock } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { resolveThings, type Thing } from "./SiteThings.ts"
import { change, failure, type Outcome, type Reading } from "./WishOutcome.ts"
import { bare, contentOf, unexplained, wordsOf } from "./WishTokens.ts"
import { isNoun, swapping } from "./WishWords.ts"

/** A block that a phrase names whole. */
const wholeBlock = (phrase: string, { site }: ChangeDesk): PlacedBlock | undefined => {
  const named = blockNamed(site, phrase)
  if (named === undefined) return undefined
  const title = wordsOf(named.block.title)
  const left = unexplained(
    wordsOf(phrase),
    (word) => title.includes(word) || kindNamed(word) === named.block._tag || isNoun(word, "section", "list", "page")
  )
  return left.length === 0 ? named : undefined
}

const reordered = <A>(items: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const rest = items.filter((_, index) => index !== from)
  const moved = items[from]
  return moved === undefined ? items : [...rest.slice(0, to), moved, ...rest.slice(to)]
}

const swapped = <A>(items: ReadonlyArray<A>, one: number, other: number): ReadonlyArray<A> =>
  items.map((item, index) => (index === one ? (items[other] ?? item) : index === other ? (items[one] ?? item) : item))

/** The block with its list in another order. */
const withOrder = (
  block: SiteBlock,
  order: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
): SiteBlock | undefined => {
  switch (block._tag) {
    case "Features":
      return { ...block, items: order(block.items) }
    case "Steps":
      return { ...block, items: order(block.items) }
    case "Prices":
      return { ...block, items: order(block.items) }
    case "People":
      return { ...block, items: order(block.items) }
    case "Questions":
      return { ...block, items: order(block.items) }
    case "Quotes":
      return { ...block, items: order(block.items) }
    case "Clients":
      return { ...block, names: order(block.names) }
    case "Form":
      return { ...block, fields: order(block.fields) }
    default:
      return undefined
  }
}

const inOneBlock = (one: ReadonlyArray<Thing>, other: ReadonlyArray<Thing>): readonly [Thing, Thing] | undefined => {
  for (const first of one)
    for (const second of other)
      if (first.placed.block.id === second.placed.block.id && first.index !== second.index) return [first, second]
  return undefined
}

const thingsNamed = (phrase: string, { site }: ChangeDesk): ReadonlyArray<Thing> => {
  const finding = resolveThings(site, bare(phrase))
  return finding._tag === "Things" ? finding.things : []
}

/** "Swap the order of gutters and flat roofs", "inverte a ordem da limpeza e do clareamento". */
export const swappingPlaces = ({ act, object, value }: Reading, desk: ChangeDesk): Outcome | undefined => {
  if (act !== "swap") return undefined
  const { notes } = desk
  const phrase = value === undefined ? object : `${object} and ${value}`
  const isOrder = wordsOf(phrase).some((word) => swapping.has(word))
  const plain = phrase
    .replace(
      /\b(?:a |the |el |la )?(?:ordem|order|orden|posi[çc][ãa]o|posici[óo]n|lugares?|places?)\s?(?:de|da|do|dos|das|of|del|entre|between)?\s?/i,
      ""
    )
    .replace(/\s(?:around|de lugar|de posição|de orden|de ordem|de posición)\.?$/i, "")
  const parts = plain.split(/\s(?:e|and|y|com|with|con)\s/)
  const [one = "", other = ""] = parts
  if (parts.length !== 2 || (!isOrder && value !== undefined)) return undefined
  const pair = inOneBlock(thingsNamed(one, desk), thingsNamed(other, desk))
  if (pair !== undefined) {
    const [first, second] = pair
    const changed = withOrder(first.placed.block, (items) => swapped(items, first.index, second.index))
    return changed === undefined
      ? undefined
      : change(notes.swapped(first.name, second.name), [replaceBlock(first.placed, changed)], {
          present: [first.name, second.name]
        })
  }
  const [a, b] = [wholeBlock(one, desk), wholeBlock(other, desk)]
  if (a === undefined || b === undefined || a.page.id !== b.page.id || a.block.id === b.block.id)
    return isOrder ? failure(notes.notFound(within(phrase, 160)), notes.nameIt) : undefined
  const ids = a.page.blocks.map(({ id }) => id)
  const [low, high] = ids.indexOf(a.block.id) < ids.indexOf(b.block.id) ? [a, b] : [b, a]
  const beforeLow = ids[ids.indexOf(low.block.id) - 1] ?? null
  const beforeHigh = ids[ids.indexOf(high.block.id) - 1] ?? null
  const page = a.page.id
  return change(notes.swapped(nameOfBlock(a.block), nameOfBlock(b.block)), [
    { _tag: "MoveBlock", page, block: high.block.id, to: page, after: beforeLow },
    ...(beforeHigh === low.block.id
      ? []
      : [{ _tag: "MoveBlock", page, block: low.block.id, to: page, after: beforeHigh } as const])
  ])
}

const wheres =
  /^(.{2,80}?)\s(?:para\s|to\s|go\s|come\s)?(antes d[aeo]s?(?: l[ao]s?)?|antes del|depois d[aeo]s?|despu[eé]s de(?:l| la| los| las)?|logo depois d[aeo]s?|logo ap[oó]s|ap[oó]s|before|after|above|below|acima d[aeo]s?|abaixo d[aeo]s?|arriba de(?:l| la)?|debajo de(?:l| la)?|(?:para |pro |no |ao |em )?(?:o )?(?:topo|fim|final|in[íi]cio|come[çc]o|primeiro(?: lugar)?|[úu]ltimo(?: lugar)?)|(?:to |at |on )?(?:the )?(?:very )?(?:top|end|bottom|start|beginning|first|last)|(?:al|en el|de) (?:inicio|principio|final|primer lugar|primero|[úu]ltimo))(?:\s(.*))?$/iu
const first = /topo|top|primeir|in[íi]cio|come[çc]o|principio|primer|first|start|beginning/i
const last = /fim|final|end|bottom|[úu]ltim|last/i
const before = /antes|before|above|acima|arriba/i

/** Where something goes: to an edge, or next to what the anchor names. */
interface Destination {
  readonly where: string
  readonly anchor: string
}

/** Moves an item within its list; undefined where the phrase names none. */
const movedThing = (what: string, { anchor, where }: Destination, desk: ChangeDesk): Outcome | undefined => {
  const things = thingsNamed(what, desk)
  const pair = anchor === "" ? undefined : inOneBlock(things, thingsNamed(anchor, desk))
  const isEdge = anchor === "" && (first.test(where) || last.test(where))
  const [thing] = pair ?? (isEdge ? things : [])
  if (thing === undefined) return undefined
  const edge = first.test(where) ? 0 : Number.MAX_SAFE_INTEGER
  const index = pair?.[1].index ?? 0
  const beside = (index > thing.index ? index - 1 : index) + (before.test(where) ? 0 : 1)
  const changed = withOrder(thing.placed.block, (items) =>
    reordered(items, thing.index, pair === undefined ? edge : beside)
  )
  return changed === undefined
    ? undefined
    : change(desk.notes.moved(thing.name), [replaceBlock(thing.placed, changed)], { present: [thing.name] })
}

/** Moves a whole section. */
const movedBlock = (
  what: string,
  { anchor: anchorText, where }: Destination,
  desk: ChangeDesk
): Outcome | undefined => {
  const { notes } = desk
  const moved = wholeBlock(what, desk)
  if (moved === undefined || moved.block._tag === "Hero") return undefined
  const moveTo = (page: string, after: string | null): Outcome =>
    change(notes.moved(nameOfBlock(moved.block)), [
      { _tag: "MoveBlock", page: moved.page.id, block: moved.block.id, to: page, after }
    ])
  if (anchorText === "" && (first.test(where) || last.test(where))) {
    const others = moved.page.blocks.filter(({ id }) => id !== moved.block.id)
    const [top] = others
    const afterTop = top?._tag === "Hero" ? top.id : null
    return moveTo(moved.page.id, first.test(where) ? afterTop : (others.at(-1)?.id ?? null))
  }
  const anchor = anchorText === "" ? undefined : wholeBlock(anchorText, desk)
  if (anchor === undefined || anchor.block.id === moved.block.id)
    return failure(notes.notFound(within(`${what} ${where} ${anchorText}`, 160)), notes.nameIt)
  const around = anchor.page.blocks.filter(({ id }) => id !== moved.block.id)
  const at = around.findIndex(({ id }) => id === anchor.block.id)
  return moveTo(anchor.page.id, before.test(where) ? (around[at - 1]?.id ?? null) : anchor.block.id)
}

/** Moves a section, or an item within its list. */
export const movingPlaces = ({ act, object }: Reading, desk: ChangeDesk): Outcome | undefined => {
  const match = act === "move" ? wheres.exec(object.trim().replace(/[.!;]+$/, "")) : null
  if (match === null) return undefined
  const [, what = "", where = "", rest = ""] = match
  const anchor = rest
    .replace(
      /^(?:da|do|of|de|on|na|no|del|en)\s+(?:the |a |o |la |el )?(?:p[áa]gina|page|site|sitio|lista|list)\b.*$/i,
      ""
    )
    .trim()
  return movedThing(what, { where, anchor }, desk) ?? movedBlock(what, { where, anchor }, desk)
}

/** "Put the phone number at the top": the button of the opening shows it. */
export const raisingPhone = ({ act, object }: Reading, desk: ChangeDesk): Outcome | undefined => {
  if (act !== "move" && act !== "add" && act !== "set") return undefined
  const { notes, site } = desk
  const match =
    /^(.{2,60}?)\s(?:no|at the|on|en el|en la|na|arriba|lá em cima|in the)\s?(?:the )?(?:topo|top|header|cabe[çc]alho|in[íi]cio|começo|parte de cima|parte superior|principio|portada|abertura|home)(?: da p[áa]gina| of the page| do site| del sitio| de la p[áa]gina)?\.?$/iu.exec(
      object.trim()
    )
  const words = contentOf(wordsOf(match?.[1] ?? ""))
  if (words.length === 0 || !words.every((word) => isNoun(word, "phone", "number", "whatsapp"))) return undefined
  const number = blocksOfKind(site, "Contact").flatMap(({ block }) => (block.phone === null ? [] : [block.phone]))[0]
  const [hero] = blocksOfKind(site, "Hero")
  if (number === undefined || hero === undefined) return failure(notes.noPhone, notes.givePhone)
  const action = { label: number, target: { _tag: "Phone", number } } as const
  const others = hero.block.actions.filter(({ target }) => target._tag !== "Phone")
  return change(
    notes.contact(notes.phone, number),
    [replaceBlock(hero, { ...hero.block, actions: [action, ...others].slice(0, 2) })],
    { present: [number] }
  )
}
