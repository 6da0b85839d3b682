import { Either } from "effect"
import { parsedUrl } from "../../Core/Outside/ParsedUrl.ts"
import { normaliseEmail } from "../../Text/ContactDetails.ts"
import { fold } from "../../Text/PlainText.ts"
import { linksIn, mailAddressesIn } from "../../Text/Web/Links.ts"
import type { SiteLink } from "../Site.ts"
import { capitalised, within, withoutEnd } from "./MaterialText.ts"

/** The contact details of the business, as the material gives them. */
export interface Contacts {
  readonly email: string | null
  /** As it is written. */
  readonly phone: string | null
  readonly address: string | null
  readonly hours: string | null
  readonly links: ReadonlyArray<SiteLink>
}

// Groups of digits: an area code in brackets, then two to five groups that one blank, point or hyphen parts.
const phones =
  /(?<![\w/.,$€£-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,6}){1,5}(?![\w/]|-\w|[.,]\d|\s?[€%])/g
const fewestDigits = 8
const mostDigits = 13

/** Postal codes, dates, spans of years and sums of money that are written in groups too. */
const isNoPhone = (number: string): boolean =>
  /^\d{5}-\d{3,4}$/.test(number) ||
  /^\d{1,2}[ .-]\d{1,2}[ .-]\d{4}$/.test(number) ||
  /^(?:19|20)\d\d[ -](?:19|20)\d\d$/.test(number) ||
  /^\d{1,3}(?:\.\d{3})+$/.test(number) ||
  /^\d{3}\.\d{3}\.\d{3}/.test(number)

/** Numbers of registers and councils: "CREFITO 10 214.553", "CNPJ 12 345 678". */
const isRegistered = /\b(?!TEL|FONE|CEL|ZAP|WHATS)[A-Z]{3,}(?:[-/ ][A-Z]{2})?[ :]{1,2}$/

/** The telephone numbers of a text, as they are written. */
export const phonesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(phones)]
    .filter(({ index }) => !isRegistered.test(text.slice(Math.max(0, index - 16), index)))
    .map(([number]) => number.trim())
    .filter((number) => {
      const { length } = number.replace(/\D/g, "")
      return length >= fewestDigits && length <= mostDigits && number.length <= 20 && !isNoPhone(number)
    })

const street =
  /(?<!\p{L})(?:rua|r\.|rúa|avenida|av\.|av|avda\.|ave\.|blvd\.|blvd|boulevard|bulevar|carrer|pol\. ind\.|pol[íi]gono|quadra|alameda|al\.|praça|travessa|rodovia|estrada|largo|linha|calle|c\/|carrera(?=\s{1,4}\d)|cra\.|paseo|plaza|camino|vereda|doctor|despacho en)\s{1,4}[^;(\n]{0,40}?\d[^;\n]{0,120}/iu
const streetEnglish =
  /(?<![\w.,])\d{1,5}[A-Za-z]?(?:\/\d{1,4})?\s(?:[A-Z][\w'’.-]*\s){1,4}(?:[Ss]treet|St|[Aa]venue|Ave|[Rr]oad|Rd|[Ll]ane|Ln|[Dd]rive|Dr|[Bb]oulevard|Blvd|[Ss]quare|[Ww]ay|[Pp]lace|[Cc]ourt|[Cc]lose|[Tt]errace|[Cc]rescent|[Rr]ow|[Qq]uay|[Hh]ill|[Gg]ardens|[Mm]ews|[Pp]arade|[Hh]ighway|Hwy|[Pp]arkway|Pkwy)\b\.?(?:,\s?[^;\n]{2,80})?/
/** True if a sentence contains a postal address. */
export const tellsAddress = (text: string): boolean =>
  text.length <= 200 && (street.test(text) || streetEnglish.test(text))

const withoutFinalPoint = (text: string): string => withoutEnd(text, ".;, \n")

/** Where an address ends: another contact, an opening hour, a new sentence. */
const behindAddress =
  /(?:,\s|\s[–—-]\s|\s)(?:tel\b|tel[eé]fon|phone|whats|zap|wasap|e-?mail|correo|aberto|open\b|abierto|hor[aá]rio|abre|cep:|fone)|(?<!\b(?:Col|Urb|Esq|Fracc|Nº|Sta|Sto|Dr|Ed|Ap|Apto|Ste))[.!?](?=\s\p{Lu}\p{Ll})|\s·\s|[,.]?\s\+?\(?\d{2,5}\)?[ .-]\d{3,5}[ .-]/iu

/** The address in a text, from the street on. */
export const addressIn = (text: string): string | undefined => {
  const found = (street.exec(text) ?? streetEnglish.exec(text))?.[0]
  if (found === undefined) return undefined
  const cut = found.slice(8).search(behindAddress)
  return withoutFinalPoint(within(cut >= 0 ? found.slice(0, cut + 8) : found, 300))
}

const siteNames: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?:^|\.)instagram\.com$/, "Instagram"],
  [/(?:^|\.)facebook\.com$/, "Facebook"],
  [/(?:^|\.)linkedin\.com$/, "LinkedIn"],
  [/(?:^|\.)youtube\.com$/, "YouTube"],
  [/(?:^|\.)tiktok\.com$/, "TikTok"],
  [/(?:^|\.)github\.com$/, "GitHub"],
  [/(?:^|\.)behance\.net$/, "Behance"],
  [/(?:^|\.)pinterest\.[a-z]{2,3}$/, "Pinterest"],
  [/(?:^|\.)(?:wa\.me|whatsapp\.com)$/, "WhatsApp"],
  [/(?:^|\.)(?:x|twitter)\.com$/, "X"]
]

