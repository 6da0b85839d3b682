import { Either } from "effect"
import {
  type CountryCode,
  isInNumberingPlan,
  normaliseEmail,
  normalisePhone,
  type ProblemReason,
  phonesIn
} from "../Text/ContactDetails.ts"
import { isPlaceholder } from "./ImportRow.ts"

export type ContactField = "email" | "phone"

/** A cell of a contact column, in the order of the file. */
export interface ContactCell {
  readonly field: ContactField
  readonly text: string
}

/** What was left out or cleaned in a contact cell. */
export interface ContactWarning {
  readonly field: ContactField
  readonly reason: ProblemReason | "placeholder" | "cleaned" | "in_other_column" | "further_email" | "further_phone"
  /** The cell, or the further address or number. */
  readonly value: string
}

export interface RowContacts {
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  readonly warnings: ReadonlyArray<ContactWarning>
}

/** The most characters of a cell that a warning repeats. */
const maximumWarningLength = 100
/** A cell with more text than this is no contact. */
const maximumCellLength = 500
/** A hostile row could have hundreds of contact columns. */
const maximumWarnings = 10

const writtenAt = /\s*[([{]\s*(?:at|arroba)\s*[)\]}]\s*/gi
const spokenAt = /\s{1,9}arroba\s{1,9}/gi
const writtenDot = /\s{0,9}[([{]\s{0,9}(?:dot|ponto|punto)\s{0,9}[)\]}]\s{0,9}/gi
/**
 * Where one entry of a cell ends. Letters straight after a comma may be the rest of a mistyped domain (`gmail,com`), so
 * that comma separates nothing.
 */
