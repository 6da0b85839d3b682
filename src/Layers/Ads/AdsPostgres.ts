import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Ads } from "../../Services/Ads/Ads.ts"
import type { AdsCampaignSummary, AdsCampaignView } from "../../Services/Ads/AdsModel.ts"
import { brlOf } from "../../Services/Ads/AdsMoney.ts"
import { isDepleted, refusedAction, refusedChange } from "../../Services/Ads/AdsStates.ts"
import { remediesOf } from "../../Services/Ads/AutomatedAssets.ts"
import { adjustmentOf, checkedBudget, checkedName } from "../../Services/Ads/CampaignInput.ts"
import type { AdsCampaignId } from "../../Services/Ads/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Settings } from "../Platform/Settings.ts"
import { AdsSettings } from "./AdsSettings.ts"
import { rechargePath, rechargeToken } from "./Billing/AdsFundingPostgres.ts"
import { makeBilling } from "./Billing/Billing.ts"
import { isPassing, toolError } from "./Calling/AdsFailure.ts"
import { makeAdGroupContents } from "./Campaigns/AdGroupContents.ts"
import type { AudienceRow } from "./Campaigns/Audience.ts"
import { makeCampaignChanges } from "./Campaigns/CampaignChanges.ts"
import { type CampaignRow, missingOf, remainingOf, standingOf } from "./Campaigns/CampaignRows.ts"
import { balanceOf, holdOf, snapshotOf, suspensions } from "./Campaigns/CampaignViews.ts"
import { makeDiagnosis } from "./Campaigns/DiagnoseCampaign.ts"
import { makeIdeas, mostIdeas } from "./Campaigns/Ideas.ts"
import { makeReports } from "./Campaigns/Reports.ts"

const mostCampaigns = 100

const makeAdsServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const settings = yield* AdsSettings
  const { baseUrl } = yield* Settings
  const changes = yield* makeCampaignChanges
  const {
    withToolErrors,
    audience,
    changing,
    campaignNamed,
    goLive,
    passOn,
    place,
    platform,
    reconcile,
    reconcileSoon,
    refreshed,
    rows
  } = changes
  const reports = makeReports(sql, platform, goLive, settings)
  const diagnosis = makeDiagnosis(sql, platform, goLive)
  const billing = makeBilling(platform, goLive)
  const ideas = makeIdeas(sql, unit, platform, goLive, settings)
  const { mode } = platform
  return {
    withToolErrors,
    audience,
    baseUrl,
    billing,
    changes,
    changing,
    diagnosis,
    campaignNamed,
    goLive,
    ideas,
    mode,
    passOn,
    place,
    reconcile,
    reconcileSoon,
    refreshed,
    reports,
    rows,
    sql,
    unit
  }
})
type AdsServices = Effect.Effect.Success<typeof makeAdsServices>

/** Describes what an automated draft still needs. */
const automatedDetail = (missing: ReadonlyArray<string>): string =>
  missing.length === 0
    ? "A draft that is not live. It is made of the business profile, the newest search ad and generated images, and is served once funds were added at recharge_url."
    : `A draft that is not live. It is made of what the account has, and lacks: ${remediesOf(missing).join("; ")}. Then it is served once funds were added at recharge_url.`

const makeSummaries = ({ baseUrl, mode }: AdsServices) => {
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

  return { rechargeUrl, summaryOf }
}
type Summaries = ReturnType<typeof makeSummaries>

const draftAndRead = (
  { baseUrl, campaignNamed, goLive, mode, rows, sql }: AdsServices,
  { rechargeUrl, summaryOf }: Summaries
): Pick<typeof Ads.Service, "createDraft" | "list" | "get"> => ({
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
          ? automatedDetail(missing)
          : "A draft that is not live: it is served once it has an ad and a keyword and funds were added at recharge_url."
    }
  }),

  list: Effect.gen(function* () {
    const { accountId } = yield* Caller
    return { campaigns: (yield* rows.select(accountId, sql`true`)).map(summaryOf) }
  }).pipe(Effect.withSpan("Ads.list")),

  get: Effect.fn("Ads.get")(function* (campaign) {
    const { accountId } = yield* Caller
    const row = yield* campaignNamed(campaign)
    const customer = yield* goLive.storedCustomer(accountId)
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
  })
})

