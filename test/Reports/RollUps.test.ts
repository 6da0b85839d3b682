import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { reportCommands } from "../../src/Layers/Reports/Commands.ts"
import { reportsPersonalData } from "../../src/Layers/Reports/PersonalData.ts"
import { ReportsPostgres } from "../../src/Layers/Reports/ReportsPostgres.ts"
import { rollUp } from "../../src/Layers/Reports/RollUps.ts"
import { CampaignLeads } from "../../src/Services/Campaigns/CampaignLeads.ts"
import { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ReportsGroup } from "../../src/Tools/Reports/Reports.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { leadServicesWith } from "../support/leads/LeadServices.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { isKilled, ownConnection } from "../support/processes/DoomedProcess.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { at } from "./at.ts"
import { changePast, historyArbitrary, insertHistory, type World } from "./histories.ts"
import * as Slow from "./slowReports.ts"

/**
 * Roll-ups that are killed, run in parallel with writers, deleted or affected by erasures. Reports from raw rows are
 * the reference.
 */

const catalog = Catalog.make([ReportsGroup])
const Services = ReportsPostgres.pipe(
  Layer.provideMerge(AccountsPostgres),
  Layer.provideMerge(leadServicesWith([reportsPersonalData]))
)

const history = (seed: number) => fc.sample(historyArbitrary, { seed, numRuns: 1 })[0] ?? assert.fail("no history")

/** The answers of the reports that use roll-ups. */
const answers = ({ history: { days, now } }: World) =>
  Effect.all(
    [
      answerOf(catalog, "get_performance_trends", { days }),
      answerOf(catalog, "get_message_performance", { days, group_by: "both" }),
      answerOf(catalog, "get_chatapp_message_performance", { days, group_by: "both" }),
      answerOf(catalog, "get_metrics_by_state_and_industry", { days }),
      answerOf(catalog, "get_prospecting_report")
    ].map((answer) => Effect.map(answer.pipe(at(now)), Slow.unordered))
  )

const daysMade = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{
    readonly days: number
  }>`select count(*) as days from report_day where account_id = ${accountId}`
  return rows[0]?.days ?? 0
})

