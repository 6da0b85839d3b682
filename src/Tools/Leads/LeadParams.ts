import { LeadId, LeadStatus } from "../../Services/Leads/Ids.ts"
import * as Param from "../Core/Param.ts"

/** The lead that a tool is about. */
export const leadId = Param.id(LeadId, "The lead, as search_leads names it.")

/** Which leads a list or a file has. */
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

/** A text of which a blank one counts as none. */
export const unlessBlank = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text
