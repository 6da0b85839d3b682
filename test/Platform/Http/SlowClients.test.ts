import * as net from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { boundedServer } from "../../../src/Layers/Platform/Http/BoundedServer.ts"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

/** A connection that closes with the scope. Completes once it is open. */
const connection = (port: number, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.async<net.Socket>((resume) => {
      const socket = net.connect({ host, port })
      socket.on("error", () => {})
      socket.once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Everything that is received until the server closes. */
const received = (socket: net.Socket) =>
  Effect.async<string>((resume) => {
    const pieces: Array<Buffer> = []
    socket.on("data", (piece) => pieces.push(piece))
    socket.once("close", () => resume(Effect.succeed(Buffer.concat(pieces).toString("latin1"))))
  })

const times = { headers: 60, request: 120, keepAlive: 60, silence: 200, check: 10 }

/** A server that answers each request with this many bytes, and its number of connections. */
const impatientServer = (bytes: number) =>
  Effect.gen(function* () {
    const server = boundedServer({ times })
    server.on("request", (request, response) => {
      request.resume()
      request.once("end", () => response.end(Buffer.alloc(bytes)))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const address = server.address()
    const connections = Effect.async<number>((resume) => {
      server.getConnections((_error, count) => resume(Effect.succeed(count)))
    })
    return { port: typeof address === "object" && address !== null ? address.port : 0, connections }
  })

describe("a client that takes its time", () => {
  it("has on the gateway what the documents say", () => {
    const { headersTimeout, keepAliveTimeout, maxConnections, maxHeadersCount, requestTimeout, timeout } =
      boundedServer()
    assert.deepStrictEqual(
      [headersTimeout, requestTimeout, keepAliveTimeout, timeout],
      [30_000, 120_000, 65_000, 130_000]
    )
    assert.deepStrictEqual([maxConnections, maxHeadersCount], [10_000, 0])
  })

  for (const [name, bytes] of [
    ["says nothing", ""],
    ["does not end its headers", "GET / HTTP/1.1\r\nHost: a\r\nX"],
    ["does not end its body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"]
  ] as const) {
    it.scopedLive(`and ${name} is answered 408 and closed`, () =>
      Effect.gen(function* () {
        const { port } = yield* impatientServer(1)
        const socket = yield* connection(port)
        socket.write(bytes)
        const answer = yield* received(socket)
        assert.match(answer, /^HTTP\/1\.1 408 /)
        assert.match(answer, /\r\n\r\n\{"error":"The request did not arrive in time\."/)
      })
    )
  }

  it.scopedLive("between two requests is closed", () =>
    Effect.gen(function* () {
      const { port } = yield* impatientServer(1)
      const socket = yield* connection(port)
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      assert.match(yield* received(socket), /^HTTP\/1\.1 200 /)
    })
  )

  it.scopedLive("and does not read its answer is closed, with what was kept for it", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* impatientServer(64 * 1024 * 1024)
      const socket = yield* connection(port)
      socket.pause()
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* Effect.repeat(connections, { until: (count) => count === 0, schedule: Schedule.spaced("20 millis") })
    })
  )
})

layer(testGateway(), { excludeTestServices: true })("the gateway", (it) => {
  it.scoped("answers a client that has closed its side behind its request", () =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const whole = yield* connection(port, host)
      whole.end("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
      assert.match(yield* received(whole), /^HTTP\/1\.1 200 /)
      const { token } = yield* makeTokenHolder()
      const half = yield* connection(port, host)
      half.end(
        `POST /rest/v1/tools/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 9\r\n\r\n{}`
      )
      // Closed at once, and not only at the request's time limit.
      assert.notMatch(yield* received(half), /^HTTP\/1\.1 (?:200|408) /)
    })
  )

  it.scoped("goes on beside 2 000 connections that say nothing, for little memory", () =>
    Effect.gen(function* () {
      const { host, port } = yield* ServerAddress
      const { token } = yield* makeTokenHolder()
      const before = process.memoryUsage().rss
      const sockets = yield* Effect.forEach(
        Array.from({ length: 2000 }, (_, n) => n),
        () => connection(port, host),
        { concurrency: 100 }
      )
      const answer = yield* send("/rest/v1/tools/whoami", { method: "POST", token, body: "{}" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual((yield* send("/health/ready")).status, 200)
      // Both ends of each are in this process.
      assert.isBelow(process.memoryUsage().rss - before, 2000 * 100 * 1024)
      assert.isTrue(sockets.every(({ destroyed }) => !destroyed))
    })
  )
})
