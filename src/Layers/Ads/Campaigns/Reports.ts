import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Clock, Effect, Option, Schema } from "effect"
import { type PerformanceReport, ReportRow } from "../../../Services/Ads/AdsModel.ts"
import { brlOf } from "../../../Services/Ads/AdsMoney.ts"
import type { ReportType } from "../../../Services/Ads/Ids.ts"
import { dayIn, type ReportDates, reportDates } from "../../../Services/Ads/ReportDates.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { at, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { AdsFailure, toolError } from "../Calling/AdsFailure.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import { adsOf, type CampaignRow, keywordsOf } from "./CampaignRows.ts"
import type { makeGoLive } from "./GoLive.ts"
import { matchTypeOf } from "./PlatformContent.ts"

const mostRows = 1000
/** Keeps a query below the platform's limit of 32 KiB. */
const placesAtATime = 500

const figures = "metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions"

/** The queries of each report. Demographics has two, the others one. */
const queries: { readonly [T in ReportType]: ReadonlyArray<readonly [select: string, from: string]> } = {
  Campaign: [[`campaign.name, ${figures}`, "campaign"]],
  AdGroup: [[`ad_group.id, ad_group.name, ${figures}`, "ad_group"]],
  Keyword: [
    [
      `ad_group_criterion.criterion_id, ad_group_criterion.keyword.text, ad_group_criterion.keyword.match_type, ad_group_criterion.quality_info.quality_score, ${figures}`,
      "keyword_view"
    ]
  ],
  Ad: [
    [
      `ad_group_ad.ad.id, ad_group_ad.ad.responsive_search_ad.headlines, ad_group_ad.policy_summary.approval_status, ${figures}`,
      "ad_group_ad"
    ]
  ],
  SearchTerms: [[`search_term_view.search_term, ${figures}`, "search_term_view"]],
  Daily: [[`segments.date, ${figures}`, "campaign"]],
  Device: [[`segments.device, ${figures}`, "campaign"]],
  // The platform does not report cost together with conversion actions, so it is left out.
  Conversion: [["segments.conversion_action_name, metrics.conversions", "campaign"]],
  ImpressionShare: [
    [
      `campaign.name, metrics.search_impression_share, metrics.search_budget_lost_impression_share, metrics.search_rank_lost_impression_share, ${figures}`,
      "campaign"
    ]
  ],
  AdAssets: [
    [
      "ad_group_ad_asset_view.field_type, ad_group_ad_asset_view.performance_label, asset.text_asset.text, metrics.impressions, metrics.clicks",
      "ad_group_ad_asset_view"
    ]
  ],
  Hourly: [[`segments.hour, ${figures}`, "campaign"]],
  Geographic: [[`geographic_view.country_criterion_id, segments.geo_target_region, ${figures}`, "geographic_view"]],
  Demographics: [
    [`ad_group_criterion.age_range.type, ${figures}`, "age_range_view"],
    [`ad_group_criterion.gender.type, ${figures}`, "gender_view"]
  ]
}

const ratio = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null

interface Figures {
  readonly impressions: number | undefined
  readonly clicks: number | undefined
  readonly costMicros: number | undefined
  readonly conversions: number | undefined
}

const rounded = (value: number): number => Math.round(value * 100) / 100

const decodeRow = Schema.decodeUnknownOption(ReportRow)

/** The platform leaves out figures that are zero. */
const figureOf = (row: unknown, select: string, name: string, member: string): number | undefined => {
  if (!select.includes(`metrics.${name}`)) return undefined
  const text = textAt(row, "metrics", member)
  return text === "" ? 0 : Number(text)
}

/** The platform's id of a row's region, or of its country. */
const placeOf = (row: unknown): string => {
  const region = textAt(row, "segments", "geoTargetRegion").split("/").at(-1) ?? ""
  return region === "" ? textAt(row, "geographicView", "countryCriterionId") : region
}

/** The campaign's records, keyed by the platform's ids. */
interface CampaignRecords {
  readonly campaign: string
  readonly adGroupId: number
  readonly ads: ReadonlyMap<string, number>
  readonly keywords: ReadonlyMap<string, number>
  /** The names of places by the platform's ids. */
  readonly places: ReadonlyMap<string, string>
}

const placeLabels = (row: unknown, { places }: CampaignRecords) => {
  const id = placeOf(row)
  return { location: places.get(id) ?? id, location_id: id }
}

