import { Schema } from "effect"

export const AdsCampaignId = Schema.Int.pipe(Schema.brand("AdsCampaignId"))
export type AdsCampaignId = typeof AdsCampaignId.Type

export const AdGroupId = Schema.Int.pipe(Schema.brand("AdGroupId"))
export type AdGroupId = typeof AdGroupId.Type

export const AdId = Schema.Int.pipe(Schema.brand("AdId"))
export type AdId = typeof AdId.Type

export const AdKeywordId = Schema.Int.pipe(Schema.brand("AdKeywordId"))
export type AdKeywordId = typeof AdKeywordId.Type

export const ChannelType = Schema.Literal("Search", "Automated")
export type ChannelType = typeof ChannelType.Type

export const MatchType = Schema.Literal("Broad", "Phrase", "Exact")
export type MatchType = typeof MatchType.Type

export const AdsCampaignState = Schema.Literal(
  "draft",
  "awaiting_funds",
  "provisioning",
  "held",
  "live",
  "paused",
  "depleted",
  "ended",
  "failed"
)
export type AdsCampaignState = typeof AdsCampaignState.Type

export const ReportType = Schema.Literal(
  "Campaign",
  "AdGroup",
  "Keyword",
  "Ad",
  "SearchTerms",
  "Daily",
  "Device",
  "Conversion",
  "ImpressionShare",
  "AdAssets",
  "Hourly",
  "Geographic",
  "Demographics"
)
export type ReportType = typeof ReportType.Type

export const BillingSection = Schema.Literal(
  "AccountInfo",
  "AccountBudgets",
  "BillingSetups",
  "Proposals",
  "Invoices",
  "CampaignBudgets"
)
export type BillingSection = typeof BillingSection.Type

export const StatusAction = Schema.Literal("Pause", "Resume", "End")
export type StatusAction = typeof StatusAction.Type
