import { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect, Option } from "effect"
import { refused } from "../../Errors.ts"
import { AccessTokens } from "../../Services/Accounts/AccessTokens.ts"
import { Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { ChatAppLines } from "../../Services/ChatApp/ChatAppLines.ts"
import { GenerationQuota } from "../../Services/Companies/LeadGeneration.ts"
import { Caller } from "../../Services/Core/Caller.ts"
import { fromMillis } from "../../Services/Core/Timestamp.ts"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadSchedule } from "../../Services/Outreach/LeadSchedule.ts"
import { removeAccount, setClock } from "../Accounts/Sql.ts"
import { rooms } from "../App.ts"
import { TaskQueuePostgres } from "../Platform/Jobs/TaskQueue.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { type HistorySize, importPlan, type Lot } from "./ImportPlan.ts"
import { usualShare } from "./ProspectCharacter.ts"
import { makeProspects } from "./Prospects.ts"
import {
  blockSome,
  createCampaign,
  lookUp,
  makeMedia,
  openSampleAccount,
  startImport,
  subscribe,
  tryOut
} from "./SampleAccount.ts"
import { advertise } from "./SampleAds.ts"
import { describeBusiness } from "./SampleBusiness.ts"
import { connectCalendar, connectCrm, connectScheduler } from "./SampleConnections.ts"
import { sampleCampaigns, sampleLeads } from "./SampleLeads.ts"
import { makeSampleOwner } from "./SampleOwner.ts"
import { publishSites, reworkSite } from "./SampleSites.ts"
import { type visitCapturePage, visitsBetween } from "./SampleVisitors.ts"
import { makeSeededRandom } from "./SeededRandom.ts"
import type { SimulatedClock } from "./SimulatedClock.ts"
import { type GivenUp, makeSimulatedEngine, type SimulatedEngine } from "./SimulatedEngine.ts"
import { inSimulatedGateway, liveWays, simulatedClockName } from "./SimulatedGateway.ts"
import type { SimulatedTaskQueue } from "./SimulatedTaskQueue.ts"

const day = 86_400_000

/** What comes round, a little more seldom than in the gateway; what only mends what a crash left, or goes for the whole platform, is left to the gateways. */
const comesRound: ReadonlyMap<string, string> = new Map([
  ["remind_of_meetings", "0 10-23 * * *"],
  ["ask_about_quiet_leads", "10 12 * * *"],
  ["expire_lead_answers", "25 3 * * *"],
  ["sync_crms", "20 11,15,20 * * *"],
  ["tend_ads_campaigns", "40 3,15 * * *"],
  ["tend_ads_audiences", "50 4 * * *"],
  ["fold_lead_counter", "5 3 * * *"],
  ["refresh_learnings", "25 4 * * 1"],
  ["assess_business", "40 4 * * 1"],
  ["optimize_campaigns", "10 5 * * 1"],
  ["find_accounts_to_acquire_for", "5 8-10 * * *"]
])

export interface HistoryOptions {
  readonly seed: number
  /** The present that the past leads up to, in Unix milliseconds. */
  readonly end: number
  readonly size: HistorySize
  /** Of the people who are written to, the share that reacts; a small history needs more of them to show something. */
  readonly share?: number
  /** Hears how far it is, two weeks at a time. */
  readonly progress?: (line: string) => Effect.Effect<void>
}

const bounded = (name: string, value: number, low: number, high: number) =>
  value >= low && value <= high
    ? Effect.succeed(value)
    : Effect.fail(refused(`${name}_out_of_range`, `${name} is ${value}.`, `It may be ${low} to ${high}.`))

/** All leads that the campaigns have: so many are contacted in the past, the others wait for their turn. */
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

/** Moves the leads of a lot from "at once", where an import puts them, to the days when it is their turn. */
const schedule = Effect.fnUntraced(function* (leads: ReadonlyArray<LeadId>, { firstTouches }: Lot, perCall: number) {
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

const importLot = (lot: Lot, { end, seed }: HistoryOptions, settle: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const leads = sampleLeads(lot.campaign, seed).slice(lot.from, lot.from + lot.count)
    const isByChat = lot.campaign === sampleCampaigns[2]
    const { lead_import_id } = yield* startImport(lot.campaign, leads, {
      fileName: `${lot.campaign.name} ${lot.number}.csv`,
      ...(isByChat ? { preferredChannel: "ChatApp" as const } : {})
    })
    yield* settle
    const created = yield* sql<{ readonly leadId: LeadId }>`
      select lead_id as "leadId" from lead where account_id = ${accountId} and lead_import_id = ${lead_import_id}
      order by lead_id`.pipe(fromSql())
    const isToCome = (lot.firstTouches[0] ?? 0) > end
    yield* schedule(
      created.map(({ leadId }) => leadId),
      lot,
      isToCome ? 8 : 1
    )
  })

/** What the owner sets up on the first day. */
const setUp = (settle: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const campaigns = yield* Campaigns
    const lines = yield* ChatAppLines
    yield* blockSome
    yield* describeBusiness
    yield* connectCrm
    yield* connectCalendar
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
    yield* tryOut
    yield* lookUp
    yield* makeMedia
    yield* unit.write(lines.register({ usesOwnNumber: false }))
    const site = yield* publishSites(sampleCampaigns[0]?.name ?? "", 3, settle)
    if (site !== undefined) yield* reworkSite(site, settle)
    yield* unit.write(lines.setCap("daily", 20))
  })

