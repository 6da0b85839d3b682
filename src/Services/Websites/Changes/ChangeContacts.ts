import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { addressIn, mailIn, phonesIn, siteLinksIn, tellsHours } from "../Material/MaterialContacts.ts"
import { capitalised, within, withoutEnd } from "../Material/MaterialText.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { allBlocks, type Block, blocksOfKind } from "./ChangeTargets.ts"
import { adds, done, newValue, only, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

export const contact: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (removes.test(folded)) return undefined
  const [phone] = phonesIn(clause)
  const email = mailIn(clause)
  const speaksOfAddress = /\b(?:endereco|address|direccion|localizacao|location|ubicacion|mudamos|moved)\b/.test(folded)
  const address = speaksOfAddress ? (addressIn(clause) ?? newValue(clause)) : undefined
  // "We opened in 1998" says no hours.
  const speaksOfHours =
    /\b(?:horarios?|hours|funcionamento)\b/.test(folded) ||
    (/\b(?:abert[oa]|abrimos|open|abierto)\b/.test(folded) && tellsHours(clause))
  const hours =
    speaksOfHours && /\d/.test(clause) ? (newValue(clause) ?? (tellsHours(clause) ? clause : undefined)) : undefined
  const [link] =
    /\b(?:link|instagram|facebook|linkedin|youtube|tiktok|whatsapp|redes?|perfil|profile|enlace|site)\b/.test(folded) &&
    email === undefined
      ? siteLinksIn(clause)
      : []
  if (
    (phone === undefined || hours !== undefined) &&
    email === undefined &&
    address === undefined &&
    hours === undefined &&
    link === undefined
  )
    return undefined
  const phoneTold = hours === undefined ? phone : undefined
  const patch = (block: Block<"Contact">): Block<"Contact"> => ({
    ...block,
    ...(phoneTold === undefined ? {} : { phone: phoneTold }),
    ...(email === undefined ? {} : { email }),
    ...(address === undefined ? {} : { address: within(address, 300) }),
    ...(hours === undefined ? {} : { hours: within(capitalised(hours), 300) }),
    ...(link === undefined
      ? {}
      : { links: [...block.links.filter(({ label }) => label !== link.label), link].slice(-6) })
  })
  const told = [
    ...(phoneTold === undefined ? [] : [notes.contact(notes.phone, phoneTold)]),
    ...(email === undefined ? [] : [notes.contact(notes.email, email)]),
    ...(address === undefined ? [] : [notes.contact(notes.address, within(address, 300))]),
    ...(hours === undefined ? [] : [notes.contact(notes.hours, within(hours, 300))]),
    ...(link === undefined ? [] : [notes.contact(notes.link, link.label)])
  ]
  const there = blocksOfKind(site, "Contact")
  if (there.length === 0) {
    const page = site.pages.at(-1)
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
    return page === undefined
      ? undefined
      : {
          notes: told,
          operations: [{ _tag: "AddBlock", page: page.id, after: page.blocks.at(-1)?.id ?? null, block: patch(empty) }]
        }
  }
  const old = there[0]?.block
  // Buttons that led to what has changed lead to the new one.
  const buttons = allBlocks(site).flatMap(({ block, page }) => {
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.map((action) =>
      action.target._tag === "Phone" && phoneTold !== undefined && action.target.number === old?.phone
        ? { ...action, target: { ...action.target, number: phoneTold } }
        : action.target._tag === "Mail" && email !== undefined && action.target.address === old?.email
          ? { ...action, target: { ...action.target, address: email } }
          : action
    )
    return JSON.stringify(actions) === JSON.stringify(block.actions)
      ? []
      : [replaceBlock({ block, page }, { ...block, actions })]
  })
  return { notes: told, operations: [...there.map((each) => replaceBlock(each, patch(each.block))), ...buttons] }
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
