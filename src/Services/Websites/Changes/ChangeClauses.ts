import { clip, fold } from "../../Text/PlainText.ts"
import { sentencesIn } from "../Material/MaterialText.ts"
import { adds, quotesIn, removes, swaps } from "./ChangeWords.ts"

/** A wish of a prompt. */
export interface Clause {
  readonly text: string
  /** Whether a new text in it may as well be the next wish. */
  readonly isAmbiguous: boolean
  /** Whether it says what is not to be done. */
  readonly isGuard: boolean
  /** Whether it follows another one in its paragraph, so that "it" may be what that one is of. */
  readonly isFollowing: boolean
  /** The sentence that it is part of. */
  readonly sentence: string
}

const mostClauses = 20
const longestClause = 2000

// "The coffee now costs R$ 8" speaks for itself, whatever the sentence before it adds.
const costs = /\b(?:agora|now|ahora|custa|custam|costs?|cuestan?|passam? a|pasan? a|sai por|fica por|sale a)\b/
const sum = /[$€£]\s?\d/
const tellsPrice = (folded: string): boolean => costs.test(folded) && sum.test(folded)

const otherOrders =
  /^(?:mov|renom|renam|deix|torn[ae]|make|haz\b|haga|deja|quero|queremos|use\b|usa\b|poe\b|pon\b|bota\b|pinta|publi|traduz|translat|traduc|saca\b|sacá|aument|diminu|inverta|swap)/

const startsOrder = (text: string): boolean => {
  const folded = fold(text)
  return [adds, removes, swaps, otherOrders].some((verbs) => verbs.test(folded)) || negated.test(folded)
}

const negated =
  /^(?:por favor,? |please,? )?(?:(?:nao|don't|do not|never|nunca)\s(?!ya\b)\p{L}{3,}|no\s\p{L}+(?:es|as|en|an|ies|is)\b|(?:sem|sin)\s\p{L}{2,}[aei]r\b|without\s\p{L}{3,}ing\b)/u

/** Whether the clause says what is to stay as it is. */
export const isGuard = (text: string): boolean => {
  const folded = fold(text)
  // "Não fazemos mais …" says something of the business, and asks for nothing.
  return (
    negated.test(folded) &&
    !/^(?:por favor,? )?(?:nao|no|don't|do not)\s\p{L}+(?:mos|amos|emos|imos)\b/u.test(folded) &&
    !/^no\s(?:longer|more)\b/.test(folded)
  )
}

const joints =
  /(?:[,;]\s+|\s)(?:(?:e|y|and|mas|pero|but|porem|só|so|solo|sólo|apenas|somente|solamente|just|only)\s+(?:tambem |tambien |also |depois |luego |then )?)?/g

// Of these the new text has no end but the sentence's, unless it is in quotation marks.
const freeTexts =
  /\b(?:titulo|title|heading|headline|texto|text|frase|slogan|subtitulo|subtitle|titular)\b.*\s(?:para|por|to|a|with|as|como)\s/

const isFreeText = (wish: string): boolean => {
  const folded = fold(wish)
  return freeTexts.test(folded) && quotesIn(wish).length === 0 && !removes.test(folded) && !isGuard(wish)
}

/** Where a sentence begins its next order; positions outside quotation marks alone. */
const seamsIn = (sentence: string): ReadonlyArray<readonly [end: number, start: number]> => {
  const seams: Array<readonly [number, number]> = []
  for (const match of sentence.matchAll(joints)) {
    const [joint] = match
    const start = match.index + joint.length
    const before = sentence.slice(0, match.index)
    const isQuoted = (before.match(/[“"«]/g) ?? []).length !== (before.match(/[”"»]/g) ?? []).length
    const isJoined =
      /[,;]|\p{L}/u.test(joint.trim()) || /^(?:sem|sin|without|nao|don't|do not)\s/.test(fold(sentence.slice(start)))
    if (before.trim() !== "" && !isQuoted && isJoined && startsOrder(sentence.slice(start)))
      seams.push([match.index, start])
  }
  return seams
}

const wishesIn = (sentence: string): ReadonlyArray<Omit<Clause, "isFollowing" | "sentence">> => {
  const whole = (text: string, isAmbiguous = false) => ({ text, isAmbiguous, isGuard: isGuard(text) })
  // What is added after a colon is a text, whatever verbs it has.
  if (sentence.includes("\n") || (sentence.includes(": ") && !isGuard(sentence))) return [whole(sentence)]
  const seams = seamsIn(sentence)
  if (seams.length === 0) return [whole(sentence)]
  const [firstEnd = 0] = seams[0] ?? []
  if (isFreeText(sentence.slice(0, firstEnd))) return [whole(sentence, true)]
  const parts: Array<Omit<Clause, "isFollowing" | "sentence">> = []
  let from = 0
  for (const [end, start] of seams) {
    if (end < from) continue
    parts.push(whole(sentence.slice(from, end).trim()))
    from = start
  }
  return [...parts, whole(sentence.slice(from).trim())].filter(({ text }) => text !== "")
}

/**
 * The wishes of a prompt, each of which is read by itself, in their order. What is added keeps the sentences of its line,
 * a question the answer behind it in its paragraph, a list its heading.
 */
export const clausesOf = (prompt: string): ReadonlyArray<Clause> => {
  const sentences: Array<string> = []
  const beginning = new Set<number>()
  for (const paragraph of prompt.split(/\n{2,}/)) {
    const lines = paragraph
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
    const isList = lines.length > 1 && lines.slice(1).every((line) => /^(?:[-*•]|\d{1,2}[.)])\s/.test(line))
    beginning.add(sentences.length)
    if (isList) {
      sentences.push(lines.join("\n"))
      continue
    }
    const before = sentences.length
    for (const line of lines) {
      let isSameLine = false
      for (const sentence of sentencesIn(line)) {
        const last = sentences.length > before ? sentences.at(-1) : undefined
        const isMore = isSameLine && !startsOrder(sentence) && !tellsPrice(fold(sentence))
        const continues =
          (isMore && last?.includes(": ") === true && adds.test(fold(last))) ||
          (last?.endsWith("?") === true && !startsOrder(sentence))
        if (last !== undefined && continues) sentences[sentences.length - 1] = `${last} ${sentence}`
        else sentences.push(sentence)
        isSameLine = true
      }
    }
  }
  return sentences
    .map((sentence) => clip(sentence, longestClause))
    .flatMap((sentence, index) =>
      wishesIn(sentence).map((wish, at) => ({ ...wish, sentence, isFollowing: at > 0 || !beginning.has(index) }))
    )
    .slice(0, mostClauses)
}
