import { ConfigProvider, Effect, Layer, Option } from "effect"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { AccountsPostgres } from "../Accounts/AccountsPostgres.ts"
import { AccessTokensPostgres } from "../Accounts/Tokens/AccessTokensPostgres.ts"
import { loadAdsSettings } from "../Ads/AdsSettings.ts"
import { DomainOnQueue } from "../App.ts"
import { loadCalendarSettings } from "../Calendar/CalendarSettings.ts"
import { loadChatAppSettings } from "../ChatApp/ChatAppSettings.ts"
import { loadCrmSettings } from "../Crm/CrmSettings.ts"
import { loadMailSettings } from "../Mail/MailSettings.ts"
import { DatabaseOnPools, poolsLayer } from "../Platform/Postgres/Database.ts"
import { loadSchedulerSettings } from "../Scheduler/SchedulerSettings.ts"
import { loadVoiceSettings } from "../Voice/VoiceSettings.ts"
import { makeSimulatedClock, type SimulatedClock } from "./SimulatedClock.ts"
import { makeSimulatedTaskQueue, type SimulatedTaskQueue } from "./SimulatedTaskQueue.ts"

/** The name of the simulated clock in the database. Other gateways skip accounts on that clock. */
export const simulatedClockName = "sample"

/** Hides the gateway's provider credentials, so that the invented past never reaches a real provider. */
const WithoutProviders = Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))

/**
 * The gateway's services on the simulated clock and task queue, with every integration in the sandbox. Settings and the
 * database are the gateway's.
 */
const simulatedDomain = (clock: SimulatedClock, tasks: SimulatedTaskQueue, name: string) =>
  DomainOnQueue.pipe(
    Layer.provideMerge(Layer.merge(AccountsPostgres, AccessTokensPostgres)),
    Layer.provideMerge(Layer.succeed(TaskQueue, tasks.queue)),
    Layer.provideMerge(Layer.effect(UnitOfWork, Effect.map(UnitOfWork, tasks.bind))),
    Layer.provideMerge(DatabaseOnPools),
    Layer.provideMerge(poolsLayer({ name, now: () => new Date(clock.now()).toISOString() })),
    Layer.provide(WithoutProviders),
    Layer.fresh
  )

/**
 * Runs an effect in a separate simulated gateway whose clock starts at `start` (Unix milliseconds). Simulations that
 * share a database need different clock names.
 */
export const inSimulatedGateway = <A, E, R>(
  start: number,
  work: (clock: SimulatedClock, tasks: SimulatedTaskQueue) => Effect.Effect<A, E, R>,
  clockName = simulatedClockName
) =>
  Effect.suspend(() => {
    const clock = makeSimulatedClock(start)
    const tasks = makeSimulatedTaskQueue(clock)
    return work(clock, tasks).pipe(
      Effect.withClock(clock.clock),
      Effect.withTracerEnabled(false),
      Effect.provide(simulatedDomain(clock, tasks, clockName))
    )
  })

/** Returns the integrations through which this gateway reaches real people. */
export const liveIntegrations = Effect.gen(function* () {
  const { smtp } = yield* loadMailSettings
  const { credentials } = yield* loadChatAppSettings
  const { provider } = yield* loadVoiceSettings
  const crm = yield* loadCrmSettings
  const calendar = yield* loadCalendarSettings
  const scheduler = yield* loadSchedulerSettings
  const ads = yield* loadAdsSettings
  return [
    ...(Option.isSome(smtp) ? ["mail"] : []),
    ...(Option.isSome(credentials) ? ["chatapp"] : []),
    ...(provider === "sandbox" ? [] : ["voice"]),
    ...(crm.mode === "sandbox" ? [] : ["crm"]),
    ...(calendar.mode === "sandbox" ? [] : ["calendar"]),
    ...(scheduler.mode === "sandbox" ? [] : ["scheduler"]),
    ...(ads.mode === "sandbox" ? [] : ["ads"])
  ]
})
