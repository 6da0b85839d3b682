import { distance } from "fastest-levenshtein"
import { contentWords, stemOf } from "./WordStems.ts"

/** A text to be found, with what it is called and other words that people use for it. */
export interface Passage {
  readonly title: string
  readonly text: string
  readonly aliases?: ReadonlyArray<string>
}

/** A passage ready to be compared with queries. */
export interface PreparedPassage {
  readonly headStems: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  /** The words of the title and aliases, for queries with typing mistakes. */
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

/** How telling a stem is among the passages: 0 where all have it, about 1 where only one does. */
export type StemWeight = (stem: string) => number

/** Weighs stems by how few of the passages have them. One that none has is telling too: it speaks against all of them. */
export const stemWeights = (passages: ReadonlyArray<PreparedPassage>): StemWeight => {
  const counts = new Map<string, number>()
  for (const { stems } of passages) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const most = Math.log(1 + passages.length)
  return (stem) => {
    const count = counts.get(stem) ?? 0
    return most === 0 ? 1 : Math.max(0.05, Math.log((1 + passages.length) / (1 + count)) / most)
  }
}

/** Without a corpus, the longer a word the more it says. */
export const weightByLength: StemWeight = (stem) => Math.min(1, 0.3 + 0.12 * stem.length)

/** A word with a typing mistake: one letter of five to eight, two of longer ones. */
const isMisspelt = (word: string, known: string): boolean => {
  const allowed = word.length >= 9 ? 2 : 1
  return Math.abs(word.length - known.length) <= allowed && word[0] === known[0] && distance(word, known) <= allowed
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
 * How well a passage covers what a query asks, from 0 to 1, by the words alone: the share of the query's words (by how
 * telling they are) that the passage has, those of its title and aliases before those of its text, and how whole an alias
 * the query repeats. It depends on the query and the passage alone, so that the same score means the same from call to call.
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
      const near = passage.words.find((known) => isMisspelt(word, known))
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
    let said = 0
    let all = 0
    for (const stem of stems) {
      const weight = query.weightOf(stem)
      all += weight
      if (!hit.has(stem)) continue
      common += 1
      said += weight
    }
    // One word in common is no question asked alike, unless it is all that the alias has.
    const whole = Math.min(common === 1 && stems.size > 1 ? 0.4 : 1, share(said, all))
    if (whole > alias) alias = whole
  }
  const coverage = share(covered, query.weight)
  const head = share(headCovered, query.weight)
  return clamp(0.45 * coverage + 0.3 * head + 0.25 * alias)
}

/** How many of the query's words the passage has as they are. */
export const wordsFound = ({ terms }: PreparedQuery, { stems }: PreparedPassage): number =>
  terms.filter(({ stem }) => stems.has(stem)).length

/** Texts that have nothing to do with each other are about this near, by the vectors of common models. */
const unrelated = 0.3
const alike = 0.85

/** The nearness of two vectors on the scale of `scorePassage`. */
export const scoreOfCosine = (cosine: number): number => clamp((cosine - unrelated) / (alike - unrelated))

/** What words and meaning say together: either can carry a passage, and both are better than one. */
export const hybridScore = (byWords: number, byMeaning: number): number =>
  clamp(Math.max(byWords, byMeaning) + 0.1 * Math.min(byWords, byMeaning))
