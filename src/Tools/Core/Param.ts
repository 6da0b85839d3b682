import { fromMillis, type ParsedInstant, parseInstant, type Timestamp } from "../../Services/Core/Timestamp.ts"

import {
  type Accepted,
  type ArgumentType,
  accepted,
  convertBoolean,
  convertInt32,
  convertInt53,
  convertNumber,
  convertString,
  type Mismatch,
  NumberLiteral,
  type RawValue
} from "./ArgumentCoercion.ts"

/** The reasons why a parameter refuses a value that was converted. */
export type ParameterRefusal =
  | "not_a_date"
  | "not_a_list_of_ids"
  | "out_of_range"
  | "text_empty"
  | "text_too_long"
  | "text_too_short"
  | "too_many_items"
  | "value_not_accepted"

/** The value was converted, but the tool refuses it (422). */
export interface Unacceptable {
  readonly _tag: "Unacceptable"
  readonly reason: ParameterRefusal
  readonly error: (parameter: string) => string
  readonly detail: string
  readonly acceptedValues?: ReadonlyArray<string>
}

/** The published properties of a parameter. */
export interface ParamSpec {
  readonly type: ArgumentType
  readonly description: string
  readonly required: boolean
  readonly default?: string | number | boolean
  readonly enum?: ReadonlyArray<string>
  readonly itemsEnum?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: "date" | "date-time" | "id" | "ids" | "uri"
  /** Sizes over `maximum` are lowered to it instead of refused. */
  readonly lowersToMaximum?: boolean
  /** A value outside `enum` is replaced by the default instead of refused. */
  readonly fallsBack?: boolean
  readonly refusals: ReadonlyArray<ParameterRefusal>
}

/** A scalar parameter of a tool; `A` is what the handler receives. */
export interface Param<out A> extends ParamSpec {
  readonly decode: (raw: RawValue) => Accepted<A> | Mismatch | Unacceptable
  /** The handler's value if the parameter is left out. */
  readonly absent: Accepted<A> | undefined
}

export type Fields = { readonly [name: string]: Param<unknown> }
export type Arguments<P extends Fields> = { readonly [K in keyof P]: P[K] extends Param<infer A> ? A : never }

type Decoder<A> = Param<A>["decode"]

const required = <A>(spec: Omit<ParamSpec, "required">, decode: Decoder<A>): Param<A> => ({
  ...spec,
  required: true,
  decode,
  absent: undefined
})

const defaultMaxLength = 20_000

const tooLong = (maxLength: number): Unacceptable => ({
  _tag: "Unacceptable",
  reason: "text_too_long",
  error: (parameter) => `${parameter} is longer than ${maxLength} characters.`,
  detail: `Shorten it to at most ${maxLength} characters.`
})

const tooShort = (minLength: number): Unacceptable => ({
  _tag: "Unacceptable",
  reason: minLength === 1 ? "text_empty" : "text_too_short",
  error: (parameter) =>
    minLength === 1 ? `${parameter} is empty.` : `${parameter} is shorter than ${minLength} characters.`,
  detail: minLength === 1 ? "Send at least one character that is not white space." : `Send at least ${minLength}.`
})

/**
 * True if the text has more than `maxLength` characters, counted in code points like JSON Schema and the database do.
 */
const isLonger = (value: string, maxLength: number): boolean => {
  if (value.length <= maxLength) return false
  if (value.length > 2 * maxLength) return true
  let characters = value.length
  for (let at = 0; at < value.length; at++) {
    const opensSurrogatePair = (value.charCodeAt(at) & 0xfc00) === 0xd800
    if (opensSurrogatePair) characters--
  }
  return characters > maxLength
}

interface TextOptions {
  /** Characters. By default 20 000. */
  readonly maxLength?: number
  /** The fewest characters other than blanks. With 1, a blank value is refused. */
  readonly minLength?: number
  readonly format?: "uri"
}

/** Free text, unchanged. */
export const text = (description: string, options: TextOptions = {}): Param<string> => {
  const maxLength = options.maxLength ?? defaultMaxLength
  const minLength = options.minLength ?? 0
  const tooShortReasons = minLength > 0 ? [tooShort(minLength).reason] : []
  return required(
    {
      type: "string",
      description,
      maxLength,
      ...options,
      ...(minLength > 0 ? { minLength } : {}),
      refusals: ["text_too_long", ...tooShortReasons]
    },
    (raw) => {
      const converted = convertString(raw)
      if (converted._tag === "Mismatch") return converted
      if (isLonger(converted.value, maxLength)) return tooLong(maxLength)
      if (minLength > 0 && converted.value.trim().length < minLength) return tooShort(minLength)
      return converted
    }
  )
}

