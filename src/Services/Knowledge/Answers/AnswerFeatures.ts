import type { Language } from "../../Text/Language.ts"
import { fold, hashOf } from "../../Text/PlainText.ts"
import { type AnswerUnit, conceptsIn, figuresIn, type LetterCounts, letterCounts } from "./AnswerUnits.ts"
import { type AskedQuestion, readQuestion } from "./AskedQuestion.ts"
import { idsIn, type Term, type TermWeight, termsOf } from "./BuyerTerms.ts"
import { hasAny, isMatter, isNear, termShare } from "./Coverage.ts"
import { isVerb } from "./Roots.ts"
import { askedKinds, askingClauses } from "./StatedKinds.ts"
import { fitOf } from "./StatementScore.ts"
import { settles, wantedIds } from "./WantedKinds.ts"

/** All statements that an answer may come from, with how rare their words are. */
export interface Corpus {
  readonly units: ReadonlyArray<AnswerUnit>
  readonly vocabulary: ReadonlySet<string>
  readonly idRarity: (id: string) => number
  readonly letterRarity: (sequence: string) => number
}

/** The rarity of something that no or one statement has is about 1. */
const rarity = (counts: ReadonlyMap<string, number>, total: number): ((key: string) => number) => {
  const most = Math.log(1 + total)
  return (key) => Math.max(0.05, Math.log((1 + total) / (1 + (counts.get(key) ?? 0))) / most)
}

export const corpusOf = (units: ReadonlyArray<AnswerUnit>): Corpus => {
  const ids = new Map<string, number>()
  const letters = new Map<string, number>()
  for (const { about, aboutLetters, letters: ownLetters, ownIds } of units) {
    for (const id of new Set([...ownIds, ...about])) ids.set(id, (ids.get(id) ?? 0) + 1)
    for (const key of new Set([...ownLetters.keys(), ...aboutLetters.keys()]))
      letters.set(key, (letters.get(key) ?? 0) + 1)
  }
  return {
    units,
    vocabulary: new Set(ids.keys()),
    idRarity: rarity(ids, units.length),
    letterRarity: rarity(letters, units.length)
  }
}

/** A word of a question with what the account's statements have of it. */
interface AskedTerm {
  readonly term: Term
  readonly weight: number
  /** Words of the statements that differ from it in their endings or by a typing mistake. */
  readonly nearIds: ReadonlyArray<string>
  readonly isTopic: boolean
  readonly isElsewhere: boolean
  /** Whether a figure answers it, whatever words are next to the figure. */
  readonly isWanted: boolean
  /** Whether it is in a clause that asks. */
  readonly isAsked: boolean
}

/** A question, prepared for comparison with the statements of a corpus. */
export interface PreparedQuestion {
  readonly parsed: AskedQuestion
  readonly terms: ReadonlyArray<AskedTerm>
  readonly ids: ReadonlySet<string>
  /** The ids of the question, and the roots of its phrases' words. */
  readonly place: ReadonlySet<string>
  readonly concepts: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
  readonly letters: LetterCounts
  readonly names: ReadonlyArray<string>
  readonly figures: ReadonlyArray<string>
  /** "Without a contract": the words after it name what is not meant. */
  readonly isNegated: boolean
}

const negation = /\b(?:nao|sem|no|sin|not|without|don't|doesn't|isn't|aren't)\b/

const weights: { readonly [W in TermWeight]: number } = { empty: 0, weak: 0.2, common: 0.5, telling: 1 }
const shortestPrefix = 5
const prefixShare = 0.7

const nearIdsOf = ({ ids }: Term, vocabulary: ReadonlySet<string>): ReadonlyArray<string> => {
  const [root = ""] = ids
  if (isMatter(root) || root.length < shortestPrefix) return []
  const start = root.slice(0, Math.max(shortestPrefix, Math.ceil(root.length * prefixShare)))
  return [...vocabulary].filter((id) => !isMatter(id) && (id.startsWith(start) || isNear(root, new Set([id]))))
}

