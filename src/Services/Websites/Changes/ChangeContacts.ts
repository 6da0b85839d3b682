import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { addressIn, mailIn, phonesIn, siteLinksIn, tellsHours } from "../Material/MaterialContacts.ts"
import { capitalised, within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { allBlocks, type Block, blocksOfKind } from "./ChangeTargets.ts"
import { adds, done, newValue, only, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

/** The contact details that a sentence changes. */
interface NewContacts {
  readonly phone: string | undefined
  readonly email: string | undefined
  readonly address: string | undefined
  readonly hours: string | undefined
  readonly link: Block<"Contact">["links"][number] | undefined
}

const hoursIn = (clause: string, folded: string): string | undefined => {
  // "We opened in 1998" says no hours.
  const isAboutHours =
    /\b(?:horarios?|hours|funcionamento)\b/.test(folded) ||
    (/\b(?:abert[oa]|abrimos|open|abierto)\b/.test(folded) && tellsHours(clause))
  if (!isAboutHours || !/\d/.test(clause)) return undefined
  return newValue(clause) ?? (tellsHours(clause) ? clause : undefined)
}

const contactsIn = (clause: string): NewContacts | undefined => {
  const folded = fold(clause)
  const email = mailIn(clause)
  const isAboutAddress = /\b(?:endereco|address|direccion|localizacao|location|ubicacion|mudamos|moved)\b/.test(folded)
  const address = isAboutAddress ? (addressIn(clause) ?? newValue(clause)) : undefined
  const hours = hoursIn(clause, folded)
  // Digits in hours are no number.
  const phone = hours === undefined ? phonesIn(clause)[0] : undefined
  const isAboutLink =
    /\b(?:link|instagram|facebook|linkedin|youtube|tiktok|whatsapp|redes?|perfil|profile|enlace|site)\b/.test(folded)
  const link = isAboutLink && email === undefined ? siteLinksIn(clause)[0] : undefined
  const isAny = [phone, email, address, hours, link].some((value) => value !== undefined)
  return isAny ? { phone, email, address, hours, link } : undefined
}

const withContacts = (
  block: Block<"Contact">,
  { address, email, hours, link, phone }: NewContacts
): Block<"Contact"> => ({
  ...block,
  ...(phone === undefined ? {} : { phone }),
  ...(email === undefined ? {} : { email }),
  ...(address === undefined ? {} : { address: within(address, 300) }),
  ...(hours === undefined ? {} : { hours: within(capitalised(hours), 300) }),
  ...(link === undefined ? {} : { links: [...block.links.filter(({ label }) => label !== link.label), link].slice(-6) })
})

const contactNotes = (
  notes: Parameters<Reader>[1]["notes"],
  { address, email, hours, link, phone }: NewContacts
): ReadonlyArray<string> => [
  ...(phone === undefined ? [] : [notes.contact(notes.phone, phone)]),
  ...(email === undefined ? [] : [notes.contact(notes.email, email)]),
  ...(address === undefined ? [] : [notes.contact(notes.address, within(address, 300))]),
  ...(hours === undefined ? [] : [notes.contact(notes.hours, within(hours, 300))]),
  ...(link === undefined ? [] : [notes.contact(notes.link, link.label)])
]

/** Buttons that lead to a detail that changed lead to the new one. */
const buttonChanges = (site: Site, before: Block<"Contact"> | undefined, { email, phone }: NewContacts) =>
  allBlocks(site).flatMap(({ block, page }) => {
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.map((action) =>
      action.target._tag === "Phone" && phone !== undefined && action.target.number === before?.phone
        ? { ...action, target: { ...action.target, number: phone } }
        : action.target._tag === "Mail" && email !== undefined && action.target.address === before?.email
          ? { ...action, target: { ...action.target, address: email } }
          : action
    )
    return JSON.stringify(actions) === JSON.stringify(block.actions)
      ? []
      : [replaceBlock({ block, page }, { ...block, actions })]
  })

export const contact: Reader = (clause, { notes, site }) => {
  const contacts = removes.test(fold(clause)) ? undefined : contactsIn(clause)
  if (contacts === undefined) return undefined
  const changes = contactNotes(notes, contacts)
  const blocks = blocksOfKind(site, "Contact")
  const [first] = blocks
  if (first !== undefined) {
    return {
      notes: changes,
      operations: [
        ...blocks.map((each) => replaceBlock(each, withContacts(each.block, contacts))),
        ...buttonChanges(site, first.block, contacts)
      ]
    }
  }
  const page = site.pages.at(-1)
  if (page === undefined) return undefined
  const empty: Block<"Contact"> = {
    _tag: "Contact",
    id: "contact",
    title: siteWords[languageOf(site.language)].contact,
    text: "",
    email: null,
    phone: null,
    address: null,
    hours: null,
    links: []
  }
  const after = page.blocks.at(-1)?.id ?? null
  return {
    notes: changes,
    operations: [{ _tag: "AddBlock", page: page.id, after, block: withContacts(empty, contacts) }]
  }
}

const sumsOfMoney =
  /(?:R\$|US\$|€|£|\$)\s?\d[\d.,]{0,14}\d?(?:\s?\/\s?\p{L}{1,8}|\s(?:por|per|al|a) \p{L}{1,8})?|\d[\d.,]{0,14}\s?(?:reais|euros?|dólares|dollars|pesos)\b/giu

export const price: Reader = (clause, { notes, site }) => {
  const sums = [...clause.matchAll(sumsOfMoney)].map(([sum]) => withoutEnd(sum, ".,").trim())
  const value = sums.at(-1)
  if (value === undefined || adds.test(fold(clause))) return undefined
  const folded = fold(clause)
  const named = blocksOfKind(site, "Prices")
    .flatMap((placed) => placed.block.items.map((item) => ({ placed, item })))
    .filter(({ item }) => folded.includes(fold(item.name)))
    .toSorted((one, other) => other.item.name.length - one.item.name.length)[0]
  // The last sum is the new one: "from R$ 20 to R$ 25".
  if (named === undefined) return only(notes.notFound(within(clause, 160)))
  const { item, placed } = named
  const per = /\s(?:por|per|al)\s\p{L}+$|\s?\/\s?\p{L}+$/u.exec(item.price)?.[0] ?? ""
  const told = within(value.endsWith(per) || /\/|\s(?:por|per|al|a)\s/.test(value) ? value : `${value}${per}`, 60)
  return done(
    notes.price(item.name, told),
    replaceBlock(placed, {
      ...placed.block,
      items: placed.block.items.map((each) => (each === item ? { ...each, price: told } : each))
    })
  )
}
