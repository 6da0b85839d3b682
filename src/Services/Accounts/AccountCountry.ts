import { Either } from "effect"
import { normalisePhone } from "../Text/ContactDetails.ts"
import { languageOfCountry } from "../Text/LeadLanguage.ts"
import { zoneOfCountry } from "../Zones/ZoneTables.ts"

/** The initial settings of an account. Its owner can change both. */
export interface AccountStart {
  /** Language and region, such as `es-AR`. */
  readonly languageKey: string
  /** IANA name. */
  readonly timeZone: string
}

const brazilian: AccountStart = { languageKey: "pt-BR", timeZone: "America/Sao_Paulo" }

/** An account without a country is in that of its phone. */
export const countryOfNewAccount = (country: string | undefined, phone: string | undefined): string | undefined =>
  country ??
  (phone === undefined ? undefined : Either.getOrUndefined(Either.map(normalisePhone(phone), (read) => read.country)))

/** The language and zone of a country. English, if its business is done in none of the platform's languages. */
export const startIn = (country: string | undefined): AccountStart => {
  if (country === undefined || country === "BR") return brazilian
  const [language = "en"] = (languageOfCountry(country) ?? "en").split("-")
  return { languageKey: `${language}-${country}`, timeZone: zoneOfCountry(country) ?? brazilian.timeZone }
}
