import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { OutsideHealth } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { ProviderModel, ProviderModels } from "../../../src/Services/Core/Outside/ProviderModels.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

const EndingVersions = Schema.Struct({
  ending_vendor_versions: Schema.Array(
    Schema.Struct({ vendor: Schema.String, ends_on: Schema.String, days_left: Schema.Int })
  )
})

const Outages = Schema.Struct({
  outside_outages: Schema.Array(
    Schema.Struct({ connection: Schema.String, since: Schema.String, reason: Schema.String })
  )
})

/** The same request to the operator's address. */
const sendToOperations = (path: string) =>
  Effect.flatMap(ServerAddress, (address) =>
    Effect.provideService(send(path), ServerAddress, { host: address.host, port: address.operationsPort ?? 0 })
  )

layer(testGateway({ operations: { host: "127.0.0.1", port: 0 } }), { excludeTestServices: true })(
  "figures and health, with an address of their own,",
  (it) => {
    it.effect("are there and not on the public one, which tells whether the gateway is ready", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* send("/metrics")).status, 404)
        const ready = yield* send("/health/ready")
        assert.strictEqual(ready.status, 200)
        assert.hasAllKeys(ready.json, ["status", "server_version"])
        assert.deepInclude(ready.json, { status: "ready" })
        const figures = yield* sendToOperations("/metrics")
        assert.strictEqual(figures.status, 200)
        assert.include(figures.text, "gateway_nodejs_eventloop_lag_max_seconds")
        const health = (yield* sendToOperations("/health/ready")).json
        assert.property(health, "services")
        const ending = yield* Schema.decodeUnknown(EndingVersions)(health)
        assert.isAbove(ending.ending_vendor_versions.length, 0)
        for (const { ends_on, vendor } of ending.ending_vendor_versions) {
          const seconds = Date.parse(ends_on) / 1000
          assert.match(
            figures.text,
            new RegExp(`gateway_vendor_version_end_timestamp_seconds\\{vendor="${vendor}",.*\\} ${seconds}`)
          )
        }
        assert.strictEqual((yield* sendToOperations("/health/live")).status, 200)
        const none = yield* sendToOperations("/rest/v1/tools")
        assert.strictEqual(none.status, 404)
        assert.deepInclude(none.json, { type: "UnknownRoute" })
      })
    )

    it.effect("tell of each connection to the outside how it fares and since when, the operator and the accounts", () =>
      Effect.gen(function* () {
        const { watch } = yield* OutsideHealth
        const smtp = yield* watch("mail.smtp")
        const { token } = yield* makeTokenHolder()
        const whoami = Effect.map(
          send("/rest/v1/tools/whoami", { method: "POST", body: "{}", token }),
          ({ json }) => json
        )
        const untried = { status: "untried", since: null, reason: null, last_success_at: null }
        assert.deepInclude((yield* sendToOperations("/health/ready")).json, { connections: { "mail.smtp": untried } })
        assert.deepInclude(yield* whoami, { outside_outages: [] })

        yield* smtp.failed("smtp_connection_failed")
        const down = yield* sendToOperations("/health/ready")
        assert.strictEqual(down.status, 200, "a mail server that is away is no reason to send callers elsewhere")
        const [outage] = (yield* Schema.decodeUnknown(Outages)(yield* whoami)).outside_outages
        assert.deepInclude(outage, { connection: "mail.smtp", reason: "smtp_connection_failed" })
        assert.deepNestedInclude(down.json, {
          "connections.mail\\.smtp.status": "down",
          "connections.mail\\.smtp.since": outage?.since,
          "connections.mail\\.smtp.reason": "smtp_connection_failed"
        })
        const figures = (yield* sendToOperations("/metrics")).text
        assert.include(figures, 'gateway_outside_connection_up{connection="mail.smtp"} 0')
        assert.notProperty((yield* send("/health/ready")).json, "connections")

        const { check, watch: watchModel } = yield* ProviderModels
        const look = Effect.succeed({ status: "ending", shutdownDate: "2001-02-03" } as const)
        const report = yield* watchModel({ service: "images", model: "painter-1", look })
        yield* check
        const { json } = yield* sendToOperations("/health/ready")
        const models = yield* Schema.decodeUnknown(Schema.Struct({ models: Schema.Array(ProviderModel) }))(json)
        assert.deepInclude(models.models[0], { status: "ending", shutdown_date: "2001-02-03" })
        const ended = 'gateway_model_left_seconds{service="images",model="painter-1"} 0'
        assert.include((yield* sendToOperations("/metrics")).text, ended)
        yield* report.disappeared
        yield* report.worked
        assert.notInclude((yield* sendToOperations("/metrics")).text, ended)

        yield* smtp.worked
        assert.deepInclude(yield* whoami, { outside_outages: [] })
        assert.include(
          (yield* sendToOperations("/metrics")).text,
          'gateway_outside_connection_up{connection="mail.smtp"} 1'
        )
      })
    )
  }
)

layer(testGateway({ operationsToken: Option.some(Redacted.make("let-me-see")) }), { excludeTestServices: true })(
  "figures and health, behind a token,",
  (it) => {
    for (const [name, token, status] of [
      ["none", undefined, 401],
      ["another", "let-me-sea", 401],
      ["the token", "let-me-see", 200]
    ] as const) {
      it.effect(`are for whoever has it: ${name}`, () =>
        Effect.gen(function* () {
          const options = token === undefined ? {} : { token }
          const figures = yield* send("/metrics", options)
          assert.strictEqual(figures.status, status)
          const ready = yield* send("/health/ready", options)
          assert.strictEqual(ready.status, 200)
          assert.strictEqual(ready.text.includes("services"), status === 200)
        })
      )
    }
  }
)
