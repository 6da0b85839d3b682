import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Scope, TestClock } from "effect"
import { boundedServer } from "../../../src/Layers/Platform/Http/BoundedServer.ts"
import { makeGracefulStop } from "../../../src/Layers/Platform/Http/GracefulStop.ts"
import { FaultTools } from "../../support/checks/FaultTools.ts"
import { makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

/** A connection that sends `text`, and what it receives until it is closed. */
const connected = (port: number, text: string) =>
  Effect.async<Effect.Effect<string>>((resume) => {
    const socket = net.connect({ host: "127.0.0.1", port })
    let received = ""
    socket.on("data", (piece) => {
      received += piece.toString("latin1")
    })
    const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)))
    socket.once("connect", () => socket.write(text, () => resume(Effect.succeed(Effect.promise(() => closed)))))
  })

describe("a gateway that is to stop", () => {
  it.effect("waits for the request in flight, and not for a connection that sends none", () =>
    Effect.gen(function* () {
      const server = boundedServer()
      const [requestArrived, answerable] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      server.on("request", (_, response) => {
        response.setHeader("Connection", "close")
        Effect.runFork(
          Effect.andThen(Deferred.succeed(requestArrived, undefined), Deferred.await(answerable)).pipe(
            Effect.andThen(Effect.sync(() => response.end("late")))
          )
        )
      })
      const stop = makeGracefulStop(server)
      yield* Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      })
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const unused = yield* connected(port, "")
      const halfSent = yield* connected(port, "GET /half HTTP/1.1\r\n")
      const used = yield* connected(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      yield* Deferred.await(requestArrived)
      const stopping = yield* Effect.fork(stop)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* unused, "")
      yield* Deferred.succeed(answerable, undefined)
      assert.match(yield* used, /late$/)
      assert.strictEqual(yield* Fiber.poll(stopping).pipe(Effect.map(({ _tag }) => _tag)), "None")
      yield* TestClock.adjust("25 seconds")
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* halfSent, "")
    })
  )

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
