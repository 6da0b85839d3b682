import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import { refused } from "../../Errors.ts"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis, toMillis } from "../../Services/Core/Timestamp.ts"
import { accountCountry } from "../../Services/Reference/AccountCountry.ts"
import { AnsweredSupport, Reports } from "../../Services/Reports/Reports.ts"
import { reportWindow } from "../../Services/Reports/ReportWindow.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { adjustmentsSince, changedBlocks, performanceChanges } from "./ChangesSince.ts"
import { funnelTimeline, performanceTrends } from "./DailyReports.ts"
import type { Window } from "./Figures.ts"
import { funnelByIndustry, metricsByStateAndIndustry, prospectingReport } from "./GroupReports.ts"
import { chatAppPerformance, messagePerformance } from "./MessageReports.ts"
import { optimizationPage } from "./OptimizationRuns.ts"
import { allTime } from "./ReportFacts.ts"
import { volumeEstimate } from "./VolumeBenchmarks.ts"

const dateToCome = refused(
  "since_date_to_come",
  "since_date has not come yet.",
  "Send today or a date that has passed.",
  { parameter: "since_date" }
)

interface AccountRow {
  readonly timeZone: string
  readonly country: string | null
  readonly phone: string | null
  readonly languageKey: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const campaigns = yield* CampaignLookup

  const account = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<AccountRow>`
      select time_zone as "timeZone", country, phone, language_key as "languageKey" from account
      where account_id = ${accountId}`.pipe(fromSql())
    return { accountId, ...single(rows) }
  })

  const campaignOf = (campaign: string | undefined) =>
    campaign === undefined ? Effect.succeed(undefined) : campaigns.resolve(campaign)

  const windowed = Effect.fnUntraced(function* (campaign: string | undefined, days: number) {
    const campaignId = yield* campaignOf(campaign)
    const { accountId, languageKey, timeZone } = yield* account
    const window = reportWindow(yield* Clock.currentTimeMillis, days, timeZone)
    return {
      window: { accountId, zone: timeZone, campaignId, from: window.from, to: window.to } satisfies Window,
      firstDay: window.days[0] ?? "",
      timeZone,
      language: languageOf(languageKey),
      dates: window.days
    }
  })

  return Reports.of({
    messages: Effect.fn("Reports.messages")(function* ({ campaign, days, groupBy }) {
      const { firstDay, window } = yield* windowed(campaign, days)
      return yield* messagePerformance(sql, window, { days, firstDay, groupBy })
    }),
    chats: Effect.fn("Reports.chats")(function* ({ campaign, days, groupBy }) {
      const { firstDay, window } = yield* windowed(campaign, days)
      return yield* chatAppPerformance(sql, window, { days, firstDay, groupBy })
    }),
    trends: Effect.fn("Reports.trends")(function* ({ campaign, days }) {
      const { dates, timeZone, window } = yield* windowed(campaign, days)
      return { timeZone, trends: yield* performanceTrends(sql, window, dates) }
    }),
    timeline: Effect.fn("Reports.timeline")(function* ({ bucket, campaign, days }) {
      const { dates, timeZone, window } = yield* windowed(campaign, days)
      return { timeZone, buckets: yield* funnelTimeline(sql, window, dates, bucket) }
    }),
    industries: Effect.fn("Reports.industries")(function* ({ campaign }) {
      const campaignId = yield* campaignOf(campaign)
      const { accountId, ...facts } = yield* account
      return yield* funnelByIndustry(
        sql,
        { accountId, campaignId },
        { isBrazilian: accountCountry(facts) === "BR", language: languageOf(facts.languageKey) }
      )
    }),
    metrics: Effect.fn("Reports.metrics")(function* ({ campaign, days }) {
      const { firstDay, language, window } = yield* windowed(campaign, days)
      return yield* metricsByStateAndIndustry(sql, window, { days, firstDay, language })
    }),
    summary: Effect.fn("Reports.summary")(function* ({ campaign }) {
      const campaignId = yield* campaignOf(campaign)
      const { accountId, timeZone } = yield* account
      return yield* prospectingReport(sql, { accountId, zone: timeZone, campaignId, ...allTime })
    }),
    optimizations: Effect.fn("Reports.optimizations")(function* ({ campaign, page, pageSize }) {
      const campaignId = yield* campaignOf(campaign)
      const { accountId } = yield* Caller
      return yield* optimizationPage(
        sql,
        { accountId, campaignId, since: undefined, changesOnly: false },
        { page, pageSize }
      )
    }),
    volume: volumeEstimate.pipe(Effect.provideService(SqlClient, sql), Effect.withSpan("Reports.volume")),
    changesSince: Effect.fn("Reports.changesSince")(function* (since) {
      const { accountId, timeZone: zone } = yield* account
      const now = yield* Clock.currentTimeMillis
      const from = toMillis(since)
      if (from > now) return yield* dateToCome
      const support = yield* AnsweredSupport
      return {
        since,
        until: fromMillis(now),
        ...(yield* changedBlocks(sql, { accountId, zone }, from, now).pipe(fromSql())),
        support_answered: yield* support.since(since),
        campaign_performance_changes: yield* performanceChanges(sql, { accountId, zone }, from, now).pipe(fromSql()),
        optimizer_adjustments: yield* adjustmentsSince(sql, accountId, from)
      }
    })
  })
})

export const ReportsPostgres = Layer.effect(Reports, make)