/** The answers without any roll-up. Existing ones are set aside for that time. */
const rawAnswers = (world: World) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update report_day set zone = 'not ' || zone where account_id = ${accountId}`
    const raw = yield* answers(world)
    yield* sql`update report_day set zone = substr(zone, 5) where account_id = ${accountId}`
    return raw
  })

const rolledUp = (world: World) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    yield* rollUp(accountId).pipe(at(world.history.now))
    assert.isAbove(yield* rollUp(accountId).pipe(at(world.history.now)), 1)
  })

layer(Services, { excludeTestServices: true })("roll-ups", (it) => {
  it.scoped(
    "of a process that is killed by kill -9 say what the rows say, and the next one goes on",
    () =>
      Effect.gen(function* () {
        const entry = yield* bundledEntry("Reports/doomedRollUp")
        const connection = yield* ownConnection
        const caller = yield* makeAccount()
        yield* Effect.gen(function* () {
          const world = yield* insertHistory(history(23))
          yield* rolledUp(world)
          const changed = yield* changePast(world)
          const raw = yield* rawAnswers(changed)
          let killed = 0
          // Between the marks that it takes, the days that it deletes, and those that it writes, finished ones and
          // today's.
          for (const diesAtStatement of [4, 11, 20, 14]) {
            const order = { accountId: caller.accountId, connection, now: world.history.now, diesAtStatement }
            if (yield* isKilled(entry, order)) killed += 1
            assert.deepStrictEqual(yield* answers(changed), raw, `killed at statement ${diesAtStatement}`)
          }
          assert.isAtLeast(killed, 2)
          yield* rollUp(caller.accountId).pipe(at(world.history.now))
          assert.strictEqual(yield* rollUp(caller.accountId).pipe(at(world.history.now)), 0)
          assert.deepStrictEqual(yield* answers(changed), raw)
        }).pipe(as(caller))
      }),
    180_000
  )

  it.effect(
    "that are made while others write say what the rows say",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        yield* Effect.gen(function* () {
          const unit = yield* UnitOfWork
          const inCampaigns = yield* CampaignLeads
          const leads = yield* Leads
          const { accountId } = caller
          const world = yield* insertHistory(history(29))
          yield* rolledUp(world)
          const campaigns = world.campaigns.map(({ id }) => CampaignId.make(id))
          const [erased, ...moving] = world.leads.map(({ id }) => LeadId.make(id))
          const writers = moving.map((lead, index) => {
            const to = campaigns[index % campaigns.length]
            return to === undefined ? Effect.void : unit.write(inCampaigns.putInto(accountId, to, [lead]))
          })
          const erasing = erased === undefined ? Effect.void : unit.write(leads.erase(erased, undefined))
          const rolling = rollUp(accountId).pipe(at(world.history.now))
          yield* Effect.all([rolling, ...writers, rolling, erasing, rolling], { concurrency: 6 })
          assert.deepStrictEqual(yield* answers(world), yield* rawAnswers(world))
          yield* rolling
          yield* rolling
          assert.deepStrictEqual(yield* answers(world), yield* rawAnswers(world))
        }).pipe(as(caller))
      }),
    180_000
  )

  it.effect(
    "are deleted by `reports rebuild`, computed again by what it queues, and keep no word of an erased lead",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeAccount()
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const unit = yield* UnitOfWork
          const leads = yield* Leads
          const { accountId } = caller
          const world = yield* insertHistory(history(31))
          const [erased] = world.leads
          if (erased === undefined) return assert.fail("no lead")
          yield* sql`
          update lead set industry = 'Padaria do Zé Erasmo' where account_id = ${accountId} and lead_id = ${erased.id}`
          yield* sql`select recount_leads(${accountId})`
          yield* rolledUp(world)
          const before = yield* answers(world)
          const days = yield* daysMade

          // A wrong figure that only a rebuild corrects.
          yield* sql`update report_figure set count = count + 7 where account_id = ${accountId}`
          assert.notDeepEqual(yield* answers(world), before)
          const output = yield* runCommand(reportCommands, ["reports", "rebuild", "--account", `${accountId}`])
          assert.include(output, "the figures of 1 account again")
          assert.strictEqual(yield* daysMade, 0)
          assert.deepStrictEqual(yield* answers(world), before)
          const queued = yield* sql`
          select from graphile_worker._private_jobs where key = ${`roll_up_reports:${accountId}`}`
          assert.lengthOf(queued, 1)
          yield* rollUp(accountId).pipe(at(world.history.now))
          assert.strictEqual(yield* daysMade, days)
          assert.match(yield* runCommand(reportCommands, ["reports", "rebuild"]), /the figures of \d+ accounts? again/)
          assert.strictEqual(yield* daysMade, 0)
          yield* rollUp(accountId).pipe(at(world.history.now))
          assert.strictEqual(yield* daysMade, days)
          assert.deepStrictEqual(yield* answers(world), before)
          const noAccount = yield* Effect.flip(
            runCommand(reportCommands, ["reports", "rebuild", "--account", "999999999"])
          )
          assert.include(JSON.stringify(noAccount), "account_not_found")

          const words = sql`select from report_group where account_id = ${accountId} and industry like '%Erasmo%'`
          assert.isAbove((yield* words).length, 0)
          yield* unit.write(leads.erase(LeadId.make(erased.id), undefined))
          assert.lengthOf(yield* words, 0)
          assert.lengthOf(
            yield* sql`select from sector_counter where account_id = ${accountId} and industry like '%Erasmo%'`,
            0
          )
          assert.deepStrictEqual(yield* answers(world), yield* rawAnswers(world))
        }).pipe(as(caller))
      })
  )
})
