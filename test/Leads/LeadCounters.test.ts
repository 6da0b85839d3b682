import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { CampaignsPostgres } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { leadCounterFolding, sectorCounterFolding } from "../../src/Layers/Leads/LeadCounters.ts"
import { ReferralsPostgres } from "../../src/Layers/Leads/Registration/ReferralsPostgres.ts"
import { TouchLedgerPostgres } from "../../src/Layers/Outreach/TouchLedgerPostgres.ts"
import { DatabasePools } from "../../src/Layers/Platform/Postgres/Database.ts"
import { CampaignLeads } from "../../src/Services/Campaigns/CampaignLeads.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { Referrals } from "../../src/Services/Leads/Referrals.ts"
import { TouchLedger } from "../../src/Services/Outreach/TouchLedger.ts"
import { insertCampaign, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const TestLayer = Layer.mergeAll(CampaignsPostgres, ReferralsPostgres, TouchLedgerPostgres).pipe(
  Layer.provideMerge(LeadServices)
)

const operations = ["pause", "resume", "stop", "recover", "take_over", "unsubscribe", "flag_for_review"] as const

const statuses = ["Cold", "Aware", "Confirmed", "Interested", "NotInterested"] as const

const step = fc.record({
  kind: fc.constantFrom(
    "register",
    "register",
    "status",
    "status",
    "transition",
    "transition",
    "move",
    "archive",
    "sent",
    "received",
    "refer",
    "erase",
    "fold"
  ),
  pick: fc.nat(),
  // The process dies before it commits.
  isLost: fc.integer({ min: 0, max: 4 }).map((n) => n === 0)
})

layer(TestLayer, { excludeTestServices: true })("the counters of leads", (it) => {
  it.effect.each([
    ["on one Postgres", 400, false],
    ["step by step, as on a cluster", 100, true]
  ] as const)(
    "equal a count after whatever was done, and whatever was lost before it was committed, %s",
    ([, numRuns, isSpread]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { spread } = yield* DatabasePools
        if (isSpread) spread.isCluster = true
        const unit = yield* UnitOfWork
        const leads = yield* Leads
        const campaigns = yield* Campaigns
        const members = yield* CampaignLeads
        const referrals = yield* Referrals
        const ledger = yield* TouchLedger
        const caller = yield* makeAccount()
        const me = as(caller)
        const { accountId } = caller
        const names = ["North", "South", "East"]
        for (const name of names) yield* me(insertCampaign(name))
        let createdCount = 0

        for (const { isLost, kind, pick } of fc.sample(step, { numRuns, seed: 11 })) {
          const existingLeads = yield* sql<{ readonly lead_id: number }>`
          select lead_id from lead where account_id = ${accountId} order by lead_id`
          const lead = LeadId.make(existingLeads[pick % Math.max(existingLeads.length, 1)]?.lead_id ?? 0)
          const name = names[pick % names.length] ?? "North"
          const act = Effect.gen(function* () {
            switch (kind) {
              case "register":
                return yield* leads.register({
                  name: `Lead ${++createdCount}`,
                  email: pick % 5 === 0 ? undefined : `lead${createdCount}@client.example`,
                  phone: undefined,
                  company: undefined,
                  status: "Cold",
                  campaign: pick % 2 === 0 ? name : undefined
                })
              case "status":
                return yield* leads.update(lead, {
                  status: statuses[pick % statuses.length],
                  goal: undefined,
                  background: undefined
                })
              case "transition":
                return yield* leads.transition(lead, operations[pick % operations.length] ?? "pause")
              case "move":
                return yield* campaigns.moveLeads(
                  existingLeads.slice(0, 3).map(({ lead_id }) => LeadId.make(lead_id)),
                  name
                )
              case "archive":
                return yield* members.takeOut(accountId, (yield* campaigns.get(name)).campaign_id, 2)
              case "sent":
                return yield* ledger.sent([
                  { accountId, leadId: lead, touchId: null, channel: "email", kind: "follow_up" }
                ])
              case "received":
                return yield* ledger.received([{ accountId, leadId: lead }], "email")
              case "refer":
                return yield* referrals.register({
                  referringLeadId: lead,
                  name: `Referred ${++createdCount}`,
                  email: `referred${createdCount}@client.example`,
                  phone: undefined,
                  isSameCompany: true,
                  status: "Cold",
                  actor: "owner",
                  firstTouchInstructions: undefined
                })
              case "erase":
                return yield* leads.erase(lead, undefined)
              case "fold":
                return yield* Effect.zipRight(leadCounterFolding.fold, sectorCounterFolding.fold)
            }
          })
          yield* me(unit.write(isLost ? Effect.zipRight(Effect.ignore(act), Effect.die("lost")) : act)).pipe(
            Effect.exit
          )
        }

        const differences = (counted: string, there: string) =>
          sql.unsafe(
            `(select * from (${counted}) c except select * from (${there}) t) union all
           (select * from (${there}) t except select * from (${counted}) c)`,
            [accountId]
          )
        const ofLists = yield* differences(
          `select campaign_id, status, has_linkedin, sum(change)::bigint from lead_counter
         where account_id = $1 group by 1, 2, 3 having sum(change) <> 0`,
          "select campaign_id, status, linkedin_url is not null, count(*) from lead where account_id = $1 group by 1, 2, 3"
        )
        const ofSectors = yield* differences(
          `select campaign_id, division, industry, status, pipeline_state, final_outcome, is_contacted, has_written,
           sum(change)::bigint from sector_counter where account_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8
         having sum(change) <> 0`,
          `select coalesce(campaign_id, 0), left(regexp_replace(cnae, '[^0-9]', '', 'g'), 2), nullif(trim(industry), ''),
           status, pipeline_state, final_outcome, last_outbound_at is not null, last_inbound_at is not null, count(*)
         from lead where account_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8`
        )
        assert.deepStrictEqual([...ofLists, ...ofSectors], [])
        const [there] = yield* sql<{ readonly leads: number; readonly states: number }>`
        select count(*) as leads, count(distinct (status, pipeline_state, campaign_id)) as states from lead
        where account_id = ${accountId}`
        assert.isAbove(there?.leads ?? 0, numRuns / 20)
        assert.isAbove(there?.states ?? 0, 8)
      })
  )
})
