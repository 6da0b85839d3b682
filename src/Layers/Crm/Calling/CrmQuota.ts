import { Clock, Deferred, Effect, FiberId } from "effect"
import type { Transient } from "../../../Errors.ts"
import { bucketOf, type Limit, type Turns } from "../../../Services/Outbound/RateLimits.ts"
import { CrmFailure } from "./CrmAdapter.ts"

/** For how long a call waits for its turn before it is put off. */
const longestWaitMillis = 15_000
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
  readonly isUrgent: boolean
  readonly since: number
  /** It has its turn, or is the first now and asks for all. */
  readonly told: Deferred.Deferred<"taken" | "first", CrmFailure>
}

/** When the next turn is worth asking for, as far as that is soon. */
interface NextTurn {
  readonly at: number
  readonly limit: Limit | undefined
}

/** So many of those that wait go together, where the allowance gathers as much: fewer statements for the same pace. */
const secondsForSome = (limit: Limit | undefined, waiting: number): number => {
  if (limit === undefined || limit.largestCost !== undefined) return 0
  const { capacity, perSecond } = bucketOf(limit.allowance)
  return Math.max(0, Math.min(waiting, Math.floor(capacity / 2)) - 1) / perSecond
}

/**
 * Turns within what a CRM allows, one after another, the urgent ones before the others. The first of those that wait asks
 * for all of them, so that many calls take one statement; nobody asks before there can be anything.
 */
export const makeCrmQuota = (
  takeMany: (costs: ReadonlyArray<number>) => Effect.Effect<Turns, Transient>
): ((cost: number, isUrgent?: boolean) => Effect.Effect<void, CrmFailure>) => {
  let waiting: ReadonlyArray<Waiting> = []
  let next: NextTurn = { at: 0, limit: undefined }

  const enter = (mine: Waiting) => {
    // The first asks already, for whoever comes next.
    const place = mine.isUrgent ? waiting.findIndex(({ isUrgent }, index) => index > 0 && !isUrgent) : -1
    waiting = place === -1 ? [...waiting, mine] : waiting.toSpliced(place, 0, mine)
  }

  const leave = (mine: Waiting) =>
    Effect.suspend(() => {
      const wasFirst = waiting[0] === mine
      waiting = waiting.filter((each) => each !== mine)
      const second = waiting[0]
      return wasFirst && second !== undefined ? Deferred.succeed(second.told, "first") : Effect.void
    })

  const askForAll = Effect.fnUntraced(function* (mine: Waiting) {
    // Those who come in the same moment go along.
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
          yield* Deferred.succeed(other.told, "taken")
        }
        const isLong = now + seconds * 1000 > mine.since + longestWaitMillis
        if (granted === 0 && isLong) {
          return yield* new CrmFailure({
            kind: "rate_limited",
            retryAfterSeconds: limit === undefined ? Math.ceil(seconds) : restSeconds(limit, seconds)
          })
        }
        // What holds for long may be lifted before: who comes then asks.
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
        const told = Deferred.unsafeMake<"taken" | "first", CrmFailure>(FiberId.none)
        const mine = { cost, isUrgent, since, told }
        enter(mine)
        return mine
      }),
      (mine) =>
        Effect.flatMap(waiting[0] === mine ? Effect.succeed("first") : Deferred.await(mine.told), (word) =>
          word === "first" ? askForAll(mine) : Effect.void
        ),
      leave
    )
}
