import { getStates } from "@brazilian-utils/brazilian-utils/get-states"
import { Either, Schema } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import type { Changes } from "../Core/Changes.ts"
import { parseInstant } from "../Core/Timestamp.ts"
import { countryCodes } from "../Text/Places/CountryCodes.ts"
import { placeKey } from "../Text/Places/PlaceName.ts"
import { isSingleLine } from "../Text/SingleLine.ts"
import { normaliseCnae } from "./Cnae.ts"

export const CompanySize = Schema.Literal("Micro", "Small", "Medium", "Large")
export const CompanyType = Schema.Literal("Private", "Individual", "Government", "StateOwned", "NonProfit")
export type CompanyType = typeof CompanyType.Type
export const CompanyAudience = Schema.Literal("B2B", "B2C", "B2BAndB2C", "Government", "NonCommercial")

const texts = Schema.Array(Schema.String)
const employees = Schema.NullOr(Schema.Int)
const revenue = Schema.NullOr(Schema.Number).annotations({ description: "Per year, in BRL." })
const day = Schema.NullOr(Schema.String).annotations({ description: "YYYY-MM-DD." })

/** Which companies are searched for, as tools return it. By default an empty list and null do not filter. */
export const Targeting = Schema.Struct({
  cnae_filter: texts.annotations({ description: "CNAE codes of any level to search for; digits only." }),
  cnae_exclusion_filter: texts.annotations({ description: "CNAE codes to leave out, even if a filter includes them." }),
  uf_filter: texts.annotations({ description: "Brazilian states by their two letters." }),
  city_filter: texts,
  country_filter: texts.annotations({ description: "ISO 3166-1 alpha-2 codes." }),
  min_employee_count: employees,
  max_employee_count: employees,
  min_annual_revenue: revenue,
  max_annual_revenue: revenue,
  company_size_filter: Schema.Array(CompanySize),
  company_type_filter: Schema.Array(CompanyType).annotations({
    description: "Empty: the account's setting; if that is empty too, Private only."
  }),
  company_audience_filter: Schema.Array(CompanyAudience).annotations({
    description: "Empty: the account's setting. Companies whose audience is unknown are never left out."
  }),
  min_founding_date: day,
  max_founding_date: day
})
export type Targeting = typeof Targeting.Type

/** A change as a caller sends it: -1 clears a number, an empty text clears a date. */
export type RequestedTargeting = {
  readonly [K in keyof Targeting]?: Exclude<Targeting[K], null> | undefined
}

const states: ReadonlyArray<string> = getStates().map(({ code }) => code)
const stateCodes: ReadonlySet<string> = new Set(states)

type Normalise = (item: string) => string | undefined

const codeOf =
  (cnaeDigits: ReadonlySet<string>): Normalise =>
  (item) => {
    const code = item.toUpperCase()
    return /^[a-z]{2}$/i.test(item) && cnaeDigits.has(code) ? code : undefined
  }

const cityOf: Normalise = (item) => (isSingleLine(item) ? item.normalize("NFC").replace(/\s+/g, " ") : undefined)

const maximumShown = 20

const list = (
  parameter: string,
  items: ReadonlyArray<string> | undefined,
  normalise: Normalise,
  problem: { readonly reason: string; readonly error: string; readonly detail: string }
): Either.Either<ReadonlyArray<string> | undefined, Refused> => {
  if (items === undefined) return Either.right(undefined)
  const normalised = new Map<string, string>()
  const unknown: Array<string> = []
  for (const item of items) {
    const value = normalise(item)
    if (value === undefined) unknown.push(item)
    else if (!normalised.has(placeKey(value))) normalised.set(placeKey(value), value)
  }
  return unknown.length === 0
    ? Either.right([...normalised.values()])
    : Either.left(
        refused(problem.reason, `${parameter} ${problem.error}`, problem.detail, {
          parameter,
          not_accepted: unknown.slice(0, maximumShown)
        })
      )
}

