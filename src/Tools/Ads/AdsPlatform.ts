import { Effect } from "effect"
import { Ads } from "../../Services/Ads/Ads.ts"
import {
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
} from "../../Services/Ads/AdsModel.ts"
import { AdGroupId, BillingSection, ChannelType, MatchType, ReportType, StatusAction } from "../../Services/Ads/Ids.ts"
import { presets } from "../../Services/Ads/ReportDates.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

/** The platform's own errors, of the tools that call it within the call. */
const platformReasons = {
  Refused: ["ads_account_not_enabled", "refused_by_platform"],
  Transient: [
    "ads_platform_quota_used_up",
    "ads_platform_rate_limited",
    "ads_platform_unauthorized",
    "ads_platform_unavailable",
    "ads_platform_unreadable"
  ]
} as const

const keywordRefusals = [
  "keyword_character",
  "keyword_empty",
  "keyword_too_long",
  "keyword_too_many_words",
  "keywords_empty",
  "too_many_keywords"
] as const

const campaign = Param.text("The ads campaign's name or id, as list_adsplatform_campaigns answers them.", {
  minLength: 1,
  maxLength: 200
})
const adGroupId = Param.id(AdGroupId, "The campaign's ad group, as list_adsplatform_ad_groups answers it.")
const keywords = Param.text(
  "One keyword per line, at most 200: up to 80 characters and 10 words each. A comma does not separate keywords: it goes to the platform as a blank, and the answer shows it."
)
const matchType = Param.withDefault(
  Param.oneOf(
    MatchType.literals,
    "Broad: searches that mean about the same; Phrase: those that contain it; Exact: those that are it."
  ),
  "Broad"
)
const example = { campaign: "Agenda para clínicas" }

const createDraft = Tool.make("create_adsplatform_campaign_draft", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  description:
    "Makes a draft of an ads campaign with one ad group, whose id the ads and keywords are added to. It is not live: it is served only when it has what it needs and its owner has added funds at the recharge_url of the answer, so never say that it runs. Automated campaigns are worth it only after a Search campaign has brought real conversions.",
  parameters: {
    name: Param.text("What the campaign is called; no other of the account that has not ended has the name.", {
      maxLength: 200
    }),
    daily_budget_brl: Param.number(
      "What may be spent in a day on average, in reais; above zero. The answer says what was set."
    ),
    channel_type: Param.withDefault(
      Param.oneOf(ChannelType.literals, "Search: ads beside search results; Automated: the platform chooses where."),
      "Search"
    )
  },
  returns: CreatedAdsDraft,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: ["budget_not_positive", "name_invalid", "name_of_digits", "name_taken", "too_many_campaigns"]
  },
  example: { name: "Agenda para escolas", daily_budget_brl: 50 },
  run: Tool.via(Ads, (ads, { channel_type, daily_budget_brl, name }) =>
    ads.createDraft(name, daily_budget_brl, channel_type)
  )
})

const listCampaigns = Tool.make("list_adsplatform_campaigns", {
  kind: "read",
  openWorld: false,
  description:
    "Lists the account's ads campaigns with status, channel, daily budget, why they wait, and balance (recharged, spent, remaining), newest first and ended ones last. Where to begin: the other tools take a name or id of it.",
  parameters: {},
  returns: AdsCampaignList,
  example: {},
  run: () => Effect.flatMap(Ads, (ads) => ads.list)
})

const getCampaign = Tool.make("get_adsplatform_campaign", {
  kind: "read",
  openWorld: false,
  description:
    "Shows an ads campaign: status and why it waits or was suspended, what it lacks, balance, the figures of the last sync, the link at which funds are added and the one to the platform's console. Call sync_adsplatform_spend first where the figures have to be of this minute.",
  parameters: { campaign },
  returns: AdsCampaignView,
  errors: { NotFound: ["ads_campaign_not_found"] },
  example,
  run: Tool.via(Ads, (ads, args) => ads.get(args.campaign))
})

const listAdGroups = Tool.make("list_adsplatform_ad_groups", {
  kind: "read",
  openWorld: true,
  description:
    "Lists a campaign's ad groups with id, status and bid for a click. A campaign made here has one, whose id stays the same when it goes live.",
  parameters: { campaign },
  returns: AdGroupList,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: platformReasons.Refused,
    Transient: platformReasons.Transient
  },
  example,
  run: Tool.via(Ads, (ads, args) => ads.adGroups(args.campaign))
})

