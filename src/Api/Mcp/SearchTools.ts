import type { Catalog } from "../../Tools/Core/Catalog.ts"
import type { Kind, Tool } from "../../Tools/Core/Tool.ts"
import { searchScenarios } from "./SearchScenarios.ts"
import { searchSynonyms } from "./SearchSynonyms.ts"
import { formsIn, isStem, makeFormsOf, wordsOf } from "./SearchWords.ts"

export interface FoundTool {
  readonly group: string
  readonly tool: Tool<unknown>
}

type ToolSearch = (query: string, limit: number, isShown: (found: FoundTool) => boolean) => ReadonlyArray<FoundTool>

/** Each word with its other forms. */
type Phrase = ReadonlyArray<ReadonlyArray<string>>

interface Indexed extends FoundTool {
  /** Weight of each word in what is said of the tool. */
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
  /** What each word of the tool's name may be called. */
  readonly nameWords: ReadonlyArray<ReadonlyArray<string>>
  /** What people say who want it, each as its words in all their forms. */
  readonly phrases: ReadonlyArray<Phrase>
}

type Part = readonly [words: ReadonlyArray<string>, weight: number]

const weightsOf = (parts: ReadonlyArray<Part>): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const [words, weight] of parts) {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  return weights
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** How soon a word that is said again stops to count, and how much a long text counts less. */
const saturation = 3
const lengthShare = 0.5
/** What it is worth that a wish says a tool's whole name in its own words. */
const nameBonus = 3
/** What it is worth that a wish is one of the phrases of a tool. */
const phraseBonus = 10
/** What of a word it is worth that a phrase says another that means the same. */
const likeWord = 0.6
/** Words of names that a wish need not say: who names a thing wants to see it. */
const looking = new Set(["get", "list"])

/** Meanings of words by which people ask for something to be done, or to be shown. */
const doing = new Set(
  (
    "=register =update =delete =stop =pause =resume =send =create =add =remove =cancel =archive =move =rename =set " +
    "=connect =disconnect =export =upload =import =edit =change =allow =revoke =generate =restore =mute =reschedule " +
    "=recover =confirm =draft =resend =redeliver =acknowledge"
  ).split(" ")
)
const showing = new Set(["=get", "=list", "=search", "=history", "=volume"])
/** What is left of the score of a tool that shows where something is to be done, and the other way round. */
const otherKind = 0.85

const spaced = (name: string): string => name.replaceAll("_", " ")

const indexOf = (catalog: Catalog<unknown>): ReadonlyArray<Indexed> =>
  catalog.entries.map(({ group, tool }) => {
    const phrases = [searchSynonyms[tool.name], searchScenarios[tool.name]].flatMap((said) =>
      (said ?? "").split(";").map(formsIn)
    )
    const weights = weightsOf([
      [wordsOf(spaced(tool.name)), 4],
      [wordsOf(group), 1.5],
      [wordsOf(tool.description), 1.5],
      [wordsOf(spaced(Object.keys(tool.parameters).join(" "))), 0.4],
      [phrases.flat().map(([stem = ""]) => stem), 1.5],
      [phrases.flat().flatMap(([, ...meanings]) => meanings), 0.5]
    ])
    return {
      group,
      tool,
      weights,
      length: sum(weights.values()),
      nameWords: tool.name
        .split("_")
        .filter((word) => !looking.has(word))
        .map(wordsOf)
        .filter((words) => words.length > 0),
      phrases: phrases.filter((words) => words.length > 0)
    }
  })

/** What a word of a phrase is worth, and what its other forms are. */
interface PhraseWord {
  readonly stem: string
  readonly meanings: ReadonlyArray<string>
  readonly worth: number
}

/** A phrase as the places of its words among all words of phrases, and what they are worth together. */
interface WeighedPhrase {
  readonly words: ReadonlyArray<number>
  readonly whole: number
}

/** The words of all phrases once each: few of them, many times said. */
const wordsOfPhrases = (rarity: (word: string) => number) => {
  const words: Array<PhraseWord> = []
  const places = new Map<string, number>()
  const placeOf = (form: ReadonlyArray<string>): number => {
    const [stem = "", ...meanings] = form
    const key = form.join(" ")
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, words.length)
    return words.push({ stem, meanings, worth: rarity(stem) }) - 1
  }
  const weighed = (phrase: Phrase): WeighedPhrase => ({
    words: phrase.map(placeOf),
    whole: sum(phrase.map(([stem = ""]) => rarity(stem)))
  })
  return { words, weighed }
}

