import type { RequestListener } from "node:http"
import * as net from "node:net"
import * as os from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { OutboundHttp } from "../../src/Services/Outbound/OutboundHttp.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { localCertificate, localHttpsServer } from "../support/servers/LocalHttpsServer.ts"

/** The client of a developer, whose names all lead to `address`; it closes its connections with the scope. */
const kept = (options: { readonly trusts?: string; readonly address?: string } = {}) =>
  Effect.map(
    Layer.build(
      OutboundHttpNode.pipe(
        Layer.provide(
          Layer.succeed(OutboundPolicy, {
            allowLoopback: true,
            resolve: () => Promise.resolve([{ address: options.address ?? "127.0.0.1", family: 4 }]),
            ...(options.trusts === undefined ? {} : { certificateAuthorities: [options.trusts] })
          })
        )
      )
    ),
    Context.get(OutboundHttp)
  )

/** Notes over which connection each request came. */
const noting =
  (ports: Array<number | undefined>, handler: RequestListener): RequestListener =>
  (request, response) => {
    ports.push(request.socket.remotePort)
    request.resume().on("end", () => handler(request, response))
  }

const hello: RequestListener = (_, response) => response.end("hello")

describe("kept connections", () => {
  it.scopedLive("serve one request after another, whether their answer is read or ignored", () =>
    Effect.gen(function* () {
      const ports: Array<number | undefined> = []
      const { url } = yield* localHttpServer(noting(ports, hello))
      const outbound = yield* kept()
      for (const extra of [{}, { responseBody: "ignored" }, {}, { responseBody: "ignored" }] as const) {
        const response = yield* outbound.request({ method: "POST", url, body: "x", keepConnection: true, ...extra })
        assert.strictEqual(Buffer.from(response.body).toString(), "responseBody" in extra ? "" : "hello")
      }
      yield* outbound.request({ method: "POST", url, body: "x" })
      assert.lengthOf(ports, 5)
      assert.strictEqual(new Set(ports.slice(0, 4)).size, 1)
      assert.notStrictEqual(ports[4], ports[0])
    })
  )

  it.scopedLive("are kept with TLS too, made with the certificates that the operator trusts", () =>
    Effect.gen(function* () {
      const ports: Array<number | undefined> = []
      const { url } = yield* localHttpsServer(noting(ports, hello))
      const request = { method: "POST", url, body: "x", keepConnection: true } as const
      const untrusted = yield* Effect.flip((yield* kept()).request(request))
      assert.deepInclude(untrusted, { _tag: "OutboundFailure", reason: "tls_failed", mayHaveArrived: false })
      const outbound = yield* kept({ trusts: localCertificate })
      yield* outbound.request(request)
      yield* outbound.request(request)
      yield* outbound.request({ ...request, keepConnection: false })
      assert.strictEqual(ports[0], ports[1])
      assert.notStrictEqual(ports[0], ports[2])
    })
  )

  it.scopedLive("that the other side has closed cost nothing: the request goes out again on a new one", () =>
    Effect.gen(function* () {
      const ports: Array<number | undefined> = []
      const { url } = yield* localHttpServer(
        noting(ports, (request, response) => {
          const isSecondHere = ports.slice(0, -1).includes(request.socket.remotePort)
          if (isSecondHere) request.socket.destroy()
          else response.end()
        })
      )
      const outbound = yield* kept()
      const request = { method: "POST", url, body: "x", keepConnection: true } as const
      yield* outbound.request(request)
      assert.strictEqual((yield* outbound.request(request)).status, 200)
      assert.lengthOf(ports, 3)
    })
  )

  it.scopedLive("a new connection that breaks is a failure: nothing is sent twice", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* localHttpServer((request) => request.socket.destroy())
      const outbound = yield* kept()
      const failure = yield* Effect.flip(outbound.request({ method: "POST", url, keepConnection: true }))
      assert.deepInclude(failure, { _tag: "OutboundFailure", reason: "connection_failed", mayHaveArrived: true })
      assert.lengthOf(requests, 1)
    })
  )

  it.scopedLive("a long answer that is ignored is not read to its end, and its connection is not used again", () =>
    Effect.gen(function* () {
      const ports: Array<number | undefined> = []
      let closed = () => {}
      const isClosed = new Promise<void>((resolve) => {
        closed = resolve
      })
      const { url } = yield* localHttpServer(
        noting(ports, (_, response) => {
          const write = () => {
            while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
          }
          response
            .writeHead(200, { "Content-Encoding": "gzip" })
            .on("drain", write)
            .on("close", () => closed())
          write()
        })
      )
      const outbound = yield* kept()
      const request = { method: "POST", url, keepConnection: true, responseBody: "ignored" } as const
      assert.strictEqual((yield* outbound.request(request)).status, 200)
      yield* Effect.promise(() => isClosed)
      assert.strictEqual((yield* outbound.request(request)).status, 200)
      assert.strictEqual(new Set(ports).size, 2)
    })
  )

  const ownAddress = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address

  it.scopedLive.skipIf(ownAddress === undefined)("are checked under the rule of each request that takes them", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* localHttpServer(hello, "0.0.0.0")
      assert.strictEqual(net.isIP(ownAddress ?? ""), 4)
      const outbound = yield* kept({ address: ownAddress ?? "" })
      const request = { method: "GET", url: `http://internal.example:${port}/`, keepConnection: true } as const
      yield* outbound.request({ ...request, allowNonPublic: true })
      yield* outbound.request({ ...request, allowNonPublic: true })
      const failure = yield* Effect.flip(outbound.request(request))
      assert.deepInclude(failure, { _tag: "Refused", reason: "address_not_public" })
      assert.lengthOf(requests, 2)
    })
  )
})
