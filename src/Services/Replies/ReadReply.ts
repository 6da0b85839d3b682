import { detectLanguage, type Language } from "../Text/Language.ts"
import { isOptOutPhrase } from "../Text/OptOutPhrases.ts"
import { clip, fold } from "../Text/PlainText.ts"
import type { SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"
import { daysAfter } from "../Text/Times/Days.ts"
import type { Act, ActTime } from "./Acts.ts"
import { classOf, isMachine, reasonOf } from "./Consequences/ReplyClasses.ts"
import { isBounce } from "./MachineMail.ts"
import { actsByReader } from "./ReadActs.ts"
import { replyClassifier } from "./Readers/ReplyClassifier.ts"
import { actsOfReply } from "./ReplyActs.ts"
import type { MeetingChange, ProposedMeeting, ReplyClass, ReplyReading } from "./ReplyReading.ts"
import { type InboundReply, type PreparedReply, prepareReply } from "./ReplyText.ts"
import { meetingWishOf } from "./Times/MeetingWish.ts"

/** Nothing in the reply was understood. */
const nothingUnderstood = 0.3
/** Thanks and greetings are understood, and ask for nothing. */
const onlyCourtesy = 0.8

const mostQuestions = 10

/** The least certainty with which an act says what the whole reply amounts to. */
const leastTelling = 0.5

/** The questions in the reply that need an answer. */
const questionKinds: ReadonlySet<Act["kind"]> = new Set(["asks", "asks_if_machine", "sets_condition"])

const wordsOnly = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** "Could you send me the brochure?" is put as a question, and asks nothing. */
const isWishForDocument = (text: string, acts: ReadonlyArray<Act>): boolean =>
  acts.some((act) => act.kind === "wants_document" && act.isCertain && act.text.includes(text))

/** Each question once, also where two acts of one sentence ask it with another capital or mark. */
export const questionsIn = (acts: ReadonlyArray<Act>): ReadonlyArray<string> => {
  const texts = acts.flatMap(({ certainty, isCertain, isQuestion, kind, objection, text }) =>
    (questionKinds.has(kind) && (isQuestion || certainty >= leastTelling) && !isWishForDocument(text, acts)) ||
    (kind === "objects" && isCertain && (objection === "price" || objection === "trust"))
      ? [text]
      : []
  )
  const words = texts.map(wordsOnly)
  return texts.filter((_, place) => words.indexOf(words[place] ?? "") === place).slice(0, mostQuestions)
}

const twoDigits = (part: number): string => String(part).padStart(2, "0")

const clockOf = (minutes: number): string => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/** Of two readings of a clock, the one within the hours of a working day. Minutes since midnight. */
const workingDay = { from: 7 * 60, to: 20 * 60 } as const

const proposedOf = ({ days, minutes, text, untilMinute }: ActTime): ProposedMeeting => {
  const likely = minutes.length < 2 ? minutes : minutes.filter((at) => at >= workingDay.from && at < workingDay.to)
  const [clock] = likely
  return {
    date: days.length === 1 ? (days[0] ?? null) : null,
    time: likely.length === 1 && clock !== undefined && untilMinute === null ? clockOf(clock) : null,
    text: clip(text, 200)
  }
}

/** The day on which to write again, for an act that puts off or is away. */
const returnDayOf = ({ kind, time }: Act): string | null => {
  if (time === null || time.isPast) return null
  const { first, last, relation } = time
  if (relation === "after") return last === null ? null : daysAfter(last, 1)
  if (kind === "is_away" && relation !== "from") return last ?? first
  return first
}

/** The day, or the first one behind an absence that it lies in: "next week I am at the fair, call me the other week". */
const whenBack = (day: string, acts: ReadonlyArray<Act>): string => {
  for (const { certainty, kind, time } of acts) {
    if (kind !== "is_away" || certainty < leastTelling || time === null) continue
    const { first, last, relation } = time
    const isAway = first !== null && last !== null && relation === null && first <= day && day < last
    if (isAway) return daysAfter(last, 1)
  }
  return day
}

/** The latest day that the reply names for coming back; null where it names none after today. */
const returnDateOf = (acts: ReadonlyArray<Act>, replyClass: ReplyClass, today: string): string | null => {
  if (replyClass !== "out_of_office" && replyClass !== "later") return null
  // The day may stand in another sentence: "my contract ends on 5 January. Write again then."
  const sources: ReadonlyArray<ReadonlyArray<Act["kind"]>> =
    replyClass === "later" ? [["defers"], ["objects"], ["is_away"], ["mentions", "cannot"]] : [["is_away", "mentions"]]
  for (const kinds of sources) {
    const all = acts.filter((act) => kinds.includes(act.kind) && returnDayOf(act) !== null)
    // "Nothing begins before carnival. Write to me after it."
    const others = all.filter(({ time }) => time?.relation !== "before")
    const named = others.length > 0 ? others : all
    const certain = named.filter(({ isCertain }) => isCertain)
    const days = (certain.length > 0 ? certain : named).flatMap((act) => returnDayOf(act) ?? [])
    const coming = days.filter((day) => day > today).sort()
    const day = replyClass === "later" ? coming[0] : coming.at(-1)
    if (day !== undefined) return whenBack(day, acts)
  }
  return null
}

const changeOf = (wish: ReturnType<typeof meetingWishOf>): MeetingChange | null => {
  switch (wish._tag) {
    case "CallOff":
      return wish.proposals.length > 0 ? "move" : "cancel"
    case "Move":
      return "move"
    default:
      return null
  }
}

/** Whether an act counts for the class. A doubtful question or refusal counts, and a deferral that names when. */
const isMeant = ({ certainty, kind, time }: Act): boolean =>
  certainty >= leastTelling ||
  kind === "asks" ||
  kind === "refuses" ||
  (kind === "defers" && time !== null && time.first !== null && !time.isPast)

const confidenceOf = (acts: ReadonlyArray<Act>, replyClass: ReplyClass): number => {
  const telling = acts.filter(({ kind }) => kind !== "mentions" && kind !== "unclear" && kind !== "thanks")
  if (telling.length > 0)
    return Math.max(...telling.map(({ certainty, isCertain }) => (isCertain ? Math.max(0.75, certainty) : certainty)))
  return replyClass === "other" &&
    acts.some(({ kind }) => kind === "thanks") &&
    !acts.some(({ kind }) => kind === "unclear")
    ? onlyCourtesy
    : nothingUnderstood
}

/** The classes that are accepted for a reply with instructions to its reader: an opt-out, or an automatic message. */
const harmless: ReadonlySet<ReplyClass> = new Set([
  "unsubscribe",
  "auto_reply",
  "out_of_office",
  "not_interested",
  "wrong_person"
])

/** Derives the reading of a reply from its acts. */
export const readingOf = (
  acts: ReadonlyArray<Act>,
  reply: InboundReply,
  prepared: PreparedReply,
  decidedBy: ReplyReading["decidedBy"]
): ReplyReading => {
  const isFailure = isBounce(reply)
  const replyClass: ReplyClass = isFailure ? "bounce" : classOf(acts.filter(isMeant))
  // A person looks at a reply that gives orders, whatever the rest of it seems to want.
  if (prepared.givesOrders && acts.length > 0 && !isFailure && !harmless.has(replyClass)) {
    return readingOf([], reply, prepared, decidedBy)
  }
  const isHuman = !isFailure && !isMachine(acts)
  const wish = isHuman ? meetingWishOf(acts, reply.standingMeeting) : ({ _tag: "None" } as const)
  const proposal = "proposals" in wish ? wish.proposals[0]?.time : undefined
  const questions = isHuman && replyClass !== "unsubscribe" ? questionsIn(acts) : []
  return {
    class: replyClass,
    confidence: isFailure ? 0.95 : confidenceOf(acts, replyClass),
    language: prepared.language ?? null,
    refusalReason: reasonOf(acts, replyClass),
    question: questions[0] ?? null,
    questions,
    returnDate: returnDateOf(acts, replyClass, prepared.today),
    contact: acts.find(({ contact }) => contact !== null)?.contact ?? null,
    proposedMeeting: proposal === undefined || proposal === null ? null : proposedOf(proposal),
    timeProblem: null,
    meetingChange: changeOf(wish),
    acts: isFailure ? [] : acts,
    decidedBy
  }
}

/** Reads a reply with the embedded reader alone. */
export const readByReader = (
  reply: InboundReply,
  prepared: PreparedReply = prepareReply(reply),
  classifier: SentenceClassifier = replyClassifier()
): ReplyReading => readingOf(actsOfReply(reply, prepared, classifier), reply, prepared, "rules")

/** Sentences in a call are short and about the call, so a lower certainty is enough. */
const spokenStop = 0.9

/** True if a text asks for no further contact. */
export const asksToStop = (text: string, language: Language): boolean =>
  isOptOutPhrase(text) ||
  actsByReader(text, replyClassifier(), {
    today: "2026-01-05",
    figures: "day",
    language: detectLanguage(text) ?? language
  }).some(({ certainty, kind }) => kind === "stops" && certainty >= spokenStop)
