import { Either } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import type { LeadId } from "../Leads/Ids.ts"
import { normalisedPlace } from "../Leads/LeadPlaces.ts"
import { type CountryCode, normaliseLinkedInUrl } from "../Text/ContactDetails.ts"
import { countryCodeOf } from "../Text/LeadLanguage.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import { type ContactCell, type ContactWarning, readContacts } from "./ContactCells.ts"
import { isPlaceholder } from "./ImportRow.ts"
import type { LeadFileRow } from "./LeadFile.ts"

/** A row whose contacts are in the form in which they are stored and compared. */
export interface CandidateLead {
  readonly rowNumber: number
  readonly name: string
  /** Null if the name was taken from the company or the contact. */
  readonly writtenName: string | null
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  readonly company: string | null
  readonly linkedInUrl: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly jobTitle: string | null
  readonly website: string | null
  readonly notes: string | null
  readonly warnings: ReadonlyArray<ContactWarning>
}

export interface InvalidRow {
  readonly rowNumber: number
  readonly reason: string
  readonly warnings: ReadonlyArray<ContactWarning>
}

const maximumNameLength = 200

/** One line with single spaces, because cells of a spreadsheet may contain line breaks. */
const line = (text: string | undefined): string | null => {
  const clean = withoutControlCharacters((text ?? "").replace(/\s+/g, " ")).trim()
  return clean === "" || isPlaceholder(clean) ? null : clean
}

/** A faulty profile address is left out, because it is no reason to lose the lead. */
const linkedInUrlOf = ({ linkedin_url = "" }: LeadFileRow): string | null =>
  line(linkedin_url) === null ? null : Either.getOrElse(normaliseLinkedInUrl(linkedin_url), () => null)

/** The country that a row names decides how its phone numbers are read, else the account's. */
const phoneCountryOf = (row: LeadFileRow, accountCountry: CountryCode): CountryCode => {
  const code = row.country === undefined ? undefined : countryCodeOf(row.country)
  return code !== undefined && isSupportedCountry(code) ? code : accountCountry
}

const contactCellsOf = ({ email, further_contacts = [], phone }: LeadFileRow): ReadonlyArray<ContactCell> => [
  { field: "email", text: email },
  { field: "phone", text: phone },
  ...further_contacts
]

/** Why a row without a usable contact is invalid: the first problem of its cells. */
const noContactReason = (warnings: ReadonlyArray<ContactWarning>): string =>
  warnings.find(({ reason }) => reason !== "placeholder")?.reason ?? "no_contact"

/**
 * Reads a row: a lead with normalised contacts, or why the row is invalid. A row is valid if one usable contact
 * remains. Warnings say what was cleaned or left out. A missing name is taken from the company or the contact.
 */
export const candidateOf = (row: LeadFileRow, country: CountryCode): Either.Either<CandidateLead, InvalidRow> => {
  const { email, phone, warnings } = readContacts(contactCellsOf(row), phoneCountryOf(row, country))
  if (email === null && phone === null) {
    return Either.left({ rowNumber: row.row_number, reason: noContactReason(warnings), warnings })
  }
  const company = line(row.company)
  const writtenName = line(row.name)
  const name = writtenName ?? company ?? email?.split("@", 1)[0] ?? phone ?? ""
  return Either.right({
    rowNumber: row.row_number,
    name: name.slice(0, maximumNameLength),
    writtenName: writtenName?.slice(0, maximumNameLength) ?? null,
    email,
    phone,
    company: company?.slice(0, maximumNameLength) ?? null,
    linkedInUrl: linkedInUrlOf(row),
    ...normalisedPlace(
      { city: line(row.city), state: line(row.state), country: line(row.country) },
      { accountCountry: country, phone }
    ),
    jobTitle: line(row.job_title),
    website: line(row.website),
    notes: line(row.notes),
    warnings
  })
}

/** An existing lead that has one of the candidates' contacts. */
export interface ExistingContact {
  readonly leadId: LeadId
  readonly email: string | null
  readonly phone: string | null
  /** Whether this import created it. */
  readonly isOfThisImport: boolean
}

export interface Duplicate {
  readonly rowNumber: number
  readonly candidate: CandidateLead
  readonly reason: "existing_lead" | "repeated_in_file"
  readonly warnings: ReadonlyArray<ContactWarning>
  /** The existing lead, or the candidate of this batch that becomes the lead. */
  readonly of: LeadId | CandidateLead
}

export interface ImportPlan {
  readonly create: ReadonlyArray<CandidateLead>
  readonly duplicates: ReadonlyArray<Duplicate>
  readonly erased: ReadonlyArray<InvalidRow>
}

/**
 * Decides on a batch's candidates in order. The first one with a contact creates the lead, and later ones with the same
 * e-mail address or phone number repeat it. `isErased` says whether the person behind a contact was erased.
 */
export const planBatch = (
  candidates: ReadonlyArray<CandidateLead>,
  existingContacts: ReadonlyArray<ExistingContact>,
  isErased: (contact: string) => boolean
): ImportPlan => {
  const owners = new Map<string, ExistingContact | CandidateLead>()
  for (const contact of existingContacts) {
    if (contact.email !== null) owners.set(contact.email, contact)
    if (contact.phone !== null) owners.set(contact.phone, contact)
  }
  const create: Array<CandidateLead> = []
  const duplicates: Array<Duplicate> = []
  const erased: Array<InvalidRow> = []
  for (const candidate of candidates) {
    const { email, phone, rowNumber, warnings } = candidate
    if ((email !== null && isErased(email)) || (phone !== null && isErased(phone))) {
      erased.push({ rowNumber, reason: "lead_erased", warnings })
      continue
    }
    const contactOwner =
      (email === null ? undefined : owners.get(email)) ?? (phone === null ? undefined : owners.get(phone))
    if (contactOwner === undefined) {
      create.push(candidate)
      if (email !== null) owners.set(email, candidate)
      if (phone !== null) owners.set(phone, candidate)
    } else if ("leadId" in contactOwner) {
      const reason = contactOwner.isOfThisImport ? "repeated_in_file" : "existing_lead"
      duplicates.push({ rowNumber, candidate, reason, warnings, of: contactOwner.leadId })
    } else duplicates.push({ rowNumber, candidate, reason: "repeated_in_file", warnings, of: contactOwner })
  }
  return { create, duplicates, erased }
}
