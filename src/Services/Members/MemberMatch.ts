import { Either } from "effect"
import { type NotFound, notFound, type Refused, refused } from "../../Errors.ts"
import { type CountryCode, normalisePhone } from "../Text/ContactDetails.ts"
import { clip, fold } from "../Text/PlainText.ts"
import type { MemberId } from "./Ids.ts"

/** A person whom a name or number may refer to. */
export interface Person {
  /** Null for the owner. */
  readonly member_id: MemberId | null
  readonly name: string
  readonly phone: string | null
}

const folded = (name: string): string => fold(name).replace(/\s+/g, " ").trim()

const candidatesOf = (people: ReadonlyArray<Person>) =>
  people.slice(0, 20).map(({ member_id, name, phone }) => ({ member_id, name, phone, is_owner: member_id === null }))

const ambiguous = (people: ReadonlyArray<Person>) =>
  refused(
    "member_ambiguous",
    "name_or_phone does not say which one person is meant.",
    "Repeat the call with the phone number, or the whole name, of one of the candidates.",
    { parameter: "name_or_phone", candidates: candidatesOf(people) }
  )

const ownerStays = refused(
  "owner_cannot_be_removed",
  "The account's owner cannot be removed.",
  "Remove members only; list_members tells who is one.",
  { parameter: "name_or_phone" }
)

/**
 * Finds the one member with this name or phone number. Numbers match in any notation, names match completely, ignoring
 * case and accents. A partial name is refused with the possible members, so that no one is removed by mistake.
 */
export const memberMeant = (
  text: string,
  people: ReadonlyArray<Person>,
  country: CountryCode
): Either.Either<MemberId, Refused | NotFound> => {
  const wanted = folded(text)
  const phone = normalisePhone(text, country)
  const byPhone = Either.isRight(phone) ? people.filter((person) => person.phone === phone.right.e164) : []
  const exact = byPhone.length > 0 ? byPhone : people.filter(({ name }) => folded(name) === wanted)
  const [first] = exact
  if (exact.length > 1) return Either.left(ambiguous(exact))
  if (first !== undefined) return first.member_id === null ? Either.left(ownerStays) : Either.right(first.member_id)
  const partly = wanted === "" ? [] : people.filter(({ name }) => ` ${folded(name)}`.includes(` ${wanted}`))
  return Either.left(
    partly.length > 0 ? ambiguous(partly) : notFound("member", "name_or_phone", clip(text.trim(), 100))
  )
}
