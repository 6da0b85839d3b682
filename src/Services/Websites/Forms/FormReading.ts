import { Either } from "effect"
import { type CountryCode, normaliseEmail, normalisePhone } from "../../Text/ContactDetails.ts"
import type { Language } from "../../Text/Language.ts"
import { withoutControlCharacters } from "../../Text/SingleLine.ts"
import type { FieldKind, SiteField } from "../Site.ts"
import { fieldErrors } from "./FormTexts.ts"
import { type FieldTexts, type FormBlock, fieldTexts, hiddenFields } from "./SiteForms.ts"

/** The largest number of characters per kind of field. */
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

/** A text that is too long is shown again up to this many characters, which is more than any field accepts. */
const longestShown = 8000

/** The value of a ticked box. */
export const ticked = "yes"

export interface FormReading {
  /** The texts as typed, for every field, so that nothing is lost when the form is shown again. */
  readonly typed: FieldTexts
  /** The error per field, and under its own name the error for the consent. Empty if the form is valid. */
  readonly errors: FieldTexts
  /**
   * The values as stored: addresses in lower case, phone numbers as E.164, dates as ISO 8601. Empty fields are left
   * out.
   */
  readonly values: FieldTexts
  readonly isConsented: boolean
  readonly isMarketingWanted: boolean
  /** True if the hidden honeypot field was filled in. */
  readonly isTrapped: boolean
}

const isTicked = (value: string | null): boolean => value !== null && /^(?:on|yes|true|1)$/i.test(value.trim())

/** Keeps line breaks and removes other control characters: they are invisible, and the database rejects NUL. */
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

/** Reads a number as browsers send it, or with the separators of the language. */
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
  // `Date` accepts 31 February as a day in March, so the result is compared with the input.
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
 * Reads a submission for a form's fields. Unknown inputs are ignored, and of repeated ones the first counts. A phone
 * number without a country code belongs to `country`.
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

/** The submitted form data. Undefined for any content type other than a URL-encoded form. */
export const readBody = (body: Uint8Array, contentType: string | undefined): URLSearchParams | undefined =>
  /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test((contentType ?? "").trim())
    ? new URLSearchParams(Buffer.from(body).toString("utf8"))
    : undefined