const listKeywords = Tool.make("list_adsplatform_keywords", {
  kind: "read",
  openWorld: true,
  description:
    "Lists an ad group's keywords with match type, status, bid for a click and quality score (1 to 10, null until the platform has one), and the negative keywords of the campaign.",
  parameters: { campaign, ad_group_id: adGroupId },
  returns: KeywordList,
  errors: {
    NotFound: ["ad_group_not_found", "ads_campaign_not_found"],
    Refused: platformReasons.Refused,
    Transient: platformReasons.Transient
  },
  example: { ...example, ad_group_id: 1 },
  run: Tool.via(Ads, (ads, { ad_group_id, campaign: name }) => ads.keywords(name, ad_group_id))
})

const addKeywords = Tool.make("add_adsplatform_keywords", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  transaction: "several",
  description:
    "Adds keywords to an ad group, in a draft or a campaign that is live. All are checked first, and none is added where one is wrong; those that are there already are told apart. The answer shows each as it goes to the platform, and whether the platform took it.",
  parameters: { campaign, ad_group_id: adGroupId, keywords, match_type: matchType },
  returns: AddedKeywords,
  errors: {
    NotFound: ["ad_group_not_found", "ads_campaign_not_found"],
    Refused: [...keywordRefusals, "campaign_ended", "not_a_search_campaign"]
  },
  example: { ...example, ad_group_id: 1, keywords: "agenda online\nsoftware para clínica", match_type: "Phrase" },
  run: Tool.via(Ads, (ads, { ad_group_id, campaign: name, keywords: given, match_type }) =>
    ads.addKeywords(name, ad_group_id, { keywords: given, matchType: match_type })
  )
})

const addNegatives = Tool.make("add_adsplatform_negative_keywords", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  transaction: "several",
  description:
    "Adds negative keywords to a whole campaign: searches that they match show no ad. They match less than others do, and not what merely means the same. The SearchTerms report shows what to exclude.",
  parameters: { campaign, keywords, match_type: matchType },
  returns: AddedKeywords,
  errors: {
    NotFound: ["ad_group_not_found", "ads_campaign_not_found"],
    Refused: [...keywordRefusals, "campaign_ended", "not_a_search_campaign"]
  },
  example: { ...example, keywords: "emprego\nvagas" },
  run: Tool.via(Ads, (ads, { campaign: name, keywords: given, match_type }) =>
    ads.addNegativeKeywords(name, { keywords: given, matchType: match_type })
  )
})

const createSearchAd = Tool.make("create_adsplatform_search_ad", {
  kind: "write",
  idempotent: false,
  openWorld: true,
  transaction: "several",
  description:
    "Adds a responsive search ad to an ad group, in a draft or a campaign that is live; the platform puts headlines and descriptions together as it finds best. At most three ads in an ad group. The platform reviews each: diagnose_adsplatform_campaign shows what came of it.",
  parameters: {
    campaign,
    ad_group_id: adGroupId,
    final_url: Param.text("The page that it leads to; https.", { maxLength: 4000 }),
    headlines: Param.text("One per line, 3 to 15, of at most 30 characters, none twice.", { maxLength: 4000 }),
    descriptions: Param.text("One per line, 2 to 4, of at most 90 characters, none twice.", { maxLength: 4000 })
  },
  returns: CreatedSearchAd,
  errors: {
    NotFound: ["ad_group_not_found", "ads_campaign_not_found"],
    Refused: [
      "ad_repeated",
      "campaign_ended",
      "control_characters",
      "description_count",
      "description_repeated",
      "description_too_long",
      "final_url_invalid",
      "headline_count",
      "headline_repeated",
      "headline_too_long",
      "keyword_insertion_invalid",
      "not_a_search_campaign",
      "too_many_ads"
    ]
  },
  example: {
    ...example,
    ad_group_id: 1,
    final_url: "https://ondas.example/clinicas",
    headlines: "Agenda online para clínicas\nMenos faltas, mais pacientes\nTeste sem fidelidade",
    descriptions: "Confirme consultas sozinho e receba em dia.\nImplantação em cinco dias úteis, sem custo."
  },
  run: Tool.via(Ads, (ads, { ad_group_id, campaign: name, descriptions, final_url, headlines }) =>
    ads.createSearchAd(name, { adGroupId: ad_group_id, finalUrl: final_url, headlines, descriptions })
  )
})

