import { fold, shareOf } from "../Text/PlainText.ts"
import { fieldsFor, isSecret, purposeIn } from "./AskedForms.ts"
import { type ReadMaterial, readMaterial } from "./MaterialReader.ts"
import { keyFor, within } from "./MaterialText.ts"
import type { Site, SiteBlock, SiteCollection, SiteLink, SitePage, SitePicture, SiteTheme } from "./Site.ts"
import { type FormPurpose, type SiteWords, siteWords } from "./SitePhrases.ts"
import type { SiteMaterial } from "./SiteWriter.ts"
import { themeFor } from "./ThemeChoice.ts"

type Block<Tag extends SiteBlock["_tag"]> = Extract<SiteBlock, { readonly _tag: Tag }>
type PageId = "home" | "offers" | "about" | "contact"

/** What the parts of one site are made of. */
interface Workshop {
  readonly material: SiteMaterial
  readonly read: ReadMaterial
  readonly words: SiteWords
  readonly theme: SiteTheme
  readonly purpose: FormPurpose | undefined
  readonly isCapture: boolean
  readonly seed: string
}

const shareFor = ({ seed }: Workshop, of: string): number => shareOf(`${seed}\n${of}`)

const joined = (items: ReadonlyArray<string>, and: string): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1) ?? ""}`

/** In the middle of a sentence: a word that only its place made begin large is small again. */
const lowered = (text: string): string =>
  /^\p{Lu}[\p{Ll}]/u.test(text) ? text.charAt(0).toLocaleLowerCase() + text.slice(1) : text

const offersHeading = ({ read, words }: Workshop): string => {
  const said = read.offersLabel
  return said !== "" && said.length <= 32 ? said : (words.offers[read.sector] ?? words.services)
}

const pricesHeading = ({ read, words }: Workshop): string => {
  if (read.pricesLabel !== "" && read.pricesLabel.length <= 32) return read.pricesLabel
  if (read.sector === "food") return words.menu
  return read.prices.some(({ includes }) => includes.length > 0) ? words.plans : words.prices
}

/** "Breads, cakes and coffee". */
const offersAsTitle = ({ read, words }: Workshop): string => {
  const titles = read.offers.map(({ title }) => title).slice(0, 3)
  const text = joined(
    titles.map((title, index) => (index === 0 ? title : lowered(title))),
    words.and
  )
  return titles.length >= 2 && text.length <= 90 ? text : ""
}

interface Opening {
  readonly title: string
  readonly text: string
  /** Statements that stand in it, so that no other block says them again. */
  readonly used: ReadonlyArray<string>
}

const openingOf = (shop: Workshop): Opening => {
  const { read } = shop
  const fromOffers = offersAsTitle(shop)
  const isBare = read.statements.length === 0 && read.offers.length === 0
  const title = read.slogan || (isBare ? "" : read.about || fromOffers) || nameOf(shop)
  const used: Array<string> = []
  for (const statement of read.statements) {
    if (used.length === 2 || [...used, statement].join(" ").length > 250) break
    if (statement !== title) used.push(statement)
  }
  if (used.length > 0) return { title: within(title, 160), text: used.join(" "), used }
  const second =
    title !== read.about && read.about !== ""
      ? `${read.about}.`
      : title === fromOffers || fromOffers === ""
        ? ""
        : `${fromOffers}.`
  return { title: within(title, 160), text: second, used: [] }
}

const subjectOf = ({ read, words }: Workshop): string =>
  read.about ||
  joined(
    read.offers.slice(0, 2).map(({ title }) => title),
    words.and
  ) ||
  words.kinds[read.sector]

const pictureFor = (shop: Workshop, id: string, shape: SitePicture["shape"], of: string): SitePicture => ({
  id,
  prompt: within(
    `${of}. ${subjectOf(shop)}. ${shop.read.offers
      .slice(0, 3)
      .map(({ title }) => title)
      .join(", ")}. No text. Colors ${shop.theme.brand}.`,
    1000
  ),
  shape
})

const heroShapes: { readonly [L in SiteTheme["layout"]]: readonly [shape: SitePicture["shape"], share: number] } = {
  harbour: ["wide", 0.85],
  atelier: ["wide", 0.9],
  ledger: ["tall", 0.5],
  meadow: ["square", 0.9],
  signal: ["wide", 0.5],
  column: ["wide", 0.6]
}

const contactOf = (shop: Workshop): Block<"Contact"> | undefined => {
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

const formOf = (shop: Workshop): Block<"Form"> | undefined => {
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
    submit: form.submit,
    thanks: { title: form.thanksTitle, text: form.thanks },
    collection: isCapture ? null : "requests"
  }
}

/** Buttons: what the site wants of visitors first, then where they can read on. */
const actionsTo = (
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
      : { label: words.forms[shop.purpose].submit, target: { _tag: "Block", page: form, block: "form" } },
    phone === null ? undefined : { label: words.call, target: { _tag: "Phone", number: phone } },
    email === null ? undefined : { label: words.write, target: { _tag: "Mail", address: email } }
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
  for (let at = 0; at < Math.min(statements.length, 10); at += 2)
    paragraphs.push(statements.slice(at, at + 2).join(" "))
  return {
    _tag: "Prose",
    id: "about",
    title: words.aboutTitle,
    text: within(paragraphs.join("\n\n"), 4000),
    picture:
      picture === undefined ? null : { picture, alt: words.illustration(within(subjectOf({ ...shop, read }), 200)) }
  }
}

type SectionName =
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

const orders: { readonly [S in ReadMaterial["sector"]]?: ReadonlyArray<SectionName> } = {
  food: ["offers", "prices", "about", "gallery", "quotes", "people", "benefits", "questions"],
  legal: ["about", "offers", "figures", "people", "steps", "benefits", "quotes", "clients", "questions"],
  finance: ["offers", "about", "figures", "steps", "benefits", "people", "prices", "clients", "quotes", "questions"],
  portfolio: ["offers", "gallery", "about", "clients", "figures", "steps", "prices", "quotes", "questions"],
  event: ["about", "figures", "offers", "steps", "people", "prices", "clients", "benefits", "quotes", "questions"],
  software: ["clients", "offers", "figures", "steps", "benefits", "prices", "quotes", "about", "people", "questions"],
  nonprofit: ["about", "figures", "offers", "steps", "people", "quotes", "clients", "questions"],
  lodging: ["about", "offers", "gallery", "prices", "benefits", "quotes", "questions"]
}
const usualOrder: ReadonlyArray<SectionName> = [
  "offers",
  "benefits",
  "figures",
  "steps",
  "about",
  "prices",
  "people",
  "quotes",
  "clients",
  "gallery",
  "questions"
]

const asksGallery = /\b(?:galeria|gallery|fotos|photos|imagens)\b/

/** The blocks that the material fills, without those at the top and the end. */
const sectionsOf = (
  shop: Workshop,
  spare: ReadonlyArray<string>,
  pictures: Array<SitePicture>,
  least = 2
): ReadonlyMap<SectionName, SiteBlock> => {
  const { read, theme, words } = shop
  const sections = new Map<SectionName, SiteBlock>()
  if (read.offers.length > 0)
    sections.set("offers", {
      _tag: "Features",
      id: "offers",
      title: offersHeading(shop),
      text: "",
      items: read.offers.slice(0, 12)
    })
  if (read.benefits.length > 0)
    sections.set("benefits", {
      _tag: "Features",
      id: "benefits",
      title: words.benefits,
      text: "",
      items: read.benefits
    })
  if (read.steps.length >= least)
    sections.set("steps", {
      _tag: "Steps",
      id: "steps",
      title: read.sector === "event" ? words.programme : words.steps,
      items: read.steps
    })
  if (read.figures.length >= least)
    sections.set("figures", { _tag: "Figures", id: "figures", title: words.figures, items: read.figures })
  if (read.prices.length > 0)
    sections.set("prices", { _tag: "Prices", id: "prices", title: pricesHeading(shop), items: read.prices })
  if (read.quotes.length > 0)
    sections.set("quotes", { _tag: "Quotes", id: "quotes", title: words.quotes, items: read.quotes })
  if (read.clients.length >= least)
    sections.set("clients", {
      _tag: "Clients",
      id: "clients",
      title:
        read.clientsLabel !== "" && read.clientsLabel.length <= 40
          ? read.clientsLabel
          : read.sector === "event"
            ? words.partners
            : words.clients,
      names: read.clients
    })
  if (read.people.length > 0)
    sections.set("people", {
      _tag: "People",
      id: "people",
      title: read.sector === "event" ? words.speakers : words.people,
      items: read.people
    })
  if (read.questions.length > 0)
    sections.set("questions", { _tag: "Questions", id: "questions", title: words.questions, items: read.questions })
  const isPictured =
    spare.length > 1 && (theme.layout === "harbour" || theme.layout === "atelier" || theme.layout === "meadow")
  const prose = proseOf(shop, spare, isPictured ? "about-picture" : undefined)
  if (prose !== undefined) {
    sections.set("about", prose)
    if (isPictured)
      pictures.push(pictureFor(shop, "about-picture", theme.layout === "meadow" ? "square" : "wide", spare[0] ?? ""))
  }
  // Pictures that are made would pass for works of a portfolio.
  if (asksGallery.test(read.wishes) && read.offers.length >= 3 && read.sector !== "portfolio") {
    const shown = read.offers.slice(0, 6)
    shown.forEach(({ title }, index) => {
      pictures.push(pictureFor(shop, `gallery-${index + 1}`, index % 3 === 1 ? "tall" : "square", title))
    })
    sections.set("gallery", {
      _tag: "Gallery",
      id: "gallery",
      title: words.gallery,
      pictures: shown.map(({ title }, index) => ({ picture: `gallery-${index + 1}`, alt: words.illustration(title) }))
    })
  }
  return sections
}

const publicList =
  /\b(?:lista publica|mural|listagem publica|public list|public board|guest ?book|livro de visitas|directory|diretorio|listado publico|recados)\b/
const ownList =
  /\b(?:area do cliente|area do aluno|client area|customer area|login|log in|sign in|minhas? (?:reservas|pedidos|inscricoes)|(?:ver|see|view|acompanhar) (?:as |os |their |suas |seus |sus )(?:own )?(?:\w+ )?(?:reservas|pedidos|bookings|orders|agendamentos|inscricoes)|area de clientes)\b/

/** Lists of what the site stores, where the description asks for them. */
const storesOf = (
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

const singlePage =
  /\b(?:uma (?:unica |so )?pagina|pagina unica|one[- ]page|single[- ]page|una (?:sola )?pagina|landing)\b/
const severalPages = /\b(?:varias paginas|paginas separadas|multi-?page|several pages|separate pages|paginas:|pages:)/

const weightOf = (sections: ReadonlyMap<SectionName, SiteBlock>, { offers, statements }: ReadMaterial): number =>
  sections.size + (statements.length > 5 ? 1 : 0) + (offers.filter(({ text }) => text !== "").length > 3 ? 1 : 0)

/** Which page each section stands on, where a site has several. */
const pageFor: { readonly [S in SectionName]: PageId } = {
  offers: "home",
  benefits: "offers",
  steps: "offers",
  figures: "home",
  prices: "offers",
  quotes: "home",
  clients: "home",
  people: "about",
  about: "about",
  questions: "contact",
  gallery: "home",
  records: "contact"
}

const descriptionFrom = (...texts: ReadonlyArray<string>): string =>
  within(texts.find((text) => text.trim() !== "") ?? "", 155)

export const campaignIn = ({ campaigns, description }: SiteMaterial): string | null => {
  const folded = fold(description)
  const named = campaigns.filter((campaign) => campaign.trim().length > 2 && folded.includes(fold(campaign.trim())))
  return named.toSorted((one, other) => other.length - one.length)[0] ?? null
}

export interface ComposedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
}

const nameOf = ({ read, words }: Workshop): string => within(read.name || read.about || words.kinds[read.sector], 120)

const homeTitle = (shop: Workshop): string => {
  const name = nameOf(shop)
  const { about, slogan } = shop.read
  const more = about || slogan
  return more === "" || name.includes(more) ? name : within(`${name} · ${more}`, 90)
}

const notesOf = (shop: Workshop, pages: ReadonlyArray<SitePage>, isSparse: boolean): ReadonlyArray<string> => {
  const { isCapture, material, read, words } = shop
  const { notes } = words
  const hasContact = contactOf(shop) !== undefined
  return [
    notes.pages(pages.length, pages.map(({ label }) => label).join(", ")),
    ...(read.name === "" ? [notes.noName] : []),
    ...(hasContact || isCapture ? [] : [notes.noContact]),
    ...(read.sector === "portfolio" && asksGallery.test(read.wishes) ? [notes.ownPictures] : []),
    ...(isSparse ? [notes.sparse] : []),
    ...(read.foreign > 0 ? [notes.foreign(read.foreign)] : []),
    ...(isSecret(material.description) && shop.purpose !== undefined ? [notes.notStored] : [])
  ]
}

const composeCapture = (shop: Workshop): ComposedSite => {
  const { material, read, theme, words } = shop
  const pictures: Array<SitePicture> = []
  const opening = openingOf(shop)
  const spare = read.statements.filter((statement) => !opening.used.includes(statement))
  const form = formOf({ ...shop, purpose: shop.purpose ?? "lead" })
  const sections = sectionsOf(shop, spare, pictures)
  const [shape, share] = heroShapes[theme.layout]
  const isPictured = shareFor(shop, "hero") < share
  if (isPictured) pictures.unshift(pictureFor(shop, "hero-picture", shape, opening.title))
  const hero: SiteBlock = {
    _tag: "Hero",
    id: "hero",
    title: opening.title,
    text: opening.text,
    actions: form === undefined ? [] : [{ label: form.submit, target: { _tag: "Block", page: "home", block: "form" } }],
    picture: isPictured ? { picture: "hero-picture", alt: words.illustration(within(subjectOf(shop), 200)) } : null
  }
  const order: ReadonlyArray<SectionName> = [
    "offers",
    "benefits",
    "steps",
    "figures",
    "prices",
    "quotes",
    "clients",
    "people",
    "about"
  ]
  const before = order.map((name) => sections.get(name)).filter((block) => block !== undefined)
  // What is short stands before the form, so that it is read; of what is long only the first.
  const ahead = before.length <= 2 ? before : before.slice(0, 1)
  const behind = before.slice(ahead.length)
  const questions = sections.get("questions")
  const blocks = [
    hero,
    ...ahead,
    ...(form === undefined ? [] : [form]),
    ...behind,
    ...(questions === undefined ? [] : [questions])
  ]
  const page: SitePage = {
    id: "home",
    path: "",
    label: words.home,
    title: homeTitle(shop),
    description: descriptionFrom(opening.text, opening.title),
    blocks,
    variants: []
  }
  return {
    site: {
      language: material.language,
      name: nameOf(shop),
      tagline: within(read.about || read.slogan, 200),
      theme,
      pages: [page],
      pictures,
      collections: [],
      campaign: campaignIn(material)
    },
    notes: notesOf(shop, [page], before.length === 0)
  }
}

/** Home, and the pages that the sections need. */
const pagesOf = (
  shop: Workshop,
  hero: (blocks: ReadonlyMap<string, PageId>) => SiteBlock,
  sections: ReadonlyMap<SectionName, SiteBlock>,
  last: ReadonlyArray<SiteBlock>
): ReadonlyArray<SitePage> => {
  const { read, words } = shop
  const order = [...(orders[read.sector] ?? usualOrder)]
  for (const name of [...usualOrder, "records" as const]) if (!order.includes(name)) order.push(name)
  const isMulti = !singlePage.test(read.wishes) && (severalPages.test(read.wishes) || weightOf(sections, read) >= 6)
  const placed = new Map<string, PageId>()
  const blocks: { readonly [P in PageId]: Array<SiteBlock> } = { home: [], offers: [], about: [], contact: [] }
  const place = (block: SiteBlock, page: PageId): void => {
    blocks[page].push(block)
    placed.set(block.id, page)
  }
  const offersFill = ["prices", "steps", "benefits"].filter((name) =>
    name === "prices" || name === "steps" || name === "benefits" ? sections.has(name) : false
  ).length
  for (const name of order) {
    const block = sections.get(name)
    if (block === undefined) continue
    // A page of its own only for what fills one.
    const wished = pageFor[name]
    const page = !isMulti || (wished === "offers" && offersFill < 2 && !sections.has("prices")) ? "home" : wished
    place(block, page)
  }
  for (const block of last) place(block, isMulti ? "contact" : "home")
  const described = (page: PageId): string =>
    descriptionFrom(...blocks[page].map((block) => ("text" in block ? block.text : "")), read.about)
  const action = actionsTo(shop, placed, undefined)
  // Behind long pages the visitor is asked once more.
  const isLong = isMulti || blocks.home.length >= 4
  const call: SiteBlock = {
    _tag: "CallToAction",
    id: "call",
    title: shop.purpose === undefined ? words.talk : words.forms[shop.purpose].title,
    text: read.contacts.hours?.split("\n")[0] ?? "",
    actions: action
  }
  const isCalling = isLong && action.length > 0
  const home: SitePage = {
    id: "home",
    path: "",
    label: words.home,
    title: homeTitle(shop),
    description: "",
    blocks: isMulti
      ? [hero(placed), ...blocks.home, ...(isCalling ? [call] : [])]
      : isCalling && last.length > 0 && last[0]?._tag === "Contact"
        ? [hero(placed), ...blocks.home.filter((block) => !last.includes(block)), call, ...last]
        : [hero(placed), ...blocks.home],
    variants: []
  }
  const page = (id: PageId, label: string): ReadonlyArray<SitePage> =>
    blocks[id].length === 0
      ? []
      : [
          {
            id,
            path: keyFor(label, []),
            label,
            title: label,
            description: described(id),
            blocks: blocks[id],
            variants: []
          }
        ]
  const offersLabel = sections.has("prices") ? pricesHeading(shop) : words.services
  return [
    home,
    ...page("offers", within(offersLabel, 40)),
    ...page("about", words.about),
    ...page("contact", words.contact)
  ]
}

const composeWebsite = (shop: Workshop): ComposedSite => {
  const { material, read, theme, words } = shop
  const pictures: Array<SitePicture> = []
  const opening = openingOf(shop)
  const spare = read.statements.filter((statement) => !opening.used.includes(statement))
  const [shape, share] = heroShapes[theme.layout]
  const isPictured = shareFor(shop, "hero") < share
  if (isPictured) pictures.push(pictureFor(shop, "hero-picture", shape, opening.title))
  const sections = sectionsOf(shop, spare, pictures)
  const form = formOf(shop)
  const contact = contactOf(shop)
  const stored = storesOf(shop, form)
  const offersBlock =
    read.prices.length > 0 && (read.offers.length === 0 || read.sector === "food") ? "prices" : "offers"
  const hero = (placed: ReadonlyMap<string, PageId>): SiteBlock => ({
    _tag: "Hero",
    id: "hero",
    title: opening.title,
    text: opening.text,
    actions: actionsTo(shop, placed, offersBlock),
    picture: isPictured ? { picture: "hero-picture", alt: words.illustration(within(subjectOf(shop), 200)) } : null
  })
  const last = [...stored.blocks, ...(form === undefined ? [] : [form]), ...(contact === undefined ? [] : [contact])]
  const pages = pagesOf(shop, hero, sections, last).map((page, index) =>
    index === 0 ? { ...page, description: descriptionFrom(opening.text, opening.title) } : page
  )
  return {
    site: {
      language: material.language,
      name: nameOf(shop),
      tagline: within(read.about || read.slogan, 200),
      theme,
      pages,
      pictures,
      collections: stored.collections,
      campaign: null
    },
    notes: notesOf(shop, pages, sections.size < 2)
  }
}

const shopOf = (material: SiteMaterial, theme?: SiteTheme): Workshop => {
  const read = readMaterial(material)
  const isCapture = material.type === "LeadCapturePage"
  const seed = `${read.name}\n${material.description}`
  // A visitor may be told of orders and bookings without a form being wanted.
  const asked = purposeIn(isCapture || material.storesData ? read.wishes : read.orders, read.sector)
  return {
    material,
    read,
    words: siteWords[read.language],
    theme: theme ?? themeFor(read.sector, seed, `${material.description}\n${material.guidelines}`),
    purpose: isCapture
      ? asked === undefined || asked === "contact"
        ? "lead"
        : asked
      : (asked ?? (material.storesData ? "contact" : undefined)),
    isCapture,
    seed
  }
}

/** The blocks that a material fills, without opening, form and contact: what a change can add. They show no pictures. */
export const sectionsFor = (material: SiteMaterial, theme: SiteTheme): ReadonlyArray<SiteBlock> => {
  const shop = shopOf(material, theme)
  return [...sectionsOf(shop, shop.read.statements, [], 1).values()]
    .filter(({ _tag }) => _tag !== "Gallery")
    .map((block) => (block._tag === "Prose" ? { ...block, picture: null } : block))
}

/** A site of what the material says, in its language. The same material gives the same site. */
export const composeSite = (material: SiteMaterial, theme?: SiteTheme): ComposedSite => {
  const shop = shopOf(material, theme)
  return shop.isCapture ? composeCapture(shop) : composeWebsite(shop)
}
