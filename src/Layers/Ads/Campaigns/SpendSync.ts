import type { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { addDays, dayIn } from "../../../Services/Ads/ReportDates.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { AdsFailure } from "../Calling/AdsFailure.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import type { CampaignRow, CampaignRows } from "./CampaignRows.ts"
import type { Place } from "./PlatformContent.ts"

/** How many past days are read again, because the platform corrects their figures. */
const readAgainDays = 3

/** Returns a metric. A missing one is zero, and one that is no number is an error. */
const figure = (row: unknown, name: string): Effect.Effect<number, AdsFailure> => {
  const text = textAt(row, "metrics", name)
  const value = text === "" ? 0 : Number(text)
  return Number.isFinite(value) && value >= 0 && value < 1e15
    ? Effect.succeed(value)
    : Effect.fail(new AdsFailure({ reason: "unreadable" }))
}

/**
 * Makes the function that stores the platform's charges by day. A day is replaced by its current value, so that nothing
 * counts twice.
 */
export const makeSpendSync = (sql: SqlClient, unit: UnitOfWork["Type"], platform: AdsPlatform, rows: CampaignRows) =>
  Effect.fnUntraced(function* ({ accountId, customerId }: Place, row: CampaignRow, timeZone: string) {
    const { adsCampaignId, createdAt, externalId, syncedDay } = row
    if (externalId === null) return
    const today = dayIn(timeZone, yield* Clock.currentTimeMillis)
    const from = addDays(syncedDay ?? createdAt.slice(0, 10), -readAgainDays)
    const answer = yield* platform.search(
      customerId,
      `SELECT segments.date, metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions FROM campaign WHERE campaign.id = ${externalId} AND segments.date BETWEEN '${from}' AND '${today}'`
    )
    const days = yield* Effect.forEach(
      answer.rows,
      Effect.fnUntraced(function* (each) {
        const day = textAt(each, "segments", "date")
        if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return yield* new AdsFailure({ reason: "unreadable" })
        return {
          day,
          cost: Math.round(yield* figure(each, "costMicros")),
          impressions: Math.round(yield* figure(each, "impressions")),
          clicks: Math.round(yield* figure(each, "clicks")),
          conversions: yield* figure(each, "conversions")
        }
      })
    )
    yield* unit.write(
      Effect.gen(function* () {
        yield* rows.lock(accountId, adsCampaignId)
        yield* sql`
          insert into ads_spend_day (account_id, ads_campaign_id, day, cost_micros, impressions, clicks, conversions)
          select ${accountId}, ${adsCampaignId}, d.day, d.cost, d.impressions, d.clicks, d.conversions
          from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ cost }) => cost)}::bigint[],
            ${days.map(({ impressions }) => impressions)}::bigint[], ${days.map(({ clicks }) => clicks)}::bigint[],
            ${days.map(({ conversions }) => conversions)}::float8[]) as d (day, cost, impressions, clicks, conversions)
          on conflict (account_id, ads_campaign_id, day) do update set cost_micros = excluded.cost_micros,
            impressions = excluded.impressions, clicks = excluded.clicks, conversions = excluded.conversions`.pipe(
          fromSql()
        )
        yield* sql`
          update ads_campaign c set spent_micros = s.cost, impressions = s.impressions, clicks = s.clicks,
            conversions = s.conversions, synced_at = instant(), synced_day = ${today}::date
          from (
            select coalesce(sum(cost_micros), 0)::bigint as cost, coalesce(sum(impressions), 0)::bigint as impressions,
              coalesce(sum(clicks), 0)::bigint as clicks, coalesce(sum(conversions), 0)::float8 as conversions
            from ads_spend_day where account_id = ${accountId} and ads_campaign_id = ${adsCampaignId}
          ) s
          where c.account_id = ${accountId} and c.ads_campaign_id = ${adsCampaignId}`.pipe(fromSql())
      })
    )
  })
