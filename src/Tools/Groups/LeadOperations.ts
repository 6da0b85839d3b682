import { leadImportKind } from "../../Services/LeadFiles/LeadImports.ts"
import { leadReschedulingKind } from "../../Services/Outreach/LeadSchedule.ts"
import { sendChatAppMessageToLead } from "../ChatApp/SendChatAppMessage.ts"
import * as Tool from "../Core/Tool.ts"
import { getLeadImport, importLeads, listLeadImports } from "../LeadFiles/LeadImports.ts"
import { registerReferralLead } from "../Leads/RegisterReferralLead.ts"
import { rescheduleLeadTouch } from "../Outreach/RescheduleLeadTouch.ts"
import { createLeadPresentation } from "../Presentations/CreateLeadPresentation.ts"

export const LeadOperationsGroup = Tool.group(
  "Lead operations",
  "Bring leads in from files and lists, and steer how they are worked.",
  [
    createLeadPresentation,
    importLeads,
    registerReferralLead,
    rescheduleLeadTouch,
    sendChatAppMessageToLead,
    listLeadImports,
    getLeadImport
  ],
  [leadImportKind, leadReschedulingKind]
)
