import * as http from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { FaultTools, secretOfDefect } from "../../support/checks/FaultTools.ts"
import { makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

const prefixes = ["/rest/v1", "/api/v1"] as const

const Refusal = Schema.Struct({
  error: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  detail: Schema.NonEmptyString
})
const refusalOf = Schema.decodeUnknownSync(Refusal, { onExcessProperty: "error" })

const ToolErrorBody = Schema.Struct({
  error: Schema.NonEmptyString,
  type: Schema.NonEmptyString,
  reason: Schema.String.pipe(Schema.pattern(/^[a-z0-9_]+$/)),
  detail: Schema.NonEmptyString
})
const toolErrorOf = Schema.decodeUnknownSync(ToolErrorBody)

/** Sends a request with the path exactly as written, which `fetch` does not guarantee. */
const sendRaw = (options: http.RequestOptions, body?: string) =>
  Effect.gen(function* () {
    const { host, port } = yield* ServerAddress
    return yield* Effect.async<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resume) => {
      const request = http.request({ host, port, agent: false, ...options }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString("utf8")
            })
          )
        )
      })
      request.on("error", (error) => resume(Effect.die(error)))
      request.end(body)
    })
  })

layer(testServer(FaultTools), { excludeTestServices: true })("HTTP contract", (it) => {
  for (const prefix of prefixes) {
    const post = (token: string, name: string, body?: string | Uint8Array) =>
      send(`${prefix}/tools/${name}`, { method: "POST", token, ...(body === undefined ? {} : { body }) })

    it.effect(`${prefix}: a missing, empty, {} or null body means no arguments`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        for (const body of [undefined, "", "  ", "{}", "null"]) {
          const answer = yield* post(token, "write_something", body)
          assert.strictEqual(answer.status, 400)
          assert.strictEqual(refusalOf(answer.json).type, "MissingParameter")
        }
      })
    )

    it.effect(`${prefix}: a call answers the tool's own JSON`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const answer = yield* post(token, "write_something", '{"name":1.10,"count":"3"}')
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.text, '{"name":"1.10","count":3,"page":0}')
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      })
    )

    const refusals: ReadonlyArray<readonly [what: string, body: string | Uint8Array, type: string]> = [
      ["broken JSON", '{"name":', "JsonException"],
      ["two documents", "{}{}", "JsonException"],
      ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "JsonException"],
      ["a list", "[1]", "InvalidRequestBody"],
      ["a string", '"name"', "InvalidRequestBody"],
      ["a number", "12", "InvalidRequestBody"],
      ["a duplicate key", '{"name":"a","name":"a"}', "InvalidRequestBody"],
      ["an unknown parameter", '{"name":"a","nam":"b"}', "UnknownParameter"],
      ["__proto__ as a parameter", '{"name":"a","__proto__":"b"}', "UnknownParameter"],
      ["a missing parameter", '{"count":1}', "MissingParameter"],
      ["a fraction for an integer", '{"name":"a","count":3.7}', "ParameterTypeMismatch"],
      ["an object for a text", '{"name":{}}', "ParameterTypeMismatch"],
      ["a list for a text", '{"name":[]}', "ParameterTypeMismatch"],
      ["null for a required parameter", '{"name":null}', "ParameterTypeMismatch"],
      ["null for a parameter with a default", '{"name":"a","page":null}', "ParameterTypeMismatch"]
    ]
    for (const [what, body, type] of refusals) {
      it.effect(`${prefix}: ${what} is refused as ${type}`, () =>
        Effect.gen(function* () {
          const { token } = yield* makeTokenHolder()
          const answer = yield* post(token, "write_something", body)
          assert.strictEqual(answer.status, 400)
          assert.strictEqual(refusalOf(answer.json).type, type)
          if (type === "UnknownParameter" || type === "MissingParameter") {
            assert.include(refusalOf(answer.json).detail, "name, count, page")
          }
        })
      )
    }

    it.effect(`${prefix}: null is accepted for an optional parameter without a default`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const answer = yield* post(token, "write_something", '{"name":"a","count":null}')
        assert.deepStrictEqual(answer.json, { name: "a", count: null, page: 0 })
      })
    )

    it.effect(`${prefix}: values that convert but break the tool's bounds are the tool's own refusal`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        for (const body of ['{"name":"a","count":6}', '{"name":"a","page":-1}', '{"name":"longer than ten"}']) {
          const answer = yield* post(token, "write_something", body)
          assert.strictEqual(answer.status, prefix === "/rest/v1" ? 422 : 200)
          assert.strictEqual(toolErrorOf(answer.json).type, "Refused")
        }
      })
    )

    it.effect(`${prefix}: an upper-cased or misspelt name is 404 with the right name`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        for (const name of ["WRITE_SOMETHING", "write_somethin", "write-something"]) {
          const answer = yield* post(token, name, "{}")
          assert.strictEqual(answer.status, 404)
          const refusal = refusalOf(answer.json)
          assert.strictEqual(refusal.type, "UnknownTool")
          assert.include(refusal.detail, "write_something")
        }
      })
    )

    it.effect(`${prefix}: a percent-encoded name is decoded, a badly encoded one unknown`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const headers = { authorization: `Bearer ${token}` }
        const good = yield* sendRaw({ path: `${prefix}/call/fail_not%5ffound`, headers })
        assert.strictEqual(good.status, prefix === "/rest/v1" ? 404 : 200)
        assert.include(good.text, "lead_not_found")
        const bad = yield* sendRaw({ path: `${prefix}/call/fail_not%zzfound`, headers })
        assert.strictEqual(bad.status, 404)
        assert.strictEqual(refusalOf(JSON.parse(bad.text)).type, "UnknownTool")
      })
    )

    it.effect(`${prefix}: GET on a writing tool is 405 NotReadOnly with Allow`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const answer = yield* send(`${prefix}/call/write_something?name=a`, { token })
        assert.strictEqual(answer.status, 405)
        assert.strictEqual(refusalOf(answer.json).type, "NotReadOnly")
        assert.strictEqual(answer.headers.get("allow"), "POST")
      })
    )

    it.effect(`${prefix}: wrong verbs are 405 with Allow, OPTIONS tells it, HEAD answers without a body`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        for (const [path, allow] of [
          ["/tools", "GET, HEAD, OPTIONS"],
          ["/tools/write_something", "GET, HEAD, POST, OPTIONS"],
          ["/call/fail_refused", "GET, HEAD, OPTIONS"]
        ] as const) {
          const wrong = yield* send(`${prefix}${path}`, { method: "DELETE", token })
          assert.strictEqual(wrong.status, 405)
          assert.strictEqual(refusalOf(wrong.json).type, "MethodNotAllowed")
          assert.strictEqual(wrong.headers.get("allow"), allow)
          const options = yield* send(`${prefix}${path}`, { method: "OPTIONS" })
          assert.strictEqual(options.status, 204)
          assert.strictEqual(options.headers.get("allow"), allow)
          const get = yield* send(`${prefix}${path}`, { token })
          const head = yield* send(`${prefix}${path}`, { method: "HEAD", token })
          assert.strictEqual(head.status, get.status)
          assert.strictEqual(head.text, "")
          assert.strictEqual(head.headers.get("content-length"), `${Buffer.byteLength(get.text)}`)
        }
      })
    )

    it.effect(`${prefix}: unknown paths and a trailing slash are 404 UnknownRoute`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        for (const path of ["", "/", "/tools/", "/tools/a/b", "/call/", "/call", "/nothing", "//tools", "/TOOLS"]) {
          const answer = yield* sendRaw({ path: `${prefix}${path}`, headers: { authorization: `Bearer ${token}` } })
          assert.strictEqual(answer.status, 404, path)
          assert.strictEqual(refusalOf(JSON.parse(answer.text)).type, "UnknownRoute")
        }
      })
    )

    it.effect(`${prefix}: query strings: repeated and unknown parameters, bad encoding, parameters on a POST`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const headers = { authorization: `Bearer ${token}` }
        for (const [path, method, type] of [
          ["/call/fail_refused?a=1&a=1", "GET", "ParameterTypeMismatch"],
          ["/call/fail_refused?a=1", "GET", "UnknownParameter"],
          ["/call/fail_refused?a=%ff", "GET", "ParameterTypeMismatch"],
          ["/tools/fail_refused?a=1", "POST", "UnknownParameter"]
        ] as const) {
          const answer = yield* sendRaw({ path: `${prefix}${path}`, method, headers })
          assert.strictEqual(answer.status, 400, path)
          assert.strictEqual(refusalOf(JSON.parse(answer.text)).type, type)
        }
      })
    )

    it.effect(`${prefix}: without a good token every route is 401 with its three fields`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const flipped = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a")
        for (const path of ["/tools", "/tools/fail_refused", "/call/fail_refused", "/nothing"]) {
          for (const headers of [
            {},
            { Authorization: token },
            { Authorization: "Basic abc" },
            { Authorization: "Bearer " },
            { Authorization: "Bearer pgw_short" },
            { Authorization: `Bearer ${flipped}` }
          ]) {
            const answer = yield* send(`${prefix}${path}`, { headers })
            assert.strictEqual(answer.status, 401)
            assert.hasAllKeys(answer.json, ["error", "how_to_fix", "documentation"])
            assert.propertyVal(answer.json, "documentation", "http://gateway.test/SKILL.md")
            assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer/)
            assert.notInclude(answer.text, token.slice(4))
          }
        }
      })
    )

    it.effect(`${prefix}: every answer carries X-Request-Id, the caller's own where usable`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const withOwnId = yield* send(`${prefix}/call/fail_refused`, { token, headers: { "X-Request-Id": "abc-1" } })
        assert.strictEqual(withOwnId.headers.get("x-request-id"), "abc-1")
        for (const path of ["/tools", "/call/fail_refused", "/nothing"]) {
          const answer = yield* send(`${prefix}${path}`, { token, headers: { "X-Request-Id": "not usable\t!" } })
          assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        }
      })
    )

    it.effect(`${prefix}: a body over the limit is 413, announced or not`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const headers = { authorization: `Bearer ${token}` }
        const path = `${prefix}/tools/write_something`
        const large = JSON.stringify({ name: "x".repeat(200_000) })
        const announced = yield* sendRaw(
          { path, method: "POST", headers: { ...headers, "content-length": Buffer.byteLength(large) } },
          large
        )
        const chunked = yield* sendRaw(
          { path, method: "POST", headers: { ...headers, "transfer-encoding": "chunked" } },
          large
        )
        for (const answer of [announced, chunked]) {
          assert.strictEqual(answer.status, 413)
          assert.strictEqual(refusalOf(JSON.parse(answer.text)).type, "InvalidRequestBody")
        }
      })
    )

    it.effect(`${prefix}: a compressed body is 415`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const answer = yield* send(`${prefix}/tools/write_something`, {
          method: "POST",
          token,
          body: "{}",
          headers: { "Content-Encoding": "gzip" }
        })
        assert.strictEqual(answer.status, 415)
        assert.strictEqual(refusalOf(answer.json).type, "InvalidRequestBody")
      })
    )

    const statuses: ReadonlyArray<readonly [tool: string, type: string, reason: string, rest: number]> = [
      ["fail_not_found", "NotFound", "lead_not_found", 404],
      ["fail_refused", "Refused", "lead_unsubscribed", 422],
      ["fail_plan", "PlanRequired", "paid_plan_required", 403],
      ["fail_transient", "Transient", "crm_unavailable", 503],
      ["fail_permanent", "Permanent", "file_unreadable", 500]
    ]
    for (const [tool, type, reason, status] of statuses) {
      it.effect(`${prefix}: ${type} answers ${prefix === "/rest/v1" ? status : 200}`, () =>
        Effect.gen(function* () {
          const { token } = yield* makeTokenHolder("free_trial")
          const answer = yield* send(`${prefix}/call/${tool}`, { token })
          assert.strictEqual(answer.status, prefix === "/rest/v1" ? status : 200)
          assert.deepInclude(toolErrorOf(answer.json), { type, reason })
          if (type === "Transient") {
            assert.propertyVal(answer.json, "retry_after_seconds", 7)
            assert.strictEqual(answer.headers.get("retry-after"), prefix === "/rest/v1" ? "7" : null)
          }
          const other = prefix === "/rest/v1" ? "/api/v1" : "/rest/v1"
          assert.strictEqual((yield* send(`${other}/call/${tool}`, { token })).text, answer.text)
        })
      )
    }

    it.effect(`${prefix}: a defect is 500 and shows nothing of itself`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const answer = yield* send(`${prefix}/call/fail_defect`, { token, headers: { "X-Request-Id": "defect-1" } })
        assert.strictEqual(answer.status, 500)
        assert.deepInclude(toolErrorOf(answer.json), { type: "Permanent", reason: "internal_error" })
        assert.include(answer.text, "defect-1")
        for (const secret of [secretOfDefect, "select", "FaultTools", " at "]) assert.notInclude(answer.text, secret)
      })
    )

    it.effect(`${prefix}: the catalog lists every tool, and each by itself is the same object`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const list = yield* send(`${prefix}/tools`, { token })
        const Listing = Schema.Struct({
          version: Schema.Literal("v1"),
          server_version: Schema.NonEmptyString,
          tool_count: Schema.Literal(7),
          tools: Schema.Array(Schema.Struct({ name: Schema.String }, { key: Schema.String, value: Schema.Unknown }))
        })
        const { tools } = Schema.decodeUnknownSync(Listing)(list.json)
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          FaultTools.entries.map(({ tool }) => tool.name)
        )
        for (const tool of tools) {
          const one = yield* send(`${prefix}/tools/${tool.name}`, { token })
          assert.deepStrictEqual(one.json, tool)
        }
      })
    )
  }

  it.effect("paths outside the prefixes have the same error shape, and need no token", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/rest", "/rest/v2/tools", "/rest/v1x", "/health", "/health/live/"]) {
        const answer = yield* sendRaw({ path })
        assert.strictEqual(answer.status, 404, path)
        assert.strictEqual(refusalOf(JSON.parse(answer.text)).type, "UnknownRoute")
        assert.exists(answer.headers["x-request-id"])
      }
      const wrong = yield* send("/health/live", { method: "POST" })
      assert.strictEqual(wrong.status, 405)
      assert.strictEqual(wrong.headers.get("allow"), "GET, HEAD, OPTIONS")
      assert.strictEqual((yield* send("/health/live", { method: "HEAD" })).status, 200)
    })
  )

  it.effect("health, documents and metrics answer without a token", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      yield* send("/rest/v1/call/fail_refused", { token })
      assert.propertyVal((yield* send("/health/live")).json, "status", "live")
      assert.deepInclude((yield* send("/health/ready")).json, { status: "ready", database: "up" })
      assert.propertyVal((yield* send("/openapi.json")).json, "openapi", "3.1.0")
      assert.include((yield* send("/SKILL.md")).text, "write_something")
      assert.include((yield* send("/SKILL/faults.md")).text, "## write_something")
      assert.strictEqual((yield* send("/SKILL/nothing.md")).status, 404)
      const metrics = yield* send("/metrics")
      assert.match(metrics.text, /gateway_tool_calls_total\{tool="fail_refused",outcome="Refused"\} \d+/)
    })
  )

  it.effect("a request that is no HTTP gets an answer in the gateway's shape", () =>
    Effect.gen(function* () {
      const answer = yield* sendRaw({ path: "/rest/v1/tools", headers: { "x-large": "x".repeat(20_000) } })
      assert.strictEqual(answer.status, 431)
      assert.strictEqual(refusalOf(JSON.parse(answer.text)).type, "InvalidRequestBody")
    })
  )
})
