import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { TimelineBucket, TrendDay } from "../../Services/Reports/ReportModel.ts"
import { type Bucket, bucketOf, bucketsOf } from "../../Services/Reports/ReportWindow.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeFacts, type Scope } from "./ReportFacts.ts"

interface DayRow {
  readonly what: string
  readonly day: string
  readonly count: number
}

/** Counts by day of the account's zone; one round trip for all. */
const dayCounts = (sql: SqlClient, scope: Scope, zone: string, what: ReadonlyArray<"mail" | "stages">) => {
  const facts = makeFacts(sql, scope)
  const dayOf = (column: string) => sql`((${sql.literal(column)} at time zone ${zone})::date)::text`
  const messages = sql`
    union all
    select 'emails_sent', ${dayOf("s.occurred_at")}, count(*) from email_message s where ${facts.sent} group by 2
    union all
    select 'replies_received', ${dayOf("r.occurred_at")}, count(*) from email_message r where ${facts.replies} group by 2
    union all
    select 'chatapp_sent', ${dayOf("s.occurred_at")}, count(*) from chatapp_message s where ${facts.chatSent} group by 2
    union all
    select 'chatapp_replies_received', ${dayOf("r.occurred_at")}, count(*) from chatapp_message r
    where ${facts.chatReplies} group by 2`
  return sql<DayRow>`
    select case l.origin when 'acquired' then 'leads_generated' else 'leads_added' end as what,
      ${dayOf("l.created_at")} as day, count(*) as count from lead l
    where ${facts.ofLead} and ${facts.within("l.created_at")} group by 1, 2
    union all
    select entered.stage, ${dayOf("entered.at")}, count(*) from (${facts.entries}) entered group by 1, 2
    ${what.includes("mail") ? messages : sql``}`.pipe(fromSql())
}

const at = (rows: ReadonlyArray<DayRow>) => {
  const counts = new Map(rows.map(({ count, day, what }) => [`${what} ${day}`, count]))
  return (what: string, day: string): number => counts.get(`${what} ${day}`) ?? 0
}

export const performanceTrends = (
  sql: SqlClient,
  scope: Scope,
  zone: string,
  days: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<TrendDay>, Transient> =>
  Effect.map(dayCounts(sql, scope, zone, ["mail", "stages"]), (rows) => {
    const count = at(rows)
    return days.map((date) => ({
      date,
      leads_generated: count("leads_generated", date),
      emails_sent: count("emails_sent", date),
      replies_received: count("replies_received", date),
      confirmed: count("confirmed", date),
      interested: count("interested", date),
      chatapp_sent: count("chatapp_sent", date),
      chatapp_replies_received: count("chatapp_replies_received", date)
    }))
  })

export const funnelTimeline = (
  sql: SqlClient,
  scope: Scope,
  zone: string,
  days: ReadonlyArray<string>,
  bucket: Bucket
): Effect.Effect<ReadonlyArray<TimelineBucket>, Transient> =>
  Effect.map(dayCounts(sql, scope, zone, ["stages"]), (rows) => {
    const count = at(rows)
    const total = (what: string, start: string): number =>
      days.filter((day) => bucketOf(day, bucket) === start).reduce((sum, day) => sum + count(what, day), 0)
    return bucketsOf(days, bucket)
      .map((start) => ({
        bucket_start: start,
        cold: total("leads_generated", start) + total("leads_added", start),
        confirmed: total("confirmed", start),
        interested: total("interested", start),
        closed: total("closed", start)
      }))
      .toReversed()
  })
