import type { CompanyAudience, CompanySize, CompanyType } from "../Prospecting/Targeting.ts"
import { cnaeEntries } from "../Reference/Cnae.ts"
import { fold } from "../Text/PlainText.ts"
import type { Company } from "./Company.ts"
import {
  brazilianCities,
  type ForeignPlace,
  firstNames,
  foreignPlaces,
  genericTrades,
  type NameLanguage,
  surnames,
  tradesOfDivision
} from "./SandboxWords.ts"

/** Invented companies that need no configuration. They are always the same. */
export const sandboxCompanies = 20_000

/** The share of companies outside Brazil. */
const foreignShare = 0.25

/** A number from 0 to below 1 that depends only on the company and the purpose. */
const fraction = (index: number, salt: number): number => {
  let hash = Math.imul(index ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

const pick = <A>(values: readonly [A, ...ReadonlyArray<A>], index: number, salt: number): A =>
  values[Math.floor(fraction(index, salt) * values.length)] ?? values[0]

/** Picks a value by weight. */
const weighted = <A>(
  choices: readonly [readonly [A, number], ...ReadonlyArray<readonly [A, number]>],
  at: number
): A => {
  let remaining = at * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of choices) {
    remaining -= weight
    if (remaining < 0) return value
  }
  return choices[0][0]
}

/** The most requested trades. Half of the companies are in them. */
const commonTrades = [
  "8630504",
  "6920601",
  "6920602",
  "9602501",
  "9313100",
  "5611201",
  "4781400",
  "4711302",
  "6201501",
  "6202300",
  "6203100",
  "6204000",
  "4120400",
  "4321500",
  "7112000",
  "7020400",
  "7319002",
  "6911701",
  "6821801",
  "4771701",
  "8513900",
  "8599604",
  "4520001",
  "4744099",
  "4930202",
  "1091102",
  "5620101",
  "8650004",
  "7500100",
  "4789004"
] as const

const subclasses = [...cnaeEntries.values()].flatMap(({ code, level }) => (level === "subclass" ? [code] : []))

const salts = {
  country: 1,
  city: 2,
  trade: 3,
  common: 4,
  type: 5,
  employees: 6,
  known: 7,
  revenue: 8,
  audience: 9,
  founded: 10,
  first: 11,
  last: 12,
  brand: 13,
  word: 14,
  email: 15,
  phone: 16,
  role: 17,
  website: 18,
  subscriber: 19,
  shared: 20
} as const

const types: readonly [readonly [CompanyType, number], ...ReadonlyArray<readonly [CompanyType, number]>] = [
  ["Private", 70],
  ["Individual", 20],
  ["NonProfit", 6],
  ["Government", 3],
  ["StateOwned", 1]
]

type Audience = typeof CompanyAudience.Type
const audiences: readonly [readonly [Audience, number], ...ReadonlyArray<readonly [Audience, number]>] = [
  ["B2B", 35],
  ["B2C", 35],
  ["B2BAndB2C", 30]
]

const sizeOf = (employees: number): typeof CompanySize.Type =>
  employees < 10 ? "Micro" : employees < 50 ? "Small" : employees < 250 ? "Medium" : "Large"

const slug = (text: string): string => fold(text).replace(/[^a-z0-9]+/g, "")

const day = (index: number): string => {
  const first = Date.UTC(1962, 0, 1)
  // Later years are more frequent, because most companies are young.
  const at = first + (1 - (1 - fraction(index, salts.founded)) ** 2) * (Date.UTC(2026, 0, 1) - first)
  return new Date(at).toISOString().slice(0, 10)
}

interface Place {
  readonly country: string
  readonly state: string | null
  readonly city: string
  readonly language: NameLanguage
  readonly phone: (subscriber: number) => string
}

const brazilianPlace = (index: number): Place => {
  const { areaCode, city, state } = weighted(brazilianCities, fraction(index, salts.city))
  return {
    country: "BR",
    state,
    city,
    language: "pt",
    phone: (subscriber) => `+55${areaCode}9${String(80_000_000 + (subscriber % 19_999_999)).padStart(8, "0")}`
  }
}

const foreignPlace = (index: number): Place => {
  const { cities, country, language, phone }: ForeignPlace = pick(foreignPlaces, index, salts.country + 40)
  return { country, state: null, city: pick(cities, index, salts.city), language, phone }
}

/** Mailboxes that belong to no single person. */
const roles = ["contato", "comercial", "financeiro", "info"] as const

const tradeNameOf = (index: number, place: Place, cnae: string, type: Company["type"], person: string): string => {
  if (type === "Government" && place.language === "pt") return `Secretaria Municipal de ${place.city}`
  const tradesOfPlace = place.language === "pt" ? tradesOfDivision[cnae.slice(0, 2)] : undefined
  const trade = pick(tradesOfPlace ?? genericTrades[place.language], index, salts.word)
  return trade.replace("%", type === "Individual" ? person : pick(surnames[place.language], index, salts.brand))
}

const audienceOf = (index: number, type: Company["type"]): Company["audience"] => {
  if (type === "Government" || type === "StateOwned") return "Government"
  if (type === "NonProfit") return "NonCommercial"
  const share = fraction(index, salts.audience)
  return share < 0.75 ? weighted(audiences, share / 0.75) : null
}

/** The contact of a company: a role mailbox, or a person with an address. */
const contactOf = (index: number, type: Company["type"], first: string, family: string, domain: string) => {
  const hasRole = fraction(index, salts.role) < 0.12 || type === "Government"
  // Many companies give their accountant's address, which no one at the company reads.
  const isShared = fraction(index, salts.shared) < 0.03
  const mailbox = hasRole ? pick(roles, index, salts.role) : `${slug(first)}.${slug(family)}`
  return {
    person: hasRole ? null : `${first} ${family}`,
    email: fraction(index, salts.email) >= 0.85 || isShared ? null : `${mailbox}@${domain}`
  }
}

const cnaeOf = (index: number): string =>
  fraction(index, salts.common) < 0.5
    ? pick(commonTrades, index, salts.trade)
    : (subclasses[Math.floor(fraction(index, salts.trade) * subclasses.length)] ?? commonTrades[0])

/** The company with a number from 0 to `sandboxCompanies` - 1. */
export const sandboxCompany = (index: number): Company => {
  const isForeign = fraction(index, salts.country) < foreignShare
  const place = isForeign ? foreignPlace(index) : brazilianPlace(index)
  const cnae = cnaeOf(index)
  const type = weighted(types, fraction(index, salts.type))
  const most = type === "Individual" ? 8 : 4000
  const employees = Math.max(1, Math.round(Math.exp(fraction(index, salts.employees) ** 1.6 * Math.log(most))))
  const isMeasured = fraction(index, salts.known) < 0.85
  const family = pick(surnames[place.language], index, salts.last)
  const first = pick(firstNames[place.language], index, salts.first)
  const tradeName = tradeNameOf(index, place, cnae, type, `${first} ${family}`)
  const number = String(index).padStart(5, "0")
  const domain = `${slug(tradeName).slice(0, 30)}${number}.example`
  return {
    key: number,
    companyKey: number,
    legalName: type === "Private" && place.language === "pt" ? `${tradeName} Ltda` : tradeName,
    tradeName,
    cnae: isForeign ? null : cnae,
    country: place.country,
    state: place.state,
    city: place.city,
    type,
    sizes: isMeasured ? [sizeOf(employees)] : [],
    audience: audienceOf(index, type),
    employees: isMeasured ? employees : null,
    revenue: isMeasured ? Math.round(employees * (60_000 + fraction(index, salts.revenue) * 340_000)) : null,
    foundedOn: day(index),
    ...contactOf(index, type, first, family, domain),
    phone:
      fraction(index, salts.phone) < 0.75 ? place.phone(Math.floor(fraction(index, salts.subscriber) * 1e9)) : null,
    website: fraction(index, salts.website) < 0.6 ? `https://${domain}` : null
  }
}
