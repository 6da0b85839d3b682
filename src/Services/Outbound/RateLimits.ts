import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"

/** The limit of a service: an amount in any period of this many seconds. */
export interface Allowance {
  readonly amount: number
  readonly seconds: number
}

/** A bucket that holds at most `capacity` and fills by `perSecond`. */
export interface Bucket {
  readonly capacity: number
  readonly perSecond: number
  /** The part of the allowance that is reserved for calls that a person waits for. */
  readonly reserve: number
}

/** The share of an allowance that is used in the long run. The rest allows for clock differences and late calls. */
const usedShare = 0.965

/**
 * The bucket that never gives more than `allowance` in any stretch of its length, and in the long run 95 % of it: what
 * can be taken at once and what flows in during the stretch make no more whole uses than the amount.
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
  /** Names the allowance: a service may have several. */
  readonly bucket: string
  readonly allowance: Allowance
  readonly cost: number
  /** The most that one use costs. */
  readonly largestCost: number
  readonly isWaitedFor: boolean
}

/** An allowance of a service. */
export interface Limit {
  readonly bucket: string
  readonly allowance: Allowance
  /** The highest cost of a single use, if uses cost differently. Otherwise every use costs 1. */
  readonly largestCost?: number
}

/** Several uses in order. Each counts towards all the limits. */
export interface Uses {
  readonly service: string
  readonly limits: ReadonlyArray<Limit>
  /** The cost of each use, for limits that count costs. */
  readonly costs: ReadonlyArray<number>
  readonly isWaitedFor: boolean
}

export interface Turns {
  /** So many of the first may go on. */
  readonly granted: number
  /** After how many seconds the next of them may ask again, and for which limit it waits. */
  readonly seconds: number
  readonly limit: Limit | undefined
}

/** The rate limits of the accounts' services, shared by all processes. One account's use never slows another's. */
export class RateLimits extends Context.Tag("RateLimits")<
  RateLimits,
  {
    /** Takes the cost out of the bucket and answers 0, or takes nothing and answers after how many seconds to ask again. */
    readonly take: (use: Use) => Effect.Effect<number, Transient, Caller>
    /** The same for several uses at once: as many as there is enough for take their cost out of all the buckets. */
    readonly takeMany: (uses: Uses) => Effect.Effect<Turns, Transient, Caller>
    /** The amount that is left for background work. */
    readonly left: (service: string, limit: Limit) => Effect.Effect<number, Transient, Caller>
    /**
     * Corrects the count from the service's own report: nothing is left for some seconds, or a given amount is left
     * now.
     */
    readonly correct: (
      service: string,
      bucket: string,
      report: { readonly emptyForSeconds: number } | { readonly left: number }
    ) => Effect.Effect<void, Transient, Caller>
    /** After how many seconds any use of the service may go on; 0 where it may now. */
    readonly blockedFor: (service: string) => Effect.Effect<number, Transient, Caller>
  }
>() {}
