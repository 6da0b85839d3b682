import { Either, Schema } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { tidyText } from "../../Text/PlainText.ts"
import { keyFor, titled, withoutEnd } from "../Material/MaterialText.ts"
import { Site, type SiteBlock, type SitePage } from "../Site.ts"
import { applyOperations, type SiteOperation } from "../SiteOperations.ts"

/** Changes that an owner makes by hand in the editor: sections and colours. */

/** The kinds of sections that an owner can add through the editor's form. */
export const addableKinds = ["Prose", "Features", "Steps", "Prices", "Questions", "People"] as const
export type AddableKind = (typeof addableKinds)[number]

export type SectionEdit =
  | { readonly _tag: "Move"; readonly page: string; readonly block: string; readonly isUp: boolean }
  | { readonly _tag: "Remove"; readonly page: string; readonly block: string }
  | {
      readonly _tag: "Add"
      readonly page: string
      readonly kind: string
      readonly title: string
      /** The section's content: a paragraph, or one item per line, depending on the kind. */
      readonly text: string
    }
  | { readonly _tag: "Colors"; readonly brand: string; readonly accent: string }

export interface EditedSections {
  readonly site: Site
  /** The title of the section that was added, moved or removed. Empty for colours. */
  readonly title: string
}

const notThere = refused("section_not_found", "The page has no such section.", "Open the editor again.")
const cannotMove = refused("section_at_end", "The section is at this end of the page already.", "Move another section.")
const isLast = refused("last_section", "A page keeps at least one section.", "Add another section first.")
const unwritten = refused(
  "section_unwritten",
  "A section needs a title and a text of its kind.",
  "Write one item in each line, as the form says."
)
const noColor = refused("color_invalid", "A colour is written as # and six digits.", "For example #1d6fd1.")
const tooMuch = refused("text_too_long", "The section has more than fits into it.", "Shorten it.")

const linesOf = (text: string): ReadonlyArray<string> =>
  tidyText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The parts of a line before and after the last `mark`. Undefined if the mark or one of the parts is missing. */
const parted = (line: string, mark: string): readonly [before: string, behind: string] | undefined => {
  const at = line.lastIndexOf(mark)
  const [before, behind] = [line.slice(0, at).trim(), line.slice(at + mark.length).trim()]
  return at < 0 || before === "" || behind === "" ? undefined : [before, behind]
}

/** Splits a line such as "Is there parking? Yes, behind the house." into question and answer. */
const questioned = (line: string): { readonly question: string; readonly answer: string } | undefined => {
  const at = line.indexOf("?")
  const [question, answer] = [line.slice(0, at + 1).trim(), line.slice(at + 1).trim()]
  return at < 0 || answer === "" ? undefined : { question, answer }
}

const all = <A>(lines: ReadonlyArray<string>, read: (line: string) => A | undefined): ReadonlyArray<A> | undefined => {
  const items = lines.map(read)
  return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined
}

/** Builds the section that the form describes. Undefined if a line lacks a part that its kind needs. */
const blockOf = (kind: AddableKind, id: string, title: string, text: string): SiteBlock | undefined => {
  const lines = linesOf(text)
  switch (kind) {
    case "Prose":
      return lines.length === 0 ? undefined : { _tag: "Prose", id, title, text: tidyText(text).trim(), picture: null }
    case "Features": {
      const items = all(lines, titled)
      return items && { _tag: "Features", id, title, text: "", items }
    }
    case "Steps": {
      const items = all(lines, titled)
      return items && { _tag: "Steps", id, title, items }
    }
    case "Prices": {
      const items = all(lines, (line) => {
        const [name = "", price = ""] = parted(line, ": ") ?? []
        return name === "" ? undefined : { name, price, text: "", includes: [] }
      })
      return items && { _tag: "Prices", id, title, items }
    }
    case "Questions": {
      const items = all(lines, questioned)
      return items && { _tag: "Questions", id, title, items }
    }
    case "People": {
      const items = all(lines, (line) => {
        const [name = line, role = ""] = parted(line, ": ") ?? []
        return { name, role, text: "" }
      })
      return items && { _tag: "People", id, title, items }
    }
  }
}

const titleOf = (block: SiteBlock): string => (block.title === "" ? block.id : block.title)

const pageOf = (site: Site, id: string): SitePage | undefined => site.pages.find((page) => page.id === id)

interface Planned {
  readonly operation: SiteOperation
  readonly title: string
}

const moved = (page: SitePage, block: SiteBlock, isUp: boolean): Planned | Refused => {
  const at = page.blocks.indexOf(block)
  const to = isUp ? at - 1 : at + 1
  if (to < 0 || to >= page.blocks.length) return cannotMove
  const after = isUp ? (page.blocks[to - 1]?.id ?? null) : (page.blocks[to]?.id ?? null)
  return {
    operation: { _tag: "MoveBlock", page: page.id, block: block.id, to: page.id, after },
    title: titleOf(block)
  }
}

const isAddable = Schema.is(Schema.Literal(...addableKinds))

/**
 * A new section goes after the last block that is neither a form nor the contact, because those end a page.
 * Returns the id of that block.
 */
const placeOfNew = ({ blocks }: SitePage): string | null =>
  blocks.findLast(({ _tag }) => _tag !== "Form" && _tag !== "Contact")?.id ?? null

const added = (site: Site, page: SitePage, edit: Extract<SectionEdit, { readonly _tag: "Add" }>): Planned | Refused => {
  const title = withoutEnd(tidyText(edit.title).replace(/\s+/g, " ").trim(), ":")
  const ids = site.pages.flatMap(({ blocks }) => blocks.map(({ id }) => id))
  const block =
    isAddable(edit.kind) && title !== "" ? blockOf(edit.kind, keyFor(title, ids), title, edit.text) : undefined
  return block === undefined
    ? unwritten
    : { operation: { _tag: "AddBlock", page: page.id, after: placeOfNew(page), block }, title }
}

const colorShape = /^#[0-9a-f]{6}$/

const plannedOf = (site: Site, edit: SectionEdit): Planned | Refused => {
  if (edit._tag === "Colors") {
    const [brand, accent] = [edit.brand, edit.accent].map((color) => color.trim().toLowerCase())
    if (brand === undefined || accent === undefined || ![brand, accent].every((color) => colorShape.test(color)))
      return noColor
    // Other colours of the theme stay as they are: only the two that the form shows are set.
    return { operation: { _tag: "SetTheme", theme: { ...site.theme, brand, accent } }, title: "" }
  }
  const page = pageOf(site, edit.page)
  if (page === undefined) return notThere
  if (edit._tag === "Add") return added(site, page, edit)
  const block = page.blocks.find(({ id }) => id === edit.block)
  if (block === undefined) return notThere
  if (edit._tag === "Move") return moved(page, block, edit.isUp)
  return page.blocks.length === 1
    ? isLast
    : { operation: { _tag: "RemoveBlock", page: page.id, block: block.id }, title: titleOf(block) }
}

const isSite = Schema.is(Site)

/** Returns the site after a change by hand of its sections or colours. Links to a removed section are removed too. */
export const withSections = (site: Site, edit: SectionEdit): Either.Either<EditedSections, Refused> => {
  const planned = plannedOf(site, edit)
  if ("_tag" in planned) return Either.left(planned)
  const { refused: undone, site: after } = applyOperations(site, [planned.operation])
  return undone.length > 0 || !isSite(after)
    ? Either.left(tooMuch)
    : Either.right({ site: after, title: planned.title })
}
