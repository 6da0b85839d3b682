import * as http from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { send, testGateway } from "../../support/servers/TestServer.ts"

interface Raw {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** `fetch` asks for compression and undoes it, so that a test could not see it. */
const get = (path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") =>
  Effect.flatMap(ServerAddress, ({ host, port }) =>
    Effect.async<Raw>((resume) => {
      const request = http.request({ host, port, path, headers, method, agent: false }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resume(
            Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
          )
        )
      })
      request.on("error", (error) => resume(Effect.die(error)))
      request.end()
    })
  )

layer(testGateway(), { excludeTestServices: true })("documents", (it) => {
  for (const path of ["/openapi.json", "/SKILL.md", "/SKILL/leads.md"]) {
    it.effect(`${path} is sent in the best encoding that the client accepts`, () =>
      Effect.gen(function* () {
        const plain = yield* get(path)
        assert.isUndefined(plain.headers["content-encoding"])
        const br = yield* get(path, { "accept-encoding": "gzip, br" })
        const gzip = yield* get(path, { "accept-encoding": "gzip, br;q=0" })
        assert.deepStrictEqual([br.headers["content-encoding"], gzip.headers["content-encoding"]], ["br", "gzip"])
        assert.isTrue(brotliDecompressSync(br.body).equals(plain.body))
        assert.isTrue(gunzipSync(gzip.body).equals(plain.body))
        assert.isBelow(br.body.length, gzip.body.length)
        assert.isBelow(gzip.body.length * 2, plain.body.length)
        for (const { body, headers } of [plain, br, gzip]) {
          assert.strictEqual(headers["content-length"], String(body.length))
          assert.strictEqual(headers["vary"], "Accept-Encoding")
          assert.strictEqual(headers["cache-control"], "public, no-cache")
        }
        // One tag for each encoding, since the bytes differ.
        assert.strictEqual(new Set([plain, br, gzip].map(({ headers }) => headers["etag"])).size, 3)
      })
    )

    it.effect(`${path} is not sent again to a client that has it`, () =>
      Effect.gen(function* () {
        const accepted = { "accept-encoding": "br" }
        const { headers } = yield* get(path, accepted)
        const etag = headers["etag"] ?? assert.fail("no tag")
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const unchanged = yield* get(path, { ...accepted, "if-none-match": tags })
          assert.deepStrictEqual([unchanged.status, unchanged.body.length], [304, 0], tags)
          assert.strictEqual(unchanged.headers["etag"], etag)
          assert.exists(unchanged.headers["x-request-id"])
        }
        const changed = yield* get(path, { ...accepted, "if-none-match": '"other"' })
        assert.strictEqual(changed.status, 200)
        const head = yield* get(path, accepted, "HEAD")
        assert.deepStrictEqual([head.status, head.body.length, head.headers["etag"]], [200, 0, etag])
      })
    )
  }

  it.effect("every answer forbids guessing its type, and text has its charset", () =>
    Effect.gen(function* () {
      for (const [path, method] of [
        ["/openapi.json", "GET"],
        ["/SKILL.md", "GET"],
        ["/SKILL/nothing.md", "GET"],
        ["/health/live", "GET"],
        ["/health/ready", "GET"],
        ["/health/live", "POST"],
        ["/metrics", "GET"],
        ["/nothing", "GET"],
        ["/%ff", "GET"],
        ["/mcp", "GET"],
        ["/mcp", "POST"],
        ["/mcp", "OPTIONS"],
        ["/.well-known/oauth-authorization-server", "GET"],
        ["/.well-known/oauth-protected-resource", "GET"],
        ["/oauth/authorize", "GET"],
        ["/oauth/token", "POST"],
        ["/u/nothing", "GET"],
        ["/files/nothing/nothing", "GET"],
        ["/rest/v1/tools", "GET"],
        ["/rest/v1/tools", "OPTIONS"],
        ["/api/v1/nothing", "GET"]
      ] as const) {
        const { headers } = yield* send(path, { method })
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", `${method} ${path}`)
        const type = headers.get("content-type")
        if (type !== null)
          assert.match(type, /^(?:application\/json|text\/[a-z]+);.*charset=utf-8$/, `${method} ${path}`)
      }
    })
  )
})
