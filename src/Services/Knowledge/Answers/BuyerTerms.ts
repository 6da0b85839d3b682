import { readFileSync } from "node:fs"
import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { isVerb, rootOf, singular } from "./Roots.ts"

/** How much a word says of what is asked. */
export type TermWeight =
  /** Greetings, articles, auxiliaries and words that ask. */
  | "empty"
  /** "company", "service", "start": may be missing from an answer. */
  | "weak"
  /** A word of which most passages of the account speak. */
  | "common"
  /** The point of the question. */
  | "telling"

/** A word or a phrase of a text, with everything that it can mean. */
export interface Term {
  readonly text: string
  /** Its root, and `#` with the name of each matter that it stands for. */
  readonly ids: ReadonlySet<string>
  readonly weight: TermWeight
  /** Of a phrase, the roots of its words that say something. */
  readonly words: ReadonlyArray<string>
}

interface Matter {
  readonly id: string
  readonly weight: TermWeight
  /** As the table lists them, to tell "parar" from "para". */
  readonly forms: Set<string>
}

interface Vocabulary {
  /** By the words of a phrase, each without its plural, joined by blanks. */
  readonly matters: ReadonlyMap<string, ReadonlyArray<Matter>>
  /** By the roots of verbs. A noun such as "livro" must not meet "livre". */
  readonly verbs: ReadonlyMap<string, ReadonlyArray<Matter>>
  /** Whole words and phrases that may be missing from an answer. */
  readonly weakPhrases: ReadonlySet<string>
  /** Whole words, because an article and a noun can have the same root. */
  readonly emptyPhrases: ReadonlySet<string>
  /** How many words the longest phrase has that begins with a word. */
  readonly phraseLengths: ReadonlyMap<string, number>
}

const longestText = 4000
const columns: ReadonlyArray<Language> = ["pt-BR", "en", "es"]
const token = /[a-z]+\d+[a-z]*|\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)*/g

/** Words and numbers of a folded text. */
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

/** What buyers ask about in three languages, from the table next to this file. It is read when it is first needed. */
const vocabulary = (language: Language): Vocabulary => {
  const known = loaded.get(language)
  if (known !== undefined) return known
  loadedLines ??= readFileSync(new URL("./terms.tsv", import.meta.url), "utf8").split("\n")
  const made = vocabularyOf(loadedLines, language)
  loaded.set(language, made)
  return made
}

const mattersOf = (
  key: string,
  own: string,
  { matters, verbs }: Vocabulary,
  language: Language
): ReadonlyArray<Matter> => {
  const listed = matters.get(key) ?? []
  const ofVerb = own.includes(" ") ? [] : (verbs.get(rootOf(own, language)) ?? [])
  return [...listed, ...ofVerb.filter(({ id }) => listed.every((matter) => matter.id !== id))]
}

/** What the forms of a word have in common: of a listed noun its singular, of other words the root. */
const literalOf = (word: string, { matters, verbs }: Vocabulary, language: Language): string => {
  const noun = singular(word, language)
  const root = rootOf(word, language)
  return matters.has(noun) && !verbs.has(root) ? noun : root
}

/** The words and phrases of a text in their order. Of a phrase, its words are not listed again. */
export const termsOf = (text: string, language: Language): ReadonlyArray<Term> => {
  const known = vocabulary(language)
  const { emptyPhrases, matters, phraseLengths, weakPhrases } = known
  const clipped = text.slice(0, longestText)
  // Marks of emphasis may stand inside a word.
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
    const own = words.slice(at, at + length).join(" ")
    const key = singulars.slice(at, at + length).join(" ")
    const isListed = emptyPhrases.has(own)
    // An article and a verb can have the same root: then only the verb's own forms are the verb.
    const found = mattersOf(key, own, known, language).filter(({ forms }) => !isListed || forms.has(own))
    const isEmpty = isListed || (found.length === 0 && /^[a-z]$/.test(own))
    const isWeak =
      isEmpty || weakPhrases.has(own) || (found.length > 0 && found.every(({ weight }) => weight === "weak"))
    terms.push({
      text: own,
      ids: new Set([length === 1 ? literalOf(own, known, language) : key, ...found.map(({ id }) => id)]),
      weight: isEmpty && found.length === 0 ? "empty" : isWeak ? "weak" : "telling",
      words:
        length === 1
          ? []
          : words
              .slice(at, at + length)
              .filter((word) => !emptyPhrases.has(word))
              .map((word) => literalOf(word, known, language))
    })
    at += length
  }
  return terms
}

/** Everything that a text speaks of: its phrases, and the words of these phrases. */
export const idsIn = (text: string, language: Language): ReadonlySet<string> => {
  const known = vocabulary(language)
  const ids = new Set<string>()
  for (const term of termsOf(text, language)) {
    if (term.weight === "empty") continue
    for (const id of term.ids) ids.add(id)
    const [first, ...rest] = term.words
    // Of a compound, its head: an income tax is a tax, and a business card is no business.
    const head = language === "en" ? (rest.at(-1) ?? first) : first
    if (head === undefined) continue
    ids.add(head)
    for (const { id } of known.matters.get(head) ?? []) ids.add(id)
  }
  return ids
}
