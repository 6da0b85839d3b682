import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { doctorChecks, migrations } from "../../src/Layers/App.ts"
import { checkImap, checkSmtp } from "../../src/Layers/Mail/MailChecks.ts"
import { wrongSetting } from "../../src/Layers/Platform/Environment.ts"
import { type Check, runChecks } from "../../src/Layers/Platform/Operators/Check.ts"
import { checkDisk, checkPort } from "../../src/Layers/Platform/Operators/MachineChecks.ts"
import { checkProgram } from "../../src/Layers/Platform/Operators/ProgramCheck.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { checkCredentials, checkOAuthClient } from "../../src/Layers/Platform/Outbound/ProviderCheck.ts"
import { makeDatabaseChecks } from "../../src/Layers/Platform/Postgres/DatabaseChecks.ts"
import { checkMailDomain } from "../../src/Layers/SenderDomains/SenderDomainChecks.ts"
import { passed } from "../../src/Services/Core/Outside/CheckResult.ts"
import type { Dns, DnsAnswer } from "../../src/Services/Outbound/Dns.ts"
import { localImap } from "../support/channels/MailFixtures.ts"
import { freePort } from "../support/processes/GatewayProcess.ts"
import { localMailbox } from "../support/providers/LocalMailbox.ts"
import { localSmtpServer } from "../support/providers/LocalSmtpServer.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { testDatabaseUrl } from "../support/TestDatabase.ts"

const withEnvironment = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))

const resultsOf = (checks: ReadonlyArray<Check>, environment: Readonly<Record<string, string>> = {}) =>
  runChecks(checks).pipe(Effect.provide(OutboundHttpNode), withEnvironment(environment))

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "gateway-doctor-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

it.live("a check that hangs, breaks or has invalid settings does not keep the others from answering", () =>
  Effect.gen(function* () {
    const checks: ReadonlyArray<Check> = [
      { name: "hangs", run: Effect.never },
      { name: "breaks", run: Effect.die(new Error("secret-of-the-defect")) },
      { name: "invalid", run: Effect.fail(wrongSetting("PORT", "Expected a port")) },
      { name: "works", run: Effect.succeed(passed("Fine.")) }
    ]
    const results = yield* runChecks(checks, "100 millis").pipe(Effect.provide(OutboundHttpNode))
    assert.deepStrictEqual(
      results.map(({ name, status }) => [name, status]),
      [
        ["hangs", "failed"],
        ["breaks", "failed"],
        ["invalid", "skipped"],
        ["works", "ok"]
      ]
    )
    assert.include(results[2]?.detail, "PORT: Expected a port")
    assert.notInclude(JSON.stringify(results), "secret-of-the-defect")
  })
)

