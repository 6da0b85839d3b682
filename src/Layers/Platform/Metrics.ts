import { Clock, Context, Effect, Layer, Metric, MetricState } from "effect"
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { CallObserver } from "../../Services/Core/Calls/CallObserver.ts"
import { OutsideHealth } from "../../Services/Core/Outside/OutsideHealth.ts"
import { daysUntil, ProviderModels } from "../../Services/Core/Outside/ProviderModels.ts"
import { toMillis } from "../../Services/Core/Timestamp.ts"
import { JobEngine } from "../../Services/Jobs/JobEngine.ts"
import { vendors } from "../../Services/Outbound/Vendors/AllVendors.ts"
import { endingVersions } from "../../Services/Outbound/Vendors/Vendor.ts"
import type { Figure } from "./Figures.ts"
import { DatabasePools } from "./Postgres/Database.ts"

const secondsPerDay = 86_400

/** The content of `/metrics`, in Prometheus' text format. */
export class Metrics extends Context.Tag("Metrics")<
  Metrics,
  {
    readonly contentType: string
    readonly render: Effect.Effect<string>
    /** The registry to which other layers add gauges. They are read when the page is requested. */
    readonly registry: Registry
  }
>() {}

const testAccountsTag = "of_test_accounts"

/** What an effect counts is left out of `/metrics`: an operator's figures are those of live accounts. */
export const ofTestAccounts = Effect.tagMetrics(testAccountsTag, "yes")

