import type { Language } from "../../../Text/Language.ts"
import { clip } from "../../../Text/PlainText.ts"
import { sentencesIn } from "../../Material/MaterialText.ts"
import { acts } from "./EditClause.ts"
import { has, isWord, type Token, tokensOf } from "./EditTokens.ts"

/** A sentence or line of a prompt. Token positions refer to the whole prompt. */
export interface Sentence {
  readonly text: string
  readonly tokens: ReadonlyArray<Token>
  /** True if the sentence is in the same paragraph as the previous one. */
  readonly isFollowing: boolean
}

const longestSentence = 2000
const mostSentences = 40

const moved = (tokens: ReadonlyArray<Token>, by: number): ReadonlyArray<Token> =>
  tokens.map((token) => ({ ...token, start: token.start + by, end: token.end + by }))

const isOrder = (text: string): boolean => {
  const [first, second] = tokensOf(text.slice(0, 60)).filter(isWord)
  return [first, second].some((token) => token !== undefined && has(token, ...acts) && !has(token, "copula"))
}

/** True if a sentence continues the previous one: an answer, more of the text after a heading, another question. */
const continues = (last: string, sentence: string): boolean => {
  const tokens = tokensOf(last)
  const colon = tokens.findIndex(({ text }) => text === ":")
  const lead = tokens.slice(0, Math.max(0, colon))
  const isQuestion = tokens.some((token) => isWord(token) && has(token, "question"))
  if (isQuestion && last.endsWith("?")) return true
  if (isQuestion && colon > 0 && sentence.startsWith("/")) return true
  const isHeaded =
    lead.some((token) => isWord(token) && has(token, "section")) ||
    lead.some(({ word }) => word === "pagina" || word === "page")
  const behind = tokensOf(sentence)
  const isPrice =
    behind.some(({ kind }) => kind === "money") && behind.some((token) => isWord(token) && has(token, "now", "price"))
  return isHeaded && !isOrder(sentence) && !isPrice
}

/** Matches the beginning of a list item. */
const bullet = /^(?:[-*•]|\d{1,2}[.)])\s/

/**
 * Splits a prompt into sentences. A heading stays together with its text, a question with its answer, and a list with
 * its items.
 */
export const sentencesOf = (prompt: string): ReadonlyArray<Sentence> => {
  const sentences: Array<{ text: string; start: number; isFollowing: boolean; line: number }> = []
  let from = 0
  let isFollowing = false
  let line = 0
  for (const rawLine of prompt.split("\n")) {
    const begin = from
    from += rawLine.length + 1
    line++
    if (rawLine.trim() === "") {
      isFollowing = false
      continue
    }
    let at = begin
    for (const text of sentencesIn(rawLine)) {
      const start = prompt.indexOf(text, at)
      at = start + text.length
      const last = sentences.at(-1)
      const isList =
        last !== undefined &&
        last.line < line &&
        isFollowing &&
        bullet.test(text) &&
        (last.text.trimEnd().endsWith(":") || last.text.includes("\n"))
      if (last !== undefined && isFollowing && ((last.line === line && continues(last.text, text)) || isList)) {
        last.text = prompt.slice(last.start, at)
        last.line = line
      } else sentences.push({ text, start, isFollowing, line })
      isFollowing = true
    }
  }
  return sentences.slice(0, mostSentences).map((sentence) => {
    const text = clip(sentence.text, longestSentence)
    return { text, tokens: moved(tokensOf(text), sentence.start), isFollowing: sentence.isFollowing }
  })
}

/** True where a clause may begin: after a mark, at a joining word, at a reason, at a subject. */
const opens = (token: Token, before: Token, language: Language, next: Token | undefined): boolean => {
  // For example "Remova o cardápio sem mudar as cores".
  if (["sem", "sin", "without"].includes(token.word) && next !== undefined && has(next, "touch")) return true
  if (before.kind === "mark" && !"&'.¿¡%".includes(before.text)) return true
  if (!isWord(token)) return false
  const isReason =
    has(token, "because") && (language === "en" ? token.word !== "que" && token.word !== "q" : token.word !== "as")
  return has(token, "joint") || isReason || (has(token, "subject") && !has(before, "function", "joint"))
}

const strong = (token: Token, before: Token): boolean =>
  before.kind === "mark" || (isWord(token) && has(token, "joint"))

/** Longer sentences are split into at most this many parts, to bound the time for trying all combinations. */
const mostParts = 14

/** Splits a sentence into its smallest parts that can be clauses or belong to one. */
export const partsOf = (tokens: ReadonlyArray<Token>, language: Language): ReadonlyArray<ReadonlyArray<Token>> => {
  const seams = tokens.flatMap((token, at) => {
    const before = tokens[at - 1]
    return before !== undefined && token.kind !== "mark" && opens(token, before, language, tokens[at + 1]) ? [at] : []
  })
  const seamsUsed =
    seams.length < mostParts
      ? seams
      : seams
          .filter((at) => {
            const [token, before] = [tokens[at], tokens[at - 1]]
            return token !== undefined && before !== undefined && strong(token, before)
          })
          .slice(0, mostParts - 1)
  return [0, ...seamsUsed]
    .map((start, index) => tokens.slice(start, seamsUsed[index]))
    .filter((part) => part.length > 0)
}