const entryEnd = /[;|\n<>()[\]"“”]|,(?![a-z]{2,3}(?:[\s,;.]|$))|\s\/\s|\s(?:ou|or|o|e|y|and)\s/i
/** Brackets belong to numbers: `(11) 3456-7890`. */
const numberEnd = /[;,|\n]|\s\/\s|\s(?:ou|or|o|e|y|and)\s/i
const spacedAt = /^([^\s@]+)\s*@\s*([^\s@]+(?:\s+\.\s*[^\s@.]+)*)$/
const label = /^(?:e-?mails?|mail|correo|contato|contacto|contact|e)\s*:\s*/i
const mailScheme = /^mailto:/i
/** `Instagram @clinic.com` is a profile, not an address of the user "instagram". */
const profileWords = /^(?:instagram|insta|ig|facebook|fb|twitter|x|tiktok|linkedin|site|web)$/i

const trimmedToken = (token: string): string =>
  token
    .replace(mailScheme, "")
    .replace(/^[('"‘’]+/, "")
    .replace(/[.,:;>)'"‘’]+$/, "")
    .replace(/(@[^?]*)\?.*$/, "$1")

const withoutLabel = (entry: string): string => {
  const text = entry.trim().replace(label, "")
  return mailScheme.test(text) ? text.replace(mailScheme, "") : text
}

/** The tokens of an entry that are meant as addresses. `ana @ x.com` is one token, if nothing else is in the entry. */
const addressTokens = (entry: string): ReadonlyArray<string> => {
  const text = withoutLabel(entry)
  const spaced = spacedAt.exec(text)
  if (spaced !== null) {
    const [, local = "", domain = ""] = spaced
    return profileWords.test(local) ? [] : [`${local}@${domain.replace(/\s+/g, "")}`]
  }
  return text.split(/\s+/).flatMap((token) => {
    const parts = token.split("@").length > 2 ? token.split("/") : [token]
    return parts.filter((part) => part.includes("@")).map((part) => part.replace(label, ""))
  })
}

interface FoundAddresses {
  readonly addresses: ReadonlyArray<string>
  /** Why the first unusable address is unusable. */
  readonly problem: ProblemReason | undefined
}

/** The addresses that a text with an `@` contains. */
const addressesIn = (text: string): FoundAddresses => {
  const plainText = text.replace(writtenAt, "@").replace(spokenAt, "@").replace(writtenDot, ".")
  const tokens = plainText.split(entryEnd).flatMap(addressTokens)
  const readings = tokens.map((token) => normaliseEmail(trimmedToken(token)))
  return {
    addresses: [...new Set(readings.filter(Either.isRight).map(({ right }) => right))],
    problem: readings.find(Either.isLeft)?.left.reason
  }
}

const phoneLetters = /\p{L}/u

/** A number in a column of addresses must be the whole entry, because other texts contain digits too. */
const phonesAmongAddresses = (text: string, country: CountryCode): ReadonlyArray<string> => {
  const entries = text.split(numberEnd).filter((entry) => !phoneLetters.test(entry))
  return entries.flatMap((entry) => phonesIn(entry, country))
}

interface Reading {
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<ContactWarning>
}

const warning = (field: ContactField, reason: ContactWarning["reason"], text: string): ContactWarning => ({
  field,
  reason,
  value: text.trim().slice(0, maximumWarningLength)
})

const emailProblemOf = (text: string, problem: ProblemReason | undefined): ProblemReason => {
  if (problem !== undefined) return problem
  return Either.match(normaliseEmail(text), { onLeft: ({ reason }) => reason, onRight: () => "invalid_email" })
}

/** What people type where a form demands an address: `test@test.com`. */
const fillerWords = new Set(
  "test teste tests testing prueba pruebas example exemplo ejemplo asdf qwerty abc aaa xxx no nao none fake".split(" ")
)
const isFillerAddress = (address: string): boolean => {
  const [local = "", domain = ""] = address.split("@")
  return fillerWords.has(local) && fillerWords.has(domain.slice(0, domain.indexOf(".")))
}
/** `11 99999-9999` and `1234567890`. Companies have numbers with eight equal digits, so nine are needed. */
const isFillerNumber = (e164: string): boolean =>
  e164.endsWith("1234567890") || (e164.length > 9 && new Set(e164.slice(-9)).size === 1)

const withoutFiller = (reading: Reading, { field, text }: ContactCell): Reading => {
  const emails = reading.emails.filter((address) => !isFillerAddress(address))
  const phones = reading.phones.filter((number) => !isFillerNumber(number))
  const isUnchanged = emails.length === reading.emails.length && phones.length === reading.phones.length
  return isUnchanged ? reading : { emails, phones, warnings: [warning(field, "placeholder", text)] }
}

/** Letters that people type for digits. */
const digitLookAlikes: { readonly [letter: string]: string } = { O: "0", o: "0", l: "1", I: "1" }
const touchingLookAlike = /(?<=\d)[OolI]|[OolI](?=\d)/g
const fewestDigits = 7

/** A number with letters for digits: `11 9886O-71l4`. Undefined if anything else is in the text. */
const withDigitsForLetters = (text: string): string | undefined => {
  const digits = text.replace(touchingLookAlike, (letter) => digitLookAlikes[letter] ?? letter)
  const isNumber = digits !== text && !phoneLetters.test(digits)
  return isNumber && text.replace(/\D/g, "").length >= fewestDigits ? digits : undefined
}

const readEmailCell = (text: string, country: CountryCode): Reading => {
  const { addresses, problem } = addressesIn(text)
  const phones = phonesAmongAddresses(text, country)
  if (addresses.length > 0) return { emails: addresses, phones, warnings: [warning("email", "cleaned", text)] }
  const reason = phones.length > 0 ? "in_other_column" : emailProblemOf(text, problem)
  return { emails: [], phones, warnings: [warning("email", reason, text)] }
}

const readPhoneCell = (text: string, country: CountryCode): Reading => {
  const phones = phonesIn(text, country)
  // The digits of `joao11987654321@x.com` are no number.
  if (text.includes("@")) {
    const { addresses, problem } = addressesIn(text)
    if (addresses.length > 0) {
      const numbers = phonesAmongAddresses(text, country)
      return { emails: addresses, phones: numbers, warnings: [warning("phone", "in_other_column", text)] }
    }
    return { emails: [], phones: [], warnings: [warning("phone", problem ?? "invalid_phone", text)] }
  }
  if (phones.length > 0) return { emails: [], phones, warnings: [] }
  const repaired = withDigitsForLetters(text)
  const repairedPhones = repaired === undefined ? [] : phonesIn(repaired, country).filter(isInNumberingPlan)
  if (repairedPhones.length > 0) {
    return { emails: [], phones: repairedPhones, warnings: [warning("phone", "cleaned", text)] }
  }
  const reason = Either.match(normalisePhone(text, country), {
    onLeft: (problem) => problem.reason,
    onRight: () => "invalid_phone" as const
  })
  return { emails: [], phones: [], warnings: [warning("phone", reason, text)] }
}

const readCell = ({ field, text }: ContactCell, country: CountryCode): Reading => {
  if (isPlaceholder(text)) return { emails: [], phones: [], warnings: [warning(field, "placeholder", text)] }
  if (text.length > maximumCellLength) return { emails: [], phones: [], warnings: [warning(field, "too_long", text)] }
  if (field === "phone") return readPhoneCell(text, country)
  const address = normaliseEmail(text)
  return Either.isRight(address) ? { emails: [address.right], phones: [], warnings: [] } : readEmailCell(text, country)
}

const distinct = (values: ReadonlyArray<string>) => [...new Set(values)]

/**
 * Reads the contact cells of a row. The first usable e-mail address and the first usable phone number count, those of
 * their own columns before others. Everything that was cleaned or left out has a warning.
 */
export const readContacts = (cells: ReadonlyArray<ContactCell>, country: CountryCode): RowContacts => {
  const readings = cells
    .filter(({ text }) => text.trim() !== "")
    .map((cell) => ({ cell, reading: withoutFiller(readCell(cell, country), cell) }))
  const contactsOf = (field: ContactField, pick: (reading: Reading) => ReadonlyArray<string>) => {
    const inOwnColumns = readings.filter(({ cell }) => cell.field === field)
    const elsewhere = readings.filter(({ cell }) => cell.field !== field)
    return distinct([...inOwnColumns, ...elsewhere].flatMap(({ reading }) => pick(reading)))
  }
  const [email = null, ...furtherEmails] = contactsOf("email", ({ emails }) => emails)
  const [phone = null, ...furtherPhones] = contactsOf("phone", ({ phones }) => phones)
  const warnings = [
    ...readings.flatMap(({ reading }) => reading.warnings),
    ...furtherEmails.map((address) => warning("email", "further_email", address)),
    ...furtherPhones.map((number) => warning("phone", "further_phone", number))
  ]
  return { email, phone, warnings: warnings.slice(0, maximumWarnings) }
}
