import type { Language } from "../Text/Language.ts"
import { isOptOutPhrase } from "../Text/OptOutPhrases.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import type { SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"
import type { DateSetting } from "../Text/Times/DateAtoms.ts"
import { type Act, actOf } from "./Acts.ts"
import type { NamedContact } from "./Contacts/NamedContact.ts"
import { forwardedContactIn, namedContactIn } from "./Contacts/NamedContacts.ts"
import { actsByReader } from "./ReadActs.ts"
import type { InboundReply, PreparedReply } from "./ReplyText.ts"
import { speaksOfTalk } from "./TalkWords.ts"
import { denies, type ReadingSetting } from "./Times/ClauseTimes.ts"
import { isOfMeeting } from "./Times/MeetingWish.ts"
import { withOfferedTimes } from "./Times/OfferedTimes.ts"
import { withOwnTimes } from "./Times/OwnTimes.ts"
import { withTimeDoubts } from "./Times/TimeDoubts.ts"

/** A heading has few words: "Out of office", "Resposta automática". */
const mostHeadingWords = 5
/** A heading alone makes the whole mail a program's, so it has to be clear. */
const clearHeading = 0.98

/** Whether a text begins with a heading by which programs mark their mails: a line or the words before a colon. */
const hasAutomaticHeading = (
  text: string,
  { labels, probabilities }: SentenceClassifier,
  language: PreparedReply["language"]
): boolean => {
  const line = clip(text.trim(), 200).split("\n", 1)[0] ?? ""
  const colon = line.indexOf(":")
  const heading = (colon < 0 ? line : line.slice(0, colon)).trim()
  const isOnlyHeading = heading.length < text.trim().length && heading !== "" && !/[?!.]/.test(heading)
  if (!isOnlyHeading || heading.split(/\s+/).length > mostHeadingWords) return false
  return (probabilities(heading, language ?? "en")[labels.indexOf("automatic")] ?? 0) >= clearHeading
}

/** Readers look at the beginning of long replies: what counts is said first. */
const longestRead = 4000

/** Countries in which figures begin with the day for some and with the month for others. */
const writesBoth: ReadonlySet<string> = new Set(["CA", "PH"])

/** The order of day and month in dates that are written in figures in the lead's country. */
export const figuresOf = (reply: InboundReply, language: string): DateSetting["figures"] => {
  if (language !== "en") return "day"
  const { leadCountry } = reply
  if (leadCountry === "US") return "month"
  return leadCountry === undefined || writesBoth.has(leadCountry) ? "either" : "day"
}

const replyPrefix = /^(?:\s{0,5}(?:re|res|rv|fw|fwd|enc|tr|aw|r)\s?(?:\[\d{1,3}\])?\s?:)+/i
const bareSubject = (subject: string): string => fold(clip(subject, 300)).replace(replyPrefix, "").trim()

/** Sentences with more words say more than a listed phrase. */
const longestOptOut = 300

/** Opt-outs in the words of list software or of a listed phrase, in any European language: in the text, as its subject, or below the name. */
const listedOptOuts = (
  { lastSubject, subject = "" }: InboundReply,
  { cut, own }: PreparedReply
): ReadonlyArray<Act> => {
  const isOurs = lastSubject !== undefined && bareSubject(subject) === bareSubject(lastSubject)
  const sentences = sentencesOf(clip(own, longestRead)).map(({ text }) => text)
  const candidates = [own, ...sentences, cut.signature, ...(isOurs ? [] : [bareSubject(subject)])]
  return candidates
    .filter((text) => text.length <= longestOptOut && isOptOutPhrase(text))
    .slice(0, 1)
    .map((text) => actOf("stops", text))
}

const namesOthers: ReadonlySet<Act["kind"]> = new Set(["refers_to", "forwards", "wrong_person", "is_away"])

/** An address or number in the words of a likely referral leaves little doubt that it is one. */
const likelyReferral = 0.5

const negations: ReadonlySet<string> = new Set(["not", "don't", "never", "nao", "no", "nunca", "nem", "ni", "without"])

