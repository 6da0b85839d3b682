import { type Language, writtenLanguage } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import type { Passage } from "./Passages.ts"

/** The language and the words of a passage, for PostgreSQL's text search. */
export interface PassageWords {
  /** Null if the text is too short to detect it. It is then indexed in all languages. */
  readonly language: Language | null
  /** Each word once, with and without accents, because questions may omit them. */
  readonly folded: string
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const beyondAscii = /[^\p{ASCII}]/u

/** `title` is the document's. Each of its passages is found by it. */
export const passageWords = (title: string, { body, heading }: Passage): PassageWords => ({
  language: writtenLanguage(body) ?? null,
  folded: [...new Set(`${title} ${heading} ${body}`.match(word) ?? [])]
    .filter((one) => beyondAscii.test(one))
    .map(fold)
    .join(" ")
})