const handle = /(?:^|[\s(])@([a-z0-9._]{3,30})\b/i

/** "Instagram @eltornillo": the account's address there. */
const accountLink = (text: string): SiteLink | undefined => {
  const name = handle.exec(text)?.[1]
  if (name === undefined) return undefined
  const account = withoutEnd(name, ".")
  if (/\btiktok\b/i.test(text))
    return { label: `TikTok @${account}`, target: { _tag: "Web", url: `https://www.tiktok.com/@${account}` } }
  return /\b(?:instagram|insta|ig)\b/i.test(text)
    ? { label: `Instagram @${account}`, target: { _tag: "Web", url: `https://www.instagram.com/${account}` } }
    : undefined
}

/** True if a sentence only names an account on a social network. */
export const tellsAccount = (text: string): boolean => text.length <= 80 && accountLink(text) !== undefined

/** The web addresses of a text as links with a name; each host once. */
export const siteLinksIn = (text: string): ReadonlyArray<SiteLink> => {
  const found = new Map<string, SiteLink>()
  for (const link of linksIn(text)) {
    const address = /^https:\/\//i.test(link) ? link : link.includes("://") ? undefined : `https://${link}`
    const url = address === undefined ? undefined : parsedUrl(address)
    if (url === undefined) continue
    const { hostname, href, username } = url
    if (username !== "" || href.length > 2048 || found.has(hostname)) continue
    const name = siteNames.find(([host]) => host.test(hostname))?.[1] ?? hostname.replace(/^www\./, "")
    found.set(hostname, { label: within(name, 80), target: { _tag: "Web", url: href } })
  }
  const account = accountLink(text)
  const links = [...found.values()]
  return [...links, ...(account === undefined ? [] : [account])].slice(0, 6)
}

/** The kind of a phone number according to the word before it. Empty without one. */
const numberLabel = (text: string, number: string): string => {
  const before = fold(text.slice(Math.max(0, text.indexOf(number) - 24), text.indexOf(number)))
  return /\b(?:whats\w*|wasap|zap|zapzap|wsp)\b[^\d]{0,12}$/.test(before) ? "WhatsApp " : ""
}

/** Links next to the first number: to the others, each with its number. */
const otherNumbers = (texts: ReadonlyArray<string>, first: string): ReadonlyArray<SiteLink> => {
  const linked = new Set([first.replace(/\D/g, "")])
  const links: Array<SiteLink> = []
  for (const text of texts)
    for (const number of phonesIn(text)) {
      const digits = number.replace(/\D/g, "")
      if (linked.has(digits)) continue
      linked.add(digits)
      links.push({ label: `${numberLabel(text, number)}${number}`, target: { _tag: "Phone", number } })
    }
  return links
}

const mostLinks = 6
const longestHours = 300
const mostHours = 6

/** Reads the contact details from statements. The owner's statements come before the account's. */
export const contactsIn = (texts: ReadonlyArray<string>, hours: ReadonlyArray<string>): Contacts => {
  const first = <A>(find: (text: string) => A | undefined): A | null => {
    for (const text of texts) {
      const value = find(text)
      if (value !== undefined) return value
    }
    return null
  }
  const phone = first((text) => phonesIn(text)[0])
  const lines = [...new Set(hours.map((line) => capitalised(withoutEnd(line, ".;, "))))].slice(0, mostHours)
  return {
    email: first(mailIn),
    phone,
    address: first(addressIn),
    hours: lines.length === 0 ? null : within(lines.join("\n"), longestHours),
    links: [...(phone === null ? [] : otherNumbers(texts, phone)), ...siteLinksIn(texts.join("\n"))].slice(0, mostLinks)
  }
}

/** The first valid mail address in a text. */
export const mailIn = (text: string): string | undefined => {
  for (const address of mailAddressesIn(text)) {
    const read = normaliseEmail(address)
    if (Either.isRight(read)) return read.right
  }
  return undefined
}
