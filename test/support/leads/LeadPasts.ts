import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { followPast, leadsWithChangedPast } from "../../../src/Layers/Leads/Sql.ts"
import type { AccountId } from "../../../src/Services/Accounts/Ids.ts"

/** Starts recording changes to past days of the account's leads, as the first roll-up does. */
export const followLeads = (accountId: AccountId) => Effect.flatMap(SqlClient, (sql) => followPast(sql, accountId))

/** The leads with recorded changes to past days, each once. */
export const leadsToldOf = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly lead_id: number }>`
      select distinct lead_id from (${leadsWithChangedPast(sql, accountId, 100)}) told order by lead_id`
    return rows.map(({ lead_id }) => lead_id)
  })
