import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Ref, Scope } from "effect"
import {
  callOver,
  type GatewayProcess,
  killHard,
  ownerToken,
  startGateway,
  until
} from "../support/processes/GatewayProcess.ts"
import { preparedDataDir } from "../support/processes/PreparedDataDir.ts"

const rows = 12_000

const csv = [
  "name,email,phone,company",
  ...Array.from({ length: rows }, (_, index) => `Lead ${index},lead${index}@example.com,,Company ${index % 97}`)
].join("\n")

/** How long work may take to resume and end after a start, by the product's promise. */
const recovery = "90 seconds"

/** One data directory, and the gateway that is at work on it. */
class Installation extends Context.Tag("Installation")<
  Installation,
  {
    readonly dataDir: string
    readonly token: string
    readonly gateway: Effect.Effect<GatewayProcess>
    /** Another gateway, in the place of one that is gone. */
    readonly startAgain: Effect.Effect<GatewayProcess>
  }
>() {
  static readonly layer = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const dataDir = yield* preparedDataDir
      const running = yield* Effect.flatMap(startGateway(dataDir), Ref.make)
      const startAgain = startGateway(dataDir).pipe(
        Effect.tap((gateway) => Ref.set(running, gateway)),
        Scope.extend(yield* Effect.scope),
        Effect.orDie
      )
      return { dataDir, token: yield* ownerToken(dataDir), gateway: Ref.get(running), startAgain }
    }).pipe(Effect.orDie)
  )
}

const postmasterId = (dataDir: string) =>
  Effect.promise(async () => {
    const text = await fs.readFile(path.join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8")
    return Number(text.split("\n", 1)[0])
  })

layer(Installation.layer, { excludeTestServices: true })("a gateway", (it) => {
  it.effect("that is killed in the middle of an import finishes it after a restart, every row exactly once", () =>
    Effect.gen(function* () {
      const { startAgain, token, ...one } = yield* Installation
      const first = yield* one.gateway
      const file = yield* callOver(first, token, "upload_customer_file", { file_name: "leads.csv", text: csv })
      const started = yield* callOver(first, token, "import_leads", { customer_file_id: file.body["customer_file_id"] })
      const id = started.body["lead_import_id"]

      yield* callOver(first, token, "get_lead_import", { lead_import_id: id, page_size: 1 }).pipe(
        until(({ body }) => Number(body["rows_processed"]) > 0, "60 seconds")
      )
      yield* killHard(first)

      const second = yield* startAgain
      const interrupted = yield* callOver(second, token, "get_lead_import", { lead_import_id: id, page_size: 1 })
      assert.strictEqual(interrupted.body["status"], "running", "the crash came in the middle of the import")
      const finished = yield* callOver(second, token, "get_lead_import", { lead_import_id: id, page_size: 1 }).pipe(
        until(({ body }) => body["status"] !== "running", recovery)
      )
      assert.deepInclude(finished.body, {
        status: "finished",
        progress: 100,
        rows_processed: rows,
        created_count: rows,
        duplicate_count: 0,
        invalid_count: 0,
        total: rows
      })
      const leads = yield* callOver(second, token, "search_leads", { page_size: 1 })
      assert.strictEqual(leads.body["total"], rows)
      const last = yield* callOver(second, token, "get_lead_import", {
        lead_import_id: id,
        page: rows - 1,
        page_size: 1
      })
      assert.deepNestedInclude(last.body, { "rows[0].row_number": rows, "rows[0].outcome": "created" })
    })
  )

  it.effect("whose database is killed answers 503 Transient, and serves again without a restart", () =>
    Effect.gen(function* () {
      const { dataDir, token, ...one } = yield* Installation
      const gateway = yield* one.gateway
      assert.strictEqual((yield* callOver(gateway, token, "whoami")).status, 200)

      process.kill(yield* postmasterId(dataDir), "SIGKILL")
      const seen = new Set<number>()
      yield* callOver(gateway, token, "register_lead", { name: "Ana", email: "ana@example.com" }).pipe(
        Effect.tap(({ body, status }) => {
          seen.add(status)
          if (status === 503) assert.strictEqual(body["type"], "Transient")
        }),
        until(({ status }) => status === 200 && seen.size > 1, recovery)
      )
      assert.deepStrictEqual([...seen].sort(), [200, 503])
      assert.isNull(gateway.process.exitCode)
    })
  )

  it.effect("that is stopped answers the request in flight before its process ends", () =>
    Effect.gen(function* () {
      const { token, ...one } = yield* Installation
      const gateway = yield* one.gateway
      const inFlight = yield* Effect.fork(
        callOver(gateway, token, "upload_customer_file", { file_name: "large.csv", text: "a,b\n".repeat(1_000_000) })
      )
      yield* callOver(gateway, token, "whoami")
      gateway.process.kill("SIGTERM")
      const answer = yield* inFlight
      assert.strictEqual(answer.status, 200, gateway.output())
    })
  )
})
