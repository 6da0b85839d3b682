import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CampaignsPostgres } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { changeLeads, removeLeads } from "../support/checks/CountedLeads.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

layer(CampaignsPostgres.pipe(Layer.provideMerge(LeadServices)), { excludeTestServices: true })(
  "comparing campaigns",
  (it) => {
    it.effect("a comparison counts the leads as they are after they changed", () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        const me = as(caller)
        const sql = yield* SqlClient
        const campaigns = yield* Campaigns
        const a = yield* me(insertCampaign("A"))
        const b = yield* me(insertCampaign("B"))
        const leads = yield* Effect.forEach(Array.from({ length: 6 }), () => me(insertLead({ campaign_id: a })))
        const some = (places: ReadonlyArray<number>) => {
          const movedLeads = leads.filter((_, index) => places.includes(index + 1))
          return sql`account_id = ${caller.accountId} and ${sql.in("lead_id", movedLeads)}`
        }
        yield* changeLeads(some([1, 2, 3]), sql`last_outbound_at = instant()`)
        yield* changeLeads(some([2]), sql`last_inbound_at = instant(), pipeline_state = 'user_controlled'`)
        yield* sql`select fold_sector_counter(${caller.accountId})`
        yield* changeLeads(some([1]), sql`status = 'Interested'`)
        yield* changeLeads(some([3]), sql`campaign_id = ${b}`)
        yield* changeLeads(some([4]), sql`campaign_id = null`)
        yield* removeLeads(some([5]))
        for (const fold of [false, true]) {
          if (fold) yield* sql`select fold_sector_counter(${caller.accountId})`
          const { campaign_a, campaign_b } = yield* me(campaigns.compare("A", "B"))
          assert.deepInclude(campaign_a.leads, {
            total: 3,
            contacted: 2,
            replied: 1,
            interested: 1,
            reply_rate_pct: 50
          })
          assert.deepInclude(campaign_a.leads.by_pipeline_state, { in_pipeline: 2, user_controlled: 1 })
          assert.deepInclude(campaign_b.leads, { total: 1, contacted: 1, replied: 0 })
        }
      })
    )
  }
)
