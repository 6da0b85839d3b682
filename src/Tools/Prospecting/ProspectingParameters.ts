import { CompanyAudience, CompanySize, CompanyType } from "../../Services/Prospecting/Targeting.ts"
import * as Param from "../Core/Param.ts"

/** Sums of money above this are slips of the hand. */
const largestRevenue = 1e15

const clearsList = "Separated by commas; an empty text clears the filter."
const clearsNumber = "-1 clears the limit."
const clearsDate = "As YYYY-MM-DD; an empty text clears the limit."

const employees = (which: string) =>
  Param.optional(Param.integer(`${which} number of employees of a company. ${clearsNumber}`, { minimum: -1 }))

const revenue = (which: string) =>
  Param.optional(
    Param.number(`${which} revenue of a company in a year, in BRL. ${clearsNumber}`, {
      minimum: -1,
      maximum: largestRevenue
    })
  )

export const sectorParameters = {
  cnae_filter: Param.optional(
    Param.words(
      `CNAE codes of the sectors to look for, at any level: 62, 6201-5 or 6201-5/01. A code stands for all below it. ${clearsList}`
    )
  ),
  cnae_exclusion_filter: Param.optional(
    Param.words(`CNAE codes to leave out, also where cnae_filter includes them. ${clearsList}`)
  )
}

export const regionParameters = {
  uf_filter: Param.optional(Param.words(`Brazilian states by their two letters, such as SP. ${clearsList}`)),
  city_filter: Param.optional(Param.words(`Names of cities. ${clearsList}`)),
  country_filter: Param.optional(Param.words(`Countries by their ISO 3166-1 code of two letters. ${clearsList}`))
}

export const employeeParameters = {
  min_employee_count: employees("Least"),
  max_employee_count: employees("Greatest")
}

export const revenueParameters = {
  min_annual_revenue: revenue("Least"),
  max_annual_revenue: revenue("Greatest")
}

/** `whenEmpty` tells what an empty list means. */
export const companyParameters = (whenEmpty: { readonly type: string; readonly audience: string }) => ({
  company_size_filter: Param.optional(
    Param.listOf(CompanySize.literals, "Sizes of company; an empty text clears the filter.")
  ),
  company_type_filter: Param.optional(
    Param.listOf(CompanyType.literals, `Kinds of company; an empty text means ${whenEmpty.type}.`)
  ),
  company_audience_filter: Param.optional(
    Param.listOf(
      CompanyAudience.literals,
      `Whom the company sells to; an empty text means ${whenEmpty.audience}. B2B finds companies that sell to both too, and a company whose audience is not known is never left out.`
    )
  )
})

export const foundingParameters = {
  min_founding_date: Param.optional(
    Param.text(`Earliest date that a company was founded on. ${clearsDate}`, { maxLength: 40 })
  ),
  max_founding_date: Param.optional(
    Param.text(`Latest date that a company was founded on. ${clearsDate}`, { maxLength: 40 })
  )
}

const rule = (description: string) => Param.optional(Param.text(`${description} An empty text clears it.`))

export const instructionsParameter = {
  instructions: rule("What the prospecting agent is to do and to avoid, on every channel.")
}
export const channelInstructionParameters = {
  email_instructions: rule("What holds for e-mails in addition; replaces the former text as a whole."),
  chatapp_instructions: rule("What holds on the messaging app in addition; replaces the former text as a whole."),
  voice_instructions: rule("What holds on voice calls in addition; replaces the former text as a whole.")
}

export const goalParameter = { goal: rule("What a conversation with a lead is to lead to, such as a meeting.") }
export const strategyParameter = { strategy: rule("How the goal is to be reached.") }
export const reviewParameter = {
  human_review_criteria: rule("When a lead is to be put before a person instead of being answered.")
}
export const qualificationParameter = {
  lead_qualification_instructions: rule("What makes a lead worth pursuing, and what rules it out.")
}
