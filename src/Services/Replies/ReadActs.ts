import type { Language } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import type { SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"
import type { DateSetting } from "../Text/Times/DateAtoms.ts"
import { dateOfDay } from "../Text/Times/Days.ts"
import { type TimeMention, timeMentions } from "../Text/Times/TimeMentions.ts"
import type { Act, ActKind, ActTime, Objection } from "./Acts.ts"
import { type Clause, type ReadSentence, readSentences } from "./Clauses.ts"

/** What a label of the classifier is as an act. */
const actOfLabel = (label: string): { readonly kind: ActKind; readonly objection: Objection | null } | undefined => {
  switch (label) {
    case "objects_price":
      return { kind: "objects", objection: "price" }
    case "objects_supplier":
      return { kind: "objects", objection: "supplier" }
    case "objects_timing":
      return { kind: "objects", objection: "timing" }
    case "objects_need":
      return { kind: "objects", objection: "need" }
    case "objects_trust":
      return { kind: "objects", objection: "trust" }
    case "automatic":
      return { kind: "is_away", objection: null }
    default:
      return { kind: label as ActKind, objection: null }
  }
}

/** Acts that speak of a time, if one is named in their clause. */
const timed: ReadonlySet<ActKind> = new Set([
  "proposes",
  "cannot",
  "mentions",
  "confirms",
  "wants_to_move",
  "calls_off",
  "defers",
  "is_away",
  "wants_call"
])

/** Below this an act is not said to be there at all. */
const leastCertainty = 0.2

const actTime = (mention: TimeMention): ActTime => ({
  text: mention.text,
  days: mention.dayChoices.map(dateOfDay),
  first: mention.days === undefined ? null : dateOfDay(mention.days.first),
  last: mention.days === undefined ? null : dateOfDay(mention.days.last),
  minutes: mention.clock,
  untilMinute: mention.clockUntil ?? null,
  zone: mention.zone ?? null,
  isPast: mention.isPast
})

/** Where and how a reply was written. */
export interface ReadingSetting {
  /** `YYYY-MM-DD` where the lead is. */
  readonly today: string
  readonly figures: DateSetting["figures"]
  readonly language: Language
}

interface Scored {
  readonly clause: Clause
  readonly probabilities: Float64Array
}

const scored = (sentence: ReadSentence, classifier: SentenceClassifier, language: Language): ReadonlyArray<Scored> => {
  const score = (clause: Clause): Scored => ({
    clause,
    probabilities: classifier.probabilities(
      clause.isQuestion && !clause.text.endsWith("?") ? `${clause.text}?` : clause.text,
      language
    )
  })
  return sentence.clauses.length < 2 ? [score(sentence)] : [score(sentence), ...sentence.clauses.map(score)]
}

/** The acts of one sentence. */
const actsOf = (
  sentence: ReadSentence,
  classifier: SentenceClassifier,
  setting: ReadingSetting
): ReadonlyArray<Act> => {
  const [whole, ...parts] = scored(sentence, classifier, setting.language)
  if (whole === undefined) return []
  const candidates = parts.length === 0 ? [whole] : parts
  return classifier.labels.flatMap((label, index) => {
    const act = actOfLabel(label)
    if (act === undefined) return []
    return candidates.flatMap((candidate) => {
      const inWhole = whole.probabilities[index] ?? 0
      const inPart = candidate.probabilities[index] ?? 0
      // One clause may propose what the other refuses: a time is the clause's text. Other acts need the sentence's word too.
      const certainty = timed.has(act.kind) ? inPart : (inWhole + inPart) / 2
      if (certainty < leastCertainty) return []
      const times = timed.has(act.kind) ? timeMentions(fold(candidate.clause.text), setting) : []
      const base = {
        kind: act.kind,
        text: candidate.clause.text,
        certainty,
        source: "reader" as const,
        objection: act.objection,
        contact: null,
        isAutomatic: label === "automatic"
      }
      const named: ReadonlyArray<ActTime | null> = times.length === 0 ? [null] : times.map(actTime)
      return named.map((time): Act => ({ ...base, time }))
    })
  })
}

/** The acts of a reply by the embedded classifier and the grammar of times, in the order of its sentences. */
export const actsByReader = (
  text: string,
  classifier: SentenceClassifier,
  setting: ReadingSetting
): ReadonlyArray<Act> =>
  readSentences(text, (folded) => timeMentions(folded, setting)).flatMap((sentence) =>
    actsOf(sentence, classifier, setting)
  )
