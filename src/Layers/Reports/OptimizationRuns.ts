import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import type { OptimizationRun } from "../../Services/Reports/ReportModel.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** Runs of the optimizer, newest first. */
export const optimizationPage = (
  sql: SqlClient,
  scope: {
    readonly accountId: AccountId
    readonly campaignId: CampaignId | undefined
    readonly since: Timestamp | undefined
    readonly changesOnly: boolean
  },
  { page, pageSize }: { readonly page: number; readonly pageSize: number }
) =>
  Effect.gen(function* () {
    const { accountId, campaignId, changesOnly, since } = scope
    const condition = sql`o.account_id = ${accountId}
      and (${campaignId ?? null}::bigint is null or o.campaign_id = ${campaignId ?? null})
      and (${since ?? null}::timestamptz is null or o.ran_at >= ${since ?? null})
      and (not ${changesOnly} or o.outcome <> 'kept')`
    const runs = yield* sql<OptimizationRun>`
      select o.optimization_id, o.campaign_id, (select c.name from campaign c where c.account_id = o.account_id
          and c.campaign_id = o.campaign_id) as campaign_name, o.ran_at, o.outcome, o.changes, o.reasons
      from prospecting_optimization o where ${condition}
      order by o.optimization_id desc limit ${pageSize} offset ${page * pageSize}`
    const totalRow = yield* sql<{ readonly total: number }>`
      select count(*) as total from prospecting_optimization o where ${condition}`
    return { runs, total: single(totalRow).total }
  }).pipe(fromSql())