/** Words with a capital inside a sentence, folded and without their ending. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?<=[\p{L}\p{N},]\s)\p{Lu}[\p{L}\p{N}]+/gu)]
    .map(([name]) => fold(name))
    .map((name) => name.slice(0, Math.max(4, name.length - 1)))

export const prepareQuestion = (message: string, language: Language, corpus: Corpus): PreparedQuestion => {
  const parsed = readQuestion(message, language)
  const asking = new Set(termsOf(askingClauses(message), language).map(({ text }) => text))
  const ids = idsIn(message, language)
  const terms = parsed.terms
    .filter(({ text, weight }) => weight !== "empty" && !/^\d/.test(text))
    .map((term): AskedTerm => {
      const nearIds = nearIdsOf(term, corpus.vocabulary)
      const knownIds = [...term.ids].filter((id) => corpus.vocabulary.has(id))
      return {
        term,
        weight: weights[term.weight] * Math.min(1, ...knownIds.map(corpus.idRarity)),
        nearIds,
        isTopic: [...term.ids].some(isMatter),
        isElsewhere: nearIds.length > 0 || termShare(term, corpus.vocabulary) > 0,
        isWanted: hasAny(term.ids, wantedIds),
        isAsked: asking.has(term.text)
      }
    })
  return {
    parsed,
    terms,
    ids,
    place: new Set([...ids, ...terms.flatMap(({ term }) => [...term.ids, ...term.words])]),
    concepts: conceptsIn(message, language),
    kinds: askedKinds(message),
    letters: letterCounts(message),
    names: namesIn(message),
    figures: figuresIn(message),
    isNegated: negation.test(fold(message))
  }
}

const nearShare = 0.7
const paragraphShare = 0.8
const headingShare = 0.6

const shareIn = ({ nearIds, term }: AskedTerm, place: ReadonlySet<string>): number => {
  const share = termShare(term, place)
  return share > 0 ? share : nearIds.some((id) => place.has(id)) ? nearShare : 0
}

const similarity = (one: LetterCounts, other: LetterCounts, rarityOf: (sequence: string) => number): number => {
  let [product, first, second] = [0, 0, 0]
  for (const [key, count] of one) {
    const weight = rarityOf(key) ** 2
    first += count * count * weight
    product += count * (other.get(key) ?? 0) * weight
  }
  for (const [key, count] of other) second += (count * rarityOf(key)) ** 2
  return first === 0 || second === 0 ? 0 : product / Math.sqrt(first * second)
}

/** Sums over the question's words. The names are those of features. */
const wordFeatures = ({ parsed, terms }: PreparedQuestion, unit: AnswerUnit) => {
  const sums = {
    wordCover: 0,
    ownCover: 0,
    aboutCover: 0,
    paragraphCover: 0,
    headingCover: 0,
    askedCover: 0,
    missing: 0,
    mostMissing: 0,
    mostMissingElsewhere: 0,
    mostMissingNowhere: 0,
    missingTopicElsewhere: 0,
    missingTopicNowhere: 0,
    missingWordElsewhere: 0,
    missingWordNowhere: 0,
    missingVerb: 0,
    missingWeak: 0,
    missingContext: 0,
    bestHit: 0,
    rareHits: 0,
    topicHits: 0,
    wordHits: 0,
    weakHits: 0,
    contextHits: 0,
    wantedHit: 0
  }
  let [total, totalAsked] = [0, 0]
  for (const askedTerm of terms) {
    const { isAsked, isElsewhere, isTopic, isWanted, term, weight } = askedTerm
    const ownShare = shareIn(askedTerm, unit.ownIds)
    const about = shareIn(askedTerm, unit.about)
    const paragraph = shareIn(askedTerm, unit.paragraph)
    const heading = shareIn(askedTerm, unit.heading)
    const share = Math.max(ownShare, about, paragraphShare * paragraph, headingShare * heading)
    if (isWanted) {
      sums.wantedHit = Math.max(sums.wantedHit, share)
      continue
    }
    total += weight
    sums.wordCover += weight * share
    sums.ownCover += weight * ownShare
    sums.aboutCover += weight * about
    sums.paragraphCover += weight * paragraph
    sums.headingCover += weight * heading
    sums.bestHit = Math.max(sums.bestHit, weight * share)
    sums.rareHits += weight * weight * share
    if (isAsked) {
      totalAsked += weight
      sums.askedCover += weight * share
    }
    const classWeight = weights[term.weight]
    if (term.weight === "weak") sums[share > 0 ? "weakHits" : "missingWeak"] += 1
    else if (!isAsked) sums[share > 0 ? "contextHits" : "missingContext"] += classWeight
    else if (share > 0) sums[isTopic ? "topicHits" : "wordHits"] += classWeight * share
    else {
      const place = isElsewhere ? "Elsewhere" : "Nowhere"
      sums[`missing${isTopic ? "Topic" : "Word"}${place}`] += classWeight
      if (isVerb(term.text, parsed.language)) sums.missingVerb += classWeight
    }
    if (share > 0) continue
    sums.missing += weight
    sums.mostMissing = Math.max(sums.mostMissing, weight)
    const most = isElsewhere ? "mostMissingElsewhere" : "mostMissingNowhere"
    sums[most] = Math.max(sums[most], weight)
  }
  for (const name of ["wordCover", "ownCover", "aboutCover", "paragraphCover", "headingCover"] as const) {
    sums[name] = total === 0 ? 0 : sums[name] / total
  }
  sums.askedCover = totalAsked === 0 ? 0 : sums.askedCover / totalAsked
  return sums
}

