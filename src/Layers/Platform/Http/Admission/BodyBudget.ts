import type { IncomingMessage } from "node:http"
import { Context } from "effect"
import { FairSemaphore } from "../../Fairness/FairSemaphore.ts"
import { makeRecentTenants } from "../../Fairness/RecentTenants.ts"
import { drainRoundRobin, RoundRobinQueue } from "../../Fairness/RoundRobinQueue.ts"
import { type BodyReading, makeBodyReads } from "../Bodies/BodyReads.ts"
import { clientAddress, clientShare, type TrustedProxies } from "../ClientAddress.ts"
import { type ConnectionArrivals, makeConnectionArrivals } from "./ConnectionArrivals.ts"

/**
 * The tenant that a body counts for: the account, the key that the request's headers proved, or else the client's
 * address.
 */
export type BodyTenant = number | `key ${string}` | `address ${string}`

/** The share of all bytes that one account or key may reserve. */
const tenantShare = 1 / 4
/** Bytes that all bodies without token and key share. If `anonymousShare` of the budget is less, that is the limit. */
const anonymousBytes = 32 * 1024 * 1024
const anonymousShare = 1 / 8
/** The share of those bytes that one address may reserve. */
const addressShare = 1 / 8
/** A body without token and key is refused if fewer than 1 kB a second arrive in such a period. */
const paceWindowMillis = 5000
export const leastBytesPerSecond = 1024
/** The largest body without token and key, in bytes. */
export const longestAnonymousBody = anonymousBytes * addressShare

export const isAnonymous = (tenant: BodyTenant): boolean => typeof tenant === "string" && tenant.startsWith("address ")
/** Shorter bodies are not queued: reading them takes less time than queueing. */
export const largeBodyBytes = 8 * 1024
/** A tenant works on one large body at a time: two take as long together, and slow others down by half. */
const largeBodies = { slots: 16, perAccount: 1, waiting: 4000, waitingPerAccount: 1000, longestWait: 30_000 }
/**
 * Milliseconds after which a request frees its slot. One that takes longer waits for something other than the
 * processor.
 */
const longestTurnMillis = 250
/**
 * Bytes a second of a tenant's large bodies while other tenants call. A body also costs garbage collection and log
 * writes.
 */
export const bytesPerSecond = 4 * 1024 * 1024
/** The same for bodies that leave work behind: parsing and answering a mail takes longer than receiving it. */
export const mailBytesPerSecond = bytesPerSecond / 2
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
    /** Returns the tenant of a request without token and key. */
    readonly anonymous: (request: IncomingMessage) => BodyTenant
    /** Records a call of the tenant. Large bodies of other tenants are then slowed down. */
    readonly recordCall: (tenant: BodyTenant) => void
    readonly readingOf: (tenant: BodyTenant) => BodyReading
    /**
     * Starts `work` when the tenant's turn comes, or refuses it if too many wait. The caller calls the returned
     * function after the answer. A body that leaves work behind, such as mail, is slowed down even if no other tenant
     * calls yet, because later callers would wait for that work.
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
  // Starts one body per turn of the event loop, so that a small call waits for one large body and not for all.
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
        const isPaced = leavesWork || !recent.isAlone(tenant)
        const leastMillis = isPaced ? (1000 * bytes) / (leavesWork ? mailBytesPerSecond : bytesPerSecond) : 0
        const rest = startedAt + leastMillis - clock.now()
        // Timers have whole milliseconds, so a shorter rest is not waited for.
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
