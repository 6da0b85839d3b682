import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { send, testGateway } from "../../support/TestServer.ts"

/** The same request to the operator's own address. */
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
        assert.property((yield* sendToOperations("/health/ready")).json, "services")
        assert.strictEqual((yield* sendToOperations("/health/live")).status, 200)
        const none = yield* sendToOperations("/rest/v1/tools")
        assert.strictEqual(none.status, 404)
        assert.deepInclude(none.json, { type: "UnknownRoute" })
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
