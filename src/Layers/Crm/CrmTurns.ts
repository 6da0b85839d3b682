import { Clock, Deferred, Effect, FiberId } from "effect"
import type { Transient } from "../../Errors.ts"
import { bucketOf, type Limit, type Turns } from "../../Services/Connections/RateLimits.ts"
import { CrmFailure } from "./CrmAdapter.ts"

/** For how long a call waits for its turn before it is put off. */
const longestWaitMillis = 10_000
/**
 * For how long at most a CRM is left alone when its allowance is used up. Whoever went on with the next call that it takes
 * would be stopped again in the middle of a lead, and begin it anew without end.
 */
const longestRestSeconds = 1800
/** Calls of one statement. */
const mostAtOnce = 100

/** After how long an allowance that is used up is worth going on with. */
export const restSeconds = ({ allowance, largestCost }: Limit, seconds: number): number => {
  const { capacity, perSecond } = bucketOf(allowance, largestCost)
  return Math.ceil(Math.max(seconds, Math.min(longestRestSeconds, capacity / 2 / perSecond)))
}

interface Waiting {
  readonly cost: number
  readonly since: number
  /** It has its turn, or is the first now and asks for all. */
  readonly told: Deferred.Deferred<"taken" | "first", CrmFailure>
}

/**
 * Turns within what a CRM allows, one after another. The first of those that wait asks for all of them, so that many
 * calls take one statement.
 */
export const makeTurns = (
  takeMany: (costs: ReadonlyArray<number>) => Effect.Effect<Turns, Transient>
): ((cost: number) => Effect.Effect<void, CrmFailure>) => {
  let waiting: ReadonlyArray<Waiting> = []

  const leave = (mine: Waiting) =>
    Effect.suspend(() => {
      const wasFirst = waiting[0] === mine
      waiting = waiting.filter((each) => each !== mine)
      const next = waiting[0]
      return wasFirst && next !== undefined ? Deferred.succeed(next.told, "first") : Effect.void
    })

  const askForAll = Effect.fnUntraced(function* (mine: Waiting) {
    // Those who come in the same moment go along.
    yield* Effect.yieldNow()
    while (true) {
      const all = waiting.slice(0, mostAtOnce)
      const { granted, limit, seconds } = yield* Effect.mapError(
        takeMany(all.map(({ cost }) => cost)),
        (_) => new CrmFailure({ reason: "unavailable" })
      )
      for (const other of all.slice(1, granted)) {
        waiting = waiting.filter((each) => each !== other)
        yield* Deferred.succeed(other.told, "taken")
      }
      if (granted > 0) return
      if ((yield* Clock.currentTimeMillis) + seconds * 1000 > mine.since + longestWaitMillis) {
        return yield* new CrmFailure({
          reason: "rate_limited",
          retryAfterSeconds: limit === undefined ? Math.ceil(seconds) : restSeconds(limit, seconds)
        })
      }
      yield* Effect.sleep(seconds * 1000)
    }
  })

  return (cost) =>
    Effect.acquireUseRelease(
      Effect.map(Clock.currentTimeMillis, (since): Waiting => {
        const mine = { cost, since, told: Deferred.unsafeMake<"taken" | "first", CrmFailure>(FiberId.none) }
        waiting = [...waiting, mine]
        return mine
      }),
      (mine) =>
        Effect.flatMap(waiting[0] === mine ? Effect.succeed("first") : Deferred.await(mine.told), (word) =>
          word === "first" ? askForAll(mine) : Effect.void
        ),
      leave
    )
}
