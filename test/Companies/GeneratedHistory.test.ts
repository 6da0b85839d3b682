import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Logger, LogLevel } from "effect"
import { CampaignLookupPostgres } from "../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { ModelOutagesPostgres } from "../../src/Layers/Models/ModelOutagesPostgres.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { ReportsPostgres } from "../../src/Layers/Reports/ReportsPostgres.ts"
import { makeSampleHistory, type SampleHistory } from "../../src/Layers/Sample/SampleHistory.ts"
import { sandboxCompanies, sandboxCompany } from "../../src/Services/Companies/SandboxWorld.ts"
import { Caller } from "../../src/Services/Core/Caller.ts"
import { Reports } from "../../src/Services/Reports/Reports.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"

const days = 30
const perDay = 2
const end = Date.parse("2026-03-05T15:30:00Z")

class Lived extends Context.Tag("Lived")<Lived, SampleHistory>() {}

const size = { days, workedLeads: 10, waitingLeads: 0, acquiredPerDay: perDay }

const TestLayer = Layer.effect(Lived, Effect.orDie(makeSampleHistory({ seed: 7, end, size }))).pipe(
  Layer.provideMerge(ReportsPostgres),
  Layer.provide(CampaignLookupPostgres),
  Layer.provideMerge(Layer.merge(TaskQueuePostgres, ModelOutagesPostgres)),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(Layer.mergeAll(TestSettings, NodeContext.layer, Logger.minimumLogLevel(LogLevel.None)))
)

layer(TestLayer, { excludeTestServices: true, timeout: "180 seconds" })("thirty days of acquired leads", (it) => {
  it.effect("they are found day by day, contacted, answer, and appear in the figures", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, givenUp } = yield* Lived
      assert.deepStrictEqual(givenUp, [])
      const leads = yield* sql<{
        readonly leadId: number
        readonly company: string
        readonly cnae: string
        readonly day: string
        readonly isContacted: boolean
        readonly hasWritten: boolean
      }>`
        select lead_id as "leadId", company, cnae, (created_at at time zone 'America/Sao_Paulo')::date::text as day,
          last_outbound_at is not null as "isContacted", last_inbound_at is not null as "hasWritten"
        from lead where account_id = ${accountId} and origin = 'acquired' order by lead_id`
      const byDay = new Map<string, number>()
      for (const { day } of leads) byDay.set(day, (byDay.get(day) ?? 0) + 1)
      assert.isTrue(
        [...byDay.values()].every((count) => count === perDay),
        JSON.stringify([...byDay])
      )
      assert.isAtLeast(byDay.size, days - 1)
      const clinics = new Set(
        Array.from({ length: sandboxCompanies }, (_, index) => sandboxCompany(index))
          .filter(({ cnae, country, type }) => cnae === "8630504" && country === "BR" && type === "Private")
          .map(({ legalName, tradeName }) => tradeName ?? legalName)
      )
      assert.isTrue(leads.every(({ cnae, company }) => cnae === "8630504" && clinics.has(company)))
      const contacted = leads.filter(({ isContacted }) => isContacted)
      assert.isAbove(contacted.length, leads.length / 2)
      assert.isAbove(leads.filter(({ hasWritten }) => hasWritten).length, 0)
      const reports = yield* Reports
      const caller = Caller.of({ accountId, plan: "paid", tokenId: undefined, requestId: "history" })
      const since = Math.ceil(((yield* Clock.currentTimeMillis) - end) / 86_400_000) + days + 1
      const { trends } = yield* Effect.provideService(
        reports.trends({ campaign: undefined, days: since }),
        Caller,
        caller
      )
      assert.strictEqual(
        trends.reduce((sum, { leads_generated }) => sum + leads_generated, 0),
        leads.length
      )
    })
  )
})