const labels = (row: unknown, type: ReportType, records: CampaignRecords) => {
  const criterion = at(row, "adGroupCriterion")
  switch (type) {
    case "Campaign":
    case "ImpressionShare":
      return { campaign: records.campaign }
    case "AdGroup":
      return { ad_group_id: records.adGroupId, ad_group: textAt(row, "adGroup", "name") }
    case "Keyword":
      return {
        keyword_id: records.keywords.get(textAt(criterion, "criterionId")) ?? null,
        keyword: textAt(criterion, "keyword", "text"),
        match_type: matchTypeOf(textAt(criterion, "keyword", "matchType")) ?? "Broad",
        quality_score: numberAt(criterion, "qualityInfo", "qualityScore") ?? null
      }
    case "Ad":
      return {
        ad_id: records.ads.get(textAt(row, "adGroupAd", "ad", "id")) ?? null,
        ad: textAt(row, "adGroupAd", "ad", "responsiveSearchAd", "headlines", 0, "text"),
        approval_status: textAt(row, "adGroupAd", "policySummary", "approvalStatus")
      }
    case "SearchTerms":
      return { search_term: textAt(row, "searchTermView", "searchTerm") }
    case "Daily":
      return { date: textAt(row, "segments", "date") }
    case "Device":
      return { device: textAt(row, "segments", "device") }
    case "Conversion":
      return { conversion_action: textAt(row, "segments", "conversionActionName") }
    case "AdAssets":
      return {
        asset: textAt(row, "asset", "textAsset", "text"),
        asset_type: textAt(row, "adGroupAdAssetView", "fieldType"),
        performance_label: textAt(row, "adGroupAdAssetView", "performanceLabel")
      }
    case "Hourly":
      return { hour: numberAt(row, "segments", "hour") ?? 0 }
    case "Geographic":
      return placeLabels(row, records)
    case "Demographics":
      return at(criterion, "ageRange") === undefined
        ? { gender: textAt(criterion, "gender", "type") }
        : { age_range: textAt(criterion, "ageRange", "type") }
  }
}

const shares = (row: unknown) => {
  const share = numberAt(row, "metrics", "searchImpressionShare")
  return {
    impression_share: share ?? null,
    // The platform reports any share below a tenth as a value under 0.1.
    is_share_below_10_percent: share !== undefined && share < 0.1,
    lost_to_budget: numberAt(row, "metrics", "searchBudgetLostImpressionShare") ?? null,
    lost_to_rank: numberAt(row, "metrics", "searchRankLostImpressionShare") ?? null
  }
}

const sum = (rows: ReadonlyArray<{ readonly read: Figures }>, name: keyof Figures): number | null =>
  rows.some(({ read }) => read[name] === undefined)
    ? null
    : rows.reduce((total, { read }) => total + (read[name] ?? 0), 0)

const order =
  (type: ReportType) =>
  (one: ReportRow, other: ReportRow): number => {
    if (type === "Daily") return (one.date ?? "").localeCompare(other.date ?? "")
    if (type === "Hourly") return (one.hour ?? 0) - (other.hour ?? 0)
    return (
      (other.cost_brl ?? other.conversions ?? 0) - (one.cost_brl ?? one.conversions ?? 0) ||
      (other.impressions ?? 0) - (one.impressions ?? 0)
    )
  }

/** Totals that would be wrong or are not reported for a type are null. */
const totalsOf = (type: ReportType, rows: ReadonlyArray<{ readonly read: Figures }>): PerformanceReport["totals"] => {
  const cost = sum(rows, "costMicros")
  const conversions = sum(rows, "conversions")
  const hasClicks = type !== "Conversion"
  return {
    impressions: hasClicks ? sum(rows, "impressions") : null,
    clicks: hasClicks ? sum(rows, "clicks") : null,
    cost_brl: !hasClicks || type === "AdAssets" || cost === null ? null : brlOf(cost),
    conversions: type === "AdAssets" || conversions === null ? null : rounded(conversions)
  }
}

const noteOf = (type: ReportType, isServed: boolean): string | null => {
  if (!isServed) return "The campaign is not at the ads platform, so that there is nothing to report yet."
  return type === "AdAssets"
    ? "An impression shows several assets and counts for each of them: the sums are larger than the campaign's."
    : null
}