/** The library names these gauges totals, but each is the sum of another gauge. They are left out. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"]

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

/** Returns the counters of the rooms in Prometheus' text format. */
const counters = Effect.map(Metric.snapshot, (pairs) => {
  const pages = new Map<string, Array<string>>()
  for (const { metricKey, metricState } of pairs) {
    const { name } = metricKey
    if (!name.startsWith("gateway_") || !MetricState.isCounterState(metricState)) continue
    if (metricKey.tags.some(({ key }) => key === testAccountsTag)) continue
    const help = metricKey.description._tag === "Some" ? metricKey.description.value : name
    const lines = pages.get(name) ?? [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} counter`]
    const labels = metricKey.tags.map(({ key, value }) => `${key}="${escaped(value).replaceAll('"', '\\"')}"`)
    pages.set(name, [...lines, `${name}{${labels.join(",")}} ${metricState.count}`])
  }
  return [...pages.values()].map((lines) => `${lines.join("\n")}\n`).join("\n")
})

/** Counts calls and measures their time. */
const callMetrics = (registry: Registry): CallObserver["Type"] => {
  const calls = new Counter({
    name: "gateway_tool_calls_total",
    help: "Finished tool calls by tool and outcome (Success, an error type, Defect).",
    labelNames: ["tool", "outcome"],
    registers: [registry]
  })
  const seconds = new Histogram({
    name: "gateway_tool_call_seconds",
    help: "Time from the decoded request to the handler's answer.",
    labelNames: ["tool"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry]
  })
  return {
    called: (tool, outcome, duration) => {
      calls.inc({ tool, outcome })
      seconds.observe({ tool }, duration)
    }
  }
}

const registerPoolSessions = (registry: Registry, pools: DatabasePools["Type"]): void => {
  new Gauge({
    name: "gateway_database_pool_sessions",
    help: "Database sessions by pool (read, write, quick) and state; waiting counts calls that wait for one.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const name of ["read", "write", "quick"] as const) {
        const pool = pools[name]
        this.set({ pool: name, state: "idle" }, pool.idleCount)
        this.set({ pool: name, state: "busy" }, pool.totalCount - pool.idleCount)
        const inTurn = name === "quick" ? 0 : pools.turns[name].waiting
        this.set({ pool: name, state: "waiting" }, pool.waitingCount + inTurn)
      }
    }
  })
}

const jobMetrics = (registry: Registry, engine: JobEngine["Type"]) => {
  const jobs = new Gauge({
    name: "gateway_background_jobs",
    help: "Background jobs of all accounts by status.",
    labelNames: ["status"],
    registers: [registry]
  })
  const tasks = new Gauge({
    name: "gateway_tasks",
    help: "Internal tasks by state; failed ones are out of attempts.",
    labelNames: ["state"],
    registers: [registry]
  })
  const oldestTask = new Gauge({
    name: "gateway_oldest_due_task_age_seconds",
    help: "How long the task has been due that waits longest for a worker; 0 where none waits.",
    registers: [registry]
  })
  return Effect.gen(function* () {
    const counts = yield* engine.jobCounts
    oldestTask.set(counts.oldestDueSeconds)
    for (const [status, count] of Object.entries(counts.jobs)) jobs.set({ status }, count)
    for (const [state, count] of Object.entries(counts.tasks)) tasks.set({ state }, count)
  }).pipe(
    // An operator needs the page most when the database is down, so it is shown without these figures.
    Effect.timeout("2 seconds"),
    Effect.ignore
  )
}

const figureMetrics = (registry: Registry, figures: ReadonlyArray<Figure>) =>
  figures.map(({ help, name, read }) => {
    const gauge = new Gauge({ name, help, registers: [registry] })
    return Effect.timeout(read, "2 seconds").pipe(
      Effect.matchCause({ onFailure: () => gauge.remove(), onSuccess: (value) => gauge.set(value) })
    )
  })

const registerVendorVersions = (registry: Registry): void => {
  const vendorVersionEnd = new Gauge({
    name: "gateway_vendor_version_end_timestamp_seconds",
    help: "When a version of a vendor's interface ends, in seconds since 1970; versions without an end are left out.",
    labelNames: ["vendor", "interface", "version"],
    registers: [registry]
  })
  for (const { ends_on, interface: name, vendor, version } of endingVersions(vendors, 0)) {
    vendorVersionEnd.set({ vendor, interface: name, version }, Date.parse(ends_on) / 1000)
  }
}

const connectionMetrics = (registry: Registry) => {
  const connectionUp = new Gauge({
    name: "gateway_outside_connection_up",
    help: "Whether a connection of this process to an outside service worked when it was used last; untried ones are left out.",
    labelNames: ["connection"],
    registers: [registry]
  })
  const connectionSince = new Gauge({
    name: "gateway_outside_connection_since_timestamp_seconds",
    help: "When a connection came up or went down, in seconds since 1970.",
    labelNames: ["connection"],
    registers: [registry]
  })
  return Effect.gen(function* () {
    for (const [connection, { since, status }] of Object.entries(yield* (yield* OutsideHealth).states)) {
      if (since === null) continue
      connectionUp.set({ connection }, status === "up" ? 1 : 0)
      connectionSince.set({ connection }, toMillis(since) / 1000)
    }
  })
}

const modelMetrics = (registry: Registry) => {
  const modelTimeLeft = new Gauge({
    name: "gateway_model_left_seconds",
    help: "Seconds until a provider shuts down a model that the settings name; 0 if it is gone. Left out where none is announced.",
    labelNames: ["service", "model"],
    registers: [registry]
  })
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    modelTimeLeft.reset()
    for (const { model, service, shutdown_date, status } of yield* (yield* ProviderModels).states) {
      if (status === "gone") modelTimeLeft.set({ service, model }, 0)
      if (shutdown_date !== null) modelTimeLeft.set({ service, model }, daysUntil(shutdown_date, now) * secondsPerDay)
    }
  })
}

const make = Effect.fnUntraced(function* (figures: ReadonlyArray<Figure>) {
  const registry = new Registry()
  // The library's default of ten milliseconds wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, prefix: "gateway_", eventLoopMonitoringPrecision: 50 })
  for (const name of misnamed) registry.removeSingleMetric(`gateway_${name}`)
  registerPoolSessions(registry, yield* DatabasePools)
  registerVendorVersions(registry)
  const refresh = [
    jobMetrics(registry, yield* JobEngine),
    connectionMetrics(registry),
    modelMetrics(registry),
    ...figureMetrics(registry, figures)
  ]
  return Context.make(Metrics, {
    contentType: registry.contentType,
    render: Effect.gen(function* () {
      yield* Effect.all(refresh, { concurrency: "unbounded", discard: true })
      const page = yield* Effect.promise(() => registry.metrics())
      return `${page}\n${yield* counters}`
    }),
    registry
  }).pipe(Context.add(CallObserver, callMetrics(registry)))
})

/** Counts calls as they end, and renders the counts and the figures of the rooms. */
export const metricsLayer = <R>(figures: Effect.Effect<ReadonlyArray<Figure>, never, R>) =>
  Layer.effectContext(Effect.flatMap(figures, make))
