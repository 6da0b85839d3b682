import { Context, type Effect, Schema, type Stream } from "effect"
import { type Refused, refused, type Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import { Timestamp } from "../../Core/Timestamp.ts"
import { CustomerFileId } from "../../Files/Ids.ts"
import { HeldCalendarEvent } from "../CalendarOfLead.ts"
import { LeadId } from "../Ids.ts"

/** The contacts by which a person is found. At least one is set. */
export interface PersonContact {
  readonly email: string | undefined
  readonly phone: string | undefined
}

const Place = Schema.Struct({
  place: Schema.String.annotations({ description: "The table of the records, such as email_message." }),
  records: Schema.Int
})
export type Place = typeof Place.Type

export const FoundPerson = Schema.Struct({
  leads: Schema.Array(Schema.Struct({ lead_id: LeadId, name: Schema.String })),
  records_of_leads: Schema.Array(Place).annotations({ description: "Records that belong to these leads." }),
  mentions: Schema.Array(Place).annotations({
    description: "Other records of the account with the address, the number or the full name of one of these leads."
  }),
  settings: Schema.Array(Place).annotations({
    description: "Settings of the account that name the person. erase_person does not change them."
  }),
  files: Schema.Array(CustomerFileId).annotations({ description: "Files of text that name the person." }),
  files_not_searched: Schema.Int.annotations({
    description: "Files that are no text, such as pictures and PDF. It is unknown whether they show the person."
  })
})
export type FoundPerson = typeof FoundPerson.Type

const LeftToDo = Schema.Struct({
  where: Schema.String,
  what: Schema.String,
  reference: Schema.NullOr(Schema.String).annotations({ description: "The record's id there, if it is known." })
})
export type LeftToDo = typeof LeftToDo.Type

export const ErasureReceipt = Schema.Struct({
  erased_at: Timestamp,
  leads: Schema.Array(LeadId),
  deleted: Schema.Array(Place).annotations({ description: "Records of the leads, which are gone." }),
  redacted: Schema.Array(Place).annotations({
    description:
      "Other records that named the person. They stay without that, or are gone where nothing else was in them."
  }),
  deleted_files: Schema.Array(CustomerFileId),
  cancelled_calendar_events: Schema.Int,
  remaining_calendar_events: Schema.Array(HeldCalendarEvent),
  retained: Schema.Array(Schema.Struct({ what: Schema.String, why: Schema.String })),
  left_to_do: Schema.Array(LeftToDo).annotations({ description: "What the gateway cannot do. Do it yourself." })
})
export type ErasureReceipt = typeof ErasureReceipt.Type

export const contactMissing = refused(
  "contact_missing",
  "Neither email nor phone is given.",
  "Send the person's e-mail address, phone number or both."
)

export const personOfAccount = refused(
  "person_of_account",
  "The contact belongs to the account's owner or a member.",
  "Change it in the account's settings, or remove the member, then repeat the call."
)

/** What stays after an erasure, and why. */
export const retainedAfterErasure = [
  {
    what: "A keyed digest of the e-mail address and of the phone number.",
    why: "No import brings the person back, and an opt-out stays in force. The digest does not tell the contact."
  },
  {
    what: "The number and the time of each erased lead.",
    why: "They prove the erasure, and a restored backup repeats it."
  },
  {
    what: "Entries of the audit log without what they changed.",
    why: "The log stays a complete chain."
  }
]

/** What the account of the caller has about people. */
export class People extends Context.Tag("People")<
  People,
  {
    readonly find: (contact: PersonContact) => Effect.Effect<FoundPerson, Refused | Transient, Caller>
    /** All records about the person, each as a line of JSON. */
    readonly lines: (contact: PersonContact) => Stream.Stream<string, Refused | Transient, Caller>
    /**
     * Erases the leads with these contacts, and the person from all other records of the account. Call it in a
     * transaction.
     */
    readonly erase: (
      contact: PersonContact,
      reason: string | undefined
    ) => Effect.Effect<ErasureReceipt, Refused | Transient, Caller>
  }
>() {}
