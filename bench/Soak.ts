import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Option } from "effect"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { callsUnderTest } from "./support/CallsUnderTest.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import { conditions, figure, median, table } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"

/** Minutes of mixed calls on one gateway: its memory and handles at the end compared with those after the warm-up. */

const connections = 10
/**
 * The allowed growth of the last quarter over the second and over the third: memory as a share, handles as a number.
 */
const growth = { memory: [0.1, 0.03], handles: [10, 10] } as const

interface Sample {
  readonly memoryMegabytes: number
  readonly handles: number
  readonly stopMillis: number
}

const figures = (url: string) =>
  Effect.promise(async (): Promise<Sample> => {
    const page = await (await fetch(`${url}/metrics`)).text()
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1] ?? Number.NaN)
    return {
      memoryMegabytes: value("gateway_process_resident_memory_bytes") / 1024 ** 2,
      handles: value("gateway_process_open_fds"),
      stopMillis: 1000 * value("gateway_nodejs_eventloop_lag_max_seconds")
    }
  })

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const minutes = yield* Config.withDefault(positive("BENCH_MINUTES"), 8)
  const database = yield* makeDatabase(yield* startServer, "soak")
  const leads = Option.getOrElse(settings.leads, () => 20_000)
  const [account] = yield* seedAccounts(database.client, [{ name: "Soak", leads }])
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const gateway = yield* startGateway(database)
  const load = yield* startLoad()
  const samples: Array<Sample> = []
  let answers = 0
  const failures: Record<string, number> = {}
  const rounds = Math.max(8, Math.round((minutes * 60) / settings.seconds))
  for (let round = 0; round < rounds; round++) {
    const call = callsUnderTest[round % callsUnderTest.length]
    if (call === undefined) continue
    const result = yield* load({
      url: gateway.url,
      token: account.token,
      call: call.name,
      connections,
      seconds: settings.seconds,
      run: { id: `s${round}`, firstLeadId: account.firstLeadId, leads }
    })
    answers += result.answers
    for (const [reason, count] of Object.entries(result.reasons)) failures[reason] = (failures[reason] ?? 0) + count
    const sample = yield* figures(gateway.url)
    samples.push(sample)
    if (round % 10 === 9)
      yield* Console.error(
        `${round + 1} of ${rounds} rounds: ${answers} answers, ${figure(sample.memoryMegabytes)} MB, ${sample.handles} handles`
      )
  }
  const quarter = (n: number, field: keyof Sample): number =>
    median(samples.slice(Math.floor((rounds * n) / 4), Math.floor((rounds * (n + 1)) / 4)).map((one) => one[field]))
  const fields = [
    ["memory, MB", "memoryMegabytes"],
    ["handles", "handles"],
    ["longest stop of the event loop, ms", "stopMillis"]
  ] as const
  const isFlat = ([1, 2] as const).every(
    (before, at) =>
      quarter(3, "memoryMegabytes") <= quarter(before, "memoryMegabytes") * (1 + (growth.memory[at] ?? 0)) &&
      quarter(3, "handles") <= quarter(before, "handles") + (growth.handles[at] ?? 0)
  )
  const isWhole = Object.keys(failures).length === 0
  yield* Console.log(
    `${conditions()}\n${minutes} minutes, ${answers} answers, failures: ${JSON.stringify(failures)}\n\n${table(
      ["median of a quarter", "first", "second", "third", "last"],
      fields.map(([name, field]) => [name, ...[0, 1, 2, 3].map((n) => figure(quarter(n, field)))])
    )}\n\n${isFlat ? "flat" : "NOT flat"}, ${isWhole ? "no failures" : "with FAILURES"}`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
