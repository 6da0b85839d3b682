import { Either, Predicate, Schema } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { tidyText } from "../../Text/PlainText.ts"
import { Site, type SiteBlock, type SitePage } from "../Site.ts"

/** A text of a block that the owner may change by hand. */
export interface EditableText {
  /** The path to the text: page, variant if any, block, then the keys inside it, such as `home.hero.items.0.title`. */
  readonly path: string
  /** The text's property name in the site model. */
  readonly key: string
  readonly isLong: boolean
  readonly longest: number
  readonly value: string
}

/** A block with its editable texts, shown together in the editor. */
export interface EditableBlock {
  readonly page: string
  /** The variant that contains the block. Undefined for the page that every visitor sees first. */
  readonly variant: string | undefined
  readonly id: string
  readonly kind: SiteBlock["_tag"]
  readonly texts: ReadonlyArray<EditableText>
}

interface Shape {
  readonly longest: number
  readonly isLong?: boolean
  /** A blank optional text is stored as null. */
  readonly isOptional?: boolean
}

/** The properties of blocks that are texts. All others are structure, which cannot be edited by hand. */
const texts: { readonly [key: string]: Shape } = {
  title: { longest: 160 },
  text: { longest: 4000, isLong: true },
  label: { longest: 80 },
  value: { longest: 30 },
  words: { longest: 600, isLong: true },
  name: { longest: 120 },
  role: { longest: 160 },
  price: { longest: 60 },
  question: { longest: 300 },
  answer: { longest: 4000, isLong: true },
  submit: { longest: 60 },
  alt: { longest: 300 },
  email: { longest: 254, isOptional: true },
  phone: { longest: 20, isOptional: true },
  address: { longest: 300, isOptional: true },
  hours: { longest: 300, isOptional: true },
  names: { longest: 120 },
  includes: { longest: 200 },
  choices: { longest: 120 }
}

/** True for link targets and for the ids and names of fields, which are never edited as text. */
const isStructure = (key: string, within: string): boolean =>
  key === "target" || key === "_tag" || key === "id" || (key === "name" && within === "fields")

/** Returns a copy of the value in which `change` was applied to each text. */
const mapped = (
  value: unknown,
  at: { readonly path: string; readonly key: string; readonly within: string },
  change: (path: string, key: string, shape: Shape, text: string) => string
): unknown => {
  const shape = texts[at.key]
  if (typeof value === "string" || (value === null && shape?.isOptional === true)) {
    if (shape === undefined) return value
    const changed = change(at.path, at.key, shape, value ?? "")
    return shape.isOptional === true && changed === "" ? null : changed
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      mapped(item, { ...at, path: `${at.path}.${index}`, within: at.key }, change)
    )
  }
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isStructure(key, at.within)
        ? member
        : mapped(member, { path: `${at.path}.${key}`, key, within: at.within }, change)
    ])
  )
}

const startOf = (page: string, variant: string | undefined, block: string): string =>
  variant === undefined ? `${page}.${block}` : `${page}@${variant}.${block}`

const mapBlock = (
  page: SitePage,
  variant: string | undefined,
  block: SiteBlock,
  change: (path: string, key: string, shape: Shape, text: string) => string
): unknown => mapped(block, { path: startOf(page.id, variant, block.id), key: "", within: "" }, change)

/** Lists the editable texts of a page's blocks in page order, then those of its variants. */
export const editableBlocks = (page: SitePage): ReadonlyArray<EditableBlock> =>
  [{ id: undefined, blocks: page.blocks }, ...page.variants].flatMap(({ blocks, id: variant }) =>
    blocks.map((block) => {
      const found: Array<EditableText> = []
      mapBlock(page, variant, block, (path, key, { isLong = false, longest }, value) => {
        found.push({ path, key, isLong, longest, value })
        return value
      })
      return { page: page.id, variant, id: block.id, kind: block._tag, texts: found }
    })
  )

const decodeSite = Schema.decodeUnknownEither(Site)

/** Tidies a submitted text. Line breaks are kept in long texts only. */
const written = (text: string, { isLong = false }: Shape): string => {
  const tidy = tidyText(text).trim()
  return isLong ? tidy : tidy.replace(/\s+/g, " ")
}

/** Returns the site with the named texts changed, and the titles of the blocks in which a text is different now. */
export const withTexts = (
  site: Site,
  edits: ReadonlyMap<string, string>
): Either.Either<{ readonly site: Site; readonly changed: ReadonlyArray<string> }, Refused> => {
  const changed = new Set<string>()
  let tooLong: string | undefined
  const edited = (page: SitePage, variant: string | undefined) => (block: SiteBlock) =>
    mapBlock(page, variant, block, (path, _, shape, before) => {
      const edit = edits.get(path)
      if (edit === undefined) return before
      const after = written(edit, shape)
      if (after === written(before, shape)) return before
      if (after.length > shape.longest) tooLong ??= path
      changed.add(block.title === "" ? block.id : block.title)
      return after
    })
  const pages = site.pages.map((page) => ({
    ...page,
    blocks: page.blocks.map(edited(page, undefined)),
    variants: page.variants.map(({ blocks, id }) => ({ id, blocks: blocks.map(edited(page, id)) }))
  }))
  if (tooLong !== undefined) {
    return Either.left(
      refused("text_too_long", "A text is longer than its place in the site.", "Shorten it.", { text: tooLong })
    )
  }
  return Either.mapBoth(decodeSite({ ...site, pages }), {
    onLeft: () => refused("text_not_accepted", "A text cannot stand in its place.", "Shorten the texts."),
    onRight: (decoded) => ({ site: decoded, changed: [...changed] })
  })
}
