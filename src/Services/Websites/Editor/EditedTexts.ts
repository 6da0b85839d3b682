import { Either, Predicate, Schema } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { tidyText } from "../../Text/PlainText.ts"
import { Site, type SiteBlock, type SitePage } from "../Site.ts"

/** A text of a block that its owner may change by hand. */
export interface EditableText {
  /** Where it stands: page, variant if any, block and the way into it, for example `home.hero.items.0.title`. */
  readonly path: string
  /** What it is called in the model. */
  readonly key: string
  readonly isLong: boolean
  readonly longest: number
  readonly value: string
}

/** A block with its texts, as an editor shows them together. */
export interface EditableBlock {
  readonly page: string
  /** Undefined for what every visitor sees first. */
  readonly variant: string | undefined
  readonly id: string
  readonly kind: SiteBlock["_tag"]
  readonly texts: ReadonlyArray<EditableText>
}

interface Shape {
  readonly longest: number
  readonly isLong?: boolean
  /** A blank one is none. */
  readonly isOptional?: boolean
}

/** Members of blocks that are texts. All others are structure, which a hand does not change. */
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

/** Where a link leads, and the keys of fields. */
const isStructure = (key: string, within: string): boolean =>
  key === "target" || key === "_tag" || key === "id" || (key === "name" && within === "fields")

/** The value with each text as `change` gives it. */
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

/** The blocks of a page with all that can be changed in them, in their order; then those of its variants. */
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

/** As a form sends a text: line breaks only where the text has several lines. */
const written = (text: string, { isLong = false }: Shape): string => {
  const tidy = tidyText(text).trim()
  return isLong ? tidy : tidy.replace(/\s+/g, " ")
}

/** The site with the texts that are named changed, and the titles of the blocks in which something is different now. */
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
