import { Schema } from "effect"
import { Language } from "../Text/Language.ts"

/** What a reply amounts to. A reply that fits several has the first that the engine must act on. */
export const ReplyClass = Schema.Literal(
  "interested",
  "not_interested",
  "question",
  "out_of_office",
  "wrong_person",
  "referral",
  "unsubscribe",
  "bounce",
  "gatekeeper",
  "meeting_request",
  "auto_reply",
  "other"
)
export type ReplyClass = typeof ReplyClass.Type

export const RefusalReason = Schema.Literal(
  "price",
  "timing",
  "has_supplier",
  "no_need",
  "no_budget",
  "not_a_fit",
  "bad_experience",
  "closed_down",
  "other"
)
export type RefusalReason = typeof RefusalReason.Type

const LocalDate = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/))
const LocalTime = Schema.String.pipe(Schema.pattern(/^\d{2}:\d{2}$/))

/** Somebody else whom the reply names; at least one member is not null. */
export const NamedContact = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  /** Normalised. */
  email: Schema.NullOr(Schema.String),
  /** E.164. */
  phone: Schema.NullOr(Schema.String)
})
export type NamedContact = typeof NamedContact.Type

/** A time for a talk, as the writer's own clock shows it. */
export const ProposedMeeting = Schema.Struct({
  date: Schema.NullOr(LocalDate),
  time: Schema.NullOr(LocalTime),
  /** The words that name it. */
  text: Schema.String
})
export type ProposedMeeting = typeof ProposedMeeting.Type

export const ReplyReading = Schema.Struct({
  class: ReplyClass,
  /** 0 to 1. */
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  /** Null where the reply says too little to tell. */
  language: Schema.NullOr(Language),
  /** Of `not_interested` only. */
  refusalReason: Schema.NullOr(RefusalReason),
  /** What the reply asks, whatever its class. */
  question: Schema.NullOr(Schema.String),
  /** The day named in an absence or a request to come back later: back on it, or away until it. */
  returnDate: Schema.NullOr(LocalDate),
  contact: Schema.NullOr(NamedContact),
  proposedMeeting: Schema.NullOr(ProposedMeeting),
  /** `rules` wins over `model` where both spoke. */
  decidedBy: Schema.Literal("rules", "model")
})
export type ReplyReading = typeof ReplyReading.Type
