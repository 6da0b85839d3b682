import { Either } from "effect"
import { normaliseEmail, type ProblemReason } from "../Text/ContactDetails.ts"

const writtenAt = /\s*[([{]\s*(?:at|arroba)\s*[)\]}]\s*/gi
const spokenAt = /\s{1,9}arroba\s{1,9}/gi
const writtenDot = /\s{0,9}[([{]\s{0,9}(?:dot|ponto|punto)\s{0,9}[)\]}]\s{0,9}/gi
/** `at` is a word of other sentences too, so that the dots must be spoken with it: `ana at x dot com`. */
const spokenAddress = /(\S)\s{1,9}at\s{1,9}([^\s@]{1,63}(?:\s{1,9}(?:dot|ponto|punto)\s{1,9}[^\s@]{1,63}){1,4})/gi
const spokenDot = /\s{1,9}(?:dot|ponto|punto)\s{1,9}/gi
/**
 * Where one entry of a cell ends. Letters straight after a comma may be the rest of a mistyped domain (`gmail,com`), so
 * that comma separates nothing.
 */
const entryEnd = /[;|\n<>()[\]"“”«»]|,(?![a-z]{2,3}(?:[\s,;.]|$))|\s\/\s|\s(?:ou|or|o|ó|e|y|and)\s/iu
const label = /^(?:e-?mails?|mail|correo|contato|contacto|contact|e)\s*:\s*/i
const mailScheme = /^mailto:/i
/** `Instagram @clinic.com` is a profile, not an address of the user "instagram". */
const profileWords = /^(?:instagram|insta|ig|facebook|fb|twitter|x|tiktok|linkedin|site|web)\s*@/i

/** A point in front is part of what was typed, and no address has one there. */
const atStart = /[\p{L}\p{N}_.]/u
const atEnd = /[\p{L}\p{N}]/u

/** Addresses that people have begin and end with a letter or digit. What else is there is decoration: `*ana@x.com!`. */
const withoutDecoration = (text: string): string => {
  const start = text.search(atStart)
  if (start < 0) return ""
  let end = text.length
  while (end > start && !atEnd.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Whether nothing is around the address. */
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

/** A blank after a point may end a sentence, and one before it doesn't. */
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
  /** Why the first unusable address is unusable. */
  readonly problem: ProblemReason | undefined
}

/** The addresses that a text contains, however the text writes `@` and points. */
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
