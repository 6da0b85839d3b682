import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Option } from "effect"
import { makeDatabase, startServer } from "../support/BenchDatabase.ts"
import { benchSettings } from "../support/BenchSettings.ts"
import { startGateway } from "../support/Gateway.ts"
import { startLoad } from "../support/Load.ts"
import { type Protocol, protocols } from "../support/Protocols.ts"
import { conditions, figure, median, table, writeResults } from "../support/Report.ts"
import { seedAccounts } from "../support/SampleLeads.ts"
import { processorMicros } from "../support/ServerProcess.ts"

/** Calls by both revisions of the Model Context Protocol and the same calls by REST, interleaved on one gateway. */

const allCalls = ["whoami", "get_lead", "search_leads, all"]

interface Measurement {
  readonly call: string
  readonly protocol: Protocol
  readonly requestsPerSecond: number
  readonly cpuMicros: number
}

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const postgres = yield* startServer
  const database = yield* makeDatabase(postgres, "bench")
  const leads = Option.getOrElse(settings.leads, () => 10_000)
  const [account] = yield* seedAccounts(database.client, [{ name: "Bench", leads }])
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const gateway = yield* startGateway(database)
  const load = yield* startLoad()
  const started = conditions()
  const measurements: Array<Measurement> = []
  const isWanted = (call: string, protocol: Protocol) => `${call}, ${protocol}`.includes(settings.only)
  const calls = allCalls.filter((call) => protocols.some((protocol) => isWanted(call, protocol)))
  const wantedOf = (call: string) => protocols.filter((protocol) => isWanted(call, protocol))

  const apply = (call: string, protocol: Protocol, seconds: number) =>
    load({
      url: gateway.url,
      token: account.token,
      call,
      connections: 50,
      seconds,
      protocol,
      run: { id: "mcp", firstLeadId: account.firstLeadId, leads }
    })

  for (const call of calls) {
    const expectedAnswer = wantedOf(call)
    for (const protocol of expectedAnswer) yield* apply(call, protocol, 1)
    for (let round = 0; round < settings.rounds; round++) {
      for (const [index] of expectedAnswer.entries()) {
        const protocol = expectedAnswer[(index + round) % expectedAnswer.length] ?? "rest"
        const before = yield* Effect.promise(() => processorMicros(gateway.pid))
        const { answers, failures, reasons, requestsPerSecond } = yield* apply(call, protocol, settings.seconds)
        const after = yield* Effect.promise(() => processorMicros(gateway.pid))
        if (failures > 0 || answers === 0)
          return yield* Effect.dieMessage(`${call} by ${protocol} failed ${failures} times: ${JSON.stringify(reasons)}`)
        measurements.push({ call, protocol, requestsPerSecond, cpuMicros: (after - before) / answers })
      }
    }
  }

  const of = (call: string, protocol: Protocol, field: "requestsPerSecond" | "cpuMicros"): number =>
    median(measurements.filter((one) => one.call === call && one.protocol === protocol).map((one) => one[field]))
  yield* writeResults(settings.results, measurements)
  yield* Console.log(
    `${started}\n${settings.rounds} rounds of ${settings.seconds} s, 50 connections, ${leads} leads\n\n${table(
      ["call, protocol", "requests/s", "CPU µs", "requests/s ÷ REST", "CPU ÷ REST"],
      calls.flatMap((call) =>
        wantedOf(call).map((protocol) => [
          `${call}, ${protocol}`,
          figure(of(call, protocol, "requestsPerSecond")),
          figure(of(call, protocol, "cpuMicros")),
          figure(of(call, protocol, "requestsPerSecond") / of(call, "rest", "requestsPerSecond")),
          figure(of(call, protocol, "cpuMicros") / of(call, "rest", "cpuMicros"))
        ])
      )
    )}`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
