import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, LogLevel, Schedule, Schema } from "effect"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, table } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"
import type { ServerProcess } from "./support/ServerProcess.ts"

/**
 * Three weeks of outreach over 50 leads on a test account: seconds from the call of `advance_test_clock` until the clock
 * has arrived, and what happened on the way; see README.md.
 */

const leads = Number(process.env["BENCH_LEADS"] ?? 50)
const weeks = 3

const Made = Schema.Struct({ token: Schema.String })
const Clock = Schema.Struct({ now: Schema.String, status: Schema.String, failed_tasks: Schema.Int })
const Lead = Schema.Struct({ lead_id: Schema.Int })
const Emails = Schema.Struct({ outbound_total: Schema.Int })

const callOf =
  ({ url }: ServerProcess, token: string) =>
  <A, I>(tool: string, answer: Schema.Schema<A, I>, args: object = {}, prefix = "/platform/v1") =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${prefix}/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify(args)
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${tool}: ${response.status} ${text}`)
      return text
    }).pipe(Effect.flatMap(Schema.decodeUnknown(Schema.parseJson(answer))))

const seconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(effect, (value) => ({ value, seconds: (performance.now() - began) / 1000 }))
  })

const benchmark = Effect.gen(function* () {
  const database = yield* makeDatabase(yield* startServer, "clock")
  const [live] = yield* seedAccounts(database.client, [{ name: "Bench", leads: 1 }], false)
  if (live === undefined) return yield* Effect.dieMessage("no account was made")
  // The first start compiles the gateway.
  yield* Effect.scoped(startGateway(database))
  const gateway = yield* startGateway(database)
  const start = { name: "Bench", starts_at: "2026-11-30T12:00:00Z" }
  const { token } = yield* callOf(gateway, live.token)("create_test_account", Made, start)
  const call = callOf(gateway, token)
  const firstCall = yield* seconds(call("get_test_clock", Clock))
  const ids: Array<number> = []
  for (let n = 1; n <= leads; n++) {
    const lead = { name: `Ana ${n}`, email: `ana${n}@clinica${n}.example`, company: `Clínica ${n}` }
    ids.push((yield* call("register_lead", Lead, lead, "/rest/v1")).lead_id)
  }

  const arrived = call("get_test_clock", Clock).pipe(
    Effect.filterOrFail(
      ({ status }) => status === "ready",
      () => "not yet" as const
    ),
    Effect.retry({ while: (error) => error === "not yet", schedule: Schedule.spaced("250 millis") })
  )
  const advance = (by: string) => seconds(Effect.zipRight(call("advance_test_clock", Clock, { by }), arrived))
  let total = 0
  const rows: Array<ReadonlyArray<string>> = []
  for (let week = 1; week <= weeks; week++) {
    const advanced = yield* advance("1 week")
    total += advanced.seconds
    rows.push([`week ${week}`, figure(advanced.seconds)])
    if (advanced.value.failed_tasks > 0) return yield* Effect.dieMessage(`${advanced.value.failed_tasks} tasks failed`)
    // Every tenth lead answers after a week.
    if (week > 1) continue
    for (const leadId of ids.filter((_, index) => index % 10 === 0)) {
      const answer = { lead_id: leadId, channel: "email", text: "Quanto custa? Podem me explicar?" }
      yield* call("play_prospect", Schema.Unknown, answer)
    }
  }
  let sent = 0
  for (const leadId of ids) {
    sent += (yield* call("list_lead_emails", Emails, { lead_id: leadId }, "/rest/v1")).outbound_total
  }
  yield* Console.log(
    [
      `${leads} leads, three weeks, ${sent} messages; ${conditions()}`,
      "",
      table(
        ["", "seconds"],
        [["first call, which makes the database", figure(firstCall.seconds)], ...rows, ["all", figure(total)]]
      )
    ].join("\n")
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(
  benchmark.pipe(Effect.provide(Layer.merge(NodeContext.layer, Logger.minimumLogLevel(LogLevel.Warning))))
)
