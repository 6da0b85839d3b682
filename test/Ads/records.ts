import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const group = returnedId(
        yield* sql<{ readonly id: number }>`
          with campaign as (
            insert into ads_campaign (account_id, name, channel_type, daily_budget_micros, state, recharge_key)
            values (${account}, 'Clínicas', 'Search', 40000000, 'draft', 'abcdefghijklmnopqrstuvwx')
            returning ads_campaign_id
          )
          insert into ads_ad_group (account_id, ads_campaign_id, name)
          select ${account}, ads_campaign_id, 'Clínicas' from campaign returning ad_group_id as id`
      )
      return { ad_group_id: group }
    })
}
