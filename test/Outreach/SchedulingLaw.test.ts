import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { transient } from "../../src/Errors.ts"
import { rooms } from "../../src/Layers/App.ts"
import { unscheduledLeads } from "../../src/Layers/Outreach/UnscheduledLeads.ts"
import type { TaskHandler } from "../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { noteDue } from "../../src/Layers/Prospecting/Sql.ts"
import { makeProspects } from "../../src/Layers/Sample/Prospects.ts"
import { openSampleAccount } from "../../src/Layers/Sample/SampleAccount.ts"
import { makeSeededRandom } from "../../src/Layers/Sample/SeededRandom.ts"
import { makeSimulatedEngine } from "../../src/Layers/Sample/SimulatedEngine.ts"
import { inSimulatedGateway, simulatedClockName } from "../../src/Layers/Sample/SimulatedGateway.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { Caller } from "../../src/Services/Core/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/UnitOfWork.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { LeadOperation } from "../../src/Services/Leads/LeadPipeline.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { LanguageModelFailed } from "../../src/Services/Models/LanguageModel.ts"
import { TouchComposer } from "../../src/Services/Outreach/TouchComposer.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { ReplyReader } from "../../src/Services/Replies/ReplyReader.ts"
import { insertCampaign } from "../support/LeadServices.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"

const start = Date.parse("2026-03-02T11:00:00Z")
const day = 86_400_000
const hour = 3_600_000
/** Ran with 60 leads over 35 days, too, which takes minutes. */
const size = { leads: 24, days: 14 }

const TestLayer = Layer.mergeAll(TestSettings, NodeContext.layer, Logger.minimumLogLevel(LogLevel.None)).pipe(
  Layer.provideMerge(TestDatabase)
)

const operations: ReadonlyArray<LeadOperation> = [
  "pause",
  "resume",
  "resume",
  "flag_for_review",
  "return_to_pipeline",
  "return_to_pipeline",
  "stop",
  "recover",
  "recover",
  "take_over"
]

