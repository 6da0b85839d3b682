import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Cause, Clock, Duration, Effect, FiberSet, Random, type Scope } from "effect"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { makeCounter } from "../../../Services/Core/Counter.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { Notifications } from "../../../Services/Events/Notifications.ts"
import { holdAfterFailure, isGivenUp, retryDelay } from "../../../Services/Events/WebhookSchedule.ts"
import type { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeAdaptivePoller, maximumIdle } from "../../Platform/AdaptivePoller.ts"
import { finishWithin } from "../../Platform/Finalizer.ts"
import { DatabasePools } from "../../Platform/Postgres/Database.ts"
import { type DueDelivery, type Leased, makeWebhookQueue, type Outcome } from "../WebhookQueue.ts"
import { type Attempt, attemptDelivery, isGone } from "./Attempt.ts"
import { makeRecorder } from "./Recorder.ts"

export interface DispatcherOptions {
  /** How many subscriptions this process handles at once. One receiver only waits for another if this many are slow. */
  readonly concurrency: number
  /** The polling interval for due deliveries while messages are sent or data is written. */
  readonly poll: Duration.Duration
  /** The longest pause between two polls while nothing is written. Known deliveries are still sent when due. */
  readonly longestPoll: Duration.Duration
  /** The time limit for a receiver's answer. */
  readonly timeout: Duration.Duration
  /** The time limit for running deliveries when the process stops. */
  readonly stop: Duration.Duration
  /** Returns whether the next deliveries to a subscription are traced. */
  readonly isSampled: () => boolean
}

const defaults: DispatcherOptions = {
  concurrency: 256,
  poll: Duration.millis(200),
  longestPoll: maximumIdle,
  timeout: Duration.seconds(15),
  stop: Duration.seconds(5),
  isSampled: () => true
}

export const webhookAttempts = makeCounter({
  name: "gateway_webhook_attempts_total",
  help: "Attempts to deliver a webhook by what came of them (delivered, put_off to a later attempt, failed for good).",
  label: "outcome",
  known: ["delivered", "put_off", "failed"]
})

/**
 * How long fetched deliveries are sent. The remaining ones are then fetched again, so that a ping can be sent in
 * between.
 */
const turn = Duration.seconds(5)

/** Extra lease time for recording a turn's last attempt. After a crash, a lease ends within 28 seconds. */
const margin = Duration.seconds(8)

/** Reads a clock that is never set back. */
const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))

interface Progress {
  readonly due: DueDelivery
  /** Consecutive failed attempts before this one. */
  readonly failures: number
  readonly attempt: Attempt
  readonly isLast: boolean
}

/** True if the receiver wants no more deliveries. The answer to a replay does not change the subscription. */
const endsSubscription = (due: DueDelivery, attempt: Attempt): boolean => isGone(attempt) && !due.isReplay

/** Decides the consequences of an attempt. */
const outcomeOf = Effect.fnUntraced(function* ({ attempt, due, failures, isLast }: Progress) {
  const hasFailed = attempt.failureReason !== null
  // A ping is tried once. Nothing is retried if the receiver is gone.
  const isFinal = !hasFailed || due.eventType === "ping" || isGone(attempt)
  const retryIn = isFinal ? undefined : retryDelay(due.scheduleStep + 1, attempt.retryAfter, yield* Random.next)
  const outcome: Outcome = {
    ...attempt,
    due,
    status: !hasFailed ? "delivered" : retryIn === undefined ? "failed" : "pending",
    retryIn,
    holdFor: hasFailed && !due.isReplay ? holdAfterFailure(failures + 1, attempt.retryAfter, yield* Random.next) : 0,
    // After a failure, later events may be sent first, but only once it is known whether to pause the receiver. If the
    // receiver is gone, the lease stays until the subscription is disabled.
    endsLease: (isLast || hasFailed) && !endsSubscription(due, attempt)
  }
  return outcome
})

