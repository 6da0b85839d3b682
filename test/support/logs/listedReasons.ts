import { Metric, MetricState } from "effect"
import { afterEach } from "vitest"

/** How often an answer had a reason that its tool does not list, by `tool type reason`. */
const unlistedAnswers = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { metricKey, metricState } of Metric.unsafeSnapshot()) {
    if (metricKey.name !== "gateway_unlisted_reasons_total" || !MetricState.isCounterState(metricState)) continue
    const labels = new Map(metricKey.tags.map(({ key, value }) => [key, value]))
    counts.set(["tool", "type", "reason"].map((name) => labels.get(name)).join(" "), Number(metricState.count))
  }
  return counts
}

/** Test files share a process, and so its counters. */
let before = unlistedAnswers()

afterEach(() => {
  const after = unlistedAnswers()
  const risen = [...after].filter(([answer, count]) => count > (before.get(answer) ?? 0)).map(([answer]) => answer)
  before = after
  if (risen.length > 0) {
    throw new Error(`Answered with a reason that the tool's \`errors\` do not list: ${risen.join("; ")}`)
  }
})
