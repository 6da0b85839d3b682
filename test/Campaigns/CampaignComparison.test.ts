import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  CampaignLeadStats,
  campaignLeadStats,
  compareCampaigns
} from "../../src/Services/Campaigns/CampaignComparison.ts"
import { LeadStatus, PipelineState } from "../../src/Services/Leads/Ids.ts"
import { bareCampaign } from "../support/ProspectingFixtures.ts"

const nothing = { meetings: 0, won: 0, won_value_brl: 0 }

describe("campaignLeadStats", () => {
  it("sums up by status and by pipeline state", () => {
    const stats = campaignLeadStats(
      [
        { status: "Cold", pipeline_state: "in_pipeline", leads: 5, contacted: 4, replied: 1 },
        { status: "Cold", pipeline_state: "finished", leads: 2, contacted: 2, replied: 0 },
        { status: "Interested", pipeline_state: "user_controlled", leads: 1, contacted: 1, replied: 1 }
      ],
      nothing
    )
    assert.deepInclude(stats, { total: 8, contacted: 7, replied: 2, interested: 1, reply_rate_pct: 28.6 })
    assert.deepInclude(stats.by_status, { Cold: 7, Interested: 1, Pending: 0 })
    assert.deepInclude(stats.by_pipeline_state, { in_pipeline: 5, finished: 2, user_controlled: 1, not_started: 0 })
  })

  it("names every status and state, and has no reply rate, where there are no leads", () => {
    const stats = campaignLeadStats([], nothing)
    assert.deepStrictEqual(Object.keys(stats.by_status).sort(), [...LeadStatus.literals].sort())
    assert.deepStrictEqual(Object.keys(stats.by_pipeline_state).sort(), [...PipelineState.literals].sort())
    assert.isNull(stats.reply_rate_pct)
    assert.isTrue(Schema.is(CampaignLeadStats)(stats))
  })
})

describe("compareCampaigns", () => {
  const leads = campaignLeadStats([], nothing)
  const a = { configuration: { ...bareCampaign, uf_filter: ["SP", "RJ"], goal: "A call" }, leads }

  it("names the settings that differ, and no others", () => {
    const b = {
      configuration: { ...bareCampaign, name: "Others", uf_filter: ["SP"], voice_calling_active: false },
      leads
    }
    const { campaign_a, campaign_b, differing_fields } = compareCampaigns(a, b)
    assert.strictEqual(campaign_a, a)
    assert.strictEqual(campaign_b, b)
    assert.deepStrictEqual([...differing_fields].sort(), ["goal", "uf_filter", "voice_calling_active"])
  })

  it("does not mind the order of a filter", () => {
    const b = { configuration: { ...a.configuration, uf_filter: ["RJ", "SP"] }, leads }
    assert.deepStrictEqual(compareCampaigns(a, b).differing_fields, [])
  })
})
