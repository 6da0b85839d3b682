import { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { countChanged, countCreated, countedColumns, countRemoved } from "../../../src/Layers/Leads/Sql/Counters.ts"

/** Inserts leads by the statement and updates the counters. */
export const createLeads = (insert: Fragment) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly lead_id: number }>`
      with created as (${insert} returning ${sql.literal(countedColumns("lead"))}), ${sql.literal(countCreated)}
      select lead_id from created order by lead_id`
  )

/** Sets columns of the leads that `where` selects and updates the counters. */
export const changeLeads = (where: Fragment, set: Fragment) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with before as (
        select ${sql.literal(countedColumns("lead"))} from lead where ${where} order by lead_id for update
      ), changed as (
        update lead set ${set} where ${where} and lead_id = any(array(select lead_id from before)) returning ${sql.literal(countedColumns("lead"))}
      ), ${sql.literal(countChanged)}
      select from changed`
  )

/** Removes leads and updates the counters. */
export const removeLeads = (where: Fragment) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with removed as (delete from lead where ${where} returning ${sql.literal(countedColumns("lead"))}),
        ${sql.literal(countRemoved)}
      select from removed`
  )
