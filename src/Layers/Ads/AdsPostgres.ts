import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { notFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { checkedKeywords, keywordKey } from "../../Services/Ads/AdKeywords.ts"
import { Ads, type NewKeywords } from "../../Services/Ads/Ads.ts"
import type { AdsCampaignSummary, AdsCampaignView } from "../../Services/Ads/AdsModel.ts"
import { brlOf, effectiveBudget, type Micros, microsOf } from "../../Services/Ads/AdsMoney.ts"
import { isDepleted, refusedAction, refusedChange } from "../../Services/Ads/AdsStates.ts"
import { checkedTexts, checkedUrl, descriptionRule, headlineRule } from "../../Services/Ads/AdTexts.ts"
import type { AdGroupId, AdId, AdsCampaignId } from "../../Services/Ads/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { isSingleLine } from "../../Services/Text/SingleLine.ts"
import { at, numberAt, textAt } from "../Platform/AnswerPaths.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { type AdsFailure, isPassing, toolError } from "./AdsFailure.ts"
import { rechargePath, rechargeToken } from "./AdsFundingPostgres.ts"
import { makeAdsReconcile } from "./AdsReconcile.ts"
import { AdsSettings } from "./AdsSettings.ts"
import { makeBilling } from "./Billing.ts"
import { adsOf, type CampaignRow, keywordsOf, missingOf, remainingOf, standingOf } from "./CampaignRows.ts"
import { makeDiagnosis } from "./DiagnoseCampaign.ts"
import { makeIdeas, mostIdeas } from "./Ideas.ts"
import { makeReports } from "./Reports.ts"

const longestName = 120
const mostCampaigns = 100
const mostAds = 3
const mostKeywords = 1000

const checkedName = (given: string): string | Refused => {
  const name = given.split(/\s/).filter(Boolean).join(" ")
  if (name === "" || [...name].length > longestName || !isSingleLine(name)) {
    return refused("name_invalid", `A name has 1 to ${longestName} characters.`, "Send a shorter one of one line.", {
      parameter: "name",
      minimum: 1,
      maximum: longestName
    })
  }
  // A name of digits alone would be taken for an id.
  return /^\d+$/.test(name)
    ? refused("name_of_digits", "A name of digits alone cannot be told from an id.", "Add a word.", {
        parameter: "name"
      })
    : name
}

const checkedBudget = (brl: number, parameter: string): Micros | Refused =>
  brl > 0
    ? effectiveBudget(brl)
    : refused("budget_not_positive", "The daily budget has to be above zero.", "Send an amount in reais.", {
        parameter,
        minimum: 1
      })

const adjustmentOf = (brl: number, micros: Micros) =>
  micros === brl * 1e6 || Math.abs(micros / 1e6 - brl) < 1e-9
    ? null
    : micros > microsOf(brl)
      ? ("raised_to_minimum" as const)
      : micros < microsOf(Math.min(brl, 1e9))
        ? ("lowered_to_maximum" as const)
        : ("rounded" as const)

const partState = (row: CampaignRow, part: { readonly externalId: string | null; readonly refusal: string | null }) =>
  part.refusal !== null
    ? ("refused" as const)
    : part.externalId !== null
      ? ("at_platform" as const)
      : row.externalId === null
        ? ("draft" as const)
        : ("sending" as const)

const balanceOf = (row: CampaignRow) => ({
  recharged_brl: brlOf(row.rechargedMicros),
  spent_brl: brlOf(row.spentMicros),
  remaining_brl: brlOf(remainingOf(row))
})

const ratio = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null

const snapshotOf = ({ clicks, conversions, impressions, spentMicros, syncedAt }: CampaignRow) => ({
  spend_brl: brlOf(spentMicros),
  impressions,
  clicks,
  conversions: Math.round(conversions * 100) / 100,
  ctr: ratio(clicks, impressions),
  average_cpc_brl: clicks > 0 ? brlOf(spentMicros / clicks) : null,
  synced_at: syncedAt
})

const suspensions = new Set(["account_suspended", "account_closed", "ads_disapproved", "policy_findings"])

/** Its funds wait with it: what it lacks, and what can be done where nothing here adds it. */
const heldFor = (channelType: CampaignRow["channelType"], missing: ReadonlyArray<string>): string =>
  `It lacks: ${missing.join(", ")}. Its funds stay its balance meanwhile. ${
    channelType === "Automated"
      ? "No tool adds these yet: whoever runs the gateway gives the balance back on request (create_support_request), and a Search campaign can be served."
      : "Add them with create_adsplatform_search_ad and add_adsplatform_keywords, and it goes on by itself."
  }`

const holdOf = (row: CampaignRow) => {
  const missing = missingOf(row)
  if (row.wanted === "ended") return { hold_reason: null, hold_detail: null }
  if (row.state === "draft") {
    return { hold_reason: "assets_missing", hold_detail: `It lacks: ${missing.join(", ")}; and it has to be funded.` }
  }
  if (row.state === "awaiting_funds") {
    return { hold_reason: "no_funds", hold_detail: "Open its recharge link and add funds." }
  }
  if (row.state === "depleted") {
    return { hold_reason: "funds_used_up", hold_detail: "Open its recharge link and add funds." }
  }
  if (row.failure !== null) return { hold_reason: "refused_by_platform", hold_detail: row.holdDetail }
  // Also before the gate has looked at what was just paid for.
  if (row.state === "held" && missing.length > 0 && (row.holdReason ?? "assets_missing") === "assets_missing") {
    return { hold_reason: "assets_missing", hold_detail: heldFor(row.channelType, missing) }
  }
  return { hold_reason: row.holdReason, hold_detail: row.holdDetail }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const settings = yield* AdsSettings
  const { baseUrl } = yield* Settings
  const { audience, goLive, platform, reconcile, reconcileSoon, rows } = yield* makeAdsReconcile
  const reports = makeReports(sql, platform, goLive, settings)
  const diagnosis = makeDiagnosis(sql, platform, goLive)
  const billing = makeBilling(platform, goLive)
  const ideas = makeIdeas(sql, unit, platform, goLive, settings)
  const { mode } = platform

  const found = (campaign: string) => Effect.flatMap(Caller, ({ accountId }) => rows.named(accountId, campaign))

  const rechargeUrl = (accountId: AccountId, row: CampaignRow) =>
    `${baseUrl}${rechargePath}${rechargeToken(accountId, row.adsCampaignId, row.rechargeKey)}`

  const summaryOf = (row: CampaignRow): AdsCampaignSummary => ({
    ads_campaign_id: row.adsCampaignId,
    name: row.name,
    status: row.state,
    channel_type: row.channelType,
    daily_budget_brl: brlOf(row.dailyBudgetMicros),
    served_daily_budget_brl:
      row.state === "live" && row.externalBudgetMicros !== null ? brlOf(row.externalBudgetMicros) : null,
    ...holdOf(row),
    balance: balanceOf(row),
    mode
  })

  const refreshed = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    return (yield* rows.byId(accountId, row.adsCampaignId)) ?? row
  })

  /** Tells the platform what changed, where it has the campaign; what it cannot be told now, the timer tells it. */
  const passOn = Effect.fnUntraced(function* (row: CampaignRow) {
    if (row.externalId === null && row.rechargedMicros <= 0) return yield* refreshed(row)
    yield* reconcile(row.adsCampaignId)
    return yield* refreshed(row)
  })

  /** Runs a change of a campaign that has not ended, alone, and has the platform told afterwards. */
  const changing = <A, E>(
    campaign: string,
    change: (row: CampaignRow, accountId: AccountId) => Effect.Effect<A, E, Caller>
  ) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      return yield* unit.write(
        Effect.gen(function* () {
          const { adsCampaignId } = yield* rows.named(accountId, campaign)
          yield* rows.lock(accountId, adsCampaignId)
          const row = (yield* rows.byId(accountId, adsCampaignId)) ?? (yield* rows.named(accountId, campaign))
          const ended = refusedChange(row.wanted)
          if (ended !== undefined) return yield* ended
          const changed = yield* change(row, accountId)
          yield* rows.wake(accountId, adsCampaignId)
          yield* rows.settle(accountId, adsCampaignId)
          return { changed, row }
        })
      )
    })

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

  const place = Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    const customer = yield* goLive.known(accountId)
    return row.externalId === null || Option.isNone(customer)
      ? undefined
      : { accountId, customerId: customer.value.customerId, externalId: row.externalId }
  })

  const asked = <A, R>(effect: Effect.Effect<A, AdsFailure | Transient, R>) =>
    Effect.mapError(effect, (error) => (error._tag === "AdsFailure" ? toolError(error) : error))

  return Ads.of({
    createDraft: Effect.fn("Ads.createDraft")(function* (given, brl, channelType) {
      const { accountId } = yield* Caller
      const name = checkedName(given)
      if (typeof name !== "string") return yield* name
      const micros = checkedBudget(brl, "daily_budget_brl")
      if (typeof micros !== "number") return yield* micros
      const { count } = single(
        yield* sql<{ readonly count: number }>`
          select count(*) as count from ads_campaign where account_id = ${accountId} and wanted <> 'ended'`.pipe(
          fromSql()
        )
      )
      if (count >= mostCampaigns) {
        return yield* refused(
          "too_many_campaigns",
          `The account has ${mostCampaigns} campaigns.`,
          "End one with set_adsplatform_campaign_status first.",
          { maximum: mostCampaigns }
        )
      }
      const { id } = single(
        yield* sql<{ readonly id: AdsCampaignId }>`
          insert into ads_campaign (account_id, name, channel_type, daily_budget_micros, state, recharge_key)
          values (${accountId}, ${name}, ${channelType}, ${micros}, 'draft', ${randomBytes(18).toString("base64url")})
          returning ads_campaign_id as id`.pipe(
          fromSql({
            ads_campaign_name: () =>
              refused("name_taken", "There is an ads campaign of this name.", "Take another name.", {
                parameter: "name"
              })
          })
        )
      )
      yield* sql`
        insert into ads_ad_group (account_id, ads_campaign_id, name) values (${accountId}, ${id}, ${name})`.pipe(
        fromSql()
      )
      const row = (yield* rows.settle(accountId, id)) ?? (yield* rows.named(accountId, name))
      const missing = missingOf(row)
      return {
        ads_campaign_id: id,
        name,
        status: row.state,
        channel_type: channelType,
        ad_group_id: row.adGroupId,
        requested_daily_budget_brl: brl,
        daily_budget_brl: brlOf(micros),
        budget_adjustment: adjustmentOf(brl, micros),
        missing_assets: missing,
        recharge_url: rechargeUrl(accountId, row),
        mode,
        detail:
          channelType === "Automated"
            ? "A draft that is not live. No tool adds the assets of automated campaigns yet, which missing_assets names; a Search campaign can be served."
            : "A draft that is not live: it is served once it has an ad and a keyword and funds were added at recharge_url."
      }
    }),

    list: Effect.gen(function* () {
      const { accountId } = yield* Caller
      return { campaigns: (yield* rows.select(accountId, sql`true`)).map(summaryOf) }
    }).pipe(Effect.withSpan("Ads.list")),

    get: Effect.fn("Ads.get")(function* (campaign) {
      const { accountId } = yield* Caller
      const row = yield* found(campaign)
      const customer = yield* goLive.known(accountId)
      const isSuspended = row.holdReason !== null && suspensions.has(row.holdReason)
      const view: AdsCampaignView = {
        ...summaryOf(row),
        ad_group_id: row.adGroupId,
        missing_assets: row.wanted === "ended" ? [] : missingOf(row),
        suspension_reason: isSuspended ? row.holdReason : null,
        performance: snapshotOf(row),
        recharge_url: row.wanted === "ended" ? null : rechargeUrl(accountId, row),
        management_url:
          row.externalId === null || Option.isNone(customer)
            ? null
            : mode === "sandbox"
              ? `${baseUrl}/sandbox/ads/${rechargeToken(accountId, row.adsCampaignId, row.rechargeKey)}`
              : `https://ads.google.com/aw/campaigns?campaignId=${row.externalId}&__e=${customer.value.customerId}`,
        unsent_changes: row.externalId === null ? 0 : row.unsent,
        created_at: row.createdAt,
        live_since: row.liveSince,
        ended_at: row.endedAt
      }
      return view
    }),

    adGroups: Effect.fn("Ads.adGroups")(function* (campaign) {
      const row = yield* found(campaign)
      const { accountId } = yield* Caller
      const there = yield* place(row)
      const group =
        there === undefined
          ? undefined
          : (yield* asked(
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
      const row = yield* found(campaign)
      yield* inGroup(row, adGroupId)
      const { accountId } = yield* Caller
      const there = yield* place(row)
      const criteria =
        there === undefined
          ? []
          : (yield* asked(
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
    }),

    addKeywords: Effect.fn("Ads.addKeywords")((campaign, adGroupId, keywords) =>
      addKeywords(campaign, adGroupId, keywords)
    ),
    addNegativeKeywords: Effect.fn("Ads.addNegativeKeywords")((campaign, keywords) =>
      addKeywords(campaign, undefined, keywords)
    ),

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
            return yield* refused(
              "ad_repeated",
              "The ad group has this very ad.",
              "Change a headline or description.",
              {
                parameter: "headlines"
              }
            )
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
    }),

    updateBudget: Effect.fn("Ads.updateBudget")(function* (campaign, brl) {
      const micros = checkedBudget(brl, "new_daily_budget_brl")
      if (typeof micros !== "number") return yield* micros
      const { row } = yield* changing(campaign, (present, accountId) =>
        sql`
          update ads_campaign set daily_budget_micros = ${micros}
          where account_id = ${accountId} and ads_campaign_id = ${present.adsCampaignId}`.pipe(fromSql())
      )
      const after = yield* passOn(row)
      return {
        ads_campaign_id: row.adsCampaignId,
        requested_daily_budget_brl: brl,
        daily_budget_brl: brlOf(micros),
        budget_adjustment: adjustmentOf(brl, micros),
        served_daily_budget_brl: after.externalBudgetMicros === null ? null : brlOf(after.externalBudgetMicros),
        is_at_platform: after.externalBudgetMicros !== null && after.attempts === 0 && after.externalId !== null
      }
    }),

    setStatus: Effect.fn("Ads.setStatus")(function* (campaign, action) {
      const { accountId } = yield* Caller
      // What Resume asks for is looked at after what was spent is known.
      const before = yield* found(campaign)
      if (action === "Resume" && before.wanted !== "ended" && before.externalId !== null)
        yield* reconcile(before.adsCampaignId)
      const row = yield* unit.write(
        Effect.gen(function* () {
          yield* rows.lock(accountId, before.adsCampaignId)
          const present = (yield* rows.byId(accountId, before.adsCampaignId)) ?? before
          const refusal = refusedAction(action, standingOf(present))
          if (refusal !== undefined) return yield* refusal
          const wanted = action === "End" ? "ended" : action === "Pause" ? "paused" : "active"
          if (present.wanted !== wanted) {
            yield* sql`
              update ads_campaign set wanted = ${wanted},
                state = case when ${wanted === "ended"} then 'ended' when state = 'ended' then 'paused' else state end,
                ended_at = case when ${wanted === "ended"} then instant() end
              where account_id = ${accountId} and ads_campaign_id = ${present.adsCampaignId}`.pipe(fromSql())
          }
          yield* rows.wake(accountId, present.adsCampaignId)
          return (yield* rows.settle(accountId, present.adsCampaignId)) ?? present
        })
      )
      if (row.externalId !== null || row.rechargedMicros > 0) yield* reconcileSoon(row.adsCampaignId)
      const after = yield* refreshed(row)
      const isThere =
        after.externalId === null ||
        (action === "End"
          ? after.externalStatus === "REMOVED"
          : action === "Pause"
            ? after.externalStatus === "PAUSED"
            : after.externalStatus === "ENABLED")
      return { ads_campaign_id: row.adsCampaignId, action, status: after.state, is_at_platform: isThere }
    }),

    nudge: Effect.fn("Ads.nudge")(function* (campaign) {
      const { accountId } = yield* Caller
      const row = yield* found(campaign)
      const ended = refusedChange(row.wanted)
      if (ended !== undefined) return yield* ended
      if (row.rechargedMicros <= 0) {
        return yield* refused(
          "no_funds",
          "The campaign was not funded yet: there is nothing to go on with.",
          "Open its recharge link and add funds; get_adsplatform_campaign shows it.",
          { state: row.state }
        )
      }
      yield* unit.write(
        Effect.zipRight(
          sql`
            update ads_campaign set failure = null, attempts = 0
            where account_id = ${accountId} and ads_campaign_id = ${row.adsCampaignId}`.pipe(fromSql()),
          rows.wake(accountId, row.adsCampaignId)
        )
      )
      const { failure } = yield* reconcileSoon(row.adsCampaignId)
      if (failure !== undefined && isPassing(failure)) return yield* toolError(failure)
      const after = yield* refreshed(row)
      return {
        ads_campaign_id: row.adsCampaignId,
        status: after.state,
        ...holdOf(after),
        missing_assets: missingOf(after),
        next_run_at: after.dueAt
      }
    }),

    syncSpend: Effect.fn("Ads.syncSpend")(function* (campaign) {
      const row = yield* found(campaign)
      if (row.externalId !== null) {
        const { failure } = yield* reconcileSoon(row.adsCampaignId)
        if (failure !== undefined && isPassing(failure)) return yield* toolError(failure)
      }
      const after = yield* refreshed(row)
      return {
        ads_campaign_id: row.adsCampaignId,
        status: after.state,
        balance: balanceOf(after),
        performance: snapshotOf(after),
        newly_spent_brl: brlOf(after.spentMicros - row.spentMicros)
      }
    }),

    report: Effect.fn("Ads.report")(function* (campaign, type, dateRange) {
      return yield* reports(yield* found(campaign), type, dateRange)
    }),

    diagnose: Effect.fn("Ads.diagnose")(function* (campaign) {
      const row = yield* found(campaign)
      return { ads_campaign_id: row.adsCampaignId, status: row.state, ...(yield* diagnosis(row)), mode }
    }),

    billing: Effect.fn("Ads.billing")(function* (campaign, section, period) {
      const row = yield* found(campaign)
      const { items, note } = yield* billing(row, section, period)
      return { ads_campaign_id: row.adsCampaignId, section, items, balance: balanceOf(row), mode, note }
    }),

    keywordIdeas: Effect.fn("Ads.keywordIdeas")(function* (campaign, { keywords, most, pageUrl }) {
      const row = yield* found(campaign)
      const applied = Math.min(most, mostIdeas)
      const { fetchedAt, ideas: some } = yield* ideas({ keywords, pageUrl }, applied)
      return { ads_campaign_id: row.adsCampaignId, ideas: some, max_results: applied, fetched_at: fetchedAt, mode }
    }),

    audienceStatus: Effect.fn("Ads.audienceStatus")(function* (campaign) {
      const row = yield* found(campaign)
      const status = yield* audience.stored(row)
      return {
        ads_campaign_id: row.adsCampaignId,
        upload_status: status?.status ?? ("none" as const),
        emails_in_last_upload: status?.sent ?? 0,
        emails_removed_in_last_upload: status?.removed ?? 0,
        members: status?.members ?? 0,
        last_upload_at: status?.uploadedAt ?? null,
        is_attached: status?.isAttached ?? false,
        failure_reason: status?.failureReason ?? null,
        mode,
        note:
          status === undefined
            ? "Nothing was uploaded yet: refresh_adsplatform_audience does it once the campaign is at the platform."
            : status.members < 100
              ? "Lists with fewer than about 100 matched people are not used by the platform."
              : null
      }
    }),

    refreshAudience: Effect.fn("Ads.refreshAudience")(function* (campaign) {
      const row = yield* found(campaign)
      const ended = refusedChange(row.wanted)
      if (ended !== undefined) return yield* ended
      const there = yield* place(row)
      if (there === undefined) {
        return yield* refused(
          "campaign_not_at_platform",
          "The campaign is not at the ads platform yet, so that there is no list to fill.",
          isDepleted(remainingOf(row))
            ? "Add funds by its recharge link first."
            : "Call nudge_adsplatform_provisioning.",
          { state: row.state }
        )
      }
      const { found: candidates, removed } = yield* asked(audience.refresh(there, row))
      const status = yield* audience.stored(row)
      return {
        ads_campaign_id: row.adsCampaignId,
        emails_sent: candidates.hashes.size,
        emails_removed: removed,
        left_out: {
          without_email: candidates.withoutEmail,
          unsubscribed: candidates.unsubscribed,
          blacklisted: candidates.blacklisted,
          suppressed: candidates.suppressed
        },
        upload_status: status?.status ?? ("processing" as const),
        is_attached: status?.isAttached ?? false,
        mode
      }
    })
  })
})

export const AdsPostgres = Layer.effect(Ads, make)
