import * as net from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { CustomerFiles } from "../../../src/Services/Files/CustomerFiles.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"

/** Sends raw bytes and returns everything until the server closes. */
const exchange = (...pieces: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    return yield* Effect.async<string>((resume) => {
      const received: Array<Buffer> = []
      const socket = net.connect({ host, port })
      const end = () => resume(Effect.succeed(Buffer.concat(received).toString("latin1")))
      socket.on("data", (bytes) => received.push(bytes))
      socket.on("error", end)
      socket.on("close", end)
      for (const piece of pieces) socket.write(piece, "latin1")
      return Effect.sync(() => socket.destroy())
    })
  })

const Refusal = Schema.Struct({ error: Schema.String, type: Schema.String, detail: Schema.String })
const readRefusal = Schema.decodeUnknownSync(Schema.parseJson(Refusal), { onExcessProperty: "error" })

/** The refusal in an answer of the gateway. */
const refused = (answer: string) => {
  const [head = "", body = ""] = answer.split("\r\n\r\n")
  readRefusal(body)
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
}

const get = (path: string, ...headers: ReadonlyArray<string>) =>
  `${[`GET ${path} HTTP/1.1`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`

layer(testGateway(), { excludeTestServices: true })("a request that nobody should send", (it) => {
  const cases: ReadonlyArray<readonly [name: string, status: number, bytes: string]> = [
    ["without Host", 400, get("/health/live")],
    ["with two hosts", 400, get("/health/live", "Host: a", "Host: b")],
    ["with an expectation", 417, get("/health/live", "Host: a", "Expect: foo")],
    ["with 300 headers", 431, get("/health/live", "Host: a", ...Array.from({ length: 300 }, (_, n) => `X${n}: y`))],
    [
      "with 3 000 headers, the last of which counts",
      431,
      get("/rest/v1/tools", "Host: a", ...Array.from({ length: 3000 }, () => "a:"), "Content-Length: 2")
    ],
    ["with 20 KB of headers", 431, get("/health/live", "Host: a", `X: ${"y".repeat(20_000)}`)],
    ["of no protocol", 400, "garbage\r\n\r\n"],
    ["for a page with NUL in its path", 400, get("/files/a%00b/c", "Host: a")],
    ["for a page with NUL in its query", 400, get("/u/abc?x=%00", "Host: a")],
    ["for a page with a broken percent sign", 400, get("/files/%zz/c", "Host: a")],
    ["for a page with half a character", 400, get("/u/%c3", "Host: a")],
    ["for the sandbox with NUL", 400, get("/sandbox/mail?direction=%00", "Host: a")]
  ]
  for (const [name, status, bytes] of cases) {
    it.effect(`is answered in the shape of all errors: ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(refused(yield* exchange(bytes)), status)
      })
    )
  }

  it.effect("does not end up in the answer to the one before it", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const { caller } = yield* makeTokenHolder()
      const bytes = Buffer.alloc(900_000, "x")
      const file = yield* as(caller)(files.write({ fileName: "big.txt", bytes: Stream.make(bytes) }))
      const path = new URL(file.download_url).pathname
      const answer = yield* exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, "GARBAGE\r\n\r\n")
      const body = answer.slice(answer.indexOf("\r\n\r\n") + 4)
      assert.strictEqual(body.length, bytes.length)
      assert.match(body, /^x+$/)
    })
  )

  it.effect("of a token that does not hold is pointed to an address of the gateway, beside the tools too", () =>
    Effect.gen(function* () {
      for (const path of ["/rest/v1/tools"]) {
        const { json } = yield* send(path, { token: "nonsense" })
        assert.deepInclude(json, { documentation: "http://gateway.test/SKILL.md" })
      }
    })
  )

  it.effect("with a file's longest name still finds the file", () =>
    Effect.gen(function* () {
      const files = yield* CustomerFiles
      const { caller } = yield* makeTokenHolder()
      const fileName = `${"漢".repeat(190)}.txt`
      const file = yield* as(caller)(files.write({ fileName, bytes: Stream.make(Buffer.from("hello")) }))
      const answer = yield* send(new URL(file.download_url).pathname)
      assert.deepStrictEqual([answer.status, answer.text], [200, "hello"])
    })
  )
})
