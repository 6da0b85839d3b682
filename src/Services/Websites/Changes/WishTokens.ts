import { fold } from "../../Text/PlainText.ts"
import { stemOf } from "../../Text/WordStems.ts"
import { withoutEnd } from "../Material/MaterialText.ts"
import { joining } from "./WishWords.ts"

/** A word of a wish and where it is. */
export interface Token {
  /** Folded; "e-mail" and "email" are one word. */
  readonly word: string
  readonly start: number
  readonly end: number
}

const wordShape = /[\p{L}\d]+(?:[-'’][\p{L}\d]+)*/gu

const plain = (text: string): string => {
  const word = fold(text).replace(/'s$/, "")
  return word === "e-mail" || word === "e-mails" ? word.replace("-", "") : word
}

export const tokensOf = (text: string): ReadonlyArray<Token> =>
  [...text.matchAll(wordShape)].map((match) => ({
    word: plain(match[0]),
    start: match.index,
    end: match.index + match[0].length
  }))

export const wordsOf = (text: string): ReadonlyArray<string> => tokensOf(text).map(({ word }) => word)

/** Whether two words are one in another form. Numbers are only ever themselves. */
export const sameWord = (one: string, other: string): boolean =>
  one === other || (!/\d/.test(one) && one.length > 3 && other.length > 3 && stemOf(one) === stemOf(other))

/** The words that mean something. */
export const contentOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !joining.has(word))

/** The words that neither join others nor are among those that `explains` knows. */
export const unexplained = (words: ReadonlyArray<string>, explains: (word: string) => boolean): ReadonlyArray<string> =>
  contentOf(words).filter((word) => !explains(word))

const article =
  /^(?:o|a|os|as|um|uma|the|an|el|la|los|las|un|una|lo|do|da|de|del|of|our|my|nosso|nossa|nuestro|nuestra|meu|minha|mi|your|seu|sua)\s+/iu

/** A phrase without the article before it, and without marks around it. */
export const bare = (text: string): string => {
  const trimmed = withoutEnd(text.trim(), " .;,:!").replace(/^[\s,;:.–—-]+/, "")
  const inner = /^[“"«'‘]([^“”"«»]*)[”"»'’]$/.exec(trimmed)?.[1]
  return inner ?? trimmed.replace(article, "")
}

/** Characters that mean something in a pattern. */
const special = /[.*+?^${}()|[\]\\/]/g

/** Whether a word begins the text: what is in another word's middle is not found. */
export const boundedPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${text.replace(special, "\\$&")}(?![\\p{L}\\d])`, "gu")
