/** A number's source text. It is kept as text, so that no digit is lost before the parameter's type is known. */
export class NumberLiteral {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** An object or list instead of a scalar. */
export class NestedValue {
  readonly shape: "object" | "list"
  constructor(shape: "object" | "list") {
    this.shape = shape
  }
}

/** An argument as it was sent, before it is converted. A query string only has strings. */
export type RawValue = string | boolean | null | NumberLiteral | NestedValue
export type RawArguments = ReadonlyMap<string, RawValue>

export type ArgumentType = "string" | "integer" | "number" | "boolean"

/** The value cannot be converted to the parameter's type, so the request never reaches the tool (400). */
export interface Mismatch {
  readonly _tag: "Mismatch"
  readonly expected: string
  readonly detail: string
}

export interface Accepted<out A> {
  readonly _tag: "Accepted"
  readonly value: A
}

export const accepted = <A>(value: A): Accepted<A> => ({ _tag: "Accepted", value })
/** `expected` completes the sentence "must be …". */
export const mismatch = (expected: string, detail: string): Mismatch => ({ _tag: "Mismatch", expected, detail })

/** Characters. Longer than any accepted number, and short enough for regular expressions that backtrack. */
const longestNumber = 400

const tooLongNumber = (expected: string): Mismatch =>
  mismatch(expected, `It has more than ${longestNumber} characters, which no number needs.`)

const integerText = /^-?(?:0|[1-9][0-9]*)$/
const decimalText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

const shapeOf = (raw: RawValue): string => {
  if (raw === null) return "null"
  if (raw instanceof NestedValue) return raw.shape === "object" ? "an object" : "a list"
  if (raw instanceof NumberLiteral) return "a number"
  return typeof raw === "boolean" ? "a boolean" : "text"
}

const wrongShape = (expected: string, raw: RawValue): Mismatch =>
  mismatch(
    expected,
    raw === null
      ? "null is accepted only for optional parameters without a default; leave the parameter out instead."
      : `It was given as ${shapeOf(raw)}${raw instanceof NestedValue ? "; every parameter is a single value" : ""}.`
  )

export const convertString = (raw: RawValue): Accepted<string> | Mismatch => {
  if (typeof raw === "string") {
    if (raw.includes("\u0000")) return mismatch("text", "The character U+0000 cannot be stored; remove it.")
    if (!raw.isWellFormed()) return mismatch("text", "It contains half of a surrogate pair, which is not a character.")
    return accepted(raw)
  }
  if (raw instanceof NumberLiteral) return accepted(raw.source)
  if (typeof raw === "boolean") return accepted(raw ? "true" : "false")
  return wrongShape("text", raw)
}

const numericSource = (raw: RawValue): string | undefined =>
  raw instanceof NumberLiteral ? raw.source : typeof raw === "string" ? raw : undefined

const numericDetail = (source: string): string => {
  if (source.trim() === "") return "The value is empty; leave the parameter out to apply its default."
  if (source !== source.trim()) return "Remove the white space around the number."
  if (/^-?[0-9]+(?:[.,][0-9]+)+$/.test(source)) {
    return "The decimal separator is a point, and there is no thousands separator: write 1.5, not 1,5."
  }
  if (source.startsWith("+")) return "Leave out the plus sign."
  if (/^-?0[0-9]/.test(source)) return "Leave out leading zeros."
  if (/^-?[0-9.]+[eE]/.test(source)) return "Write the number out, without an exponent."
  if (/^-?(?:\.[0-9]+|[0-9]+\.)$/.test(source)) return "Write a digit on both sides of the decimal point."
  return "Write it in decimal digits only."
}

const integerDetail = (source: string): string => {
  if (source === "-0") return "Zero has no sign: send 0."
  return decimalText.test(source) ? "A fraction is never cut off: send a whole number." : numericDetail(source)
}

const convertInteger =
  (expected: string, minimum: number, maximum: number) =>
  (raw: RawValue): Accepted<number> | Mismatch => {
    const source = numericSource(raw)
    if (source === undefined) return wrongShape(expected, raw)
    if (source.length > longestNumber) return tooLongNumber(expected)
    if (!integerText.test(source) || source === "-0") return mismatch(expected, integerDetail(source))
    const value = Number(source)
    return value >= minimum && value <= maximum
      ? accepted(value)
      : mismatch(expected, `It must lie between ${minimum} and ${maximum}.`)
  }

/** Converts to an integer for columns of type `integer`. */
export const convertInt32 = convertInteger("a 32-bit integer", -2_147_483_648, 2_147_483_647)
/** Converts to an integer for columns of type `bigint`, limited to what a JSON number represents exactly. */
export const convertInt53 = convertInteger("an integer", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** A decimal's digits without sign, point, exponent and outer zeros. They show whether a conversion lost precision. */
const significantDigits = (text: string): string =>
  text.replace(/e.*$/, "").replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "")

/** A shorter number never has more digits than a 64-bit floating point number can represent. */
const certainlyKept = 16

const isKept = (source: string, value: number): boolean =>
  source.length < certainlyKept ||
  (Number.isFinite(value) && significantDigits(String(value)) === significantDigits(source))

export const convertNumber = (raw: RawValue): Accepted<number> | Mismatch => {
  const source = numericSource(raw)
  if (source === undefined) return wrongShape("a number", raw)
  if (source.length > longestNumber) return tooLongNumber("a number")
  if (!decimalText.test(source)) return mismatch("a number", numericDetail(source))
  const value = Number(source)
  if (!isKept(source, value)) {
    return mismatch("a number", "It has more digits than a 64-bit floating point number keeps.")
  }
  // Negative zero would be shown without its sign, so it becomes zero.
  return accepted(value === 0 ? 0 : value)
}

const booleanDetail = 'Send true, false, "true", "false", 1, 0, "1" or "0".'

export const convertBoolean = (raw: RawValue): Accepted<boolean> | Mismatch => {
  if (typeof raw === "boolean") return accepted(raw)
  switch (numericSource(raw)) {
    case "true":
    case "1":
      return accepted(true)
    case "false":
    case "0":
      return accepted(false)
    case undefined:
      return wrongShape("a boolean", raw)
    default:
      return mismatch("a boolean", booleanDetail)
  }
}
