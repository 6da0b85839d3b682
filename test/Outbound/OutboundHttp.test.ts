import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { collectSpans } from "../support/logs/CollectedSpans.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { rawHost } from "../support/servers/RawHost.ts"
import { client, loose, strict } from "./outboundClient.ts"

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8")

const hello: RequestListener = (_, response) => response.end("hello")

describe("requests and answers", () => {
  it.scopedLive("method, path, headers and body go out as given, and the answer comes back", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { authorization, "content-length": length, host } = request.headers
          response.writeHead(201, { "Set-Cookie": ["a=1", "b=2"], "X-Kind": "echo" })
          response.end(JSON.stringify({ authorization, length, host, body: Buffer.concat(chunks).toString("utf8") }))
        })
      })
      const response = yield* loose(`${server.url}/hook?key=1#part`, {
        method: "POST",
        headers: { authorization: "Bearer t" },
        body: "olá"
      })
      assert.deepStrictEqual(server.requests, ["POST /hook?key=1"])
      assert.strictEqual(response.status, 201)
      assert.deepInclude(response.headers, { "x-kind": "echo", "set-cookie": "a=1, b=2" })
      assert.deepStrictEqual(JSON.parse(text(response.body)), {
        authorization: "Bearer t",
        length: "4",
        host: `127.0.0.1:${server.port}`,
        body: "olá"
      })
    })
  )

  it.scopedLive("an error status is an answer", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => response.writeHead(503).end("later"))
      const response = yield* loose(server.url)
      assert.deepInclude(response, { status: 503 })
      assert.strictEqual(text(response.body), "later")
    })
  )

  it.scopedLive("a redirect is answered as it came unless it is to be followed", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => response.writeHead(302, { Location: "/there" }).end())
      const response = yield* loose(server.url)
      assert.strictEqual(response.status, 302)
      assert.deepStrictEqual(server.requests, ["GET /"])
    })
  )

  it.scopedLive("a redirect within the host is followed", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((request, response) =>
        request.url === "/a" ? response.writeHead(302, { Location: "b?x=1" }).end() : response.end("arrived")
      )
      const response = yield* loose(`${server.url}/a`, { redirect: "same-host" })
      assert.strictEqual(text(response.body), "arrived")
      assert.deepStrictEqual(server.requests, ["GET /a", "GET /b?x=1"])
    })
  )

  it.scopedLive("a redirect to another host or port is refused, and nobody there hears of it", () =>
    Effect.gen(function* () {
      const other = yield* localHttpServer(hello)
      for (const location of [other.url, "http://169.254.169.254/latest", "https://example.com/", "//example.com/"]) {
        const server = yield* localHttpServer((_, response) => response.writeHead(302, { Location: location }).end())
        const failure = yield* Effect.flip(loose(server.url, { redirect: "same-host" }))
        assert.deepInclude(failure, { _tag: "Refused", reason: "redirect_to_other_host" })
      }
      assert.deepStrictEqual(other.requests, [])
    })
  )

  it.scopedLive("redirects in a circle end", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => response.writeHead(302, { Location: "/" }).end())
      const failure = yield* Effect.flip(loose(server.url, { redirect: "same-host" }))
      assert.deepInclude(failure, { _tag: "Refused", reason: "too_many_redirects" })
      assert.lengthOf(server.requests, 6)
    })
  )

  it.scopedLive("a POST is never sent on to where a redirect leads", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => response.writeHead(307, { Location: "/again" }).end())
      const response = yield* loose(server.url, { method: "POST", body: "x", redirect: "same-host" })
      assert.strictEqual(response.status, 307)
      assert.lengthOf(server.requests, 1)
    })
  )
})