/** What each word of the phrases is worth to a wish: all where it says it, less where it says another that means the same. */
const worthTo = (wished: ReadonlySet<string>, words: ReadonlyArray<PhraseWord>): ReadonlyArray<number> =>
  words.map(({ stem, meanings, worth }) => {
    if (wished.has(stem)) return worth
    return meanings.some((word) => wished.has(word)) ? worth * likeWord : 0
  })

/** How much of a wish and of the phrase that is nearest to it are the same words, from 0 to 1. */
const nearness = (worths: ReadonlyArray<number>, said: number, phrases: ReadonlyArray<WeighedPhrase>): number => {
  let best = 0
  for (const { words, whole } of phrases) {
    let common = 0
    for (const place of words) common += worths[place] ?? 0
    best = Math.max(best, (2 * common) / (said + whole))
  }
  return best
}

const searchOver = (indexed: ReadonlyArray<Indexed>): ToolSearch => {
  const averageLength = sum(indexed.map(({ length }) => length)) / Math.max(indexed.length, 1)
  const holders = new Map<string, number>()
  for (const { weights } of indexed) {
    for (const word of weights.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const rarities = new Map(
    [...holders].map(([word, count]) => [word, Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5))])
  )
  const rarity = (word: string): number => rarities.get(word) ?? 0
  const formsOf = makeFormsOf(new Set([...holders.keys()].filter(isStem)))
  const { words: phraseWords, weighed } = wordsOfPhrases(rarity)
  const phrasesOf = new Map(indexed.map((entry) => [entry, entry.phrases.map(weighed)]))

  return (query, limit, isShown) => {
    const forms = formsOf(query)
    const words = new Set(forms.flatMap((form) => form.words))
    const isDoing = [...words].some((word) => doing.has(word))
    const isShowing = [...words].some((word) => showing.has(word))
    const fitting = (kind: Kind): number => (isDoing === isShowing || isDoing === (kind !== "read") ? 1 : otherKind)
    const said = sum([...words].filter(isStem).map(rarity))
    const worths = worthTo(words, phraseWords)
    const scored = indexed.filter(isShown).map((entry) => {
      const norm = 1 - lengthShare + (lengthShare * entry.length) / averageLength
      let score = entry.tool.name === query.trim() ? 1000 : 0
      // Of the meanings of a word the one counts that fits the tool best.
      for (const form of forms) {
        let best = 0
        for (const word of form.words) {
          const weight = entry.weights.get(word) ?? 0
          if (weight > 0)
            best = Math.max(best, (rarity(word) * weight * (saturation + 1)) / (weight + saturation * norm))
        }
        score += best * form.share
      }
      const named = entry.nameWords.filter((names) => names.some((word) => words.has(word))).length
      const share = named / Math.max(entry.nameWords.length, 1)
      const near = said === 0 ? 0 : nearness(worths, said, phrasesOf.get(entry) ?? [])
      score += nameBonus * share * share + phraseBonus * near * near
      return { entry, score: score * fitting(entry.tool.kind) }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.tool.name < b.entry.tool.name ? -1 : 1))
      .slice(0, limit)
      .map(({ entry: { group, tool } }) => ({ group, tool }))
  }
}

/**
 * Ranks the catalog's tools by how well they fit a wish, in Portuguese, English or Spanish: rare words count more than
 * common ones, a tool's name more than its description, and what people say who want it most. The index is made at the
 * first search: many gateways are never asked.
 */
export const makeToolSearch = (catalog: Catalog<unknown>): ToolSearch => {
  let search: ToolSearch | undefined
  return (query, limit, isShown) => {
    search ??= searchOver(indexOf(catalog))
    return search(query, limit, isShown)
  }
}
