import { Schema } from "effect"
import { Site, SiteBlock, SiteCollection, SiteKey, SitePage, SitePicture, SiteTheme } from "./Site.ts"

/** One thing that a change does. What no operation names stays as it is, to the byte. */
export const SiteOperation = Schema.Union(
  /** In the place of the block with the same id, of the page's own blocks or of a variant's. */
  Schema.TaggedStruct("ReplaceBlock", { page: SiteKey, variant: Schema.NullOr(SiteKey), block: SiteBlock }),
  /** Behind the block `after`; null for the top of the page. */
  Schema.TaggedStruct("AddBlock", { page: SiteKey, after: Schema.NullOr(SiteKey), block: SiteBlock }),
  Schema.TaggedStruct("RemoveBlock", { page: SiteKey, block: SiteKey }),
  Schema.TaggedStruct("MoveBlock", { page: SiteKey, block: SiteKey, to: SiteKey, after: Schema.NullOr(SiteKey) }),
  Schema.TaggedStruct("AddPage", { page: SitePage }),
  Schema.TaggedStruct("RemovePage", { page: SiteKey }),
  Schema.TaggedStruct("DescribePage", {
    page: SiteKey,
    label: SitePage.fields.label,
    title: SitePage.fields.title,
    description: SitePage.fields.description
  }),
  Schema.TaggedStruct("SetTheme", { theme: SiteTheme }),
  Schema.TaggedStruct("Rename", { name: Site.fields.name, tagline: Site.fields.tagline }),
  Schema.TaggedStruct("AddVariant", { page: SiteKey, id: SiteKey, blocks: Schema.Array(SiteBlock) }),
  Schema.TaggedStruct("RemoveVariant", { page: SiteKey, id: SiteKey }),
  /** A new picture, or another order for the one with the same id. */
  Schema.TaggedStruct("SetPicture", { picture: SitePicture }),
  Schema.TaggedStruct("SetCollection", { collection: SiteCollection })
)
export type SiteOperation = typeof SiteOperation.Type

const mostBlocks = 24
const mostPages = 8
const mostVariants = 3
const mostPictures = 24
const mostCollections = 8

const placed = (blocks: ReadonlyArray<SiteBlock>, block: SiteBlock, after: string | null): ReadonlyArray<SiteBlock> => {
  const at = after === null ? 0 : blocks.findIndex(({ id }) => id === after) + 1
  return after !== null && at === 0 ? [...blocks, block] : [...blocks.slice(0, at), block, ...blocks.slice(at)]
}

const withItem = <A extends { readonly id: string }>(
  items: ReadonlyArray<A>,
  item: A,
  most: number
): ReadonlyArray<A> | undefined =>
  items.some(({ id }) => id === item.id)
    ? items.map((each) => (each.id === item.id ? item : each))
    : items.length < most
      ? [...items, item]
      : undefined

const onPage = (site: Site, page: string, change: (page: SitePage) => SitePage | undefined): Site | undefined => {
  const found = site.pages.find(({ id }) => id === page)
  const changed = found === undefined ? undefined : change(found)
  return changed === undefined || found === undefined
    ? undefined
    : { ...site, pages: site.pages.map((each) => (each === found ? changed : each)) }
}

const hasBlock = (site: Site, block: string): boolean =>
  site.pages.some(({ blocks }) => blocks.some(({ id }) => id === block))

type Operation<Tag extends SiteOperation["_tag"]> = Extract<SiteOperation, { readonly _tag: Tag }>

const withBlockReplaced = (site: Site, { block, page, variant }: Operation<"ReplaceBlock">): Site | undefined => {
  const swap = (blocks: ReadonlyArray<SiteBlock>): ReadonlyArray<SiteBlock> | undefined =>
    blocks.some(({ id }) => id === block.id) ? blocks.map((each) => (each.id === block.id ? block : each)) : undefined
  return onPage(site, page, (target) => {
    if (variant === null) {
      const blocks = swap(target.blocks)
      return blocks === undefined ? undefined : { ...target, blocks }
    }
    const of = target.variants.find(({ id }) => id === variant)
    const blocks = of === undefined ? undefined : swap(of.blocks)
    return blocks === undefined
      ? undefined
      : { ...target, variants: target.variants.map((each) => (each === of ? { ...each, blocks } : each)) }
  })
}

