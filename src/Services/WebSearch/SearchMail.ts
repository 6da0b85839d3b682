import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

const texts: {
  readonly [L in Language]: { readonly subject: (query: string) => string; readonly begin: (query: string) => string }
} = {
  "pt-BR": {
    subject: (query) => `Pesquisa: ${query}`,
    begin: (query) => `Resultado da pesquisa “${query}”:`
  },
  en: { subject: (query) => `Search: ${query}`, begin: (query) => `Result of the search “${query}”:` },
  es: { subject: (query) => `Búsqueda: ${query}`, begin: (query) => `Resultado de la búsqueda “${query}”:` }
}

const longestSubject = 100

/** The answer as plain text: readable Markdown without its escapes. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\\([\\`*_[\]<>#|~])/g, "$1")
    .replace(/^## /gm, "")
    .replace(/^(\d+)\\([.)])/gm, "$1$2")

/** The message with a search's answer. */
export const searchMail = (query: string, result: string, language: Language) => {
  const line = tidyText(query).replace(/\s+/g, " ").trim()
  const { begin, subject } = texts[language]
  return { subject: subject(clip(line, longestSubject)), text: `${begin(clip(line, 500))}\n\n${plainOf(result)}` }
}