describe("the database", () => {
  const databaseResults = (environment: Readonly<Record<string, string>>, count = migrations.length) =>
    Effect.flatMap(
      makeDatabaseChecks(count, () => 2),
      (checks) => resultsOf(checks, environment)
    )

  it.scopedLive("that is migrated passes, and one that waits for migrations says so", () =>
    Effect.gen(function* () {
      const url = yield* testDatabaseUrl
      const byName = (results: Effect.Effect.Success<ReturnType<typeof databaseResults>>) =>
        Object.fromEntries(results.map(({ detail, name, status }) => [name, { detail, status }]))
      const results = byName(yield* databaseResults({ DATABASE_URL: url }))
      assert.strictEqual(results["database"]?.status, "ok", results["database"]?.detail)
      assert.strictEqual(results["database.extensions"]?.status, "ok")
      assert.strictEqual(results["database.tables"]?.status, "ok")
      const later = byName(yield* databaseResults({ DATABASE_URL: url }, migrations.length + 2))
      assert.deepInclude(later["database.tables"], { status: "warning", detail: "2 migrations wait." })
      const earlier = byName(yield* databaseResults({ DATABASE_URL: url }, migrations.length - 1))
      assert.strictEqual(earlier["database.tables"]?.status, "failed")
      const crowded = byName(yield* databaseResults({ DATABASE_URL: url, DATABASE_POOL_SIZE: "200" }))
      assert.strictEqual(crowded["database.sessions"]?.status, "warning")
    })
  )

  it.scopedLive("that does not answer fails once, without its password", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const results = yield* databaseResults({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/gateway` })
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        ["failed", "skipped", "skipped", "skipped", "skipped"]
      )
      assert.include(results[0]?.detail, "nothing listens there")
      assert.notInclude(JSON.stringify(results), "hunter2")
    })
  )

  it.scopedLive("that the first start creates is not created by the check", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const results = yield* databaseResults({ DATA_DIR: path.join(directory, "data") })
      for (const { status } of results) assert.strictEqual(status, "skipped")
      assert.deepStrictEqual(fs.readdirSync(directory), [])
    })
  )
})

describe("the machine", () => {
  it.scopedLive("shows whether the folder of the data can be written to", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const result = yield* checkDisk(path.join(directory, "not", "yet"))
      assert.include(result.detail, directory)
      assert.deepStrictEqual(fs.readdirSync(directory), [])
    })
  )

  it.scopedLive("shows who has the port", () =>
    Effect.gen(function* () {
      const free = yield* freePort
      assert.strictEqual((yield* checkPort("127.0.0.1", free, "PORT")).status, "ok")
      const gateway = yield* localHttpServer((_, response) => response.end(`{"server_version":"9.9.9"}`))
      assert.include((yield* checkPort("127.0.0.1", gateway.port, "PORT")).detail, "A gateway (9.9.9)")
      const other = yield* localHttpServer((_, response) => response.end("hello"))
      const result = yield* checkPort("127.0.0.1", other.port, "PORT")
      assert.strictEqual(result.status, "failed")
      assert.include(result.fix, "PORT")
      assert.strictEqual((yield* checkPort("192.0.2.1", free, "PORT")).status, "failed")
      assert.strictEqual((yield* checkPort("127.0.0.1", 0, "PORT")).status, "skipped")
    })
  )

  it.live("starts programs to see whether they run", () =>
    Effect.gen(function* () {
      const node = yield* checkProgram(process.execPath, ["--version"], "Mend it.")
      assert.deepStrictEqual(node, passed(`${process.execPath}: ${process.version}`))
      const broken = yield* checkProgram(process.execPath, ["--no-such-option"], "Mend it.")
      assert.deepInclude(broken, { status: "warning", fix: "Mend it." })
    })
  )
})

describe("mail servers", () => {
  const smtpOf = (port: number, password: string) => ({
    host: "127.0.0.1",
    port,
    isSecure: false,
    requireTls: false,
    user: "gateway",
    password: Redacted.make(password),
    connections: 1,
    filesSent: false
  })

  it.scopedLive("are signed in to, and no mail is sent", () =>
    Effect.gen(function* () {
      const server = yield* localSmtpServer()
      assert.strictEqual((yield* checkSmtp(smtpOf(server.port, "right"))).status, "ok")
      const refused = yield* checkSmtp(smtpOf(server.port, "hunter2"))
      assert.strictEqual(refused.status, "failed")
      assert.include(refused.fix, "password in SMTP_URL")
      assert.notInclude(JSON.stringify(refused), "hunter2")
      assert.isEmpty(server.messages)
      const nothing = yield* checkSmtp(smtpOf(yield* freePort, "right"))
      assert.strictEqual(nothing.status, "failed")
      assert.include(nothing.fix, "firewall")
    })
  )

  it.scopedLive("open the mailbox that is read", () =>
    Effect.gen(function* () {
      const { port } = yield* localMailbox
      const settings = (password: string, mailbox = "INBOX") =>
        localImap(port, { password: Redacted.make(password), mailbox })
      assert.strictEqual((yield* checkImap(settings("right"))).status, "ok")
      assert.strictEqual((yield* checkImap(settings("right", "No/Such"))).status, "failed")
      const refused = yield* checkImap(settings("hunter2"))
      assert.strictEqual(refused.status, "failed")
      assert.notInclude(JSON.stringify(refused), "hunter2")
    })
  )
})

describe("the records of the mail domain", () => {
  const answering = <A>(...records: ReadonlyArray<A>): DnsAnswer<A> => ({ _tag: "Found", records })
  const dnsOf = (zone: Partial<Record<"mx" | "txt" | "addresses", DnsAnswer<never>>> = {}): Dns["Type"] => ({
    mode: "live",
    mx: () => Effect.succeed(zone.mx ?? answering({ host: "mx.a.example", preference: 10 })),
    txt: () => Effect.succeed(zone.txt ?? answering("v=spf1 include:b.example ~all")),
    addresses: () => Effect.succeed(zone.addresses ?? answering("192.0.2.1"))
  })
  for (const [name, zone, status] of [
    ["all are there", {}, "ok"],
    ["there is no MX", { mx: { _tag: "NoRecords" } }, "failed"],
    ["the host of the MX has no address", { addresses: { _tag: "NoName" } }, "failed"],
    ["there is no SPF", { txt: { _tag: "NoRecords" } }, "warning"],
    ["name servers do not answer", { txt: { _tag: "Unavailable" } }, "failed"]
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const result = yield* checkMailDomain(dnsOf(zone), "a.example", "mx.a.example")
        assert.strictEqual(result.status, status, result.detail)
      })
    )
  }

  it.effect("an MX that leads elsewhere is a warning, since another provider may take the mail", () =>
    Effect.gen(function* () {
      const result = yield* checkMailDomain(dnsOf(), "a.example", "mx.other.example")
      assert.strictEqual(result.status, "warning")
      assert.include(result.detail, "mx.a.example")
    })
  )
})

describe("providers", () => {
  const Http = Layer.orDie(OutboundHttpNode)
  const serverOf = (status: number, body = "{}") =>
    localHttpServer((_, response) => response.writeHead(status, { "content-type": "application/json" }).end(body))

  for (const [status, expected] of [
    [200, "ok"],
    [401, "failed"],
    [403, "failed"],
    [404, "failed"],
    [429, "warning"],
    [500, "failed"]
  ] as const) {
    it.scopedLive(`that answer ${status} to the credentials: ${expected}`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* serverOf(status)
        const result = yield* checkCredentials({
          name: "language_model",
          baseUrl: url,
          headers: { authorization: "Bearer hunter2" },
          request: { method: "GET", path: "/models/m" },
          setting: "LANGUAGE_MODEL_API_KEY",
          subject: "LANGUAGE_MODEL"
        })
        assert.strictEqual(result.status, expected, result.detail)
        assert.deepStrictEqual(requests, ["GET /models/m"])
        assert.notInclude(JSON.stringify(result), "hunter2")
      }).pipe(Effect.provide(Http))
    )
  }

  for (const [status, body, expected] of [
    [400, `{"error":"invalid_grant"}`, "ok"],
    [401, `{"error":"invalid_client"}`, "failed"],
    [400, `{"error":"unauthorized_client"}`, "failed"],
    [400, `{"error":"invalid_request"}`, "warning"],
    [503, "{}", "failed"]
  ] as const) {
    it.scopedLive(`whose token endpoint answers ${body} to the client: ${expected}`, () =>
      Effect.gen(function* () {
        const { url } = yield* serverOf(status, body)
        const result = yield* checkOAuthClient({
          tokenUrl: `${url}/token`,
          clientId: "app",
          clientSecret: Redacted.make("hunter2"),
          setting: "CALENDAR_CLIENT_ID"
        })
        assert.strictEqual(result.status, expected, result.detail)
        assert.notInclude(JSON.stringify(result), "hunter2")
      }).pipe(Effect.provide(Http))
    )
  }
})

it.scopedLive("without any setting nothing fails but what the machine lacks, and every name is unique", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const port = yield* freePort
    const results = yield* Effect.flatMap(doctorChecks, (checks) =>
      resultsOf(checks, { DATA_DIR: directory, PORT: `${port}` })
    )
    assert.deepStrictEqual(
      results.filter(({ name, status }) => status === "failed" && name !== "disk"),
      []
    )
    assert.strictEqual(new Set(results.map(({ name }) => name)).size, results.length)
    for (const { fix, status } of results)
      assert.strictEqual(fix === undefined, status === "ok" || status === "skipped")
  })
)
