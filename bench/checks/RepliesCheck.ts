import { parseArgs } from "node:util"
import { Schema } from "effect"
import type { ActKind } from "../../src/Services/Replies/Acts.ts"
import { objectionIn } from "../../src/Services/Replies/Objections.ts"
import type { ReplyClass } from "../../src/Services/Replies/ReplyReading.ts"
import { withoutSourceDemands } from "../../src/Services/Replies/SourceQuestions.ts"
import { linesOf } from "./GatewayCalls.ts"
import { mainZone, type PlayedReply, playReply, ReplyCase } from "./PlayedReply.ts"

/**
 * Reads labelled replies without a running gateway, and says how many are read right, how many do harm, and which ones are
 * wrong. `npm run check:replies -- FILE [--now 2026-12-01T10:00] [--zone IANA] [--all]`. `--now` is on each lead's own
 * clock, `--zone` is that of all leads in place of their country's main one. `--all` also prints the acts of replies that
 * are right.
 *
 * A line of FILE is a reply: `id`, `language`, `country` (code), `channel` (`email` or `app`), `standing` (the local time of
 * a meeting that was agreed on, or null), `text`, and `expected`:
 *
 * - `outcome`: the label that says best what it does, one of `outcomes` below. `also` lists what else it does. A reply is
 *   right only if its class or an act of it is the outcome's; `also` is counted apart.
 * - `time`: the local time that it names with certainty for a meeting or call, or the standing time that it confirms.
 *   Otherwise null. It is compared exactly.
 * - `questions`: how many questions it asks for information. Where it asks any, at least one must be found. Exact numbers
 *   are counted apart.
 * - `must_not`: what would do harm. A meeting at another time than `time` does too. Judged are `book`, `move`, `cancel`, `stop`, `answer_as_refusal`, `invent_contact`
 *   and `reply` (to a machine). The others are about what is written later.
 */

const Labelled = Schema.Struct({
  ...ReplyCase.fields,
  id: Schema.String,
  expected: Schema.Struct({
    outcome: Schema.String,
    also: Schema.Array(Schema.String),
    time: Schema.NullOr(Schema.String),
    questions: Schema.Int,
    must_not: Schema.Array(Schema.String)
  })
})
type Labelled = typeof Labelled.Type

/** What of a reading is an outcome: one of the classes, an act of one of the kinds, or whatever `test` finds. */
interface Outcome {
  readonly classes: ReadonlyArray<ReplyClass>
  readonly kinds: ReadonlyArray<ActKind>
  readonly test?: (played: PlayedReply) => boolean
}

const isReviewed = ({ consequences }: PlayedReply, ...reasons: ReadonlyArray<string>): boolean =>
  consequences.some((step) => step._tag === "FlagForReview" && reasons.includes(step.reason))

/** Labels, and the classes and acts that are the same. */
const outcomes: { readonly [label: string]: Outcome } = {
  interested: { classes: ["interested"], kinds: ["is_interested"] },
  question: { classes: ["question"], kinds: ["asks", "asks_if_machine", "sets_condition"] },
  objection: { classes: ["objection"], kinds: ["objects", "sets_condition"] },
  refuses: { classes: ["not_interested"], kinds: ["refuses"] },
  defers: { classes: ["later"], kinds: ["defers"] },
  away: { classes: ["out_of_office", "auto_reply"], kinds: ["is_away"] },
  unsubscribe: { classes: ["unsubscribe"], kinds: ["stops"] },
  legal: { classes: [], kinds: ["demands_data", "threatens_law"] },
  wrong_person: { classes: ["wrong_person"], kinds: ["wrong_person"] },
  refers: { classes: ["referral", "gatekeeper"], kinds: ["refers_to", "forwards"] },
  proposes_time: {
    classes: [],
    kinds: ["proposes", "cannot"],
    test: ({ wish }) => "proposals" in wish && wish.proposals.length > 0
  },
  confirms: { classes: [], kinds: ["confirms"], test: ({ wish }) => wish._tag === "Keep" },
  moves: { classes: [], kinds: ["wants_to_move"], test: ({ reading }) => reading.meetingChange === "move" },
  cancels: { classes: [], kinds: ["calls_off"], test: ({ reading }) => reading.meetingChange === "cancel" },
  wants_meeting: { classes: ["meeting_request"], kinds: ["wants_meeting"] },
  wants_call: { classes: [], kinds: ["wants_call"] },
  wants_document: { classes: [], kinds: ["wants_document"] },
  wants_human: { classes: [], kinds: ["wants_human"] },
  asks_if_machine: { classes: [], kinds: ["asks_if_machine"] },
  prefers_channel: { classes: [], kinds: ["prefers_channel"] },
  customer_issue: { classes: [], kinds: ["is_customer"] },
  thanks: { classes: [], kinds: ["thanks"] },
  unclear: {
    classes: ["other"],
    kinds: ["unclear"],
    test: (played) => isReviewed(played, "reply_unclear", "meeting_unclear")
  }
}

/** Acts that are less likely say nothing. */
const leastTelling = 0.5

