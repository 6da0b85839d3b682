import { isOptOutPhrase } from "../Text/OptOutPhrases.ts"
import { clip, fold, sentencesOf } from "../Text/PlainText.ts"
import type { SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"
import type { DateSetting } from "../Text/Times/DateAtoms.ts"
import type { Act } from "./Acts.ts"
import type { NamedContact } from "./NamedContact.ts"
import { forwardedContactIn, namedContactIn } from "./NamedContacts.ts"
import { actsByReader } from "./ReadActs.ts"
import type { InboundReply, PreparedReply } from "./ReplyText.ts"

/** Readers look at the beginning of long replies: what counts is said first. */
const longestRead = 4000

/** How people of the lead's country write dates in figures. */
export const figuresOf = (reply: InboundReply, language: string): DateSetting["figures"] => {
  if (language !== "en") return "day"
  if (reply.leadCountry === "US" || reply.leadCountry === undefined) return "month"
  return "either"
}

const byRule = (kind: Act["kind"], text: string, more: Partial<Act> = {}): Act => ({
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
    .map((text) => byRule("stops", text))
}

const namesOthers: ReadonlySet<Act["kind"]> = new Set(["refers_to", "forwards", "wrong_person", "is_away"])

/** The acts that name another person, with that person's address or number if it is written in the reply. */
const withContact = (
  acts: ReadonlyArray<Act>,
  reply: InboundReply,
  { cut, own }: PreparedReply
): ReadonlyArray<Act> => {
  const read = clip(own, longestRead)
  const named = namedContactIn(read, reply.country, reply.ownContacts)
  const contact: NamedContact | null =
    named !== null && (named.email !== null || named.phone !== null)
      ? named
      : (forwardedContactIn(cut.quoted, read, reply.ownContacts) ?? named)
  if (contact === null) return acts
  return acts.map((act) => (namesOthers.has(act.kind) ? { ...act, contact } : act))
}

/** What a reply does, without a language model: by the embedded classifier, the grammar of times and what is written out. */
export const actsOfReply = (
  reply: InboundReply,
  prepared: PreparedReply,
  classifier: SentenceClassifier
): ReadonlyArray<Act> => {
  const language = prepared.language ?? reply.leadLanguage
  const acts = actsByReader(clip(prepared.own, longestRead), classifier, {
    today: prepared.today,
    figures: figuresOf(reply, language),
    language
  })
  const automatic = reply.isAutoSubmitted === true ? [byRule("is_away", "", { isAutomatic: true })] : []
  return withContact([...automatic, ...listedOptOuts(reply, prepared), ...acts], reply, prepared)
}
