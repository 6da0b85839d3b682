import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope, TestClock } from "effect"
import { FaultTools } from "../../support/checks/FaultTools.ts"
import { makeTokenHolder, send, testServer } from "../../support/TestServer.ts"

describe("a gateway that is to stop", () => {
  it.effect("goes on answering for as long as it is told to, while proxies see that it is not ready", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(testServer(FaultTools, { stopDelay: 5 }), scope)
      const ask = (...args: Parameters<typeof send>) => Effect.provide(send(...args), context)
      const { token } = yield* Effect.provide(makeTokenHolder(), context)
      const stopping = yield* Effect.forkDaemon(Scope.close(scope, Exit.void))
      const ready = yield* Effect.repeat(ask("/health/ready"), { until: ({ status }) => status !== 200 })
      assert.deepInclude(ready.json, { status: "stopping" })
      const answer = yield* ask("/rest/v1/tools/write_something", { method: "POST", token, body: `{"name":"x"}` })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("connection"), "close")
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(stopping)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ask("/health/live"))))
    })
  )
})
