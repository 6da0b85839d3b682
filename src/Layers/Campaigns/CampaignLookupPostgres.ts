import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { CampaignLookup } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { spanned } from "../../Services/Core/Calls/Spanned.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { campaignNotFound, campaignValues, selectCampaign } from "./Sql.ts"

const statement = selectCampaign("campaign_id", { account: "$1", name: "$2", id: "$3::bigint" })

export const CampaignLookupPostgres = Layer.effect(
  CampaignLookup,
  Effect.map(SqlClient, (sql) =>
    CampaignLookup.of({
      resolve: Effect.fnUntraced(function* (campaign) {
        const { accountId } = yield* Caller
        const rows = yield* sql
          .unsafe<{ readonly campaign_id: CampaignId }>(statement, [accountId, ...campaignValues(campaign)])
          .pipe(fromSql())
        return rows[0]?.campaign_id ?? (yield* campaignNotFound(campaign))
      }, spanned("CampaignLookup.resolve"))
    })
  )
)
