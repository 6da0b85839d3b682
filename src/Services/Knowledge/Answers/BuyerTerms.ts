import { readFileSync } from "node:fs"
import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { isVerb, rootOf, singular } from "./Roots.ts"

/** How important a word is in a question. */
export type TermWeight =
  /** Greetings, articles, auxiliary verbs and question words. */
  | "empty"
  /** "company", "service", "start": an answer need not contain them. */
  | "weak"
  /** A word that most passages of the account contain. */
  | "common"
  /** The point of the question. */
  | "telling"

/** A word or phrase of a text, with all of its meanings. */
export interface Term {
  readonly text: string
  /** Its root, and each topic that it means, such as `#price`. */
  readonly ids: ReadonlySet<string>
  readonly weight: TermWeight
  /** For a phrase, the roots of its content words. */
  readonly words: ReadonlyArray<string>
}

interface Matter {
  readonly id: string
  readonly weight: TermWeight
  /** The forms in the table, which distinguish "parar" from "para". */
  readonly forms: Set<string>
}

interface Vocabulary {
  /** Keyed by the words of a phrase in the singular, joined by spaces. */
  readonly matters: ReadonlyMap<string, ReadonlyArray<Matter>>
  /** Keyed by the roots of verbs. A noun such as "livro" must not match "livre". */
  readonly verbs: ReadonlyMap<string, ReadonlyArray<Matter>>
  /** Whole words and phrases that an answer need not contain. */
  readonly weakPhrases: ReadonlySet<string>
  /** Whole words, because an article and a noun can have the same root. */
  readonly emptyPhrases: ReadonlySet<string>
  /** The length of the longest phrase that begins with a word. */
  readonly phraseLengths: ReadonlyMap<string, number>
}

const longestText = 4000
const columns: ReadonlyArray<Language> = ["pt-BR", "en", "es"]
const token = /[a-z]+\d+[a-z]*|\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)*/g

/** The words and numbers of a folded text. */
const tokensOf = (folded: string): ReadonlyArray<string> => folded.match(token) ?? []

const vocabularyOf = (lines: ReadonlyArray<string>, language: Language): Vocabulary => {
  const matters = new Map<string, Array<Matter>>()
  const verbs = new Map<string, Array<Matter>>()
  const emptyPhrases = new Set<string>()
  const weakPhrases = new Set<string>()
  const phraseLengths = new Map<string, number>()
  for (const line of lines) {
    const [name = "", ...forms] = line.split("\t")
    const list = forms[columns.indexOf(language)] ?? ""
    for (const entry of list.split(",")) {
      const words = tokensOf(fold(entry))
      if (words.length === 0) continue
      const start = singular(words[0] ?? "", language)
      phraseLengths.set(start, Math.max(phraseLengths.get(start) ?? 1, words.length))
      if (name.startsWith(".")) {
        emptyPhrases.add(words.join(" "))
        continue
      }
      const isWeak = name.startsWith("~")
      if (isWeak) weakPhrases.add(words.join(" "))
      const form = words.join(" ")
      const matter = {
        id: `#${name.replace("~", "")}`,
        weight: isWeak ? "weak" : "telling",
        forms: new Set([form])
      } as const
      const enter = (map: Map<string, Array<Matter>>, key: string): void => {
        const same = map.get(key)?.find(({ id }) => id === matter.id)
        if (same === undefined) map.set(key, [...(map.get(key) ?? []), matter])
        else same.forms.add(form)
      }
      enter(matters, words.map((word) => singular(word, language)).join(" "))
      if (words.length === 1 && isVerb(form, language)) enter(verbs, rootOf(form, language))
    }
  }
  return { matters, verbs, weakPhrases, emptyPhrases, phraseLengths }
}

let loadedLines: ReadonlyArray<string> | undefined
const loaded = new Map<Language, Vocabulary>()