/** Whether a clause says of its address that it is not to be used: "please do not write to my partner at …". */
const isNegated = (text: string, { email }: NamedContact): boolean => {
  const folded = fold(text)
  const at = email === null ? -1 : folded.indexOf(email)
  // Words behind a comma before the address are about something else: "it's not me, write to Dana (dana@…)".
  const before =
    at < 0
      ? folded
      : (folded
          .slice(0, at)
          .split(/[,;:.]/)
          .at(-1) ?? "")
  return before.split(/[\s,;:()]+/).some((word) => negations.has(word))
}

/**
 * The acts that name another person, with that person's address or number if it is written in the reply. A reply that
 * asks for silence or threatens names no one to be written to.
 */
const withContact = (
  acts: ReadonlyArray<Act>,
  reply: InboundReply,
  { cut, own }: PreparedReply
): ReadonlyArray<Act> => {
  if (acts.some(({ kind }) => kind === "stops" || kind === "demands_data" || kind === "threatens_law")) return acts
  const read = clip(own, longestRead)
  const named = namedContactIn(read, reply.country, reply.ownContacts)
  const contact: NamedContact | null =
    named !== null && (named.email !== null || named.phone !== null)
      ? named
      : (forwardedContactIn(cut.quoted, read, reply.ownContacts) ?? named)
  if (contact === null) return acts
  const { country, ownContacts } = reply
  const isWritten = (text: string): boolean => {
    const inText = namedContactIn(text, country, ownContacts)
    return inText !== null && (inText.email !== null || inText.phone !== null)
  }
  const calls = acts.filter(({ kind }) => kind === "wants_call")
  // "Ring me at the surgery": a number without a name next to it is the lead's own.
  const isOwnNumber = ({ certainty, text }: Act): boolean =>
    contact.email === null &&
    calls.some((call) => (call.text === text ? call.certainty > certainty : call.isCertain && !isWritten(call.text)))
  return acts.map((act) => {
    if (!namesOthers.has(act.kind) || isOwnNumber(act)) return act
    const isHere = act.kind === "refers_to" && isWritten(act.text)
    if (isHere && isNegated(act.text, contact)) return { ...act, isCertain: false }
    return { ...act, contact, isCertain: act.isCertain || (isHere && act.certainty >= likelyReferral) }
  })
}

/** Acts that show a wish to go on. */
const goingOn: ReadonlySet<Act["kind"]> = new Set([
  "is_interested",
  "proposes",
  "wants_meeting",
  "wants_call",
  "wants_document"
])
/** Acts that let the classifier's opt-out be believed with less certainty. */
const supporting: ReadonlySet<Act["kind"]> = new Set(["threatens_law", "demands_data"])
const likelyStop = 0.4

/** So many sentences of a program are enough to take its opt-out for one of the program's lines. */
const fewestAutomatic = 2

/** Words that end something. Folded, all three languages. */
const endings: ReadonlySet<string> = new Set(
  "stop stopping remove removing take taking unsubscribe parar parem pare deixar deixem deixe tirar tirem tire remover removam dejar dejen deje dejes quitar quiten quites sacar saquen eliminar eliminen borrar borren".split(
    " "
  )
)
/** The largest number of words between a negation and the negated word. */
const widestDenial = 2

