import { LeadId, LeadStatus } from "../../Services/Leads/Ids.ts"
import * as Param from "../Core/Param.ts"

/** The parameter for the lead that a tool handles. */
export const leadId = Param.id(LeadId, "The lead, as search_leads names it.")

/** The filters of lists and exports of leads. */
export const filterParams = {
  query: Param.optional(
    Param.text("Part of the name, the company or the e-mail address; case and accents do not matter.", {
      maxLength: 200
    })
  ),
  status: Param.optional(Param.oneOf(LeadStatus.literals, "Only leads with this status.")),
  campaign: Param.optional(Param.text("Only leads of this campaign: its name or its numeric id.", { maxLength: 200 })),
  created_after: Param.optional(Param.instant("Only leads created then or later.")),
  created_before: Param.optional(
    Param.inclusiveUpperBound("Only leads created then or earlier; a date without a time includes that day.")
  )
}

/** The text, or undefined if it is blank. */
export const unlessBlank = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text
