import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Cause, Clock, Duration, Effect, FiberSet, Random, type Scope } from "effect"
import { makeCounter } from "../../../Services/Core/Counter.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import type { UnitOfWork } from "../../../Services/Core/UnitOfWork.ts"
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
  /** Subscriptions served at a time by this process: as many receivers may be slow before one waits for another. */
  readonly concurrency: number
  /** How often due deliveries are looked for while something is sent or written. */
  readonly poll: Duration.Duration
  /** And once nobody has written anything for a while: then only what is known comes due. */
  readonly longestPoll: Duration.Duration
  /** Within which a receiver has to answer. */
  readonly timeout: Duration.Duration
  /** How long deliveries under way may take to end when the process stops. */
  readonly stop: Duration.Duration
  /** Whether the next deliveries to a subscription are traced. */
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

/** What was fetched is sent for so long; then the rest is fetched anew, which lets a ping in between. */
const turn = Duration.seconds(5)

/** For recording the last attempt of a turn. After a crash a lease ends within 28 seconds. */
const margin = Duration.seconds(8)

/** A clock that nobody sets. */
const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000_000n))

interface Progress {
  readonly due: DueDelivery
  /** Failed attempts of the subscription just before this one. */
  readonly failures: number
  readonly attempt: Attempt
  readonly isLast: boolean
}

/** What follows from an attempt. */
const outcomeOf = Effect.fnUntraced(function* ({ attempt, due, failures, isLast }: Progress) {
  const hasFailed = attempt.failureReason !== null
  // A ping is tried once, and nothing is tried again where the receiver is gone.
  const isFinal = !hasFailed || due.eventType === "ping" || isGone(attempt)
  const retryIn = isFinal ? undefined : retryDelay(due.scheduleStep + 1, attempt.retryAfter, yield* Random.next)
  const outcome: Outcome = {
    ...attempt,
    due,
    status: !hasFailed ? "delivered" : retryIn === undefined ? "failed" : "pending",
    retryIn,
    holdFor: hasFailed ? holdAfterFailure(failures + 1, attempt.retryAfter, yield* Random.next) : 0,
    // After a failure later events may pass, but only when it is known whether the receiver is to be left alone. Where it
    // is gone, nobody else may send before the subscription is disabled.
    endsLease: (isLast || hasFailed) && !isGone(attempt)
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

    /** Sends what was fetched for one subscription, one after another. */
    const drain = Effect.fnUntraced(function* (deliveries: ReadonlyArray<DueDelivery>, leasedAt: number) {
      const age = Effect.map(monotonicMillis, (now) => now - leasedAt)
      let failures = deliveries[0]?.consecutiveFailures ?? 0
      for (const [index, due] of deliveries.entries()) {
        // Where recording took so long that an attempt could outlast the lease, this one is left to end by itself.
        if ((yield* age) > turnMillis + marginMillis) return
        const attempt = yield* attemptDelivery(due, options.timeout)
        const isLast = index === deliveries.length - 1 || (yield* age) > turnMillis || isStopping
        const outcome = yield* outcomeOf({ attempt, due, failures, isLast })
        // What was done is written down, even when the process stops meanwhile.
        const recorded = yield* Effect.uninterruptible(record(outcome))
        yield* webhookAttempts.count(outcome.status === "pending" ? "put_off" : outcome.status)
        failures = recorded.consecutiveFailures
        if (isGone(attempt)) {
          yield* queue.disable(due, "gone")
          return yield* queue.release([due])
        }
        if (isGivenUp(failures, recorded.failingForSeconds)) yield* queue.disable(due, "failing")
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
        // What was sent and could not be recorded is sent again when the lease has ended.
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

    /** Takes on what is due, as far as there are hands free. */
    const look = Effect.gen(function* () {
      const free = options.concurrency - (yield* FiberSet.size(drains))
      // Whoever ends looks again.
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
 * Delivers webhooks while its scope is open, beside any number of other processes. One subscription's deliveries go out
 * one after another in the order of the events, as long as they succeed; different subscriptions' side by side.
 */
export const dispatchWebhooks = (
  options: Partial<DispatcherOptions> = {}
): Effect.Effect<void, never, SqlClient | DatabasePools | UnitOfWork | Notifications | OutboundHttp | Scope.Scope> =>
  make({ ...defaults, ...options })