const updateBudget = Tool.make("update_adsplatform_campaign_budget", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Sets a campaign's daily budget and answers what was set, after the platform's limits (R$ 1 to R$ 50,000, whole cents). On a day the platform may spend up to twice of it, in a month never more than 30.4 times. Where little balance is left it is served by less.",
  parameters: {
    campaign,
    new_daily_budget_brl: Param.number("What may be spent in a day on average, in reais; above zero.")
  },
  returns: UpdatedAdsBudget,
  errors: { NotFound: ["ads_campaign_not_found"], Refused: ["budget_not_positive", "campaign_ended"] },
  example: { ...example, new_daily_budget_brl: 80 },
  run: Tool.via(Ads, (ads, { campaign: name, new_daily_budget_brl }) => ads.updateBudget(name, new_daily_budget_brl))
})

const setStatus = Tool.make("set_adsplatform_campaign_status", {
  kind: "destructive",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Pauses, resumes or ends a campaign, at once. End removes it at the platform and cannot be undone: ask the customer to confirm it in so many words before. It stays listed as ended. Resume needs balance, an ad and, for Search, a keyword.",
  parameters: {
    campaign,
    action: Param.oneOf(StatusAction.literals, "Pause, Resume, or End for good.")
  },
  returns: ChangedAdsStatus,
  errors: { NotFound: ["ads_campaign_not_found"], Refused: ["assets_missing", "campaign_ended", "no_balance"] },
  example: { ...example, action: "Pause" },
  run: Tool.via(Ads, (ads, { action, campaign: name }) => ads.setStatus(name, action))
})

const nudge = Tool.make("nudge_adsplatform_provisioning", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Goes through a funded campaign's go-live once more, at once: account, declaration, what it lacks, the platform's check, its making, policies, enabling. For one that looks stuck; what was made before is found again, and nothing is made twice.",
  parameters: { campaign },
  returns: ProvisioningResult,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: [...platformReasons.Refused, "campaign_ended", "no_funds"],
    Transient: platformReasons.Transient
  },
  example,
  run: Tool.via(Ads, (ads, args) => ads.nudge(args.campaign))
})

const syncSpend = Tool.make("sync_adsplatform_spend", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Fetches a campaign's spend and figures from the platform now, and with them its balance. Call it before telling anybody spend or balance. By itself it is done every quarter of an hour.",
  parameters: { campaign },
  returns: SyncedSpend,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: platformReasons.Refused,
    Transient: platformReasons.Transient
  },
  example,
  run: Tool.via(Ads, (ads, args) => ads.syncSpend(args.campaign))
})

const report = Tool.make("get_adsplatform_performance_report", {
  kind: "read",
  openWorld: true,
  description:
    "Fetches a report from the platform now. Keyword has the quality score; ImpressionShare what share of the searches it had, and what it lost to budget and to rank; AdAssets how each text does (PENDING, LEARNING, LOW, GOOD, BEST); Conversion has no cost, which the platform does not split so. Days and hours are of the ads account's time zone.",
  parameters: {
    campaign,
    report_type: Param.oneOf(ReportType.literals, "What the figures are broken down by."),
    date_range: Param.withDefault(
      Param.text(`${presets.join(", ")}, or two dates as yyyy-MM-dd AND yyyy-MM-dd, both included.`, {
        maxLength: 100
      }),
      "LAST_30_DAYS"
    )
  },
  returns: PerformanceReport,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: [...platformReasons.Refused, "date_range_invalid", "dates_in_future", "dates_reversed", "dates_too_early"],
    Transient: platformReasons.Transient
  },
  example: { ...example, report_type: "SearchTerms", date_range: "LAST_90_DAYS" },
  run: Tool.via(Ads, (ads, { campaign: name, date_range, report_type }) => ads.report(name, report_type, date_range))
})

