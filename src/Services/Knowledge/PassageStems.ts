import { type Language, writtenLanguage } from "../Text/Language.ts"
import { fold } from "../Text/PlainText.ts"
import type { Passage } from "./Passages.ts"

/** What the database is told of a passage's words, so that it does not have to find out by itself. */
export interface PassageWords {
  /** Null where it says too little to tell: it is read in all languages then. */
  readonly language: Language | null
  /** Its words with accents, without them, each once: who asks may leave them out. */
  readonly folded: string
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const beyondAscii = /[^\p{ASCII}]/u

/** `title` is the document's, which is found with each of its passages. */
export const passageWords = (title: string, { body, heading }: Passage): PassageWords => ({
  language: writtenLanguage(body) ?? null,
  folded: [...new Set(`${title} ${heading} ${body}`.match(word) ?? [])]
    .filter((one) => beyondAscii.test(one))
    .map(fold)
    .join(" ")
})
