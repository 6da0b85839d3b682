import { Array, Equivalence, Record, Schema } from "effect"
import { LeadStatus, PipelineState } from "../Leads/Ids.ts"
import { CampaignSettings } from "../Prospecting/CampaignSettings.ts"
import { CampaignView } from "./CampaignModel.ts"

export const CampaignLeadStats = Schema.Struct({
  total: Schema.Int,
  by_status: Schema.Record({ key: LeadStatus, value: Schema.Int }),
  by_pipeline_state: Schema.Record({ key: PipelineState, value: Schema.Int }),
  contacted: Schema.Int.annotations({ description: "Leads that were messaged or called." }),
  replied: Schema.Int.annotations({ description: "How many of the contacted leads replied." }),
  interested: Schema.Int.annotations({ description: "Leads whose status is Interested." }),
  reply_rate_pct: Schema.NullOr(Schema.Number).annotations({
    description: "Replied out of contacted, in percent, to one decimal; null if no lead was contacted."
  }),
  meetings: Schema.Int.annotations({ description: "Meetings that were booked with its leads and not cancelled." }),
  won: Schema.Int.annotations({ description: "Leads with the outcome won." }),
  won_value_brl: Schema.Number.annotations({ description: "The value of these deals, as far as it was registered." })
})
export type CampaignLeadStats = typeof CampaignLeadStats.Type

const ComparedCampaign = Schema.Struct({ configuration: CampaignView, leads: CampaignLeadStats })
export type ComparedCampaign = typeof ComparedCampaign.Type

export const CampaignComparison = Schema.Struct({
  campaign_a: ComparedCampaign,
  campaign_b: ComparedCampaign,
  differing_fields: Schema.Array(Schema.String).annotations({
    description: "Settings in which the two differ."
  })
})
export type CampaignComparison = typeof CampaignComparison.Type

/** The results of a campaign. */
export interface CampaignYield {
  readonly meetings: number
  readonly won: number
  readonly won_value_brl: number
}

/** The number of a campaign's leads with this status and pipeline state. */
export interface LeadCounts {
  readonly status: LeadStatus
  readonly pipeline_state: PipelineState
  readonly leads: number
  readonly contacted: number
  /** Contacted leads that replied. */
  readonly replied: number
}

const noStatus: { readonly [S in LeadStatus]: 0 } = {
  Pending: 0,
  Cold: 0,
  Confirmed: 0,
  Aware: 0,
  NotInterested: 0,
  Interested: 0,
  Frozen: 0,
  Closed: 0,
  Unqualified: 0,
  Rejected: 0,
  Gatekeeper: 0
}
const noPipelineState: { readonly [S in PipelineState]: 0 } = {
  not_started: 0,
  in_pipeline: 0,
  pending_review: 0,
  user_controlled: 0,
  finished: 0
}

export const campaignLeadStats = (counts: ReadonlyArray<LeadCounts>, results: CampaignYield): CampaignLeadStats => {
  const sum = (field: "leads" | "contacted" | "replied", which: (row: LeadCounts) => boolean = () => true): number =>
    counts.reduce((total, row) => (which(row) ? total + row[field] : total), 0)
  const contacted = sum("contacted")
  const replied = sum("replied")
  const byStatus = Record.map(noStatus, (_, status) => sum("leads", (row) => row.status === status))
  return {
    total: sum("leads"),
    by_status: byStatus,
    by_pipeline_state: Record.map(noPipelineState, (_, state) => sum("leads", (row) => row.pipeline_state === state)),
    contacted,
    replied,
    interested: byStatus.Interested,
    reply_rate_pct: contacted === 0 ? null : Math.round((replied / contacted) * 1000) / 10,
    ...results
  }
}

type SettingValue = CampaignView[keyof typeof CampaignSettings.fields]

const sameItems = Array.getEquivalence(Equivalence.strict<string>())

/** Filters are sets, so their order is ignored. */
const isSame = (a: SettingValue, b: SettingValue): boolean =>
  typeof a === "object" && typeof b === "object" && a !== null && b !== null
    ? sameItems([...a].sort(), [...b].sort())
    : a === b

const settings = Record.keys(CampaignSettings.fields)

export const compareCampaigns = (a: ComparedCampaign, b: ComparedCampaign): CampaignComparison => ({
  campaign_a: a,
  campaign_b: b,
  differing_fields: settings.filter((field) => !isSame(a.configuration[field], b.configuration[field]))
})
