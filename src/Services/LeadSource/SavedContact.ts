import type { HandedRow } from "../LeadFiles/LeadImports.ts"

/** Somebody whom the account saved at the lead database. */
export interface SavedContact {
  readonly id: string
  readonly name: string
  readonly email: string
  /** What the database knows of the address, in its own word. */
  readonly emailStatus: string
  readonly phone: string
  readonly jobTitle: string
  readonly company: string
  readonly website: string
  readonly linkedInUrl: string
  readonly city: string
  readonly state: string
  readonly country: string
  /** Asked the account not to write any more, as the database knows. */
  readonly isUnsubscribed: boolean
}

/** Words of the database for an address that mail does not reach. */
const unusable: ReadonlySet<string> = new Set(["invalid", "bounced", "unavailable", "email_invalid", "bounce"])

export type Reading =
  | { readonly _tag: "Row"; readonly row: HandedRow; readonly hasInvalidEmail: boolean }
  | { readonly _tag: "Passed"; readonly reason: "opted_out" | "no_contact" }

/** What of a saved contact goes to the import: without an address that mail does not reach. */
export const readingOf = (contact: SavedContact): Reading => {
  if (contact.isUnsubscribed) return { _tag: "Passed", reason: "opted_out" }
  const hasInvalidEmail = contact.email !== "" && unusable.has(contact.emailStatus.toLowerCase())
  const email = hasInvalidEmail ? "" : contact.email
  if (email === "" && contact.phone === "") return { _tag: "Passed", reason: "no_contact" }
  const { city, company, country, jobTitle, linkedInUrl, name, phone, state, website } = contact
  return {
    _tag: "Row",
    row: {
      name,
      email,
      phone,
      company,
      job_title: jobTitle,
      linkedin_url: linkedInUrl,
      website,
      city,
      state,
      country
    },
    hasInvalidEmail
  }
}

/** The database shows no contact of a list behind this one. */
export const visibleContacts = 50_000
