import { Either } from "effect"
import { normaliseEmail, type ProblemReason } from "../Text/ContactDetails.ts"

const writtenAt = /\s*[([{]\s*(?:at|arroba)\s*[)\]}]\s*/gi
const spokenAt = /\s{1,9}arroba\s{1,9}/gi
const writtenDot = /\s{0,9}[([{]\s{0,9}(?:dot|ponto|punto)\s{0,9}[)\]}]\s{0,9}/gi
/** The word `at` also occurs in sentences, so it only counts if the dot is spelled out too: `ana at x dot com`. */
const spokenAddress = /(\S)\s{1,9}at\s{1,9}([^\s@]{1,63}(?:\s{1,9}(?:dot|ponto|punto)\s{1,9}[^\s@]{1,63}){1,4})/gi
const spokenDot = /\s{1,9}(?:dot|ponto|punto)\s{1,9}/gi
/**
 * Where one entry of a cell ends. Letters right after a comma may be the rest of a mistyped domain (`gmail,com`), so
 * such a comma is no separator.
 */
const entryEnd = /[;|\n<>()[\]"“”«»]|,(?![a-z]{2,3}(?:[\s,;.]|$))|\s\/\s|\s(?:ou|or|o|ó|e|y|and)\s/iu
const label = /^(?:e-?mails?|mail|correo|contato|contacto|contact|e)\s*:\s*/i
const mailScheme = /^mailto:/i
/** `Instagram @clinic.com` is a profile, not an address of the user "instagram". */
const profileWords = /^(?:instagram|insta|ig|facebook|fb|twitter|x|tiktok|linkedin|site|web)\s*@/i

/** No address starts with a dot, so a dot before it is a typing error. */
const atStart = /[\p{L}\p{N}_.]/u
const atEnd = /[\p{L}\p{N}]/u

/** Real addresses begin and end with a letter or digit. Other characters there are decoration: `*ana@x.com!`. */
const withoutDecoration = (text: string): string => {
  const start = text.search(atStart)
  if (start < 0) return ""
  let end = text.length
  while (end > start && !atEnd.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Whether the text contains nothing except the address. */
export const isBareAddress = (text: string): boolean => withoutDecoration(text) === text.trim()

const trimmedToken = (token: string): string =>
  withoutDecoration(
    token
      .replace(mailScheme, "")
      .replace("%40", "@")
      .replace(/(@[^?]*)\?.*$/, "$1")
  )

const withoutLabel = (entry: string): string => {
  const text = entry.trim().replace(label, "")
  return mailScheme.test(text) ? text.replace(mailScheme, "") : text
}

/** A blank after a dot may be the end of a sentence. A blank before it is not. */
const withoutInnerBlanks = (text: string): string =>
  text.replace(/\s{0,9}@\s{0,9}/, "@").replace(/\s{1,9}\.\s{0,9}/g, ".")

/** The tokens of an entry that are meant as addresses. `ana @ x .com` is one token, if nothing else is in the entry. */
const addressTokens = (entry: string): ReadonlyArray<string> => {
  const text = withoutLabel(entry)
  if (text.split("@").length === 2) {
    if (profileWords.test(text)) return []
    const joined = withoutInnerBlanks(text)
    if (!/\s/.test(joined)) return [joined]
  }
  return text.split(/\s+/).flatMap((token) => {
    const parts = token.split("@").length > 2 ? token.split("/") : [token]
    return parts.filter((part) => part.includes("@") || part.includes("%40")).map((part) => part.replace(label, ""))
  })
}

export interface FoundAddresses {
  readonly addresses: ReadonlyArray<string>
  /** Why the first unusable address was rejected. */
  readonly problem: ProblemReason | undefined
}

/** The addresses in a text, in any notation of `@` and dots. */
export const addressesIn = (text: string): FoundAddresses => {
  const plainText = text
    .normalize("NFKC")
    .replace(writtenAt, "@")
    .replace(spokenAt, "@")
    .replace(writtenDot, ".")
    .replace(spokenAddress, (_, last: string, domain: string) => `${last}@${domain.replace(spokenDot, ".")}`)
  const tokens = plainText.split(entryEnd).flatMap(addressTokens).map(trimmedToken)
  const readings = tokens.filter((token) => token !== "").map((token) => normaliseEmail(token))
  return {
    addresses: [...new Set(readings.filter(Either.isRight).map(({ right }) => right))],
    problem: readings.find(Either.isLeft)?.left.reason
  }
}
