import { Array } from "effect"
import { distance } from "fastest-levenshtein"
import type { SearchData } from "./SearchData.ts"

/** A word in comparable forms: its stem first, then `~` with its first letters and `=` with each meaning. */
export type WordForm = ReadonlyArray<string>

/** A word of a wish in all its forms, with its weight. */
interface WishWord {
  readonly forms: WordForm
  readonly share: number
}

export interface WordForms {
  /** Returns each content word of a text. */
  readonly formsIn: (text: string) => ReadonlyArray<WordForm>
  /**
   * Returns the content words of a query. A word that neither `vocabulary` nor the list of meanings contains is treated
   * as a typing mistake for the most similar one that they do contain.
   */
  readonly makeWishForms: (vocabulary: ReadonlySet<string>) => (wish: string) => ReadonlyArray<WishWord>
}

/** True if a form is a stem, and not a meaning (`=`) or the first letters (`~`) of a word. */
export const isStem = (form: string): boolean => !form.startsWith("=") && !form.startsWith("~")

/** Words with the same beginning are usually related, even with endings that the stemmer does not know. */
const firstLetters = 4
/** A longer text may match as a prefix. A shorter one must be a whole word: "par" must not match "parceiro". */
const shortestPrefix = 4
const shortestInflectedWord = 5
/** The longest short word. Stems of short words keep at least three letters, others four. */
const longestShortWord = 6
/** The most words of a query that are used. Each unknown one is compared with the whole vocabulary. */
const mostWords = 60
/** Descriptions repeat their words, so forms are cached. */
const mostCached = 10_000
/** The weight of a corrected word, because it could be a name. */
const guessedShare = 0.6

/** The most mistyped letters in a word. */
const mistypesAllowed = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2)

const plainText =
  (phrases: ReadonlyArray<readonly [phrase: string, word: string]>) =>
  (text: string): string =>
    phrases
      .reduce(
        (plain, [phrase, word]) => plain.replace(` ${phrase} `, ` ${word} `),
        ` ${text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()} `
      )
      .trim()

/** Removes the longest ending that leaves enough of the word. */
const stemmer =
  (endings: ReadonlyArray<string>) =>
  (word: string): string => {
    if (word.length < shortestInflectedWord) return word.replace(/s$/, "")
    const shortestStem = word.length <= longestShortWord ? 3 : 4
    let stem = word
    for (const ending of endings) {
      const length = word.length - ending.length
      if (length >= shortestStem && length < stem.length && word.endsWith(ending)) stem = word.slice(0, length)
    }
    return stem
  }

type Beginning = readonly [beginning: string, meaning: string]

const meaningsOf = (beginnings: ReadonlyArray<Beginning>, stem: (word: string) => string) => {
  const byFirstLetter = Array.groupBy(beginnings, ([beginning]) => beginning.charAt(0))
  return (word: string): ReadonlyArray<string> => {
    const stemmed = stem(word)
    const matches = (beginning: string): boolean =>
      beginning.length >= shortestPrefix ? word.startsWith(beginning) : word === beginning || stemmed === beginning
    const meanings = (byFirstLetter[word.charAt(0)] ?? []).flatMap(([beginning, meaning]) =>
      matches(beginning) ? [`=${meaning}`] : []
    )
    return [...new Set(meanings)]
  }
}

/** The vocabulary's word with the fewest different letters, among the plausible corrections. */
const nearestIn =
  (vocabulary: ReadonlyArray<string>) =>
  (word: string): string | undefined => {
    const allowed = mistypesAllowed(word)
    let nearest: string | undefined
    let fewest = allowed + 1
    for (const candidate of vocabulary) {
      if (Math.abs(candidate.length - word.length) > allowed || candidate.charAt(0) !== word.charAt(0)) continue
      const differences = distance(word, candidate)
      if (differences < fewest) {
        fewest = differences
        nearest = candidate
      }
    }
    return nearest
  }

export const makeWordForms = ({ meanings, words }: Pick<SearchData, "meanings" | "words">): WordForms => {
  const stopWords = new Set(words.stopWords)
  const plain = plainText(Object.entries(words.phrasesForWords))
  const stem = stemmer(words.endings)
  const beginnings = Object.entries(meanings).flatMap(([meaning, list]) =>
    list.map((beginning): Beginning => [beginning, meaning])
  )
  const meaningsOfWord = meaningsOf(beginnings, stem)
  const cache = new Map<string, WordForm>()

  const formOf = (word: string): WordForm => {
    const cached = cache.get(word)
    if (cached !== undefined) return cached
    const stemmed = stem(word)
    const prefix = stemmed.length < firstLetters ? [] : [`~${stemmed.slice(0, firstLetters)}`]
    const form = [stemmed, ...prefix, ...meaningsOfWord(word)]
    if (cache.size < mostCached) cache.set(word, form)
    return form
  }

  const contentWords = (text: string): ReadonlyArray<string> =>
    plain(text)
      .split(/[^a-z0-9]+/)
      .filter((word) => (word.length > 1 || /\d/.test(word)) && !stopWords.has(word))
      .slice(0, mostWords)

  return {
    formsIn: (text) => contentWords(text).map(formOf),
    makeWishForms: (vocabulary) => {
      const correctWords = new Set([...vocabulary, ...beginnings.map(([beginning]) => beginning)])
      const nearest = nearestIn([...correctWords].filter(({ length }) => length >= shortestPrefix))
      return (wish) =>
        contentWords(wish).map((word) => {
          const forms = formOf(word)
          const [stemmed = ""] = forms
          if (vocabulary.has(stemmed)) return { forms, share: 1 }
          // The stem of a mistyped word can differ more from the correct stem than the words do.
          const guess = nearest(word) ?? nearest(stemmed)
          if (guess === undefined) return { forms, share: 1 }
          return { forms: [...forms, stem(guess), ...formOf(guess)], share: forms.length > 1 ? 1 : guessedShare }
        })
    }
  }
}
