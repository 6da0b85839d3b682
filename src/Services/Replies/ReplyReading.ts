import { Schema } from "effect"
import { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"
import { daysAfter } from "../Text/Times/Days.ts"
import { Act, type ActTime } from "./Acts.ts"
import { NamedContact } from "./Contacts/NamedContact.ts"

/** The class of a reply for lists, reports and events. It is derived from the acts, see `ReplyClasses.ts`. */
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

/** A change that a reply wants to an agreed meeting: cancel or move it. */
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
  /** Null if the reply is too short to decide. */
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
  /** The acts of each sentence. Empty in readings that were stored before acts existed. */
  acts: Schema.optionalWith(Schema.Array(Act), { default: () => [] }),
  /** `rules`: read without a language model. */
  decidedBy: Schema.Literal("rules", "model")
})
export type ReplyReading = typeof ReplyReading.Type

/** Whether the reply asks to come back later: that is no refusal. */
export const isDeferral = ({ class: replyClass }: Pick<ReplyReading, "class">): boolean => replyClass === "later"

/** The question in a reply that the owner or a known answer must answer. `text` is the reply. */
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

/** When a lead would like to talk, on its own clock. Days are `YYYY-MM-DD`, minutes are of the day. */
export interface WishedTime {
  readonly first: string | null
  readonly last: string | null
  /** A part of the day, such as the afternoon. */
  readonly minutes: { readonly from: number; readonly until: number } | null
}

const wishingKinds: ReadonlySet<Act["kind"]> = new Set(["proposes", "wants_meeting", "wants_to_move", "wants_call"])

const spanOf = ({ days, first, last, relation }: ActTime): Pick<WishedTime, "first" | "last"> => {
  const begin = days[0] ?? first
  const end = days.at(-1) ?? last ?? begin
  if (begin === null || end === null) return { first: begin, last: relation === "until" ? end : last }
  switch (relation) {
    case "after":
      return { first: daysAfter(end, 1), last: null }
    case "from":
      return { first: begin, last: null }
    case "before":
      return { first: null, last: daysAfter(begin, -1) }
    case "until":
      return { first: null, last: end }
    default:
      return { first: begin, last: end }
  }
}

/** The days and the part of the day for which the lead asks: a day, a week, a month. Undefined if it names none. */
export const wishedTimeOf = ({ acts, proposedMeeting }: ReplyReading): WishedTime | undefined => {
  const isWish = acts.some(({ kind }) => wishingKinds.has(kind))
  // "Can we meet next week?" has the wish and the time in two acts. A time that is certainly of something else is not meant.
  const times = acts.flatMap(({ isCertain, kind, time }) =>
    time !== null && !time.isPast && (wishingKinds.has(kind) || (isWish && kind === "mentions" && !isCertain))
      ? [time]
      : []
  )
  const parts = times.flatMap(({ minutes: [from], untilMinute: until }) =>
    from !== undefined && until !== null && until > from ? [{ from, until }] : []
  )
  const dated = times.find(({ days, first, last }) => days.length > 0 || first !== null || last !== null)
  const date = proposedMeeting?.date ?? null
  const span = date !== null ? { first: date, last: date } : dated === undefined ? undefined : spanOf(dated)
  if (span === undefined && parts.length === 0) return undefined
  return { ...(span ?? { first: null, last: null }), minutes: parts[0] ?? null }
}
