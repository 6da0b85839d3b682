import { Scheduler } from "effect"
import { arrivals } from "../Arrivals.ts"

/** Milliseconds of background work in one turn of the event loop. */
const share = 4

/**
 * Runs the fibers of background work: some milliseconds of it in each turn of the event loop, so that a call that comes
 * meanwhile is taken up in the next one, and none in turns in which connections come. The scheduler that calls run on goes
 * on for as long as any fiber can.
 */
export const makeBackgroundScheduler = (
  now: () => number = () => performance.now(),
  givesWay: () => boolean = arrivals.watch()
): Scheduler.Scheduler => {
  let waiting: Array<Scheduler.Task> = []
  let isScheduled = false
  const run = (): void => {
    if (givesWay()) {
      setImmediate(run)
      return
    }
    const until = now() + share
    let done = 0
    while (done < waiting.length) {
      waiting[done++]?.()
      if (now() >= until) break
    }
    waiting = waiting.slice(done)
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(run)
  }
  return {
    shouldYield: Scheduler.defaultShouldYield,
    scheduleTask: (task) => {
      waiting.push(task)
      if (isScheduled) return
      isScheduled = true
      setImmediate(run)
    }
  }
}
