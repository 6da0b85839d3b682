import { LeadPresentation, Presentations } from "../../Services/Presentations/Presentations.ts"
import * as Tool from "../Core/Tool.ts"
import { leadId } from "../Leads/LeadParams.ts"

export const createLeadPresentation = Tool.make("create_lead_presentation", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Makes a PDF of several pages that presents the business to a lead, and answers its address. A lead that has a presentation gets the same one again. Refused where presentations are turned off for the account or the lead's campaign.",
  parameters: { lead_id: leadId },
  returns: LeadPresentation,
  errors: {
    NotFound: ["customer_file_not_found", "lead_not_found"],
    Refused: ["file_empty", "file_name_unusable", "file_too_large", "presentations_off", "storage_full"],
    Transient: ["presentation_not_drawn"]
  },
  // The pages are made outside of a transaction.
  transaction: "several",
  example: { lead_id: 1 },
  run: Tool.via(Presentations, (presentations, { lead_id }) => presentations.create(lead_id))
})
