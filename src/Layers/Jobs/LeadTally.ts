import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import * as Task from "../../Services/Task.ts"
import { fromSql } from "../Postgres/Sql.ts"
import { recurring } from "./Recurring.ts"
import { handle } from "./TaskHandler.ts"

const foldLeadTally = Task.make("fold_lead_tally", { payload: Schema.Struct({}), maxAttempts: 3 })

/**
 * Sums up the changes that an account's tally has gathered. One statement takes rows away and adds their sum, so every
 * reader sees the same total before and after, and of two that run at once each row is summed by one. Accounts whose
 * tally is nearly folded are passed over.
 */
const foldAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const accounts = yield* sql<{ readonly account_id: number }>`
    select account_id from lead_tally group by account_id
    having count(*) > 50 + 2 * count(distinct (campaign_id, status, has_linkedin))`.pipe(fromSql())
  for (const { account_id } of accounts) {
    yield* sql`
      with taken as (
        delete from lead_tally where account_id = ${account_id} returning *
      )
      insert into lead_tally (account_id, campaign_id, status, has_linkedin, change)
      select account_id, campaign_id, status, has_linkedin, sum(change) from taken
      group by account_id, campaign_id, status, has_linkedin having sum(change) <> 0`.pipe(fromSql())
  }
})

export const leadTallyFolding = {
  handler: handle(foldLeadTally, () => foldAll),
  recurring: recurring("fold_lead_tally", "* * * * *", foldLeadTally, {})
}
