import type { Act, ActTime } from "../../../src/Services/Replies/Acts.ts"
import { classOf, reasonOf } from "../../../src/Services/Replies/Consequences/ReplyClasses.ts"
import { questionsIn } from "../../../src/Services/Replies/ReadReply.ts"
import type { ReplyReading } from "../../../src/Services/Replies/ReplyReading.ts"

/** A time without anything left open. */
export const exactTime = (day: string, minutes: ReadonlyArray<number>, more: Partial<ActTime> = {}): ActTime => ({
  text: "then",
  days: [day],
  first: day,
  last: day,
  minutes,
  untilMinute: null,
  zone: null,
  isPast: false,
  relation: null,
  ...more
})

/** An act that is certain. */
export const act = (kind: Act["kind"], more: Partial<Act> = {}): Act => ({
  kind,
  text: kind,
  certainty: 0.95,
  isCertain: true,
  source: "reader",
  time: null,
  isQuestion: false,
  objection: null,
  contact: null,
  isAutomatic: false,
  ...more
})

/** The same act, when it is merely likely. */
export const likely = (kind: Act["kind"], more: Partial<Act> = {}): Act =>
  act(kind, { certainty: 0.6, isCertain: false, ...more })

/** What a reply with these acts amounts to. */
export const readingWith = (acts: ReadonlyArray<Act>, more: Partial<ReplyReading> = {}): ReplyReading => {
  const replyClass = more.class ?? classOf(acts)
  const questions = questionsIn(acts)
  return {
    class: replyClass,
    confidence: 0.9,
    language: "pt-BR",
    refusalReason: reasonOf(acts, replyClass),
    question: questions[0] ?? null,
    questions,
    returnDate: null,
    contact: acts.find(({ contact }) => contact !== null)?.contact ?? null,
    proposedMeeting: null,
    timeProblem: null,
    meetingChange: null,
    acts,
    decidedBy: "rules",
    ...more
  }
}
