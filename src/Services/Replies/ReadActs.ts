import type { Language } from "../Text/Language.ts"
import type { SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"
import { type Act, ActKind, actOf, type Objection } from "./Acts.ts"
import { type Clause, type ReadSentence, readSentences } from "./Clauses.ts"
import { bookingKinds, certainInReply, isDisputed } from "./Consequences/ContextCertainty.ts"
import { isBareNo, isDenial, isEcho } from "./Denials.ts"
import { questionText } from "./QuestionText.ts"
import { asQuestionOfSeller } from "./TalkWords.ts"
import { type ClauseTime, denies, type ReadingSetting, type TimeReader, timeReader } from "./Times/ClauseTimes.ts"
import { isNothingBut } from "./Times/MeetingWish.ts"
import { takenBack, unexplained } from "./Times/TimeDoubts.ts"

interface LabelledAct {
  readonly kind: ActKind
  readonly objection: Objection | null
}

const objectionOfLabel: { readonly [label: string]: Objection } = {
  objects_price: "price",
  objects_supplier: "supplier",
  objects_timing: "timing",
  objects_need: "need",
  objects_trust: "trust"
}

const kinds: ReadonlySet<string> = new Set(ActKind.literals)
const isKind = (label: string): label is ActKind => kinds.has(label)

const labelledActs = new Map<string, LabelledAct | undefined>()

/** Converts a classifier's label into an act. Cached, because every clause asks for every label. */
const actOfLabel = (label: string): LabelledAct | undefined => {
  if (!labelledActs.has(label)) labelledActs.set(label, newActOfLabel(label))
  return labelledActs.get(label)
}

const newActOfLabel = (label: string): LabelledAct | undefined => {
  const objection = objectionOfLabel[label]
  if (objection !== undefined) return { kind: "objects", objection }
  if (label === "automatic") return { kind: "is_away", objection: null }
  return isKind(label) ? { kind: label, objection: null } : undefined
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

/** Of two acts that claim the same time, the less likely one is dropped if it is this many times less likely. */
const rivalRatio = 2
/** These may share a time with each other. */
const companions: ReadonlySet<ActKind> = new Set(["proposes", "confirms", "wants_to_move", "wants_call"])

/** Acts that say opposite things: where one clause seems to do both, the less likely one is dropped. */
const opposites: ReadonlyArray<readonly [ActKind, ActKind]> = [
  ["refuses", "is_interested"],
  ["refuses", "confirms"],
  ["refuses", "proposes"],
  ["stops", "is_interested"],
  ["stops", "defers"],
  ["stops", "proposes"],
  ["stops", "confirms"],
  ["calls_off", "confirms"],
  ["cannot", "confirms"],
  ["defers", "confirms"],
  ["stops", "sets_condition"]
]

const isOpposite = (one: ActKind, other: ActKind): boolean =>
  opposites.some(([a, b]) => (a === one && b === other) || (a === other && b === one))

interface Scored {
  readonly clause: Clause
  readonly probabilities: Float64Array
}

const scoreClause = (clause: Clause, classifier: SentenceClassifier, language: Language): Scored => ({
  clause,
  probabilities: classifier.probabilities(
    clause.isQuestion && !clause.text.endsWith("?") ? `${clause.text}?` : clause.text,
    language
  )
})

interface Found {
  readonly label: string
  readonly labelled: LabelledAct
  readonly clause: Clause
  readonly certainty: number
  readonly isCertain: boolean
}

/** Acts that do no harm where they are wrong: a clause alone is enough to find them. */
const harmlessAlone: ReadonlySet<ActKind> = new Set(["asks", "wants_document"])

/** Whether a clause of a question does something with certainty that is not the question: "Hello", "I like it". */
const saysSomethingElse = ({ clause, probabilities }: Scored, { certain, labels }: SentenceClassifier): boolean =>
  clause.text.endsWith(":") ||
  labels.some((label, index) => label !== "asks" && (probabilities[index] ?? 0) >= (certain[index] ?? 1))

/**
 * The acts of a sentence before times are given to them: those that are more likely than not. A clause that names a time
 * does what its own words say, since its neighbour may refuse what it proposes. Other acts are the whole sentence's, as
 * the classifier learnt them, and belong to the clause that does them most clearly.
 */
const likelyActs = (
  sentence: ReadSentence,
  classifier: SentenceClassifier,
  { mentionsOf, setting }: TimeReader
): ReadonlyArray<Found> => {
  const { language } = setting
  const whole = scoreClause(sentence, classifier, language)
  const parts =
    sentence.clauses.length < 2 ? [whole] : sentence.clauses.map((clause) => scoreClause(clause, classifier, language))
  const hasTime = new Set(parts.flatMap(({ clause }) => (mentionsOf(clause, sentence).length > 0 ? [clause] : [])))
  return classifier.labels.flatMap((label, index): ReadonlyArray<Found> => {
    const likely = classifier.likely[index] ?? 1
    const inWhole = whole.probabilities[index] ?? 0
    if (inWhole < likely && parts.every(({ probabilities }) => (probabilities[index] ?? 0) < likely)) return []
    const labelled = actOfLabel(label)
    if (labelled === undefined) return []
    const certain = Math.min(classifier.certain[index] ?? 1, certainInReply[label] ?? 1)
    const foundIn = (clause: Clause, certainty: number): ReadonlyArray<Found> =>
      certainty < likely ? [] : [{ label, labelled, clause, certainty, isCertain: certainty >= certain }]
    const isOfClause = ({ clause }: Scored): boolean => timed.has(labelled.kind) && hasTime.has(clause)
    const ofClauses = parts
      .filter(isOfClause)
      .flatMap(({ clause, probabilities }) => foundIn(clause, probabilities[index] ?? 0))
    const others = parts.filter((part) => !isOfClause(part))
    // A question begins with the first clause that asks, or, where the sentence has its mark, that says nothing else.
    const asking =
      labelled.kind === "asks"
        ? others.find(
            (part) =>
              (part.probabilities[index] ?? 0) >= likely ||
              (sentence.isQuestion && !saysSomethingElse(part, classifier))
          )
        : undefined
    const clearest = others.reduce<Scored | undefined>(
      (best, part) =>
        best === undefined || (part.probabilities[index] ?? 0) > (best.probabilities[index] ?? 0) ? part : best,
      undefined
    )
    if (clearest === undefined || (ofClauses.length > 0 && timed.has(labelled.kind))) return ofClauses
    const inPart = clearest.probabilities[index] ?? 0
    const isAlone = harmlessAlone.has(labelled.kind) && inPart >= certain
    const certainty = isAlone ? inPart : Math.max(inWhole, (inWhole + inPart) / 2)
    const clause = inPart < likely && parts.length > 1 ? sentence : (asking ?? clearest).clause
    return [...ofClauses, ...foundIn(clause, certainty)]
  })
}

/** Without the acts that another act of the same clause contradicts. */
const withoutRivals = (findings: ReadonlyArray<Found>): ReadonlyArray<Found> =>
  withoutTimedRivals(
    findings.filter(
      (one) =>
        !findings.some(
          (other) =>
            other.clause === one.clause &&
            isOpposite(one.labelled.kind, other.labelled.kind) &&
            other.certainty > one.certainty
        )
    )
  )

const withoutTimedRivals = (findings: ReadonlyArray<Found>): ReadonlyArray<Found> =>
  findings.filter(
    (one) =>
      !timed.has(one.labelled.kind) ||
      !findings.some(
        (other) =>
          other.clause === one.clause &&
          timed.has(other.labelled.kind) &&
          other.labelled.kind !== one.labelled.kind &&
          !(companions.has(one.labelled.kind) && companions.has(other.labelled.kind)) &&
          other.certainty >= rivalRatio * one.certainty
      )
  )

/** The other acts that a clause may perform. */
const besides = (one: Found, found: ReadonlyArray<Found>): ReadonlyArray<Pick<Act, "certainty" | "kind">> =>
  found.flatMap(({ certainty, clause, labelled: { kind } }) =>
    clause === one.clause && kind !== one.labelled.kind ? [{ certainty, kind }] : []
  )

const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length

/** A condition has a verb and what is wanted. */
const fewestConditionWords = 3
/** A question of fewer words is a greeting or a sigh: "tudo bem?", "seriously?". */
const fewestQuestionWords = 4

/** What a clause may do besides asking something: "Not for us, but which channel works best?" */
const besidesQuestion: ReadonlySet<ActKind> = new Set(["mentions", "refuses", "unclear"])

/** Whether a sentence is put as a question, and nothing that was found in its last clause is what it asks for. */
const isUnknownQuestion = (sentence: ReadSentence, found: ReadonlyArray<Found>): boolean => {
  const last = sentence.clauses.at(-1) ?? sentence
  const ofLast = found.filter(({ clause }) => clause === last || clause === sentence)
  return (
    sentence.isQuestion &&
    wordCount(last.text) >= fewestQuestionWords &&
    !found.some(({ labelled: { kind } }) => kind === "asks") &&
    ofLast.every(({ isCertain, labelled: { kind } }) => besidesQuestion.has(kind) || (kind === "thanks" && !isCertain))
  )
}

/** A sentence that is put as a question, and of which the classifier does not say what it asks. */
const unknownQuestion = (sentence: ReadSentence): Found => ({
  label: "asks",
  labelled: { kind: "asks", objection: null },
  clause: sentence,
  certainty: 0.6,
  isCertain: false
})

/** The mark says that it asks: a question is never left to chance. */
const asMarked = (one: Found, sentence: ReadSentence): Found =>
  one.labelled.kind === "asks" && sentence.isQuestion
    ? { ...one, certainty: Math.max(one.certainty, 0.8), isCertain: true }
    : one

/** How certain it is that a time is proposed which is nothing but named, or named in place of another one. */
const plainProposal = 0.9

/** Adds a time to an act. A time that is excluded or replaced changes the kind of the act. */
const withTime = (base: Omit<Act, "time">, { isDoubtful, isExcluded, isReplacement, ...time }: ClauseTime): Act => {
  if (isExcluded && companions.has(base.kind)) return { ...base, kind: "cannot", isCertain: false, time }
  if (isReplacement && (base.kind === "cannot" || base.kind === "mentions")) {
    return { ...base, kind: "proposes", certainty: plainProposal, isCertain: !isDoubtful, time }
  }
  return { ...base, isCertain: base.isCertain && !isDoubtful, time }
}

/** "Friday 4 December, quarter to five.": a sentence that is nothing but an exact time proposes it. */
const bareProposals = (sentence: ReadSentence, reader: TimeReader, lastDay: string | undefined): ReadonlyArray<Act> => {
  const [time, ...others] = reader.timesOf(sentence, sentence, lastDay)
  if (time === undefined || others.length > 0 || time.isExcluded || time.isPast) return []
  if (time.days.length === 0 || time.minutes.length === 0 || time.untilMinute !== null) return []
  if (!isNothingBut(sentence.text, time)) return []
  const { isDoubtful, isExcluded: _, isReplacement: __, ...named } = time
  return [
    actOf("proposes", sentence.text, {
      certainty: plainProposal,
      isCertain: !isDoubtful,
      time: named,
      isQuestion: sentence.isQuestion
    })
  ]
}

/** Whether an act is certain next to what else its clause seems to do. */
const isCertainOf = (one: Found, sentence: ReadSentence, found: ReadonlyArray<Found>, language: Language): boolean => {
  const { certainty, clause, isCertain, labelled } = one
  if (!isCertain || (labelled.kind === "refuses" && clause !== sentence && isBareNo(clause.text))) return false
  if (!bookingKinds.has(labelled.kind)) return true
  const proposal = { certainty, isQuestion: clause.isQuestion, isDenied: denies(clause.text, language) }
  return !isDisputed(proposal, besides(one, found))
}

/** The acts of one sentence, and the times in it that no act speaks of, as mentions. */
const actsOf = (
  sentence: ReadSentence,
  classifier: SentenceClassifier,
  reader: TimeReader,
  earlierDay: string | undefined
): ReadonlyArray<Act> => {
  const { language } = reader.setting
  const lastDay = reader.lastDayIn(sentence) ?? earlierDay
  const likely = withoutRivals(likelyActs(sentence, classifier, reader))
  const found = isUnknownQuestion(sentence, likely) ? [...likely, unknownQuestion(sentence)] : likely
  const askedTexts = new Set<string>()
  const acts = found.flatMap((each): ReadonlyArray<Act> => {
    const one = asMarked(each, sentence)
    const { kind, objection } = one.labelled
    if (kind === "sets_condition" && wordCount(one.clause.text) < fewestConditionWords) return []
    // A question is one however many clauses it has.
    if (kind === "asks") {
      if (askedTexts.has(sentence.text)) return []
      askedTexts.add(sentence.text)
    }
    const base: Omit<Act, "time"> = {
      kind,
      text: kind === "asks" ? questionText(sentence, one.clause) : one.clause.text,
      certainty: one.certainty,
      isCertain: isCertainOf(one, sentence, found, language),
      source: "reader",
      isQuestion: one.clause.isQuestion,
      objection,
      contact: null,
      isAutomatic: one.label === "automatic"
    }
    // A time belongs to the act of the clause it is in, not to that of the whole sentence.
    const isWhole = one.clause === sentence && sentence.clauses.length > 1
    const times = timed.has(kind) && !isWhole ? reader.timesOf(one.clause, sentence, lastDay) : []
    if (times.length > 0) return times.map((time) => asQuestionOfSeller(withTime(base, time), one, sentence, language))
    return [{ ...base, time: kind === "defers" || kind === "is_away" ? reader.endOfLength(sentence) : null }]
  })
  const bare = found.every(({ labelled: { kind } }) => kind === "thanks" || kind === "mentions")
    ? bareProposals(sentence, reader, lastDay)
    : []
  if (bare.length > 0) return [...acts.filter(({ kind }) => kind === "thanks"), ...bare]
  const isHalfRead = sentence.clauses.some(
    ({ isContrast, text }) => isContrast && !acts.some((act) => act.kind !== "unclear" && act.text.includes(text))
  )
  const spoken = new Set(acts.flatMap(({ time }) => (time === null ? [] : [time.text])))
  const others = sentence.clauses.flatMap((clause) =>
    reader
      .timesOf(clause, sentence, lastDay)
      .filter(({ text }) => !spoken.has(text))
      .map(
        ({ isDoubtful: _, isExcluded, isReplacement: __, ...time }): Act =>
          actOf(isExcluded ? "cannot" : "mentions", clause.text, {
            certainty: unexplained,
            isCertain: false,
            time,
            isQuestion: clause.isQuestion
          })
      )
  )
  // "The doctor's appointment is cancelled, but ours …": the half that is not understood may be the one about us.
  const asRead = isHalfRead ? acts.map((act) => (act.kind === "calls_off" ? { ...act, isCertain: false } : act)) : acts
  return [...asRead, ...others]
}

interface ReadPart {
  readonly sentence: ReadSentence
  readonly acts: ReadonlyArray<Act>
}

const asks = ({ kind }: Act): boolean => kind === "asks"

const asItemQuestion = ({ acts, sentence }: ReadPart): ReadonlyArray<Act> => {
  if (acts.some(asks) || wordCount(sentence.text) < 2) return acts
  return [
    actOf("asks", questionText(sentence, sentence), {
      certainty: 0.8,
      source: "reader",
      isQuestion: sentence.isQuestion
    }),
    ...acts.filter(({ isCertain }) => isCertain)
  ]
}

/**
 * The acts of a list's items. A list asks as a whole if it is introduced as questions or half of it asks. The choices of
 * an answering machine's menu are not what its owner wants.
 */
const actsOfList = (intro: ReadPart | undefined, items: ReadonlyArray<ReadPart>): ReadonlyArray<Act> => {
  if (intro?.acts.some(({ isAutomatic, isCertain }) => isAutomatic && isCertain) === true) return []
  const asking = items.filter(({ acts }) => acts.some(asks)).length
  const isAsked = intro?.acts.some(asks) === true || asking * 2 >= items.length
  return items.flatMap((item) => (isAsked ? asItemQuestion(item) : item.acts))
}

/** Within so many letters a sentence begins with the words that take back the one before. */
const longestLeadIn = 12
const namesClock = ({ time }: Act): boolean => (time?.minutes.length ?? 0) > 0

/** The acts of a reply by the embedded classifier and the grammar of times, in the order of its sentences. */
export const actsByReader = (
  text: string,
  classifier: SentenceClassifier,
  setting: ReadingSetting
): ReadonlyArray<Act> => {
  const reader = timeReader(setting)
  let lastDay: string | undefined
  const parts = readSentences(text, setting.language, reader.mentionsIn).map((sentence): ReadPart => {
    const acts = actsOf(sentence, classifier, reader, lastDay)
    lastDay = reader.lastDayIn(sentence) ?? lastDay
    return { sentence, acts }
  })
  for (const [index, { acts, sentence }] of parts.entries()) {
    const echo = parts[index - 1]
    if (echo !== undefined && isEcho(echo.sentence) && isDenial(sentence))
      parts[index - 1] = { ...echo, acts: takenBack(echo.acts) }
    // "At nine. No wait, that's when the delivery comes. Half past ten."
    const previous = parts[index - 1]
    const correction = previous === undefined ? undefined : reader.correctionOf(sentence)
    const isCorrected = correction !== undefined && correction.from <= longestLeadIn
    const comes = [acts, ...parts.slice(index + 1).map((part) => part.acts)]
    if (previous !== undefined && isCorrected && comes.some((each) => each.some(namesClock)))
      parts[index - 1] = { ...previous, acts: takenBack(previous.acts) }
  }
  const acts: Array<Act> = []
  for (let at = 0; at < parts.length; ) {
    let end = at
    while (parts[end]?.sentence.isItem === true) end++
    if (end === at) acts.push(...(parts[at++]?.acts ?? []))
    else {
      acts.push(...actsOfList(parts[at - 1], parts.slice(at, end)))
      at = end
    }
  }
  return acts
}
