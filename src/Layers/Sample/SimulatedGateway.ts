import { ConfigProvider, Effect, Layer, Option } from "effect"
import { UnitOfWork } from "../../Services/Core/UnitOfWork.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { AccessTokensPostgres } from "../Accounts/AccessTokensPostgres.ts"
import { AccountsPostgres } from "../Accounts/AccountsPostgres.ts"
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

/** Names the clock to the database, and keeps the accounts that live by it from being worked by others. */
export const simulatedClockName = "sample"

/** The providers of the gateway's own environment are not for an account whose past is made up. */
const WithoutProviders = Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))

/**
 * The services of the gateway, on sessions and a queue of tasks that live by the moved clock, with all ways to the
 * outside in the sandbox. Settings and the place of the database are those of the gateway.
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
 * Runs an effect in a gateway of its own, whose clock shows `start` (Unix milliseconds). Several at a time on one database
 * need clocks of different names.
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

/** By which ways the gateway, by its own environment, reaches real people. */
export const liveWays = Effect.gen(function* () {
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
