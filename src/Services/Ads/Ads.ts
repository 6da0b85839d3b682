import { Context, type Effect } from "effect"
import type { NotFound, Permanent, Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type {
  AddedKeywords,
  AdGroupList,
  AdsBilling,
  AdsCampaignList,
  AdsCampaignView,
  AudienceStatus,
  CampaignDiagnosis,
  ChangedAdsStatus,
  CreatedAdsDraft,
  CreatedSearchAd,
  KeywordIdeas,
  KeywordList,
  PerformanceReport,
  ProvisioningResult,
  RefreshedAudience,
  SyncedSpend,
  UpdatedAdsBudget
} from "./AdsModel.ts"
import type { AdGroupId, BillingSection, ChannelType, MatchType, ReportType, StatusAction } from "./Ids.ts"

type Answer<A> = Effect.Effect<A, NotFound | Refused | Transient | Permanent, Caller>
/** Read from the gateway's tables, without a request to the platform. */
type StoredAnswer<A, E = never> = Effect.Effect<A, E | Transient, Caller>

export interface NewSearchAd {
  readonly adGroupId: AdGroupId
  readonly finalUrl: string
  readonly headlines: string
  readonly descriptions: string
}

export interface NewKeywords {
  readonly keywords: string
  readonly matchType: MatchType
}

/**
 * Campaigns of an account at the ads platform. `campaign` is a name or an id. Methods that call the platform open their
 * own transactions.
 */
export class Ads extends Context.Tag("Ads")<
  Ads,
  {
    readonly createDraft: (
      name: string,
      dailyBudgetBrl: number,
      channelType: ChannelType
    ) => Answer<typeof CreatedAdsDraft.Type>
    readonly list: StoredAnswer<typeof AdsCampaignList.Type>
    readonly get: (campaign: string) => StoredAnswer<AdsCampaignView, NotFound>
    readonly adGroups: (campaign: string) => Answer<typeof AdGroupList.Type>
    readonly keywords: (campaign: string, adGroupId: AdGroupId) => Answer<typeof KeywordList.Type>
    readonly addKeywords: (campaign: string, adGroupId: AdGroupId, keywords: NewKeywords) => Answer<AddedKeywords>
    readonly addNegativeKeywords: (campaign: string, keywords: NewKeywords) => Answer<AddedKeywords>
    readonly createSearchAd: (campaign: string, ad: NewSearchAd) => Answer<typeof CreatedSearchAd.Type>
    readonly updateBudget: (campaign: string, dailyBudgetBrl: number) => Answer<typeof UpdatedAdsBudget.Type>
    readonly setStatus: (campaign: string, action: StatusAction) => Answer<typeof ChangedAdsStatus.Type>
    readonly nudge: (campaign: string) => Answer<typeof ProvisioningResult.Type>
    readonly syncSpend: (campaign: string) => Answer<typeof SyncedSpend.Type>
    readonly report: (campaign: string, type: ReportType, dateRange: string) => Answer<typeof PerformanceReport.Type>
    readonly diagnose: (campaign: string) => Answer<typeof CampaignDiagnosis.Type>
    readonly billing: (
      campaign: string,
      section: BillingSection,
      period: { readonly year: number | undefined; readonly month: number | undefined }
    ) => Answer<typeof AdsBilling.Type>
    readonly keywordIdeas: (
      campaign: string,
      seeds: { readonly keywords: string | undefined; readonly pageUrl: string | undefined; readonly most: number }
    ) => Answer<typeof KeywordIdeas.Type>
    readonly audienceStatus: (campaign: string) => StoredAnswer<typeof AudienceStatus.Type, NotFound>
    readonly refreshAudience: (campaign: string) => Answer<typeof RefreshedAudience.Type>
  }
>() {}
