import { countryCodeOf } from "./LeadLanguage.ts"

/** The data-protection law of a country, and its deadline for an answer. */
export interface LegalTerm {
  readonly law: "LGPD" | "GDPR" | "UK GDPR" | "FADP" | "LFPDPPP" | "Ley 25.326" | "US state law" | null
  /** Calendar days from the request to a full answer. Null if the sources are unclear. */
  readonly days: number | null
}

/** The GDPR says one month, which ends on the same day of the next month (art. 12(3); Regulation 1182/71, art. 3). */
const daysOfMonth = 30

const gdpr: LegalTerm = { law: "GDPR", days: daysOfMonth }

/** The EU, its outermost regions (TFEU, art. 349) and the EEA. */
const underGdpr =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK AX GF GP MF MQ RE YT IS LI NO"

const terms: ReadonlyMap<string, LegalTerm> = new Map([
  ...underGdpr.split(" ").map((code): [string, LegalTerm] => [code, gdpr]),
  // UK GDPR, art. 12(3)
  ["GB", { law: "UK GDPR", days: daysOfMonth }],
  // Lei 13.709/2018, art. 19, II. A simplified confirmation is due immediately.
  ["BR", { law: "LGPD", days: 15 }],
  // Federal Act on Data Protection, art. 25(7)
  ["CH", { law: "FADP", days: 30 }],
  // Ley 25.326, art. 14(2) for access. Corrections and erasure have five working days (art. 16(2)).
  ["AR", { law: "Ley 25.326", days: 10 }],
  // Ley Federal de Protección de Datos Personales en Posesión de los Particulares: 20 days to answer, and 15 more to
  // fulfil the request.
  ["MX", { law: "LFPDPPP", days: 20 }],
  // The states with such a law agree on 45 days: California Civil Code § 1798.130(a)(2), Code of Virginia § 59.1-577.
  ["US", { law: "US state law", days: 45 }]
])

const noTerm: LegalTerm = { law: null, days: null }

/** The deadline for a country, by its code (ISO 3166-1 alpha-2) or its name in Portuguese, English or Spanish. */
export const legalTermOf = (country: string | null | undefined): LegalTerm => {
  const code = country === null || country === undefined ? undefined : countryCodeOf(country)
  return (code === undefined ? undefined : terms.get(code)) ?? noTerm
}
