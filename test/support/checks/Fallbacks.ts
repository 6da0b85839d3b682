import { assert } from "@effect/vitest"
import { Effect, Metric, MetricState } from "effect"

/** How many batches of this process failed and were retried in halves. */
export const fallbacks = Effect.map(Metric.snapshot, (pairs) =>
  pairs.reduce(
    (sum, { metricKey, metricState }) =>
      metricKey.name === "gateway_grouped_fallback_total" && MetricState.isCounterState(metricState)
        ? sum + Number(metricState.count)
        : sum,
    0
  )
)

/** Fails if a batch fails in the effect. The halves may succeed, which would hide an error in the batch's SQL. */
export const withoutFallbacks = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* fallbacks
    const result = yield* effect
    assert.strictEqual((yield* fallbacks) - before, 0, "batches that failed")
    return result
  })
