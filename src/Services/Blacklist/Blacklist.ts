import { Context, type Effect, Either, type Option, Schema } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import {
  type CountryCode,
  digitsOf,
  normaliseDomain,
  normaliseEmail,
  normalisePhone,
  type Problem
} from "../Text/ContactDetails.ts"

export const BlacklistEntryId = Schema.Int.pipe(Schema.brand("BlacklistEntryId"))
export type BlacklistEntryId = typeof BlacklistEntryId.Type

export const blacklistReasons = ["Competitor", "Client", "Other"] as const
export const BlacklistReason = Schema.Literal(...blacklistReasons)
export type BlacklistReason = typeof BlacklistReason.Type

export const BlacklistKind = Schema.Literal("email", "domain", "phone")
export type BlacklistKind = typeof BlacklistKind.Type

/** `ending` is a phone number without a known country. It blocks every number that ends with it. */
export const BlacklistMatch = Schema.Literal("whole", "ending")
export type BlacklistMatch = typeof BlacklistMatch.Type

export const BlacklistEntryView = Schema.Struct({
  blacklist_entry_id: BlacklistEntryId,
  kind: BlacklistKind,
  value: Schema.String.annotations({
    description: "The form that is compared: e-mails and domains in lower case, phones as digits with the country code."
  }),
  match: BlacklistMatch.annotations({
    description: "ending: a phone without a known country code, which blocks every number that ends with these digits."
  }),
  reason: BlacklistReason,
  times_blocked: Schema.Int.annotations({
    description:
      "How often this entry prevented a message or a call. A touch, a refused call and a refused message count once."
  }),
  created_at: Timestamp
})
export type BlacklistEntryView = typeof BlacklistEntryView.Type

/** A contact in the form that entries are compared with. */
export interface BlacklistKey {
  readonly kind: BlacklistKind
  readonly value: string
  readonly match: BlacklistMatch
}

const unacceptable = (parameter: BlacklistKind, reason: string, error: string, detail: string) =>
  Either.left(refused(reason, error, detail, { parameter }))

const problemWith = (kind: BlacklistKind) => (problem: Problem) =>
  refused(problem.reason, `${kind} is not acceptable: ${problem.message}`, helpWith[kind], { parameter: kind })

const helpWith: { readonly [K in BlacklistKind]: string } = {
  email: "Send one address such as name@company.com; to block a whole company use add_blacklisted_domain.",
  domain: "Send the bare domain, such as company.com: no address, scheme or path. Subdomains are entries of their own.",
  phone: "Send one number of 8 to 15 digits, formatted in any way, best with + and the country code."
}

export const emailKey = (email: string): Either.Either<BlacklistKey, Refused> =>
  Either.mapBoth(normaliseEmail(email), {
    onLeft: problemWith("email"),
    onRight: (value) => ({ kind: "email" as const, value, match: "whole" as const })
  })

export const domainKey = (domain: string): Either.Either<BlacklistKey, Refused> =>
  Either.mapBoth(normaliseDomain(domain), {
    onLeft: problemWith("domain"),
    onRight: (value) => ({ kind: "domain" as const, value, match: "whole" as const })
  })

/**
 * A number with a known country becomes E.164 without the plus. Of any other number the digits are stored, and block
 * every number that ends with them.
 */
export const phoneKey = (phone: string, country: CountryCode): Either.Either<BlacklistKey, Refused> => {
  const digits = digitsOf(phone)
  if (digits.length > 15) {
    return unacceptable("phone", "phone_too_long", "phone has more digits than a phone number has.", helpWith.phone)
  }
  const normalised = normalisePhone(phone, country)
  if (Either.isRight(normalised)) {
    return Either.right({ kind: "phone", value: digitsOf(normalised.right.e164), match: "whole" })
  }
  return digits.length < 8
    ? unacceptable(
        "phone",
        "phone_too_short",
        "phone has fewer digits than a number with its area code.",
        helpWith.phone
      )
    : Either.right({ kind: "phone", value: digits, match: "ending" })
}

/** The country of the account's national numbers: that of its phone, else of its language, else Brazil. */
export const countryOfAccount = (account: {
  readonly phone: string | null
  readonly languageKey: string
}): CountryCode => {
  const ownPhone = account.phone === null ? undefined : normalisePhone(account.phone)
  if (ownPhone !== undefined && Either.isRight(ownPhone)) return ownPhone.right.country
  const region = account.languageKey.split("-")[1]?.toUpperCase() ?? ""
  return isSupportedCountry(region) ? region : "BR"
}

export interface BlacklistPage {
  readonly entries: ReadonlyArray<BlacklistEntryView>
  readonly total: number
}

export interface Addition {
  readonly entry: BlacklistEntryView
  /** False if the entry existed already. A new reason replaces the old one. */
  readonly created: boolean
}

export class Blacklist extends Context.Tag("Blacklist")<
  Blacklist,
  {
    /** `value` in any notation. Without a reason, a new entry gets `Other`, and an existing one keeps its reason. */
    readonly add: (
      kind: BlacklistKind,
      value: string,
      reason: BlacklistReason | undefined
    ) => Effect.Effect<Addition, Refused | Transient, Caller>
    /** Returns the removed entry. */
    readonly remove: (
      kind: BlacklistKind,
      value: string
    ) => Effect.Effect<BlacklistEntryView, NotFound | Refused | Transient, Caller>
    /** Newest first. */
    readonly list: (options: {
      readonly page: number
      readonly pageSize: number
    }) => Effect.Effect<BlacklistPage, Transient, Caller>
    /**
     * The entry that forbids contact by this e-mail (normalised) or phone (E.164). Pass only what is about to be used.
     * Statements over many leads use the function `blacklist_match(account_id, email, phone)`, as this method does.
     */
    readonly blockedBy: (contact: {
      readonly email: string | null
      readonly phone: string | null
    }) => Effect.Effect<Option.Option<BlacklistEntryView>, Transient, Caller>
  }
>() {}
