import type { Site, SiteBlock } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { blocksOfKind, type PlacedBlock, replaceBlock } from "../SiteSections.ts"
import { changingSentences, changingTexts, withoutListed } from "../SiteTexts.ts"
import { isEmptied, type Thing, withoutPart } from "../SiteThings.ts"

/** Replaces the block, or removes it if it would then be empty. */
export const replacedOrGone = (placed: PlacedBlock, changed: SiteBlock): SiteOperation =>
  isEmptied(changed)
    ? { _tag: "RemoveBlock", page: placed.page.id, block: placed.block.id }
    : replaceBlock(placed, changed)

/** Removes parts from their lists, several of one block in one operation. */
export const withoutThings = (things: ReadonlyArray<Thing>): ReadonlyArray<SiteOperation> => {
  const blocks = [...new Map(things.map(({ placed }) => [placed.block.id, placed])).values()]
  return blocks.map((placed) => {
    const indexes = things.filter((thing) => thing.placed.block.id === placed.block.id).map(({ index }) => index)
    const rest = indexes.toSorted((one, other) => other - one).reduce(withoutPart, placed.block)
    return replacedOrGone(placed, rest)
  })
}

/** Removes the name from sentences that list it. */
const unlisted = (site: Site, name: string): ReadonlyArray<SiteOperation> =>
  changingTexts(site, (text) => changingSentences(text, (sentence) => withoutListed(sentence, name, site.language)))

/** Removes the choice from forms. */
const withoutChoice = (site: Site, name: string): ReadonlyArray<SiteOperation> => {
  const cut = <F extends { readonly choices: ReadonlyArray<string> }>(fields: ReadonlyArray<F>): ReadonlyArray<F> =>
    fields.map((field) => ({ ...field, choices: field.choices.filter((choice) => choice !== name) }))
  const has = (fields: ReadonlyArray<{ readonly choices: ReadonlyArray<string> }>): boolean =>
    fields.some(({ choices }) => choices.includes(name))
  return [
    ...blocksOfKind(site, "Form")
      .filter(({ block }) => has(block.fields))
      .map((placed) => replaceBlock(placed, { ...placed.block, fields: cut(placed.block.fields) })),
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

/** Removes the field from the form's collection. Submissions that were already stored keep their values. */
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

/**
 * Removes the parts of one name everywhere: from their lists, from sentences that list them, and from the choices of
 * forms.
 */
export const removedThings = (things: ReadonlyArray<Thing>, { notes, site }: EditDesk): Outcome => {
  const [first] = things
  if (first === undefined) return failure(notes.nothing, notes.nameIt)
  const isForm = first.kind === "field"
  const isLast = things.some(({ placed }) => placed.block._tag === "Form" && placed.block.fields.length === 1)
  if (isForm && isLast) return failure(notes.notEffective, notes.nameIt)
  const isOffer = first.kind === "service" || first.kind === "price" || first.kind === "client"
  const ids = new Set(things.map(({ placed }) => placed.block.id))
  const mentions = isOffer
    ? unlisted(site, first.name).filter(
        (operation) => operation._tag !== "ReplaceBlock" || !ids.has(operation.block.id)
      )
    : []
  const choices = isOffer ? withoutChoice(site, first.name) : []
  const collections = isForm ? fieldCollections(site, things) : []
  return change(
    "removal",
    notes.removed(first.name),
    [...withoutThings(things), ...collections, ...mentions, ...choices],
    {
      absent: isForm || first.kind === "button" ? [] : [first.name],
      topic: first.name
    }
  )
}
