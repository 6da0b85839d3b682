import { createHash } from "node:crypto"
import type { Site, SiteBlock, SiteField, SitePage } from "../Site.ts"

export type FormBlock = Extract<SiteBlock, { readonly _tag: "Form" }>
export type RecordsBlock = Extract<SiteBlock, { readonly _tag: "Records" }>

/** The names of hidden inputs. */
export const hiddenFields = {
  token: "_token",
  /** The honeypot. People cannot see it and leave it empty. */
  honeypot: "_website_url",
  consent: "_consent",
  marketing: "_marketing"
} as const

/** The id of the variant that consists of the page's own blocks. */
export const firstVariant = "a"

/** Texts by field name. The record has no prototype, because a field may be called `constructor`. */
export type FieldTexts = Readonly<Record<string, string>>

export const fieldTexts = (entries: Iterable<readonly [name: string, text: string]>): FieldTexts => {
  const texts: Record<string, string> = {}
  Object.setPrototypeOf(texts, null)
  for (const [name, text] of entries) texts[name] = text
  return texts
}

export const variantsOf = (page: SitePage): ReadonlyArray<string> => [
  firstVariant,
  ...page.variants.map(({ id }) => id).filter((id) => id !== firstVariant)
]

/**
 * Chooses the page variant for a visitor, the same one all day. `visitor` is the hash that identifies a visitor for a
 * day.
 */
export const variantFor = (page: SitePage, visitor: string): string => {
  const variants = variantsOf(page)
  if (variants.length === 1) return firstVariant
  const place = createHash("sha256").update(`${page.id}\n${visitor}`).digest().readUInt32BE(0) % variants.length
  return variants[place] ?? firstVariant
}

/** The blocks of a variant, or the page's own blocks if the variant does not exist. */
export const blocksOf = (page: SitePage, variant: string): ReadonlyArray<SiteBlock> =>
  page.variants.find(({ id }) => id === variant)?.blocks ?? page.blocks

/** A form with its page and variant. */
export interface PlacedForm {
  readonly page: SitePage
  readonly variant: string
  readonly form: FormBlock
}

const formIn = (page: SitePage, variant: string, blockId: string): PlacedForm | undefined => {
  const form = blocksOf(page, variant).find(
    (block): block is FormBlock => block._tag === "Form" && block.id === blockId
  )
  return form === undefined ? undefined : { page, variant, form }
}

/** Finds a form by its id: first on the page where it was rendered, then anywhere on the site. */
export const findForm = (
  site: Site,
  blockId: string,
  rendered?: { readonly pageId: string; readonly variant: string }
): PlacedForm | undefined => {
  const page = site.pages.find(({ id }) => id === rendered?.pageId)
  const there = page === undefined || rendered === undefined ? undefined : formIn(page, rendered.variant, blockId)
  if (there !== undefined) return there
  for (const other of site.pages) {
    for (const variant of variantsOf(other)) {
      const found = formIn(other, variant, blockId)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The collection that stores a form's submissions. */
export const collectionOf = (form: FormBlock): string => form.collection ?? form.id

/** The fields that a collection's records are shown and exported with. */
export const fieldsOf = (site: Site, collection: string): ReadonlyArray<SiteField> => {
  const declared = site.collections.find(({ id }) => id === collection)?.fields ?? []
  const fields = new Map(declared.map((field) => [field.name, field]))
  for (const page of site.pages) {
    for (const variant of variantsOf(page)) {
      for (const block of blocksOf(page, variant)) {
        if (block._tag !== "Form" || collectionOf(block) !== collection) continue
        for (const field of block.fields) if (!fields.has(field.name)) fields.set(field.name, field)
      }
    }
  }
  return [...fields.values()]
}

/** True for contact details, which public lists leave out. */
export const isContact = ({ kind }: SiteField): boolean => kind === "email" || kind === "phone"
