import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { soonAfterWrites } from "../Platform/Jobs/AfterWrites.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const foldLeadCounters = Task.make("fold_lead_counter", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Accounts with changes that are not yet added to their counters. */
const accountsWithChanges = Effect.flatMap(Effect.all([SqlClient, UnitOfWork]), ([sql, unit]) =>
  unit
    .acrossAccounts(sql<{ readonly account_id: number }>`
    select account_id from lead_counter group by account_id
    having count(*) > 50 + 2 * count(distinct (campaign_id, status, has_linkedin))`)
    .pipe(fromSql())
)

/**
 * Adds the accumulated changes of all accounts to their counters, and skips accounts that another process is folding.
 * Each change is counted once, and readers always see the same total.
 */
const foldAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const { account_id } of yield* accountsWithChanges)
    yield* sql`select fold_lead_counter(${account_id})`.pipe(fromSql())
})

const foldSectorCounters = Task.make("fold_sector_counter", { payload: Schema.Struct({}), maxAttempts: 3 })

const foldSectors = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* unit
    .acrossAccounts(sql<{ readonly account_id: number }>`
    select account_id from sector_counter group by account_id
    having count(*) > 200 + 2 * count(distinct (campaign_id, division, industry, status, pipeline_state, final_outcome,
      is_contacted, has_written))`)
    .pipe(fromSql())
  for (const { account_id } of accounts) yield* sql`select fold_sector_counter(${account_id})`.pipe(fromSql())
})

export const sectorCounterFolding = {
  fold: foldSectors,
  handler: handle(foldSectorCounters, () => foldSectors),
  recurring: recurring("fold_sector_counter", "*/15 * * * *", foldSectorCounters, {})
}

export const leadCounterFolding = {
  fold: foldAll,
  handler: handle(foldLeadCounters, () => foldAll),
  recurring: recurring("fold_lead_counter", "*/15 * * * *", foldLeadCounters, {}),
  /** Runs within a minute after writes. */
  loop: soonAfterWrites(
    { name: "fold_lead_counter", task: foldLeadCounters, payload: {} },
    Effect.map(accountsWithChanges, (accounts) => ({ found: accounts.length > 0 }))
  )
}
