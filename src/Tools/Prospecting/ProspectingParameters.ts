import { CompanyAudience, CompanySize, CompanyType } from "../../Services/Prospecting/Targeting.ts"
import * as Param from "../Core/Param.ts"

/** Larger sums of money are typing mistakes. */
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
      `CNAE codes of the sectors to search for, at any level: 62, 6201-5 or 6201-5/01. A code includes all codes below it. ${clearsList}`
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

/** `whenEmpty` describes what an empty list means. */
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
      `Whom the company sells to; an empty text means ${whenEmpty.audience}. B2B includes companies that sell to both, and a company whose audience is unknown is never left out.`
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
  instructions: rule("What the prospecting agent should do and avoid, on every channel.")
}
export const channelInstructionParameters = {
  email_instructions: rule("Additional instructions for e-mails; replaces the whole previous text."),
  chatapp_instructions: rule("Additional instructions for the messaging app; replaces the whole previous text."),
  voice_instructions: rule("Additional instructions for voice calls; replaces the whole previous text.")
}

export const goalParameter = { goal: rule("What a conversation with a lead should lead to, such as a meeting.") }
export const strategyParameter = { strategy: rule("How to reach the goal.") }
export const reviewParameter = {
  human_review_criteria: rule("When a person should review a lead before it is answered.")
}
export const qualificationParameter = {
  lead_qualification_instructions: rule("What makes a lead worth pursuing, and what rules it out.")
}
