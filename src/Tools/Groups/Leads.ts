import { leadExportKind } from "../../Services/LeadFiles/LeadExports.ts"
import * as Tool from "../Core/Tool.ts"
import { exportLeads } from "../LeadFiles/ExportLeads.ts"
import {
  getLead,
  listLeadEmails,
  listPausedProspectingLeads,
  listPendingReview,
  searchLeads
} from "../Leads/LeadLists.ts"
import {
  pauseLeadProspecting,
  resumeLeadProspecting,
  returnLeadToPipeline,
  sendMessageToLead,
  stopLead,
  takeOverLead
} from "../Leads/LeadProspecting.ts"
import { deleteLead, registerLead, updateLead } from "../Leads/LeadRecords.ts"

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
  ],
  [leadExportKind]
)
