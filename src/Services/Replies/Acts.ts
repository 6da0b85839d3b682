import { Schema } from "effect"
import { NamedContact } from "./Contacts/NamedContact.ts"

/**
 * The acts that a sentence of a reply can perform. A reply is read as a list of acts, in the order of its sentences.
 */
export const ActKind = Schema.Literal(
  "asks",
  "proposes",
  "cannot",
  "mentions",
  "confirms",
  "wants_meeting",
  "wants_to_move",
  "calls_off",
  "is_interested",
  "objects",
  "sets_condition",
  "refuses",
  "defers",
  "is_away",
  "wants_document",
  "wants_call",
  "wants_human",
  "asks_if_machine",
  "stops",
  "demands_data",
  "threatens_law",
  "refers_to",
  "forwards",
  "prefers_channel",
  "wrong_person",
  "is_customer",
  "thanks",
  "unclear"
)
export type ActKind = typeof ActKind.Type

/** What an objection, or the reason of a refusal, is about. */
export const Objection = Schema.Literal("price", "supplier", "timing", "need", "trust")
export type Objection = typeof Objection.Type

const Day = Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/))
const MinuteOfDay = Schema.Int.pipe(Schema.between(0, 1439))

/** A time that an act speaks of, as the lead's own clock and calendar show it unless `zone` names another. */
export const ActTime = Schema.Struct({
  /** The words that name it. */
  text: Schema.String,
  /** Days that the words may mean; several where that is open, none where no single day is named. */
  days: Schema.Array(Day),
  /** The span of days that is named: a week, a month, from a day on. */
  first: Schema.NullOr(Day),
  last: Schema.NullOr(Day),
  /** Minutes since midnight that the words may mean; two where the half of the day is open. */
  minutes: Schema.Array(MinuteOfDay),
  /** The end of a range of times or of a part of the day: then no exact time is named. */
  untilMinute: Schema.NullOr(Schema.Int),
  /** IANA zone that the words name. */
  zone: Schema.NullOr(Schema.String),
  isPast: Schema.Boolean,
  /** The preposition of a day or period: "after the 10th", "until Friday". */
  relation: Schema.NullOr(Schema.Literal("after", "before", "until", "from"))
})
export type ActTime = typeof ActTime.Type

/** Whether one time of day is named, and no range or part of a day. */
export const isExactTime = ({ minutes, untilMinute }: ActTime): boolean => minutes.length > 0 && untilMinute === null

/** Whether a time of day is named that is not said to be over. */
export const isExactClock = (time: ActTime): boolean => !time.isPast && isExactTime(time)

/** A time without anything that was not read: no day, no time of day, no zone. */
export const actTimeOf = (text: string, more: Partial<ActTime>): ActTime => ({
  text,
  days: [],
  first: null,
  last: null,
  minutes: [],
  untilMinute: null,
  zone: null,
  isPast: false,
  relation: null,
  ...more
})

/** Who found an act: rules of grammar, the embedded classifier, or a language model. */
export const ActSource = Schema.Literal("rules", "reader", "model")
export type ActSource = typeof ActSource.Type

export const Act = Schema.Struct({
  kind: ActKind,
  /** The sentence or clause that does it. */
  text: Schema.String,
  /** Probability, 0 to 1, that the sentence does this. */
  certainty: Schema.Number.pipe(Schema.between(0, 1)),
  /** Whether the certainty is enough to act on it without asking a person. */
  isCertain: Schema.Boolean,
  source: ActSource,
  time: Schema.NullOr(ActTime),
  /** True if the act is phrased as a question. */
  isQuestion: Schema.Boolean,
  objection: Schema.NullOr(Objection),
  contact: Schema.NullOr(NamedContact),
  /** For `is_away` only: true for an automatic note, false for a person's own words. */
  isAutomatic: Schema.Boolean
})
export type Act = typeof Act.Type

/** An act with what most acts have: found by rules and certain, without time, objection and contact. */
export const actOf = (kind: ActKind, text: string, more: Partial<Act> = {}): Act => ({
  kind,
  text,
  certainty: 1,
  isCertain: true,
  source: "rules",
  time: null,
  isQuestion: false,
  objection: null,
  contact: null,
  isAutomatic: false,
  ...more
})
