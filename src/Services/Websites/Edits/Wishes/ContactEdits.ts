import { distance } from "fastest-levenshtein"
import { languageOf } from "../../../Text/Language.ts"
import { addressIn, phonesIn, siteLinksIn } from "../../Material/MaterialContacts.ts"
import { within, withoutEnd } from "../../Material/MaterialText.ts"
import type { Site, SiteLink } from "../../Site.ts"
import type { SiteOperation } from "../../SiteOperations.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { asks, type Clause, rawText, says, trimmed, unexplained, valuesOf } from "../Reading/EditClause.ts"
import { has, hasDigit, isWord, type Token, tokensOf, wordsOf } from "../Reading/EditTokens.ts"
import { hasRole, type Role } from "../Reading/EditWords.ts"
import { allBlocks, type Block, blocksOfKind, replaceBlock } from "../SiteSections.ts"
import { replacingText, visibleTexts } from "../SiteTexts.ts"

export type Detail = "phone" | "email" | "address" | "hours"
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

/** Changes every contact block of the site, or adds one if it has none. */
export const changingContact = (site: Site, set: (block: Contact) => Contact): ReadonlyArray<SiteOperation> => {
  const blocks = blocksOfKind(site, "Contact")
  if (blocks.length > 0) return blocks.map((placed) => replaceBlock(placed, set(placed.block)))
  const page = site.pages.at(-1)
  return page === undefined
    ? []
    : [{ _tag: "AddBlock", page: page.id, after: page.blocks.at(-1)?.id ?? null, block: set(emptyContact(site)) }]
}

export const detailsOf = (site: Site, detail: Detail): ReadonlyArray<string> =>
  blocksOfKind(site, "Contact").flatMap(({ block }) => (block[detail] === null ? [] : [block[detail]]))

/** Buttons that used the old phone number or address use the new one. */
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
export const setDetail = ({ notes, site }: EditDesk, detail: Detail, value: string): Outcome => {
  const [old] = detailsOf(site, detail)
  if (old === value) return failure(notes.already(value), notes.oneByOne)
  const set = changingContact(site, (block) => ({ ...block, [detail]: value }))
  const contacts = new Set(blocksOfKind(site, "Contact").map(({ block }) => block.id))
  const elsewhere = old === undefined || detail === "hours" ? [] : replacingText(site, old, value)
  const buttons = buttonChanges(site, detail, value)
  const changed = new Set(buttons.flatMap((each) => (each._tag === "ReplaceBlock" ? [each.block.id] : [])))
  const rest = elsewhere.filter(
    (each) => each._tag !== "ReplaceBlock" || !(contacts.has(each.block.id) || changed.has(each.block.id))
  )
  return change(
    old === undefined ? "addition" : "values",
    notes.contact(notes[detail], value),
    [...set, ...buttons, ...rest],
    { present: [value], absent: old === undefined || value.includes(old) ? [] : [old] }
  )
}

const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Up to this many different digits, two numbers are taken for the same number with typing mistakes. */
const mostWrongDigits = 3

/** Numbers other than the one in the contact block. The owner may mean one of them by "the phone". */
const otherPhones = ({ material, site }: EditDesk, current: string): ReadonlyArray<string> =>
  [...new Set([...phonesIn(material.description), ...visibleTexts(site).flatMap(phonesIn)].map(digitsOf))].filter(
    (digits) => digits !== "" && digits !== digitsOf(current)
  )

const kindsOfPhone: ReadonlyArray<Role> = ["whatsapp", "mobile", "landline"]

/** The kinds of phone that the description mentions in the words right before the number. */
const kindOfPhone = (description: string, phone: string): ReadonlyArray<Role> => {
  const at = description.indexOf(phone)
  if (at < 0) return []
  const before = wordsOf(description.slice(Math.max(0, at - 30), at)).slice(-3)
  return kindsOfPhone.filter((role) => before.some((word) => hasRole(word, role)))
}

/** True if the number that the site shows is certainly the one to change. */
const isSurePhone = (clause: Clause, desk: EditDesk, current: string, next: string): boolean => {
  const others = otherPhones(desk, current)
  if (others.length === 0) return true
  const isClose = (digits: string): boolean => distance(digits, digitsOf(next)) <= mostWrongDigits
  if (isClose(digitsOf(current))) return !others.some(isClose)
  const called = kindsOfPhone.filter((role) => says(clause, role))
  const kinds = kindOfPhone(desk.material.description, current)
  return called.length > 0 && called.every((role) => kinds.includes(role))
}

