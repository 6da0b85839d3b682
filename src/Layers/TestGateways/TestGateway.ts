import { SqlClient } from "@effect/sql/SqlClient"
import {
  Clock,
  ConfigProvider,
  Context,
  Duration,
  Effect,
  type Exit,
  Layer,
  Option,
  Redacted,
  Runtime,
  Schedule
} from "effect"
import { Registry } from "prom-client"
import { type NotFound, notFound, type Refused, type Transient } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { TokenPrefix, testTokenPrefix } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CallObserver } from "../../Services/Core/Calls/CallObserver.ts"
import { stopDryRun } from "../../Services/Core/Calls/DryRun.ts"
import { describeCause } from "../../Services/Core/SafeCause.ts"
import { toMillis } from "../../Services/Core/Timestamp.ts"
import { JobEngine } from "../../Services/Jobs/JobEngine.ts"
import type { TestAccountId } from "../../Services/TestAccounts/Ids.ts"
import type { ServedTestAccount } from "../../Services/TestAccounts/TestAccounts.ts"
import {
  type AdvanceTarget,
  advanceTooFar,
  advanceWaitSeconds,
  clockGoesForward,
  clockIsAdvancing,
  mostAdvanceDays,
  type Play,
  type PlayedView,
  stillAdvancing,
  TestClock,
  type TestClocks,
  type TestClockView
} from "../../Services/TestAccounts/TestClock.ts"
import * as Catalogs from "../../Tools/Core/Catalog.ts"
import type { Group } from "../../Tools/Core/Tool.ts"
import { insertToken, setClock } from "../Accounts/Sql.ts"
import { DomainOnQueue, gatewayAccesses, gatewayLanes, migrate, rooms, servedTools } from "../App.ts"
import { makeWebhookQueue } from "../Events/WebhookQueue.ts"
import { SignatureTime } from "../Events/Webhooks/Attempt.ts"
import { dispatchWebhooks } from "../Events/Webhooks/Dispatcher.ts"
import { BackgroundScheduler } from "../Platform/Fairness/BackgroundScheduler.ts"
import { type RequestHandler, requestHandler } from "../Platform/Http/Server.ts"
import type { Recurring } from "../Platform/Jobs/Recurring.ts"
import { Metrics, ofTestAccounts } from "../Platform/Metrics.ts"
import {
  advisoryLock,
  DatabaseLocation,
  DatabaseOnPools,
  DatabasePools,
  poolsLayer
} from "../Platform/Postgres/Database.ts"
import { atDatabase } from "../Platform/Postgres/pool/Pool.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { sealingKeys } from "../Platform/Sealing.ts"
import { Settings } from "../Platform/Settings.ts"
import { makeSimulatedClock, type SimulatedClock } from "../Simulated/SimulatedClock.ts"
import { makeSimulatedEngine, type OutsideWork } from "../Simulated/SimulatedEngine.ts"
import { testBaseUrl } from "../TestAccounts/TestAccountsPostgres.ts"
import { type ClockRow, makeClockRow } from "./ClockRow.ts"
import { makePlayProspect } from "./PlayProspect.ts"
import { makeTestSecrets, type TestSecrets } from "./TestSecrets.ts"
import { makeTaskSource, TestTaskQueue, testTables } from "./TestTasks.ts"

/** The name of the moved clock in sessions and in `account.clock`. */
const clockName = "test"
const poolSize = 4
/** The maximum total size of a test account's files, in bytes. */
const storageLimit = 256 * 1024 * 1024
const day = 86_400_000
/** The advisory lock that lets one process run due work. */
const engineLock = 7_236_003
/** A receiver that hangs delays the clock, so it gets less time than in a live account. */
const webhookTimeout = Duration.seconds(5)
/** The clock waits for webhooks, so they are polled more often than in a live account. */
const webhookPoll = Duration.millis(10)

/** The running gateway of one test account. Its effects run in its own context and ignore the caller's. */
export interface TestGateway extends TestSecrets {
  readonly handle: RequestHandler
  /** Reads the position of the clock, which another process may have advanced. */
  readonly synchronise: Effect.Effect<void, Transient>
  /** Runs the background work that is due now. */
  readonly wake: () => void
  readonly isAdvancing: Effect.Effect<boolean, Transient>
  readonly view: Effect.Effect<TestClockView, Transient>
  readonly advance: (target: AdvanceTarget) => Effect.Effect<TestClockView, Refused | Transient>
  readonly play: (play: Play) => Effect.Effect<PlayedView, NotFound | Refused | Transient>
}

