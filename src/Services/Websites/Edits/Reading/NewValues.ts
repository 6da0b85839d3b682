import { type Clause, valuesOf } from "./EditClause.ts"
import { amountOf, has, isWord, type Token, type TokenKind } from "./EditTokens.ts"

/** A new value, with the old value if the wish names it. */
export interface NewValue {
  readonly next: Token
  readonly old: Token | undefined
}

const introducesOld = (tokens: ReadonlyArray<Token>, value: Token): boolean => {
  const at = tokens.indexOf(value)
  return tokens.slice(Math.max(0, at - 3), at).some((token) => isWord(token) && has(token, "oldmark", "negation"))
}

const introducesNew = (tokens: ReadonlyArray<Token>, from: Token, to: Token): boolean => {
  const between = tokens.slice(tokens.indexOf(from) + 1, tokens.indexOf(to))
  return between.some(
    (token) => token.text === "→" || token.text === ">" || (isWord(token) && has(token, "valuemark", "now"))
  )
}

/**
 * The one new value of a clause. Undefined if there is none or more than one. Of two values, one must be the old one:
 * "from 35 to 40", "40 instead of 35", "12 hours rather than 10".
 */
export const newValueOf = (clause: Clause, ...kinds: ReadonlyArray<TokenKind>): NewValue | undefined => {
  const values = valuesOf(clause, ...kinds)
  const [first, second, ...more] = values
  if (first === undefined || more.length > 0) return undefined
  const { tokens } = clause
  if (second === undefined) {
    const at = tokens.indexOf(first)
    const before = tokens.slice(Math.max(0, at - 2), at)
    const isOldAlone = before.some(({ word }) => ["instead", "rather", "vez", "lugar", "not", "nao"].includes(word))
    return isOldAlone ? undefined : { next: first, old: undefined }
  }
  const isFirstOld = introducesOld(tokens, first) && introducesNew(tokens, first, second)
  const isSecondOld = introducesOld(tokens, second) && !introducesNew(tokens, first, second)
  if (isSecondOld && !isFirstOld) return { next: first, old: second }
  return introducesNew(tokens, first, second) && !isSecondOld ? { next: second, old: first } : undefined
}

const digitsOf = (text: string): string => /\d+(?:[.,]\d+)*/.exec(text)?.[0] ?? ""

const currencyOf = (text: string): string => text.replace(/[\d.,\s]+/g, "").toLowerCase()

/** Formats the new number like the old one: "17" becomes "17,00" if the old one was "16,00". */
const writtenAs = (old: string, next: string): string => {
  const [oldDigits, newDigits] = [digitsOf(old), digitsOf(next)]
  const cents = /[.,]\d{2}$/.exec(oldDigits)?.[0].charAt(0)
  if (cents === undefined) return newDigits
  const hasCents = /[.,]\d{1,2}$/.exec(newDigits)?.[0]
  if (hasCents === undefined) return `${newDigits}${cents}00`
  return `${newDigits.slice(0, -hasCents.length)}${cents}${hasCents.slice(1).padEnd(2, "0")}`
}

/** Replaces the amount in a text. Undefined if the text does not have exactly one number. */
export const withAmount = (old: string, next: string): string | undefined => {
  const numbers = [...old.matchAll(/\d+(?:[.,]\d+)*/g)]
  const [number] = numbers
  if (number === undefined || numbers.length > 1) return undefined
  const [was, is] = [
    currencyOf(/(?:R\$|US\$|S\/|€|£|\$)/i.exec(old)?.[0] ?? ""),
    currencyOf(/(?:R\$|US\$|S\/|€|£|\$)/i.exec(next)?.[0] ?? "")
  ]
  // A change of currency is a new price, which the owner must write in full.
  if (was !== "" && is !== "" && was !== is) return undefined
  return old.slice(0, number.index) + writtenAs(old, next) + old.slice(number.index + number[0].length)
}

/** True if both texts write the same amount. */
export const sameAmount = (one: string, other: string): boolean => {
  const [first, second] = [amountOf(one), amountOf(other)]
  return first !== undefined && first === second
}
