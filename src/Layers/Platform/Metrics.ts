import { Context, Effect, Layer } from "effect"
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { CallObserver } from "../../Services/Core/CallObserver.ts"
import { JobEngine } from "../../Services/Jobs/JobEngine.ts"
import { DatabasePools } from "./Postgres/Database.ts"

/** What `/metrics` shows, in Prometheus' text format. */
export class Metrics extends Context.Tag("Metrics")<
  Metrics,
  {
    readonly contentType: string
    readonly render: Effect.Effect<string>
    /** For gauges of other layers, read when the page is asked for. */
    readonly registry: Registry
  }
>() {}

const make = Effect.gen(function* () {
  const pools = yield* DatabasePools
  const engine = yield* JobEngine
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: "gateway_" })

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
  const readJobCounts = Effect.gen(function* () {
    const counts = yield* engine.jobCounts
    for (const [status, count] of Object.entries(counts.jobs)) jobs.set({ status }, count)
    for (const [state, count] of Object.entries(counts.tasks)) tasks.set({ state }, count)
  }).pipe(
    // A page without these figures is better than none, when the database is what is being looked into.
    Effect.timeout("2 seconds"),
    Effect.ignore
  )

  return Context.make(Metrics, {
    contentType: registry.contentType,
    render: Effect.zipRight(
      readJobCounts,
      Effect.promise(() => registry.metrics())
    ),
    registry
  }).pipe(
    Context.add(CallObserver, {
      called: (tool, outcome, duration) => {
        calls.inc({ tool, outcome })
        seconds.observe({ tool }, duration)
      }
    })
  )
})

/** Counts calls as they end, and renders the counts. */
export const MetricsLive = Layer.effectContext(make)