/**
 * Finds the one number in the site's texts that looks like a mistyped form of the new one, if the contact block shows
 * an unrelated number.
 */
const misdialled = ({ site }: EditDesk, current: string | undefined, next: string): string | undefined => {
  const isClose = (number: string): boolean =>
    distance(digitsOf(number), digitsOf(next)) <= mostWrongDigits && digitsOf(number) !== digitsOf(next)
  if (current === undefined || isClose(current)) return undefined
  const close = [...new Set(visibleTexts(site).flatMap(phonesIn))].filter(isClose)
  return close.length === 1 ? close[0] : undefined
}

const isOfContact = (token: Token): boolean =>
  isWord(token) &&
  has(token, "contact", "set", "change", "now", "copula", "valuemark", "business", "add", "oldmark", "subject", "both")

const settingPhone = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const phones = valuesOf(clause, "phone")
  const next = phones.at(-1)
  if (next === undefined || phones.length > 2) return undefined
  const left = unexplained(
    clause,
    (token) => phones.includes(token) || isOfContact(token),
    "phone",
    "number",
    "whatsapp",
    "mobile",
    "landline",
    "spelled"
  )
  if (left.length > 0) return undefined
  const [current] = detailsOf(desk.site, "phone")
  const [first] = phones
  if (
    phones.length === 2 &&
    first !== undefined &&
    (current === undefined || digitsOf(first.text) !== digitsOf(current))
  )
    return failure(desk.notes.notFound(first.text), desk.notes.nameIt)
  const listed = phones.length === 1 ? misdialled(desk, current, next.text) : undefined
  if (listed !== undefined)
    return change("values", desk.notes.replaced(listed, next.text), replacingText(desk.site, listed, next.text), {
      present: [next.text],
      absent: [listed]
    })
  if (current !== undefined && phones.length === 1 && !isSurePhone(clause, desk, current, next.text))
    return failure(desk.notes.otherPhone, desk.notes.nameIt)
  return setDetail(desk, "phone", next.text)
}

const settingEmail = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const emails = valuesOf(clause, "email")
  const next = emails.at(-1)
  if (next === undefined || emails.length > 2) return undefined
  const left = unexplained(clause, (token) => emails.includes(token) || isOfContact(token), "email")
  if (left.length > 0) return undefined
  const [first] = emails
  const address = next.text.toLowerCase()
  const current = detailsOf(desk.site, "email")
  if (emails.length === 2 && first !== undefined && !current.includes(first.text.toLowerCase()))
    return failure(desk.notes.notFound(first.text), desk.notes.nameIt)
  return setDetail(desk, "email", address)
}

/** True for tokens that cannot belong to a postal address. */
const endsAddress = (token: Token): boolean =>
  token.kind === "phone" ||
  token.kind === "email" ||
  token.kind === "url" ||
  (isWord(token) && has(token, "phone", "whatsapp", "keep"))

const streets: ReadonlySet<string> = new Set(["rua", "r", "av", "avenida", "calle", "carrera", "praca", "alameda"])

/**
 * True if a token begins an address: a street, a name, a number, or any word that is not part of the order before it.
 */
const beginsAddress = (token: Token, at: number): boolean => {
  if (token.kind === "mark") return false
  const isLead =
    isWord(token) &&
    has(
      token,
      "address",
      "moved",
      "function",
      "now",
      "copula",
      "set",
      "change",
      "valuemark",
      "contact",
      "business",
      "subject",
      "oldmark"
    )
  const isStreet = isWord(token) && streets.has(token.word)
  const isCapital = at > 0 && /^[\p{Lu}\d]/u.test(token.text) && !(isWord(token) && has(token, "address"))
  return isStreet || isCapital || !isLead
}

/** Reads the address in a clause. It begins after the word "address" or after a verb of moving. */
const addressOf = (clause: Clause, prompt: string): string | undefined => {
  const { tokens } = clause
  const begin = tokens.findIndex(beginsAddress)
  const lead = tokens.slice(0, Math.max(0, begin))
  const isNamed = lead.some((token) => isWord(token) && has(token, "address", "moved"))
  if (begin < 0 || !isNamed) return undefined
  const value = trimmed(tokens.slice(begin))
  const isFact = value.some(
    (token) =>
      token.kind === "money" ||
      (isWord(token) && has(token, "copula", "now", "negation", "price") && !has(token, "function"))
  )
  if (value.some(endsAddress) || isFact) return undefined
  const text = withoutEnd(rawText(prompt, value), ".;,")
  const words = value.filter(isWord)
  const isPlace = addressIn(text) === text || (value.some(hasDigit) && words.length > 0 && words.length <= 12)
  return isPlace && text.length >= 6 ? text : undefined
}