/** Reports, which the platform computes for each call. */
export const makeReports = (
  sql: SqlClient,
  platform: AdsPlatform,
  goLive: ReturnType<typeof makeGoLive>,
  settings: AdsSettingsShape
) => {
  /** A report contains only the ids of places. */
  const placeNames = Effect.fnUntraced(function* (customerId: string, rows: ReadonlyArray<unknown>) {
    const ids = [...new Set(rows.map(placeOf))].filter((id) => /^\d{1,12}$/.test(id))
    const answers = yield* Effect.forEach(Array.chunksOf(ids, placesAtATime), (part) =>
      platform.search(
        customerId,
        `SELECT geo_target_constant.id, geo_target_constant.name FROM geo_target_constant WHERE geo_target_constant.id IN (${part.join(", ")})`
      )
    )
    return new Map(
      answers.flatMap(({ rows: places }) =>
        places.map(
          (place) => [textAt(place, "geoTargetConstant", "id"), textAt(place, "geoTargetConstant", "name")] as const
        )
      )
    )
  })

  const rowsOf = Effect.fnUntraced(function* (
    type: ReportType,
    [select, from]: readonly [string, string],
    { from: begin, to }: ReportDates,
    customerId: string,
    externalId: string,
    records: CampaignRecords
  ) {
    const answer = yield* platform.search(
      customerId,
      `SELECT ${select} FROM ${from} WHERE campaign.id = ${externalId} AND segments.date BETWEEN '${begin}' AND '${to}'`
    )
    const places = type === "Geographic" ? yield* placeNames(customerId, answer.rows) : records.places
    const rows = yield* Effect.forEach(answer.rows, (row) => {
      const read: Figures = {
        impressions: figureOf(row, select, "impressions", "impressions"),
        clicks: figureOf(row, select, "clicks", "clicks"),
        costMicros: figureOf(row, select, "cost_micros", "costMicros"),
        conversions: figureOf(row, select, "conversions", "conversions")
      }
      if (Object.values(read).some((value) => value !== undefined && !(Number.isFinite(value) && value >= 0))) {
        return Effect.fail(new AdsFailure({ reason: "unreadable" }))
      }
      const { clicks, conversions, costMicros, impressions } = read
      const view = decodeRow({
        ...labels(row, type, { ...records, places }),
        ...(impressions === undefined ? {} : { impressions }),
        ...(clicks === undefined ? {} : { clicks, ctr: ratio(clicks, impressions ?? 0) }),
        ...(costMicros === undefined
          ? {}
          : {
              cost_brl: brlOf(costMicros),
              average_cpc_brl: clicks === undefined || clicks === 0 ? null : brlOf(costMicros / clicks)
            }),
        ...(conversions === undefined ? {} : { conversions: rounded(conversions) }),
        ...(type === "ImpressionShare" ? shares(row) : {})
      })
      return Option.isSome(view)
        ? Effect.succeed({ view: view.value, read })
        : Effect.fail(new AdsFailure({ reason: "unreadable" }))
    })
    return { rows, isTruncated: answer.isTruncated }
  })

  return Effect.fnUntraced(function* (row: CampaignRow, type: ReportType, dateRange: string) {
    const { accountId } = yield* Caller
    const customer = Option.getOrUndefined(yield* goLive.storedCustomer(accountId))
    const timeZone = customer?.timeZone ?? settings.timeZone
    const dates = reportDates(dateRange, dayIn(timeZone, yield* Clock.currentTimeMillis))
    if ("_tag" in dates) return yield* dates
    const isServed = customer !== undefined && row.externalId !== null
    const records: CampaignRecords = {
      campaign: row.name,
      adGroupId: row.adGroupId,
      ads: new Map(
        type === "Ad"
          ? (yield* adsOf(sql, accountId, row.adsCampaignId)).map(({ adId, externalId }) => [externalId ?? "", adId])
          : []
      ),
      keywords: new Map(
        type === "Keyword"
          ? (yield* keywordsOf(sql, accountId, row.adsCampaignId)).map(({ externalId, keywordId }) => [
              externalId ?? "",
              keywordId
            ])
          : []
      ),
      places: new Map()
    }
    const parts =
      isServed && row.externalId !== null
        ? yield* Effect.forEach(
            queries[type],
            (query) => rowsOf(type, query, dates, customer.customerId, row.externalId ?? "", records),
            { concurrency: 2 }
          ).pipe(Effect.mapError(toolError))
        : []
    const all = parts.flatMap(({ rows }) => rows)
    const views = all.map(({ view }) => view).sort(order(type))
    const report: PerformanceReport = {
      ads_campaign_id: row.adsCampaignId,
      report_type: type,
      date_from: dates.from,
      date_to: dates.to,
      time_zone: timeZone,
      mode: platform.mode,
      rows: views.slice(0, mostRows),
      row_count: views.length,
      is_truncated: views.length > mostRows || parts.some(({ isTruncated }) => isTruncated),
      // The parts by age and by gender have the same figures.
      totals: totalsOf(type, parts[0]?.rows ?? []),
      note: noteOf(type, isServed)
    }
    return report
  })
}
