import { within } from "../../Material/MaterialText.ts"
import type { SiteBlock } from "../../Site.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { asks, type Clause, says, unexplained, withTokens } from "../Reading/EditClause.ts"
import { has, isContent, isWord, type Token } from "../Reading/EditTokens.ts"
import { blocksOfKind, nameOfBlock, type PlacedBlock, replaceBlock, sectionsNamed } from "../SiteSections.ts"
import { resolveThings, type Thing } from "../SiteThings.ts"
import { detailsOf } from "./ContactEdits.ts"
import { listedTokens } from "./FieldEdits.ts"

const reordered = <A>(items: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const rest = items.filter((_, index) => index !== from)
  const moved = items[from]
  return moved === undefined ? items : [...rest.slice(0, to), moved, ...rest.slice(to)]
}

const swapped = <A>(items: ReadonlyArray<A>, one: number, other: number): ReadonlyArray<A> =>
  items.map((item, index) => (index === one ? (items[other] ?? item) : index === other ? (items[one] ?? item) : item))

/** Returns the block with its list in another order. */
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

/** Words about moving that do not name the thing to move. */
const isOfMoving = (token: Token): boolean =>
  isWord(token) &&
  (has(token, "order", "page", "function", "set", "move", "now", "only", "polite") ||
    ["right", "directly", "logo", "more", "mais", "todo", "everything", "up", "stands"].includes(token.word))

const thingsNamed = (tokens: ReadonlyArray<Token>, { site }: EditDesk): ReadonlyArray<Thing> => {
  const words = tokens.filter((token) => isContent(token) && !isOfMoving(token)).map(({ word }) => word)
  const finding = resolveThings(site, words)
  return finding._tag === "Things" ? finding.things : []
}

const sectionNamed = (tokens: ReadonlyArray<Token>, { site }: EditDesk): PlacedBlock | undefined => {
  const words = tokens.filter((token) => isContent(token) && !isOfMoving(token))
  if (words.length === 0 || !words.every(isWord)) return undefined
  const named = sectionsNamed(
    site,
    words.map(({ word }) => word)
  )
  return named.length === 1 ? named[0] : undefined
}

const inOneBlock = (one: ReadonlyArray<Thing>, other: ReadonlyArray<Thing>): readonly [Thing, Thing] | undefined => {
  for (const first of one)
    for (const second of other)
      if (first.placed.block.id === second.placed.block.id && first.index !== second.index) return [first, second]
  return undefined
}

/**
 * Swaps two items or sections: "Swap the order of gutters and flat roofs", "inverte a ordem da limpeza e do
 * clareamento".
 */
export const swappingPlaces = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes } = desk
  if (!asks(clause, "swap") || clause.verb === undefined) return undefined
  const body = clause.tokens.filter(
    (token) =>
      token !== clause.verb &&
      !(
        isWord(token) &&
        ["around", "order", "ordem", "orden", "lugar", "posicao", "posicion", "list", "lista", "in"].includes(
          token.word
        )
      )
  )
  const isOrder = says(clause, "order")
  const seam = body.findIndex(({ word }) => ["and", "e", "y", "with", "com", "con"].includes(word))
  if (seam < 1 || listedTokens(body).length > 2) return undefined
  const [left, right] = [body.slice(0, seam), body.slice(seam + 1)]
  const pair = inOneBlock(thingsNamed(left, desk), thingsNamed(right, desk))
  if (pair !== undefined) {
    const [first, second] = pair
    const changed = withOrder(first.placed.block, (items) => swapped(items, first.index, second.index))
    return changed === undefined
      ? undefined
      : change("order", notes.swapped(first.name, second.name), [replaceBlock(first.placed, changed)], {
          topic: first.name
        })
  }
  const [a, b] = [sectionNamed(left, desk), sectionNamed(right, desk)]
  if (a === undefined || b === undefined || a.page.id !== b.page.id || a.block.id === b.block.id)
    return isOrder ? failure(notes.notFound(within(clause.text, 160)), notes.nameIt) : undefined
  const ids = a.page.blocks.map(({ id }) => id)
  const [low, high] = ids.indexOf(a.block.id) < ids.indexOf(b.block.id) ? [a, b] : [b, a]
  const beforeLow = ids[ids.indexOf(low.block.id) - 1] ?? null
  const beforeHigh = ids[ids.indexOf(high.block.id) - 1] ?? null
  const page = a.page.id
  return change("order", notes.swapped(nameOfBlock(a.block), nameOfBlock(b.block)), [
    { _tag: "MoveBlock", page, block: high.block.id, to: page, after: beforeLow },
    ...(beforeHigh === low.block.id
      ? []
      : [{ _tag: "MoveBlock", page, block: low.block.id, to: page, after: beforeHigh } as const])
  ])
}

/** The destination of a move: an edge of the list or page, or next to what the anchor names. */
interface Destination {
  readonly side: "before" | "after" | "first" | "last"
  readonly anchor: ReadonlyArray<Token>
}

const sideOf = (token: Token): Destination["side"] | undefined => {
  if (!isWord(token)) return undefined
  if (has(token, "top")) return "first"
  if (has(token, "bottom")) return "last"
  if (has(token, "after")) return "after"
  return has(token, "before") ? "before" : undefined
}

const everything: ReadonlySet<string> = new Set([
  "tudo",
  "todo",
  "everything",
  "all",
  "opening",
  "abertura",
  "hero",
  "picture",
  "foto",
  "image",
  "imagem"
])