/** Gives what is still to be done to the gateways, and the account with it: from now on it lives by their clock. */
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

/** Leads that answered and are still being worked. */
const talkingLeads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly leadId: LeadId }>`
    select lead_id as "leadId" from lead
    where account_id = ${accountId} and pipeline_state = 'in_pipeline' and status in ('Interested', 'Confirmed', 'Aware')
    order by lead_id limit 3`.pipe(fromSql())
  return rows.map(({ leadId }) => leadId)
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

/** Lives through the days one after another, telling of every two weeks. */
const live = (engine: SimulatedEngine, clock: SimulatedClock, options: HistoryOptions) =>
  Effect.gen(function* () {
    const { end, progress = () => Effect.void, size } = options
    const start = end - size.days * day
    const random = makeSeededRandom(options.seed)
    const prospects = yield* makeProspects({ random, clock, at: engine.at, share: options.share ?? usualShare })
    const owner = yield* makeSampleOwner({ random, clock, at: engine.at })
    owner.looksIn(start, end)
    for (let until = start + 14 * day; ; until += 14 * day) {
      yield* engine.runUntil(Math.min(until, end), prospects)
      const { meetings, received, sent } = yield* counts
      const date = new Date(clock.now()).toISOString().slice(0, 10)
      yield* progress(`${date}  ${sent} messages sent, ${received} received, ${meetings} meetings`)
      if (until >= end) return
    }
  })

/** Afterwards the gateways go on with the account: where they reach real people, they would write to and call strangers. */
const sandboxAlone = Effect.gen(function* () {
  const ways = yield* liveWays
  if (ways.length === 0) return
  return yield* refused(
    "sample_needs_sandbox",
    `This gateway is set up with real providers (${ways.join(", ")}).`,
    "Make the sample account where there are none: it invents addresses and numbers that may be somebody's."
  )
})

export interface SampleHistory {
  readonly accountId: Caller["Type"]["accountId"]
  readonly token: string
  readonly leadCount: number
  /** Tasks that the engine gave up: none, unless something is wrong with it. */
  readonly givenUp: ReadonlyArray<GivenUp>
}

/**
 * Makes an account with a past: the engine itself lives through it in the sandbox, under a clock that is moved from one
 * thing that is due to the next, with invented people who answer and an owner who looks in. In the end the account is
 * the gateways' to go on with. The same seed and end make the same past where the leads get the same ids. When it
 * breaks off, nothing is left.
 */
export const makeSampleHistory = (options: HistoryOptions) =>
  Effect.zipRight(
    sandboxAlone,
    inSimulatedGateway(options.end - options.size.days * day, (clock, queue) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tokens = yield* AccessTokens
        const { jobs, recurring } = rooms
        const tasks = yield* rooms.tasks
        const acquiredPerDay = options.size.acquiredPerDay ?? 0
        const engine = yield* makeSimulatedEngine({
          clock,
          queue,
          tasks,
          jobs,
          recurring: recurring.flatMap((each) => {
            const cron = comesRound.get(each.name)
            return cron === undefined ? [] : [{ ...each, cron }]
          })
        }).pipe(Effect.provideService(GenerationQuota, { perDay: () => acquiredPerDay }))
        const caller = yield* openSampleAccount
        const { accountId } = caller
        return yield* Effect.gen(function* () {
          yield* setClock(sql, accountId, simulatedClockName)
          yield* setUp(engine.settle)
          const context = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof importLot>>>()
          for (const lot of importPlan(options.size, options.end)) {
            engine.at(lot.importedAt, Effect.orDie(Effect.provide(importLot(lot, options, engine.settle), context)))
          }
          const visiting = yield* Effect.context<Effect.Effect.Context<ReturnType<typeof visitCapturePage>>>()
          for (const { at, visit } of visitsBetween(options.end - options.size.days * day, options.end)) {
            engine.at(at, Effect.orDie(Effect.provide(visit, visiting)))
          }
          yield* live(engine, clock, options)
          yield* connectScheduler(yield* talkingLeads)
          yield* engine.settle
          yield* subscribe
          const { token } = yield* tokens.generate({ label: "Sample", expiresAt: Option.none() })
          yield* handOver(queue)
          const { leadCount } = yield* counts
          return { accountId, token, leadCount, givenUp: engine.givenUp } satisfies SampleHistory
        }).pipe(
          Effect.provideService(Caller, caller),
          Effect.onError(() => Effect.ignore(removeAccount(sql, accountId)))
        )
      })
    )
  )
