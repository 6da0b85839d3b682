import { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadTiming, Timing } from "../../Services/Timing/Timing.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const getLeadTimingIntelligence = Tool.make("get_lead_timing_intelligence", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Shows when a lead is best contacted: the best hours of each weekday in the lead's local time, when replies came, and how long they took on average. Based on the lead's own replies; if they are too few, on those of its sector, of the account, or of the platform: source says which.",
  parameters: { lead_id: Param.id(LeadId, "The lead.") },
  returns: LeadTiming,
  errors: { NotFound: ["lead_not_found"] },
  example: { lead_id: 1 },
  run: Tool.via(Timing, (timing, { lead_id }) => timing.ofLead(lead_id))
})

export const TimingIntelligenceGroup = Tool.group("Timing intelligence", "When leads are best contacted.", [
  getLeadTimingIntelligence
])
