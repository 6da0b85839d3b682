import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

const dropOldRecords = Task.make("drop_old_records", {
  payload: Schema.Struct({}),
  maxAttempts: 3,
  timeout: "30 minutes"
})

/** A table whose old rows are deleted, by a condition on its row `r`. */
export interface Retention {
  readonly table: string
  readonly key: ReadonlyArray<string>
  readonly days: number
  /** The instant from which the age counts. */
  readonly since: string
  readonly condition: string
}

/** Records that show the state of a job. They keep the job from being deleted. */
const recordsOfJobs = [
  "account_export",
  "business_file",
  "lead_import",
  "lead_export",
  "media_generation",
  "lead_rescheduling",
  "online_search",
  "webhook_replay",
  "website_code"
]

const isOver = "r.status in ('finished', 'failed', 'cancelled')"

/**
 * The tables whose old rows are deleted here. Rooms delete from other growing tables themselves, or there is a reason
 * to keep the rows.
 */
export const retentions: ReadonlyArray<Retention> = [
  {
    table: "online_search",
    key: ["online_search_id"],
    days: 365,
    since: "r.created_at",
    condition: isOver
  },
  {
    table: "lead_import_row",
    key: ["lead_import_id", "row_number"],
    days: 365,
    since:
      "(select i.created_at from lead_import i where i.account_id = r.account_id and i.lead_import_id = r.lead_import_id)",
    condition: "true"
  },
  {
    table: "background_job",
    key: ["job_id"],
    days: 90,
    since: "r.created_at",
    condition: [
      isOver,
      ...recordsOfJobs.map(
        (table) => `not exists (select from ${table} u where u.account_id = r.account_id and u.job_id = r.job_id)`
      )
    ].join(" and ")
  },
  {
    table: "language_usage",
    key: ["day", "purpose", "model"],
    days: 800,
    since: "r.day::timestamptz",
    condition: "true"
  },
  {
    table: "notification",
    key: ["notification_id"],
    days: 800,
    since: "r.created_at",
    condition: "(r.processed_at is not null or r.acknowledged_at is not null)"
  }
]

const rowsPerStatement = 5_000

/** Deletes old rows, some thousands per statement. */
export const dropOld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  for (const { condition, days, key, since, table } of retentions) {
    const columns = ["account_id", ...key]
    const dropped = unit
      .acrossAccounts(sql<{ readonly count: number }>`
      with old as (
        select ${sql.literal(columns.map((column) => `r.${column}`).join(", "))} from ${sql(table)} r
        where ${sql.literal(since)} < instant() - make_interval(days => ${days}) and ${sql.literal(condition)}
        limit ${rowsPerStatement}
      ), dropped as (
        delete from ${sql(table)} d using old
        where ${sql.literal(columns.map((column) => `d.${column} = old.${column}`).join(" and "))} returning 1
      )
      select count(*) as count from dropped`)
      .pipe(fromSql(), Effect.map(single))
    yield* Effect.repeat(dropped, { while: ({ count }) => count === rowsPerStatement })
  }
}).pipe(Effect.withSpan("Retention.dropOld"))

export const retention = {
  handler: handle(dropOldRecords, () => dropOld),
  recurring: recurring("drop_old_records", "53 3 * * *", dropOldRecords, {})
}
