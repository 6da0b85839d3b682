import { Clock, Deferred, Effect, FiberId } from "effect"
import type { Transient } from "../../../Errors.ts"
import { bucketOf, type Limit, type Turns } from "../../../Services/Outbound/RateLimits.ts"
import { CrmFailure } from "./CrmAdapter.ts"

/** A call that would have to wait longer is postponed. */
const longestWaitMillis = 15_000
/**
 * The longest pause after a limit is exhausted. A pause only until the next call is possible would stop the run again
 * in the middle of a lead, and restart that lead without end.
 */
const longestRestSeconds = 1800
/** The most calls for which one statement takes tokens. */
const mostAtOnce = 100

/** Returns the number of seconds after which calls should resume once the limit is exhausted. */
export const restSeconds = ({ allowance, largestCost }: Limit, seconds: number): number => {
  const { capacity, perSecond } = bucketOf(allowance, largestCost)
  return Math.ceil(Math.max(seconds, Math.min(longestRestSeconds, capacity / 2 / perSecond)))
}

interface Waiting {
  readonly cost: number
  readonly isUrgent: boolean
  readonly since: number
  /** Completes when the call may run, or when it has become the first in the queue and must request tokens for all. */
  readonly turn: Deferred.Deferred<"taken" | "first", CrmFailure>
}

/** The time at which the next request for tokens makes sense, if that is soon. */
interface NextTurn {
  readonly at: number
  readonly limit: Limit | undefined
}

/**
 * Returns the seconds until tokens for several waiting calls are available. Taking them together needs fewer statements
 * at the same rate.
 */
const secondsForSome = (limit: Limit | undefined, waiting: number): number => {
  if (limit === undefined || limit.largestCost !== undefined) return 0
  const { capacity, perSecond } = bucketOf(limit.allowance)
  return Math.max(0, Math.min(waiting, Math.floor(capacity / 2)) - 1) / perSecond
}

/**
 * Queues calls within a CRM's rate limits, urgent ones first. The first waiting call takes tokens for all of them in
 * one statement, at the earliest when a token can be available.
 */
export const makeCrmQuota = (
  takeMany: (costs: ReadonlyArray<number>) => Effect.Effect<Turns, Transient>
): ((cost: number, isUrgent?: boolean) => Effect.Effect<void, CrmFailure>) => {
  let waiting: ReadonlyArray<Waiting> = []
  let next: NextTurn = { at: 0, limit: undefined }

  const enter = (mine: Waiting) => {
    // The first waiting call is already requesting tokens for the calls behind it.
    const place = mine.isUrgent ? waiting.findIndex(({ isUrgent }, index) => index > 0 && !isUrgent) : -1
    waiting = place === -1 ? [...waiting, mine] : waiting.toSpliced(place, 0, mine)
  }

  const leave = (mine: Waiting) =>
    Effect.suspend(() => {
      const wasFirst = waiting[0] === mine
      waiting = waiting.filter((each) => each !== mine)
      const second = waiting[0]
      return wasFirst && second !== undefined ? Deferred.succeed(second.turn, "first") : Effect.void
    })

  const askForAll = Effect.fnUntraced(function* (mine: Waiting) {
    // Calls of the same moment join the batch.
    yield* Effect.yieldNow()
    while (true) {
      let now = yield* Clock.currentTimeMillis
      if (next.at <= now) {
        const all = waiting.slice(0, mostAtOnce)
        const { granted, limit, seconds } = yield* Effect.mapError(
          takeMany(all.map(({ cost }) => cost)),
          (_) => new CrmFailure({ kind: "unavailable" })
        )
        now = yield* Clock.currentTimeMillis
        for (const other of all.slice(1, granted)) {
          waiting = waiting.filter((each) => each !== other)
          yield* Deferred.succeed(other.turn, "taken")
        }
        const isLong = now + seconds * 1000 > mine.since + longestWaitMillis
        if (granted === 0 && isLong) {
          return yield* new CrmFailure({
            kind: "rate_limited",
            retryAfterSeconds: limit === undefined ? Math.ceil(seconds) : restSeconds(limit, seconds)
          })
        }
        // A long pause is not cached, so later calls check it again.
        if (granted < all.length && !isLong) {
          next = { at: now + 1000 * (seconds + secondsForSome(limit, all.length - granted)), limit }
        }
        if (granted > 0) return
      }
      const { at, limit } = next
      if (at > mine.since + longestWaitMillis) {
        const seconds = (at - now) / 1000
        return yield* new CrmFailure({
          kind: "rate_limited",
          retryAfterSeconds: limit === undefined ? Math.ceil(seconds) : restSeconds(limit, seconds)
        })
      }
      yield* Effect.sleep(at - now)
    }
  })

  return (cost, isUrgent = false) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeMillis, (since): Waiting => {
        const turn = Deferred.unsafeMake<"taken" | "first", CrmFailure>(FiberId.none)
        const mine = { cost, isUrgent, since, turn }
        enter(mine)
        return mine
      }),
      (mine) =>
        Effect.flatMap(waiting[0] === mine ? Effect.succeed("first") : Deferred.await(mine.turn), (word) =>
          word === "first" ? askForAll(mine) : Effect.void
        ),
      leave
    )
}
