import type { ReadMaterial } from "../Material/MaterialReader.ts"
import { keyFor, within } from "../Material/MaterialText.ts"
import type { SiteBlock, SitePage } from "../Site.ts"
import { actionsTo, type SectionName } from "./SiteSections.ts"
import { homeTitle, type PageId, pricesHeading, type Workshop } from "./SiteWorkshop.ts"

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

const singlePage =
  /\b(?:uma (?:unica |so )?pagina|pagina unica|one[- ]page|single[- ]page|una (?:sola )?pagina|landing)\b/
const severalPages = /\b(?:varias paginas|paginas separadas|multi-?page|several pages|separate pages|paginas:|pages:)/

const weightOf = (sections: ReadonlyMap<SectionName, SiteBlock>, { offers, statements }: ReadMaterial): number =>
  sections.size + (statements.length > 5 ? 1 : 0) + (offers.filter(({ text }) => text !== "").length > 3 ? 1 : 0)

/** The page that each section is on, if a site has several. */
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

export const descriptionFrom = (...texts: ReadonlyArray<string>): string =>
  within(texts.find((text) => text.trim() !== "") ?? "", 155)

const orderFor = (sector: Workshop["read"]["sector"]): ReadonlyArray<SectionName> => [
  ...new Set([...(orders[sector] ?? usualOrder), ...usualOrder, "records" as const])
]

/** The page of a section. Only what fills a separate page gets one. */
const pageWithRoom = (name: SectionName, sections: ReadonlyMap<SectionName, SiteBlock>): PageId => {
  const page = pageFor[name]
  const offerSections = (["steps", "benefits"] as const).filter((each) => sections.has(each))
  return page === "offers" && offerSections.length < 2 && !sections.has("prices") ? "home" : page
}

/** The blocks of the home page with the call to action at their end. On a single page it comes before the contact. */
const withCall = (
  blocks: ReadonlyArray<SiteBlock>,
  call: SiteBlock | undefined,
  isMulti: boolean,
  last: ReadonlyArray<SiteBlock>
): ReadonlyArray<SiteBlock> => {
  if (call === undefined) return blocks
  if (isMulti) return [...blocks, call]
  return last[0]?._tag === "Contact" ? [...blocks.filter((block) => !last.includes(block)), call, ...last] : blocks
}

/** Home, and the pages that the sections need. */
export const pagesOf = (
  shop: Workshop,
  hero: (blocks: ReadonlyMap<string, PageId>) => SiteBlock,
  sections: ReadonlyMap<SectionName, SiteBlock>,
  last: ReadonlyArray<SiteBlock>
): ReadonlyArray<SitePage> => {
  const { read, words } = shop
  const isMulti = !singlePage.test(read.wishes) && (severalPages.test(read.wishes) || weightOf(sections, read) >= 6)
  const placed = new Map<string, PageId>()
  const blocks: { readonly [P in PageId]: Array<SiteBlock> } = { home: [], offers: [], about: [], contact: [] }
  const place = (block: SiteBlock, page: PageId): void => {
    blocks[page].push(block)
    placed.set(block.id, page)
  }
  for (const name of orderFor(read.sector)) {
    const block = sections.get(name)
    if (block !== undefined) place(block, isMulti ? pageWithRoom(name, sections) : "home")
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
    blocks: [hero(placed), ...withCall(blocks.home, isCalling ? call : undefined, isMulti, last)],
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
