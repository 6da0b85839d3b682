import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../Errors.ts"
import { CampaignLookup, campaignIdIn } from "../../Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { spanned } from "../../Services/Core/Spanned.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

/**
 * Selects `columns` of the campaign that a `campaign` argument means: of the account, by its name or its id, each given
 * as the text of a parameter (`$1`). A campaign that is named like another one's id is found by its name.
 */
export const selectCampaign = (
  columns: string,
  given: { readonly account: string; readonly name: string; readonly id: string }
): string => `
  select ${columns} from campaign
  where account_id = ${given.account} and archived_at is null
    and (fold(name) = fold(${given.name}) or campaign_id = ${given.id})
  order by fold(name) = fold(${given.name}) desc limit 1`

/** Values for the `name` and `id` of `selectCampaign`. */
export const campaignValues = (campaign: string): readonly [name: string, id: CampaignId | null] => [
  campaign.trim(),
  campaignIdIn(campaign) ?? null
]

export const campaignNotFound = (campaign: string) => notFound("campaign", "campaign", campaign)

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
