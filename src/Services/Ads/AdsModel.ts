import { Schema } from "effect"
import { ServiceMode } from "../Core/Outside/IntegrationModes.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import {
  AdGroupId,
  AdId,
  AdKeywordId,
  AdsCampaignId,
  AdsCampaignState,
  BillingSection,
  ChannelType,
  MatchType,
  ReportType
} from "./Ids.ts"

const brl = (description: string) => Schema.Number.annotations({ description })
const Count = Schema.Number
const NullableText = Schema.NullOr(Schema.String)

export const AdsBalance = Schema.Struct({
  recharged_brl: brl("All that was added to the campaign."),
  spent_brl: brl("What the platform charged for it, as of the last sync."),
  remaining_brl: brl("Below zero where the platform spent more than was there.")
})

export const AdsSnapshot = Schema.Struct({
  spend_brl: Schema.Number,
  impressions: Count,
  clicks: Count,
  conversions: Count,
  ctr: Schema.NullOr(Schema.Number).annotations({ description: "Clicks by impressions, 0 to 1." }),
  average_cpc_brl: Schema.NullOr(Schema.Number),
  synced_at: Schema.NullOr(Timestamp).annotations({ description: "Null: nothing was fetched from the platform yet." })
})

const summary = {
  ads_campaign_id: AdsCampaignId,
  name: Schema.String,
  status: AdsCampaignState,
  channel_type: ChannelType,
  daily_budget_brl: Schema.Number,
  served_daily_budget_brl: Schema.NullOr(Schema.Number).annotations({
    description: "What the platform serves it by now: less than the daily budget where little is left."
  }),
  hold_reason: NullableText.annotations({ description: "Why it waits, as a code; null where nothing keeps it back." }),
  hold_detail: NullableText.annotations({ description: "What to do about it." }),
  balance: AdsBalance,
  mode: ServiceMode
}

export const AdsCampaignSummary = Schema.Struct(summary)
export type AdsCampaignSummary = typeof AdsCampaignSummary.Type

export const AdsCampaignView = Schema.Struct({
  ...summary,
  ad_group_id: Schema.NullOr(AdGroupId),
  missing_assets: Schema.Array(Schema.String).annotations({ description: "What it lacks to be served." }),
  suspension_reason: NullableText.annotations({ description: "Why the platform keeps its account or ads back." }),
  performance: AdsSnapshot,
  recharge_url: NullableText.annotations({ description: "The page on which funds are added; null once it has ended." }),
  management_url: NullableText.annotations({ description: "The campaign in the platform's console." }),
  unsent_changes: Schema.Int.annotations({
    description: "Changes that the platform does not have yet; they are sent again by themselves."
  }),
  created_at: Timestamp,
  live_since: Schema.NullOr(Timestamp),
  ended_at: Schema.NullOr(Timestamp)
})
export type AdsCampaignView = typeof AdsCampaignView.Type

export const AdsCampaignList = Schema.Struct({ campaigns: Schema.Array(AdsCampaignSummary) })

export const BudgetAdjustment = Schema.NullOr(Schema.Literal("raised_to_minimum", "lowered_to_maximum", "rounded"))

export const CreatedAdsDraft = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  name: Schema.String,
  status: AdsCampaignState,
  channel_type: ChannelType,
  ad_group_id: AdGroupId.annotations({ description: "Its ad group, which ads and keywords are added to." }),
  requested_daily_budget_brl: Schema.Number,
  daily_budget_brl: Schema.Number.annotations({ description: "What was set." }),
  budget_adjustment: BudgetAdjustment,
  missing_assets: Schema.Array(Schema.String),
  recharge_url: Schema.String,
  mode: ServiceMode,
  detail: Schema.String
})

export const UpdatedAdsBudget = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  requested_daily_budget_brl: Schema.Number,
  daily_budget_brl: Schema.Number.annotations({ description: "What was set." }),
  budget_adjustment: BudgetAdjustment,
  served_daily_budget_brl: summary.served_daily_budget_brl,
  is_at_platform: Schema.Boolean.annotations({
    description: "Whether the platform serves by it already; otherwise it is sent by itself."
  })
})

/** The state of a campaign's part at the platform. */
export const PartState = Schema.Literal("draft", "sending", "at_platform", "refused")

export const CreatedSearchAd = Schema.Struct({
  ad_id: AdId,
  ad_group_id: AdGroupId,
  final_url: Schema.String,
  headlines: Schema.Array(Schema.String),
  descriptions: Schema.Array(Schema.String),
  state: PartState,
  refusal: NullableText.annotations({ description: "Why the platform does not take it." }),
  missing_assets: Schema.Array(Schema.String)
})