const make = (options: DispatcherOptions) =>
  Effect.gen(function* () {
    const queue = yield* makeWebhookQueue
    const record = yield* makeRecorder(queue)
    const leaseSeconds = Duration.toSeconds(Duration.sum(Duration.sum(turn, options.timeout), margin))
    const turnMillis = Duration.toMillis(turn)
    const marginMillis = Duration.toMillis(margin)
    const { activity } = yield* DatabasePools
    const lookout = yield* makeAdaptivePoller(activity, { shortest: options.poll, longest: options.longestPoll })
    const drains = yield* FiberSet.make<void>()
    let isStopping = false

    /** Sends one subscription's fetched deliveries in sequence. */
    const drain = Effect.fnUntraced(function* (deliveries: ReadonlyArray<DueDelivery>, leasedAt: number) {
      const age = Effect.map(monotonicMillis, (now) => now - leasedAt)
      let failures = deliveries[0]?.consecutiveFailures ?? 0
      for (const [index, due] of deliveries.entries()) {
        // If recording took so long that another attempt could outlast the lease, the lease is left to expire.
        if ((yield* age) > turnMillis + marginMillis) return
        const attempt = yield* attemptDelivery(due, options.timeout)
        const isLast = index === deliveries.length - 1 || (yield* age) > turnMillis || isStopping
        const outcome = yield* outcomeOf({ attempt, due, failures, isLast })
        // The outcome is recorded even if the process stops in between.
        const recorded = yield* Effect.uninterruptible(record(outcome))
        yield* webhookAttempts.count(outcome.status === "pending" ? "put_off" : outcome.status)
        failures = recorded.consecutiveFailures
        if (endsSubscription(due, attempt)) {
          yield* queue.disable(due, "gone")
          return yield* queue.release([due])
        }
        if (!due.isReplay && isGivenUp(failures, recorded.failingForSeconds)) yield* queue.disable(due, "failing")
        if (outcome.endsLease || !recorded.isCurrent) return
      }
    })

    const serve = (
      leased: Leased,
      deliveries: ReadonlyArray<DueDelivery>,
      leasedAt: number
    ): Effect.Effect<void, never, OutboundHttp> =>
      Effect.interruptible(drain(deliveries, leasedAt)).pipe(
        Effect.onInterrupt(() => finishWithin("2 seconds")(queue.release([leased]))),
        // A delivery that was sent but not recorded is sent again after the lease ends.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.void
            : Effect.annotateLogs(Effect.logWarning("webhook deliveries broke off"), {
                subscription_id: leased.subscriptionId,
                cause: describeCause(cause)
              })
        ),
        Effect.ensuring(Effect.sync(lookout.wake)),
        Effect.withTracerEnabled(options.isSampled())
      )

    /** Starts work on due subscriptions, up to the concurrency limit. */
    const look = Effect.gen(function* () {
      const free = options.concurrency - (yield* FiberSet.size(drains))
      // All workers are busy. One that finishes polls again.
      if (free <= 0) return { found: false }
      const leasedAt = yield* monotonicMillis
      const leased = yield* queue.lease(free, leaseSeconds)
      if (leased.length === 0) return { found: false, dueIn: yield* queue.nextDueMillis }
      const due = Array.groupBy(yield* queue.fetch(leased), ({ subscriptionId }) => `${subscriptionId}`)
      const [empty, busy] = Array.partition(leased, ({ subscriptionId }) => due[`${subscriptionId}`] !== undefined)
      yield* queue.release(empty)
      for (const one of busy) {
        yield* FiberSet.run(drains, serve(one, due[`${one.subscriptionId}`] ?? [], leasedAt))
      }
      return { found: true }
    }).pipe(Effect.withTracerEnabled(false), Effect.uninterruptible)

    const afterTrouble = (cause: string) =>
      Effect.annotateLogs(Effect.logWarning("due webhooks cannot be looked for"), "cause", cause).pipe(
        Effect.zipRight(Effect.sleep("1 second")),
        Effect.as({ found: true })
      )

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        isStopping = true
        return finishWithin(options.stop)(FiberSet.awaitEmpty(drains))
      })
    )
    yield* Effect.forkScoped(lookout.poll(Effect.catchAllCause(look, (cause) => afterTrouble(describeCause(cause)))))
  })

/**
 * Delivers webhooks while its scope is open. Several processes may do so at the same time. Deliveries of one
 * subscription are sent in the order of the events as long as they succeed. Different subscriptions are served in
 * parallel.
 */
export const dispatchWebhooks = (
  options: Partial<DispatcherOptions> = {}
): Effect.Effect<void, never, SqlClient | DatabasePools | UnitOfWork | Notifications | OutboundHttp | Scope.Scope> =>
  make({ ...defaults, ...options })
