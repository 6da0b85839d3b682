import { Either } from "effect"
import type { LeadId } from "../Leads/Ids.ts"
import { type CountryCode, normaliseEmail, normaliseLinkedInUrl, normalisePhone } from "../Text/ContactDetails.ts"
import { withoutControlCharacters } from "../Text/SingleLine.ts"
import type { LeadFileRow } from "./LeadFile.ts"

/** A row whose contacts are in the form in which they are stored and compared. */
export interface CandidateLead {
  readonly rowNumber: number
  readonly name: string
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
}

export interface InvalidRow {
  readonly rowNumber: number
  readonly reason: string
}

const maximumNameLength = 200

/** One line with single spaces, because cells of a spreadsheet may contain line breaks. */
const line = (text: string | undefined): string | null => {
  const clean = withoutControlCharacters((text ?? "").replace(/\s+/g, " ")).trim()
  return clean === "" ? null : clean
}

/**
 * Reads a row: its contacts normalised, or why it is none. A row with a contact that cannot be used is invalid even
 * when the other one can, so that nobody's data is dropped unseen. A missing name is taken from the company or the
 * contact.
 */
export const candidateOf = (row: LeadFileRow, country: CountryCode): Either.Either<CandidateLead, InvalidRow> => {
  const invalid = (reason: string) => Either.left({ rowNumber: row.row_number, reason })
  const hasEmail = row.email.trim() !== ""
  const hasPhone = row.phone.trim() !== ""
  if (!hasEmail && !hasPhone) return invalid("no_contact")
  const email = hasEmail ? normaliseEmail(row.email) : undefined
  if (email !== undefined && Either.isLeft(email)) return invalid(email.left.reason)
  const phone = hasPhone ? normalisePhone(row.phone, country) : undefined
  if (phone !== undefined && Either.isLeft(phone)) return invalid(phone.left.reason)
  const linkedIn = line(row.linkedin_url) === null ? undefined : normaliseLinkedInUrl(row.linkedin_url ?? "")
  const company = line(row.company)
  const address = email?.right ?? null
  const number = phone?.right.e164 ?? null
  const name = line(row.name) ?? company ?? address?.split("@", 1)[0] ?? number ?? ""
  return Either.right({
    rowNumber: row.row_number,
    name: name.slice(0, maximumNameLength),
    email: address,
    phone: number,
    company: company?.slice(0, maximumNameLength) ?? null,
    // A profile that cannot be read is no reason to lose the lead.
    linkedInUrl: linkedIn !== undefined && Either.isRight(linkedIn) ? linkedIn.right : null,
    city: line(row.city),
    state: line(row.state),
    country: line(row.country),
    jobTitle: line(row.job_title),
    website: line(row.website),
    notes: line(row.notes)
  })
}

/** A lead that has one of the candidates' contacts already. */
export interface KnownContact {
  readonly leadId: LeadId
  readonly email: string | null
  readonly phone: string | null
  /** Whether this very import created it. */
  readonly isOfThisImport: boolean
}

export interface Duplicate {
  readonly rowNumber: number
  readonly reason: "existing_lead" | "repeated_in_file"
  /** The lead there is, or the candidate of this batch that will become it. */
  readonly of: LeadId | CandidateLead
}

export interface ImportPlan {
  readonly create: ReadonlyArray<CandidateLead>
  readonly duplicates: ReadonlyArray<Duplicate>
  readonly erased: ReadonlyArray<InvalidRow>
}

/**
 * What becomes of a batch's candidates, in their order: the first with a contact creates the lead, later ones with the
 * same e-mail address or phone repeat it. `isErased` tells of a contact whose person was erased for good.
 */
export const planBatch = (
  candidates: ReadonlyArray<CandidateLead>,
  known: ReadonlyArray<KnownContact>,
  isErased: (contact: string) => boolean
): ImportPlan => {
  const owners = new Map<string, KnownContact | CandidateLead>()
  for (const contact of known) {
    if (contact.email !== null) owners.set(contact.email, contact)
    if (contact.phone !== null) owners.set(contact.phone, contact)
  }
  const create: Array<CandidateLead> = []
  const duplicates: Array<Duplicate> = []
  const erased: Array<InvalidRow> = []
  for (const candidate of candidates) {
    const { email, phone, rowNumber } = candidate
    if ((email !== null && isErased(email)) || (phone !== null && isErased(phone))) {
      erased.push({ rowNumber, reason: "lead_erased" })
      continue
    }
    const owner = (email === null ? undefined : owners.get(email)) ?? (phone === null ? undefined : owners.get(phone))
    if (owner === undefined) {
      create.push(candidate)
      if (email !== null) owners.set(email, candidate)
      if (phone !== null) owners.set(phone, candidate)
    } else if ("leadId" in owner) {
      const reason = owner.isOfThisImport ? "repeated_in_file" : "existing_lead"
      duplicates.push({ rowNumber, reason, of: owner.leadId })
    } else duplicates.push({ rowNumber, reason: "repeated_in_file", of: owner })
  }
  return { create, duplicates, erased }
}