/**
 * Only the keys that encrypt secrets are passed on. All other settings are missing, so every external service is
 * simulated.
 */
const withoutProviders = Effect.map(sealingKeys, ({ current, previous }) => {
  const entries = [
    ["SEALING_KEY", current],
    ["SEALING_KEY_PREVIOUS", previous]
  ] as const
  const values = entries.flatMap(([name, key]) =>
    Option.isSome(key) ? [[name, Redacted.value(key.value)] as const] : []
  )
  return Layer.setConfigProvider(ConfigProvider.fromMap(new Map(values)))
})

/** Tasks that a test account does not need: clean-up after crashes, and maintenance of the live gateway. */
const leftOut: ReadonlySet<string> = new Set(["drop_failed_tasks", "drop_old_records", "sweep_test_accounts"])

/** Tasks that run at an hour of the owner's day. */
const hourly: ReadonlySet<string> = new Set(["queue_daily_reports", "remind_of_meetings"])

/**
 * Runs most sweeps only every three hours. Due work has its own tasks, and sweeps only find lost ones. Otherwise three
 * weeks would consist mostly of empty sweeps.
 */
const thinned = (recurring: ReadonlyArray<Recurring>): ReadonlyArray<Recurring> =>
  recurring.flatMap((task) => {
    const [minute = "", hour = ""] = task.cron.split(" ")
    const isFrequent = minute.startsWith("*") || hour === "*" || hour.startsWith("*/")
    if (leftOut.has(task.name)) return []
    return isFrequent ? [{ ...task, cron: hourly.has(task.name) ? "3 * * * *" : "29 */3 * * *" }] : [task]
  })

/** Creates the tables of the clock and, the first time, the account. Returns the account's id. */
const initialise = (account: ServedTestAccount) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const accounts = yield* Accounts
    yield* migrate
    yield* advisoryLock(engineLock)
    yield* sql.unsafe(testTables).pipe(fromSql())
    const existing = yield* sql<{ readonly accountId: AccountId }>`
      select account_id as "accountId" from account order by account_id limit 1`.pipe(fromSql())
    if (existing[0] !== undefined) return existing[0].accountId
    return yield* Effect.gen(function* () {
      const accountId = yield* accounts.create({
        name: account.name,
        email: "owner@test.example",
        phone: undefined,
        plan: account.plan,
        country: account.country ?? undefined,
        business: account.name,
        sender: account.name
      })
      yield* setClock(sql, accountId, clockName)
      yield* insertToken(sql, accountId, "Test account", account.tokenHash)
      yield* sql`
        insert into test_clock (now, recurring_until) values (${account.startsAt}, ${account.startsAt})`.pipe(fromSql())
      return accountId
    }).pipe(sql.withTransaction, fromSql())
  }).pipe(Effect.scoped)

const idleEngine = Context.make(JobEngine, {
  isWorking: Effect.succeed(true),
  jobCounts: Effect.succeed({
    jobs: { queued: 0, running: 0, finished: 0, failed: 0, cancelled: 0 },
    tasks: { ready: 0, scheduled: 0, running: 0, failed: 0 },
    oldestDueSeconds: 0
  })
})

const noObserver: CallObserver["Type"] = { called: () => {} }

/** A test account's metrics are hidden, because operators only see those of live accounts. */
const hiddenMetrics = (): Metrics["Type"] => {
  const registry = new Registry()
  return { contentType: registry.contentType, render: Effect.succeed(""), registry }
}

/** The gateway's services with the account's database, clock and task queue. */
const domainOf = (account: ServedTestAccount, clock: SimulatedClock) =>
  Effect.gen(function* () {
    const { connection } = yield* DatabaseLocation
    const settings = yield* Settings
    const location = { connection: atDatabase(connection, account.database), poolSize }
    return DomainOnQueue.pipe(
      Layer.provideMerge(TestTaskQueue),
      Layer.provideMerge(DatabaseOnPools),
      Layer.provideMerge(poolsLayer({ name: clockName, now: () => new Date(clock.now()).toISOString() })),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.succeed(DatabaseLocation, location),
          Layer.succeed(TokenPrefix, testTokenPrefix(account.key)),
          Layer.succeed(SignatureTime, Clock.make().currentTimeMillis),
          Layer.succeed(Settings, {
            ...settings,
            baseUrl: testBaseUrl(settings.baseUrl, account.key),
            accountStorageLimit: Math.min(settings.accountStorageLimit, storageLimit),
            operations: undefined,
            traceSampleRatio: 0
          })
        )
      ),
      Layer.provide(yield* withoutProviders),
      Layer.fresh
    )
  })

