import { languageOf } from "../../Text/Language.ts"
import { addressIn, mailIn, phonesIn, siteLinksIn } from "../Material/MaterialContacts.ts"
import { within, withoutEnd } from "../Material/MaterialText.ts"
import type { Site, SiteLink } from "../Site.ts"
import type { SiteOperation } from "../SiteOperations.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { allBlocks, type Block, blocksOfKind } from "./ChangeTargets.ts"
import { replaceBlock } from "./ChangeWords.ts"
import { replacingText } from "./SiteTexts.ts"
import { change, failure, type Outcome, type Reading } from "./WishOutcome.ts"
import { contentOf, unexplained, wordsOf } from "./WishTokens.ts"
import { copulas, isNoun, type Noun, valueMarks, verbs } from "./WishWords.ts"

type Detail = "phone" | "email" | "address" | "hours"
type Contact = Block<"Contact">

const emptyContact = (site: Site): Contact => ({
  _tag: "Contact",
  id: "contact",
  title: siteWords[languageOf(site.language)].contact,
  text: "",
  email: null,
  phone: null,
  address: null,
  hours: null,
  links: []
})

/** The contact of the site changed, or a new one with it. */
export const changingContact = (site: Site, change: (block: Contact) => Contact): ReadonlyArray<SiteOperation> => {
  const blocks = blocksOfKind(site, "Contact")
  if (blocks.length > 0) return blocks.map((placed) => replaceBlock(placed, change(placed.block)))
  const page = site.pages.at(-1)
  return page === undefined
    ? []
    : [{ _tag: "AddBlock", page: page.id, after: page.blocks.at(-1)?.id ?? null, block: change(emptyContact(site)) }]
}

/** Buttons that lead to the detail lead to the new one. */
const buttonChanges = (site: Site, detail: Detail, value: string): ReadonlyArray<SiteOperation> =>
  allBlocks(site).flatMap((placed): ReadonlyArray<SiteOperation> => {
    const { block } = placed
    if (block._tag !== "Hero" && block._tag !== "CallToAction") return []
    const actions = block.actions.map((action): SiteLink => {
      if (action.target._tag === "Phone" && detail === "phone")
        return { ...action, target: { _tag: "Phone", number: value } }
      return action.target._tag === "Mail" && detail === "email"
        ? { ...action, target: { _tag: "Mail", address: value } }
        : action
    })
    return JSON.stringify(actions) === JSON.stringify(block.actions)
      ? []
      : [replaceBlock(placed, { ...block, actions })]
  })

/** Sets a detail wherever the site shows it. */
export const settingDetail = ({ notes, site }: ChangeDesk, detail: Detail, value: string): Outcome => {
  const [old] = blocksOfKind(site, "Contact").flatMap(({ block }) => (block[detail] === null ? [] : [block[detail]]))
  if (old === value) return failure(notes.already(value), notes.oneByOne)
  const set = changingContact(site, (block) => ({ ...block, [detail]: value }))
  const contacts = new Set(blocksOfKind(site, "Contact").map(({ block }) => block.id))
  const elsewhere = old === undefined || detail === "hours" ? [] : replacingText(site, old, value)
  const buttons = buttonChanges(site, detail, value)
  const changed = new Set(buttons.flatMap((each) => (each._tag === "ReplaceBlock" ? [each.block.id] : [])))
  const rest = elsewhere.filter(
    (each) => each._tag !== "ReplaceBlock" || !(contacts.has(each.block.id) || changed.has(each.block.id))
  )
  return change(notes.contact(notes[detail], value), [...set, ...buttons, ...rest], {
    present: [value],
    absent: old === undefined || value.includes(old) ? [] : [old]
  })
}

const nounsOf: { readonly [D in Exclude<Detail, "hours">]: ReadonlyArray<Noun> } = {
  phone: ["phone", "number", "whatsapp", "contact"],
  email: ["email", "contact"],
  address: ["address", "contact"]
}

const moving: ReadonlySet<string> = new Set(
  "mudamos moved moving mudanca mudo nos mudamos estamos fica ficamos based located atendendo trasladamos trasladado cambiamos encontramos".split(
    " "
  )
)
const fresh: ReadonlySet<string> = new Set(
  "novo nova new nuevo nueva atual actual current correto correct correcto certo right have has tem temos novos".split(
    " "
  )
)

/** Words by which a contact is set, whatever it is. */
const isWish = (word: string): boolean =>
  fresh.has(word) ||
  copulas.has(word) ||
  valueMarks.has(word) ||
  verbs.some(([act, words]) => act !== "remove" && words.has(word))

const phoneOf = (text: string): ReadonlyArray<string> => phonesIn(text)

/** The text without this part of it. */
const without = (text: string, part: string): string => text.replace(part, " ")

