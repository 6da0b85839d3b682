import { Clock, Duration, Effect, Option, type Scope } from "effect"
import type { CommitSignal } from "./Postgres/pool/CommitSignal.ts"

/** What a look for work came to. */
export interface PollResult {
  /** Whether there was something to do: the next look follows soon. */
  readonly found: boolean
  /** Milliseconds until what is known to come is due; undefined where nothing is. */
  readonly dueIn?: number | undefined
}

export interface PollerTiming {
  /** The pause between two looks while there is work, or while others write. */
  readonly shortest: Duration.Duration
  /** The pause once nothing has happened for a while: a net for what nobody announced. */
  readonly longest: Duration.Duration
}

/** The longest pause of those who hear of what is written, in this process and in others. */
export const maximumIdle = Duration.minutes(1)

/** And while nothing is heard of the others. */
const restUnheard = Duration.toMillis("15 seconds")

export interface AdaptivePoller {
  /** Looks again and again, and never ends. */
  readonly poll: <R>(look: Effect.Effect<PollResult, never, R>) => Effect.Effect<never, never, R>
  /** Has the next look follow within some dozens of milliseconds. */
  readonly wake: () => void
}

/** What comes at about the same time is looked after together. */
const gatheringMillis = 10
/** Between two looks, however urgent what others tell of is. */
const hastyMillis = 40

/**
 * Pauses between looks for work: they double while nothing is found and nobody writes, end when what is known is due, and
 * are short again at once with the first thing that is written.
 */
export const makeAdaptivePoller = (
  activity: CommitSignal,
  timing: PollerTiming
): Effect.Effect<AdaptivePoller, never, Scope.Scope> =>
  Effect.gen(function* () {
    const [shortest, longest] = [Duration.toMillis(timing.shortest), Duration.toMillis(timing.longest)]
    const news = yield* Effect.makeLatch(false)
    const haste = yield* Effect.makeLatch(false)
    const stop = activity.listen(() => news.unsafeOpen())
    yield* Effect.addFinalizer(() => Effect.sync(stop))
    const millis = Clock.currentTimeMillis

    const poll = <R>(look: Effect.Effect<PollResult, never, R>): Effect.Effect<never, never, R> =>
      Effect.gen(function* () {
        let pause = shortest
        while (true) {
          news.unsafeClose()
          haste.unsafeClose()
          const { dueIn = Infinity, found } = yield* look
          const lookedAt = yield* millis
          pause = found
            ? shortest
            : Math.min(activity.hearsOthers ? longest : Math.min(longest, restUnheard), 2 * pause)
          // What is due already and was not taken is waited for like what nobody knows of.
          const rest = dueIn > 0 ? Math.min(pause, dueIn) : pause
          const isNews = Option.isSome(yield* Effect.timeoutOption(news.await, rest))
          if (!isNews) continue
          pause = shortest / 2
          const since = (yield* millis) - lookedAt
          if (since < shortest) yield* Effect.timeoutOption(haste.await, shortest - since)
          const hasty = Math.min(hastyMillis, shortest)
          yield* Effect.sleep(Math.max(gatheringMillis, hasty - ((yield* millis) - lookedAt)))
        }
      })

    return {
      poll,
      wake: () => {
        haste.unsafeOpen()
        news.unsafeOpen()
      }
    }
  })