const diagnose = Tool.make("diagnose_adsplatform_campaign", {
  kind: "read",
  openWorld: true,
  description:
    "Says why a campaign is served as it is: the platform's own status and reasons of this moment, what the gateway knows besides (funds, missing parts, clicks without conversions), each with what to do, and for every ad how its review ended, with the policies' topics and the texts that they name.",
  parameters: { campaign },
  returns: CampaignDiagnosis,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: platformReasons.Refused,
    Transient: platformReasons.Transient
  },
  example,
  run: Tool.via(Ads, (ads, args) => ads.diagnose(args.campaign))
})

const billing = Tool.make("get_adsplatform_billing", {
  kind: "read",
  openWorld: true,
  description:
    "Shows the billing of the account's own client account at the platform, section by section, with the campaign's balance. Invoices needs year and month; the others take neither.",
  parameters: {
    campaign,
    section: Param.oneOf(BillingSection.literals, "What to show."),
    year: Param.optional(Param.integer("Of the invoices.", { minimum: 2000, maximum: 2100 })),
    month: Param.optional(Param.integer("Of the invoices: 1 to 12.", { minimum: 1, maximum: 12 }))
  },
  returns: AdsBilling,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: [...platformReasons.Refused, "parameter_missing", "parameter_not_taken"],
    Transient: platformReasons.Transient
  },
  example: { ...example, section: "CampaignBudgets" },
  run: Tool.via(Ads, (ads, { campaign: name, month, section, year }) => ads.billing(name, section, { year, month }))
})

const ideas = Tool.make("get_adsplatform_keyword_ideas", {
  kind: "read",
  openWorld: true,
  description:
    "Fetches keyword ideas of the platform's planner, with how often each is searched for in a month, how hard others compete and what a click at the top costs. It needs seed keywords, a page, or both; the same ones are asked for once a day.",
  parameters: {
    campaign,
    seed_keywords: Param.optional(Param.text("One per line, at most 20.", { maxLength: 4000 })),
    page_url: Param.optional(Param.text("A page whose subject the ideas are of; https.", { maxLength: 4000 })),
    max_results: Param.size("At most so many ideas.", { default: 50, maximum: 500 })
  },
  returns: KeywordIdeas,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: [...platformReasons.Refused, "final_url_invalid", "page_url_invalid", "seeds_missing", "too_many_seeds"],
    Transient: platformReasons.Transient
  },
  example: { ...example, seed_keywords: "agenda online\nsistema para clínica" },
  run: Tool.via(Ads, (ads, { campaign: name, max_results, page_url, seed_keywords }) =>
    ads.keywordIdeas(name, { keywords: seed_keywords, pageUrl: page_url, most: max_results })
  )
})

const audienceStatus = Tool.make("get_adsplatform_audience_status", {
  kind: "read",
  openWorld: false,
  description:
    "Tells how a campaign's audience list stands: how many addresses the last upload had and when, what became of it, how many the platform has been given, and whether the list is attached to the campaign.",
  parameters: { campaign },
  returns: AudienceStatus,
  errors: { NotFound: ["ads_campaign_not_found"] },
  example,
  run: Tool.via(Ads, (ads, args) => ads.audienceStatus(args.campaign))
})

const refreshAudience = Tool.make("refresh_adsplatform_audience", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  transaction: "several",
  description:
    "Sends the addresses of the account's leads, hashed, to the campaign's audience list, and takes those back that may no longer be there. Left out are leads who unsubscribed, are blacklisted or suppressed. Answers how many were sent; the platform works on it for some hours.",
  parameters: { campaign },
  returns: RefreshedAudience,
  errors: {
    NotFound: ["ads_campaign_not_found"],
    Refused: [...platformReasons.Refused, "campaign_ended", "campaign_not_at_platform", "not_a_search_campaign"],
    Transient: platformReasons.Transient
  },
  example,
  run: Tool.via(Ads, (ads, args) => ads.refreshAudience(args.campaign))
})

export const AdsPlatformGroup = Tool.group(
  "Ads platform",
  "Ads beside search results: campaigns from draft over funding to reports, with keywords, ads, audiences and billing.",
  [
    listCampaigns,
    getCampaign,
    createDraft,
    listAdGroups,
    listKeywords,
    addKeywords,
    addNegatives,
    createSearchAd,
    updateBudget,
    setStatus,
    nudge,
    syncSpend,
    report,
    diagnose,
    billing,
    ideas,
    audienceStatus,
    refreshAudience
  ]
)