describe("bounds", () => {
  it.scopedLive("a body over the limit is refused by its announced length", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) =>
        response.writeHead(200, { "Content-Length": 1000 }).end("x")
      )
      const failure = yield* Effect.flip(loose(server.url, { maxResponseBytes: 999 }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "response_too_large", mayHaveArrived: true })
    })
  )

  it.scopedLive("a body of unannounced length is refused as soon as it passes the limit", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        }
        response.on("drain", write)
        write()
      })
      const failure = yield* Effect.flip(loose(server.url, { maxResponseBytes: 200_000 }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "response_too_large" })
    })
  )

  it.scopedLive("a body of exactly the limit is taken", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => response.end(Buffer.alloc(1000)))
      const response = yield* loose(server.url, { maxResponseBytes: 1000 })
      assert.lengthOf(response.body, 1000)
    })
  )

  it.scopedLive("a compressed body, which could unfold without end, is not read", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) =>
        response.writeHead(200, { "Content-Encoding": "gzip" }).end("x")
      )
      const failure = yield* Effect.flip(loose(server.url))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "response_unreadable" })
    })
  )

  it.scopedLive("a server that never answers is left when the time is up", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(() => {})
      const failure = yield* Effect.flip(loose(server.url, { timeout: "50 millis" }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "timed_out", mayHaveArrived: true })
    })
  )

  it.scopedLive("so is one whose body never ends", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => void response.write("a beginning"))
      const failure = yield* Effect.flip(loose(server.url, { timeout: "50 millis" }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "timed_out", mayHaveArrived: true })
    })
  )

  it.scopedLive("so is one whose body lasts until the connection ends, which it never does", () =>
    Effect.gen(function* () {
      const server = yield* rawHost(() => (socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\na beginning"))
      const failure = yield* Effect.flip(loose(server.url, { timeout: "200 millis" }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "timed_out" })
    })
  )

  it.scopedLive("a time-out while the name is looked up says that nothing was sent", () =>
    Effect.gen(function* () {
      const outbound = yield* client({ allowLoopback: false, resolve: () => new Promise(() => {}) })
      const failure = yield* Effect.flip(
        outbound.request({ method: "POST", url: "https://slow.example/", timeout: "50 millis" })
      )
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "timed_out", mayHaveArrived: false })
    })
  )

  it.scopedLive("a caller that may not be interrupted gets its answer before the time is up", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const response = yield* Effect.uninterruptible(loose(server.url, { timeout: "1 hour" }))
      assert.strictEqual(text(response.body), "hello")
    })
  )

  it.scopedLive("an interrupted request closes its connection", () =>
    Effect.gen(function* () {
      let closed = () => {}
      let came = () => {}
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const hasCome = new Promise<void>((resolve) => {
        came = resolve
      })
      const server = yield* localHttpServer((request) => {
        request.on("close", () => closed())
        came()
      })
      const fiber = yield* Effect.fork(loose(server.url))
      yield* Effect.promise(() => hasCome)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => isClosed)
    })
  )
})

describe("spans", () => {
  it.scopedLive("tell the method, the host and the status, but neither path, query, header nor body", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const { collecting, spans } = yield* collectSpans
      yield* loose(`${server.url}/secret-path?key=secret-query`, {
        method: "POST",
        headers: { authorization: "secret-header" },
        body: "secret-body"
      }).pipe(Effect.withTracer(collecting))
      assert.deepStrictEqual(
        spans.map(({ attributes, name }) => [name, Object.fromEntries(attributes)]),
        [
          [
            "outbound POST",
            {
              "http.request.method": "POST",
              "server.address": "127.0.0.1",
              "server.port": server.port,
              "http.response.status_code": 200
            }
          ]
        ]
      )
    })
  )
})

describe("failures", () => {
  it.live("a name that does not exist", () =>
    Effect.map(strict("https://nowhere.example/"), (failure) =>
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "host_not_found", mayHaveArrived: false })
    )
  )

  it.scopedLive("nobody listens", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(localHttpServer(hello))
      const failure = yield* Effect.flip(loose(url))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "connection_failed", mayHaveArrived: false })
    })
  )

  it.scopedLive("the other side does not speak TLS", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const failure = yield* Effect.flip(loose(server.url.replace("http:", "https:")))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "tls_failed", mayHaveArrived: false })
    })
  )

  it.scopedLive("the connection breaks after the request", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((request) => request.socket.destroy())
      const failure = yield* Effect.flip(loose(server.url))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "connection_failed", mayHaveArrived: true })
    })
  )

  it.scopedLive("the connection breaks within the body", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((request, response) => {
        response.writeHead(200, { "Content-Length": 100 })
        response.write("half", () => request.socket.destroy())
      })
      const failure = yield* Effect.flip(loose(server.url))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "connection_failed", mayHaveArrived: true })
    })
  )

  for (const [what, answer] of [
    ["that is not HTTP", "SSH-2.0-server\r\n"],
    // Node says neither that it failed nor that there was one.
    [
      "that switches to another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    ],
    [
      "that tells again and again that there will be one",
      `${"HTTP/1.1 103\r\n\r\n".repeat(50_000)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`
    ]
  ] as const) {
    it.scopedLive(`an answer ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* rawHost(() => answer)
        const failure = yield* loose(server.url).pipe(Effect.flip, Effect.timeout("10 seconds"))
        assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "response_unreadable" })
      })
    )
  }

  it.scopedLive("an answer that is told of before, and is longer than what is parsed at a stretch", () =>
    Effect.gen(function* () {
      const body = Array.from({ length: 20_000 }, (_, index) => String(index)).join("\n")
      const server = yield* rawHost(
        () =>
          `${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3)}HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
      const answer = yield* loose(server.url)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(Buffer.from(answer.body).toString(), body)
    })
  )

  it.scopedLive("a body left unread ends with the scope", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer((_, response) => void response.write("a beginning"))
      const outbound = yield* client({ allowLoopback: true })
      const first = yield* Effect.scoped(
        Effect.flatMap(outbound.stream({ method: "GET", url: server.url }), ({ body }) => Stream.runHead(body))
      )
      assert.strictEqual(first._tag, "Some")
    })
  )
})
