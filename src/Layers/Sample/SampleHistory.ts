import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { ChatAppLines } from "../../Services/ChatApp/ChatAppLines.ts"
import { GenerationQuota } from "../../Services/Companies/LeadGeneration.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadSchedule } from "../../Services/Outreach/LeadSchedule.ts"
import { removeAccount, setClock } from "../Accounts/Sql.ts"
import { rooms } from "../App.ts"
import { TaskQueuePostgres } from "../Platform/Jobs/TaskQueue.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { makeSeededRandom } from "../Simulated/SeededRandom.ts"
import type { SimulatedClock } from "../Simulated/SimulatedClock.ts"
import { type FailedTask, makeSimulatedEngine, type SimulatedEngine } from "../Simulated/SimulatedEngine.ts"
import { inSimulatedGateway, liveIntegrations, simulatedClockName } from "../Simulated/SimulatedGateway.ts"
import { type SimulatedTaskQueue, simulatedSource } from "../Simulated/SimulatedTaskQueue.ts"
import { type HistorySize, type ImportBatch, importPlan } from "./ImportPlan.ts"
import { defaultReactionShare } from "./People/ProspectCharacter.ts"
import { makeProspects } from "./People/Prospects.ts"
import { makeSampleOwner } from "./People/SampleOwner.ts"
import {
  blockSome,
  createCampaign,
  makeMedia,
  openSampleAccount,
  searchWeb,
  startImport,
  subscribe,
  trySimulation
} from "./SampleAccount.ts"
import { advertise } from "./SampleAds.ts"
import { describeBusiness } from "./SampleBusiness.ts"
import { connectCalendar, connectCrm, connectScheduler } from "./SampleConnections.ts"
import { sampleCampaigns, sampleLeads } from "./SampleLeads.ts"
import { publishSites, reworkSite } from "./SampleSites.ts"
import { type visitCapturePage, visitsBetween } from "./SampleVisitors.ts"

const day = 86_400_000

/**
 * Recurring tasks and their schedules, slightly less frequent than in the gateway. Clean-up after crashes and
 * platform-wide tasks are left out.
 */
const recurringTasks: ReadonlyMap<string, string> = new Map([
  ["remind_of_meetings", "0 10-23 * * *"],
  ["ask_about_quiet_leads", "10 12 * * *"],
  ["expire_lead_answers", "25 3 * * *"],
  ["sync_crms", "20 11,15,20 * * *"],
  ["sweep_schedulers", "35 11,17 * * *"],
  ["tend_ads_campaigns", "40 3,15 * * *"],
  ["tend_ads_audiences", "50 4 * * *"],
  ["fold_lead_counter", "5 3 * * *"],
  ["refresh_learnings", "25 4 * * 1"],
  ["assess_business", "40 4 * * 1"],
  ["optimize_campaigns", "10 5 * * 1"],
  ["find_accounts_to_acquire_for", "5 8-10 * * *"],
  ["queue_daily_reports", "3 10-12 * * *"]
])

export interface HistoryOptions {
  readonly seed: number
  /** The end of the invented past, in Unix milliseconds. */
  readonly end: number
  readonly size: HistorySize
  /** The share of contacted people who answer. A small history needs a larger share, so that each list has entries. */
  readonly share?: number
  /** Called every two simulated weeks with the progress. */
  readonly progress?: (line: string) => Effect.Effect<void>
}

const bounded = (name: string, value: number, low: number, high: number) =>
  value >= low && value <= high
    ? Effect.succeed(value)
    : Effect.fail(refused(`${name}_out_of_range`, `${name} is ${value}.`, `It may be ${low} to ${high}.`))

/**
 * Returns the number of leads: all leads of the campaigns, of which `contacted` are contacted in the past. The others
 * wait.
 */
export const sizeOf = ({ contacted, days }: { readonly days: number; readonly contacted: number }) =>
  Effect.gen(function* () {
    const all = sampleCampaigns.reduce((sum, { size }) => sum + size, 0)
    const workedLeads = yield* bounded("contacted", contacted, 10, 4000)
    return {
      days: yield* bounded("days", days, 7, 365),
      workedLeads,
      waitingLeads: all - workedLeads,
      acquiredPerDay: 1
    }
  })

