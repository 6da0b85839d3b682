import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { makeWindowLimit } from "./WindowLimit.ts"

/** Refusals that one client gets without delay in a second. No honest client needs more. */
export const mostImmediate = 200
/** The delay of further refusals. Clients ignore Retry-After, but they do wait for an answer. */
const delayMillis = 1000
/** With more delayed refusals than this, an answer is sent at once and its connection is closed. */
export const mostDelayed = 2000
/** Delayed refusals that are sent in one turn of the event loop, so that a turn stays short. */
const sentPerLoopTurn = 4

/** Calls `send` now or after the delay. Returns false if too many are delayed already. */
export type Refusals = (client: string, cost: number, send: () => void) => boolean

/** Limits clients that repeat refused requests: a client over its limit gets one refusal per connection and second. */
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
