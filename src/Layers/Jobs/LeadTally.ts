import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import * as Task from "../../Services/Task.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { recurring } from "./Recurring.ts"
import { handle } from "./TaskHandler.ts"

const foldLeadTally = Task.make("fold_lead_tally", { payload: Schema.Struct({}), maxAttempts: 3 })

/**
 * Sums up the changes that the accounts' tallies have gathered; those that are nearly folded are passed over. Writers
 * fold now and then too: a change is summed by one of those who fold at once, and readers see the same total throughout.
 */
const foldAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const accounts = yield* sql<{ readonly account_id: number }>`
    select account_id from lead_tally group by account_id
    having count(*) > 50 + 2 * count(distinct (campaign_id, status, has_linkedin))
    union
    select account_id from campaign_tally group by account_id
    having count(*) > 50 + 2 * count(distinct (campaign_id, status, pipeline_state, is_contacted, has_written))`.pipe(
    fromSql()
  )
  for (const { account_id } of accounts) yield* sql`select fold_lead_tally(${account_id})`.pipe(fromSql())
})

export const leadTallyFolding = {
  handler: handle(foldLeadTally, () => foldAll),
  recurring: recurring("fold_lead_tally", "* * * * *", foldLeadTally, {})
}
