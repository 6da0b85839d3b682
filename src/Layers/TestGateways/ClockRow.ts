import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import type { TestClockView } from "../../Services/TestAccounts/TestClock.ts"
import { fromSql, instantOf, single } from "../Platform/Postgres/Sql.ts"

/** The state of a test account's clock, in Unix milliseconds. */
export interface ClockState {
  readonly now: number
  readonly advancesTo: number | undefined
  readonly recurringUntil: number
}

interface Row {
  readonly now: number
  readonly advancesTo: number | null
  readonly recurringUntil: number
}

/** The row of the clock. All processes that serve the account read it. */
export const makeClockRow = Effect.map(SqlClient, (sql) => {
  const millis = (column: string) => sql.literal(`round(extract(epoch from ${column}) * 1000)::float8`)

  return {
    read: sql<Row>`
      select ${millis("now")} as now, ${millis("advances_to")} as "advancesTo",
        ${millis("recurring_until")} as "recurringUntil" from test_clock`.pipe(
      Effect.map((rows): ClockState => {
        const row = single(rows)
        return { ...row, advancesTo: row.advancesTo ?? undefined }
      }),
      fromSql()
    ),

    /** Returns whether no other advance was running. */
    begin: (to: number) =>
      sql`update test_clock set advances_to = ${instantOf(sql, to)} where advances_to is null returning now`.pipe(
        Effect.map((rows) => rows.length > 0),
        fromSql()
      ),

    end: sql`update test_clock set advances_to = null`.pipe(Effect.asVoid, fromSql()),

    moved: (to: number) => sql`update test_clock set now = ${instantOf(sql, to)}`.pipe(Effect.asVoid, fromSql()),

    recurred: (until: number) =>
      sql`update test_clock set recurring_until = ${instantOf(sql, until)}`.pipe(Effect.asVoid, fromSql()),

    view: sql<Row & { readonly waiting: number; readonly failed: number }>`
      select ${millis("now")} as now, ${millis("advances_to")} as "advancesTo",
        (select count(*) from test_task where failure is null) as waiting,
        (select count(*) from test_task where failure is not null) as failed
      from test_clock`.pipe(
      Effect.map((rows): TestClockView => {
        const { advancesTo, failed, now, waiting } = single(rows)
        return {
          now: fromMillis(now),
          status: advancesTo === null ? "ready" : "advancing",
          advances_to: advancesTo === null ? null : fromMillis(advancesTo),
          waiting_tasks: waiting,
          failed_tasks: failed
        }
      }),
      fromSql()
    )
  }
})
export type ClockRow = Effect.Effect.Success<typeof makeClockRow>
