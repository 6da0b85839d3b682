import { createHash } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { callOver, ownerToken, startGateway, temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

const Attribute = Schema.Struct({
  key: Schema.String,
  value: Schema.Struct({
    stringValue: Schema.optional(Schema.NullOr(Schema.String)),
    intValue: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)))
  })
})
const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  name: Schema.String,
  attributes: Schema.Array(Attribute)
})
const Batch = Schema.parseJson(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
    )
  })
)

const attribute = (span: typeof Span.Type, key: string): string | undefined => {
  const value = span.attributes.find((candidate) => candidate.key === key)?.value
  const scalar = value?.stringValue ?? value?.intValue
  return scalar === undefined || scalar === null ? undefined : String(scalar)
}

/** A collector that keeps what it is sent. */
const collector = Effect.gen(function* () {
  const bodies: Array<string> = []
  const server = yield* localHttpServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString("utf8"))
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  const spans = Effect.map(
    Effect.forEach(bodies, (body) => Schema.decode(Batch)(body)),
    (batches) =>
      batches.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      )
  )
  return { url: server.url, bodies, spans: Effect.suspend(() => spans) }
})

/** What stands in the place of a page's token. */
const secretPath = "a-secret-that-opens-a-page"

const prospect = { name: "Zuleica Prospecta", email: "zuleica@prospecta.example", phone: "+5511987650011" }

it.scopedLive(
  "spans tell tool, account, outcome and statements; neither they nor the log tell secrets or persons",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const databaseUrl = yield* testDatabaseUrl
      const { bodies, spans, url } = yield* collector
      const scope = yield* Scope.make()
      const gateway = yield* Scope.extend(
        startGateway(dataDir, {
          DATABASE_URL: databaseUrl,
          LOG_LEVEL: "All",
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          TRACE_SAMPLE_RATIO: "1"
        }),
        scope
      )
      const token = yield* ownerToken(dataDir)
      const registered = yield* callOver(gateway, token, "register_lead", prospect)
      assert.strictEqual(registered.status, 200)
      // Refused, missing, not convertible, without a token, and with one that was never given out.
      yield* callOver(gateway, token, "register_lead", { ...prospect, email: `${prospect.email}@twice` })
      yield* callOver(gateway, token, "get_lead", { lead_id: 987_654_321 })
      yield* callOver(gateway, token, "get_lead", { lead_id: prospect.name })
      yield* callOver(gateway, token, "search_leads", { query: prospect.name })
      yield* callOver(gateway, `${token.slice(0, -1)}0`, "search_leads", { query: prospect.name })
      yield* Effect.promise(() => fetch(`${gateway.baseUrl}/u/${secretPath}`))
      yield* Effect.promise(() => fetch(`${gateway.baseUrl}/health/ready`))
      yield* Scope.close(scope, Exit.void)

      const all = yield* spans
      const calls = all.filter(({ name }) => name.startsWith("tool "))
      assert.sameMembers(
        calls.map((span) => `${attribute(span, "tool.name")} ${attribute(span, "tool.outcome")}`),
        [
          "register_lead Success",
          "register_lead Refused",
          "get_lead NotFound",
          "get_lead RequestRefused",
          "search_leads Success"
        ]
      )
      for (const call of calls) {
        assert.strictEqual(attribute(call, "account.id"), "1")
        assert.isNotEmpty(attribute(call, "request.id"))
        const server = all.find(({ spanId }) => spanId === call.parentSpanId)
        assert.include(server?.name, "/rest/v1")
        assert.strictEqual(attribute(call, "request.id"), server && attribute(server, "request.id"))
      }

      const byId = new Map(all.map((span) => [span.spanId, span]))
      const isUnder = (span: typeof Span.Type, ancestor: typeof Span.Type): boolean => {
        const parent = byId.get(span.parentSpanId ?? "")
        return parent !== undefined && (parent === ancestor || isUnder(parent, ancestor))
      }
      for (const call of calls.filter((span) => attribute(span, "tool.outcome") === "Success")) {
        const statements = all.filter(
          (span) => attribute(span, "db.operation.name") !== undefined && isUnder(span, call)
        )
        assert.isNotEmpty(statements, `${call.name} has its statements under it`)
      }
      const namesUnder = (tool: string) =>
        all.filter((span) => calls.some((call) => call.name === tool && isUnder(span, call))).map(({ name }) => name)
      assert.includeMembers(namesUnder("tool register_lead"), ["Leads.register", "INSERT lead"])
      assert.includeMembers(namesUnder("tool search_leads"), ["SELECT lead"])
      assert.deepStrictEqual(
        all.filter(({ name }) => name === "sql.execute"),
        []
      )

      // Every root of a trace is a request, or work that was there to do: a gateway that only looks around tells nothing.
      const roots = all.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "")
      const routes = new Map(roots.map((root) => [root.name, attribute(root, "http.route")]))
      const template = "/rest/v1/tools/{name}"
      assert.strictEqual(routes.get(`POST ${template}`), template)
      assert.strictEqual(routes.get("GET /u/:token"), "/u/:token")
      assert.notInclude(bodies.join("\n"), secretPath)
      const others = [...routes.keys()].filter((name) => !/^(?:GET|POST) \/|^task /.test(name))
      assert.deepStrictEqual(others, [], roots.map((root) => attribute(root, "db.query.text")).join("; "))
      assert.notInclude([...routes.keys()].join(), "/health")
      const looks = [...routes.keys()].filter((name) => /sweep|fold|restore|tend|embed_messages/.test(name))
      assert.deepStrictEqual(looks, [])

      // Where output is no terminal the token goes to its file alone; everything else is the log.
      const output = gateway.output()
      assert.notInclude(output, token)
      const log = output.split("\n").filter((line) => line.startsWith("{"))
      assert.isNotEmpty(log)
      for (const line of log) assert.isObject(JSON.parse(line), line)
      const told = `${bodies.join("\n")}\n${log.join("\n")}`
      const digest = createHash("sha256").update(token).digest()
      for (const secret of [token.slice(4), digest.toString("hex"), digest.toString("base64")]) {
        assert.notInclude(told, secret)
      }
      for (const personal of [...Object.values(prospect), "Zuleica", "zuleica", "987650011"]) {
        assert.notInclude(told, personal)
      }
    })
)