const outOfRange = (minimum: number | undefined, maximum: number | undefined): Unacceptable => {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `between ${minimum} and ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : `at most ${maximum}`
  return {
    _tag: "Unacceptable",
    reason: "out_of_range",
    error: (parameter) => `${parameter} must be ${range}.`,
    detail: `Send a value ${range}.`
  }
}

interface RangeOptions {
  readonly minimum?: number
  readonly maximum?: number
}

const rangeRefusals = ({ maximum, minimum }: RangeOptions): ReadonlyArray<ParameterRefusal> =>
  minimum === undefined && maximum === undefined ? [] : ["out_of_range"]

const bounded =
  (convert: (raw: RawValue) => Accepted<number> | Mismatch, { maximum, minimum }: RangeOptions): Decoder<number> =>
  (raw) => {
    const converted = convert(raw)
    if (converted._tag === "Mismatch") return converted
    if ((minimum !== undefined && converted.value < minimum) || (maximum !== undefined && converted.value > maximum)) {
      return outOfRange(minimum, maximum)
    }
    return converted
  }

/** A 32-bit integer. Values outside of `minimum` and `maximum` are refused. */
export const integer = (description: string, range: RangeOptions = {}): Param<number> =>
  required({ type: "integer", description, ...range, refusals: rangeRefusals(range) }, bounded(convertInt32, range))

/** A cursor: a non-negative integer up to 2^53 - 1. */
export const cursor = (description: string): Param<number> =>
  required(
    { type: "integer", description, minimum: 0, refusals: ["out_of_range"] },
    bounded(convertInt53, { minimum: 0 })
  )

/** A 64-bit floating point number. A number with more digits than it can represent is refused. */
export const number = (description: string, range: RangeOptions = {}): Param<number> =>
  required({ type: "number", description, ...range, refusals: rangeRefusals(range) }, bounded(convertNumber, range))

export const boolean = (description: string): Param<boolean> =>
  required({ type: "boolean", description, refusals: [] }, convertBoolean)

/** The id of a record. Any safe integer is accepted; the tool checks whether the record exists. */
export const id = <B extends number>(schema: { readonly make: (value: number) => B }, description: string): Param<B> =>
  required({ type: "integer", description, format: "id", refusals: [] }, (raw) => {
    const converted = convertInt53(raw)
    return converted._tag === "Mismatch" ? converted : accepted(schema.make(converted.value))
  })

const notOneOf = (values: ReadonlyArray<string>): Unacceptable => ({
  _tag: "Unacceptable",
  reason: "value_not_accepted",
  error: (parameter) => `${parameter} does not take this value.`,
  detail: `Accepted values: ${values.join(", ")}.`,
  acceptedValues: values
})

/** One of a closed set of words, compared exactly. */
export const oneOf = <const V extends string>(values: ReadonlyArray<V>, description: string): Param<V> => {
  const refusal = notOneOf(values)
  return required({ type: "string", description, enum: values, refusals: ["value_not_accepted"] }, (raw) => {
    const converted = convertString(raw)
    if (converted._tag === "Mismatch") return converted
    const member = values.find((value) => value === converted.value)
    return member === undefined ? refusal : accepted(member)
  })
}

/** Like `oneOf`, but any other word silently means `fallback`. */
export const oneOfOrElse = <const V extends string>(
  values: ReadonlyArray<V>,
  fallback: NoInfer<V>,
  description: string
): Param<V> => ({
  type: "string",
  description,
  required: false,
  enum: values,
  default: fallback,
  fallsBack: true,
  refusals: [],
  absent: accepted(fallback),
  decode: (raw) => {
    const converted = convertString(raw)
    if (converted._tag === "Mismatch") return converted
    return accepted(values.find((value) => value === converted.value) ?? fallback)
  }
})

const splitItems = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

const maximumItems = 1000

const tooManyItems: Unacceptable = {
  _tag: "Unacceptable",
  reason: "too_many_items",
  error: (parameter) => `${parameter} lists more than ${maximumItems} items.`,
  detail: `Send at most ${maximumItems} items per call.`
}

const decodeItems =
  <A>(decodeItem: (item: string) => Accepted<A> | Unacceptable): Decoder<ReadonlyArray<A>> =>
  (raw) => {
    const converted = convertString(raw)
    if (converted._tag === "Mismatch") return converted
    if (isLonger(converted.value, defaultMaxLength)) return tooLong(defaultMaxLength)
    const items = splitItems(converted.value)
    if (items.length > maximumItems) return tooManyItems
    const values = new Set<A>()
    for (const item of items) {
      const decoded = decodeItem(item)
      if (decoded._tag === "Unacceptable") return decoded
      values.add(decoded.value)
    }
    return accepted([...values])
  }

const listSpec = (description: string, ...itemRefusals: ReadonlyArray<ParameterRefusal>) => ({
  type: "string" as const,
  description,
  maxLength: defaultMaxLength,
  refusals: ["text_too_long", "too_many_items", ...itemRefusals] as const
})

/** Comma-separated words of a closed set. Blanks and duplicates are removed. */
export const listOf = <const V extends string>(
  values: ReadonlyArray<V>,
  description: string
): Param<ReadonlyArray<V>> => {
  const refusal: Unacceptable = { ...notOneOf(values), error: (parameter) => `${parameter} lists an unknown item.` }
  return required(
    { ...listSpec(description, "value_not_accepted"), itemsEnum: values },
    decodeItems((item) => {
      const member = values.find((value) => value === item)
      return member === undefined ? refusal : accepted(member)
    })
  )
}

/** Comma-separated free words of at most 200 characters. Blanks and duplicates are removed. */
export const words = (description: string): Param<ReadonlyArray<string>> =>
  required(
    listSpec(description),
    decodeItems((item) => (isLonger(item, 200) ? tooLong(200) : accepted(item)))
  )

/** Comma-separated ids of records. */
export const ids = <B extends number>(
  schema: { readonly make: (value: number) => B },
  description: string
): Param<ReadonlyArray<B>> => {
  const refusal: Unacceptable = {
    _tag: "Unacceptable",
    reason: "not_a_list_of_ids",
    error: (parameter) => `${parameter} is not a comma-separated list of ids.`,
    detail: "Send whole numbers separated by commas, for example 12,15,40."
  }
  return required(
    { ...listSpec(description, "not_a_list_of_ids"), format: "ids" },
    decodeItems((item) => {
      const converted = convertInt53(item)
      return converted._tag === "Mismatch" ? refusal : accepted(schema.make(converted.value))
    })
  )
}

const notADate: Unacceptable = {
  _tag: "Unacceptable",
  reason: "not_a_date",
  error: (parameter) => `${parameter} is not a date.`,
  detail:
    "Send YYYY-MM-DD, or ISO 8601 such as 2026-03-01T09:30:00Z or 2026-03-01T09:30:00-03:00 (in a query string write + as %2B)."
}

/** The last second with a four-digit year. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59)

const dateParam = (description: string, pick: (instant: ParsedInstant) => number): Param<Timestamp> =>
  required({ type: "string", description, format: "date-time", refusals: ["not_a_date"] }, (raw) => {
    const converted = convertString(raw)
    if (converted._tag === "Mismatch") return converted
    const instant = parseInstant(converted.value)
    // 9999-12-31 often means "no end". The instant after it would have a five-digit year.
    return instant === undefined ? notADate : accepted(fromMillis(Math.min(pick(instant), lastInstant)))
  })

/** An instant. A bare date means its first second in UTC, so it can be used directly as an inclusive lower bound. */
export const instant = (description: string): Param<Timestamp> => dateParam(description, ({ millis }) => millis)

/**
 * An inclusive upper bound, passed on as the first instant after it. A bare date includes the whole day, and a time
 * includes its whole second (answers have no fractions).
 */
export const inclusiveUpperBound = (description: string): Param<Timestamp> =>
  dateParam(description, ({ millis, precision }) => millis + (precision === "day" ? 86_400_000 : 1000))

/** A calendar date, `YYYY-MM-DD`. */
export const date = (description: string): Param<string> =>
  required({ type: "string", description, format: "date", refusals: ["not_a_date"] }, (raw) => {
    const converted = convertString(raw)
    if (converted._tag === "Mismatch") return converted
    return parseInstant(converted.value)?.precision === "day"
      ? converted
      : { ...notADate, detail: "Send a calendar date as YYYY-MM-DD." }
  })

/** May be left out or null. The handler then gets `undefined`. */
export const optional = <A>(param: Param<A>): Param<A | undefined> => ({
  ...param,
  required: false,
  absent: accepted(undefined),
  decode: (raw) => (raw === null ? accepted(undefined) : param.decode(raw))
})

/** May be left out. The default is `value`, in the form that a caller would send. */
export const withDefault = <A>(param: Param<A>, value: string | number | boolean): Param<A> => {
  const decoded = param.decode(typeof value === "number" ? new NumberLiteral(String(value)) : value)
  if (decoded._tag !== "Accepted") throw new Error(`The default ${String(value)} is not a value the parameter takes.`)
  return { ...param, required: false, default: value, absent: decoded }
}

export const isNullable = (spec: ParamSpec): boolean => !spec.required && spec.default === undefined

/**
 * A number of rows. Values below 1 are refused, and those over `maximum` are lowered to it. The answer states the used
 * size.
 */
export const size = (description: string, options: { readonly default: number; readonly maximum: number }) => {
  const decode = bounded(convertInt32, { minimum: 1 })
  return withDefault(
    required(
      {
        type: "integer",
        description,
        minimum: 1,
        maximum: options.maximum,
        lowersToMaximum: true,
        refusals: ["out_of_range"]
      },
      (raw) => {
        const decoded = decode(raw)
        return decoded._tag === "Accepted" && decoded.value > options.maximum ? accepted(options.maximum) : decoded
      }
    ),
    options.default
  )
}

/** Parameters of a paged list. Pages count from 0. */
export const pages = (options: { readonly default?: number; readonly maximum?: number } = {}) => {
  const maximum = options.maximum ?? 100
  return {
    page: withDefault(integer("Which page of the list to answer; the first is 0.", { minimum: 0 }), 0),
    page_size: size(`Rows per page; more than ${maximum} is lowered to ${maximum}.`, {
      default: options.default ?? 20,
      maximum
    })
  }
}
