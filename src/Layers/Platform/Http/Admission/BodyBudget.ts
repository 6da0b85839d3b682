import type { IncomingMessage } from "node:http"
import { Context } from "effect"
import { FairSemaphore } from "../../Fairness/FairSemaphore.ts"
import { makeRecentTenants } from "../../Fairness/RecentTenants.ts"
import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { type BodyReading, makeBodyReads } from "../Bodies/BodyReads.ts"
import { clientAddress, clientShare, type TrustedProxies } from "../ClientAddress.ts"
import { type ConnectionArrivals, makeConnectionArrivals } from "./ConnectionArrivals.ts"

/** The account of a body, a sender whose headers proved a key, or the address of any other client. */
export type BodyTenant = number | `key ${string}` | `address ${string}`

/** The part of all bytes that one account or key may reserve. */
const tenantShare = 1 / 4
/** Bytes that all bodies without token and key share, and the part of the budget if that is less. */
const anonymousBytes = 32 * 1024 * 1024
const anonymousShare = 1 / 8
/** The part of those bytes that one address may reserve. */
const addressShare = 1 / 8
/** In each such time a body without token and key must bring 1 kB a second, or it is refused. */
const paceWindowMillis = 5000
export const leastBytesPerSecond = 1024
/** Bytes of the longest body without token and key. */
export const longestAnonymousBody = anonymousBytes * addressShare

export const isAnonymous = (tenant: BodyTenant): boolean => typeof tenant === "string" && tenant.startsWith("address ")
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
    /** How often the pace of bodies without token and key is checked. */
    readonly paceWindowMillis: number
    readonly reservedBytes: () => number
    /** The tenant of a body without token and key. */
    readonly anonymous: (request: IncomingMessage) => BodyTenant
    /** Records a call, for which large bodies of other tenants slow down. */
    readonly recordCall: (tenant: BodyTenant) => void
    readonly readingOf: (tenant: BodyTenant) => BodyReading
    /**
     * Starts `work` in its turn, or refuses it if too many wait. The result is to be called after the answer. Bodies
     * that leave work behind are paced from the first, since others who come later wait for that work.
     */
    readonly enqueue: (
      tenant: BodyTenant,
      bytes: number,
      work: () => void,
      refuse: () => void,
      leavesWork?: boolean
    ) => () => void
  }
>() {}

const systemClock = {
  longestTurnMillis,
  now: (): number => performance.now(),
  later: (run: () => void, millis: number): NodeJS.Timeout => setTimeout(run, millis).unref()
}

export interface BodyBudgetOptions {
  readonly arrivals?: ConnectionArrivals["Type"]
  readonly isProxy?: TrustedProxies
  readonly clock?: typeof systemClock
}

export const makeBodyBudget = (
  totalBytes: number,
  { arrivals = makeConnectionArrivals(), clock = systemClock, isProxy = () => false }: BodyBudgetOptions = {}
): BodyBudget["Type"] => {
  const reserved = new Map<BodyTenant, number>()
  const recent = makeRecentTenants<BodyTenant>(clock.now, absenceMillis)
  const turns = new FairSemaphore(largeBodies)
  const starting = new RoundRobinQueue<BodyTenant, () => void>()
  // One per turn of the event loop, so that a small call waits for one large body and not for all.
  const schedule = drainRoundRobin(starting, { perTurn: 1, givesWay: arrivals.watch(), use: (start) => start() })
  const forAnonymous = Math.min(anonymousBytes, Math.ceil(totalBytes * anonymousShare))
  const pools = {
    anonymous: { reserved: 0, most: forAnonymous, mostOfOne: Math.ceil(forAnonymous * addressShare) },
    identified: { reserved: 0, most: totalBytes - forAnonymous, mostOfOne: Math.ceil(totalBytes * tenantShare) }
  }
  const poolOf = (tenant: BodyTenant) => pools[isAnonymous(tenant) ? "anonymous" : "identified"]
  return {
    reserve: (tenant, bytes) => {
      const pool = poolOf(tenant)
      const before = reserved.get(tenant) ?? 0
      if (pool.reserved + bytes > pool.most || before + bytes > pool.mostOfOne) return false
      reserved.set(tenant, before + bytes)
      pool.reserved += bytes
      return true
    },
    release: (tenant, bytes) => {
      const left = (reserved.get(tenant) ?? 0) - bytes
      if (left > 0) reserved.set(tenant, left)
      else reserved.delete(tenant)
      poolOf(tenant).reserved -= bytes
    },
    paceWindowMillis,
    reservedBytes: () => pools.anonymous.reserved + pools.identified.reserved,
    anonymous: (request) => `address ${clientShare(clientAddress(request, isProxy))}`,
    recordCall: recent.record,
    readingOf: makeBodyReads(arrivals.watch()),
    enqueue: (tenant, bytes, work, refuse, leavesWork = false) => {
      recent.record(tenant)
      let timer: NodeJS.Timeout | undefined
      let startedAt = Number.NEGATIVE_INFINITY
      const leave = (): void => {
        clearTimeout(timer)
        const leastMillis = !leavesWork && recent.isAlone(tenant) ? 0 : (1000 * bytes) / bytesPerSecond
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
