import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { notFound, refused } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { checkedKeywords, keywordKey } from "../../../Services/Ads/AdKeywords.ts"
import type { Ads, NewKeywords } from "../../../Services/Ads/Ads.ts"
import { brlOf } from "../../../Services/Ads/AdsMoney.ts"
import { checkedTexts, checkedUrl, descriptionRule, headlineRule } from "../../../Services/Ads/AdTexts.ts"
import type { AdGroupId, AdId } from "../../../Services/Ads/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { at, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import type { CampaignChanges } from "./CampaignChanges.ts"
import { adsOf, type CampaignRow, keywordsOf, missingOf } from "./CampaignRows.ts"
import { partState } from "./CampaignViews.ts"

const mostAds = 3
const mostKeywords = 1000

type Contents = Pick<
  typeof Ads.Service,
  "adGroups" | "keywords" | "addKeywords" | "addNegativeKeywords" | "createSearchAd"
>

interface ContentsServices extends CampaignChanges {
  readonly sql: SqlClient
}

const makeGroupChecks = () => {
  const inGroup = (row: CampaignRow, adGroupId: AdGroupId) =>
    row.adGroupId === adGroupId ? Effect.void : notFound("ad group", "ad_group_id", adGroupId)

  const isSearch = (row: CampaignRow) =>
    row.channelType === "Search"
      ? Effect.void
      : refused(
          "not_a_search_campaign",
          "Automated campaigns have no keywords and no search ads.",
          "Use a campaign with channel_type Search.",
          { channel_type: row.channelType, accepted_values: ["Search"] }
        )

  return { inGroup, isSearch }
}
type GroupChecks = ReturnType<typeof makeGroupChecks>

const makeKeywordAdding = (
  { changing, passOn, refreshed, sql }: ContentsServices,
  { inGroup, isSearch }: GroupChecks
) => {
  const addKeywords = Effect.fnUntraced(function* (
    campaign: string,
    adGroupId: AdGroupId | undefined,
    { keywords, matchType }: NewKeywords
  ) {
    const checked = checkedKeywords(keywords)
    if ("_tag" in checked) return yield* checked
    const { changed, row } = yield* changing(
      campaign,
      Effect.fnUntraced(function* (present: CampaignRow, accountId: AccountId) {
        if (adGroupId !== undefined) yield* inGroup(present, adGroupId)
        yield* isSearch(present)
        const isNegative = adGroupId === undefined
        const before = yield* keywordsOf(sql, accountId, present.adsCampaignId)
        const known = new Set(
          before
            .filter((each) => each.isNegative === isNegative && each.matchType === matchType)
            .map(({ text }) => keywordKey(text))
        )
        const fresh = checked.filter(({ text }) => !known.has(keywordKey(text)))
        if (before.length + fresh.length > mostKeywords) {
          return yield* refused(
            "too_many_keywords",
            `A campaign has at most ${mostKeywords} keywords here, and has ${before.length}.`,
            "Send fewer, or make another campaign.",
            { parameter: "keywords", maximum: mostKeywords, count: before.length }
          )
        }
        if (fresh.length > 0) {
          yield* sql`
            insert into ads_keyword (account_id, ads_campaign_id, keyword_text, match_type, is_negative)
            select ${accountId}, ${present.adsCampaignId}, t, ${matchType}, ${isNegative}
            from unnest(${fresh.map(({ text }) => text)}::text[]) with ordinality as given (t, place) order by place`.pipe(
            fromSql()
          )
        }
        return { fresh, known: checked.filter(({ text }) => known.has(keywordKey(text))), isNegative }
      })
    )
    const after = changed.fresh.length === 0 ? yield* refreshed(row) : yield* passOn(row)
    const { accountId } = yield* Caller
    const stored = new Map(
      (yield* keywordsOf(sql, accountId, row.adsCampaignId))
        .filter((each) => each.isNegative === changed.isNegative && each.matchType === matchType)
        .map((each) => [keywordKey(each.text), each])
    )
    return {
      ads_campaign_id: row.adsCampaignId,
      ad_group_id: adGroupId ?? null,
      match_type: matchType,
      added: changed.fresh.flatMap(({ given, text }) => {
        const keyword = stored.get(keywordKey(text))
        return keyword === undefined
          ? []
          : [{ keyword_id: keyword.keywordId, given, text, state: partState(after, keyword), refusal: keyword.refusal }]
      }),
      already_there: changed.known.map(({ text }) => text),
      missing_assets: missingOf(after)
    }
  })

  return { addKeywords }
}

