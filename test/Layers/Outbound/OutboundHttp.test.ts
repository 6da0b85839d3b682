import type { LookupAddress } from "node:dns"
import type { RequestListener } from "node:http"
import * as net from "node:net"
import * as os from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream, Tracer } from "effect"
import { OutboundHttpNode } from "../../../src/Layers/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../../src/Layers/Outbound/OutboundPolicy.ts"
import { OutboundHttp, type OutboundRequest } from "../../../src/Services/OutboundHttp.ts"
import { localHttpServer } from "../../support/LocalHttpServer.ts"

type Resolve = OutboundPolicy["Type"]["resolve"]

const noNames: Resolve = () => Promise.reject(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }))

const client = (policy: { readonly allowLoopback: boolean; readonly resolve?: Resolve }) =>
  Effect.provide(
    OutboundHttp,
    OutboundHttpNode.pipe(Layer.provide(Layer.succeed(OutboundPolicy, { resolve: noNames, ...policy })))
  )

/** As deployed: only the public internet. */
const strict = (url: string, options: Partial<OutboundRequest> = {}, resolve = noNames) =>
  Effect.flatMap(client({ allowLoopback: false, resolve }), (outbound) =>
    Effect.flip(outbound.request({ method: "GET", url, ...options }))
  )

/** As developed with: this machine too. */
const loose = (url: string, options: Partial<OutboundRequest> = {}) =>
  Effect.flatMap(client({ allowLoopback: true }), (outbound) => outbound.request({ method: "GET", url, ...options }))

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8")

const hello: RequestListener = (_, response) => response.end("hello")

describe("what is refused before any connection", () => {
  const forms: ReadonlyArray<readonly [string, string]> = [
    ["dotted", "https://127.0.0.1/"],
    ["short", "https://127.1/"],
    ["decimal", "https://2130706433/"],
    ["octal", "https://0177.0.0.1/"],
    ["hexadecimal", "https://0x7f000001/"],
    ["mixed", "https://0x7f.0.0.0x1/"],
    ["final dot", "https://127.0.0.1./"],
    ["full-width digits", "https://１２７.０.０.１/"],
    ["circled digits", "https://①②⑦.⓪.⓪.①/"],
    ["percent-encoded", "https://%31%32%37.0.0.1/"],
    ["zero", "https://0/"],
    ["IPv6 loopback", "https://[::1]/"],
    ["IPv6 loopback written out", "https://[0:0:0:0:0:0:0:1]/"],
    ["IPv4-mapped", "https://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped, hexadecimal", "https://[::ffff:7f00:1]/"],
    ["IPv4-compatible", "https://[::127.0.0.1]/"],
    ["NAT64", "https://[64:ff9b::7f00:1]/"],
    ["6to4", "https://[2002:7f00:1::]/"],
    ["unique local", "https://[fd00:ec2::254]/"],
    ["link-local", "https://[fe80::1]/"],
    ["metadata", "https://169.254.169.254/latest/meta-data/"],
    ["metadata, decimal", "https://2852039166/"],
    ["carrier-grade NAT", "https://100.100.100.200/"],
    ["private", "https://192.168.1.1/"],
    ["multicast", "https://224.0.0.1/"],
    ["broadcast", "https://255.255.255.255/"]
  ]
  for (const [name, url] of forms) {
    it.effect(`an internal address: ${name}`, () =>
      Effect.map(strict(url), (failure) =>
        assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
      )
    )
  }

  const others: ReadonlyArray<readonly [string, string, string]> = [
    ["http", "http://example.com/", "url_not_https"],
    ["ftp", "ftp://example.com/", "url_not_https"],
    ["a local file", "file:///etc/passwd", "url_not_https"],
    ["data", "data:text/plain,hello", "url_not_https"],
    ["a relative URL", "/etc/passwd", "url_invalid"],
    ["no URL", "not a url", "url_invalid"],
    ["a port out of range", "https://example.com:99999/", "url_invalid"],
    ["a zone", "https://[fe80::1%25eth0]/", "url_invalid"],
    ["too long a URL", `https://example.com/${"a".repeat(2048)}`, "url_invalid"],
    ["a user", "https://user@example.com/", "url_has_credentials"],
    ["a password", "https://user:secret@example.com/", "url_has_credentials"],
    ["another port", "https://example.com:22/", "url_port_not_allowed"],
    ["the database's port", "https://example.com:5432/", "url_port_not_allowed"]
  ]
  for (const [name, url, reason] of others) {
    it.effect(name, () =>
      Effect.map(strict(url), (failure) => {
        assert.deepInclude(failure, { _tag: "Refused", reason })
        assert.notInclude(JSON.stringify(failure), "secret")
      })
    )
  }

  it.effect("http on an internal address even where http is allowed", () =>
    Effect.map(strict("http://127.0.0.1/", { allowHttp: true }), (failure) =>
      assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
    )
  )

  it.effect("a header with a line break", () =>
    Effect.map(strict("https://example.com/", { headers: { authorization: "Bearer a\r\nHost: evil" } }), (failure) =>
      assert.deepInclude(failure, { _tag: "Refused", reason: "header_invalid" })
    )
  )
})

