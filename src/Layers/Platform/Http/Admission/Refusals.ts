import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { makeWindowLimit } from "./WindowLimit.ts"

/** Refusals that one client gets at once in a second. No honest client needs more. */
export const mostImmediate = 200
/** Further refusals wait this long. Clients ignore Retry-After, but they do wait for an answer. */
const delayMillis = 1000
/** Beyond this many delayed refusals an answer is sent at once, and its connection is closed. */
export const mostDelayed = 2000
/** Delayed refusals that are sent in one turn of the event loop, so that a turn stays short. */
const sentPerLoopTurn = 4

/** Calls `send` now or after the delay. Returns false if too many are delayed already. */
export type Refusals = (client: string, cost: number, send: () => void) => boolean

/** A refusal costs its caller nothing, so one that repeats it at once is slowed down to one per connection and second. */
export const makeRefusals = (
  givesWay: () => boolean,
  now = (): number => performance.now(),
  later = (run: () => void, millis: number): void => void setTimeout(run, millis).unref()
): Refusals => {
  const limit = makeWindowLimit<string>(mostImmediate, delayMillis, now)
  const due = new RoundRobinQueue<string, () => void>()
  let delayed = 0
  const schedule = drainRoundRobin(due, {
    perTurn: sentPerLoopTurn,
    givesWay,
    use: (send) => {
      delayed--
      send()
    }
  })
  return (client, cost, send) => {
    const isImmediate = limit.spend(client, cost)
    if (isImmediate || delayed >= mostDelayed) {
      send()
      return isImmediate
    }
    delayed++
    later(() => {
      due.add(client, send)
      schedule()
    }, delayMillis)
    return true
  }
}
