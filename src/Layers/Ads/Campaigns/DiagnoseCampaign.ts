import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { isDepleted } from "../../../Services/Ads/AdsStates.ts"
import { gatewayFindings, platformFinding } from "../../../Services/Ads/Diagnosis.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { at, listAt, textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { policyFindings, toolError } from "../Calling/AdsFailure.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import { adsOf, type CampaignRow, missingOf, remainingOf } from "./CampaignRows.ts"
import type { makeGoLive } from "./GoLive.ts"

const code = (text: string): string | null => (text === "" ? null : text.slice(0, 100))

/** Makes the diagnosis: what the platform and the gateway report about a campaign, and what to do about it. */
export const makeDiagnosis = (sql: SqlClient, platform: AdsPlatform, goLive: ReturnType<typeof makeGoLive>) => {
  const asked = Effect.fnUntraced(function* (customerId: string, externalId: string) {
    const campaign = yield* platform.search(
      customerId,
      `SELECT campaign.id, campaign.serving_status, campaign.primary_status, campaign.primary_status_reasons FROM campaign WHERE campaign.id = ${externalId}`
    )
    const ads = yield* platform.search(
      customerId,
      `SELECT ad_group_ad.ad.id, ad_group_ad.ad.responsive_search_ad.headlines, ad_group_ad.policy_summary.approval_status, ad_group_ad.policy_summary.review_status, ad_group_ad.policy_summary.policy_topic_entries FROM ad_group_ad WHERE campaign.id = ${externalId} AND ad_group_ad.status != 'REMOVED'`
    )
    return { campaign: at(campaign.rows[0], "campaign"), ads: ads.rows }
  })

  const conversionRefusal = (accountId: AccountId) =>
    sql<{ readonly reason: string | null }>`
      select failure_reason as reason from ads_conversion
      where account_id = ${accountId} and reported_at > instant() - interval '7 days'
      order by reported_at desc, event desc limit 1`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0]?.reason ?? null)
    )

  return Effect.fnUntraced(function* (row: CampaignRow) {
    const { accountId } = yield* Caller
    const customer = yield* goLive.storedCustomer(accountId)
    const own = yield* adsOf(sql, accountId, row.adsCampaignId)
    const there =
      Option.isSome(customer) && row.externalId !== null
        ? yield* Effect.mapError(asked(customer.value.customerId, row.externalId), toolError)
        : undefined
    const reasons = listAt(there?.campaign, "primaryStatusReasons").flatMap((reason) =>
      typeof reason === "string" && /^[A-Z_]{1,80}$/.test(reason) ? [reason] : []
    )
    const remaining = remainingOf(row)
    const findings = [
      ...gatewayFindings({
        missing: missingOf(row),
        hold: row.holdReason === null ? undefined : { reason: row.holdReason, detail: row.holdDetail ?? "" },
        isFunded: row.rechargedMicros > 0,
        isDepleted: isDepleted(remaining),
        isPaused: row.wanted === "paused",
        isEnded: row.wanted === "ended",
        daysLeft: remaining / row.dailyBudgetMicros,
        isBudgetLowered: row.externalBudgetMicros !== null && row.externalBudgetMicros < row.dailyBudgetMicros,
        clicks: row.clicks,
        conversions: row.conversions,
        unsentChanges: row.externalId === null ? 0 : row.unsent,
        isAutomated: row.channelType === "Automated",
        conversionRefusal: yield* conversionRefusal(accountId)
      }),
      // A pause for lack of funds or by a hold is already reported above.
      ...reasons
        .filter((reason) => reason !== "CAMPAIGN_PAUSED" || row.state === "live")
        .slice(0, 50)
        .map(platformFinding)
    ]
    const summaries = new Map(
      (there?.ads ?? []).map((ad) => [textAt(ad, "adGroupAd", "ad", "id"), at(ad, "adGroupAd", "policySummary")])
    )
    return {
      serving_status: code(textAt(there?.campaign, "servingStatus")),
      primary_status: code(textAt(there?.campaign, "primaryStatus")),
      primary_status_reasons: reasons,
      findings,
      ads: own.map(({ adId, externalId, headlines, refusal }) => {
        const summary = externalId === null ? undefined : summaries.get(externalId)
        return {
          ad_id: adId,
          first_headline: headlines[0] ?? "",
          approval_status: refusal !== null ? "REFUSED" : code(textAt(summary, "approvalStatus")),
          review_status: code(textAt(summary, "reviewStatus")),
          policy_findings:
            refusal === null
              ? policyFindings(listAt(summary, "policyTopicEntries"))
              : [{ topic: refusal.slice(0, 200), type: "PROHIBITED", texts: [] }]
        }
      })
    }
  })
}
