import type { Catalog } from "../../../Tools/Core/Catalog.ts"
import type { Kind, Tool } from "../../../Tools/Core/Tool.ts"
import { readSearchData, type SearchData } from "./SearchData.ts"
import { isStem, makeWordForms, type WordForm, type WordForms } from "./WordForms.ts"

export interface FoundTool {
  readonly group: string
  readonly tool: Tool<unknown>
}

type ToolSearch = (query: string, limit: number, isShown: (entry: FoundTool) => boolean) => ReadonlyArray<FoundTool>

interface IndexedTool extends FoundTool {
  /** The weight of each form of a word in the texts about the tool. */
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
  /** The forms of each word of the tool's name. */
  readonly nameWords: ReadonlyArray<WordForm>
  /** Phrases of people who need the tool. */
  readonly phrases: ReadonlyArray<ReadonlyArray<WordForm>>
}

/** The weight of a word in each kind of text about a tool. */
const weightOf = {
  name: 4,
  group: 1.5,
  description: 1.5,
  parameterNames: 0.4,
  parameterDescriptions: 0.15,
  phraseStems: 1.5,
  phraseMeanings: 0.5
}
/** BM25: how quickly repetitions of a word stop counting, and how much a long text is discounted. */
const saturation = 3
const lengthShare = 0.5
/** The bonus for a query that contains all words of the tool's name. */
const nameBonus = 3
/** The bonus for a query that equals one of the tool's phrases. */
const phraseBonus = 10
/** The share of a word's weight for another word with the same meaning. */
const synonymShare = 0.6
/** The factor for the score of reading tools if the wish is a change, and of changing tools otherwise. */
const otherKindShare = 0.85
/** Higher than any other score: the query is the tool's exact name. */
const exactNameScore = 1000
/** Words of tool names that a wish may leave out, because naming a thing means asking to see it. */
const viewingWords = new Set(["get", "list"])

/** Meanings of the words that ask for a change. */
const changeMeanings = new Set(
  (
    "=register =update =delete =stop =pause =resume =send =create =add =remove =cancel =archive =move =rename =set " +
    "=connect =disconnect =export =upload =import =edit =change =allow =revoke =generate =restore =mute =reschedule " +
    "=recover =confirm =draft =resend =redeliver =acknowledge"
  ).split(" ")
)
/** Meanings of the words that ask to see something. */
const viewMeanings = new Set(["=get", "=list", "=search", "=history", "=volume"])

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

const weightsOf = (
  parts: ReadonlyArray<readonly [forms: ReadonlyArray<string>, weight: number]>
): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const [forms, weight] of parts) {
    for (const form of forms) weights.set(form, (weights.get(form) ?? 0) + weight)
  }
  return weights
}

const spaced = (name: string): string => name.replaceAll("_", " ")

const indexTool = (
  { group, tool }: FoundTool,
  { formsIn }: WordForms,
  phraseLists: SearchData["phrases"]
): IndexedTool => {
  const wordsOf = (text: string) => formsIn(text).flat()
  const phrases = phraseLists.flatMap((list) => list[tool.name] ?? []).map((phrase) => formsIn(phrase))
  const parameterDescriptions = Object.values(tool.parameters).map(({ description }) => description)
  const weights = weightsOf([
    [wordsOf(spaced(tool.name)), weightOf.name],
    [wordsOf(group), weightOf.group],
    [wordsOf(tool.description), weightOf.description],
    [wordsOf(spaced(Object.keys(tool.parameters).join(" "))), weightOf.parameterNames],
    [wordsOf(parameterDescriptions.join(" ")), weightOf.parameterDescriptions],
    [phrases.flat().map(([stem = ""]) => stem), weightOf.phraseStems],
    [phrases.flat().flatMap(([, ...meanings]) => meanings), weightOf.phraseMeanings]
  ])
  return {
    group,
    tool,
    weights,
    length: sum(weights.values()),
    nameWords: tool.name
      .split("_")
      .filter((word) => !viewingWords.has(word))
      .map(wordsOf)
      .filter((forms) => forms.length > 0),
    phrases: phrases.filter((words) => words.length > 0)
  }
}

type Rarity = (form: string) => number

/** Rare words count more: the inverse document frequency over the tools. */
const rarityIn = (indexed: ReadonlyArray<IndexedTool>): { readonly rarity: Rarity; readonly forms: Set<string> } => {
  const holders = new Map<string, number>()
  for (const form of indexed.flatMap(({ weights }) => [...weights.keys()])) {
    holders.set(form, (holders.get(form) ?? 0) + 1)
  }
  const rarities = new Map(
    [...holders].map(([form, count]) => [form, Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5))])
  )
  return { rarity: (form) => rarities.get(form) ?? 0, forms: new Set(holders.keys()) }
}

interface PhraseWord {
  readonly stem: string
  readonly meanings: ReadonlyArray<string>
  readonly worth: number
}

/** A phrase as indexes into the list of all phrases' words, with the total weight of its words. */
interface IndexedPhrase {
  readonly words: ReadonlyArray<number>
  readonly worth: number
}