/** Webhooks are delivered by a separate loop. The clock waits for it. */
const makeOutsideWork = (clock: SimulatedClock) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { activity } = yield* DatabasePools
    const { nextDueMillis } = yield* makeWebhookQueue
    const isSending = sql<{ readonly is: boolean }>`
      select exists (select from webhook_subscription where leased_until > instant()) as is`.pipe(
      Effect.map((rows) => single(rows).is),
      fromSql()
    )
    const outside: OutsideWork = {
      next: Effect.gen(function* () {
        const dueIn = yield* nextDueMillis
        // A delivery that is being sent still counts as waiting until it is recorded.
        const isBusy = dueIn > 0 && dueIn < Infinity && (yield* isSending)
        return isBusy ? clock.now() : clock.now() + dueIn
      }),
      wait: Effect.zipRight(
        Effect.sync(() => activity.wrote()),
        Effect.sleep("5 millis")
      )
    }
    return outside
  })

/** Runs due work, in one process at a time. */
const makeRunDue = (clock: SimulatedClock, row: ClockRow) =>
  Effect.gen(function* () {
    const queue = yield* makeTaskSource
    const outside = yield* makeOutsideWork(clock)
    const tasks = yield* rooms.tasks
    const quiet = { before: () => Effect.void, after: () => Effect.void }
    return Effect.gen(function* () {
      yield* advisoryLock(engineLock)
      const { advancesTo, now, recurringUntil } = yield* row.read
      clock.moveTo(now)
      const engine = yield* makeSimulatedEngine({
        clock,
        queue,
        outside,
        tasks,
        jobs: rooms.jobs,
        recurring: thinned(rooms.recurring),
        progress: { recurringUntil, moved: row.moved, recurred: row.recurred }
      })
      if (advancesTo === undefined) return yield* engine.settle
      yield* engine.runUntil(advancesTo, quiet)
      yield* engine.settle
      yield* row.end
    }).pipe(Effect.scoped, fromSql())
  })

/**
 * Runs an effect in the runtime without the caller's context, because the caller's transaction belongs to another
 * database.
 */
const runIn =
  <R>(runtime: Runtime.Runtime<R>) =>
  <A, E>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> =>
    Effect.async<A, E>((resume) => {
      const cancel = Runtime.runCallback(runtime)(effect, { onExit: (exit: Exit.Exit<A, E>) => resume(exit) })
      return Effect.sync(() => cancel())
    })

const targetOf = (target: AdvanceTarget, now: number): Effect.Effect<number, Refused> => {
  const to = target._tag === "To" ? toMillis(target.instant) : now + target.millis
  if (to < now) return clockGoesForward
  return to > now + mostAdvanceDays * day ? advanceTooFar : Effect.succeed(to)
}

/** The name of the service that a dry run cannot change. */
export const dryRunService = "clock"