describe("what is refused on the address connected to", () => {
  const resolvesTo = (...addresses: ReadonlyArray<string>): Resolve => {
    const found = addresses.map((address): LookupAddress => ({ address, family: net.isIP(address) }))
    return () => Promise.resolve(found)
  }
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["loopback", ["127.0.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["IPv4-mapped loopback", ["::ffff:127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["a private network", ["10.0.0.5"]],
    ["one private address among public ones", ["93.184.216.34", "10.0.0.5"]]
  ]
  for (const [name, addresses] of cases) {
    it.live(`a name of ${name}`, () =>
      Effect.map(strict("https://internal.example/", {}, resolvesTo(...addresses)), (failure) =>
        assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
      )
    )
  }

  it.scopedLive("no byte reaches a server that a name leads to inside", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const resolve = resolvesTo("127.0.0.1")
      const outbound = yield* client({ allowLoopback: false, resolve })
      const failure = yield* Effect.flip(
        outbound.request({ method: "GET", url: `http://a.example:${server.port}/`, allowHttp: true })
      )
      assert.strictEqual(failure._tag, "Refused")
      assert.deepStrictEqual(server.requests, [])
    })
  )

  it.scopedLive("a name is looked up once for a connection, so that a second answer cannot slip in", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const asked: Array<string> = []
      const outbound = yield* client({
        allowLoopback: true,
        resolve: (hostname) => {
          asked.push(hostname)
          return Promise.resolve([{ address: asked.length === 1 ? "127.0.0.1" : "10.0.0.5", family: 4 }])
        }
      })
      const request = { method: "GET", url: `http://rebinding.example:${server.port}/` } as const
      assert.strictEqual((yield* outbound.request(request)).status, 200)
      assert.deepStrictEqual(asked, ["rebinding.example"])
      const failure = yield* Effect.flip(outbound.request(request))
      assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
      assert.lengthOf(server.requests, 1)
    })
  )

  const ownAddress = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address

  it.scopedLive.skipIf(ownAddress === undefined)("the socket's own peer counts, not what was checked", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello, "0.0.0.0")
      let reads = 0
      const changing: LookupAddress = {
        family: 4,
        get address() {
          return reads++ === 0 ? "127.0.0.1" : (ownAddress ?? "")
        }
      }
      const outbound = yield* client({ allowLoopback: true, resolve: () => Promise.resolve([changing]) })
      const failure = yield* Effect.flip(
        outbound.request({ method: "GET", url: `http://changing.example:${server.port}/` })
      )
      assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
      assert.isAbove(reads, 1)
      assert.deepStrictEqual(server.requests, [])
    })
  )

  it.scopedLive("an operator's own address is reached on any port, without TLS", () =>
    Effect.gen(function* () {
      const server = yield* localHttpServer(hello)
      const outbound = yield* client({ allowLoopback: false })
      const response = yield* outbound.request({ method: "GET", url: server.url, allowNonPublic: true })
      assert.strictEqual(text(response.body), "hello")
    })
  )
})

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

  it.scopedLive("a time-out while the name is looked up says that nothing was sent", () =>
    Effect.gen(function* () {
      const outbound = yield* client({ allowLoopback: false, resolve: () => new Promise(() => {}) })
      const failure = yield* Effect.flip(
        outbound.request({ method: "POST", url: "https://slow.example/", timeout: "50 millis" })
      )
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "timed_out", mayHaveArrived: false })
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
      const spans: Array<Tracer.Span> = []
      const native = yield* Effect.tracer
      const collecting = Tracer.make({
        span: (...given) => {
          const span = native.span(...given)
          spans.push(span)
          return span
        },
        context: (run, fiber) => native.context(run, fiber)
      })
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

  it.scopedLive("an answer that is not HTTP", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = net.createServer((socket) => void socket.resume().end("SSH-2.0-server\r\n"))
          await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
          return server
        }),
        (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const failure = yield* Effect.flip(loose(`http://127.0.0.1:${port}/`))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "response_unreadable" })
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