/** Stores each word of the phrases once, because few words make up many phrases. */
const indexPhrases = (rarity: Rarity) => {
  const words: Array<PhraseWord> = []
  const positions = new Map<string, number>()
  const positionOf = (form: WordForm): number => {
    const [stem = "", ...meanings] = form
    const key = form.join(" ")
    const position = positions.get(key) ?? words.push({ stem, meanings, worth: rarity(stem) }) - 1
    positions.set(key, position)
    return position
  }
  const indexPhrase = (phrase: ReadonlyArray<WordForm>): IndexedPhrase => ({
    words: phrase.map(positionOf),
    worth: sum(phrase.map(([stem = ""]) => rarity(stem)))
  })
  return { words, indexPhrase }
}

/** Returns the share of each phrase word's weight that a query gets: all for the word itself, less for a synonym. */
const worthToWish = (wishForms: ReadonlySet<string>, words: ReadonlyArray<PhraseWord>): ReadonlyArray<number> =>
  words.map(({ stem, meanings, worth }) => {
    if (wishForms.has(stem)) return worth
    return meanings.some((meaning) => wishForms.has(meaning)) ? worth * synonymShare : 0
  })

/** The overlap of a wish and a phrase, from 0 to 1. */
const nearness = (worths: ReadonlyArray<number>, wishWorth: number, phrases: ReadonlyArray<IndexedPhrase>): number => {
  if (wishWorth === 0) return 0
  let best = 0
  for (const { words, worth } of phrases) {
    let common = 0
    for (const word of words) common += worths[word] ?? 0
    best = Math.max(best, (2 * common) / (wishWorth + worth))
  }
  return best
}

/** The factor on the score for tools of each kind. */
const kindShareFor = (wishForms: ReadonlySet<string>): ((kind: Kind) => number) => {
  const asksForChange = [...wishForms].some((form) => changeMeanings.has(form))
  const asksForView = [...wishForms].some((form) => viewMeanings.has(form))
  if (asksForChange === asksForView) return () => 1
  return (kind) => (asksForChange === (kind !== "read") ? 1 : otherKindShare)
}

/** Returns the share of the tool name's words that the query contains. */
const nameShare = ({ nameWords }: IndexedTool, wishForms: ReadonlySet<string>): number =>
  nameWords.filter((forms) => forms.some((form) => wishForms.has(form))).length / Math.max(nameWords.length, 1)

const searchOver = (indexed: ReadonlyArray<IndexedTool>, { makeWishForms }: WordForms): ToolSearch => {
  const averageLength = sum(indexed.map(({ length }) => length)) / Math.max(indexed.length, 1)
  const { forms, rarity } = rarityIn(indexed)
  const wishFormsOf = makeWishForms(new Set([...forms].filter(isStem)))
  const { indexPhrase, words: phraseWords } = indexPhrases(rarity)
  const phrasesOf = new Map(indexed.map((entry) => [entry, entry.phrases.map(indexPhrase)]))

  /** Returns the BM25 score of one form of a word. */
  const formScore = ({ length, weights }: IndexedTool, form: string): number => {
    const weight = weights.get(form) ?? 0
    const norm = 1 - lengthShare + (lengthShare * length) / averageLength
    return weight === 0 ? 0 : (rarity(form) * weight * (saturation + 1)) / (weight + saturation * norm)
  }

  return (query, limit, isShown) => {
    const wishWords = wishFormsOf(query)
    const wishForms = new Set(wishWords.flatMap((word) => word.forms))
    const wishWorth = sum([...wishForms].filter(isStem).map(rarity))
    const worths = worthToWish(wishForms, phraseWords)
    const kindShare = kindShareFor(wishForms)

    const scoreOf = (entry: IndexedTool): number => {
      const exact = entry.tool.name === query.trim() ? exactNameScore : 0
      // For each word, the form that matches the tool best counts.
      const wordScores = wishWords.map((word) => {
        return word.share * Math.max(0, ...word.forms.map((form) => formScore(entry, form)))
      })
      const named = nameShare(entry, wishForms)
      const near = nearness(worths, wishWorth, phrasesOf.get(entry) ?? [])
      const bonuses = nameBonus * named * named + phraseBonus * near * near
      return (exact + sum(wordScores) + bonuses) * kindShare(entry.tool.kind)
    }

    return indexed
      .filter(isShown)
      .map((entry) => ({ entry, score: scoreOf(entry) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.tool.name < b.entry.tool.name ? -1 : 1))
      .slice(0, limit)
      .map(({ entry: { group, tool } }) => ({ group, tool }))
  }
}

/**
 * Ranks the catalog's tools for a wish in Portuguese, English or Spanish. Data and index are loaded at the first
 * search, because many gateways never need them.
 */
export const makeToolSearch = (catalog: Catalog<unknown>): ToolSearch => {
  let search: ToolSearch | undefined
  const build = (): ToolSearch => {
    const data = readSearchData()
    const wordForms = makeWordForms(data)
    return searchOver(
      catalog.entries.map((entry) => indexTool(entry, wordForms, data.phrases)),
      wordForms
    )
  }
  return (query, limit, isShown) => {
    search ??= build()
    return search(query, limit, isShown)
  }
}