const literalDetail = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const mail = mailIn(text)
  if (mail !== undefined) {
    const at = text.toLowerCase().indexOf(mail)
    const rest = at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + mail.length)}`
    const old = blocksOfKind(desk.site, "Contact").flatMap(({ block }) => (block.email === null ? [] : [block.email]))
    return leftOf(rest, "email").length > 0 || old.includes(mail) ? undefined : settingDetail(desk, "email", mail)
  }
  const phones = phoneOf(text)
  const value = phones.at(-1)
  if (value === undefined || phones.length > 2) return undefined
  const rest = phones.reduce(without, text)
  const [first] = phones
  const old = blocksOfKind(desk.site, "Contact").flatMap(({ block }) => (block.phone === null ? [] : [block.phone]))
  const digits = (number: string): string => number.replace(/\D/g, "")
  // "From A to B": A must be the one that the site has.
  if (phones.length === 2 && first !== undefined && !old.some((each) => digits(each) === digits(first)))
    return failure(desk.notes.notFound(first), desk.notes.nameIt)
  return leftOf(rest, "phone").length > 0 ? undefined : settingDetail(desk, "phone", value)
}

const leftOf = (text: string, detail: Exclude<Detail, "hours">): ReadonlyArray<string> =>
  unexplained(
    wordsOf(text),
    (word) => isNoun(word, ...nounsOf[detail], "business") || isWish(word) || fillers.has(word)
  )

const fillers: ReadonlySet<string> = new Set(
  "da do del of the minha meu nosso instead lugar vez anterior old antigo antiguo en in place".split(" ")
)

/** "We moved: 14 Temple Way": an address has no sure shape, so it is what follows its noun or its verb. */
const addressOf = ({ object, value }: Reading, text: string): string | undefined => {
  const isNamed = (phrase: string): boolean => {
    const words = contentOf(wordsOf(phrase)).filter((word) => moving.has(word) || !isWish(word))
    return (
      words.length > 0 &&
      words.some((word) => isNoun(word, "address") || moving.has(word)) &&
      words.every((word) => isNoun(word, "address", "contact", "business") || moving.has(word))
    )
  }
  if (value !== undefined && isNamed(object)) return value
  const location = addressIn(text)
  return location !== undefined &&
    isNamed(text.slice(0, text.indexOf(location))) &&
    text.trim().replace(/[.!]$/, "").endsWith(location)
    ? location
    : undefined
}

/** Sets the phone number, the mail address or the postal address. */
export const settingContact = (reading: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  if (reading.act === "remove") return undefined
  const literal = literalDetail(text, desk)
  if (literal !== undefined) return literal
  const address = addressOf(reading, text)
  if (address === undefined) return undefined
  const place = withoutEnd(address.trim(), ".;,")
  return place.length < 6 || !/\d|\s/.test(place) ? undefined : settingDetail(desk, "address", within(place, 300))
}

/** Adds or changes a link of the contact. */
export const settingLink = ({ act }: Reading, desk: ChangeDesk, text: string): Outcome | undefined => {
  const { notes, site } = desk
  const links = siteLinksIn(text)
  const [link] = links
  if (act === "remove" || link === undefined || links.length > 1 || link.target._tag !== "Web") return undefined
  const { url } = link.target
  const rest = text.replace(/(?:https?:\/\/|www\.)\S+|\S+\.\S+\/\S*|@[\w.]+/gi, " ")
  const left = unexplained(
    wordsOf(rest),
    (word) =>
      isNoun(word, "link", "network", "booking", "contact", "button", "page") ||
      isWish(word) ||
      fillers.has(word) ||
      wordsOf(link.label).includes(word)
  )
  if (left.length > 0) return undefined
  const { label } = link
  const hostOf = (address: string): string => new URL(address).hostname
  const isSame = (each: SiteLink): boolean => each.target._tag === "Web" && hostOf(each.target.url) === hostOf(url)
  return change(
    notes.contact(notes.link, label),
    changingContact(site, (block) => ({
      ...block,
      links: [...block.links.filter((each) => !isSame(each)), { ...link, label }].slice(-6)
    })),
    { present: [label] }
  )
}

const ways = (phrase: string): "phone" | undefined =>
  contentOf(wordsOf(phrase)).length > 0 &&
  contentOf(wordsOf(phrase)).every((word) => isNoun(word, "phone", "whatsapp", "contact") || onlyWords.has(word))
    ? "phone"
    : undefined

const onlyWords: ReadonlySet<string> = new Set(
  "only just so solo solamente apenas somente unicamente contacto contato por via atendemos contact call calls".split(
    " "
  )
)

/** "Phone only": no form and no mail address, where a number is shown. */
export const phoneOnly = (text: string, { notes, site }: ChangeDesk): Outcome | undefined => {
  const words = wordsOf(text)
  if (
    !words.some((word) => ["only", "just", "so", "solo", "solamente", "apenas", "somente"].includes(word)) ||
    ways(text) === undefined
  )
    return undefined
  const contacts = blocksOfKind(site, "Contact")
  const hasPhone = contacts.some(({ block }) => block.phone !== null)
  if (!hasPhone) return failure(notes.noPhone, notes.givePhone)
  const forms = blocksOfKind(site, "Form").map(
    ({ block, page }): SiteOperation => ({ _tag: "RemoveBlock", page: page.id, block: block.id })
  )
  const mails = contacts
    .filter(({ block }) => block.email !== null)
    .map((placed) => replaceBlock(placed, { ...placed.block, email: null }))
  const old = contacts.flatMap(({ block }) => (block.email === null ? [] : [block.email]))
  return change(notes.phoneOnly, [...forms, ...mails], { absent: old })
}
