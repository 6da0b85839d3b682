import { numberText } from "./Formats.ts"

export type Locale = "en" | "pt-BR" | "es"
export const locales: ReadonlyArray<Locale> = ["en", "pt-BR", "es"]
export const localeNames: Readonly<Record<Locale, string>> = { en: "English", "pt-BR": "Português", es: "Español" }

export type Value = string | number | boolean | null | undefined
export type Values = Readonly<Record<string, Value>>

interface Options {
  readonly o: Readonly<Record<string, CompiledMessage>>
}

type Part =
  | string
  | 0
  | { readonly a: string }
  | (Options & { readonly p: string })
  | (Options & { readonly s: string })

/** The compiled form of a text in ICU's message format. */
export type CompiledMessage = string | ReadonlyArray<Part>
export type Catalog = Readonly<Record<string, CompiledMessage>>

const printed = (locale: Locale, value: Value): string =>
  typeof value === "number" ? numberText(value, locale) : String(value ?? "")

/** The plural category of a whole number, by Unicode's rules. The browser's rules take longer to load than a screen to draw. */
const categoryOf = (locale: Locale, value: number): string => {
  if (!Number.isInteger(value)) return new Intl.PluralRules(locale).select(value)
  const size = Math.abs(value)
  if (size === 1 || (size === 0 && locale === "pt-BR")) return "one"
  return locale !== "en" && size !== 0 && size % 1_000_000 === 0 ? "many" : "other"
}

/** Exact numbers, such as `=0`, come before plural categories. */
const optionOf = (locale: Locale, options: Options["o"], value: Value): CompiledMessage =>
  options[`=${value}`] ?? options[categoryOf(locale, Number(value))] ?? options["other"] ?? ""

export const formatMessage = (locale: Locale, message: CompiledMessage, values: Values, count?: Value): string => {
  if (typeof message === "string") return message
  return message
    .map((part) => {
      if (typeof part === "string") return part
      if (part === 0) return printed(locale, count)
      if ("a" in part) return printed(locale, values[part.a])
      if ("p" in part) {
        const value = values[part.p]
        return formatMessage(locale, optionOf(locale, part.o, value), values, value)
      }
      return formatMessage(locale, part.o[String(values[part.s] ?? "none")] ?? part.o["other"] ?? "", values, count)
    })
    .join("")
}

/** The first language of the reader that the console has. Any Portuguese is the Brazilian one. */
export const closestLocale = (wishes: ReadonlyArray<string>): Locale => {
  for (const wish of wishes) {
    const language = wish.slice(0, 2).toLowerCase()
    const locale = locales.find((candidate) => candidate.slice(0, 2) === language)
    if (locale !== undefined) return locale
  }
  return "en"
}
