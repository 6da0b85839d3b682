import { Either } from "effect"
import type { LeadId } from "../Leads/Ids.ts"
import { normalisedPlace } from "../Leads/LeadPlaces.ts"
import { isPublicMailDomain } from "../SenderDomains/SenderDomainRules.ts"
import { type CountryCode, normaliseLinkedInUrl } from "../Text/ContactDetails.ts"
import { fold } from "../Text/PlainText.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import { type ContactWarning, type RowContacts, readContacts, warning } from "./ContactCells.ts"
import { isPlaceholder } from "./ImportRow.ts"
import type { ContactCell, LeadFileRow } from "./LeadFile.ts"
import { contactsInRemark } from "./RemarkContacts.ts"
import { countriesOfRow, type RowCountries } from "./RowCountries.ts"

/** A row with normalised contacts. */
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

/** An invalid profile address is left out. The lead is still imported. */
const linkedInUrlOf = ({ linkedin_url = "" }: LeadFileRow): string | null =>
  line(linkedin_url) === null ? null : Either.getOrElse(normaliseLinkedInUrl(linkedin_url), () => null)

const contactCellsOf = ({ email, further_contacts = [], phone }: LeadFileRow): ReadonlyArray<ContactCell> => [
  { field: "email", text: email },
  { field: "phone", text: phone },
  ...further_contacts
]

/** Why a row without a usable contact is invalid: the first problem of its cells. */
const noContactReason = (warnings: ReadonlyArray<ContactWarning>): string =>
  warnings.find(({ reason }) => reason !== "placeholder")?.reason ?? "no_contact"

/** Adds contacts from the remark if no cell has any and the remark clearly says that they are the lead's. */
const withRemark = (row: LeadFileRow, contacts: RowContacts, countries: RowCountries): RowContacts => {
  const isIncomplete = contacts.email === null || contacts.phone === null
  if (row.notes === undefined || !isIncomplete) return contacts
  let { email, phone } = contacts
  const warnings: Array<ContactWarning> = []
  for (const { cell, isCertain } of contactsInRemark(row)) {
    const read = readContacts([cell], countries)
    const isMissing =
      cell.field === "email" ? email === null && read.email !== null : phone === null && read.phone !== null
    if (isMissing && isCertain) {
      email ??= read.email
      phone ??= read.phone
      warnings.push(warning(cell.field, "in_remark", cell.text))
    } else if (isMissing && contacts.email === null && contacts.phone === null) {
      warnings.push(warning(cell.field, "unclear_in_remark", cell.text))
    }
  }
  return { email, phone, warnings: [...warnings, ...contacts.warnings] }
}

/**
 * Reads a row: a lead with normalised contacts, or why the row is invalid. A row is valid if one usable contact
 * remains. Warnings describe values that were cleaned or left out. A missing name is taken from the company or the
 * contact. `countriesOfFile` are the countries that other rows of the file suggest.
 */
export const candidateOf = (
  row: LeadFileRow,
  country: CountryCode,
  countriesOfFile: ReadonlyArray<CountryCode>
): Either.Either<CandidateLead, InvalidRow> => {
  const countries = countriesOfRow(row, country, countriesOfFile)
  const { email, phone, warnings } = withRemark(row, readContacts(contactCellsOf(row), countries), countries)
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
  readonly name: string
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

const shortestNameWord = 3
const wordsOfName = (name: string) =>
  fold(name)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= shortestNameWord)

/**
 * Whether two people share their company's phone. Their addresses must be at the same company domain, and their names
 * must have no word in common. Otherwise they may be one person with two spellings.
 */
const isColleague = (candidate: CandidateLead, owner: ExistingContact | CandidateLead): boolean => {
  const ownerName = "leadId" in owner ? owner.name : owner.writtenName
  if (candidate.email === null || owner.email === null || ownerName === null) return false
  const [, domain = ""] = candidate.email.split("@")
  if (!owner.email.endsWith(`@${domain}`) || isPublicMailDomain(domain)) return false
  const words = wordsOfName(candidate.writtenName ?? "")
  const ownerWords = new Set(wordsOfName(ownerName))
  return words.length > 0 && ownerWords.size > 0 && !words.some((word) => ownerWords.has(word))
}

/** The candidate without the phone that a colleague has already, because a phone belongs to one lead. */
const withoutPhone = (candidate: CandidateLead, phone: string): CandidateLead => ({
  ...candidate,
  phone: null,
  warnings: [...candidate.warnings, warning("phone", "phone_of_colleague", phone)]
})

/**
 * Decides on a batch's candidates in order. The first one with a contact creates the lead, and later ones with the same
 * e-mail address or phone number repeat it. `isErased` says whether the person behind a contact was erased.
 */
export const planBatch = (
  candidates: ReadonlyArray<CandidateLead>,
  existingContacts: ReadonlyArray<ExistingContact>,
  isErased: (contact: string) => boolean
): ImportPlan => {
  const owners = new Map<string | null, ExistingContact | CandidateLead>()
  const enter = (lead: ExistingContact | CandidateLead): void => {
    for (const contact of [lead.email, lead.phone]) if (contact !== null) owners.set(contact, lead)
  }
  for (const contact of existingContacts) enter(contact)
  const create: Array<CandidateLead> = []
  const duplicates: Array<Duplicate> = []
  const erased: Array<InvalidRow> = []
  for (const candidate of candidates) {
    const { email, phone, rowNumber, warnings } = candidate
    if ([email, phone].some((contact) => contact !== null && isErased(contact))) {
      erased.push({ rowNumber, reason: "lead_erased", warnings })
      continue
    }
    const phoneOwner = owners.get(phone)
    const emailOwner = owners.get(email)
    const contactOwner = emailOwner ?? phoneOwner
    if (phone !== null && phoneOwner !== undefined && emailOwner === undefined && isColleague(candidate, phoneOwner)) {
      const colleague = withoutPhone(candidate, phone)
      create.push(colleague)
      enter(colleague)
    } else if (contactOwner === undefined) {
      create.push(candidate)
      enter(candidate)
    } else if ("leadId" in contactOwner) {
      const reason = contactOwner.isOfThisImport ? "repeated_in_file" : "existing_lead"
      duplicates.push({ rowNumber, candidate, reason, warnings, of: contactOwner.leadId })
    } else duplicates.push({ rowNumber, candidate, reason: "repeated_in_file", warnings, of: contactOwner })
  }
  return { create, duplicates, erased }
}