/** Topics that buyers ask about in three languages, from the table next to this file. It is read at the first use. */
const vocabulary = (language: Language): Vocabulary => {
  const cachedVocabulary = loaded.get(language)
  if (cachedVocabulary !== undefined) return cachedVocabulary
  loadedLines ??= readFileSync(new URL("./terms.tsv", import.meta.url), "utf8").split("\n")
  const newVocabulary = vocabularyOf(loadedLines, language)
  loaded.set(language, newVocabulary)
  return newVocabulary
}

const mattersOf = (
  key: string,
  literalText: string,
  { matters, verbs }: Vocabulary,
  language: Language
): ReadonlyArray<Matter> => {
  const listed = matters.get(key) ?? []
  const ofVerb = literalText.includes(" ") ? [] : (verbs.get(rootOf(literalText, language)) ?? [])
  return [...listed, ...ofVerb.filter(({ id }) => listed.every((matter) => matter.id !== id))]
}

/** The common form of a word: the singular of a listed noun, and the root of any other word. */
const literalOf = (word: string, { matters, verbs }: Vocabulary, language: Language): string => {
  const noun = singular(word, language)
  const root = rootOf(word, language)
  return matters.has(noun) && !verbs.has(root) ? noun : root
}

/** The words and phrases of a text in their order. The words of a phrase are not listed separately. */
export const termsOf = (text: string, language: Language): ReadonlyArray<Term> => {
  const languageWords = vocabulary(language)
  const { emptyPhrases, matters, phraseLengths, weakPhrases } = languageWords
  const clipped = text.slice(0, longestText)
  // Asterisks for emphasis may be inside a word.
  const words = tokensOf(fold(clipped).replaceAll("*", ""))
  const singulars = words.map((word) => singular(word, language))
  const terms: Array<Term> = []
  let at = 0
  while (at < words.length) {
    let length = Math.min(phraseLengths.get(singulars[at] ?? "") ?? 1, words.length - at)
    for (; length > 1; length--) {
      const isKnown =
        matters.has(singulars.slice(at, at + length).join(" ")) ||
        emptyPhrases.has(words.slice(at, at + length).join(" "))
      if (isKnown) break
    }
    const phraseText = words.slice(at, at + length).join(" ")
    const key = singulars.slice(at, at + length).join(" ")
    const isListed = emptyPhrases.has(phraseText)
    // An article and a verb can have the same root. Then only the forms of the verb itself count as the verb.
    const matchingTopics = mattersOf(key, phraseText, languageWords, language).filter(
      ({ forms }) => !isListed || forms.has(phraseText)
    )
    const isEmpty = isListed || (matchingTopics.length === 0 && /^[a-z]$/.test(phraseText))
    const isWeak =
      isEmpty ||
      weakPhrases.has(phraseText) ||
      (matchingTopics.length > 0 && matchingTopics.every(({ weight }) => weight === "weak"))
    terms.push({
      text: phraseText,
      ids: new Set([
        length === 1 ? literalOf(phraseText, languageWords, language) : key,
        ...matchingTopics.map(({ id }) => id)
      ]),
      weight: isEmpty && matchingTopics.length === 0 ? "empty" : isWeak ? "weak" : "telling",
      words:
        length === 1
          ? []
          : words
              .slice(at, at + length)
              .filter((word) => !emptyPhrases.has(word))
              .map((word) => literalOf(word, languageWords, language))
    })
    at += length
  }
  return terms
}

/** All topics of a text: those of its phrases and of the words in them. */
export const idsIn = (text: string, language: Language): ReadonlySet<string> => {
  const languageWords = vocabulary(language)
  const ids = new Set<string>()
  for (const term of termsOf(text, language)) {
    if (term.weight === "empty") continue
    for (const id of term.ids) ids.add(id)
    const [first, ...rest] = term.words
    // In a compound, only the head counts: an income tax is a tax, but a business card is not a business.
    const head = language === "en" ? (rest.at(-1) ?? first) : first
    if (head === undefined) continue
    ids.add(head)
    for (const { id } of languageWords.matters.get(head) ?? []) ids.add(id)
  }
  return ids
}