/** Changes the house number only: "Same street, other number", with the one number that the clause contains. */
const renumbered = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const [current] = detailsOf(desk.site, "address")
  const numbers = valuesOf(clause, "number")
  const [number] = numbers
  if (current === undefined || number === undefined || numbers.length > 1 || !says(clause, "moved", "address"))
    return undefined
  const ofAddress = tokensOf(current)
  const rest = unexplained(clause, (token) => token === number || isOfContact(token), "moved", "address")
  const words = new Set(ofAddress.map(({ word }) => word))
  if (rest.length === 0 || !rest.every(({ word }) => words.has(word))) return undefined
  const last = rest.at(-1)
  const at = ofAddress.findLastIndex(({ word }) => word === last?.word)
  const old = ofAddress[at + 1]
  return old === undefined || old.kind !== "number"
    ? undefined
    : setDetail(desk, "address", current.slice(0, old.start) + number.text + current.slice(old.end))
}

const settingAddress = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const same = renumbered(clause, desk)
  if (same !== undefined) return same
  const address = addressOf(clause, desk.prompt)
  return address === undefined ? undefined : setDetail(desk, "address", within(address, 300))
}

/** Sets the phone number, the mail address or the postal address. */
export const settingContact = (clause: Clause, desk: EditDesk): Outcome | undefined =>
  asks(clause, "remove") && clause.verb !== undefined && !asks(clause, "set", "change")
    ? undefined
    : (settingPhone(clause, desk) ?? settingEmail(clause, desk) ?? settingAddress(clause, desk))

/** Adds or changes a link of the contact. */
export const settingLink = (clause: Clause, desk: EditDesk): Outcome | undefined => {
  const { notes, site } = desk
  const values = valuesOf(clause, "url", "handle")
  const [value] = values
  if (value === undefined || values.length > 1 || asks(clause, "remove")) return undefined
  const network = clause.tokens.find((token) => isWord(token) && has(token, "network") && !has(token, "page"))
  const [link] = siteLinksIn(value.kind === "handle" ? `${network?.text ?? "instagram"} ${value.text}` : value.text)
  if (link === undefined || link.target._tag !== "Web") return undefined
  const left = unexplained(
    clause,
    (token) => token === value || isOfContact(token) || wordsOf(link.label).includes(token.word),
    "link",
    "network",
    "booking",
    "button"
  )
  if (left.length > 0) return undefined
  const { url } = link.target
  const hostOf = (address: string): string => new URL(address).hostname
  const isSame = (each: SiteLink): boolean => each.target._tag === "Web" && hostOf(each.target.url) === hostOf(url)
  const isThere = blocksOfKind(site, "Contact").some(({ block }) => block.links.some(isSame))
  return change(
    isThere ? "values" : "addition",
    notes.contact(notes.link, link.label),
    changingContact(site, (block) => ({
      ...block,
      links: [...block.links.filter((each) => !isSame(each)), link].slice(-6)
    })),
    { present: [link.label] }
  )
}

/** Reads "Phone only": removes the forms and the mail address if the site shows a phone number. */
export const phoneOnly = (clause: Clause, { notes, site }: EditDesk): Outcome | undefined => {
  const left = unexplained(clause, "phone", "whatsapp", "contact", "only", "ask")
  if (!says(clause, "only") || !says(clause, "phone", "whatsapp") || left.length > 0) return undefined
  if (detailsOf(site, "phone").length === 0) return failure(notes.noPhone, notes.givePhone)
  const contacts = blocksOfKind(site, "Contact")
  const forms = blocksOfKind(site, "Form").map(
    ({ block, page }): SiteOperation => ({ _tag: "RemoveBlock", page: page.id, block: block.id })
  )
  const mails = contacts
    .filter(({ block }) => block.email !== null)
    .map((placed) => replaceBlock(placed, { ...placed.block, email: null }))
  return change("removal", notes.phoneOnly, [...forms, ...mails], { absent: detailsOf(site, "email") })
}
