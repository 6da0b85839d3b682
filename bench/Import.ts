import { NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Option, Schedule, Schema } from "effect"
import { callTool } from "./support/agents/Answers.ts"
import { makeDatabase } from "./support/BenchDatabase.ts"
import { benchSettings, positive } from "./support/BenchSettings.ts"
import { databaseUse, prepareUse, startCountingServer, usePerOperation } from "./support/DatabaseUse.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, writeResults } from "./support/Report.ts"
import { firstNames, lastNames, seedAccounts, trades } from "./support/SampleLeads.ts"
import { peakResidentBytes, processorMicros } from "./support/ServerProcess.ts"

/** An import from the upload of a CSV to its last row, over HTTP; see README.md. */

const csvOf = (rows: number): string => {
  const lines = ["Nome;E-mail;Telefone;Empresa;Cidade;UF"]
  for (let n = 0; n < rows; n++) {
    const first = firstNames[n % firstNames.length] ?? ""
    const last = lastNames[(n * 7) % lastNames.length] ?? ""
    const phone = n % 3 === 0 ? `+55119${String(60_000_000 + n)}` : ""
    lines.push(`${first} ${last};contato${n}@cliente.example;${phone};${trades[n % trades.length]} ${last};Campinas;SP`)
  }
  return lines.join("\n")
}

const Uploaded = Schema.parseJson(Schema.Struct({ customer_file_id: Schema.Int }))
const Import = Schema.parseJson(
  Schema.Struct({
    lead_import_id: Schema.Int,
    status: Schema.String,
    created_count: Schema.Int,
    rows_processed: Schema.Int
  })
)

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const rows = Option.getOrElse(settings.leads, () => 200_000)
  const leadsBefore = yield* Config.withDefault(positive("BENCH_LEADS_BEFORE"), 0)
  const postgres = yield* startCountingServer
  const database = yield* makeDatabase(postgres, "bench")
  yield* prepareUse(database.client)
  const [account] = yield* seedAccounts(database.client, [{ name: "Bench", leads: leadsBefore }], false)
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const gateway = yield* startGateway(database, { BODY_LIMIT: String(128 * 1024 * 1024) })
  const call = <A, I>(tool: string, args: object, answer: Schema.Schema<A, I>) =>
    Effect.flatMap(callTool(gateway, account.token, tool, args), ({ body }) =>
      Effect.flatMap(Schema.decodeUnknown(answer)(body), Effect.succeed)
    )

  const text = csvOf(rows)
  const usedBefore = yield* databaseUse(database.client)
  const gatewayBefore = yield* Effect.promise(() => processorMicros(gateway.pid))
  const started = Date.now()
  const file = yield* call("upload_customer_file", { file_name: "leads.csv", text }, Uploaded)
  const uploaded = Date.now()
  const { lead_import_id } = yield* call("import_leads", file, Import)
  const ended = yield* call("get_lead_import", { lead_import_id, page_size: 1 }, Import).pipe(
    Effect.repeat({ until: ({ status }) => status !== "queued" && status !== "running", schedule: poll })
  )
  const finished = Date.now()
  const result = yield* call("get_lead_import", { lead_import_id, page_size: 1 }, Import)
  const gatewayMicros = (yield* Effect.promise(() => processorMicros(gateway.pid))) - gatewayBefore
  const used = usePerOperation(usedBefore, yield* databaseUse(database.client), rows)
  const peak = yield* Effect.promise(() => peakResidentBytes(gateway.pid))
  const seconds = (finished - started) / 1000
  const measurement = {
    rows,
    leadsBefore,
    bytes: Buffer.byteLength(text),
    status: result.status,
    created: result.created_count,
    uploadSeconds: (uploaded - started) / 1000,
    seconds,
    rowsPerSecond: rows / seconds,
    gatewayMicrosPerRow: gatewayMicros / rows,
    databaseMicrosPerRow: used.databaseMicros,
    walBytesPerRow: used.walBytes,
    statementsPerThousandRows: used.statements * 1000,
    peakResidentMegabytes: peak / 2 ** 20
  }
  yield* writeResults(settings.results, [measurement])
  yield* Console.log(
    `${conditions()}\n${figure(rows)} rows into ${figure(leadsBefore)} leads (${figure(measurement.bytes / 2 ** 20)} MB): ${result.status}, ` +
      `${figure(result.created_count)} created in ${figure(seconds)} s (upload ${figure(measurement.uploadSeconds)} s): ` +
      `${figure(measurement.rowsPerSecond)} rows/s, CPU per row ${figure(measurement.gatewayMicrosPerRow)} µs of the ` +
      `gateway and ${figure(measurement.databaseMicrosPerRow)} µs of the database, ${figure(used.walBytes)} bytes of WAL, ` +
      `${figure(measurement.statementsPerThousandRows)} statements per 1000 rows, peak resident memory ${figure(measurement.peakResidentMegabytes)} MB`
  )
  return ended
}).pipe(Effect.scoped)

const poll = Schedule.spaced("100 millis")

NodeRuntime.runMain(program)