const AddedKeyword = Schema.Struct({
  keyword_id: AdKeywordId,
  given: Schema.String,
  text: Schema.String.annotations({ description: "What goes to the platform: commas are blanks there." }),
  state: PartState,
  refusal: NullableText
})

export const AddedKeywords = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  ad_group_id: Schema.NullOr(AdGroupId).annotations({ description: "Null: negative for the whole campaign." }),
  match_type: MatchType,
  added: Schema.Array(AddedKeyword),
  already_there: Schema.Array(Schema.String),
  missing_assets: Schema.Array(Schema.String)
})
export type AddedKeywords = typeof AddedKeywords.Type

export const AdGroupList = Schema.Struct({
  ad_groups: Schema.Array(
    Schema.Struct({
      ad_group_id: AdGroupId,
      name: Schema.String,
      status: Schema.Literal("draft", "enabled", "paused", "removed"),
      cpc_bid_brl: Schema.NullOr(Schema.Number).annotations({ description: "Null: the platform bids by itself." }),
      ad_count: Schema.Int,
      keyword_count: Schema.Int
    })
  )
})

export const KeywordList = Schema.Struct({
  ad_group_id: AdGroupId,
  keywords: Schema.Array(
    Schema.Struct({
      keyword_id: AdKeywordId,
      text: Schema.String,
      match_type: MatchType,
      status: Schema.Literal("draft", "sending", "enabled", "paused", "removed", "refused"),
      refusal: NullableText,
      cpc_bid_brl: Schema.NullOr(Schema.Number),
      quality_score: Schema.NullOr(Schema.Int).annotations({
        description: "1 to 10; null until the platform has one."
      })
    })
  ),
  negative_keywords: Schema.Array(
    Schema.Struct({ keyword_id: AdKeywordId, text: Schema.String, match_type: MatchType })
  ).annotations({ description: "Of the whole campaign." })
})

export const ChangedAdsStatus = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  action: Schema.Literal("Pause", "Resume", "End"),
  status: AdsCampaignState,
  is_at_platform: Schema.Boolean.annotations({
    description: "Whether the platform has done it already; otherwise it is told again until it has."
  })
})

export const ProvisioningResult = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  status: AdsCampaignState,
  hold_reason: NullableText,
  hold_detail: NullableText,
  missing_assets: Schema.Array(Schema.String),
  next_run_at: Schema.NullOr(Timestamp).annotations({
    description: "When it goes on by itself; null: when something changes."
  })
})

export const SyncedSpend = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  status: AdsCampaignState,
  balance: AdsBalance,
  performance: AdsSnapshot,
  newly_spent_brl: Schema.Number
})

const metrics = {
  impressions: Schema.optional(Count),
  clicks: Schema.optional(Count),
  cost_brl: Schema.optional(Schema.Number),
  conversions: Schema.optional(Count),
  ctr: Schema.optional(Schema.NullOr(Schema.Number)),
  average_cpc_brl: Schema.optional(Schema.NullOr(Schema.Number))
}

const text = Schema.optional(Schema.String)

export const ReportRow = Schema.Struct({
  campaign: text,
  ad_group_id: Schema.optional(Schema.NullOr(AdGroupId)),
  ad_group: text,
  keyword_id: Schema.optional(Schema.NullOr(AdKeywordId)),
  keyword: text,
  match_type: text,
  quality_score: Schema.optional(Schema.NullOr(Schema.Int)),
  ad_id: Schema.optional(Schema.NullOr(AdId)),
  ad: text,
  approval_status: text,
  search_term: text,
  date: text,
  hour: Schema.optional(Schema.Int),
  device: text,
  conversion_action: text,
  asset: text,
  asset_type: text,
  performance_label: text,
  location: text.annotations({ description: "The name of the place; its id, if the platform has no name for it." }),
  location_id: text.annotations({
    description: "The platform's id of the region, or of the country if no region is known."
  }),
  age_range: text,
  gender: text,
  ...metrics,
  impression_share: Schema.optional(Schema.NullOr(Schema.Number)).annotations({
    description: "Of the impressions that there were to have, 0 to 1."
  }),
  is_share_below_10_percent: Schema.optional(Schema.Boolean),
  lost_to_budget: Schema.optional(Schema.NullOr(Schema.Number)),
  lost_to_rank: Schema.optional(Schema.NullOr(Schema.Number))
})
export type ReportRow = typeof ReportRow.Type