/** "Please don't stop sending it", "no dejen de avisarme", "don't be taking me off anything": no opt-out is certain. */
const keepsOn = (text: string): boolean =>
  fold(text)
    .split(/[,;:.!?]/)
    .some((part) => {
      const words = part.match(/[\p{L}']+/gu) ?? []
      return words.some(
        (word, index) =>
          negations.has(word) && words.slice(index + 1, index + 2 + widestDenial).some((next) => endings.has(next))
      )
    })

const isFooter = ({ text }: Act, acts: ReadonlyArray<Act>): boolean => {
  const automatic = acts.filter(({ isAutomatic }) => isAutomatic)
  // A program asks for no silence in its own name.
  if (automatic.some(({ source }) => source === "rules")) return true
  return (
    automatic.filter(({ isCertain }) => isCertain).length >= fewestAutomatic &&
    automatic.some((act) => act.text !== "" && (act.text.includes(text) || text.includes(act.text)))
  )
}

/**
 * An opt-out that the classifier found, judged by the rest of the reply. "Never again. If yours is shorter, I want to see
 * it." is none that is certain. A threat or demand of data next to a likely opt-out leaves no doubt about it.
 */
const inItsReply = (
  acts: ReadonlyArray<Act>,
  ownText: string,
  { certain, labels }: SentenceClassifier
): ReadonlyArray<Act> => {
  const isBacked = acts.some(({ isCertain, kind }) => supporting.has(kind) && isCertain)
  const demand = acts.find(({ isCertain, kind }) => kind === "demands_data" && isCertain)
  // Several likely opt-outs are one that is more likely than each.
  const likely = acts.filter(({ certainty, kind }) => kind === "stops" && certainty >= likelyStop)
  const none = likely.reduce((product, { certainty }) => product * (1 - certainty), 1)
  const isRepeated = likely.length > 1 && 1 - none >= (certain[labels.indexOf("stops")] ?? 1)
  const judged = acts.map((act) => {
    if (act.kind !== "stops" || act.source === "rules") return act
    // The last lines of a program's message say how to leave its list.
    if (isFooter(act, acts) || keepsOn(act.text)) return { ...act, isCertain: false }
    const at = ownText.indexOf(act.text)
    const goesOn = acts.some(
      ({ certainty, kind, text }) => goingOn.has(kind) && certainty >= 0.5 && ownText.indexOf(text) > at
    )
    const isBelieved = act.isCertain || ((isBacked || isRepeated) && act.certainty >= likelyStop)
    return { ...act, isCertain: !goesOn && isBelieved }
  })
  // A lead that claims rights over its data and threatens legal action wants no more messages.
  const isLegalStop = demand !== undefined && acts.some(({ isCertain, kind }) => kind === "threatens_law" && isCertain)
  return isLegalStop && !judged.some(({ isCertain, kind }) => kind === "stops" && isCertain)
    ? [...judged, actOf("stops", demand.text)]
    : judged
}

/** How likely a sentence confirms the meeting that names its day and speaks of talking. */
const likelyKept = 0.6

/** "Thursday we will talk about it": the day of the meeting that was agreed on, in words of talking, keeps it. */
const withKeptMeeting = (
  acts: ReadonlyArray<Act>,
  { standingMeeting }: InboundReply,
  language: Language
): ReadonlyArray<Act> => {
  if (standingMeeting === undefined) return acts
  return acts.map((act) => {
    const { isCertain, isQuestion, kind, text, time } = act
    const isKept =
      kind === "mentions" &&
      !isCertain &&
      !isQuestion &&
      time !== null &&
      time.days.includes(standingMeeting.date) &&
      isOfMeeting(time, standingMeeting) &&
      speaksOfTalk(text, language) &&
      !denies(text, language)
    return isKept ? { ...act, kind: "confirms", certainty: likelyKept } : act
  })
}

/**
 * Reads the acts of a reply without a language model: by the embedded classifier, the grammar of times and fixed
 * phrases.
 */
export const actsOfReply = (
  reply: InboundReply,
  prepared: PreparedReply,
  classifier: SentenceClassifier
): ReadonlyArray<Act> => {
  const language = prepared.language ?? reply.leadLanguage
  const setting: ReadingSetting = {
    today: prepared.today,
    figures: figuresOf(reply, language),
    language,
    ...(reply.standingMeeting === undefined ? {} : { standing: reply.standingMeeting })
  }
  const read = actsByReader(clip(prepared.own, longestRead), classifier, setting)
  const acts = withOfferedTimes(read, prepared.cut.quoted, classifier, setting)
  const isByMachine = reply.isAutoSubmitted === true || hasAutomaticHeading(prepared.own, classifier, language)
  const automatic = isByMachine ? [actOf("is_away", "", { isAutomatic: true })] : []
  const all = withContact([...automatic, ...listedOptOuts(reply, prepared), ...acts], reply, prepared)
  const judged = inItsReply(all, prepared.own, classifier)
  return withTimeDoubts(withOwnTimes(withKeptMeeting(judged, reply, language), language), reply)
}
