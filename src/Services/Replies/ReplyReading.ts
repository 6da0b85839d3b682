import { Schema } from "effect"
import { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"
import { Act } from "./Acts.ts"
import { NamedContact } from "./NamedContact.ts"

/** What a reply amounts to, for lists, reports and events: derived from its acts, see `ReplyClasses.ts`. */
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
  "later",
  "objection",
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

/** A time for a talk, as the writer's own clock shows it. */
export const ProposedMeeting = Schema.Struct({
  date: Schema.NullOr(LocalDate),
  time: Schema.NullOr(LocalTime),
  /** The words that name it. */
  text: Schema.String
})
export type ProposedMeeting = typeof ProposedMeeting.Type

/** What a reply says of a meeting that was agreed on: that it is off, or wanted at another time. */
export const MeetingChange = Schema.Literal("cancel", "move")
export type MeetingChange = typeof MeetingChange.Type

/** Why a time that the lead named is not booked. */
export const WhyNotBooked = Schema.Literal(
  "uncertain",
  "no_exact_time",
  "day_open",
  "hour_open",
  "past",
  "too_soon",
  "too_far",
  "zone_unknown",
  "night",
  "day_off",
  "taken"
)
export type WhyNotBooked = typeof WhyNotBooked.Type

export const ReplyReading = Schema.Struct({
  class: ReplyClass,
  /** 0 to 1. */
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  /** Null where the reply says too little to tell. */
  language: Schema.NullOr(Language),
  /** Why it refuses, objects or puts off. */
  refusalReason: Schema.NullOr(RefusalReason),
  /** The first of `questions`. */
  question: Schema.NullOr(Schema.String),
  /** All that the reply asks, whatever its class, without greetings and numbering. */
  questions: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  /** The day named in an absence or a request to come back later: back on it, or away until it. */
  returnDate: Schema.NullOr(LocalDate),
  contact: Schema.NullOr(NamedContact),
  proposedMeeting: Schema.NullOr(ProposedMeeting),
  /** Why the proposed time was not booked; null where it was, or where none was named. */
  timeProblem: Schema.optionalWith(Schema.NullOr(WhyNotBooked), { default: () => null }),
  /** Null where the reply speaks of no meeting that was agreed on before. */
  meetingChange: Schema.NullOr(MeetingChange),
  /** What each sentence does. Empty in readings that were stored before there were acts. */
  acts: Schema.optionalWith(Schema.Array(Act), { default: () => [] }),
  /** `rules`: without a language model. */
  decidedBy: Schema.Literal("rules", "model")
})
export type ReplyReading = typeof ReplyReading.Type

/** Whether the reply asks to come back later: that is no refusal. */
export const isDeferral = ({ class: replyClass }: Pick<ReplyReading, "class">): boolean => replyClass === "later"

/** What the reply asks that the owner or a known answer has to answer; `text` is what was written. */
export const questionOf = ({ class: replyClass, question }: ReplyReading, text: string): string | null => {
  if (question !== null) return question
  const whole = text.trim()
  return replyClass === "question" && whole !== "" ? clip(whole, 500) : null
}

/** All that the reply asks, as `questionOf`. */
export const questionsOf = (reading: ReplyReading, text: string): ReadonlyArray<string> => {
  if (reading.questions.length > 0) return reading.questions
  const question = questionOf(reading, text)
  return question === null ? [] : [question]
}

/** The day (`YYYY-MM-DD`) on or after which the lead would like to talk; null where it names none. */
export const wishedDayOf = ({ acts, proposedMeeting }: ReplyReading): string | null =>
  proposedMeeting?.date ??
  acts.find(
    ({ kind, time }) => (kind === "proposes" || kind === "wants_meeting" || kind === "wants_to_move") && time?.first
  )?.time?.first ??
  null
