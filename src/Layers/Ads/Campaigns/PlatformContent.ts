import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { keywordKey } from "../../../Services/Ads/AdKeywords.ts"
import type { MatchType } from "../../../Services/Ads/Ids.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsError, AdsFailure } from "../Calling/AdsFailure.ts"
import { type AdsPlatform, idOf, type Operation } from "../Calling/AdsPlatform.ts"
import { type AdRow, adsOf, type CampaignRow, type KeywordRow, keywordsOf } from "./CampaignRows.ts"

/** A client account at the platform, with the account that it belongs to. */
export interface Place {
  readonly accountId: AccountId
  readonly customerId: string
}

const matchTypes: { readonly [M in MatchType]: string } = { Broad: "BROAD", Phrase: "PHRASE", Exact: "EXACT" }

export const matchTypeOf = (name: string): MatchType | undefined =>
  name === "BROAD" ? "Broad" : name === "PHRASE" ? "Phrase" : name === "EXACT" ? "Exact" : undefined

const textAsset = (text: string) => ({ text })

export const adOperation = (adGroup: string, { descriptions, finalUrl, headlines }: AdRow): Operation => ({
  adGroupAdOperation: {
    create: {
      adGroup,
      status: "ENABLED",
      ad: {
        finalUrls: [finalUrl],
        responsiveSearchAd: { headlines: headlines.map(textAsset), descriptions: descriptions.map(textAsset) }
      }
    }
  }
})

export const keywordOperation = (
  { adGroup, campaign }: { readonly adGroup: string; readonly campaign: string },
  { isNegative, matchType, text }: KeywordRow
): Operation =>
  isNegative
    ? {
        campaignCriterionOperation: {
          create: { campaign, negative: true, keyword: { text, matchType: matchTypes[matchType] } }
        }
      }
    : {
        adGroupCriterionOperation: {
          create: { adGroup, status: "ENABLED", keyword: { text, matchType: matchTypes[matchType] } }
        }
      }

const textsOf = (assets: ReadonlyArray<unknown>): ReadonlyArray<string> => assets.map((asset) => textAt(asset, "text"))

const fingerprint = (url: string, headlines: ReadonlyArray<string>, descriptions: ReadonlyArray<string>): string =>
  JSON.stringify([url, [...headlines].sort(), [...descriptions].sort()])

const keyOf = (isNegative: boolean, matchType: string, text: string): string =>
  `${isNegative} ${matchType} ${keywordKey(text)}`

const refusalOf = (error: AdsError): string =>
  error.findings.length === 0
    ? error.name
    : `${error.name}: ${error.findings.map(({ texts, topic }) => (texts.length === 0 ? topic : `${topic} (${texts.join(", ")})`)).join("; ")}`.slice(
        0,
        1000
      )

interface ContentServices {
  readonly sql: SqlClient
  readonly platform: AdsPlatform
}

const makeContentRows = ({ sql }: ContentServices) => {
  const setExternal = (
    { accountId }: Place,
    table: "ads_ad" | "ads_keyword",
    found: ReadonlyArray<readonly [id: number, external: string]>
  ) =>
    found.length === 0
      ? Effect.void
      : sql`
          update ${sql(table)} t set external_id = f.external
          from unnest(${found.map(([id]) => id)}::bigint[], ${found.map(([, external]) => external)}::text[])
            as f (id, external)
          where t.account_id = ${accountId} and t.${sql(table === "ads_ad" ? "ad_id" : "keyword_id")} = f.id`.pipe(
          fromSql(),
          Effect.asVoid
        )

  const unsent = Effect.fnUntraced(function* ({ accountId }: Place, row: CampaignRow) {
    const ads = (yield* adsOf(sql, accountId, row.adsCampaignId)).filter(
      ({ externalId, refusal }) => externalId === null && refusal === null
    )
    const keywords = (yield* keywordsOf(sql, accountId, row.adsCampaignId)).filter(
      ({ externalId, refusal }) => externalId === null && refusal === null
    )
    return { ads, keywords }
  })

  /** Records parts that the platform will never accept. */
  const refuse = ({ accountId }: Place, parts: ReadonlyArray<readonly [part: AdRow | KeywordRow, error: AdsError]>) =>
    Effect.forEach(
      parts,
      ([part, error]) =>
        "adId" in part
          ? sql`
              update ads_ad set refusal = ${refusalOf(error)}
              where account_id = ${accountId} and ad_id = ${part.adId}`.pipe(fromSql())
          : sql`
              update ads_keyword set refusal = ${refusalOf(error)}
              where account_id = ${accountId} and keyword_id = ${part.keywordId}`.pipe(fromSql()),
      { discard: true }
    )

  return { refuse, setExternal, unsent }
}
type ContentRows = ReturnType<typeof makeContentRows>

