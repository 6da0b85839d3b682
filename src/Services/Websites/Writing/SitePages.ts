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

export const descriptionFrom = (...texts: ReadonlyArray<string>): string =>
  within(texts.find((text) => text.trim() !== "") ?? "", 155)

/** Home, and the pages that the sections need. */
export const pagesOf = (
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