/** Changes the first touch of a batch's leads from "at once", which an import sets, to the planned days. */
const schedule = Effect.fnUntraced(function* (
  leads: ReadonlyArray<LeadId>,
  { firstTouches }: ImportBatch,
  perCall: number
) {
  const unit = yield* UnitOfWork
  const schedules = yield* LeadSchedule
  for (const group of Array.chunksOf(Array.zip(leads, firstTouches), perCall)) {
    const [first] = group
    yield* unit.write(
      schedules.reschedule({
        leadIds: group.map(([leadId]) => leadId),
        importedFrom: undefined,
        nextTouchAt: fromMillis(first[1]),
        preferredChannel: undefined
      })
    )
  }
})

const importBatch = (batch: ImportBatch, { end, seed }: HistoryOptions, settle: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const leads = sampleLeads(batch.campaign, seed).slice(batch.from, batch.from + batch.count)
    const isByChat = batch.campaign === sampleCampaigns[2]
    const { lead_import_id } = yield* startImport(batch.campaign, leads, {
      fileName: `${batch.campaign.name} ${batch.number}.csv`,
      ...(isByChat ? { preferredChannel: "ChatApp" as const } : {})
    })
    yield* settle
    const created = yield* sql<{ readonly leadId: LeadId }>`
      select lead_id as "leadId" from lead where account_id = ${accountId} and lead_import_id = ${lead_import_id}
      order by lead_id`.pipe(fromSql())
    const isToCome = (batch.firstTouches[0] ?? 0) > end
    yield* schedule(
      created.map(({ leadId }) => leadId),
      batch,
      isToCome ? 8 : 1
    )
  })

/** Sets up the account as the owner does on the first day. */
const setUp = (settle: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const campaigns = yield* Campaigns
    const lines = yield* ChatAppLines
    yield* blockSome
    yield* describeBusiness
    yield* connectCrm
    yield* connectCalendar
    yield* connectScheduler
    for (const campaign of sampleCampaigns) yield* createCampaign(campaign)
    for (const [index, { name }] of sampleCampaigns.entries()) {
      const changes = {
        email_display_name: "Helena Prado",
        voice_calling_active: index === 0,
        lead_generation_active: index === 0
      }
      yield* unit.write(campaigns.update(name, changes))
    }
    yield* settle
    yield* advertise
    yield* trySimulation
    yield* searchWeb
    yield* makeMedia
    yield* unit.write(lines.register({ usesOwnNumber: false }))
    const site = yield* publishSites(sampleCampaigns[0]?.name ?? "", 3, settle)
    if (site !== undefined) yield* reworkSite(site, settle)
    yield* unit.write(lines.setCap("daily", 20))
  })

/** Queues the remaining tasks in the real gateway, and puts the account on the real clock. */
const handOver = (tasks: SimulatedTaskQueue) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const { accountId } = yield* Caller
    const queue = yield* Effect.provide(TaskQueue, TaskQueuePostgres)
    yield* unit.write(
      Effect.gen(function* () {
        for (const task of tasks.waiting()) yield* task.handOver(queue)
        yield* setClock(sql, accountId, null)
      })
    )
  })

const counts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{
    readonly sent: number
    readonly received: number
    readonly meetings: number
    readonly leadCount: number
  }>`
    select (select count(*) from lead where account_id = ${accountId}) as "leadCount",
      (select count(*) from email_message where account_id = ${accountId} and status = 'sent')
        + (select count(*) from chatapp_message where account_id = ${accountId} and direction = 'outbound'
            and status in ('sent', 'delivered', 'read')) as sent,
      (select count(*) from email_message where account_id = ${accountId} and direction = 'inbound')
        + (select count(*) from chatapp_message where account_id = ${accountId} and direction = 'inbound') as received,
      (select count(*) from meeting where account_id = ${accountId}) as meetings`.pipe(fromSql())
  return single(rows)
})