const groupReads = (
  { withToolErrors, campaignNamed, place, platform, sql }: ContentsServices,
  { inGroup }: GroupChecks
): Pick<Contents, "adGroups" | "keywords"> => ({
  adGroups: Effect.fn("Ads.adGroups")(function* (campaign) {
    const row = yield* campaignNamed(campaign)
    const { accountId } = yield* Caller
    const there = yield* place(row)
    const group =
      there === undefined
        ? undefined
        : (yield* withToolErrors(
            platform.search(
              there.customerId,
              `SELECT ad_group.id, ad_group.status, ad_group.cpc_bid_micros FROM ad_group WHERE campaign.id = ${there.externalId}`
            )
          )).rows[0]
    const bid = numberAt(group, "adGroup", "cpcBidMicros")
    const status = textAt(group, "adGroup", "status")
    const [named] = yield* sql<{ readonly name: string }>`
        select name from ads_ad_group where account_id = ${accountId} and ad_group_id = ${row.adGroupId}`.pipe(
      fromSql()
    )
    return {
      ad_groups: [
        {
          ad_group_id: row.adGroupId,
          name: named?.name ?? row.name,
          status:
            row.wanted === "ended"
              ? ("removed" as const)
              : group === undefined
                ? ("draft" as const)
                : status === "ENABLED"
                  ? ("enabled" as const)
                  : status === "REMOVED"
                    ? ("removed" as const)
                    : ("paused" as const),
          cpc_bid_brl: bid === undefined || bid === 0 ? null : brlOf(bid),
          ad_count: row.ads,
          keyword_count: row.keywords
        }
      ]
    }
  }),

  keywords: Effect.fn("Ads.keywords")(function* (campaign, adGroupId) {
    const row = yield* campaignNamed(campaign)
    yield* inGroup(row, adGroupId)
    const { accountId } = yield* Caller
    const there = yield* place(row)
    const criteria =
      there === undefined
        ? []
        : (yield* withToolErrors(
            platform.search(
              there.customerId,
              `SELECT ad_group_criterion.criterion_id, ad_group_criterion.status, ad_group_criterion.cpc_bid_micros, ad_group_criterion.quality_info.quality_score FROM ad_group_criterion WHERE campaign.id = ${there.externalId} AND ad_group_criterion.type = 'KEYWORD'`
            )
          )).rows
    const byId = new Map(
      criteria.map((each) => [textAt(each, "adGroupCriterion", "criterionId"), at(each, "adGroupCriterion")])
    )
    const all = yield* keywordsOf(sql, accountId, row.adsCampaignId)
    return {
      ad_group_id: row.adGroupId,
      keywords: all
        .filter(({ isNegative }) => !isNegative)
        .map((keyword) => {
          const criterion = keyword.externalId === null ? undefined : byId.get(keyword.externalId)
          const status = textAt(criterion, "status")
          const state = partState(row, keyword)
          const bid = numberAt(criterion, "cpcBidMicros")
          const score = numberAt(criterion, "qualityInfo", "qualityScore")
          return {
            keyword_id: keyword.keywordId,
            text: keyword.text,
            match_type: keyword.matchType,
            status:
              state !== "at_platform"
                ? state
                : row.wanted === "ended" || status === "REMOVED"
                  ? ("removed" as const)
                  : status === "PAUSED"
                    ? ("paused" as const)
                    : ("enabled" as const),
            refusal: keyword.refusal,
            cpc_bid_brl: bid === undefined || bid === 0 ? null : brlOf(bid),
            quality_score: score === undefined || !Number.isInteger(score) || score < 1 ? null : score
          }
        }),
      negative_keywords: all
        .filter(({ isNegative }) => isNegative)
        .map(({ keywordId, matchType, text }) => ({ keyword_id: keywordId, text, match_type: matchType }))
    }
  })
})

