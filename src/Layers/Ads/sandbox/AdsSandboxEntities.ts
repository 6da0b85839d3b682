import { addDays } from "../../../Services/Ads/ReportDates.ts"
import { numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { places } from "./AdsSandboxPlaces.ts"
import {
  type KeywordHour,
  monthlySearches,
  qualityOf,
  type ServedCampaign,
  simulateAdDay
} from "./AdsSandboxServing.ts"
import { recordsOf, type SandboxRecord, type SandboxWorld, servedCampaign, textsIn } from "./AdsSandboxStore.ts"

const dayMillis = 86_400_000
const mostDays = 1200

export interface SearchPlace {
  readonly world: SandboxWorld
  readonly customerId: string
  readonly timeZone: string
  /** The offset of the account's zone from UTC, in milliseconds. */
  readonly zoneMillis: number
  readonly now: number
}

export type Values = ReadonlyMap<string, unknown>

export interface Entity {
  readonly values: Values
  readonly campaign: SandboxRecord | undefined
  readonly has: (hour: KeywordHour) => boolean
}

/** A cache of past days, whose figures no longer change. */
const finished = new Map<string, ReadonlyArray<KeywordHour>>()
const mostFinished = 4000

export const hoursOf = (
  campaign: ServedCampaign,
  { now, zoneMillis }: SearchPlace,
  from: string,
  to: string
): ReadonlyArray<KeywordHour> => {
  const today = new Date(now + zoneMillis).toISOString().slice(0, 10)
  const begun = campaign.statuses.find(({ status }) => status === "ENABLED")?.at ?? now
  const charged = campaign.charges.length > 0 ? Math.min(...campaign.charges.map(({ at }) => at)) : begun
  const first = new Date(Math.min(begun, charged) + zoneMillis).toISOString().slice(0, 10)
  const fingerprint = JSON.stringify(campaign)
  const hours: Array<KeywordHour> = []
  let day = from > first ? from : first
  for (let days = 0; day <= to && day <= today && days < mostDays; days++, day = addDays(day, 1)) {
    const key = `${day} ${zoneMillis} ${fingerprint}`
    const known = finished.get(key)
    const served = known ?? simulateAdDay(campaign, day, zoneMillis, now)
    if (known === undefined && Date.parse(`${day}T00:00:00Z`) - zoneMillis + dayMillis <= now) {
      if (finished.size >= mostFinished) finished.clear()
      finished.set(key, served)
    }
    for (const hour of served) hours.push(hour)
  }
  return hours
}

const stateAt = (record: SandboxRecord, name: string): string => {
  const list: unknown = record.body[name]
  return Array.isArray(list) ? textAt(list.at(-1), "value") : ""
}

export const statusOf = (campaign: SandboxRecord): string => stateAt(campaign, "statuses") || "PAUSED"

const isSuspended = ({ now, world }: SearchPlace): boolean =>
  (world.account?.troubles.stops ?? []).some(({ from, until }) => from <= now && (until === undefined || until > now))

const policyOf = (ad: SandboxRecord) => {
  const disapproved = textAt(ad.body, "disapprovedAt") !== ""
  return {
    approval: disapproved ? "DISAPPROVED" : "APPROVED",
    review: "REVIEWED",
    topics: disapproved
      ? [
          {
            topic: textAt(ad.body, "topic") || "MISLEADING_CONTENT",
            type: "PROHIBITED",
            evidences: [{ textList: { texts: textsIn(ad.body, "ad", "responsiveSearchAd", "headlines").slice(0, 1) } }]
          }
        ]
      : []
  }
}

/** Returns the platform's status of the campaign and its reasons. */
const primaryStatus = (place: SearchPlace, campaign: SandboxRecord) => {
  const { now, world, zoneMillis } = place
  const status = statusOf(campaign)
  if (status === "REMOVED") return { primary: "REMOVED", serving: "ENDED", reasons: ["CAMPAIGN_REMOVED"] }
  const served = servedCampaign(world, campaign)
  const ads = [...recordsOf(world, "ad", campaign.id), ...recordsOf(world, "assetGroup", campaign.id)]
  const disapproved = ads.filter((ad) => policyOf(ad).approval === "DISAPPROVED")
  const today = new Date(now + zoneMillis).toISOString().slice(0, 10)
  const hours = hoursOf(served, place, addDays(today, -1), today)
  const sum = (name: "eligible" | "lostToBudget") => hours.reduce((total, hour) => total + hour[name], 0)
  const enabledAt = served.statuses.find((each) => each.status === "ENABLED")?.at
  const volume = served.keywords.reduce((total, { text }) => total + monthlySearches(text), 0)
  const reasons = [
    ...(status === "PAUSED" ? ["CAMPAIGN_PAUSED"] : []),
    ...(served.keywords.length === 0 ? ["NO_KEYWORDS"] : volume < 300 ? ["SEARCH_VOLUME_LIMITED"] : []),
    ...(ads.length === 0 ? ["NO_AD_GROUP_ADS"] : disapproved.length > 0 ? ["HAS_ADS_DISAPPROVED"] : []),
    ...(sum("lostToBudget") > 0.1 * sum("eligible") ? ["BUDGET_CONSTRAINED"] : []),
    ...(enabledAt !== undefined && now - enabledAt < 7 * dayMillis ? ["BIDDING_STRATEGY_LEARNING"] : [])
  ]
  const isStopped = status === "PAUSED" || served.keywords.length === 0 || disapproved.length === ads.length
  const primary =
    status === "PAUSED"
      ? "PAUSED"
      : isStopped
        ? "NOT_ELIGIBLE"
        : reasons.includes("BIDDING_STRATEGY_LEARNING")
          ? "LEARNING"
          : reasons.length > 0
            ? "LIMITED"
            : "ELIGIBLE"
  return { primary, serving: isSuspended(place) ? "SUSPENDED" : "SERVING", reasons }
}

const campaignValues = (place: SearchPlace, campaign: SandboxRecord): Array<readonly [string, unknown]> => {
  const { customerId, world } = place
  const budgetId = textAt(campaign.body, "budgetId")
  const budget = world.records.find(({ id }) => `${id}` === budgetId)
  return [
    ["campaign.id", `${campaign.id}`],
    ["campaign.resource_name", `customers/${customerId}/campaigns/${campaign.id}`],
    ["campaign.name", textAt(campaign.body, "name")],
    ["campaign.status", statusOf(campaign)],
    ["campaign.campaign_budget", `customers/${customerId}/campaignBudgets/${budgetId}`],
    ["campaign_budget.id", budgetId],
    ["campaign_budget.name", textAt(budget?.body, "name")],
    ["campaign_budget.status", "ENABLED"],
    ["campaign_budget.delivery_method", "STANDARD"],
    ["campaign_budget.amount_micros", budget === undefined ? undefined : stateAt(budget, "amounts")]
  ]
}

const ofCampaign = (
  place: SearchPlace,
  extra: (campaign: SandboxRecord) => ReadonlyArray<readonly [string, unknown]> = () => []
) =>
  recordsOf(place.world, "campaign").map(
    (campaign): Entity => ({
      values: new Map([...campaignValues(place, campaign), ...extra(campaign)]),
      campaign,
      has: () => true
    })
  )

const parts = (
  place: SearchPlace,
  kind: string,
  values: (record: SandboxRecord, campaign: SandboxRecord) => ReadonlyArray<readonly [string, unknown]>,
  has: (record: SandboxRecord) => (hour: KeywordHour) => boolean
): ReadonlyArray<Entity> =>
  recordsOf(place.world, "campaign").flatMap((campaign) =>
    recordsOf(place.world, kind, campaign.id).map((record) => ({
      values: new Map([...campaignValues(place, campaign), ...values(record, campaign)]),
      campaign,
      has: has(record)
    }))
  )

const alone = (values: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<Entity> => [
  { values: new Map(values), campaign: undefined, has: () => false }
]

const adsOfCampaign = (place: SearchPlace, campaign: SandboxRecord) =>
  recordsOf(place.world, "ad", campaign.id).map(({ body }) => ({
    headlines: textsIn(body, "ad", "responsiveSearchAd", "headlines")
  }))

/** Campaigns and what they contain. Undefined for a kind that the simulator does not know. */
const campaignEntities = (place: SearchPlace, from: string): ReadonlyArray<Entity> | undefined => {
  switch (from) {
    case "campaign":
      return ofCampaign(place, (campaign) => {
        const { primary, reasons, serving } = primaryStatus(place, campaign)
        return [
          ["campaign.serving_status", serving],
          ["campaign.primary_status", primary],
          ["campaign.primary_status_reasons", reasons]
        ]
      })
    case "search_term_view":
    case "geographic_view":
    case "age_range_view":
    case "gender_view":
    case "ad_group_ad_asset_view":
      return ofCampaign(place, () => [["geographic_view.country_criterion_id", "2076"]])
    case "asset_group":
      return parts(
        place,
        "assetGroup",
        ({ body, id }) => [
          ["asset_group.id", `${id}`],
          ["asset_group.name", textAt(body, "name")],
          ["asset_group.status", "ENABLED"]
        ],
        () => () => true
      )
    case "ad_group":
      return parts(
        place,
        "adGroup",
        ({ body, id }) => [
          ["ad_group.id", `${id}`],
          ["ad_group.name", textAt(body, "name")],
          ["ad_group.status", "ENABLED"],
          ["ad_group.cpc_bid_micros", "0"]
        ],
        () => () => true
      )
    case "ad_group_ad":
      return parts(
        place,
        "ad",
        (ad) => {
          const { approval, review, topics } = policyOf(ad)
          const { body, id } = ad
          return [
            ["ad_group_ad.ad.id", `${id}`],
            ["ad_group_ad.status", "ENABLED"],
            ["ad_group_ad.ad.final_urls", [textAt(body, "ad", "finalUrls", 0)]],
            [
              "ad_group_ad.ad.responsive_search_ad.headlines",
              textsIn(body, "ad", "responsiveSearchAd", "headlines").map((text) => ({ text }))
            ],
            [
              "ad_group_ad.ad.responsive_search_ad.descriptions",
              textsIn(body, "ad", "responsiveSearchAd", "descriptions").map((text) => ({ text }))
            ],
            ["ad_group_ad.policy_summary.approval_status", approval],
            ["ad_group_ad.policy_summary.review_status", review],
            ["ad_group_ad.policy_summary.policy_topic_entries", topics]
          ]
        },
        ({ id }) =>
          ({ adId }) =>
            adId === id
      )
    case "ad_group_criterion":
    case "keyword_view":
      return parts(
        place,
        "keyword",
        ({ body, id }, campaign) => [
          ["ad_group_criterion.criterion_id", `${id}`],
          ["ad_group_criterion.type", "KEYWORD"],
          ["ad_group_criterion.status", "ENABLED"],
          ["ad_group_criterion.keyword.text", textAt(body, "text")],
          ["ad_group_criterion.keyword.match_type", textAt(body, "matchType")],
          [
            "ad_group_criterion.quality_info.quality_score",
            qualityOf(textAt(body, "text"), adsOfCampaign(place, campaign))
          ]
        ],
        ({ id }) =>
          ({ keywordId }) =>
            keywordId === id
      )
    case "campaign_criterion":
      return [
        ...parts(
          place,
          "negative",
          ({ body, id }) => [
            ["campaign_criterion.criterion_id", `${id}`],
            ["campaign_criterion.type", "KEYWORD"],
            ["campaign_criterion.negative", true],
            ["campaign_criterion.keyword.text", textAt(body, "text")],
            ["campaign_criterion.keyword.match_type", textAt(body, "matchType")]
          ],
          () => () => false
        ),
        ...parts(
          place,
          "criterion",
          ({ body, id }) => [
            ["campaign_criterion.criterion_id", `${id}`],
            ["campaign_criterion.type", textAt(body, "type")],
            ["campaign_criterion.negative", false],
            ["campaign_criterion.user_list.user_list", textAt(body, "userList", "userList")],
            ["campaign_criterion.bid_modifier", numberAt(body, "bidModifier")]
          ],
          () => () => false
        )
      ]
    default:
      return undefined
  }
}

/** The records of a kind. Undefined for a kind that the simulator does not know. */
export const entities = (place: SearchPlace, from: string): ReadonlyArray<Entity> | undefined => {
  const { customerId, now, timeZone, world } = place
  const opened = world.account === undefined ? [] : [world.account]
  switch (from) {
    case "customer":
      return opened.flatMap(({ name }) =>
        alone([
          ["customer.id", customerId],
          ["customer.descriptive_name", name],
          ["customer.status", isSuspended(place) ? "SUSPENDED" : "ENABLED"],
          ["customer.currency_code", "BRL"],
          ["customer.time_zone", timeZone]
        ])
      )
    case "customer_client":
      return opened.flatMap(({ name }) =>
        alone([
          ["customer_client.id", customerId],
          ["customer_client.descriptive_name", name],
          ["customer_client.status", "ENABLED"],
          ["customer_client.time_zone", timeZone]
        ])
      )
    case "billing_setup":
      return opened.flatMap(({ troubles }) =>
        alone([
          ["billing_setup.id", "1"],
          ["billing_setup.status", troubles.noBilling === true ? "PENDING" : "APPROVED"],
          ["billing_setup.payments_account_info.payments_account_name", "Simulated payments"],
          ["billing_setup.start_date_time", "2026-01-01 00:00:00"]
        ])
      )
    case "account_budget":
      return opened.flatMap(() =>
        alone([
          ["account_budget.id", "1"],
          ["account_budget.name", "Simulated budget"],
          ["account_budget.status", "APPROVED"],
          ["account_budget.amount_served_micros", `${servedIn(place)}`],
          ["account_budget.approved_start_date_time", "2026-01-01 00:00:00"]
        ])
      )
    case "account_budget_proposal":
      return opened.flatMap(() =>
        alone([
          ["account_budget_proposal.id", "1"],
          ["account_budget_proposal.proposed_name", "Simulated budget"],
          ["account_budget_proposal.status", "APPROVED"],
          ["account_budget_proposal.proposal_type", "CREATE"],
          ["account_budget_proposal.creation_date_time", "2026-01-01 00:00:00"]
        ])
      )
    case "user_list":
      return recordsOf(world, "userList").flatMap(({ body, id }) =>
        alone([
          ["user_list.id", `${id}`],
          ["user_list.name", textAt(body, "name")],
          ["user_list.type", "CRM_BASED"]
        ])
      )
    case "conversion_action":
      return recordsOf(world, "conversionAction").flatMap(({ body, id }) =>
        alone([
          ["conversion_action.id", `${id}`],
          ["conversion_action.name", textAt(body, "name")],
          ["conversion_action.type", textAt(body, "type")],
          ["conversion_action.status", textAt(body, "status")]
        ])
      )
    case "geo_target_constant":
      return places.flatMap(([id, name]) =>
        alone([
          ["geo_target_constant.id", id],
          ["geo_target_constant.name", name]
        ])
      )
    case "offline_user_data_job":
      return recordsOf(world, "upload").flatMap(({ createdAt, id }) =>
        alone([
          ["offline_user_data_job.id", `${id}`],
          ["offline_user_data_job.status", now - createdAt > 60_000 ? "SUCCESS" : "RUNNING"]
        ])
      )
    default:
      return campaignEntities(place, from)
  }
}

const servedIn = (place: SearchPlace): number =>
  recordsOf(place.world, "campaign").reduce(
    (total, campaign) =>
      total +
      hoursOf(servedCampaign(place.world, campaign), place, "2020-01-01", "9999-12-31").reduce(
        (sum, { costMicros }) => sum + costMicros,
        0
      ),
    0
  )
