import type { Site, SiteBlock, SitePage } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { contentWords, sameWord, wordsOf } from "./Reading/EditTokens.ts"
import { hasRole, type Role } from "./Reading/EditWords.ts"

export type Block<Tag extends SiteBlock["_tag"]> = Extract<SiteBlock, { readonly _tag: Tag }>

/** A block and the page that it is on. */
export interface PlacedBlock<B extends SiteBlock = SiteBlock> {
  readonly page: SitePage
  readonly block: B
}

/** The words by which owners call each kind of section. */
const nounsOf: { readonly [Tag in SiteBlock["_tag"]]: ReadonlyArray<Role> } = {
  Hero: ["main"],
  Prose: ["story"],
  Features: ["service", "item"],
  Steps: ["steps"],
  Figures: ["number"],
  Quotes: ["quote"],
  Clients: ["client"],
  Prices: ["price", "list", "item"],
  Questions: ["question"],
  People: ["team", "person"],
  Gallery: ["gallery", "picture"],
  Contact: ["contact"],
  CallToAction: [],
  Form: ["form", "field"],
  Records: ["list"]
}

export const allBlocks = (site: Site): ReadonlyArray<PlacedBlock> =>
  site.pages.flatMap((page) => page.blocks.map((block) => ({ page, block })))

export const blocksOfKind = <Tag extends SiteBlock["_tag"]>(
  site: Site,
  tag: Tag
): ReadonlyArray<PlacedBlock<Block<Tag>>> => {
  const is = (block: SiteBlock): block is Block<Tag> => block._tag === tag
  return site.pages.flatMap((page) => page.blocks.filter(is).map((block) => ({ page, block })))
}

/** True if a word names a section: it is in the heading or is a usual word for this kind of section. */
export const callsSection = (word: string, block: SiteBlock): boolean =>
  hasRole(word, ...nounsOf[block._tag]) || wordsOf(block.title).some((each) => sameWord(each, word))

/** The sections that all the words name. A match in the heading wins. */
export const sectionsNamed = (site: Site, words: ReadonlyArray<string>): ReadonlyArray<PlacedBlock> => {
  const named = words.filter((word) => !hasRole(word, "section", "function"))
  if (named.length === 0) return []
  const byTitle = allBlocks(site).filter(({ block }) => {
    const title = contentWords(block.title)
    return block.title !== "" && named.every((word) => title.some((each) => sameWord(each, word)))
  })
  if (byTitle.length > 0) return byTitle
  const byKind = allBlocks(site).filter(
    ({ block }) => block._tag !== "Hero" && named.every((word) => callsSection(word, block))
  )
  // "The services" means the section that lists services, even if a price list could also be called so.
  const kinds = new Set(byKind.map(({ block }) => block._tag))
  if (kinds.size < 2) return byKind
  const order: ReadonlyArray<SiteBlock["_tag"]> = ["Features", "Prices", "People", "Questions", "Form"]
  const first = order.find((tag) => kinds.has(tag))
  const isItem = named.every((word) => hasRole(word, "item", "service", "list"))
  return isItem ? byKind.filter(({ block }) => block._tag === first) : byKind
}

/** The page whose label contains all the words. */
export const pageNamed = (site: Site, words: ReadonlyArray<string>): SitePage | undefined =>
  site.pages.find(({ label }) => {
    const ofLabel = contentWords(label)
    const named = words.filter((word) => !hasRole(word, "page", "section"))
    return named.length > 0 && named.every((word) => ofLabel.some((each) => sameWord(each, word)))
  })

/** The block's name in texts for the owner. */
export const nameOfBlock = (block: SiteBlock): string => (block.title === "" ? block._tag : block.title)

export const replaceBlock = ({ block, page }: PlacedBlock, changed: SiteBlock): SiteOperation => ({
  _tag: "ReplaceBlock",
  page: page.id,
  variant: null,
  block: { ...changed, id: block.id }
})

/** The ids of all blocks of a site. */
export const keysOf = (site: Site): ReadonlyArray<string> =>
  site.pages.flatMap(({ blocks }) => blocks.map(({ id }) => id))

/** The block after which a new section goes: before the form, the call to action, the records and the contact. */
export const placeOn = (page: SitePage): string | null => {
  const last = page.blocks.findIndex(
    ({ _tag }) => _tag === "Form" || _tag === "CallToAction" || _tag === "Contact" || _tag === "Records"
  )
  return (last < 0 ? page.blocks.at(-1) : page.blocks[last - 1])?.id ?? null
}
