import { clip } from "../Text/PlainText.ts"
import type { Clause, ReadSentence } from "./Clauses.ts"

const longestQuestion = 500

const numbering = /^\s*(?:\(?\d{1,2}\s?[).:ºª-]|[-*•>])\s*/
const firstLetter = /^(?:[¿"'“]\s?)*\p{Ll}/u

/** The question of a sentence, without what precedes it: a greeting, a number, "two questions:". */
export const questionText = (sentence: ReadSentence, asking: Clause): string => {
  const from = sentence.text.indexOf(asking.text)
  const rest = from > 0 ? sentence.text.slice(from) : sentence.text
  const bare = clip(rest.replace(numbering, "").trim(), longestQuestion)
  return firstLetter.test(bare) ? bare.replace(/\p{Ll}/u, (letter) => letter.toUpperCase()) : bare
}
