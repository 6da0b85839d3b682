import { Clock, Duration, Effect, Option, type Scope } from "effect"
import type { CommitSignal } from "./Postgres/pool/CommitSignal.ts"

/** The result of one poll. */
export interface PollResult {
  /** True if there was work. The next poll then follows soon. */
  readonly found: boolean
  /** Milliseconds until the next scheduled work is due; undefined if none is scheduled. */
  readonly dueIn?: number | undefined
}

export interface PollerTiming {
  /** The pause between two polls while there is work, or while other processes write. */
  readonly shortest: Duration.Duration
  /** The pause once nothing has happened for a while. It limits how long work can wait that no commit announced. */
  readonly longest: Duration.Duration
}

/** The longest pause while this process is notified of all commits, its own and those of other processes. */
export const maximumIdle = Duration.minutes(1)

/** The longest pause while this process does not receive notice of other processes' commits. */
const longestUnheardMillis = Duration.toMillis("15 seconds")

export interface AdaptivePoller {
  /** Polls for work forever: runs `look` again after each pause. */
  readonly poll: <R>(look: Effect.Effect<PollResult, never, R>) => Effect.Effect<never, never, R>
  /** Starts the next poll within some dozens of milliseconds. */
  readonly wake: () => void
}

/** A poll waits this long first, so that work arriving at about the same time is found together. */
const gatheringMillis = 10
/** The shortest time between two polls after `wake`. */
const shortestAfterWakeMillis = 40

/**
 * Polls for work with pauses. A pause doubles while there is no work and no commit. It ends when scheduled work is due,
 * and is short again after the next commit.
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
          const result = yield* look
          const { dueIn = Infinity } = result
          const lookedAt = yield* millis
          pause = result.found
            ? shortest
            : Math.min(activity.hearsOthers ? longest : Math.min(longest, longestUnheardMillis), 2 * pause)
          // If due work was not taken, polling again at once would not help, so the normal pause applies.
          const rest = dueIn > 0 ? Math.min(pause, dueIn) : pause
          const isNews = Option.isSome(yield* Effect.timeoutOption(news.await, rest))
          if (!isNews) continue
          pause = shortest / 2
          const since = (yield* millis) - lookedAt
          if (since < shortest) yield* Effect.timeoutOption(haste.await, shortest - since)
          const hasty = Math.min(shortestAfterWakeMillis, shortest)
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
