import { Either } from "effect"
import { parsedUrl } from "../../Core/ParsedUrl.ts"
import { normaliseEmail, normalisePhone } from "../../Text/ContactDetails.ts"
import { linksIn, mailAddressesIn } from "../../Text/Links.ts"
import { fold } from "../../Text/PlainText.ts"
import type { SiteLink } from "../Site.ts"
import { within, withoutEnd } from "./MaterialText.ts"

/** How a business is reached, as the material has it. */
export interface Contacts {
  readonly email: string | null
  /** As it is written. */
  readonly phone: string | null
  readonly address: string | null
  readonly hours: string | null
  readonly links: ReadonlyArray<SiteLink>
}

const phones = /(?<![\w/.,-])(?:\+\d{1,3}[ .-]?)?\(?\d{2,4}\)?[ .-]?\d{3,5}[ .-]\d{3,4}(?:[ .-]\d{2,4})?(?![\w/])/g

/** The telephone numbers of a text, as they are written. */
export const phonesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(phones)]
    .map(([number]) => number.trim())
    .filter((number) => {
      const digits = number.replace(/\D/g, "")
      // A tax number (00.000.000/0000-00, 000.000.000-00) and a postal code are none.
      return digits.length >= 8 && !/^\d{3}\.\d{3}\.\d{3}/.test(number) && number.length <= 20
        ? number.startsWith("+") || Either.isRight(normalisePhone(number)) || /[() -]/.test(number)
        : false
    })

const street =
  /\b(?:rua|r\.|avenida|av\.|alameda|al\.|praça|travessa|rodovia|estrada|largo|calle|c\/|carrera|cra\.|paseo|plaza|camino)\s+[^.;\n]{3,120}/i
const streetEnglish =
  /(?<![\w.,/])\d{1,5}[A-Za-z]?\s(?:[A-Z][\w'’.-]*\s){1,4}(?:[Ss]treet|St|[Aa]venue|Ave|[Rr]oad|Rd|[Ll]ane|Ln|[Dd]rive|Dr|[Bb]oulevard|Blvd|[Ss]quare|[Ww]ay|[Pp]lace|[Cc]ourt|[Cc]lose|[Tt]errace|[Cc]rescent)\b\.?(?:,\s?[^.;\n]{2,60})?/
const time = /\b\d{1,2}(?:[:h.]\d{2})?\s?(?:h|hs|hrs|am|pm|a\.m\.|p\.m\.)?\b/
const days =
  /\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|todos os dias|diariamente|seg|ter|qua|qui|sex|sab|dom|tue|tues|wed|thu|thur|thurs|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekdays|every day|daily|mon|fri|lunes|martes|miercoles|jueves|viernes|todos los dias)\b/
const opens =
  /^(?:(?:estamos |we are |we're |somos )?(?:abert[oa]s?|open|abiert[oa]s?)|atendemos|funcionamos|funciona|abrimos|we open|atendimento|horario)\b/

/** Whether a sentence says when it is open. */
export const tellsHours = (text: string): boolean => {
  const folded = fold(text)
  return text.length <= 200 && days.test(folded) && (time.test(folded) || opens.test(folded))
}

/** Whether a sentence says where it is. */
export const tellsAddress = (text: string): boolean =>
  text.length <= 200 && (street.test(text) || streetEnglish.test(text))

const withoutFinalPoint = (text: string): string => withoutEnd(text, ".;, \n")

/** The address in a text, from the street on. */
export const addressIn = (text: string): string | undefined => {
  const found = (street.exec(text) ?? streetEnglish.exec(text))?.[0]
  if (found === undefined) return undefined
  const cut = found.search(/\s(?:tel|telefone|phone|whatsapp|e-?mail|correo|teléfono|aberto|open|abierto|horário)\b/i)
  return withoutFinalPoint(within(cut > 0 ? found.slice(0, cut) : found, 300))
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

/** Whether a sentence only names an account on a network. */
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

/** The first mail address of a text that is one. */
export const mailIn = (text: string): string | undefined => {
  for (const address of mailAddressesIn(text)) {
    const read = normaliseEmail(address)
    if (Either.isRight(read)) return read.right
  }
  return undefined
}
