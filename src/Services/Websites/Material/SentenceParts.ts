import type { Language } from "../../Text/Language.ts"
import { clauseClassifier } from "./ClauseClassifier.ts"

/**
 * A sentence parted by whom its parts are said to: "the old site was ugly, we do roofs and gutters, make it blue" is an aside, a
 * claim and an order. Of all ways to part it at its marks the one is taken whose parts are surest.
 */

export const partKinds = ["claim", "order", "aside", "open"] as const
export type PartKind = (typeof partKinds)[number]

export interface SentencePart {
  readonly text: string
  readonly kind: PartKind
  /** How sure its kind is, against the other kinds. */
  readonly share: number
  /** The probability of its kind by itself. */
  readonly probability: number
}

/** Where a sentence may be parted: marks, brackets, and words that begin a reason or a turn. */
const seam =
  /,\s|;\s|:\s|\s[—–-]{1,2}\s|[.!?]+\s|\s(?=\()|(?<=\))\s|\s(?=(?:but|so|because|bc|cos|mas|entao|então|porque|pq|senao|senão|pero|así que|asi que|sino)\s)/giu

const longestClause = 600
/** More parts than these are not tried together: the sentence is a list, or pasted. */
const mostClauses = 12
/** What each further part must win. */
const costOfPart = 1.2
const least = 0.002
/** Shorter ones belong to what is next to them. */
const fewestWords = 2

interface Clause {
  readonly from: number
  readonly to: number
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length

const clausesOf = (sentence: string): ReadonlyArray<Clause> => {
  const clauses: Array<Clause> = []
  let from = 0
  for (const match of sentence.matchAll(seam)) {
    const to = match.index + match[0].trimEnd().length
    if (wordsIn(sentence.slice(from, to)) < fewestWords) continue
    clauses.push({ from, to })
    from = match.index + match[0].length
  }
  const last = clauses.at(-1)
  if (last !== undefined && wordsIn(sentence.slice(from)) < fewestWords)
    return [...clauses.slice(0, -1), { from: last.from, to: sentence.length }]
  return [...clauses, { from, to: sentence.length }]
}

type Shares = { readonly [K in PartKind]: number }

const probabilitiesOf = (text: string, language: Language): Shares => {
  const { labels, probabilities } = clauseClassifier()
  const all = probabilities(text.slice(0, longestClause), language)
  const of = (kind: PartKind): number => Math.min(1 - least, Math.max(least, all[labels.indexOf(kind)] ?? 0))
  return { claim: of("claim"), order: of("order"), aside: of("aside"), open: of("open") }
}

interface Judged extends SentencePart {
  readonly score: number
}

/** The likeliest kind of a text, where each has exactly one. */
const judged = (text: string, language: Language): Judged => {
  const probabilities = probabilitiesOf(text, language)
  const scores = partKinds.map((kind) =>
    partKinds.reduce(
      (sum, other) => sum + Math.log(other === kind ? probabilities[other] : 1 - probabilities[other]),
      0
    )
  )
  const best = Math.max(...scores)
  const kind = partKinds[scores.indexOf(best)] ?? "open"
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0)
  return { text, kind, score: best, share: Math.exp(best) / total, probability: probabilities[kind] }
}

/** The kind of a whole text. */
export const kindOfText = (text: string, language: Language): SentencePart => judged(text, language)

const likelyOther = 0.6
/** From this share on, a part counts as not settled. */
export const likelyOpen = 0.6
const fewestWordsOfRemark = 3

/** Whether a clause of a text is not for visitors, whatever the text is as a whole. */
export const hidesRemark = (text: string, language: Language): boolean => {
  const clauses = clausesOf(text)
    .map(({ from, to }) => text.slice(from, to).trim())
    .filter((clause) => wordsIn(clause) >= fewestWordsOfRemark)
  return (
    clauses.length > 1 &&
    clauses.some((clause) => {
      const { kind, share } = judged(clause, language)
      return kind !== "claim" && share >= likelyOther
    })
  )
}

/** The parts of a sentence, each with whom it is said to. Parts of one kind next to each other are one. */
export const partsOfSentence = (sentence: string, language: Language): ReadonlyArray<SentencePart> => {
  const clauses = clausesOf(sentence)
  if (clauses.length === 1 || clauses.length > mostClauses) return [judged(sentence, language)]
  /** Of the clauses up to each, the best way to part them. */
  const best: Array<{ readonly score: number; readonly parts: ReadonlyArray<Judged> }> = [{ score: 0, parts: [] }]
  for (let end = 1; end <= clauses.length; end++) {
    let bestEnd: { readonly score: number; readonly parts: ReadonlyArray<Judged> } | undefined
    for (let start = 0; start < end; start++) {
      const before = best[start]
      if (before === undefined) continue
      const part = judged(sentence.slice(clauses[start]?.from, clauses[end - 1]?.to).trim(), language)
      // Two parts of one kind are one sentence.
      const isSame = before.parts.at(-1)?.kind === part.kind
      const score = before.score + part.score - (start === 0 || isSame ? 0 : costOfPart)
      if (bestEnd === undefined || score > bestEnd.score) bestEnd = { score, parts: [...before.parts, part] }
    }
    if (bestEnd !== undefined) best.push(bestEnd)
  }
  return best.at(-1)?.parts ?? []
}
