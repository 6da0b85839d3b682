import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropOld } from "../../../src/Layers/Events/Webhooks/Retention.ts"
import { Webhooks } from "../../../src/Services/Events/Webhooks.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { deliveriesOf, happened, subscribe, WebhookServices } from "./support.ts"

layer(WebhookServices, { excludeTestServices: true })("the log of deliveries", (it) => {
  it.effect("goes back 30 days, and the events it was of stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const { id } = yield* me(subscribe("https://hooks.example/hook"))
      yield* me(happened(1, 2, 3))
      const [old, recent] = yield* me(deliveriesOf(id))
      yield* sql`insert into webhook_attempt (account_id, webhook_delivery_id, attempt_number, attempted_at, duration_ms)
        select account_id, webhook_delivery_id, 1, now(), 5 from webhook_delivery where webhook_subscription_id = ${id}`
      yield* sql`update webhook_delivery set created_at = now() - interval '31 days'
        where webhook_delivery_id = ${old?.delivery_id ?? 0}`
      yield* sql`update webhook_delivery set created_at = now() - interval '29 days'
        where webhook_delivery_id = ${recent?.delivery_id ?? 0}`
      yield* dropOld
      const left = yield* me(deliveriesOf(id))
      assert.strictEqual(left[0]?.delivery_id, recent?.delivery_id)
      assert.lengthOf(left, 2)
      const rows = yield* sql`select from webhook_attempt where webhook_delivery_id = ${old?.delivery_id ?? 0}`
      assert.lengthOf(rows, 0)
    })
  )

  it.effect("of a deleted subscription goes, and the subscription with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const { id } = yield* me(subscribe("https://hooks.example/hook"))
      const kept = yield* me(subscribe("https://hooks.example/hook"))
      yield* me(happened(1))
      const webhooks = yield* Webhooks
      yield* me(webhooks.remove(id))
      const rowsOf = (table: string) => sql`select from ${sql(table)} where webhook_subscription_id = ${id}`
      yield* dropOld
      assert.lengthOf(yield* rowsOf("webhook_subscription"), 1)
      yield* sql`update webhook_subscription set deleted_at = now() - interval '2 hours' where webhook_subscription_id = ${id}`
      yield* dropOld
      assert.lengthOf(yield* rowsOf("webhook_subscription"), 0)
      assert.lengthOf(yield* rowsOf("webhook_delivery"), 0)
      assert.lengthOf(yield* me(deliveriesOf(kept.id)), 1)
    })
  )
})
