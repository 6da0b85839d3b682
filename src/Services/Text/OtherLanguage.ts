import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { fold } from "./PlainText.ts"

/**
 * Detects languages other than Portuguese, English and Spanish. A language detector alone misreads two in a hundred
 * short replies in these three as Catalan, Italian or French. So the share of their most frequent words is checked
 * first, and most texts never reach the detector.
 */

interface LanguageWords {
  /** The most frequent words of each of the three languages. */
  readonly common: ReadonlyArray<ReadonlySet<string>>
  /** For each language, words that occur in no related language. */
  readonly telling: ReadonlyMap<string, ReadonlySet<string>>
}

let languageWords: LanguageWords | undefined

const readWords = (): LanguageWords => {
  const lines = readFileSync(new URL("./Languages/languageWords.tsv", import.meta.url), "utf8").split("\n")
  const rows = lines.map((line) => line.split("\t"))
  const wordsOf = (row: ReadonlyArray<string>): ReadonlySet<string> => new Set(row[2]?.split(" "))
  return {
    common: rows.filter(([kind]) => kind === "common").map(wordsOf),
    telling: new Map(rows.filter(([kind]) => kind === "telling").map((row) => [row[1] ?? "", wordsOf(row)]))
  }
}

const loadWords = (): LanguageWords => {
  languageWords ??= readWords()
  return languageWords
}

/** The used part of the library `eld`. */
interface Detector {
  readonly detect: (text: string) => { readonly getScores: () => Readonly<Record<string, number>> }
}

let detector: Detector | undefined

const isDetector = (value: unknown): value is Detector =>
  typeof value === "object" && value !== null && "detect" in value && typeof value.detect === "function"

/** Loaded by its file path, because the package only exports an entry for asynchronous imports. */
const loadDetector = (): Detector => {
  const require = createRequire(import.meta.url)
  const name = "eld/src/entries/static.extrasmall.js"
  const file = require.resolve
    .paths(name)
    ?.map((folder) => path.join(folder, name))
    .find(existsSync)
  const loaded: unknown = file === undefined ? undefined : require(file)
  const library = typeof loaded === "object" && loaded !== null && "eld" in loaded ? loaded.eld : undefined
  if (!isDetector(library)) throw new Error("The language detector is not installed.")
  return library
}

/** Languages that the detector mistakes slang of the three for, and that hardly any prospect writes. */
const unlikelyLanguages: ReadonlySet<string> = new Set(["tl", "ms", "yo", "ku"])

interface Detection {
  readonly language: string
  /** The difference to the best score of the three languages. The detector's scores are from 0 to 1. */
  readonly lead: number
}

/** The highest-scoring language other than the three. */
const detect = (text: string): Detection | undefined => {
  detector ??= loadDetector()
  let language: string | undefined
  let score = 0
  let scoreOfThree = 0
  for (const [code, value] of Object.entries(detector.detect(text).getScores())) {
    if (code === "pt" || code === "en" || code === "es") scoreOfThree = Math.max(scoreOfThree, value)
    else if (value > score && !unlikelyLanguages.has(code)) [language, score] = [code, value]
  }
  return language === undefined ? undefined : { language, lead: score - scoreOfThree }
}

/** The detector only reads this many characters. */
const longestSample = 1000
const fewestWords = 4
/** Names and titles begin in upper case. A text with fewer other words may only be a signature. */
const fewestPlainWords = 3
const fewestLettersOfOtherScript = 6
const leastLead = 0.02
/** Slang in a short text resembles many languages. */
const leastLeadOfShort = 0.1
const longerWords = 6
const largestCommonShare = 0.45
const largestShareOfRelated = 0.75
const fewestTellingWords = 2

/** Languages so similar to Portuguese and Spanish that only distinctive words can decide. */
const relatedLanguages: ReadonlySet<string> = new Set(["gl", "ca"])

const addresses = /\S*[@/]\S*|www\.\S+/g

const countOf = (words: ReadonlyArray<string>, list: ReadonlySet<string>): number =>
  words.filter((word) => list.has(word)).length

const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/\p{L}+/gu) ?? []

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The language with the most distinctive words, if there are enough different ones. */
const languageByTellingWords = (words: ReadonlyArray<string>, share: number): string | undefined => {
  const different = [...new Set(words)]
  let best: string | undefined
  let most = fewestTellingWords - 1
  for (const [language, list] of loadWords().telling) {
    const count = countOf(different, list)
    if (count <= most) continue
    if (share >= (relatedLanguages.has(language) ? largestShareOfRelated : largestCommonShare)) continue
    ;[best, most] = [language, count]
  }
  return best
}

/** The words that are not names. In a text without lower case, capitals do not mark names. */
const plainWordsOf = (sample: string, spelledWords: ReadonlyArray<string>): number =>
  /\p{Ll}/u.test(sample)
    ? spelledWords.filter((word) => !/^\p{Lu}/u.test(word)).length
    : Math.floor(spelledWords.length / 2)

/** The language of a text in Latin letters. */
const languageOfLatin = (sample: string, spelledWords: ReadonlyArray<string>): string | undefined => {
  const words = wordsOf(sample)
  const longWords = words.filter((word) => word.length > 1).length
  if (longWords < fewestWords || plainWordsOf(sample, spelledWords) < fewestPlainWords) return undefined
  const share = Math.max(...loadWords().common.map((list) => countOf(words, list))) / words.length
  if (share >= largestShareOfRelated) return undefined
  const byWords = languageByTellingWords(words, share)
  if (byWords !== undefined || share >= largestCommonShare) return byWords
  const detection = detect(spelledWords.join(" "))
  const lead = longWords < longerWords ? leastLeadOfShort : leastLead
  return detection !== undefined && detection.lead > lead ? detection.language : undefined
}

/**
 * The language (ISO 639-1) of a text that is certainly not Portuguese, English or Spanish. Undefined for a text in one
 * of these, and for one that is too short.
 */
export const otherLanguageOf = (text: string): string | undefined => {
  const sample = text.slice(0, longestSample).replace(addresses, " ")
  const latinLetters = countMatches(sample, /\p{Script=Latin}/gu)
  const otherLetters = countMatches(sample, /\p{L}/gu) - latinLetters
  const spelledWords = sample.match(/[\p{L}\p{M}'’]+/gu) ?? []
  if (otherLetters <= latinLetters) return languageOfLatin(sample, spelledWords)
  if (otherLetters < fewestLettersOfOtherScript) return undefined
  return languageByTellingWords(wordsOf(sample), 0) ?? detect(spelledWords.join(" "))?.language
}
