import { isInBrl } from "../../../Services/Crm/CrmRules.ts"
import { verbatimLines } from "../../../Services/Text/Web/Html.ts"
import { numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import type { ClosedDeal } from "./CrmAdapter.ts"

export { at, listAt, numberAt, textAt } from "../../Platform/AnswerPaths.ts"

/** Returns the members that are non-empty texts. */
export const present = (fields: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]]))
  )

export const sameText = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Returns the CRM's own fields among these, by their keys. */
export const ownFields = (fields: { readonly [name: string]: string }): { readonly [key: string]: string } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (name.startsWith("=") ? [[name.slice(1), value]] : []))
  )

/** Returns the values that a record has for these keys. */
export const ownNamed = (
  keys: ReadonlyArray<string>,
  valueOf: (key: string) => string
): { readonly [name: string]: string } => present(Object.fromEntries(keys.map((key) => [`=${key}`, valueOf(key)])))

/** Returns the digits of a phone number. */
export const digitsOf = (phone: string): string => phone.replace(/\D/g, "")

/** Returns the lowest id of the rows. The id of the first user identifies an account if nothing else does. */
export const lowestId = (rows: ReadonlyArray<unknown>, member = "id"): string => {
  const ids = rows.flatMap((row) => numberAt(row, member) ?? [])
  return ids.length === 0 ? "" : `${Math.min(...ids)}`
}

interface DealEnd {
  readonly id: string
  readonly reason?: string
  readonly value: number | undefined
  /** The deal's currency. Undefined if the CRM has no currencies, and empty if the deal names none. */
  readonly currency?: string | undefined
}

/** The note on a value that is not in reais, or may not be. */
const noteOfValue = (value: number, currency: string): string =>
  `Value: ${value} ${currency === "" ? "in a currency that the CRM does not name" : currency}.`

/**
 * Returns how a deal ended; nothing for an open one. A value in another currency, or in one that the CRM does not name,
 * is left out and mentioned in the reason.
 */
export const closedDeal = (
  outcome: ClosedDeal["outcome"] | "open",
  { currency, id, reason = "", value }: DealEnd
): ReadonlyArray<ClosedDeal> => {
  if (outcome === "open") return []
  const isBrl = isInBrl(currency)
  const isNoted = currency !== undefined && !isBrl && outcome === "won" && value !== undefined && value > 0
  const reasons = [...(reason === "" ? [] : [reason]), ...(isNoted ? [noteOfValue(value, currency)] : [])]
  return [
    { id, outcome, reason: reasons.length === 0 ? undefined : reasons.join(" "), value: isBrl ? value : undefined }
  ]
}

/** Returns the entry whose text equals the reason, ignoring case. No other entry is used instead. */
export const namedReason = (reasons: ReadonlyArray<unknown>, member: string, reason: string | undefined): unknown =>
  reason === undefined ? undefined : reasons.find((each) => sameText(textAt(each, member), reason))

/** Returns a note for a CRM that accepts HTML. The lead's text is escaped, and its line breaks stay. */
export const htmlNote = (text: string): string => verbatimLines(text).markup
