import { Schema } from "effect"

/**
 * A site as it is kept: pages of blocks whose values are plain text and references. Only the gateway's own components make
 * HTML of it, so nothing that a writer or a stranger puts into it is ever markup.
 */

/** Stable over changes: a change names what it touches by these. */
export const SiteKey = Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9-]{0,39}$/))

const line = (longest: number) => Schema.String.pipe(Schema.maxLength(longest))
const list = <A, I>(item: Schema.Schema<A, I>, most: number) => Schema.Array(item).pipe(Schema.maxItems(most))

const Title = line(160)
/** Paragraphs are parted by blank lines. */
const Prose = line(4000)

/** The target of a link or button. */
export const SiteTarget = Schema.Union(
  Schema.TaggedStruct("Page", { page: SiteKey }),
  Schema.TaggedStruct("Block", { page: SiteKey, block: SiteKey }),
  /** Absolute https. */
  Schema.TaggedStruct("Web", { url: line(2048) }),
  Schema.TaggedStruct("Mail", { address: line(254) }),
  Schema.TaggedStruct("Phone", { number: line(20) })
)
export type SiteTarget = typeof SiteTarget.Type

export const SiteLink = Schema.Struct({ label: line(80), target: SiteTarget })
export type SiteLink = typeof SiteLink.Type

/** A picture of the site by its key, with what it shows for those who do not see it. */
export const ShownPicture = Schema.Struct({ picture: SiteKey, alt: line(300) })
export type ShownPicture = typeof ShownPicture.Type

export const FieldKind = Schema.Literal("text", "long_text", "email", "phone", "number", "date", "choice", "checkbox")
export type FieldKind = typeof FieldKind.Type

/** A field of a form or a collection. There is no kind for passwords or cards. */
export const SiteField = Schema.Struct({
  name: SiteKey,
  label: line(120),
  kind: FieldKind,
  is_required: Schema.Boolean,
  choices: list(line(120), 30)
})
export type SiteField = typeof SiteField.Type

const Item = Schema.Struct({ title: Title, text: Prose })

const block = <Kind extends string, F extends Schema.Struct.Fields>(kind: Kind, fields: F) =>
  Schema.TaggedStruct(kind, { id: SiteKey, ...fields })

export const SiteBlock = Schema.Union(
  block("Hero", {
    title: Title,
    text: Prose,
    actions: list(SiteLink, 2),
    picture: Schema.NullOr(ShownPicture)
  }),
  block("Prose", { title: Title, text: Prose, picture: Schema.NullOr(ShownPicture) }),
  block("Features", { title: Title, text: Prose, items: list(Item, 12) }),
  block("Steps", { title: Title, items: list(Item, 8) }),
  /** Numbers that the material has. */
  block("Figures", { title: Title, items: list(Schema.Struct({ value: line(30), label: line(120) }), 6) }),
  /** Words of named clients that the material has. */
  block("Quotes", {
    title: Title,
    items: list(Schema.Struct({ words: line(600), name: line(120), role: line(160) }), 6)
  }),
  block("Clients", { title: Title, names: list(line(120), 24) }),
  block("Prices", {
    title: Title,
    items: list(Schema.Struct({ name: line(120), price: line(60), text: Prose, includes: list(line(200), 12) }), 24)
  }),
  block("Questions", { title: Title, items: list(Schema.Struct({ question: line(300), answer: Prose }), 20) }),
  block("People", {
    title: Title,
    items: list(Schema.Struct({ name: line(120), role: line(160), text: Prose }), 12)
  }),
  block("Gallery", { title: Title, pictures: list(ShownPicture, 12) }),
  block("Contact", {
    title: Title,
    text: Prose,
    email: Schema.NullOr(line(254)),
    phone: Schema.NullOr(line(20)),
    address: Schema.NullOr(line(300)),
    hours: Schema.NullOr(line(300)),
    links: list(SiteLink, 6)
  }),
  block("CallToAction", { title: Title, text: Prose, actions: list(SiteLink, 2) }),
  /** A form that stores: into the leads on a capture page, else into a collection of the site. */
  block("Form", {
    title: Title,
    text: Prose,
    fields: list(SiteField, 12),
    submit: line(60),
    thanks: Item,
    collection: Schema.NullOr(SiteKey)
  }),
  /** Records of a collection: all that are public, or those of the visitor who is signed in. */
  block("Records", { title: Title, text: Prose, collection: SiteKey, shows: Schema.Literal("public", "own") })
)
export type SiteBlock = typeof SiteBlock.Type

