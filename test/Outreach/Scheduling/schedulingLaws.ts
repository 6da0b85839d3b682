import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { transient } from "../../../src/Errors.ts"
import { rooms } from "../../../src/Layers/App.ts"
import { unscheduledLeads } from "../../../src/Layers/Outreach/UnscheduledLeads.ts"
import type { TaskHandler } from "../../../src/Layers/Platform/Jobs/TaskHandler.ts"
import { wakeDispatcher } from "../../../src/Layers/Prospecting/Sql.ts"
import { makeProspects } from "../../../src/Layers/Sample/People/Prospects.ts"
import { openSampleAccount } from "../../../src/Layers/Sample/SampleAccount.ts"
import { makeSeededRandom } from "../../../src/Layers/Simulated/SeededRandom.ts"
import { makeSimulatedEngine } from "../../../src/Layers/Simulated/SimulatedEngine.ts"
import { inSimulatedGateway, simulatedClockName } from "../../../src/Layers/Simulated/SimulatedGateway.ts"
import { simulatedSource } from "../../../src/Layers/Simulated/SimulatedTaskQueue.ts"
import { Campaigns } from "../../../src/Services/Campaigns/Campaigns.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import type { LeadOperation } from "../../../src/Services/Leads/LeadPipeline.ts"
import { Leads } from "../../../src/Services/Leads/Leads.ts"
import { LanguageModelFailed } from "../../../src/Services/Models/LanguageModel.ts"
import { TouchComposer } from "../../../src/Services/Outreach/TouchComposer.ts"
import { ProspectingConfig } from "../../../src/Services/Prospecting/ProspectingConfig.ts"
import { ReplyReader } from "../../../src/Services/Replies/Readers/ReplyReader.ts"
import { promisesAnAnswer } from "../../../src/Services/Writing/MessageCheck.ts"
import { insertCampaign } from "../../support/leads/LeadServices.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { TestSettings } from "../../support/TestSettings.ts"

const start = Date.parse("2026-03-02T11:00:00Z")
const day = 86_400_000
const hour = 3_600_000
/** Accounts that are opened at once would want the same handle. */
const opening = Effect.unsafeMakeSemaphore(1)

