import { fieldsFor } from "../Material/Fields/AskedForms.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteBlock, SiteCollection, SiteLink, SitePicture } from "../Site.ts"
import {
  type Block,
  offersHeading,
  type PageId,
  pictureFor,
  pricesHeading,
  subjectOf,
  type Workshop
} from "./SiteWorkshop.ts"

export const contactOf = (shop: Workshop): Block<"Contact"> | undefined => {
  const { read, words } = shop
  const { address, email, hours, links, phone } = read.contacts
  if (email === null && phone === null && address === null && hours === null && links.length === 0) return undefined
  return {
    _tag: "Contact",
    id: "contact",
    title:
      address !== null && (read.sector === "food" || read.sector === "shop" || read.sector === "lodging")
        ? words.visit
        : words.contact,
    text: "",
    email,
    phone,
    address,
    hours,
    links
  }
}

export const formOf = (shop: Workshop): Block<"Form"> | undefined => {
  const { isCapture, material, purpose, read, words } = shop
  if (purpose === undefined) return undefined
  const form = words.forms[purpose]
  return {
    _tag: "Form",
    id: "form",
    title: form.title,
    text: "",
    fields: fieldsFor(
      purpose,
      `${material.description}\n${material.guidelines}`,
      read.wishes,
      words,
      read.offers.map(({ title }) => title),
      isCapture
    ),
    submit: isCapture ? read.button || form.submit : form.submit,
    thanks: { title: form.thanksTitle, text: form.thanks },
    collection: isCapture ? null : "requests"
  }
}

/** Buttons: what the site wants of visitors first, then where they can read on. */
export const actionsTo = (
  shop: Workshop,
  blocks: ReadonlyMap<string, PageId>,
  forOffers: string | undefined
): ReadonlyArray<SiteLink> => {
  const { read, words } = shop
  const { email, phone } = read.contacts
  const form = blocks.get("form")
  const links: ReadonlyArray<SiteLink | undefined> = [
    form === undefined || shop.purpose === undefined
      ? undefined
      : {
          label: read.button || words.forms[shop.purpose].submit,
          target: { _tag: "Block", page: form, block: "form" }
        },
    phone === null ? undefined : { label: read.button || words.call, target: { _tag: "Phone", number: phone } },
    email === null ? undefined : { label: read.button || words.write, target: { _tag: "Mail", address: email } }
  ]
  const first = links.filter((link) => link !== undefined).slice(0, 1)
  const offers = forOffers === undefined ? undefined : blocks.get(forOffers)
  const heading = forOffers === "prices" ? pricesHeading(shop) : offersHeading(shop)
  // "From our kitchen" is no thing that can be seen.
  const isPhrase =
    forOffers === "offers" && read.offersLabel === "" && ["food", "event", "nonprofit", "lodging"].includes(read.sector)
  return [
    ...first,
    ...(offers === undefined || forOffers === undefined || heading.length > 24
      ? []
      : [
          {
            label: isPhrase ? words.more : words.seeOffers(heading),
            target: { _tag: "Block", page: offers, block: forOffers }
          } as const
        ])
  ]
}

const proseOf = (
  shop: Workshop,
  statements: ReadonlyArray<string>,
  picture: string | undefined
): Block<"Prose"> | undefined => {
  if (statements.length === 0) return undefined
  const { read, words } = shop
  // Two sentences a paragraph.
  const paragraphs: Array<string> = []
  for (let at = 0; at < statements.length; at += 2) paragraphs.push(statements.slice(at, at + 2).join(" "))
  return {
    _tag: "Prose",
    id: "about",
    title: words.aboutTitle,
    text: within(paragraphs.join("\n\n"), 4000),
    picture:
      picture === undefined ? null : { picture, alt: words.illustration(within(subjectOf({ ...shop, read }), 200)) }
  }
}

export type SectionName =
  | "offers"
  | "benefits"
  | "steps"
  | "figures"
  | "prices"
  | "quotes"
  | "clients"
  | "people"
  | "about"
  | "questions"
  | "gallery"
  | "records"

export const asksGallery = /\b(?:galeria|gallery|fotos|photos|imagens)\b/

/** Sections of items, if the material has enough of them. */
const listSections = ({ read, words }: Workshop, least: number): ReadonlyArray<readonly [SectionName, SiteBlock]> => [
  ...(read.steps.length >= least
    ? [
        [
          "steps",
          {
            _tag: "Steps",
            id: "steps",
            title: read.sector === "event" ? words.programme : words.steps,
            items: read.steps
          }
        ] as const
      ]
    : []),
  ...(read.figures.length >= least
    ? [["figures", { _tag: "Figures", id: "figures", title: words.figures, items: read.figures }] as const]
    : [])
]

const clientsTitle = ({ read, words }: Workshop): string => {
  if (read.clientsLabel !== "" && read.clientsLabel.length <= 40) return read.clientsLabel
  return read.sector === "event" ? words.partners : words.clients
}