/** Waits until the clock has arrived, up to the limit for a call. */
const untilReady = <E, R>(isAdvancing: Effect.Effect<boolean, E, R>): Effect.Effect<void, E | Transient, R> =>
  isAdvancing.pipe(
    Effect.repeat({ until: (is) => !is, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutFail({ duration: `${advanceWaitSeconds} seconds`, onTimeout: () => stillAdvancing }),
    Effect.asVoid
  )

/** The same tools, but writes wait while the clock advances, because they could interfere with the work. */
const waitingWrites = <R>(catalog: Catalogs.Catalog<R>, whenReady: Effect.Effect<void, Transient>) =>
  Catalogs.make<Group<R>>(
    catalog.groups.map((group) => ({
      ...group,
      tools: group.tools.map((tool) =>
        tool.kind === "read" || toolsOfClock.has(tool.name)
          ? tool
          : { ...tool, call: (raw, mode) => Effect.zipRight(whenReady, tool.call(raw, mode)) }
      )
    }))
  )

/** Tools that handle waiting for the clock themselves. */
const toolsOfClock: ReadonlySet<string> = new Set(["advance_test_clock", "play_prospect"])

const ofOwn = ({ testAccountId }: ServedTestAccount, id: TestAccountId | undefined) =>
  id === undefined || id === testAccountId ? Effect.void : notFound("test account", "test_account_id", id)

/** Starts the gateway of a test account, whose database must exist. It stops with the scope. */
export const makeTestGateway = (account: ServedTestAccount) =>
  Effect.gen(function* () {
    const clock = makeSimulatedClock(toMillis(account.startsAt))
    const scheduler = (yield* BackgroundScheduler)(`test account ${account.key}`)
    const context = yield* Layer.build(yield* domainOf(account, clock))
    const accountId = yield* Effect.provide(initialise(account), context)
    const row = yield* Effect.provide(makeClockRow, context)
    clock.moveTo((yield* row.read).now)

    const inGateway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        Effect.provide(context),
        Effect.provide(idleEngine),
        Effect.provideService(Metrics, hiddenMetrics()),
        Effect.provideService(CallObserver, noObserver),
        Effect.withClock(clock.clock),
        Effect.withTracerEnabled(false)
      )
    const runtime = yield* inGateway(Effect.runtime())
    const run = runIn(runtime)
    const play = yield* inGateway(makePlayProspect)
    const runDue = yield* inGateway(makeRunDue(clock, row))
    yield* inGateway(
      dispatchWebhooks({ timeout: webhookTimeout, poll: webhookPoll, concurrency: 8, isSampled: () => false })
    )

    const due = yield* Effect.makeLatch(false)
    const wake = () => void due.unsafeOpen()
    const runDueOnce = Effect.catchAllCause(inGateway(runDue), (cause) =>
      Effect.annotateLogs(Effect.logWarning("work of a test account broke off"), "cause", describeCause(cause)).pipe(
        Effect.zipRight(Effect.sleep("1 second")),
        Effect.zipRight(Effect.sync(wake))
      )
    )
    yield* due.await.pipe(
      Effect.zipRight(due.close),
      Effect.zipRight(runDueOnce),
      Effect.forever,
      Effect.withScheduler(scheduler),
      Effect.forkScoped
    )
    // Continues an advance that was interrupted.
    wake()

    const isAdvancing = Effect.map(row.read, ({ advancesTo }) => advancesTo !== undefined)
    const whenReady = untilReady(isAdvancing)
    const advance = (target: AdvanceTarget) =>
      Effect.gen(function* () {
        const { now } = yield* row.read
        if (!(yield* row.begin(yield* targetOf(target, now)))) return yield* clockIsAdvancing
        wake()
        yield* Effect.catchTag(whenReady, "Transient", () => Effect.void)
        return yield* row.view
      })
    const ownClocks: TestClocks = {
      get: (id) => Effect.zipRight(ofOwn(account, id), run(row.view)),
      advance: (id, target) =>
        Effect.zipRight(Effect.zipRight(ofOwn(account, id), stopDryRun(dryRunService)), run(advance(target))),
      play: (id, prospect) =>
        Effect.zipRight(Effect.zipRight(ofOwn(account, id), stopDryRun(dryRunService)), run(playAs(prospect)))
    }
    const playAs = (prospect: Play) =>
      whenReady.pipe(
        Effect.zipRight(play(prospect)),
        Effect.provideService(Caller, Caller.forTask(accountId, account.plan, "play_prospect")),
        Effect.tap(() => Effect.sync(wake))
      )
    const tools = {
      product: waitingWrites(servedTools.product, whenReady),
      platform: waitingWrites(servedTools.platform, whenReady)
    }
    const handle = yield* requestHandler(tools, rooms.endpoints, gatewayLanes(tools), gatewayAccesses).pipe(
      Effect.provideService(TestClock, ownClocks),
      inGateway
    )
    const gateway: TestGateway = {
      handle,
      synchronise: run(Effect.map(row.read, ({ now }) => clock.moveTo(now))),
      wake,
      isAdvancing: run(isAdvancing),
      view: run(row.view),
      advance: (target) => run(advance(target)),
      play: (prospect) => run(playAs(prospect)),
      ...(yield* inGateway(makeTestSecrets(account, run)))
    }
    return gateway
  }).pipe(ofTestAccounts)