const adCreation = (
  { changing, passOn, sql }: ContentsServices,
  { inGroup, isSearch }: GroupChecks
): Pick<Contents, "createSearchAd"> => ({
  createSearchAd: Effect.fn("Ads.createSearchAd")(function* (campaign, ad) {
    const finalUrl = checkedUrl(ad.finalUrl)
    if (typeof finalUrl !== "string") return yield* finalUrl
    const headlines = checkedTexts(headlineRule, ad.headlines)
    if ("_tag" in headlines) return yield* headlines
    const descriptions = checkedTexts(descriptionRule, ad.descriptions)
    if ("_tag" in descriptions) return yield* descriptions
    const { changed, row } = yield* changing(
      campaign,
      Effect.fnUntraced(function* (present: CampaignRow, accountId: AccountId) {
        yield* inGroup(present, ad.adGroupId)
        yield* isSearch(present)
        if (present.ads >= mostAds) {
          return yield* refused(
            "too_many_ads",
            `An ad group has at most ${mostAds} ads that are shown.`,
            "Make another campaign for further ones.",
            { maximum: mostAds, count: present.ads }
          )
        }
        const key = JSON.stringify([finalUrl, [...headlines].sort(), [...descriptions].sort()])
        const same = (yield* adsOf(sql, accountId, present.adsCampaignId)).some(
          (each) => JSON.stringify([each.finalUrl, [...each.headlines].sort(), [...each.descriptions].sort()]) === key
        )
        if (same) {
          return yield* refused("ad_repeated", "The ad group has this very ad.", "Change a headline or description.", {
            parameter: "headlines"
          })
        }
        return single(
          yield* sql<{ readonly id: AdId }>`
              insert into ads_ad (account_id, ads_campaign_id, final_url, headlines, descriptions)
              values (${accountId}, ${present.adsCampaignId}, ${finalUrl}, ${JSON.stringify(headlines)}::jsonb,
                ${JSON.stringify(descriptions)}::jsonb)
              returning ad_id as id`.pipe(fromSql())
        )
      })
    )
    const after = yield* passOn(row)
    const { accountId } = yield* Caller
    const stored = (yield* adsOf(sql, accountId, row.adsCampaignId)).find(({ adId }) => adId === changed.id)
    return {
      ad_id: changed.id,
      ad_group_id: ad.adGroupId,
      final_url: finalUrl,
      headlines,
      descriptions,
      state: stored === undefined ? ("draft" as const) : partState(after, stored),
      refusal: stored?.refusal ?? null,
      missing_assets: missingOf(after)
    }
  })
})

/** Makes the operations on a campaign's ad group: its ads and keywords. */
export const makeAdGroupContents = (sql: SqlClient, changes: CampaignChanges): Contents => {
  const services: ContentsServices = { sql, ...changes }
  const checks = makeGroupChecks()
  const { addKeywords } = makeKeywordAdding(services, checks)

  return {
    ...groupReads(services, checks),
    ...adCreation(services, checks),
    addKeywords: Effect.fn("Ads.addKeywords")((campaign, adGroupId, keywords) =>
      addKeywords(campaign, adGroupId, keywords)
    ),
    addNegativeKeywords: Effect.fn("Ads.addNegativeKeywords")((campaign, keywords) =>
      addKeywords(campaign, undefined, keywords)
    )
  }
}
