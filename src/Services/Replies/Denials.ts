import { fold } from "../Text/PlainText.ts"
import type { ReadSentence } from "./Clauses.ts"

/** What a plain "no" denies: the time before it, or the words next to it. */

/** Words with which an answer denies the question before it: "8:30 on Monday? Nope". Folded, all three languages. */
const denials: ReadonlySet<string> = new Set(["no", "nope", "nah", "nao", "nop", "nel", "neh", "nunca", "imposible"])

/** "No no, don't take me off": a bare no is about the words next to it. */
export const isBareNo = (text: string): boolean => {
  const words = fold(text).match(/\p{L}+/gu) ?? []
  return words.length > 0 && words.every((word) => denials.has(word))
}

/** A time that is only repeated to be denied has few other words. */
const mostEchoed = 6

export const isEcho = ({ isQuestion, text }: ReadSentence): boolean =>
  isQuestion && (text.match(/\S+/g) ?? []).length <= mostEchoed

export const isDenial = ({ text }: ReadSentence): boolean => denials.has(fold(text).match(/\p{L}+/u)?.[0] ?? "")