const changeCampaigns = ({
  changing,
  campaignNamed,
  passOn,
  reconcile,
  reconcileSoon,
  refreshed,
  rows,
  sql,
  unit
}: AdsServices): Pick<typeof Ads.Service, "updateBudget" | "setStatus" | "nudge" | "syncSpend"> => ({
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
    // The spend is updated first, because whether the campaign can resume depends on it.
    const before = yield* campaignNamed(campaign)
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
    const row = yield* campaignNamed(campaign)
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
    const row = yield* campaignNamed(campaign)
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
  })
})

const readFromPlatform = ({
  billing,
  diagnosis,
  campaignNamed,
  ideas,
  mode,
  reports
}: AdsServices): Pick<typeof Ads.Service, "report" | "diagnose" | "billing" | "keywordIdeas"> => ({
  report: Effect.fn("Ads.report")(function* (campaign, type, dateRange) {
    return yield* reports(yield* campaignNamed(campaign), type, dateRange)
  }),

  diagnose: Effect.fn("Ads.diagnose")(function* (campaign) {
    const row = yield* campaignNamed(campaign)
    return { ads_campaign_id: row.adsCampaignId, status: row.state, ...(yield* diagnosis(row)), mode }
  }),

  billing: Effect.fn("Ads.billing")(function* (campaign, section, period) {
    const row = yield* campaignNamed(campaign)
    const { items, note } = yield* billing(row, section, period)
    return { ads_campaign_id: row.adsCampaignId, section, items, balance: balanceOf(row), mode, note }
  }),

  keywordIdeas: Effect.fn("Ads.keywordIdeas")(function* (campaign, { keywords, most, pageUrl }) {
    const row = yield* campaignNamed(campaign)
    const applied = Math.min(most, mostIdeas)
    const { fetchedAt, ideas: some } = yield* ideas({ keywords, pageUrl }, applied)
    return { ads_campaign_id: row.adsCampaignId, ideas: some, max_results: applied, fetched_at: fetchedAt, mode }
  })
})

/** Returns the last upload of an audience, as tools show it. */
const uploadOf = (status: AudienceRow | undefined) => ({
  upload_status: status?.status ?? ("none" as const),
  emails_in_last_upload: status?.sent ?? 0,
  emails_removed_in_last_upload: status?.removed ?? 0,
  phones_in_last_upload: status?.phonesSent ?? 0,
  phones_removed_in_last_upload: status?.phonesRemoved ?? 0,
  members: status?.members ?? 0,
  last_upload_at: status?.uploadedAt ?? null,
  is_attached: status?.isAttached ?? false,
  failure_reason: status?.failureReason ?? null
})

const audiences = ({
  withToolErrors,
  audience,
  campaignNamed,
  mode,
  place
}: AdsServices): Pick<typeof Ads.Service, "audienceStatus" | "refreshAudience"> => ({
  audienceStatus: Effect.fn("Ads.audienceStatus")(function* (campaign) {
    const row = yield* campaignNamed(campaign)
    const status = yield* audience.stored(row)
    return {
      ads_campaign_id: row.adsCampaignId,
      ...uploadOf(status),
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
    const row = yield* campaignNamed(campaign)
    const ended = refusedChange(row.wanted)
    if (ended !== undefined) return yield* ended
    if (row.channelType === "Automated") {
      return yield* refused(
        "not_a_search_campaign",
        "The ads platform chooses the audience of automated campaigns by itself.",
        "Use a campaign with channel_type Search.",
        { channel_type: row.channelType, accepted_values: ["Search"] }
      )
    }
    const there = yield* place(row)
    if (there === undefined) {
      return yield* refused(
        "campaign_not_at_platform",
        "The campaign is not at the ads platform yet, so that there is no list to fill.",
        isDepleted(remainingOf(row)) ? "Add funds by its recharge link first." : "Call nudge_adsplatform_provisioning.",
        { state: row.state }
      )
    }
    const { found: candidates, removed, sent } = yield* withToolErrors(audience.refresh(there, row))
    const status = yield* audience.stored(row)
    return {
      ads_campaign_id: row.adsCampaignId,
      emails_sent: sent.emails,
      emails_removed: removed.emails,
      phones_sent: sent.phones,
      phones_removed: removed.phones,
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

const make = Effect.gen(function* () {
  const services = yield* makeAdsServices
  const { changes, sql } = services
  const summaries = makeSummaries(services)

  return Ads.of({
    ...draftAndRead(services, summaries),
    ...changeCampaigns(services),
    ...readFromPlatform(services),
    ...audiences(services),
    ...makeAdGroupContents(sql, changes)
  })
})

export const AdsPostgres = Layer.effect(Ads, make)
