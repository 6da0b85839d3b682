import { Schema } from "effect"
import { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"

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

/** What a reply says of a meeting that stands: that it is off, or wanted at another time. */
export const MeetingChange = Schema.Literal("cancel", "move")
export type MeetingChange = typeof MeetingChange.Type

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
  /** Null where the reply speaks of no meeting that was agreed on before. */
  meetingChange: Schema.NullOr(MeetingChange),
  /** `rules` wins over `model` where both spoke. */
  decidedBy: Schema.Literal("rules", "model")
})
export type ReplyReading = typeof ReplyReading.Type

/** Whether the reply asks to come back on a day that it names ("me liga no mês que vem"): that is no refusal. */
export const isDeferral = ({ class: replyClass, refusalReason, returnDate }: ReplyReading): boolean =>
  replyClass === "not_interested" && refusalReason === "timing" && returnDate !== null

/** What the reply asks that the owner or a known answer has to answer; `text` is what was written. */
export const questionOf = ({ class: replyClass, question }: ReplyReading, text: string): string | null => {
  if (question !== null) return question
  const whole = text.trim()
  return replyClass === "question" && whole !== "" ? clip(whole, 500) : null
}
