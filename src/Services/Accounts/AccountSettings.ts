import { Context, type Effect, Either, Schema } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Changes } from "../Core/Changes.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import type { AccountId } from "./Ids.ts"
import { cepOf, taxDocumentOf } from "./TaxDocument.ts"

const optionalText = Schema.NullOr(Schema.String)

/** The sender's appearance in the account's mail. */
export const EmailSettings = Schema.Struct({
  email_address: Schema.String.annotations({
    description: "The account's address on the platform: handle@mail-domain."
  }),
  sender_address: Schema.String.annotations({
    description:
      "The address that leads see as From: of a verified domain of the account's own, of its subdomain, or the one on the platform."
  }),
  handle: Schema.String,
  display_name: optionalText.annotations({
    description: "The From name that recipients see. Null: the account's own name."
  }),
  notification_instructions: optionalText.annotations({
    description: "Which inbound mail its owner is told of at once. Null: as the platform decides."
  })
})
export type EmailSettings = typeof EmailSettings.Type

export const NotificationAddress = Schema.Struct({
  email: Schema.String,
  is_confirmed: Schema.Boolean.annotations({
    description: "Whether the link in the mail to this address was followed; before that nothing else goes there."
  })
})
export type NotificationAddress = typeof NotificationAddress.Type

export const NotificationEmails = Schema.Struct({
  account_email: optionalText,
  account_email_is_confirmed: Schema.Boolean.annotations({
    description: "Whether notices may go to account_email: its reader followed the link, or the operator entered it."
  }),
  prospecting_email: Schema.NullOr(NotificationAddress).annotations({
    description:
      "notification_email of set_prospecting_preferences. Once confirmed, notices go there instead of to the list."
  }),
  emails: Schema.Array(NotificationAddress).annotations({
    description: "Where notices of prospecting and daily reports go, in the order given."
  })
})
export type NotificationEmails = typeof NotificationEmails.Type

export const Preferences = Schema.Struct({
  language_key: Schema.String.annotations({ description: "Language and region, for example pt-BR." }),
  show_on_website: Schema.Boolean,
  push_notifications: Schema.Boolean
})
export type Preferences = typeof Preferences.Type

export const TimeZoneSettings = Schema.Struct({
  timezone_offset_utc_hours: Schema.Number,
  time_zone: Schema.String.annotations({
    description:
      "IANA name. Where the account's country does not make one certain, a fixed offset without daylight saving."
  })
})
export type TimeZoneSettings = typeof TimeZoneSettings.Type

/** The data for invoices. */
export const TaxInfo = Schema.Struct({
  tax_name: optionalText,
  tax_document: optionalText.annotations({ description: "CPF or CNPJ, masked." }),
  street: optionalText,
  number: optionalText,
  neighborhood: optionalText,
  cep: optionalText,
  municipality_code: Schema.NullOr(Schema.Int),
  municipality: optionalText.annotations({ description: "Name and state of the municipality." }),
  financial_email: optionalText
})
export type TaxInfo = typeof TaxInfo.Type

/** The stored fields. The municipality's name is derived from its code. */
export type StoredTaxInfo = Omit<TaxInfo, "municipality">

/** Notification addresses of an account. */
export const mostNotificationEmails = 10
const longestName = 120

const wrongParameter = (parameter: string, reason: string, error: string, detail: string) =>
  Either.left<Refused>(refused(reason, error, detail, { parameter }))

/** A name as people see it: one line, not blank, 120 characters at most. */
export const nameOf = (parameter: string, text: string): Either.Either<string, Refused> => {
  const name = text.trim().replace(/\s+/g, " ")
  if (name === "") return wrongParameter(parameter, "text_empty", `${parameter} is empty.`, "Send a name.")
  if (!isSingleLine(name) || [...name].length > longestName) {
    return wrongParameter(
      parameter,
      "name_unsuitable",
      `${parameter} has control characters or is longer than ${longestName} characters.`,
      `Send one line of at most ${longestName} characters.`
    )
  }
  return Either.right(name)
}

export const emailOf = (parameter: string, text: string): Either.Either<string, Refused> =>
  Either.mapLeft(normaliseEmail(text), ({ message, reason }) =>
    refused(reason, message, `Correct ${parameter}.`, { parameter })
  )

