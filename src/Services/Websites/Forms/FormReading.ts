import { Either } from "effect"
import { type CountryCode, normaliseEmail, normalisePhone } from "../../Text/ContactDetails.ts"
import type { Language } from "../../Text/Language.ts"
import { withoutControlCharacters } from "../../Text/SingleLine.ts"
import type { FieldKind, SiteField } from "../Site.ts"
import { fieldErrors } from "./FormTexts.ts"
import { type FieldTexts, type FormBlock, fieldTexts, hiddenFields } from "./SiteForms.ts"

/** Characters that a field takes. */
export const longestOf: { readonly [K in FieldKind]: number } = {
  text: 300,
  long_text: 4000,
  email: 254,
  phone: 40,
  number: 40,
  date: 20,
  choice: 120,
  checkbox: 10
}

/** What is shown again of a text that is too long: more than any field takes, less than a page should carry. */
const longestShown = 8000

/** The value of a ticked box. */
export const ticked = "yes"

export interface FormReading {
  /** As it was typed, of every field: nothing is lost when the form is shown again. */
  readonly typed: FieldTexts
  /** Why fields could not be taken, with the consent under its own name; empty where all is well. */
  readonly errors: FieldTexts
  /** In the form in which it is kept: addresses in lower case, numbers as E.164, dates as ISO 8601. Empty fields are not there. */
  readonly values: FieldTexts
  readonly isConsented: boolean
  readonly isMarketingWanted: boolean
  /** Whether the field was filled in that people do not see. */
  readonly isTrapped: boolean
}

const isTicked = (value: string | null): boolean => value !== null && /^(?:on|yes|true|1)$/i.test(value.trim())

/** Lines as people write them; other control characters cannot be seen, and the database takes no NUL. */
const severalLines = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => withoutControlCharacters(line.replaceAll("\t", " ")))
    .join("\n")

const oneLine = (text: string): string => withoutControlCharacters(text.replace(/[\r\n\t]+/g, " "))

const shown = (kind: FieldKind, text: string): string =>
  (kind === "long_text" ? severalLines(text) : oneLine(text)).slice(0, longestShown)

const canonicalNumber = /^-?\d{1,15}(?:\.\d{1,6})?$/

/** As browsers send numbers, or with the signs that the language writes them with. */
const readNumber = (text: string, language: Language): string | undefined => {
  const compact = text.replace(/\s/g, "")
  if (canonicalNumber.test(compact)) return compact
  const [thousands, decimal] = language === "en" ? [",", "."] : [".", ","]
  const groups = language === "en" ? /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/ : /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/
  const plain = groups.test(compact) ? compact.replaceAll(thousands, "") : compact
  const canonical = plain.replace(decimal, ".").replace(/^\+/, "")
  return canonicalNumber.test(canonical) ? canonical : undefined
}

const readDate = (text: string, language: Language): string | undefined => {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const written = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text)
  const [, first = "", second = "", third = ""] = iso ?? written ?? []
  const [year, month, day] =
    iso !== null ? [first, second, third] : language === "en" ? [third, first, second] : [third, second, first]
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  const millis = Date.parse(`${date}T00:00:00Z`)
  // The 31st of February is parsed as a day of March.
  if (!Number.isFinite(millis) || new Date(millis).toISOString().slice(0, 10) !== date) return undefined
  return date >= "1900-01-01" && date <= "2200-12-31" ? date : undefined
}

type FieldReading = Either.Either<string | undefined, string>

const readField = (
  field: SiteField,
  raw: string,
  { country, language }: { readonly country: CountryCode; readonly language: Language }
): FieldReading => {
  const say = fieldErrors[language]
  const orElse = (value: string | undefined, problem: string): FieldReading =>
    value === undefined ? Either.left(problem) : Either.right(value)
  if (field.kind === "checkbox") {
    if (isTicked(raw)) return Either.right(ticked)
    return field.is_required ? Either.left(say.unticked) : Either.right(undefined)
  }
  const text = shown(field.kind, raw).trim()
  if (text === "") return field.is_required ? Either.left(say.required) : Either.right(undefined)
  if (text.length > longestOf[field.kind]) return Either.left(say.long(longestOf[field.kind]))
  switch (field.kind) {
    case "email":
      return Either.mapLeft(normaliseEmail(text), () => say.email)
    case "phone":
      return Either.mapBoth(normalisePhone(text, country), { onLeft: () => say.phone, onRight: ({ e164 }) => e164 })
    case "number":
      return orElse(readNumber(text, language), say.number)
    case "date":
      return orElse(readDate(text, language), say.date)
    case "choice":
      return orElse(
        field.choices.find((choice) => choice.trim() === text),
        say.choice
      )
    default:
      return Either.right(text.normalize("NFC"))
  }
}

/**
 * Reads what was sent against a form's fields. What no field asks for is not looked at, and of a name that was sent
 * several times the first counts. A phone number without its country's code belongs to `country`.
 */
export const readForm = (
  form: Pick<FormBlock, "fields">,
  sent: URLSearchParams,
  context: { readonly country: CountryCode; readonly language: Language }
): FormReading => {
  const read = form.fields.map((field) => {
    const raw = (sent.get(field.name) ?? "").slice(0, 2 * longestShown)
    const typed = field.kind === "checkbox" ? (isTicked(raw) ? ticked : "") : shown(field.kind, raw)
    return { name: field.name, typed, result: readField(field, raw, context) }
  })
  const isConsented = isTicked(sent.get(hiddenFields.consent))
  const isMarketingWanted = isTicked(sent.get(hiddenFields.marketing))
  const problems = read.flatMap(({ name, result }) => (Either.isLeft(result) ? [[name, result.left] as const] : []))
  if (!isConsented) problems.push([hiddenFields.consent, fieldErrors[context.language].consent])
  return {
    typed: fieldTexts([
      ...read.map(({ name, typed }) => [name, typed] as const),
      [hiddenFields.consent, isConsented ? ticked : ""],
      [hiddenFields.marketing, isMarketingWanted ? ticked : ""]
    ]),
    errors: fieldTexts(problems),
    values: fieldTexts(
      read.flatMap(({ name, result }) =>
        Either.isRight(result) && result.right !== undefined ? [[name, result.right] as const] : []
      )
    ),
    isConsented,
    isMarketingWanted,
    isTrapped: (sent.get(hiddenFields.honeypot) ?? "").trim() !== ""
  }
}

/** What was sent, where it is of the one kind that forms send; undefined for anything else. */
export const readBody = (body: Uint8Array, contentType: string | undefined): URLSearchParams | undefined =>
  /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test((contentType ?? "").trim())
    ? new URLSearchParams(Buffer.from(body).toString("utf8"))
    : undefined
