import { Schema } from "effect"
import { fold } from "../Text/PlainText.ts"
import { LeadId } from "./Ids.ts"

/** The fields of an existing lead that a registration or an import may fill. */
export const FillableField = Schema.Literal(
  "email",
  "phone",
  "company",
  "linkedin_url",
  "city",
  "state",
  "country",
  "job_title",
  "website",
  "background"
)
export type FillableField = typeof FillableField.Type

/** A value that an existing lead did not get. */
export const UnfilledField = Schema.Struct({
  field: Schema.Literal("name", ...FillableField.literals),
  reason: Schema.Literal("has_another_value", "belongs_to_another_lead", "other_place", "person_erased").annotations({
    description:
      "has_another_value: the lead keeps its own. belongs_to_another_lead: lead_id has this contact, so the two may be one person. other_place: it belongs to another city, state or country than the lead's. person_erased: it belongs to a person who was erased."
  }),
  lead_id: Schema.NullOr(LeadId).annotations({ description: "The other lead that has this contact." })
})
export type UnfilledField = typeof UnfilledField.Type

export type FillableValues = { readonly [field in FillableField]: string | null }

/** What is known about a person: the values of an existing lead, or those of a registration. */
export interface PersonDetails extends FillableValues {
  readonly name: string | null
}

/** What stands against filling a contact. */
export interface ContactClaims {
  /** Another lead with the given address. */
  readonly emailOwner: LeadId | undefined
  readonly phoneOwner: LeadId | undefined
  /** Whether one of the given contacts is an erased person's. */
  readonly isErased: boolean
}

export interface Completion {
  readonly values: { readonly [field in FillableField]?: string }
  readonly notFilled: ReadonlyArray<UnfilledField>
}

const placeFields: ReadonlySet<string> = new Set(["city", "state", "country"])

const isBlank = (text: string | null): text is null | "" => text === null || text.trim() === ""

/** Whether two texts are one value in different spellings. */
const isSame = (one: string, other: string): boolean => fold(one).trim() === fold(other).trim()

const isOther = (existing: string | null, given: string | null): boolean =>
  !isBlank(existing) && !isBlank(given) && !isSame(existing, given)

const contactClaim = (field: "email" | "phone", claims: ContactClaims): UnfilledField | undefined => {
  const owner = field === "email" ? claims.emailOwner : claims.phoneOwner
  if (owner !== undefined) return { field, reason: "belongs_to_another_lead", lead_id: owner }
  return claims.isErased ? { field, reason: "person_erased", lead_id: null } : undefined
}

/**
 * Which empty fields of an existing lead get the given values, and which do not. A field with a value keeps it. City,
 * state and country are filled only if none of them contradicts the lead's.
 */
export const completionOf = (existing: PersonDetails, given: PersonDetails, claims: ContactClaims): Completion => {
  const values: { [field in FillableField]?: string } = {}
  const notFilled: Array<UnfilledField> = []
  const isElsewhere =
    isOther(existing.city, given.city) ||
    isOther(existing.state, given.state) ||
    isOther(existing.country, given.country)
  if (isOther(existing.name, given.name)) notFilled.push({ field: "name", reason: "has_another_value", lead_id: null })
  for (const field of FillableField.literals) {
    const value = given[field]
    const present = existing[field]
    if (isBlank(value) || (!isBlank(present) && isSame(present, value))) continue
    const claim = field === "email" || field === "phone" ? contactClaim(field, claims) : undefined
    if (claim !== undefined) notFilled.push(claim)
    else if (!isBlank(present)) notFilled.push({ field, reason: "has_another_value", lead_id: null })
    else if (isElsewhere && placeFields.has(field)) notFilled.push({ field, reason: "other_place", lead_id: null })
    else values[field] = value
  }
  return { values, notFilled }
}

export const filledFields = ({ values }: Completion): ReadonlyArray<FillableField> =>
  FillableField.literals.filter((field) => values[field] !== undefined)