/** What the runs of laws stand on. */
export const LawServices = Layer.mergeAll(TestSettings, NodeContext.layer, Logger.minimumLogLevel(LogLevel.None)).pipe(
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

/** Mail, chats and calls that the provider took, by what they were made for. */
const sentTwice = (sql: SqlClient, accountId: number) => sql`
  with left_us as (
    select 'email' as channel, lead_id, touch_id, body_text as body, in_reply_to from email_message
    where account_id = ${accountId} and direction = 'outbound' and status in ('sent', 'unknown') and lead_id is not null
    union all
    select 'chatapp', lead_id, touch_id, body, null from chatapp_message
    where account_id = ${accountId} and direction = 'outbound' and status in ('sent', 'delivered', 'read', 'unknown')
  )
  select 'touch' as of, touch_id::text as what from left_us where touch_id is not null
  group by touch_id having count(*) filter (where channel = 'email') > 1
  union all
  select 'text', lead_id || ': ' || left(body, 80) from left_us where channel = 'email'
  group by lead_id, body, in_reply_to having count(*) > 1
  union all
  select 'letter', message_id from sandbox_mail where account_id = ${accountId} and direction = 'outbound'
  group by message_id having count(*) > 1`

/** Mail that the sandbox's server has and the account knows nothing of. */
const unknownLetters = (sql: SqlClient, accountId: number) => sql`
  select s.message_id from sandbox_mail s where s.account_id = ${accountId} and s.direction = 'outbound'
    and not exists (select from email_message m where m.account_id = s.account_id and m.message_id = s.message_id
      and m.status in ('sent', 'sending', 'unknown', 'failed'))`

/** Messages that say that an answer follows, to leads of whom no question stands or stood for the owner to see. */
const emptyPromises = (sql: SqlClient, accountId: number) =>
  Effect.map(
    sql<{ readonly lead_id: number; readonly body: string }>`
      select m.lead_id, m.body_text as body from email_message m
      where m.account_id = ${accountId} and m.direction = 'outbound' and m.status = 'sent' and m.lead_id is not null
        and not exists (select from open_question_lead q
          where q.account_id = m.account_id and q.lead_id = m.lead_id)
      union all
      select m.lead_id, m.body from chatapp_message m
      where m.account_id = ${accountId} and m.direction = 'outbound' and m.status in ('sent', 'delivered', 'read')
        and m.lead_id is not null and not exists (select from open_question_lead q
          where q.account_id = m.account_id and q.lead_id = m.lead_id)`,
    (rows) => rows.filter(({ body }) => promisesAnAnswer(body))
  )

/** What a run came to. */
export interface LawRun {
  readonly looks: number
  readonly sent: number
  readonly received: number
  readonly kills: number
  readonly operations: number
}

/**
 * Works so many leads for so many days on a moved clock, with random operations of the owner, outages of the model and
 * of the mail server, and kills, and holds the laws: who is in the pipeline, unblocked and not through is scheduled;
 * nothing is sent twice; whatever a message promises stands where the owner sees it.
 */
export const runLaws = (size: {
  readonly leads: number
  readonly days: number
  readonly seed?: number
  /** Of those that run side by side each has a clock of its own. */
  readonly clockName?: string
  /** Told after each day. */
  readonly passed?: (days: number) => Effect.Effect<void>
}) =>
  inSimulatedGateway(
    start,
    (clock, queue) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const random = makeSeededRandom(size.seed ?? 17)
        let asked = 0
        const chance = (share: number) => random.share("chance", ++asked) < share
        /** Of every ten days the model is away for some hours, and the mail server for a day. */
        const sinceStart = () => clock.now() - start
        const isModelAway = () => sinceStart() % (10 * day) > 9 * day && sinceStart() % day < 7 * hour
        const isMailAway = () => sinceStart() % (12 * day) > 11 * day
        const away = Effect.fail(new LanguageModelFailed({ reason: "unavailable", detail: "server_error" }))

        const [composer, reader, unit] = [yield* TouchComposer, yield* ReplyReader, yield* UnitOfWork]
        let kills = 0
        let acts = 0
        const killed = Effect.suspend(() => {
          kills++
          return Effect.dieMessage("The process was killed.")
        })
        const tasks = yield* rooms.tasks.pipe(
          Effect.provideService(TouchComposer, {
            plan: composer.plan,
            needs: composer.needs,
            write: (...touch) => Effect.suspend(() => (isModelAway() ? away : composer.write(...touch)))
          }),
          Effect.provideService(ReplyReader, {
            judge: reader.judge,
            read: (reply, earlier) => Effect.suspend(() => (isModelAway() ? away : reader.read(reply, earlier)))
          }),
          // A process may die before a transaction or right after it.
          Effect.provideService(UnitOfWork, {
            ...unit,
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
          queue: simulatedSource(queue),
          tasks: tasks.map(overMail),
          jobs: rooms.jobs,
          recurring: []
        })

        const caller = yield* opening.withPermits(1)(openSampleAccount)
        const { accountId } = caller
        yield* sql`update account set clock = ${size.clockName ?? simulatedClockName} where account_id = ${accountId}`
        return yield* Effect.gen(function* () {
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
          yield* wakeDispatcher(sql, accountId)
          const ids = (yield* sql<{ readonly id: number }>`
          select lead_id as id from lead where account_id = ${accountId} order by lead_id`).map(({ id }) =>
            LeadId.make(id)
          )
          const prospects = yield* makeProspects({ random, clock, at: engine.at, share: 0.45 })

          const act = Effect.gen(function* () {
            for (let count = 0; count < Math.max(2, size.leads / 100); count++) {
              const lead = ids[Math.floor(random.share("lead", ++asked) * ids.length)]
              const operation = random.pick([...operations] as [LeadOperation, ...Array<LeadOperation>], ++asked)
              acts++
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
            if (checked % 4 === 0) yield* size.passed?.(checked / 4) ?? Effect.void
          }
          assert.deepStrictEqual(yield* sentTwice(sql, accountId), [])

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
          assert.deepStrictEqual(yield* sentTwice(sql, accountId), [])
          assert.deepStrictEqual(yield* unknownLetters(sql, accountId), [])
          assert.deepStrictEqual(yield* emptyPromises(sql, accountId), [])
          const [received] = yield* sql<{ readonly mails: number }>`
          select count(*) as mails from email_message where account_id = ${accountId} and direction = 'inbound'`
          return {
            looks: checked,
            sent: sent?.mails ?? 0,
            received: received?.mails ?? 0,
            kills,
            operations: acts
          } satisfies LawRun
        }).pipe(Effect.provideService(Caller, caller))
      }),
    size.clockName
  )
