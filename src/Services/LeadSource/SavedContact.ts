import type { ServiceRow } from "../LeadFiles/LeadImports.ts"

/** A contact that the account saved in the lead database. */
export interface SavedContact {
  readonly id: string
  readonly name: string
  readonly email: string
  /** The state of the address in the database's terms. */
  readonly emailStatus: string
  readonly phone: string
  readonly jobTitle: string
  readonly company: string
  readonly website: string
  readonly linkedInUrl: string
  readonly city: string
  readonly state: string
  readonly country: string
  /** The contact asked the account not to write any more, according to the database. */
  readonly isUnsubscribed: boolean
}

/** The database's words for an address that does not receive mail. */
const unusable: ReadonlySet<string> = new Set(["invalid", "bounced", "unavailable", "email_invalid", "bounce"])

export type Reading =
  | { readonly _tag: "Row"; readonly row: ServiceRow; readonly hasInvalidEmail: boolean }
  | { readonly _tag: "Passed"; readonly reason: "opted_out" | "no_contact" }

/** The import row of a saved contact. An address that does not receive mail is left out. */
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

/** The most contacts of a list that the database shows. */
export const visibleContacts = 50_000