/** How much of what the statement is about the question mentions: the question of an owner's answer, or a label. */
const aboutShare = ({ place }: PreparedQuestion, { aboutTerms }: AnswerUnit, { idRarity }: Corpus): number => {
  let [total, covered] = [0, 0]
  for (const term of aboutTerms) {
    const weight = weights[term.weight] * idRarity([...term.ids][0] ?? "")
    total += weight
    covered += weight * termShare(term, place)
  }
  return total === 0 ? 0 : covered / total
}

const shareOfBoth = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  let count = 0
  for (const value of one) if (other.has(value)) count++
  return one.size === 0 ? 0 : count / one.size
}

/** How a statement compares with a question, by name. */
export type AnswerFeatures = { readonly [name: string]: number }

export const featuresOf = (question: PreparedQuestion, unit: AnswerUnit, corpus: Corpus): AnswerFeatures => {
  const { parsed, concepts, figures, ids, letters, names } = question
  const words = wordFeatures(question, unit)
  const aboutLetters = similarity(letters, unit.aboutLetters, corpus.letterRarity)
  const ownLetters = similarity(letters, unit.letters, corpus.letterRarity)
  const aboutCovered = aboutShare(question, unit, corpus)
  const spare = fitOf(parsed, unit.statement, new Set([...unit.ownIds, ...unit.about]))
  const isSized = parsed.sizes.length > 0
  const isSettled = settles(parsed, unit.statement.text, unit.ownIds)
  const topics = [...ids].filter((id) => isMatter(id) && (unit.ownIds.has(id) || unit.about.has(id))).length
  return {
    ...words,
    aboutCovered,
    bothCovered: words.wordCover * aboutCovered,
    aboutLetters,
    ownLetters,
    bestLetters: Math.max(aboutLetters, ownLetters),
    questionConcepts: shareOfBoth(concepts, unit.concepts),
    unitConcepts: shareOfBoth(unit.concepts, concepts),
    topics: Math.min(3, topics) / 3,
    sizeFits: isSized && spare !== undefined ? 1 / (1 + spare / 50) : 0,
    sizeDiffers: isSized && spare === undefined ? 1 : 0,
    isSettled: parsed.wanted.size > 0 && isSettled ? 1 : 0,
    isUnsettled: isSettled ? 0 : 1,
    nameFound: names.some((name) => unit.folded.includes(name)) ? 1 : 0,
    nameMissing: names.some((name) => !unit.folded.includes(name)) ? 1 : 0,
    figureFound: figures.some((figure) => unit.figures.has(figure)) ? 1 : 0,
    figureMissing: figures.some((figure) => !unit.figures.has(figure)) ? 1 : 0,
    isOwners: unit.isOwners ? 1 : 0,
    length: Math.log(1 + unit.statement.text.length) / 6
  }
}

/** What speaks for there being no answer. `all` are the features of the units. */
export const noneFeatures = (
  { parsed, kinds, terms }: PreparedQuestion,
  all: ReadonlyArray<AnswerFeatures>,
  message: string
): AnswerFeatures => {
  const most = (name: string): number => all.reduce((best, features) => Math.max(best, features[name] ?? 0), 0)
  return {
    always: 1,
    telling: terms.filter(({ isWanted, term }) => term.weight === "telling" && !isWanted).length / 3,
    leastMissing: all.reduce((least, features) => Math.min(least, features["mostMissing"] ?? 1), 1),
    bestCover: most("wordCover"),
    bestAboutLetters: most("aboutLetters"),
    isSized: parsed.sizes.length > 0 ? 1 : 0,
    isYesNo: kinds.has("yes_no") ? 1 : 0,
    units: Math.log(1 + all.length) / 4,
    length: Math.min(3, message.length / 100)
  }
}

/**
 * Pairs of something asked and something stated, as hashes: kinds, topics and concepts. Topics and concepts are the same in
 * all languages, so what one language teaches holds for the others.
 */
export const pairsOf = (question: PreparedQuestion, unit: AnswerUnit): ReadonlySet<number> => {
  const pairs = new Set<number>()
  const stated = [...unit.kinds, ...[...unit.ownIds, ...unit.about].filter(isMatter)].map(hashOf)
  for (const name of [...question.kinds, ...[...question.ids].filter(isMatter)]) {
    const hash = Math.imul(hashOf(name), 0x9e3779b1)
    for (const other of stated) pairs.add((hash ^ other) >>> 0)
  }
  const statedConcepts = [...unit.concepts].map((name) => [name, hashOf(name)] as const)
  for (const name of question.concepts) {
    const hash = Math.imul(hashOf(name), 0x9e3779b1)
    for (const [other, otherHash] of statedConcepts) if (other !== name) pairs.add((hash ^ otherHash) >>> 0)
  }
  return pairs
}
