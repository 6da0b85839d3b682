import { ConfigProvider, Effect, Layer, Option } from "effect"
import { TaskQueue } from "../../Services/TaskQueue.ts"
import { UnitOfWork } from "../../Services/UnitOfWork.ts"
import { DomainOnQueue } from "../App.ts"
import { loadChatAppSettings } from "../ChatApp/ChatAppSettings.ts"
import { loadMailSettings } from "../Mail/MailSettings.ts"
import { AccessTokensPostgres } from "../Postgres/AccessTokens.ts"
import { AccountsPostgres } from "../Postgres/Accounts.ts"
import { DatabaseOnPools, poolsLayer } from "../Postgres/Database.ts"
import { loadVoiceSettings } from "../Voice/VoiceSettings.ts"
import { type MovedClock, makeMovedClock } from "./MovedClock.ts"
import { type MovedTaskQueue, makeMovedTaskQueue } from "./MovedTaskQueue.ts"

/** Names the clock to the database, and keeps the accounts that live by it from being worked by others. */
export const movedClockName = "sample"

/** The providers of the gateway's own environment are not for an account whose past is made up. */
const WithoutProviders = Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))

/**
 * The services of the gateway, on sessions and a queue of tasks that live by the moved clock, with all ways to the
 * outside in the sandbox. Settings and the place of the database are those of the gateway.
 */
const movedDomain = (clock: MovedClock, tasks: MovedTaskQueue) =>
  DomainOnQueue.pipe(
    Layer.provideMerge(Layer.merge(AccountsPostgres, AccessTokensPostgres)),
    Layer.provideMerge(Layer.succeed(TaskQueue, tasks.queue)),
    Layer.provideMerge(Layer.effect(UnitOfWork, Effect.map(UnitOfWork, tasks.bind))),
    Layer.provideMerge(DatabaseOnPools),
    Layer.provideMerge(poolsLayer({ name: movedClockName, now: () => new Date(clock.now()).toISOString() })),
    Layer.provide(WithoutProviders),
    Layer.fresh
  )

/** Runs an effect in a gateway of its own, whose clock shows `start` (Unix milliseconds). */
export const inMovedGateway = <A, E, R>(
  start: number,
  work: (clock: MovedClock, tasks: MovedTaskQueue) => Effect.Effect<A, E, R>
) =>
  Effect.suspend(() => {
    const clock = makeMovedClock(start)
    const tasks = makeMovedTaskQueue(clock)
    return work(clock, tasks).pipe(
      Effect.withClock(clock.clock),
      Effect.withTracerEnabled(false),
      Effect.provide(movedDomain(clock, tasks))
    )
  })

/** By which ways the gateway, by its own environment, reaches real people. */
export const liveWays = Effect.gen(function* () {
  const { smtp } = yield* loadMailSettings
  const { credentials } = yield* loadChatAppSettings
  const { provider } = yield* loadVoiceSettings
  return [
    ...(Option.isSome(smtp) ? ["mail"] : []),
    ...(Option.isSome(credentials) ? ["chatapp"] : []),
    ...(provider === "sandbox" ? [] : ["voice"])
  ]
})
