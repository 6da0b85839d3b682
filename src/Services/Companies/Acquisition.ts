import type { Plan } from "../Accounts/Ids.ts"
import { fold } from "../Text/PlainText.ts"
import type { Company } from "./Company.ts"
import type { EmailProblem } from "./EmailCheck.ts"

/** Why no companies are acquired for a campaign, or for the account without a campaign. */
export type AcquisitionHold =
  | "prospecting_off"
  | "not_eligible"
  | "passive_mode"
  | "campaign_paused"
  | "generation_off"
  | "no_targeting"
  | "sandbox_companies"

export interface AcquisitionState {
  readonly isProspectingActive: boolean
  readonly isEligible: boolean
  readonly mode: "Active" | "Passive"
  readonly isCampaignActive: boolean
  readonly isGenerationActive: boolean
  readonly hasTargeting: boolean
  /** The directory's companies are invented, but real providers would send to their addresses. */
  readonly wouldReachStrangers: boolean
}

/** The first reason, checking the account before the campaign. Undefined if companies may be acquired. */
export const acquisitionHold = (state: AcquisitionState): AcquisitionHold | undefined => {
  if (!state.isProspectingActive) return "prospecting_off"
  if (!state.isEligible) return "not_eligible"
  if (state.mode === "Passive") return "passive_mode"
  if (!state.isCampaignActive) return "campaign_paused"
  if (!state.isGenerationActive) return "generation_off"
  if (!state.hasTargeting) return "no_targeting"
  return state.wouldReachStrangers ? "sandbox_companies" : undefined
}

/** New leads per day and account, by default. */
export const dailyQuota: { readonly [P in Plan]: number } = { free_trial: 10, paid: 50 }

/**
 * Divides today's quota evenly among the tracks. The remainder goes to the tracks that got the fewest leads so far, so
 * that it alternates.
 */
export const shares = <K>(
  quota: number,
  tracks: ReadonlyArray<{ readonly key: K; readonly takenToday: number; readonly takenInAll: number }>
): ReadonlyMap<K, number> => {
  const takenCount = tracks.reduce((sum, { takenToday }) => sum + takenToday, 0)
  const remaining = Math.max(0, quota - takenCount)
  const order = tracks.toSorted((a, b) => a.takenInAll - b.takenInAll)
  const result = new Map<K, number>()
  let rest = remaining
  for (const [index, { key }] of order.entries()) {
    const share = Math.ceil(rest / (order.length - index))
    result.set(key, share)
    rest -= share
  }
  return result
}

/** The contact of a company that becomes a lead. */
export interface AcquiredContact {
  readonly name: string
  readonly company: string
  readonly email: string | null
  readonly phone: string | null
  /** Why the company's address is not used. */
  readonly emailProblem: EmailProblem | undefined
}

/** The usable contact of a company. Undefined if the company cannot be reached. */
export const contactOf = (company: Company, emailProblem: EmailProblem | undefined): AcquiredContact | undefined => {
  const email = emailProblem === undefined ? company.email : null
  if (email === null && company.phone === null) return undefined
  const name = company.tradeName ?? company.legalName
  return { name: company.person ?? name, company: name, email, phone: company.phone, emailProblem }
}

const numberOf = (value: number): string => new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 0 }).format(value)

const sentence = {
  legal: (name: string) => `Razão social: ${name}.`,
  founded: (year: string) => `Fundada em ${year}.`,
  employees: (count: number) => (count === 1 ? "Uma pessoa." : `Cerca de ${numberOf(count)} pessoas.`),
  activity: (name: string) => `Atividade principal: ${name}.`,
  place: (place: string) => `Fica em ${place}.`
}

/**
 * Facts about a company for the writer, from the directory only: in Portuguese for Brazilian companies, else in
 * English.
 */
export const backgroundOf = (company: Company, activity: string | null): string => {
  const isBrazilian = company.country === "BR"
  const year = company.foundedOn?.slice(0, 4)
  const place = [company.city, company.state ?? (isBrazilian ? null : company.country)].filter(Boolean).join(", ")
  const name = company.tradeName ?? company.legalName
  if (isBrazilian) {
    return [
      ...(activity === null ? [] : [sentence.activity(activity)]),
      ...(place === "" ? [] : [sentence.place(place)]),
      ...(year === undefined ? [] : [sentence.founded(year)]),
      ...(company.employees === null ? [] : [sentence.employees(company.employees)]),
      ...(fold(company.legalName) === fold(name) ? [] : [sentence.legal(company.legalName)])
    ].join(" ")
  }
  return [
    ...(place === "" ? [] : [`Located in ${place}.`]),
    ...(year === undefined ? [] : [`Founded in ${year}.`]),
    ...(company.employees === null
      ? []
      : [company.employees === 1 ? "One person." : `About ${company.employees} people.`])
  ].join(" ")
}
