import { sentencesIn } from "../Material/MaterialText.ts"
import type { Site } from "../Site.ts"
import { amountOf, isWord, sameWord, type Token, tokensOf, wordsOf } from "./Reading/EditTokens.ts"
import { hasRole } from "./Reading/EditWords.ts"
import { allBlocks } from "./SiteSections.ts"

/** A number, amount or time in a text of the site, with the words that identify it. */
export interface Mention {
  readonly sentence: string
  readonly token: Token
  readonly amount: number | undefined
  /** What the number counts, such as "years", or "x" in "6x". */
  readonly unit: string | undefined
  /** Words of the same part of the sentence. */
  readonly near: ReadonlyArray<string>
  /** Words of the whole sentence, of its item's name or of its question. */
  readonly far: ReadonlyArray<string>
}

/** The site's texts, each with its label: a question or the name of an item. */
const labelledTexts = (site: Site): ReadonlyArray<readonly [text: string, label: string]> =>
  allBlocks(site).flatMap(({ block }): ReadonlyArray<readonly [string, string]> => {
    switch (block._tag) {
      case "Hero":
      case "CallToAction":
      case "Prose":
        return [
          [block.title, ""],
          [block.text, block.title]
        ]
      case "Features":
        return [
          [block.text, block.title],
          ...block.items.flatMap(
            ({ text, title }): ReadonlyArray<readonly [string, string]> => [
              [title, ""],
              [text, title]
            ]
          )
        ]
      case "Steps":
        return block.items.flatMap(
          ({ text, title }): ReadonlyArray<readonly [string, string]> => [
            [title, ""],
            [text, title]
          ]
        )
      case "Prices":
        return block.items.flatMap(
          ({ includes, name, text }): ReadonlyArray<readonly [string, string]> => [
            [name, ""],
            [text, name],
            ...includes.map((each): readonly [string, string] => [each, name])
          ]
        )
      case "People":
        return block.items.flatMap(
          ({ name, role, text }): ReadonlyArray<readonly [string, string]> => [
            [role, name],
            [text, name]
          ]
        )
      case "Questions":
        return block.items.map(({ answer, question }): readonly [string, string] => [answer, question])
      case "Contact":
        return [[block.text, ""]]
      default:
        return []
    }
  })

const unitOf = (tokens: ReadonlyArray<Token>, at: number): string | undefined => {
  const [token, next] = [tokens[at], tokens[at + 1]]
  const letters = /\d(\p{L}{1,3})$/u.exec(token?.text ?? "")?.[1]
  if (letters !== undefined) return letters.toLowerCase()
  if (token?.text.endsWith("%") === true) return "%"
  const behind = next?.kind === "mark" && next.text === "-" ? tokens[at + 2] : next
  const word = behind !== undefined && isWord(behind) ? (behind.word.split("-")[0] ?? "") : ""
  return hasRole(word, "unit") ? word : undefined
}

/** The unit after a number in a wish. */
export const unitBehind = unitOf

const numbers: ReadonlySet<Token["kind"]> = new Set(["money", "number", "time"])

const mentionsIn = (sentence: string, label: string): ReadonlyArray<Mention> => {
  const tokens = tokensOf(sentence)
  // Words in brackets belong to the words before them.
  let depth = 0
  const inner = new Set<Token>()
  for (const token of tokens) {
    if (token.text === "(") depth++
    if (depth > 0) inner.add(token)
    if (token.text === ")") depth = Math.max(0, depth - 1)
  }
  const ofSentence = wordsOf(sentence)
  return tokens.flatMap((token, at): ReadonlyArray<Mention> => {
    if (!numbers.has(token.kind)) return []
    const isEdge = (each: Token): boolean =>
      !inner.has(each) &&
      ((each.kind === "mark" && !"-'".includes(each.text)) || ["e", "and", "y", "*"].includes(each.word))
    const begin = tokens.slice(0, at).findLastIndex(isEdge) + 1
    const behind = tokens.slice(at).findIndex(isEdge)
    const part = tokens.slice(begin, behind < 0 ? undefined : at + behind)
    return [
      {
        sentence,
        token,
        amount: amountOf(token.text),
        unit: unitOf(tokens, at),
        near: part.filter((each) => each !== token).map(({ word }) => word),
        far: [...ofSentence, ...wordsOf(label)]
      }
    ]
  })
}

const cache = new WeakMap<Site, ReadonlyArray<Mention>>()

/** The numbers in the site's texts. A repeated sentence is listed once. */
export const mentionsOf = (site: Site): ReadonlyArray<Mention> => {
  const cached = cache.get(site)
  if (cached !== undefined) return cached
  const sentences = new Set<string>()
  const mentions = labelledTexts(site).flatMap(([text, label]) =>
    text.split("\n").flatMap((line) =>
      sentencesIn(line).flatMap((sentence) => {
        if (sentences.has(sentence)) return []
        sentences.add(sentence)
        return mentionsIn(sentence, label)
      })
    )
  )
  cache.set(site, mentions)
  return mentions
}

/** Units with several spellings. Each row is one unit. */
const units: ReadonlyArray<ReadonlyArray<string>> = [
  ["ano", "anos", "year", "years", "yr", "yrs"],
  ["mes", "meses", "month", "months"],
  ["dia", "dias", "day", "days"],
  ["semana", "semanas", "week", "weeks"],
  ["hora", "horas", "hour", "hours", "hr", "hrs", "h"],
  ["minuto", "minutos", "minute", "minutes", "min", "mins"],
  ["pessoa", "pessoas", "person", "persons", "people", "persona", "personas"]
]

export const sameUnit = (one: string, other: string): boolean =>
  sameWord(one, other) || units.some((names) => names.includes(one) && names.includes(other))