export const SitePage = Schema.Struct({
  id: SiteKey,
  /** Empty for the home page, else one part of a path. */
  path: Schema.String.pipe(Schema.pattern(/^(?:[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?)?$/)),
  /** In the navigation. */
  label: line(40),
  title: Title,
  description: line(300),
  blocks: list(SiteBlock, 24),
  /** Other openings of a capture page, in addition to `blocks` (variant `a`). */
  variants: list(Schema.Struct({ id: SiteKey, blocks: list(SiteBlock, 24) }), 3)
})
export type SitePage = typeof SitePage.Type

const Color = Schema.String.pipe(Schema.pattern(/^#[0-9a-f]{6}$/))

export const SiteTheme = Schema.Struct({
  layout: Schema.Literal("harbour", "atelier", "ledger", "meadow", "signal", "column", "split", "tiles"),
  /** The brand's colour as `#rrggbb`: the palette is built from it. */
  brand: Color,
  palette: Schema.Int.pipe(Schema.between(0, 9)),
  typefaces: Schema.Int.pipe(Schema.between(0, 3)),
  /** A second colour, if the owner named one. Otherwise the palette's is used. */
  accent: Schema.optional(Color),
  /** Colours of the page, of headings and of buttons, if the owner named them. */
  background: Schema.optional(Color),
  headings: Schema.optional(Color),
  buttons: Schema.optional(Color)
})
export type SiteTheme = typeof SiteTheme.Type

/** A picture that the site shows: what it is made of, so that the same order is made once. */
export const SitePicture = Schema.Struct({
  id: SiteKey,
  prompt: line(1000),
  shape: Schema.Literal("wide", "square", "tall")
})
export type SitePicture = typeof SitePicture.Type

/** What a site stores. */
export const SiteCollection = Schema.Struct({
  id: SiteKey,
  label: line(80),
  fields: list(SiteField, 20),
  /** Whether everybody sees its records in a list. */
  is_public: Schema.Boolean
})
export type SiteCollection = typeof SiteCollection.Type

/** The questions about material that was not read with certainty. */
export const OpenQuestion = Schema.Literal("name", "offer", "contact", "foreign", "unclear", "fields")
export type OpenQuestion = typeof OpenQuestion.Type

export const Site = Schema.Struct({
  /** As BCP 47, lower-case: `pt-br`. */
  language: Schema.String.pipe(Schema.pattern(/^[a-z]{2}-[a-z]{2}$/)),
  /** The business or brand. */
  name: line(120),
  tagline: line(200),
  theme: SiteTheme,
  pages: Schema.Array(SitePage).pipe(Schema.minItems(1), Schema.maxItems(8)),
  pictures: list(SitePicture, 24),
  collections: list(SiteCollection, 8),
  /** Questions that the owner has not answered yet. Until then the site is not shown to visitors. */
  questions: Schema.optional(Schema.Array(OpenQuestion)),
  /** The owner's sentences that the question about unclear sentences is about. */
  unclear: Schema.optional(list(line(200), 6)),
  /** The owner's statements about form fields that the question about fields is about. */
  unreadFields: Schema.optional(list(line(200), 6)),
  /** For a capture page, the campaign that its leads join, if the description names one. */
  campaign: Schema.NullOr(line(200))
})
export type Site = typeof Site.Type

/** Whether visitors do not see it yet: its owner is asked something first. */
export const isHeldBack = ({ questions = [] }: Pick<Site, "questions">): boolean => questions.length > 0
