import { Either } from "effect"
import { isInNumberingPlan, normaliseEmail, normalisePhone, type ProblemReason } from "../Text/ContactDetails.ts"
import { addressesIn, isBareAddress } from "./AddressCells.ts"
import { isPlaceholder } from "./ImportRow.ts"
import type { ContactCell, ContactField } from "./LeadFile.ts"
import { isMarkedUnusable } from "./MarkedUnusable.ts"
import { phonesOfRow, type RowCountries } from "./RowCountries.ts"

/** A value in a contact cell that was left out or cleaned. */
export interface ContactWarning {
  readonly field: ContactField
  readonly reason:
    | ProblemReason
    | "placeholder"
    | "cleaned"
    | "in_other_column"
    | "in_remark"
    | "unclear_in_remark"
    | "further_email"
    | "further_phone"
    | "phone_of_colleague"
    | "marked_unusable"
  /** The cell, or the additional address or number. */
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

/**
 * Separators between contacts in a cell. Brackets are not separators because phone numbers contain them: `(11)
 * 3456-7890`.
 */
const partEnd = /[;,|\n]|\s\/\s|\s(?:ou|or|o|e|y|and)\s/i

const phoneLetters = /\p{L}/u

/** A number in a column of addresses must be the whole entry, because other texts contain digits too. */
const phonesAmongAddresses = (text: string, countries: RowCountries): ReadonlyArray<string> => {
  const entries = text.split(partEnd).filter((entry) => !phoneLetters.test(entry))
  return entries.flatMap((entry) => phonesOfRow(entry, countries))
}

interface Reading {
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<ContactWarning>
}

export const warning = (field: ContactField, reason: ContactWarning["reason"], text: string): ContactWarning => ({
  field,
  reason,
  value: text.trim().slice(0, maximumWarningLength)
})

const emailProblemOf = (text: string, problem: ProblemReason | undefined): ProblemReason => {
  if (problem !== undefined) return problem
  return Either.match(normaliseEmail(text), { onLeft: ({ reason }) => reason, onRight: () => "invalid_email" })
}

/** Placeholder words that people type when a form demands an address: `test@test.com`. */
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

const readEmailCell = (text: string, countries: RowCountries): Reading => {
  const { addresses, problem } = addressesIn(text)
  const phones = phonesAmongAddresses(text, countries)
  if (addresses.length > 0) return { emails: addresses, phones, warnings: [warning("email", "cleaned", text)] }
  const reason = phones.length > 0 ? "in_other_column" : emailProblemOf(text, problem)
  return { emails: [], phones, warnings: [warning("email", reason, text)] }
}

const readPhoneCell = (text: string, countries: RowCountries): Reading => {
  const phones = phonesOfRow(text, countries)
  // Digits within an address such as `joao11987654321@x.com` are not a phone number.
  if (text.includes("@")) {
    const { addresses, problem } = addressesIn(text)
    if (addresses.length > 0) {
      const numbers = phonesAmongAddresses(text, countries)
      return { emails: addresses, phones: numbers, warnings: [warning("phone", "in_other_column", text)] }
    }
    return { emails: [], phones: [], warnings: [warning("phone", problem ?? "invalid_phone", text)] }
  }
  if (phones.length > 0) return { emails: [], phones, warnings: [] }
  const repaired = withDigitsForLetters(text)
  const repairedPhones = repaired === undefined ? [] : phonesOfRow(repaired, countries).filter(isInNumberingPlan)
  if (repairedPhones.length > 0) {
    return { emails: [], phones: repairedPhones, warnings: [warning("phone", "cleaned", text)] }
  }
  const reason = Either.match(normalisePhone(text, countries.usual), {
    onLeft: (problem) => problem.reason,
    onRight: () => "invalid_phone" as const
  })
  return { emails: [], phones: [], warnings: [warning("phone", reason, text)] }
}

const readCell = ({ field, text }: ContactCell, countries: RowCountries): Reading => {
  if (isPlaceholder(text)) return { emails: [], phones: [], warnings: [warning(field, "placeholder", text)] }
  if (text.length > maximumCellLength) return { emails: [], phones: [], warnings: [warning(field, "too_long", text)] }
  if (field === "phone") return readPhoneCell(text, countries)
  const address = normaliseEmail(text)
  return Either.isRight(address) && isBareAddress(text)
    ? { emails: [address.right], phones: [], warnings: [] }
    : readEmailCell(text, countries)
}

const distinct = (values: ReadonlyArray<string>) => [...new Set(values)]

/** The cell without the parts that say not to use them: `ana@x.com (old), bia@x.com`. */
const withoutUnusableParts = (cell: ContactCell): ContactCell => {
  if (cell.text.length > maximumCellLength || !isMarkedUnusable(cell.text)) return cell
  const parts = cell.text.split(partEnd).filter((part) => !isMarkedUnusable(part))
  return { ...cell, text: parts.join("; ") }
}

/** Reads the contacts of a cell that may be used. */
const readUsable = (cell: ContactCell, countries: RowCountries): Reading => {
  const usable = withoutUnusableParts(cell)
  if (usable === cell) return withoutFiller(readCell(cell, countries), cell)
  const reading = withoutFiller(readCell(usable, countries), cell)
  return { ...reading, warnings: [warning(cell.field, "marked_unusable", cell.text)] }
}

/**
 * Reads the contact cells of a row. The first usable e-mail address and phone number are used, and columns for that
 * kind of contact come first. Everything that was cleaned or left out has a warning.
 */
export const readContacts = (cells: ReadonlyArray<ContactCell>, countries: RowCountries): RowContacts => {
  const readings = cells
    .filter(({ text }) => text.trim() !== "")
    .map((cell) => ({ cell, reading: readUsable(cell, countries) }))
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
