import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { Language, languageOf } from "./Language.ts"
import { countryCodes } from "./Places/CountryCodes.ts"
import otherNames from "./Places/countryNames.json" with { type: "json" }
import { fold } from "./PlainText.ts"

const list = (codes: string): ReadonlySet<string> => new Set(codes.split(" "))

/** The countries in which business is done in each language (ISO 3166-1 alpha-2). */
const spokenIn: { readonly [L in Language]: ReadonlySet<string> } = {
  "pt-BR": list("BR PT AO MZ CV GW ST TL"),
  es: list("AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE"),
  en: list("AG AU BB BS BZ CA DM GB GD GH GY IE IN JM KE KN LC LR MT NA NG NZ PH SG SL TT UG US VC ZA ZM ZW")
}

const nameKey = (name: string): string =>
  fold(name)
    .replace(/[^a-z]+/g, " ")
    .trim()

let countryNames: ReadonlyMap<string, string> | undefined

/** The names of countries in the three languages, computed at the first use. */
const namesOfCountries = (): ReadonlyMap<string, string> => {
  countryNames ??= new Map([
    ...["en", "pt-PT", "pt", "es"].flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
      return [...countryCodes].map((code) => [nameKey(names.of(code) ?? code), code] as const)
    }),
    // Names that people use and the library does not know.
    ...Object.entries(otherNames)
  ])
  return countryNames
}

/** A country's code (ISO 3166-1 alpha-2), from its code or its name in one of the three languages. */
export const countryCodeOf = (country: string): string | undefined => {
  const text = country.trim()
  if (text.length > 60) return undefined
  const code = text.toUpperCase()
  return countryCodes.has(code) ? code : namesOfCountries().get(nameKey(text))
}

/** Facts that indicate a lead's country. */
export interface LeadPlace {
  readonly country: string | null | undefined
  readonly state: string | null | undefined
  readonly phone: string | null | undefined
}

const brazilianState = /^(?:AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO)$/

/**
 * The lead's probable country: the stated one, otherwise that of its phone, otherwise Brazil if its state is Brazilian.
 */
export const countryOfLead = ({ country, phone, state }: LeadPlace): string | undefined => {
  const statedCountry =
    country === null || country === undefined || country.trim() === "" ? undefined : countryCodeOf(country)
  if (statedCountry !== undefined) return statedCountry
  const byPhone =
    phone === null || phone === undefined || phone === "" ? undefined : parsePhoneNumberFromString(phone)?.country
  return byPhone ?? (brazilianState.test(state?.trim().toUpperCase() ?? "") ? "BR" : undefined)
}

/** The business language of a country. Undefined if it is none of the three. */
export const languageOfCountry = (country: string): Language | undefined =>
  Language.literals.find((language) => spokenIn[language].has(country))

/** The language for messages to a lead: the one that it writes, otherwise its country's, otherwise the account's. */
export const languageOfLead = (
  lead: LeadPlace & { readonly language: string | null | undefined },
  accountLanguage: string
): Language => {
  if (lead.language !== null && lead.language !== undefined) return languageOf(lead.language)
  const country = countryOfLead(lead)
  return (country === undefined ? undefined : languageOfCountry(country)) ?? languageOf(accountLanguage)
}
