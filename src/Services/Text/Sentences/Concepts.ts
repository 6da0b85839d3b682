import { readFileSync } from "node:fs"
import type { Language } from "../Language.ts"

/**
 * A thesaurus of business correspondence: which words and short phrases of the three languages mean the same thing. A
 * classifier that has seen "desmarcar" then knows "call off" too.
 */
export interface Concepts {
  /** The concepts that a phrase of folded words means, in a language; none for words that are not listed. */
  readonly of: (phrase: string, language: Language) => ReadonlyArray<string>
  /** The longest phrase, in words. */
  readonly longestPhrase: number
}

const columns: ReadonlyArray<Language> = ["pt-BR", "en", "es"]

const tables = (text: string): Concepts => {
  const byLanguage: { readonly [L in Language]: Map<string, Array<string>> } = {
    "pt-BR": new Map(),
    en: new Map(),
    es: new Map()
  }
  let longestPhrase = 1
  for (const line of text.split("\n")) {
    const [name, ...forms] = line.split("\t")
    if (name === undefined || name === "") continue
    for (const [index, list] of forms.entries()) {
      const language = columns[index]
      if (language === undefined) continue
      for (const form of list.split(",")) {
        const names = byLanguage[language].get(form)
        if (names === undefined) byLanguage[language].set(form, [name])
        else if (!names.includes(name)) names.push(name)
        longestPhrase = Math.max(longestPhrase, form.split(" ").length)
      }
    }
  }
  return { of: (phrase, language) => byLanguage[language].get(phrase) ?? [], longestPhrase }
}

let loaded: Concepts | undefined

/** The thesaurus next to this file; read when the first sentence is. */
export const concepts = (): Concepts => {
  loaded ??= tables(readFileSync(new URL("./concepts.tsv", import.meta.url), "utf8"))
  return loaded
}