const makeContentSearch = ({ platform }: ContentServices, { setExternal }: ContentRows) => {
  /** Looks up parts at the platform whose ids are not stored here. */
  const find = Effect.fnUntraced(function* (
    place: Place,
    externalId: string,
    ads: ReadonlyArray<AdRow>,
    keywords: ReadonlyArray<KeywordRow>
  ) {
    const { customerId } = place
    if (ads.length > 0) {
      const { rows } = yield* platform.search(
        customerId,
        `SELECT ad_group_ad.ad.id, ad_group_ad.ad.final_urls, ad_group_ad.ad.responsive_search_ad.headlines, ad_group_ad.ad.responsive_search_ad.descriptions FROM ad_group_ad WHERE campaign.id = ${externalId} AND ad_group_ad.status != 'REMOVED'`
      )
      const there = new Map(
        rows.map((row) => {
          const ad = at(row, "adGroupAd", "ad")
          const rsa = at(ad, "responsiveSearchAd")
          return [
            fingerprint(
              textAt(ad, "finalUrls", 0),
              textsOf(listAt(rsa, "headlines")),
              textsOf(listAt(rsa, "descriptions"))
            ),
            textAt(ad, "id")
          ] as const
        })
      )
      yield* setExternal(
        place,
        "ads_ad",
        ads.flatMap(({ adId, descriptions, finalUrl, headlines }) => {
          const external = there.get(fingerprint(finalUrl, headlines, descriptions))
          return external === undefined ? [] : [[adId, external] as const]
        })
      )
    }
    if (keywords.length === 0) return
    const positive = yield* platform.search(
      customerId,
      `SELECT ad_group_criterion.criterion_id, ad_group_criterion.keyword.text, ad_group_criterion.keyword.match_type FROM ad_group_criterion WHERE campaign.id = ${externalId} AND ad_group_criterion.type = 'KEYWORD' AND ad_group_criterion.status != 'REMOVED'`
    )
    const negative = keywords.some(({ isNegative }) => isNegative)
      ? yield* platform.search(
          customerId,
          `SELECT campaign_criterion.criterion_id, campaign_criterion.keyword.text, campaign_criterion.keyword.match_type FROM campaign_criterion WHERE campaign.id = ${externalId} AND campaign_criterion.type = 'KEYWORD' AND campaign_criterion.negative = TRUE`
        )
      : { rows: [] }
    const there = new Map([
      ...positive.rows.map((row) => {
        const criterion = at(row, "adGroupCriterion")
        return [
          keyOf(false, textAt(criterion, "keyword", "matchType"), textAt(criterion, "keyword", "text")),
          textAt(criterion, "criterionId")
        ] as const
      }),
      ...negative.rows.map((row) => {
        const criterion = at(row, "campaignCriterion")
        return [
          keyOf(true, textAt(criterion, "keyword", "matchType"), textAt(criterion, "keyword", "text")),
          textAt(criterion, "criterionId")
        ] as const
      })
    ])
    yield* setExternal(
      place,
      "ads_keyword",
      keywords.flatMap(({ isNegative, keywordId, matchType, text }) => {
        const external = there.get(keyOf(isNegative, matchTypes[matchType], text))
        return external === undefined || external === "" ? [] : [[keywordId, external] as const]
      })
    )
  })

  return { find }
}
type ContentSearch = ReturnType<typeof makeContentSearch>

const makeContentSending = (
  { platform }: ContentServices,
  { refuse, setExternal, unsent }: ContentRows,
  { find }: ContentSearch
) => {
  /** Sends parts of an existing campaign that the platform does not have yet. */
  const send = (place: Place, row: CampaignRow): Effect.Effect<void, AdsFailure | Transient, Caller> =>
    Effect.gen(function* () {
      const { externalAdGroupId, externalId } = row
      if (externalId === null || externalAdGroupId === null || row.unsent === 0) return
      const before = yield* unsent(place, row)
      yield* find(place, externalId, before.ads, before.keywords)
      const { ads, keywords } = yield* unsent(place, row)
      if (ads.length + keywords.length === 0) return
      const names = {
        adGroup: `customers/${place.customerId}/adGroups/${externalAdGroupId}`,
        campaign: `customers/${place.customerId}/campaigns/${externalId}`
      }
      const operations = [
        ...ads.map((ad) => adOperation(names.adGroup, ad)),
        ...keywords.map((keyword) => keywordOperation(names, keyword))
      ]
      const made = yield* platform.mutate(place.customerId, operations, { partialFailure: true })
      const externalOf = (index: number) => idOf(made.names[index] ?? "")
      yield* setExternal(
        place,
        "ads_ad",
        ads.flatMap(({ adId }, index) => (externalOf(index) === "" ? [] : [[adId, externalOf(index)] as const]))
      )
      yield* setExternal(
        place,
        "ads_keyword",
        keywords.flatMap(({ keywordId }, index) => {
          const external = externalOf(ads.length + index)
          return external === "" ? [] : [[keywordId, external] as const]
        })
      )
      yield* refuse(
        place,
        made.errors.flatMap((error) => {
          // A part that already exists is found by the next run.
          if (error.operation === undefined || error.name === "RESOURCE_ALREADY_EXISTS") return []
          const part = ads[error.operation] ?? keywords[error.operation - ads.length]
          return part === undefined ? [] : [[part, error] as const]
        })
      )
    })

  return { send }
}

/** Sends ads and keywords to the platform, each once. A part that exists there is found by its text. */
export const makePlatformContent = (sql: SqlClient, platform: AdsPlatform) => {
  const services: ContentServices = { sql, platform }
  const rows = makeContentRows(services)
  const contentSearch = makeContentSearch(services, rows)
  const { refuse, unsent } = rows
  const { find } = contentSearch
  const { send } = makeContentSending(services, rows, contentSearch)

  return {
    find,
    unsent,
    refuse,
    send
  }
}
