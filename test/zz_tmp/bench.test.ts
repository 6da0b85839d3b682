import { SqlClient } from "@effect/sql/SqlClient"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { takeOut } from "../../src/Layers/Postgres/ArchivedCampaignLeads.ts"
layer(TestDatabase, { excludeTestServices: true })("bench", (it) => {
  it.effect("unlink", () => Effect.gen(function* () {
    const sql = yield* SqlClient
    const c = yield* makeAccount()
    const n = 100000
    const [{ campaign_id }] = (yield* sql<any>`insert into campaign (account_id, name) values (${c.accountId}, 'x') returning campaign_id`) as any
    yield* sql`insert into lead (account_id, name, email, status, pipeline_state, campaign_id, next_touch_at) select ${c.accountId}, 'Name '||g, 'mail'||g||'@example'||(g%1000)||'.com', 'Cold', 'in_pipeline', campaign_id, now() from campaign, generate_series(1, ${n}) g where account_id = ${c.accountId}`
    for (const size of [10000, 20000, 10000, 10000, 10000]) {
      const u = yield* Effect.timed(takeOut(sql, c.accountId, campaign_id, size))
      console.log(size, String(u[0]), u[1])
    }
    yield* sql`analyze lead`
    for (const size of [10000, 20000, 10000]) {
      const u = yield* Effect.timed(takeOut(sql, c.accountId, campaign_id, size))
      console.log("analyzed", size, String(u[0]), u[1])
    }
  }), 120000)
})
