/** A parameter of a tool, as the catalog describes it. Every parameter is a scalar. */
export interface Parameter {
  readonly name: string
  readonly type: "string" | "integer" | "number" | "boolean"
  readonly required: boolean
  readonly description: string
  readonly default?: string | number | boolean
  readonly enum?: ReadonlyArray<string>
  /** The values that a comma-separated list may contain. */
  readonly items_enum?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
  readonly max_length?: number
}

export type FieldKind =
  | "text"
  | "longText"
  | "integer"
  | "number"
  | "boolean"
  | "choice"
  | "choices"
  | "list"
  | "date"
  | "moment"
  | "email"
  | "address"

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  readonly help: string
  /** Values of a choice. */
  readonly options: ReadonlyArray<string>
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly maxLength: number | undefined
  readonly defaultValue: string
}

/** The person's input as texts, as form controls have them. An empty text means that the argument is left out. */
export type Draft = Readonly<Record<string, string>>

/** A text that may be this long gets a field of several lines. */
const longTextFrom = 1_000
const momentName = /_(utc|at|after|before|until)$|^next_touch_date$/
const oneOf = /(?:^|\s)One of ([\w-]+(?:, [\w-]+)+)/

const kindOf = ({ description, enum: values, items_enum, max_length = 0, name, type }: Parameter): FieldKind => {
  if (type !== "string") return type
  if (values !== undefined || oneOf.test(description)) return "choice"
  if (items_enum !== undefined) return "choices"
  if (/YYYY-MM-DD/.test(description)) return "date"
  if (momentName.test(name)) return "moment"
  if (/(^|_)url$/.test(name)) return "address"
  if (/separated by commas|comma-separated/.test(description)) return "list"
  if (/(^|_)email$/.test(name)) return "email"
  return max_length >= longTextFrom ? "longText" : "text"
}

const fieldOf = (parameter: Parameter): Field => ({
  name: parameter.name,
  kind: kindOf(parameter),
  isRequired: parameter.required,
  help: parameter.description,
  options: parameter.enum ?? parameter.items_enum ?? oneOf.exec(parameter.description)?.[1]?.split(", ") ?? [],
  minimum: parameter.minimum,
  maximum: parameter.maximum,
  maxLength: parameter.max_length,
  defaultValue: String(parameter.default ?? "")
})

/** The fields of a tool, those that are required first. */
export const fieldsOf = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<Field> => {
  const fields = parameters.map(fieldOf)
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)]
}

export type Problem =
  | { readonly id: "required" }
  | { readonly id: "number" }
  | { readonly id: "integer" }
  | { readonly id: "least"; readonly limit: number }
  | { readonly id: "most"; readonly limit: number }
  | { readonly id: "long"; readonly limit: number }
  | { readonly id: "email" }
  | { readonly id: "address" }
  | { readonly id: "date" }

const numberProblem = ({ kind, maximum, minimum }: Field, text: string): Problem | undefined => {
  const value = Number(text)
  if (!Number.isFinite(value)) return { id: "number" }
  if (kind === "integer" && !Number.isInteger(value)) return { id: "integer" }
  if (minimum !== undefined && value < minimum) return { id: "least", limit: minimum }
  return maximum !== undefined && value > maximum ? { id: "most", limit: maximum } : undefined
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:/.test(text)

const textProblem = ({ kind, maxLength }: Field, text: string): Problem | undefined => {
  if (maxLength !== undefined && text.length > maxLength) return { id: "long", limit: maxLength }
  if (kind === "email" && !/^\S+@\S+\.\S+$/.test(text)) return { id: "email" }
  if (kind === "address" && !isAddress(text)) return { id: "address" }
  if ((kind === "date" || kind === "moment") && Number.isNaN(Date.parse(text))) return { id: "date" }
  return undefined
}

/** Returns the error in a value, without asking the gateway. */
export const problemOf = (field: Field, draft: Draft): Problem | undefined => {
  const text = (draft[field.name] ?? "").trim()
  if (text === "") return field.isRequired && field.kind !== "boolean" ? { id: "required" } : undefined
  return field.kind === "integer" || field.kind === "number" ? numberProblem(field, text) : textProblem(field, text)
}

/** Milliseconds that the zone's clocks are ahead of UTC at a moment. */
const offsetAt = (millis: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  }).formatToParts(millis)
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? ""
  const local = Date.parse(
    `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`
  )
  return local - Math.floor(millis / 1_000) * 1_000
}

/** A time on the clock of a zone (`2026-11-28T14:30`) as a moment in UTC. */
export const momentOf = (local: string, timeZone: string): string => {
  const guess = Date.parse(`${local}Z`)
  const first = guess - offsetAt(guess, timeZone)
  return new Date(guess - offsetAt(first, timeZone)).toISOString()
}

/** The other way round: a moment as the clock of a zone shows it. */
export const localOf = (moment: string, timeZone: string): string => {
  const millis = Date.parse(moment)
  return new Date(millis + offsetAt(millis, timeZone)).toISOString().slice(0, 16)
}

const argumentOf = ({ kind }: Field, text: string, timeZone: string): unknown => {
  if (kind === "boolean") return text === "true"
  if (kind === "integer" || kind === "number") return Number(text)
  return kind === "moment" ? momentOf(text, timeZone) : text
}

const textKinds: ReadonlySet<FieldKind> = new Set(["text", "longText", "list", "choices", "date", "email", "address"])

/** Returns the argument by which a tool removes a value. Undefined if the value cannot be removed. */
const removalOf = ({ help, kind }: Field): unknown => {
  if (textKinds.has(kind)) return ""
  return (kind === "integer" || kind === "number") && /-1 clears/.test(help) ? -1 : undefined
}

/**
 * Returns the arguments of the call. Without `previous`, empty fields are left out. With it, only changes are sent, and
 * an emptied field is sent as the value that removes it.
 */
export const argumentsOf = (
  fields: ReadonlyArray<Field>,
  draft: Draft,
  timeZone: string,
  previous?: Draft
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = (draft[field.name] ?? "").trim()
      const hasChanged = previous === undefined || text !== (previous[field.name] ?? "").trim()
      if (!hasChanged) return []
      if (text !== "") return [[field.name, argumentOf(field, text, timeZone)]]
      const removal = previous === undefined ? undefined : removalOf(field)
      return removal === undefined ? [] : [[field.name, removal]]
    })
  )

/**
 * The field that a refusal is about: its name is quoted in the message, has an underscore and is in the message, or begins the
 * reason. Undefined if that is not certain.
 */
export const fieldOfError = (
  fields: ReadonlyArray<Field>,
  message: string,
  reason: string | undefined
): string | undefined => {
  const names = fields.map(({ name }) => name)
  const quoted = names.find((name) => new RegExp(`["'\`“]${name}["'\`”]`).test(message))
  if (quoted !== undefined) return quoted
  const word = names.find((name) => name.includes("_") && new RegExp(`\\b${name}\\b`).test(message))
  if (word !== undefined) return word
  const byReason = names.filter((name) => reason === name || reason?.startsWith(`${name}_`) === true)
  return byReason.length === 1 ? byReason[0] : undefined
}
