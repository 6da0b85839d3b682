import * as Tool from "../Core/Tool.ts"
import { getLead, listLeadEmails, listPausedProspectingLeads, listPendingReview, searchLeads } from "./LeadLists.ts"
import {
  pauseLeadProspecting,
  resumeLeadProspecting,
  returnLeadToPipeline,
  sendMessageToLead,
  stopLead,
  takeOverLead
} from "./LeadProspecting.ts"
import { deleteLead, exportLeads, registerLead, updateLead } from "./LeadRecords.ts"

export const LeadsGroup = Tool.group(
  "Leads",
  "The people that the account wants to win: find them, look at them, decide who works them.",
  [
    getLead,
    listLeadEmails,
    listPendingReview,
    listPausedProspectingLeads,
    pauseLeadProspecting,
    resumeLeadProspecting,
    registerLead,
    returnLeadToPipeline,
    searchLeads,
    sendMessageToLead,
    stopLead,
    takeOverLead,
    updateLead,
    deleteLead,
    exportLeads
  ]
)