layer(TestLayer, { excludeTestServices: true, timeout: "120 seconds" })("a lead in the pipeline", (it) => {
  it.effect(
    "is scheduled until its cadence is over, whatever the owner does, whatever is away and whoever dies",
    () =>
      inSimulatedGateway(start, (clock, queue) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const random = makeSeededRandom(17)
          let asked = 0
          const chance = (share: number) => random.share("chance", ++asked) < share
          /** Of every ten days the model is away for some hours, and the mail server for a day. */
          const sinceStart = () => clock.now() - start
          const isModelAway = () => sinceStart() % (10 * day) > 9 * day && sinceStart() % day < 7 * hour
          const isMailAway = () => sinceStart() % (12 * day) > 11 * day
          const away = Effect.fail(new LanguageModelFailed({ reason: "unavailable", detail: "server_error" }))

          const [composer, reader, unit] = [yield* TouchComposer, yield* ReplyReader, yield* UnitOfWork]
          const killed = Effect.dieMessage("The process was killed.")
          const tasks = yield* rooms.tasks.pipe(
            Effect.provideService(TouchComposer, {
              plan: composer.plan,
              write: (...touch) => Effect.suspend(() => (isModelAway() ? away : composer.write(...touch)))
            }),
            Effect.provideService(ReplyReader, {
              judge: reader.judge,
              read: (reply, earlier) => Effect.suspend(() => (isModelAway() ? away : reader.read(reply, earlier)))
            }),
            // A process may die before a transaction or right after it.
            Effect.provideService(UnitOfWork, {
              read: unit.read,
              write: (effect) =>
                Effect.suspend(() => {
                  if (chance(0.02)) return killed
                  return chance(0.02) ? Effect.zipRight(unit.write(effect), killed) : unit.write(effect)
                })
            })
          )
          const overMail = <R>(handler: TaskHandler<R>): TaskHandler<R> =>
            handler.task.name === "send_email" || handler.task.name === "send_urgent_email"
              ? {
                  ...handler,
                  run: (stored, info) =>
                    Effect.suspend(() =>
                      isMailAway() && info.attempt < info.maxAttempts
                        ? Effect.fail(transient("mail_server_unavailable", "The mail server is away.", 600))
                        : handler.run(stored, info)
                    )
                }
              : handler
          const engine = yield* makeSimulatedEngine({
            clock,
            queue,
            tasks: tasks.map(overMail),
            jobs: rooms.jobs,
            recurring: []
          })

          const caller = yield* openSampleAccount
          const { accountId } = caller
          yield* sql`update account set clock = ${simulatedClockName} where account_id = ${accountId}`
          yield* Effect.gen(function* () {
            const [leads, campaigns, configs] = [yield* Leads, yield* Campaigns, yield* ProspectingConfig]
            const campaign = yield* insertCampaign("Clínicas")
            yield* sql`
              insert into lead (account_id, name, company, status, pipeline_state, next_touch_at, time_zone, campaign_id,
                email, phone)
              select ${accountId}, 'Ana Souza', 'Clínica ' || n, 'Cold', 'in_pipeline',
                instant() + n * interval '20 minutes', 'America/Sao_Paulo',
                case when n % 3 = 0 then ${campaign}::bigint end,
                case when n % 5 <> 0 then 'ana' || n || '@clinica' || n || '.example' end,
                case when n % 5 = 0 then '+55119' || 80000000 + n end
              from generate_series(1, ${size.leads}::integer) n`
            yield* noteDue(sql, accountId)
            const ids = (yield* sql<{ readonly id: number }>`
              select lead_id as id from lead where account_id = ${accountId} order by lead_id`).map(({ id }) =>
              LeadId.make(id)
            )
            const prospects = yield* makeProspects({ random, clock, at: engine.at, share: 0.45 })

            const act = Effect.gen(function* () {
              for (let count = 0; count < Math.max(2, size.leads / 100); count++) {
                const lead = ids[Math.floor(random.share("lead", ++asked) * ids.length)]
                const operation = random.pick([...operations] as [LeadOperation, ...Array<LeadOperation>], ++asked)
                if (lead !== undefined) yield* Effect.ignore(unit.write(leads.transition(lead, operation)))
              }
              if (chance(0.1)) yield* unit.write(configs.setActive(false))
              else if (chance(0.5)) yield* unit.write(configs.setActive(true))
              if (chance(0.2)) yield* unit.write(campaigns.setActive("Clínicas", chance(0.5)))
              if (chance(0.2)) {
                const mode = chance(0.3) ? "Passive" : "Active"
                yield* sql`update prospecting_config set mode = ${mode} where account_id = ${accountId}`
              }
            })

            let checked = 0
            for (let until = start; until < start + size.days * day; until += 6 * hour) {
              yield* engine.runUntil(until + 6 * hour, prospects)
              yield* act
              const dropped = yield* unscheduledLeads
              if (dropped.length > 0) {
                const [lead] = yield* sql`
                  select l.*, (select json_agg(t order by t.touch_id) from touch t where t.lead_id = l.lead_id) as touches
                  from lead l where lead_id = ${dropped[0]?.lead_id}`
                assert.fail(`after ${(until - start) / day} days: ${JSON.stringify(lead)}`)
              }
              checked += 1
            }
            assert.strictEqual(checked, size.days * 4)

            // And who is scheduled is contacted: with everything on, nobody is overdue for long.
            yield* unit.write(configs.setActive(true))
            yield* unit.write(campaigns.setActive("Clínicas", true))
            yield* sql`update prospecting_config set mode = 'Active' where account_id = ${accountId}`
            yield* engine.runUntil(clock.now() + 4 * day, prospects)
            const overdue = yield* sql`
              select l.lead_id, l.next_touch_at from lead l
              where l.account_id = ${accountId} and l.pipeline_state = 'in_pipeline' and l.paused_at is null
                and l.next_touch_at < instant() - interval '1 day' and not exists (
                  select from touch t where t.account_id = l.account_id and t.lead_id = l.lead_id
                    and t.status in ('writing', 'queued') and t.meeting_id is null)`
            assert.deepStrictEqual(overdue, [])
            const [sent] = yield* sql<{ readonly mails: number }>`
              select count(*) as mails from email_message where account_id = ${accountId} and status = 'sent'`
            assert.isAbove(sent?.mails ?? 0, size.leads / 2)
          }).pipe(Effect.provideService(Caller, caller))
        })
      ),
    1_800_000
  )
})
