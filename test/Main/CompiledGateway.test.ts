import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { workbookOf } from "../LeadFiles/workbooks.ts"
import { callOver, ownerToken, startGateway, temporaryDirectory, until } from "../support/processes/GatewayProcess.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

const sheet = [
  ["Nome", "E-mail"],
  ["Ana Souza", "ana@example.com"],
  ["Bruno Lima", "bruno@example.com"]
]

it.scopedLive("the compiled gateway reads workbooks, in a thread that is compiled too", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const gateway = yield* startGateway(dataDir, { DATABASE_URL: yield* testDatabaseUrl })
    const token = yield* ownerToken(dataDir)
    const file = yield* callOver(gateway, token, "upload_customer_file", {
      file_name: "leads.xlsx",
      content_base64: Buffer.from(workbookOf({ Leads: sheet })).toString("base64")
    })
    const started = yield* callOver(gateway, token, "import_leads", {
      customer_file_id: file.body["customer_file_id"]
    })
    const ended = yield* callOver(gateway, token, "get_lead_import", {
      lead_import_id: started.body["lead_import_id"]
    }).pipe(until(({ body }) => body["status"] !== "queued" && body["status"] !== "running", "30 seconds"))
    assert.deepInclude(ended.body, { status: "finished", created_count: 2, invalid_count: 0 }, gateway.output())
  })
)

it.scopedLive("a gateway that npm started ends with npm", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const environment = { DATABASE_URL: yield* testDatabaseUrl }
    const baseUrl = yield* Effect.scoped(
      Effect.map(startGateway(dataDir, environment, ["npm", "start"]), (gateway) => gateway.baseUrl)
    )
    const isGone = Effect.promise(() =>
      fetch(`${baseUrl}/health/live`).then(
        () => false,
        () => true
      )
    )
    assert.isTrue(yield* isGone.pipe(until((isEnded) => isEnded, "30 seconds")))
  })
)