const isOutcome = (label: string, played: PlayedReply): boolean => {
  const outcome = outcomes[label]
  if (outcome === undefined) throw new Error(`No outcome is called ${label}.`)
  const { acts, class: replyClass } = played.reading
  return (
    outcome.classes.includes(replyClass) ||
    acts.some(({ certainty, kind }) => certainty >= leastTelling && outcome.kinds.includes(kind)) ||
    outcome.test?.(played) === true
  )
}

/** The questions that want information: what it objects to is owed an answer too, and is none. */
const questionCount = ({ reading: { acts, questions } }: PlayedReply): number => {
  const demands = withoutSourceDemands(acts).flatMap(({ certainty, kind, text }) =>
    kind === "demands_data" && certainty >= leastTelling ? [text] : []
  )
  const askedQuestions = questions.filter((text) => objectionIn(text, acts) === undefined || text.endsWith("?"))
  return new Set([...askedQuestions, ...demands]).size
}

const hasStep = ({ consequences }: PlayedReply, ...tags: ReadonlyArray<string>): boolean =>
  consequences.some(({ _tag }) => tags.includes(_tag))

/** Whether a played reply does what it must not. */
const harms: { readonly [act: string]: (played: PlayedReply) => boolean } = {
  book: (played) => hasStep(played, "BookMeeting"),
  move: (played) => hasStep(played, "MoveMeeting"),
  cancel: (played) => hasStep(played, "CallOffMeeting"),
  stop: (played) => hasStep(played, "Stop", "Unsubscribe"),
  answer_as_refusal: ({ reading }) => reading.class === "not_interested",
  invent_contact: (played) => hasStep(played, "RegisterReferral"),
  reply: (played) => hasStep(played, "TouchAt", "HoldingLine", "BookMeeting")
}

/** Whether a meeting is booked or moved to another time than the one that was meant. */
const isAtWrongTime = (played: PlayedReply, time: string | null): boolean =>
  time !== null && played.time !== time && hasStep(played, "BookMeeting", "MoveMeeting")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    now: { type: "string", default: "2026-12-01T10:00" },
    zone: { type: "string" },
    all: { type: "boolean", default: false }
  }
})
const [file] = positionals
if (file === undefined) throw new Error("Name a file of labelled replies.")

const describedReading = ({ consequences, reading, time, wish }: PlayedReply): string => {
  const acts = reading.acts.map(
    ({ certainty, isCertain, kind, objection, text, time: named }) =>
      `${kind}${objection === null ? "" : `:${objection}`} ${certainty.toFixed(2)}${isCertain ? "!" : ""}${named === null ? "" : ` @${named.text}`} "${text}"`
  )
  const steps = consequences.map((step) => (step._tag === "FlagForReview" ? `review ${step.reason}` : step._tag))
  return [`${reading.class}, ${wish._tag}, ${time ?? "no time"}; ${steps.join(" ")}`, ...acts].join("\n      ")
}

const judge = (labelled: Labelled) => {
  const zone = values.zone ?? mainZone(labelled.country)
  const played = playReply(labelled, values.now, zone)
  const { also, must_not, outcome, questions, time } = labelled.expected
  const count = questionCount(played)
  const harmful = [
    ...must_not.filter((act) => harms[act]?.(played) === true),
    ...(isAtWrongTime(played, time) ? ["book a wrong time"] : [])
  ]
  const problems = [
    ...(isOutcome(outcome, played) ? [] : [`not ${outcome}`]),
    ...(played.time === time ? [] : [`time ${played.time ?? "none"}, not ${time ?? "none"}`]),
    ...(questions > 0 && count === 0 ? ["no question"] : []),
    ...harmful.map((act) => `does ${act}`)
  ]
  return {
    labelled,
    played,
    problems,
    isHarmful: harmful.length > 0,
    isCountExact: count === questions,
    also: also.filter((label) => isOutcome(label, played)).length,
    alsoExpected: also.length
  }
}

const judged = linesOf(file, Labelled).map(judge)

for (const { labelled, played, problems } of judged) {
  if (problems.length === 0 && !values.all) continue
  const text = labelled.text.replace(/\s+/g, " ").slice(0, 300)
  console.log(`\n${labelled.id} ${labelled.language}: ${problems.length === 0 ? "right" : problems.join("; ")}`)
  console.log(
    `    ${text}${labelled.standing === null ? "" : ` [${labelled.standing}]`}\n      ${describedReading(played)}`
  )
}

const rows = [...new Set(judged.map(({ labelled }) => labelled.language)), "all"].map((language) => {
  const part = judged.filter(({ labelled }) => language === "all" || labelled.language === language)
  const sum = (of: (one: (typeof part)[number]) => number): number => part.reduce((total, one) => total + of(one), 0)
  return {
    language,
    replies: part.length,
    right: sum(({ problems }) => (problems.length === 0 ? 1 : 0)),
    harmful: sum(({ isHarmful }) => (isHarmful ? 1 : 0)),
    "exact number of questions": sum(({ isCountExact }) => (isCountExact ? 1 : 0)),
    "also found": `${sum(({ also }) => also)} of ${sum(({ alsoExpected }) => alsoExpected)}`
  }
})
console.log("")
console.table(rows)
