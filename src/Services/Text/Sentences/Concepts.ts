import { readFileSync } from "node:fs"
import type { Language } from "../Language.ts"
import { hashOf } from "../PlainText.ts"

/**
 * A thesaurus of business correspondence, with words and short phrases of the three languages that mean the same. A
 * classifier that was trained on "desmarcar" then also understands "call off".
 */
export interface Concepts {
  /** Hashes of the concepts of a folded phrase in a language. Empty for phrases that are not listed. */
  readonly of: (phrase: string, language: Language) => ReadonlyArray<number>
  /** The number of words in the longest listed phrase that begins with the word. */
  readonly longestFrom: (word: string, language: Language) => number
}

interface Forms {
  readonly concepts: Map<string, Array<number>>
  readonly longest: Map<string, number>
}

const columns: ReadonlyArray<Language> = ["pt-BR", "en", "es"]

const noConcepts: ReadonlyArray<number> = []

const addForm = ({ concepts: byForm, longest }: Forms, form: string, concept: number): void => {
  const listed = byForm.get(form)
  if (listed === undefined) byForm.set(form, [concept])
  else if (!listed.includes(concept)) listed.push(concept)
  // Loading adds tens of thousands of forms before the first reply is read. Creating a list of words for each would
  // double the time.
  let words = 1
  for (let blank = form.indexOf(" "); blank >= 0; blank = form.indexOf(" ", blank + 1)) words++
  const first = words === 1 ? form : form.slice(0, form.indexOf(" "))
  if (words > (longest.get(first) ?? 0)) longest.set(first, words)
}

const tables = (text: string): Concepts => {
  const empty = (): Forms => ({ concepts: new Map(), longest: new Map() })
  const byLanguage: { readonly [L in Language]: Forms } = { "pt-BR": empty(), en: empty(), es: empty() }
  for (const line of text.split("\n")) {
    const [name, ...lists] = line.split("\t")
    if (name === undefined || name === "") continue
    const concept = hashOf(name)
    for (const [index, list] of lists.entries()) {
      const language = columns[index]
      if (language === undefined) continue
      for (const form of list.split(",")) addForm(byLanguage[language], form, concept)
    }
  }
  return {
    of: (phrase, language) => byLanguage[language].concepts.get(phrase) ?? noConcepts,
    longestFrom: (word, language) => byLanguage[language].longest.get(word) ?? 0
  }
}

let loaded: Concepts | undefined

/** The thesaurus file next to this one, read at the first use. */
export const concepts = (): Concepts => {
  loaded ??= tables(readFileSync(new URL("./concepts.tsv", import.meta.url), "utf8"))
  return loaded
}