/** The last block of a page does not leave it. */
const withBlockMoved = (site: Site, { after, block: id, page, to }: Operation<"MoveBlock">): Site | undefined => {
  const from = site.pages.find((each) => each.id === page)
  const block = from?.blocks.find((each) => each.id === id)
  if (from === undefined || block === undefined || after === id) return undefined
  const without = onPage(site, page, (source) => ({
    ...source,
    blocks: source.blocks.filter((each) => each !== block)
  }))
  return without === undefined
    ? undefined
    : onPage(without, to, (target) =>
        target.blocks.length >= mostBlocks || (from.blocks.length === 1 && to !== page)
          ? undefined
          : { ...target, blocks: placed(target.blocks, block, after) }
      )
}

const withPage = (site: Site, { page }: Operation<"AddPage">): Site | undefined => {
  const isTaken = site.pages.some(({ id, path }) => id === page.id || path === page.path)
  return isTaken || site.pages.length >= mostPages || page.blocks.some(({ id }) => hasBlock(site, id))
    ? undefined
    : { ...site, pages: [...site.pages, page] }
}

/** The site after the operation; undefined where it cannot be done: what it names is not there, or there is no room. */
const applied = (site: Site, operation: SiteOperation): Site | undefined => {
  switch (operation._tag) {
    case "ReplaceBlock":
      return withBlockReplaced(site, operation)
    case "AddBlock":
      return hasBlock(site, operation.block.id)
        ? undefined
        : onPage(site, operation.page, (found) =>
            found.blocks.length >= mostBlocks
              ? undefined
              : { ...found, blocks: placed(found.blocks, operation.block, operation.after) }
          )
    case "RemoveBlock":
      // The last block of a page goes with its page.
      return onPage(site, operation.page, (found) =>
        found.blocks.length > 1 && found.blocks.some(({ id }) => id === operation.block)
          ? { ...found, blocks: found.blocks.filter(({ id }) => id !== operation.block) }
          : undefined
      )
    case "MoveBlock":
      return withBlockMoved(site, operation)
    case "AddPage":
      return withPage(site, operation)
    case "RemovePage":
      return site.pages.findIndex(({ id }) => id === operation.page) > 0
        ? { ...site, pages: site.pages.filter(({ id }) => id !== operation.page) }
        : undefined
    case "DescribePage": {
      const { description, label, title } = operation
      return onPage(site, operation.page, (found) => ({ ...found, label, title, description }))
    }
    case "SetTheme":
      return { ...site, theme: operation.theme }
    case "Rename":
      return { ...site, name: operation.name, tagline: operation.tagline }
    case "AddVariant":
      return onPage(site, operation.page, (found) =>
        found.variants.length >= mostVariants ||
        operation.id === "a" ||
        found.variants.some(({ id }) => id === operation.id)
          ? undefined
          : { ...found, variants: [...found.variants, { id: operation.id, blocks: operation.blocks }] }
      )
    case "RemoveVariant":
      return onPage(site, operation.page, (found) =>
        found.variants.some(({ id }) => id === operation.id)
          ? { ...found, variants: found.variants.filter(({ id }) => id !== operation.id) }
          : undefined
      )
    case "SetPicture": {
      const pictures = withItem(site.pictures, operation.picture, mostPictures)
      return pictures === undefined ? undefined : { ...site, pictures }
    }
    case "SetCollection": {
      const collections = withItem(site.collections, operation.collection, mostCollections)
      return collections === undefined ? undefined : { ...site, collections }
    }
  }
}

export interface AppliedOperations {
  readonly site: Site
  /** The operations that could not be applied. */
  readonly refused: ReadonlyArray<SiteOperation>
}

/** The site after all operations, one after the other. */
export const applyOperations = (site: Site, operations: ReadonlyArray<SiteOperation>): AppliedOperations => {
  let after = site
  const refused: Array<SiteOperation> = []
  for (const operation of operations) {
    const next = applied(after, operation)
    if (next === undefined) refused.push(operation)
    else after = next
  }
  return { site: after, refused }
}
