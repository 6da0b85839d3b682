import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Limit, RateLimits } from "../../../Services/Outbound/RateLimits.ts"
import { type ProviderAnswer, ProviderFailure } from "./ProviderFailure.ts"
import type { ProviderRequest } from "./ProviderRequest.ts"

/** The requests that a provider allows an account. */
export interface ProviderQuota<E, R> {
  /** Waits until the request may be sent. Fails as `rate_limited` if that would take too long. */
  readonly wait: (request: ProviderRequest) => Effect.Effect<void, ProviderFailure | E, R>
  /** Updates the quota from the provider's answer. */
  readonly learn: (
    request: ProviderRequest,
    answer: ProviderAnswer,
    failure: ProviderFailure | undefined
  ) => Effect.Effect<void, E, R>
}

/** One of a provider's limits, and how its answers report on it. */
export interface ProviderLimit extends Limit {
  /** The header with the number of remaining calls. */
  readonly leftHeader?: string
  /** True if the failure means that this limit is exhausted. By default, every `rate_limited` does. */
  readonly isExhaustedBy?: (failure: ProviderFailure) => boolean
}

const isRateLimited = ({ kind }: ProviderFailure): boolean => kind === "rate_limited"

const numberIn = (header: string | undefined): number | undefined => {
  const number = Number(header ?? "")
  return header === undefined || header === "" || !Number.isFinite(number) ? undefined : number
}

/** Updates the shared limits from what the provider's answer reports. */
export const learnLimits = (
  rates: Pick<RateLimits["Type"], "correct">,
  {
    limits,
    restSeconds,
    service
  }: Pick<SharedQuota, "service" | "restSeconds"> & { limits: ReadonlyArray<ProviderLimit> },
  answer: ProviderAnswer,
  failure: ProviderFailure | undefined
): Effect.Effect<void, Transient, Caller> =>
  Effect.forEach(
    limits,
    ({ bucket, isExhaustedBy = isRateLimited, leftHeader }) => {
      if (failure !== undefined && isExhaustedBy(failure)) {
        return rates.correct(service, bucket, { emptyForSeconds: failure.retryAfterSeconds ?? restSeconds })
      }
      const left = leftHeader === undefined ? undefined : numberIn(answer.headers[leftHeader])
      return left !== undefined && left >= 0 ? rates.correct(service, bucket, { left }) : Effect.void
    },
    { discard: true }
  )

interface SharedQuota {
  /** The name under which the limits are stored. */
  readonly service: string
  /** The limits of a request. It counts against all of them. */
  readonly limits: (request: ProviderRequest) => ReadonlyArray<ProviderLimit>
  readonly longestWaitSeconds: number
  /** The pause in seconds after a `rate_limited` without a `Retry-After`. */
  readonly restSeconds: number
  /** True if a person waits for the calls. They then take precedence over background work. */
  readonly isWaitedFor: boolean
}

/** The calling account's quota, which all gateway processes share through the database. */
export const sharedQuota = (
  rates: Pick<RateLimits["Type"], "take" | "correct">,
  { isWaitedFor, limits, longestWaitSeconds, restSeconds, service }: SharedQuota
): ProviderQuota<Transient, Caller> => {
  const waitFor = ({ allowance, bucket, largestCost = 1 }: ProviderLimit, cost: number) =>
    Effect.gen(function* () {
      const use = { service, bucket, allowance, cost: Math.min(cost, largestCost), largestCost, isWaitedFor }
      let waitedSeconds = 0
      while (true) {
        const seconds = yield* rates.take(use)
        if (seconds === 0) return
        if (waitedSeconds + seconds > longestWaitSeconds) {
          return yield* new ProviderFailure({
            provider: service,
            kind: "rate_limited",
            code: "quota_exhausted",
            retryAfterMillis: seconds * 1000
          })
        }
        waitedSeconds += seconds
        yield* Effect.sleep(seconds * 1000)
      }
    })

  return {
    wait: (request) => Effect.forEach(limits(request), (limit) => waitFor(limit, request.cost ?? 1), { discard: true }),
    learn: (request, answer, failure) =>
      learnLimits(rates, { service, restSeconds, limits: limits(request) }, answer, failure)
  }
}
