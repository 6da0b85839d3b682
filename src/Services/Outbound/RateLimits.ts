import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

/** A rate limit of a service: an amount per period of this many seconds. */
export interface Allowance {
  readonly amount: number
  readonly seconds: number
}

/** A token bucket that holds at most `capacity` and refills by `perSecond`. */
export interface Bucket {
  readonly capacity: number
  readonly perSecond: number
  /** The part of the allowance that is reserved for calls that a person waits for. */
  readonly reserve: number
}

/** The share of the limit that is used on average. The rest allows for clock differences and late calls. */
const usedShare = 0.965

/**
 * The bucket that never exceeds `allowance` in any period of its length. Its capacity and the refill during one period
 * together stay within the amount. On average, 95 % of the limit is used.
 */
export const bucketOf = ({ amount, seconds }: Allowance, largestCost = 1): Bucket => {
  const capacity = Math.min(amount, Math.max(largestCost, Math.floor(amount * (1 - usedShare))))
  const inStretch = largestCost === 1 ? amount * usedShare : Math.max(amount - capacity, amount * 0.05)
  const perSecond = Math.min(inStretch, amount * usedShare) / seconds
  return {
    capacity,
    perSecond,
    reserve: Math.max(0, Math.min(capacity - largestCost, Math.max(largestCost, Math.floor(capacity / 4))))
  }
}

export interface Use {
  readonly service: string
  /** The name of the limit. A service may have several. */
  readonly bucket: string
  readonly allowance: Allowance
  readonly cost: number
  /** The highest cost of a single use. */
  readonly largestCost: number
  readonly isWaitedFor: boolean
}

/** A rate limit of a service. */
export interface Limit {
  readonly bucket: string
  readonly allowance: Allowance
  /** The highest cost of a single use, if uses cost differently. Otherwise every use costs 1. */
  readonly largestCost?: number
}

/** Several uses in order. Each counts towards all limits. */
export interface Uses {
  readonly service: string
  readonly limits: ReadonlyArray<Limit>
  /** The cost of each use, for limits that count costs. */
  readonly costs: ReadonlyArray<number>
  readonly isWaitedFor: boolean
}

export interface Turns {
  /** The number of uses that may start, counted from the first. */
  readonly granted: number
  /** Seconds until the next use may be requested, and the limit that it waits for. */
  readonly seconds: number
  readonly limit: Limit | undefined
}

/**
 * Rate limits of external services, per account and shared by all processes. One account's use never slows down
 * another's.
 */
export class RateLimits extends Context.Tag("RateLimits")<
  RateLimits,
  {
    /**
     * Takes the cost from the bucket and returns 0. If there is too little, takes nothing and returns the seconds until
     * a retry.
     */
    readonly take: (use: Use) => Effect.Effect<number, Transient, Caller>
    /** Like `take`, for several uses. Takes the cost of as many uses as all the buckets allow. */
    readonly takeMany: (uses: Uses) => Effect.Effect<Turns, Transient, Caller>
    /** The amount that is left for background work. */
    readonly left: (service: string, limit: Limit) => Effect.Effect<number, Transient, Caller>
    /**
     * Corrects the count from the service's own report: nothing is left for some seconds, or a given amount is left.
     */
    readonly correct: (
      service: string,
      bucket: string,
      report: { readonly emptyForSeconds: number } | { readonly left: number }
    ) => Effect.Effect<void, Transient, Caller>
    /** Seconds until any use of the service may start. 0 if one may start now. */
    readonly blockedFor: (service: string) => Effect.Effect<number, Transient, Caller>
  }
>() {}
