import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { TimelineBucket, TrendDay } from "../../Services/Reports/ReportModel.ts"
import { type Bucket, bucketOf, bucketsOf } from "../../Services/Reports/ReportWindow.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import type { FigureName } from "./DayFacts.ts"
import { type FigureRow, figures, sumOf, type Window } from "./Figures.ts"

const leads = ["leads_generated", "leads_added"] as const
const sentAndReceived = ["emails_sent", "replies_received", "chatapp_sent", "chatapp_replies_received"] as const

/** Counts by day, in one statement. */
const dayCounts = (sql: SqlClient, window: Window, names: ReadonlyArray<FigureName>) =>
  figures(sql, window, names, { day: true }).pipe(fromSql(), Effect.map(Array.groupBy(({ day }) => day ?? "")))

interface ByDay {
  readonly [day: string]: ReadonlyArray<FigureRow>
}

const at =
  (rows: ByDay) =>
  (figure: FigureName, day: string): number =>
    sumOf(rows[day] ?? [], figure)

const stageAt =
  (rows: ByDay) =>
  (stage: string, day: string): number =>
    sumOf(rows[day] ?? [], "stage", ({ key }) => key === stage)

export const performanceTrends = (
  sql: SqlClient,
  window: Window,
  days: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<TrendDay>, Transient> =>
  Effect.map(dayCounts(sql, window, [...leads, ...sentAndReceived, "stage"]), (rows) => {
    const count = at(rows)
    const enteredStages = stageAt(rows)
    return days.map((date) => ({
      date,
      leads_generated: count("leads_generated", date),
      emails_sent: count("emails_sent", date),
      replies_received: count("replies_received", date),
      confirmed: enteredStages("confirmed", date),
      interested: enteredStages("interested", date),
      chatapp_sent: count("chatapp_sent", date),
      chatapp_replies_received: count("chatapp_replies_received", date)
    }))
  })

export const funnelTimeline = (
  sql: SqlClient,
  window: Window,
  days: ReadonlyArray<string>,
  bucket: Bucket
): Effect.Effect<ReadonlyArray<TimelineBucket>, Transient> =>
  Effect.map(dayCounts(sql, window, [...leads, "stage"]), (rows) => {
    const count = at(rows)
    const entered = stageAt(rows)
    const ofBucket = Array.groupBy(days, (day) => bucketOf(day, bucket))
    const total = (start: string, countOf: (day: string) => number): number =>
      (ofBucket[start] ?? []).reduce((sum, day) => sum + countOf(day), 0)
    return bucketsOf(days, bucket)
      .map((start) => ({
        bucket_start: start,
        cold: total(start, (day) => count("leads_generated", day) + count("leads_added", day)),
        confirmed: total(start, (day) => entered("confirmed", day)),
        interested: total(start, (day) => entered("interested", day)),
        closed: total(start, (day) => entered("closed", day))
      }))
      .toReversed()
  })
