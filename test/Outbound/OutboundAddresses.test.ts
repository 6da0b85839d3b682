import type { LookupAddress } from "node:dns"
import type { RequestListener } from "node:http"
import * as net from "node:net"
import * as os from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { client, type Resolve, strict } from "./outboundClient.ts"

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
