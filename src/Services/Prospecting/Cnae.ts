import { getCnae } from "@brazilian-utils/brazilian-utils/get-cnae"
import codes from "./cnae-codes.json" with { type: "json" }

/** Divisions (2 digits), groups (3) and classes (5) of CNAE 2.0. The library has the subclasses (7). */
const upToClasses: ReadonlySet<string> = new Set([...Object.keys(codes.divisions), ...codes.groups, ...codes.classes])

/** Digits in groups, with at most one separator between two groups: `6201501`, `6201-5/01`, `62.01-5`. */
const writtenCode = /^\d+(?:[ ./-]\d+)*$/

/**
 * The digits of a CNAE code (division, group, class or subclass), with any punctuation. Undefined if the code does not
 * exist.
 */
export const normaliseCnae = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed.length > 20 || !writtenCode.test(trimmed)) return undefined
  const digits = trimmed.replace(/\D/g, "")
  const exists = digits.length === 7 ? getCnae(digits) !== null : upToClasses.has(digits)
  return exists ? digits : undefined
}
