import { Effect, Metric, MetricState } from "effect"

/** How often this process counted a label of a counter. */
export const counted = (name: string, label: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    pairs.reduce(
      (sum, { metricKey, metricState }) =>
        metricKey.name === name &&
        metricKey.tags.some(({ value }) => value === label) &&
        MetricState.isCounterState(metricState)
          ? sum + Number(metricState.count)
          : sum,
      0
    )
  )

/** How often it is counted while an effect runs. */
export const countedBy = <A, E, R>(name: string, label: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* counted(name, label)
    yield* effect
    return (yield* counted(name, label)) - before
  })
