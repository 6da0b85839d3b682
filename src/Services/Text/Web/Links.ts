import { fold } from "../PlainText.ts"

const topLevelDomains =
  "com|net|org|edu|gov|info|biz|br|pt|es|mx|ar|cl|co|pe|uy|py|bo|ec|ve|us|uk|ca|eu|de|fr|it|io|ai|app|dev|me|tv|cc|ly|gl|gle|gg|to|be|sh|so|xyz|site|online|store|shop|tech|cloud|page|link|live|club|pro|work|works|agency|digital|media|email|click|top|vip|ru|cn|in|tk|zip|mov"
const schemeLink = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'|\\^`{}]{1,2000}/gi
const bareLink = new RegExp(
  `(?<![\\w@./-])(?:www\\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,5}(?:${topLevelDomains})(?![\\w-])(?:[/?#][^\\s<>"'|\\\\^\`{}]{0,2000})?`,
  "gi"
)
const mailAddress = /[a-z0-9][a-z0-9._%+'-]{0,63}@[a-z0-9][a-z0-9.-]{0,190}\.[a-z]{2,24}/gi

const withoutEnd = (link: string): string => link.replace(/[.,;:!?)\]}'"…]+$/, "")

/** The form in which links are compared: no scheme, no `www.`, no final slash, and the host in lower case. */
const keyOf = (link: string): string => {
  const bare = withoutEnd(link)
    .replace(/^https?:\/\//i, "")
    .replace(/^www\./i, "")
  const slash = bare.search(/[/?#]/)
  const [host, rest] = slash < 0 ? [bare, ""] : [bare.slice(0, slash), bare.slice(slash)]
  return host.toLowerCase().replace(/\.$/, "") + (rest === "/" ? "" : rest.replace(/\/$/, ""))
}

/** The web addresses in a text, with or without a scheme, unchanged. */
export const linksIn = (text: string): ReadonlyArray<string> => {
  const links = [...text.matchAll(schemeLink)].map(([link]) => withoutEnd(link))
  const rest = text.replace(schemeLink, " ").replace(mailAddress, " ")
  return [...links, ...[...rest.matchAll(bareLink)].map(([link]) => withoutEnd(link))]
}

/** The mail addresses in a text, in lower case. */
export const mailAddressesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(mailAddress)].map(([address]) => address.toLowerCase())

/** The links of `text` that are not in `allowed`. */
export const unknownLinks = (text: string, allowed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const allowedKeys = new Set(allowed.map(keyOf))
  return linksIn(text).filter((link) => !allowedKeys.has(keyOf(link)))
}

const money =
  /(?:r\$|us\$|\$|€|£|brl|usd|eur|mxn)\s?(\d[\d.,]{0,15})|(\d[\d.,]{0,15})\s?(?:(?:reais|dolares|dollars|euros|pesos|brl|usd|eur|mxn)\b|[€£])/g
const percentage = /(\d[\d.,]{0,8})\s?%/g

const amountKey = (amount: string): string => {
  const digits = amount.replace(/[.,]+$/, "")
  // A last group of one or two digits is the decimals: 1.500,00 and 1500 are the same amount.
  const [, whole = digits, decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  return `${whole.replace(/\D/g, "")}.${decimals.replace(/0+$/, "")}`
}

/** The amounts of money and percentages in a text, in a comparable form. */
export const amountsIn = (text: string): ReadonlyArray<string> => {
  const folded = fold(text)
  return [
    ...[...folded.matchAll(money)].map((match) => amountKey(match[1] ?? match[2] ?? "")),
    ...[...folded.matchAll(percentage)].map((match) => `${amountKey(match[1] ?? "")}%`)
  ]
}