/** People's own addresses: what goes to one that the platform gives would come back in, and be told of again. */
export const outsideOf =
  (mailDomain: string) =>
  (parameter: string, emails: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, Refused> => {
    const inside = emails.find((email) => email.endsWith(`@${mailDomain}`) || email.endsWith(`.${mailDomain}`))
    return inside === undefined
      ? Either.right(emails)
      : wrongParameter(
          parameter,
          "platform_address",
          `${inside} is an address of the platform, not of a person.`,
          "Send an address that somebody reads."
        )
  }

/** Addresses without repeats, in the order given; the first problem refuses all of them. */
export const notificationEmailsOf = (words: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, Refused> => {
  if (words.length === 0) {
    return wrongParameter(
      "emails",
      "text_empty",
      "emails has no address.",
      "Send one to ten addresses separated by commas."
    )
  }
  if (words.length > mostNotificationEmails) {
    return wrongParameter(
      "emails",
      "too_many_items",
      `emails lists more than ${mostNotificationEmails} addresses.`,
      `Send at most ${mostNotificationEmails}.`
    )
  }
  return Either.map(Either.all(words.map((word) => emailOf("emails", word))), (emails) => [...new Set(emails)])
}

/** Languages that the platform writes to owners in. */
export const ownerLanguages = ["pt", "en", "es"] as const

/** Language and region, in the form in which they are stored. */
export const languageKeyOf = (text: string): Either.Either<string, Refused> => {
  const [, language = "", region = ""] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(text.trim()) ?? []
  const known = ownerLanguages.find((one) => one === language.toLowerCase())
  return known === undefined
    ? Either.left(
        refused(
          "language_not_supported",
          "language_key is not a language and region that the platform has texts in.",
          "Send Portuguese, English or Spanish with a region, for example pt-BR, en-US or es-AR.",
          { parameter: "language_key", accepted_languages: ownerLanguages }
        )
      )
    : Either.right(`${known}-${region.toUpperCase()}`)
}

export interface AskedTaxInfo {
  readonly tax_name: string | undefined
  readonly tax_document: string | undefined
  readonly street: string | undefined
  readonly number: string | undefined
  readonly neighborhood: string | undefined
  readonly cep: string | undefined
  readonly municipality_code: number | undefined
  readonly financial_email: string | undefined
}

const cleared = <A>(
  text: string | undefined,
  check: (text: string) => Either.Either<A, Refused>
): Either.Either<A | null | undefined, Refused> =>
  text === undefined ? Either.right(undefined) : text.trim() === "" ? Either.right(null) : check(text)

/** Checks the parts of a change; blank texts clear. The document stays as sent until it is sealed. */
export const taxChangesOf = (asked: AskedTaxInfo): Either.Either<Changes<StoredTaxInfo>, Refused> =>
  Either.all({
    tax_name: cleared(asked.tax_name, (text) => nameOf("tax_name", text)),
    tax_document: cleared(asked.tax_document, (text) => Either.map(taxDocumentOf(text), ({ value }) => value)),
    street: cleared(asked.street, (text) => nameOf("street", text)),
    number: cleared(asked.number, (text) => nameOf("number", text)),
    neighborhood: cleared(asked.neighborhood, (text) => nameOf("neighborhood", text)),
    cep: cleared(asked.cep, cepOf),
    municipality_code: Either.right(asked.municipality_code),
    financial_email: cleared(asked.financial_email, (text) => emailOf("financial_email", text))
  })

/** The legal identity behind an account's publications. Null for what the account has not given. */
export interface LegalIdentity {
  readonly taxName: string | null
  /** The account's own address. */
  readonly email: string | null
}

/** The account's own settings. Methods that change something return the new state. */
export class AccountSettings extends Context.Tag("AccountSettings")<
  AccountSettings,
  {
    readonly email: Effect.Effect<EmailSettings, Transient, Caller>
    /**
     * A handle that another account has, or had in the last 90 days, is refused. One given up is kept back for that
     * time, and its account may take it again.
     */
    readonly setEmail: (changes: {
      readonly handle: string | undefined
      readonly displayName: string | null | undefined
    }) => Effect.Effect<EmailSettings, Refused | Transient, Caller>
    readonly setNotificationInstructions: (text: string | null) => Effect.Effect<EmailSettings, Transient, Caller>
    readonly notificationEmails: Effect.Effect<NotificationEmails, Transient, Caller>
    /** The list as given; the first becomes the account's own address. New addresses are sent a link to confirm them. */
    readonly setNotificationEmails: (
      emails: ReadonlyArray<string>
    ) => Effect.Effect<NotificationEmails, Refused | Transient, Caller>
    /** Confirms the address for which the link's token was made. False if the token is invalid. */
    readonly confirmAddress: (token: string) => Effect.Effect<boolean, Transient>
    /** Sends the link that confirms an address, unless its reader has confirmed it. `parameter` is named in refusals. */
    readonly askToConfirm: (parameter: string, address: string) => Effect.Effect<void, Refused | Transient, Caller>
    /** The account's own address counts once it is confirmed. */
    readonly setPersonalEmail: (email: string) => Effect.Effect<NotificationEmails, Refused | Transient, Caller>
    readonly setName: (name: string) => Effect.Effect<string, Transient, Caller>
    readonly preferences: Effect.Effect<Preferences, Transient, Caller>
    readonly setPreferences: (changes: Changes<Preferences>) => Effect.Effect<Preferences, Transient, Caller>
    readonly setTimeZone: (currentHour: number) => Effect.Effect<TimeZoneSettings, Transient, Caller>
    readonly setTaxInfo: (changes: Changes<StoredTaxInfo>) => Effect.Effect<TaxInfo, Refused | Transient, Caller>
    readonly legalIdentity: (accountId: AccountId) => Effect.Effect<LegalIdentity, Transient>
    /** Whether the agent may call the account's own phones. Undefined only reads. */
    readonly agentCallPermission: (enabled: boolean | undefined) => Effect.Effect<boolean, Transient, Caller>
  }
>() {}
