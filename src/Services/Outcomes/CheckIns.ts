import type { Language } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"

const longestName = 120

const questions: { readonly [L in Language]: (name: string) => string } = {
  "pt-BR": (name) => `Como ficou a conversa com ${name}? Faz algum tempo que não há novidades.`,
  en: (name) => `What became of the conversation with ${name}? There has been no news for a while.`,
  es: (name) => `¿En qué quedó la conversación con ${name}? Hace un tiempo que no hay novedades.`
}

/** The question to the owner about a lead that was taken over and has been quiet since. */
export const checkInQuestion = (language: Language, name: string): string =>
  questions[language](clip(name, longestName))
