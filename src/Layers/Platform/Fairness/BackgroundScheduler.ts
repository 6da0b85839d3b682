import { Context, Effect, Layer, Scheduler } from "effect"
import { ConnectionArrivals } from "../Http/Admission/ConnectionArrivals.ts"
import { sliceMillis } from "./EventLoop.ts"
import { RoundRobinQueue } from "./RoundRobinQueue.ts"

/** The tenant that the work is done for: an account, a route without one, or the platform's background. */
export type WorkTenant = number | string

/**
 * Runs fibers that others should not wait for: background work, calls with long bodies, and calls of an account with very
 * many open. Effect's own scheduler runs until no fiber can continue; this one stops after a slice.
 */
export class BackgroundScheduler extends Context.Tag("BackgroundScheduler")<
  BackgroundScheduler,
  (tenant: WorkTenant) => Scheduler.Scheduler
>() {
  static readonly layer = Layer.effect(
    BackgroundScheduler,
    Effect.map(ConnectionArrivals, (arrivals) => makeBackgroundScheduler(arrivals.watch()))
  )
}

/** All work shares one slice per turn of the event loop, round-robin by tenant. */
export const makeBackgroundScheduler = (
  givesWay: () => boolean,
  now: () => number = () => performance.now()
): BackgroundScheduler["Type"] => {
  const waiting = new RoundRobinQueue<WorkTenant, Scheduler.Task>()
  let isScheduled = false
  const run = (): void => {
    if (!givesWay()) {
      const until = now() + sliceMillis
      for (let task = waiting.take(); task !== undefined; task = waiting.take()) {
        task()
        if (now() >= until) break
      }
    }
    isScheduled = !waiting.isEmpty
    if (isScheduled) setImmediate(run)
  }
  return (tenant) => ({
    shouldYield: Scheduler.defaultShouldYield,
    scheduleTask: (task) => {
      waiting.add(tenant, task)
      if (isScheduled) return
      isScheduled = true
      setImmediate(run)
    }
  })
}

/** The scheduling of the event loop, which the server and the job engine share. */
export const EventLoopLive = Layer.provideMerge(BackgroundScheduler.layer, ConnectionArrivals.layer)
