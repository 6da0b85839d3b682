import { distance } from "fastest-levenshtein"
import { contentWords, stemOf } from "./WordStems.ts"

/** A text that can be found by its words, its title and its aliases. */
export interface Passage {
  readonly title: string
  readonly text: string
  readonly aliases?: ReadonlyArray<string>
}

/** A passage that is prepared for comparison with queries. */
export interface PreparedPassage {
  readonly headStems: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  /** The words of the title and the aliases. They also match words with typing mistakes. */
  readonly words: ReadonlyArray<string>
  readonly aliases: ReadonlyArray<ReadonlySet<string>>
}

const maximumQueryWords = 40
const maximumFuzzyWords = 4000

export const preparePassage = ({ aliases = [], text, title }: Passage): PreparedPassage => {
  const head = contentWords([title, ...aliases].join("\n"))
  const body = contentWords(text)
  const headStems = new Set(head.map(stemOf))
  return {
    headStems,
    stems: new Set([...headStems, ...body.map(stemOf)]),
    words: [...new Set([...head, ...body])].filter((word) => word.length > 4).slice(0, maximumFuzzyWords),
    aliases: [title, ...aliases].map((alias) => new Set(contentWords(alias).map(stemOf)))
  }
}

/** How distinctive a stem is among the passages: 0 if all have it, about 1 if only one does. */
export type StemWeight = (stem: string) => number

/**
 * Weighs stems by how few passages contain them. A stem that no passage contains has a high weight too, because it
 * speaks against all of them.
 */
export const stemWeights = (passages: ReadonlyArray<PreparedPassage>): StemWeight => {
  const counts = new Map<string, number>()
  for (const { stems } of passages) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const most = Math.log(1 + passages.length)
  return (stem) => {
    const count = counts.get(stem) ?? 0
    return most === 0 ? 1 : Math.max(0.05, Math.log((1 + passages.length) / (1 + count)) / most)
  }
}

/** Without a corpus, longer words count more. */
export const weightByLength: StemWeight = (stem) => Math.min(1, 0.3 + 0.12 * stem.length)

/** True if a word has a typing mistake: one letter in words of five to eight letters, two in longer ones. */
const isMisspelt = (word: string, correctWord: string): boolean => {
  const allowed = word.length >= 9 ? 2 : 1
  return (
    Math.abs(word.length - correctWord.length) <= allowed &&
    word[0] === correctWord[0] &&
    distance(word, correctWord) <= allowed
  )
}

interface QueryTerm {
  readonly word: string
  readonly stem: string
  readonly weight: number
}

export interface PreparedQuery {
  readonly terms: ReadonlyArray<QueryTerm>
  readonly weight: number
  readonly weightOf: StemWeight
}

export const prepareQuery = (query: string, weightOf: StemWeight): PreparedQuery => {
  const terms = new Map<string, QueryTerm>()
  for (const word of contentWords(query).slice(0, maximumQueryWords)) {
    const stem = stemOf(word)
    if (!terms.has(stem)) terms.set(stem, { word, stem, weight: weightOf(stem) })
  }
  const list = [...terms.values()]
  return { terms: list, weight: list.reduce((sum, { weight }) => sum + weight, 0), weightOf }
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/**
 * How well a passage matches a query by its words, from 0 to 1. It is the share of the query's words in the passage,
 * weighted by how distinctive they are. Words in the title and aliases count more, and so does a complete alias. Scores
 * of different calls are comparable.
 */
export const scorePassage = (query: PreparedQuery, passage: PreparedPassage): number => {
  if (query.weight === 0) return 0
  let covered = 0
  let headCovered = 0
  const hit = new Set<string>()
  for (const { stem, weight, word } of query.terms) {
    if (passage.headStems.has(stem)) {
      covered += weight
      headCovered += weight
      hit.add(stem)
    } else if (passage.stems.has(stem)) covered += 0.85 * weight
    else if (word.length > 4) {
      const near = passage.words.find((passageWord) => isMisspelt(word, passageWord))
      if (near !== undefined) {
        covered += 0.8 * weight
        const nearStem = stemOf(near)
        if (passage.headStems.has(nearStem)) {
          headCovered += 0.85 * weight
          hit.add(nearStem)
        }
      }
    }
  }
  let alias = 0
  for (const stems of passage.aliases) {
    if (stems.size === 0) continue
    let common = 0
    let aliasScore = 0
    let all = 0
    for (const stem of stems) {
      const weight = query.weightOf(stem)
      all += weight
      if (!hit.has(stem)) continue
      common += 1
      aliasScore += weight
    }
    // One shared word is not enough for two questions to match, unless the alias consists of it.
    const whole = Math.min(common === 1 && stems.size > 1 ? 0.4 : 1, share(aliasScore, all))
    if (whole > alias) alias = whole
  }
  const coverage = share(covered, query.weight)
  const head = share(headCovered, query.weight)
  return clamp(0.45 * coverage + 0.3 * head + 0.25 * alias)
}

/** How many of the query's words occur unchanged in the passage. */
export const wordsFound = ({ terms }: PreparedQuery, { stems }: PreparedPassage): number =>
  terms.filter(({ stem }) => stems.has(stem)).length

/** The cosine similarity of unrelated texts, for common models. */
const unrelated = 0.3
const alike = 0.85

/** The similarity of two vectors on the scale of `scorePassage`. */
export const scoreOfCosine = (cosine: number): number => clamp((cosine - unrelated) / (alike - unrelated))

/** Combines the scores by words and by meaning. One of them can be enough, and both together score higher. */
export const hybridScore = (byWords: number, byMeaning: number): number =>
  clamp(Math.max(byWords, byMeaning) + 0.1 * Math.min(byWords, byMeaning))