/** Runs the simulated days one after another, and reports progress every two weeks. */
const simulateDays = (engine: SimulatedEngine, clock: SimulatedClock, options: HistoryOptions) =>
  Effect.gen(function* () {
    const { end, progress = () => Effect.void, size } = options
    const start = end - size.days * day
    const random = makeSeededRandom(options.seed)
    const prospects = yield* makeProspects({
      random,
      clock,
      at: engine.at,
      share: options.share ?? defaultReactionShare
    })
    const owner = yield* makeSampleOwner({ random, clock, at: engine.at })
    owner.scheduleVisits(start, end)
    for (let until = start + 14 * day; ; until += 14 * day) {
      yield* engine.runUntil(Math.min(until, end), prospects)
      const { meetings, received, sent } = yield* counts
      const date = new Date(clock.now()).toISOString().slice(0, 10)
      yield* progress(`${date}  ${sent} messages sent, ${received} received, ${meetings} meetings`)
      if (until >= end) return
    }
  })

/** Afterwards the real gateway takes over the account. With live integrations it would contact strangers. */
const requireSandbox = Effect.gen(function* () {
  const integrations = yield* liveIntegrations
  if (integrations.length === 0) return
  return yield* refused(
    "sample_needs_sandbox",
    `This gateway uses real providers (${integrations.join(", ")}).`,
    "Make the sample account on a gateway without them: it invents addresses and numbers that real people may have."
  )
})

export interface SampleHistory {
  readonly accountId: Caller["Type"]["accountId"]
  readonly token: string
  readonly leadCount: number
  /** Tasks that failed for the last time. Empty unless the engine has a fault. */
  readonly failedTasks: ReadonlyArray<FailedTask>
}

/**
 * Creates an account with an invented past. The real engine runs in the sandbox under a simulated clock, with simulated
 * people who answer and an owner who acts. Then the real gateway takes over the account. The same seed and end give the
 * same past, if the leads get the same ids. If it fails, everything is removed.
 */
export const makeSampleHistory = (options: HistoryOptions) =>
  Effect.zipRight(
    requireSandbox,
    inSimulatedGateway(options.end - options.size.days * day, (clock, queue) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tokens = yield* AccessTokens
        const { jobs, recurring } = rooms
        const tasks = yield* rooms.tasks
        const acquiredPerDay = options.size.acquiredPerDay ?? 0
        const engine = yield* makeSimulatedEngine({
          clock,
          queue: simulatedSource(queue),
          tasks,
          jobs,
          recurring: recurring.flatMap((task) => {
            const cron = recurringTasks.get(task.name)
            return cron === undefined ? [] : [{ ...task, cron }]
          })
        }).pipe(Effect.provideService(GenerationQuota, { perDay: () => acquiredPerDay }))
        const settle = Effect.orDie(engine.settle)
        const caller = yield* openSampleAccount
        const { accountId } = caller
        return yield* Effect.gen(function* () {
          yield* setClock(sql, accountId, simulatedClockName)
          yield* setUp(settle)
          const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof importBatch>>>()
          for (const batch of importPlan(options.size, options.end)) {
            engine.at(batch.importedAt, Effect.orDie(Effect.provide(importBatch(batch, options, settle), context)))
          }
          const visitContext = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof visitCapturePage>>>()
          for (const { at, visit } of visitsBetween(options.end - options.size.days * day, options.end)) {
            engine.at(at, Effect.orDie(Effect.provide(visit, visitContext)))
          }
          yield* simulateDays(engine, clock, options)
          yield* settle
          yield* subscribe
          const { token } = yield* tokens.generate({ label: "Sample", expiresAt: Option.none() })
          yield* handOver(queue)
          const { leadCount } = yield* counts
          return { accountId, token, leadCount, failedTasks: engine.failedTasks } satisfies SampleHistory
        }).pipe(
          Effect.provideService(Caller, caller),
          Effect.onError(() => Effect.ignore(removeAccount(sql, accountId)))
        )
      })
    )
  )