const destinationOf = (
  clause: Clause
): { readonly what: ReadonlyArray<Token>; readonly to: Destination } | undefined => {
  const at = clause.tokens.findIndex(
    (token, index) => index > 0 && token !== clause.verb && sideOf(token) !== undefined
  )
  const token = clause.tokens[at]
  const side = token === undefined ? undefined : sideOf(token)
  if (side === undefined) return undefined
  // In "the last before the contact", the words after the edge give the place.
  const rest = clause.tokens.slice(at + 1)
  const further = rest.findIndex((each) => ["before", "after"].includes(sideOf(each) ?? ""))
  const isEdge = side === "first" || side === "last"
  const seam = isEdge ? rest[further] : undefined
  const finalSide = seam === undefined ? side : (sideOf(seam) ?? side)
  const anchor = (isEdge ? (further >= 0 ? rest.slice(further + 1) : rest) : rest).filter(
    (each) => isContent(each) && !isOfMoving(each)
  )
  return { what: clause.tokens.slice(0, at).filter((each) => each !== clause.verb), to: { side: finalSide, anchor } }
}

/** Moves an item within its list. Undefined if the words name no item. */
const movedThing = (what: ReadonlyArray<Token>, { anchor, side }: Destination, desk: EditDesk): Outcome | undefined => {
  const things = thingsNamed(what, desk)
  const isEdge = side === "first" || side === "last"
  const pair = isEdge ? undefined : inOneBlock(things, thingsNamed(anchor, desk))
  const inList = anchor.filter((token) => !(isWord(token) && has(token, "list", "both", "section")))
  const [thing] = pair ?? (isEdge && inList.length === 0 ? things : [])
  if (thing === undefined) return undefined
  const edge = side === "first" ? 0 : Number.MAX_SAFE_INTEGER
  const index = pair?.[1].index ?? 0
  const next = (index > thing.index ? index - 1 : index) + (side === "before" ? 0 : 1)
  const changed = withOrder(thing.placed.block, (items) =>
    reordered(items, thing.index, pair === undefined ? edge : next)
  )
  return changed === undefined
    ? undefined
    : change("order", desk.notes.moved(thing.name), [replaceBlock(thing.placed, changed)], { topic: thing.name })
}

/**
 * The block after which a section goes when it moves to the top or the end of the page. Undefined if it goes next to
 * another section.
 */
const edgeFor = (
  { block, page }: PlacedBlock,
  anchor: ReadonlyArray<Token>,
  side: Destination["side"]
): { readonly after: string | null } | undefined => {
  const others = page.blocks.filter(({ id }) => id !== block.id)
  const [top] = others
  const isOpening =
    anchor.length > 0 && anchor.every((token) => everything.has(token.word) || (isWord(token) && has(token, "main")))
  if (isOpening ? side !== "last" : side === "first" && anchor.length === 0)
    return { after: top?._tag === "Hero" ? top.id : null }
  if (side !== "last" || anchor.length > 0) return undefined
  const end = block._tag === "Contact" ? others.length - 1 : others.findLastIndex(({ _tag }) => _tag !== "Contact")
  return { after: others[end]?.id ?? null }
}

/** Moves a whole section. */
const movedSection = (
  what: ReadonlyArray<Token>,
  { anchor: anchorTokens, side }: Destination,
  desk: EditDesk
): Outcome | undefined => {
  const { notes } = desk
  const moved = sectionNamed(what, desk)
  if (moved === undefined || moved.block._tag === "Hero") return undefined
  const moveTo = (page: string, after: string | null): Outcome =>
    change("order", notes.moved(nameOfBlock(moved.block)), [
      { _tag: "MoveBlock", page: moved.page.id, block: moved.block.id, to: page, after }
    ])
  const edge = edgeFor(moved, anchorTokens, side)
  if (edge !== undefined) return moveTo(moved.page.id, edge.after)
  const anchor = sectionNamed(anchorTokens, desk)
  if (anchor === undefined || anchor.block.id === moved.block.id || side === "first" || side === "last")
    return failure(notes.notFound(within(anchorTokens.map(({ text }) => text).join(" "), 160)), notes.nameIt)
  const near = anchor.page.blocks.filter(({ id }) => id !== moved.block.id)
  const at = near.findIndex(({ id }) => id === anchor.block.id)
  return moveTo(anchor.page.id, side === "before" ? (near[at - 1]?.id ?? null) : anchor.block.id)
}

/** Moves a section, or an item within its list. */
export const movingPlaces = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  if (
    clause.tokens.some(({ kind }) => kind !== "word" && kind !== "mark") ||
    (says(clause, "negation", "limit", "add") && !asks(clause, "move"))
  )
    return undefined
  const isWish = asks(clause, "move", "set") || clause.tokens.some((token) => isWord(token) && has(token, "move"))
  const to = destinationOf(clause)
  if (to === undefined || !isWish) return undefined
  const what = unexplained(withTokens(clause, to.what), isOfMoving)
  return movedThing(what, to.to, desk) ?? movedSection(what, to.to, desk)
}

/** Shows the phone number in the opening's button: "Put the phone number at the top". */
export const raisingPhone = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  if (
    !asks(clause, "move", "add", "set") ||
    clause.verb === undefined ||
    !says(clause, "phone", "whatsapp", "number") ||
    !says(clause, "top", "main")
  )
    return undefined
  const left = unexplained(clause, "phone", "number", "whatsapp", "top", "main", "page", "set", "move", "add")
  if (left.length > 0) return undefined
  const [number] = detailsOf(site, "phone")
  const [hero] = blocksOfKind(site, "Hero")
  if (number === undefined || hero === undefined) return failure(notes.noPhone, notes.givePhone)
  const action = { label: number, target: { _tag: "Phone", number } } as const
  const others = hero.block.actions.filter(({ target }) => target._tag !== "Phone")
  return change(
    "values",
    notes.contact(notes.phone, number),
    [replaceBlock(hero, { ...hero.block, actions: [action, ...others].slice(0, 2) })],
    { present: [number] }
  )
}
