import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import { notFound } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { wallClock } from "../../../Services/Core/LocalTime.ts"
import { bounded, type PartKind } from "../../../Services/Websites/Traffic/TrafficParts.ts"
import {
  maximumListedNames,
  WebsiteTraffic,
  type WebsiteTrafficView
} from "../../../Services/Websites/Traffic/WebsiteTraffic.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { SiteSubmissions } from "../Serving/SiteRoute.ts"

interface DayRow {
  readonly day: string
  readonly views: number
  readonly visitors: number
  readonly botHits: number
}

interface PartRow {
  readonly kind: PartKind
  readonly name: string
  readonly views: number
}

const dayMillis = 86_400_000

const dayText = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

const toldRate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.min(1, Math.round((part / whole) * 10_000) / 10_000)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const submissions = yield* SiteSubmissions
  return WebsiteTraffic.of({
    of: Effect.fn("WebsiteTraffic.of")(function* (websiteId, days) {
      const { accountId } = yield* Caller
      const [site] = yield* sql<{ readonly zone: string }>`
        select a.time_zone as zone from website w join account a on a.account_id = ${accountId}
        where w.account_id = ${accountId} and w.website_id = ${websiteId} and w.archived_at is null`.pipe(fromSql())
      if (site === undefined) return yield* notFound("website", "website_id", websiteId)
      const { day, month, year } = wallClock(yield* Clock.currentTimeMillis, site.zone)
      const last = Date.UTC(year, month - 1, day)
      const dates = Array.from({ length: days }, (_, index) => dayText(last - (days - 1 - index) * dayMillis))
      const first = dates[0] ?? dayText(last)
      const isAsked = sql`t.account_id = ${accountId} and t.website_id = ${websiteId} and t.day >= ${first}::date
        and t.day <= ${dayText(last)}::date`

      const rows = yield* sql<DayRow>`
        select t.day::text, t.views, t.visitors, t.bot_hits as "botHits" from website_traffic_day t where ${isAsked}`.pipe(
        fromSql()
      )
      const parts = yield* sql<PartRow>`
        select k.key as kind, p.value ->> 0 as name, sum((p.value ->> 1)::bigint)::bigint as views
        from website_traffic_day t cross join jsonb_each(t.parts) k cross join jsonb_array_elements(k.value) p
        where ${isAsked} group by 1, 2`.pipe(fromSql())
      const sent = yield* submissions.perDay(accountId, websiteId, first, site.zone)

      const byDate = new Map(rows.map((row) => [row.day, row]))
      const by_day = dates.map((date) => {
        const row = byDate.get(date)
        return {
          day: date,
          views: row?.views ?? 0,
          visitors: row?.visitors ?? 0,
          bot_hits: row?.botHits ?? 0,
          submissions: sent.get(date) ?? 0
        }
      })
      const countsOf = (kind: PartKind) =>
        new Map(parts.filter((part) => part.kind === kind).map(({ name, views }) => [name, views]))
      const told = (kind: PartKind) =>
        [...bounded(countsOf(kind), maximumListedNames + 1)]
          .map(([name, views]) => ({ name, views }))
          .sort((a, b) => b.views - a.views || (a.name < b.name ? -1 : 1))
      const visitors = sum(by_day.map((each) => each.visitors))
      const submitted = sum(by_day.map((each) => each.submissions))
      const view: WebsiteTrafficView = {
        website_id: websiteId,
        days,
        time_zone: site.zone,
        first_day: first,
        last_day: dayText(last),
        views: sum(by_day.map((each) => each.views)),
        visitors,
        bot_hits: sum(by_day.map((each) => each.bot_hits)),
        submissions: submitted,
        conversion_rate: toldRate(submitted, visitors),
        by_day,
        pages: told("page"),
        variants: [...countsOf("variant")]
          .map(([name, views]) => {
            const [page = "/", variant = ""] = name.split("#")
            return { page, variant, views }
          })
          .sort((a, b) => (a.page + a.variant < b.page + b.variant ? -1 : 1)),
        referrers: told("referrer"),
        utm_sources: told("source"),
        utm_mediums: told("medium"),
        utm_campaigns: told("campaign"),
        devices: told("device")
      }
      return view
    })
  })
})

export const WebsiteTrafficPostgres = Layer.effect(WebsiteTraffic, make)
