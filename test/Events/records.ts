import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const notification = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into notification (account_id, kind, message) values (${account}, 'test', 'A message.')
          returning notification_id as id`
      )
      const subscription = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into webhook_subscription (account_id, url, secret)
          values (${account}, 'https://hooks.client.example', sha256('secret'::bytea))
          returning webhook_subscription_id as id`
      )
      const delivery = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into webhook_delivery (account_id, webhook_subscription_id, ping_key, event_type)
          values (${account}, ${subscription}, gen_random_uuid(), 'ping')
          returning webhook_delivery_id as id`
      )
      const campaign = returnedId(
        yield* sql<{ readonly id: number }>`
          with added as (
            insert into campaign (account_id, name) values (${account}, 'Of no filter'), (${account}, 'Of a filter')
            returning campaign_id
          )
          select max(campaign_id) as id from added`
      )
      return {
        campaign_ids: campaign,
        notification_id: notification,
        subscription_id: subscription,
        delivery_id: delivery
      }
    })
}
