import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { returnArchivedCampaignLeads } from "../../Services/Campaigns/CampaignTasks.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { noteDue } from "../Prospecting/Sql.ts"
import { countChanged, countedColumns } from "./Sql.ts"

/**
 * Takes up to `limit` leads out of a campaign and answers how many it took: 3 000 to 20 000 a second. The ids come as an
 * array, since a join of as many rows can be planned as one that takes minutes; the rows are locked in the order of the
 * index, so that two of these cannot end in a deadlock.
 */
export const takeOut = (sql: SqlClient, accountId: AccountId, campaignId: CampaignId, limit: number) =>
  sql<{ readonly leads: number }>`
    with before as materialized (
      select ${sql.literal(countedColumns("l"))} from lead l
      where l.account_id = ${accountId} and l.campaign_id = ${campaignId}
      order by l.created_at desc, l.lead_id desc limit ${limit} for no key update
    ), changed as (
      update lead l set campaign_id = null
      where l.account_id = ${accountId} and l.lead_id = any(array(select lead_id from before))
      returning ${sql.literal(countedColumns("l"))}
    ), ${sql.literal(countChanged)}
    select count(*) as leads from changed`.pipe(
    Effect.map((rows) => single(rows).leads),
    fromSql(),
    // Without a campaign they are no longer held back by its pause.
    Effect.tap((leads) => (leads > 0 ? noteDue(sql, accountId) : Effect.void))
  )

const batch = 5000

/** Each batch commits by itself, so that other work on these leads waits for a second or so. */
export const returnArchivedCampaignLeadsHandler = handle(returnArchivedCampaignLeads, ({ accountId, campaignId }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    yield* Effect.repeat(unit.write(takeOut(sql, accountId, campaignId, batch)), { until: (taken) => taken === 0 })
  })
)
