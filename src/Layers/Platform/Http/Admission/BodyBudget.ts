import { Context } from "effect"
import { FairSemaphore } from "../../Fairness/FairSemaphore.ts"
import { makeRecentTenants } from "../../Fairness/RecentTenants.ts"
import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { type BodyReading, makeBodyReads } from "../Bodies/BodyReads.ts"
import { makeConnectionArrivals } from "./ConnectionArrivals.ts"

/** The account of a body, or the name of a route that takes bodies without a token. */
export type BodyTenant = number | string

/** The part of all bytes that one tenant may reserve. */
const tenantShare = 1 / 4
/** A shorter body is read in less time than it takes to queue it. */
export const largeBodyBytes = 8 * 1024
/** A tenant works on one large body at a time: two take as long together, and slow others down by half. */
const largeBodies = { slots: 16, perAccount: 1, waiting: 4000, waitingPerAccount: 1000, longestWait: 30_000 }
/** A request that takes longer waits for something other than the processor, and frees its slot. */
const longestTurnMillis = 250
/** Pace of a tenant's large bodies while others call: a body also costs garbage collection and log writes. */
export const bytesPerSecond = 4 * 1024 * 1024
/** A tenant without a call for this long no longer slows the others down. */
export const absenceMillis = 2000

/** Bounds the memory that bodies take, in all and per tenant, and spreads the work on large bodies. */
export class BodyBudget extends Context.Tag("BodyBudget")<
  BodyBudget,
  {
    /** Reserves the bytes if there is room, and returns whether there was. */
    readonly reserve: (tenant: BodyTenant, bytes: number) => boolean
    readonly release: (tenant: BodyTenant, bytes: number) => void
    readonly reservedBytes: () => number
    /** Records a call, for which large bodies of other tenants slow down. */
    readonly recordCall: (tenant: BodyTenant) => void
    readonly readingOf: (tenant: BodyTenant) => BodyReading
    /** Starts `work` in its turn, or refuses it if too many wait. The result is to be called after the answer. */
    readonly enqueue: (tenant: BodyTenant, bytes: number, work: () => void, refuse: () => void) => () => void
  }
>() {}

export const makeBodyBudget = (
  totalBytes: number,
  arrivals = makeConnectionArrivals(),
  clock = {
    longestTurnMillis,
    now: (): number => performance.now(),
    later: (run: () => void, millis: number): NodeJS.Timeout => setTimeout(run, millis).unref()
  }
): BodyBudget["Type"] => {
  const reserved = new Map<BodyTenant, number>()
  const recent = makeRecentTenants<BodyTenant>(clock.now, absenceMillis)
  const turns = new FairSemaphore(largeBodies)
  const starting = new RoundRobinQueue<BodyTenant, () => void>()
  // One per turn of the event loop, so that a small call waits for one large body and not for all.
  const schedule = drainRoundRobin(starting, { perTurn: 1, givesWay: arrivals.watch(), use: (start) => start() })
  let total = 0
  return {
    reserve: (tenant, bytes) => {
      const before = reserved.get(tenant) ?? 0
      if (total + bytes > totalBytes || before + bytes > Math.ceil(totalBytes * tenantShare)) return false
      reserved.set(tenant, before + bytes)
      total += bytes
      return true
    },
    release: (tenant, bytes) => {
      const left = (reserved.get(tenant) ?? 0) - bytes
      if (left > 0) reserved.set(tenant, left)
      else reserved.delete(tenant)
      total -= bytes
    },
    reservedBytes: () => total,
    recordCall: recent.record,
    readingOf: makeBodyReads(arrivals.watch()),
    enqueue: (tenant, bytes, work, refuse) => {
      recent.record(tenant)
      let timer: NodeJS.Timeout | undefined
      let startedAt = Number.NEGATIVE_INFINITY
      const leave = (): void => {
        clearTimeout(timer)
        const leastMillis = recent.isAlone(tenant) ? 0 : (1000 * bytes) / bytesPerSecond
        const rest = startedAt + leastMillis - clock.now()
        // Timers have whole milliseconds.
        if (rest < 1) turns.leave(ticket)
        else timer = clock.later(() => turns.leave(ticket), rest)
      }
      const start = (): void => {
        startedAt = clock.now()
        timer = clock.later(leave, clock.longestTurnMillis)
        starting.add(tenant, work)
        schedule()
      }
      if (bytes < largeBodyBytes) {
        work()
        return () => {}
      }
      const ticket = turns.enter(tenant, start, refuse)
      return leave
    }
  }
}
