import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { type CountryCode, normaliseEmail, normalisePhone, type Problem } from "../Text/ContactDetails.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import type { LeadStatus } from "./Ids.ts"

/** A lead to be registered. */
export interface NewLead {
  readonly name: string
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly company: string | undefined
  readonly status: LeadStatus
  /** Name or numeric id. */
  readonly campaign: string | undefined
  /** Whether an existing lead stays exactly as it is. By default its empty fields are filled. */
  readonly leavesExisting?: boolean
}

const notAccepted = (parameter: string, { message, reason }: Problem): Refused =>
  refused(reason, message, `Correct ${parameter}, or leave it out.`, { parameter })

const severalLines = (parameter: string): Refused =>
  refused(
    "control_characters",
    `${parameter} has a line break or another control character.`,
    "Send it as one line of text.",
    { parameter }
  )

/** Forms send a blank text for an empty field. */
const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim()
  return trimmed === "" ? undefined : trimmed
}

/** Whether the lead's phone number lacks a country code. */
export const needsCountry = ({ phone }: NewLead): boolean => {
  const number = nonBlank(phone)
  return number !== undefined && !number.startsWith("+")
}

/**
 * The lead with its contacts in the form in which they are stored and compared (the phone as E.164), or why it is
 * refused. Blank fields count as missing. A phone number without a country code belongs to `country`.
 */
export const checkNewLead = (lead: NewLead, country: CountryCode): Either.Either<NewLead, Refused> => {
  const name = lead.name.trim()
  const email = nonBlank(lead.email)
  const phone = nonBlank(lead.phone)
  const company = nonBlank(lead.company)
  if (!isSingleLine(name)) return Either.left(severalLines("name"))
  if (company !== undefined && !isSingleLine(company)) return Either.left(severalLines("company"))
  const address = email === undefined ? undefined : normaliseEmail(email)
  if (address !== undefined && Either.isLeft(address)) return Either.left(notAccepted("email", address.left))
  const number = phone === undefined ? undefined : normalisePhone(phone, country)
  if (number !== undefined && Either.isLeft(number)) return Either.left(notAccepted("phone", number.left))
  return Either.right({
    name,
    email: address?.right,
    phone: number?.right.e164,
    company,
    status: lead.status,
    campaign: nonBlank(lead.campaign)
  })
}