export const PerformanceReport = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  report_type: ReportType,
  date_from: Schema.String,
  date_to: Schema.String,
  time_zone: Schema.String.annotations({ description: "The ads account's: days and hours are of it." }),
  mode: ServiceMode,
  rows: Schema.Array(ReportRow),
  row_count: Schema.Int,
  is_truncated: Schema.Boolean,
  totals: Schema.Struct({
    impressions: Schema.NullOr(Count),
    clicks: Schema.NullOr(Count),
    cost_brl: Schema.NullOr(Schema.Number),
    conversions: Schema.NullOr(Count)
  }).annotations({
    description: "Sums of all rows; of Demographics those by age. Null where the report has no such figure."
  }),
  note: NullableText
})
export type PerformanceReport = typeof PerformanceReport.Type

export const DiagnosisFinding = Schema.Struct({
  code: Schema.String,
  severity: Schema.Literal("blocking", "warning", "info"),
  source: Schema.Literal("platform", "gateway"),
  explanation: Schema.String,
  what_to_do: Schema.String
})
export type DiagnosisFinding = typeof DiagnosisFinding.Type

export const CampaignDiagnosis = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  status: AdsCampaignState,
  serving_status: NullableText,
  primary_status: NullableText,
  primary_status_reasons: Schema.Array(Schema.String),
  findings: Schema.Array(DiagnosisFinding),
  ads: Schema.Array(
    Schema.Struct({
      ad_id: Schema.NullOr(AdId),
      first_headline: Schema.String,
      approval_status: NullableText,
      review_status: NullableText,
      policy_findings: Schema.Array(
        Schema.Struct({ topic: Schema.String, type: Schema.String, texts: Schema.Array(Schema.String) })
      )
    })
  ),
  mode: ServiceMode
})

export const BillingItem = Schema.Struct({
  id: NullableText,
  name: NullableText,
  status: NullableText,
  type: NullableText,
  amount_brl: Schema.NullOr(Schema.Number),
  served_brl: Schema.NullOr(Schema.Number),
  currency: NullableText,
  time_zone: NullableText,
  starts_at: Schema.NullOr(Timestamp).annotations({
    description: "Null for campaign budgets and accounts, which have no period, and where the platform names no start."
  }),
  ends_at: Schema.NullOr(Timestamp).annotations({ description: "Null without an end." }),
  url: NullableText
})
export type BillingItem = typeof BillingItem.Type

export const AdsBilling = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  section: BillingSection,
  items: Schema.Array(BillingItem),
  balance: AdsBalance,
  mode: ServiceMode,
  note: NullableText
})

export const KeywordIdea = Schema.Struct({
  keyword: Schema.String,
  average_monthly_searches: Schema.NullOr(Schema.Int),
  competition: NullableText,
  competition_index: Schema.NullOr(Schema.Int),
  low_top_of_page_bid_brl: Schema.NullOr(Schema.Number),
  high_top_of_page_bid_brl: Schema.NullOr(Schema.Number)
})
export type KeywordIdea = typeof KeywordIdea.Type

export const KeywordIdeas = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  ideas: Schema.Array(KeywordIdea),
  max_results: Schema.Int.annotations({ description: "How many were asked for at most; larger ones are lowered." }),
  fetched_at: Timestamp.annotations({ description: "Ideas of the same seeds are kept for a day." }),
  mode: ServiceMode
})

const UploadState = Schema.Literal("none", "processing", "done", "partial", "failed")

export const AudienceStatus = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  upload_status: UploadState,
  emails_in_last_upload: Schema.Int,
  emails_removed_in_last_upload: Schema.Int,
  phones_in_last_upload: Schema.Int,
  phones_removed_in_last_upload: Schema.Int,
  members: Schema.Int.annotations({
    description: "Addresses and phone numbers that the platform was given and not told to remove."
  }),
  last_upload_at: Schema.NullOr(Timestamp),
  is_attached: Schema.Boolean,
  failure_reason: NullableText,
  mode: ServiceMode,
  note: NullableText
})

export const RefreshedAudience = Schema.Struct({
  ads_campaign_id: AdsCampaignId,
  emails_sent: Schema.Int,
  emails_removed: Schema.Int,
  phones_sent: Schema.Int,
  phones_removed: Schema.Int,
  left_out: Schema.Struct({
    without_email: Schema.Int.annotations({ description: "Their phone numbers are sent." }),
    unsubscribed: Schema.Int,
    blacklisted: Schema.Int,
    suppressed: Schema.Int
  }),
  upload_status: UploadState,
  is_attached: Schema.Boolean,
  mode: ServiceMode
})