/** Sections about offers. */
const offerSections = (shop: Workshop): ReadonlyArray<readonly [SectionName, SiteBlock]> => {
  const { read, words } = shop
  const features = (id: "offers" | "benefits", title: string, items: typeof read.benefits) =>
    items.length === 0 ? [] : [[id, { _tag: "Features", id, title, text: "", items }] as const]
  return [
    ...features("offers", offersHeading(shop), read.offers.slice(0, 12)),
    ...features("benefits", words.benefits, read.benefits)
  ]
}

/** Sections about people, prices and questions. */
const trustSections = (shop: Workshop, least: number): ReadonlyArray<readonly [SectionName, SiteBlock]> => {
  const { read, words } = shop
  const speakers = read.sector === "event" ? words.speakers : words.people
  const { clients, people, prices, questions, quotes } = read
  const section = (name: SectionName, has: boolean, block: SiteBlock) => (has ? [[name, block] as const] : [])
  return [
    ...section("prices", prices.length > 0, {
      _tag: "Prices",
      id: "prices",
      title: pricesHeading(shop),
      items: prices
    }),
    ...section("quotes", quotes.length > 0, { _tag: "Quotes", id: "quotes", title: words.quotes, items: quotes }),
    ...section("clients", clients.length >= least, {
      _tag: "Clients",
      id: "clients",
      title: clientsTitle(shop),
      names: clients
    }),
    ...section("people", people.length > 0, { _tag: "People", id: "people", title: speakers, items: people }),
    ...section("questions", questions.length > 0, {
      _tag: "Questions",
      id: "questions",
      title: words.questions,
      items: questions
    })
  ]
}

/** Pictures that are made would pass for works of a portfolio. */
const wantsGallery = ({ read }: Workshop): boolean =>
  asksGallery.test(read.wishes) && read.offers.length >= 3 && read.sector !== "portfolio"

const galleryOf = (shop: Workshop, pictures: Array<SitePicture>): SiteBlock => {
  const { read, words } = shop
  const shown = read.offers.slice(0, 6)
  shown.forEach(({ title }, index) => {
    pictures.push(pictureFor(shop, `gallery-${index + 1}`, index % 3 === 1 ? "tall" : "square", title))
  })
  return {
    _tag: "Gallery",
    id: "gallery",
    title: words.gallery,
    pictures: shown.map(({ title }, index) => ({ picture: `gallery-${index + 1}`, alt: words.illustration(title) }))
  }
}

const picturedLayouts: ReadonlySet<string> = new Set(["harbour", "atelier", "meadow"])

/** The blocks that the material fills, without those at the top and the end. */
export const sectionsOf = (
  shop: Workshop,
  spare: ReadonlyArray<string>,
  pictures: Array<SitePicture>,
  least = 2
): ReadonlyMap<SectionName, SiteBlock> => {
  const { theme } = shop
  const sections = new Map([...offerSections(shop), ...listSections(shop, least), ...trustSections(shop, least)])
  const isPictured = spare.length > 1 && picturedLayouts.has(theme.layout)
  const prose = proseOf(shop, spare, isPictured ? "about-picture" : undefined)
  if (prose !== undefined) {
    sections.set("about", prose)
    const shape = theme.layout === "meadow" ? "square" : "wide"
    if (isPictured) pictures.push(pictureFor(shop, "about-picture", shape, spare[0] ?? ""))
  }
  if (wantsGallery(shop)) sections.set("gallery", galleryOf(shop, pictures))
  return sections
}

const publicList =
  /\b(?:lista publica|mural|listagem publica|public list|public board|guest ?book|livro de visitas|directory|diretorio|listado publico|recados)\b/
const ownList =
  /\b(?:area do cliente|area do aluno|client area|customer area|login|log in|sign in|minhas? (?:reservas|pedidos|inscricoes)|(?:ver|see|view|acompanhar) (?:as |os |their |suas |seus |sus )(?:own )?(?:\w+ )?(?:reservas|pedidos|bookings|orders|agendamentos|inscricoes)|area de clientes)\b/

/** Lists of what the site stores, where the description asks for them. */
export const storesOf = (
  shop: Workshop,
  form: Block<"Form"> | undefined
): { readonly blocks: ReadonlyArray<SiteBlock>; readonly collections: ReadonlyArray<SiteCollection> } => {
  const { isCapture, material, purpose, read, words } = shop
  if (form === undefined || isCapture || purpose === undefined) return { blocks: [], collections: [] }
  const wantsPublic = material.storesData && publicList.test(read.wishes)
  const wantsOwn = material.storesData && ownList.test(read.wishes)
  const label = words.forms[purpose].collection
  return {
    collections: [{ id: "requests", label, fields: form.fields, is_public: wantsPublic }],
    blocks: [
      ...(wantsPublic
        ? [
            {
              _tag: "Records",
              id: "records",
              title: words.entries,
              text: "",
              collection: "requests",
              shows: "public"
            } as const
          ]
        : []),
      ...(wantsOwn
        ? [
            {
              _tag: "Records",
              id: "own-records",
              title: words.entriesOwn,
              text: "",
              collection: "requests",
              shows: "own"
            } as const
          ]
        : [])
    ]
  }
}
