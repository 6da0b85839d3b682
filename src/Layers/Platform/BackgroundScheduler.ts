import { Deferred, Effect, Scheduler } from "effect"
import type { Cooperative } from "../../Services/Core/Cooperative.ts"
import { connectionArrivals } from "./ConnectionArrivals.ts"
import { RoundRobinQueue } from "./RoundRobinQueue.ts"

/** Milliseconds of long work in one turn of the event loop. */
const share = 4

/** Whose work it is: an account, a route without one, or the platform's own background. */
export type Worker = number | string

/**
 * Runs the fibers of work that others are not to wait for: background work, calls with long bodies, calls of an account
 * that has very many under way. Of all of it some milliseconds are done in each turn of the event loop, one piece of each
 * party after the other, and none in turns in which connections come; so a short call that comes meanwhile is taken up in
 * the next one. The scheduler that calls run on otherwise goes on for as long as any fiber can.
 */
export const makeBackgroundScheduler = (
  now: () => number = () => performance.now(),
  givesWay: () => boolean = connectionArrivals.watch()
): ((party: Worker) => Scheduler.Scheduler) => {
  const waiting = new RoundRobinQueue<Worker, Scheduler.Task>()
  let isScheduled = false
  const run = (): void => {
    if (!givesWay()) {
      const until = now() + share
      for (let task = waiting.take(); task !== undefined; task = waiting.take()) {
        task()
        if (now() >= until) break
      }
    }
    isScheduled = !waiting.isEmpty
    if (isScheduled) setImmediate(run)
  }
  return (party) => ({
    shouldYield: Scheduler.defaultShouldYield,
    scheduleTask: (task) => {
      waiting.add(party, task)
      if (isScheduled) return
      isScheduled = true
      setImmediate(run)
    }
  })
}

/** Of this process, which has one event loop. */
export const backgroundScheduler = makeBackgroundScheduler()

/** Between two pieces of work of a few milliseconds: what waits for the event loop goes first. Fibers that yield do not let it turn. */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/**
 * Some milliseconds of the work in a turn of the event loop. It is begun by the first who asks, goes on when he has gone,
 * and what it answers is kept for all who ask later.
 */
export const cachedCooperative = <A>(
  begin: () => Cooperative<A>,
  now: () => number = () => performance.now()
): Effect.Effect<Effect.Effect<A>> =>
  Effect.map(Deferred.make<A>(), (made) => {
    const inTurns = Effect.suspend(() => {
      const work = begin()
      const some = (): Effect.Effect<A> => {
        const until = now() + share
        do {
          const piece = work.next()
          if (piece.done === true) return Effect.succeed(piece.value)
        } while (now() < until)
        return Effect.flatMap(yieldToEventLoop, some)
      }
      return some()
    })
    let isBegun = false
    const start = Effect.suspend(() => {
      if (isBegun) return Effect.void
      isBegun = true
      return Effect.forkDaemon(Effect.intoDeferred(inTurns, made))
    })
    return Effect.zipRight(Effect.uninterruptible(start), Deferred.await(made))
  })