const cnaeProblem = {
  reason: "unknown_cnae_code",
  error: "lists a code that CNAE does not have.",
  detail:
    "Send codes of 2 (division), 3 (group), 5 (class) or 7 digits (subclass), for example 62, 6201-5 or 6201-5/01; lookup_cnae shows whether a code exists."
}
const stateProblem = {
  reason: "unknown_state",
  error: "lists a state that Brazil does not have.",
  detail: `Accepted values: ${states.join(", ")}.`
}
const cityProblem = {
  reason: "control_characters",
  error: "lists a city with a line break or another control character.",
  detail: "Send plain names of cities, separated by commas."
}
const countryProblem = {
  reason: "unknown_country",
  error: "lists a code that is no country's.",
  detail: "Send ISO 3166-1 codes of two letters, for example BR, PT or US."
}

/** -1 clears the bound. */
const bound = (parameter: string, value: number | undefined): Either.Either<number | null | undefined, Refused> => {
  if (value === undefined || value >= 0) return Either.right(value)
  return value === -1
    ? Either.right(null)
    : Either.left(
        refused("out_of_range", `${parameter} must be at least 0.`, "Send 0 or more, or -1 to clear the limit.", {
          parameter
        })
      )
}

/** An empty text clears the date. */
const calendarDay = (
  parameter: string,
  value: string | undefined
): Either.Either<string | null | undefined, Refused> => {
  const text = value?.trim()
  if (text === undefined) return Either.right(undefined)
  if (text === "") return Either.right(null)
  return parseInstant(text)?.precision === "day"
    ? Either.right(text)
    : Either.left(
        refused("not_a_date", `${parameter} is not a date.`, "Send a calendar date as YYYY-MM-DD.", { parameter })
      )
}

/** Checks changes of the targeting and converts the values to their stored form. */
export const targetingChanges = (requestedTargeting: RequestedTargeting): Either.Either<Changes<Targeting>, Refused> =>
  Either.gen(function* () {
    return {
      cnae_filter: yield* list("cnae_filter", requestedTargeting.cnae_filter, normaliseCnae, cnaeProblem),
      cnae_exclusion_filter: yield* list(
        "cnae_exclusion_filter",
        requestedTargeting.cnae_exclusion_filter,
        normaliseCnae,
        cnaeProblem
      ),
      uf_filter: yield* list("uf_filter", requestedTargeting.uf_filter, codeOf(stateCodes), stateProblem),
      city_filter: yield* list("city_filter", requestedTargeting.city_filter, cityOf, cityProblem),
      country_filter: yield* list(
        "country_filter",
        requestedTargeting.country_filter,
        codeOf(countryCodes),
        countryProblem
      ),
      min_employee_count: yield* bound("min_employee_count", requestedTargeting.min_employee_count),
      max_employee_count: yield* bound("max_employee_count", requestedTargeting.max_employee_count),
      min_annual_revenue: yield* bound("min_annual_revenue", requestedTargeting.min_annual_revenue),
      max_annual_revenue: yield* bound("max_annual_revenue", requestedTargeting.max_annual_revenue),
      company_size_filter: requestedTargeting.company_size_filter,
      company_type_filter: requestedTargeting.company_type_filter,
      company_audience_filter: requestedTargeting.company_audience_filter,
      min_founding_date: yield* calendarDay("min_founding_date", requestedTargeting.min_founding_date),
      max_founding_date: yield* calendarDay("max_founding_date", requestedTargeting.max_founding_date)
    }
  })

const emptyRange = (minimum: string, maximum: string) => (): Refused =>
  refused(
    "minimum_above_maximum",
    `${minimum} would be greater than ${maximum}, so that no company could match.`,
    "Limits that are not sent keep their stored value. Send both limits, or clear the other one.",
    { parameters: [minimum, maximum] }
  )

/** The error for each database constraint between two fields, by the constraint's name. */
export const targetingRanges = {
  employee_count_range: emptyRange("min_employee_count", "max_employee_count"),
  annual_revenue_range: emptyRange("min_annual_revenue", "max_annual_revenue"),
  founding_date_range: emptyRange("min_founding_date", "max_founding_date")
}
