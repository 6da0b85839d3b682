import type { RequestListener } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema, Stream } from "effect"
import { CustomerFilesPostgres } from "../../src/Layers/Files/CustomerFilesPostgres.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { OutboundPolicy } from "../../src/Layers/Platform/Outbound/OutboundPolicy.ts"
import { CustomerFiles, CustomerFileView, UploadLimit } from "../../src/Services/Files/CustomerFiles.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { CustomerFilesGroup } from "../../src/Tools/Files/CustomerFiles.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([CustomerFilesGroup])

const LoopbackAllowed = Layer.effect(
  OutboundPolicy,
  Effect.map(OutboundPolicy, (policy) => ({ ...policy, allowLoopback: true }))
)
const TestLayer = Layer.mergeAll(CustomerFilesPostgres, OutboundHttpNode.pipe(Layer.provide(LoopbackAllowed))).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provide(TestSettings)
)

const upload = (args: object) =>
  Effect.map(answerOf(catalog, "upload_customer_file", args), Schema.decodeUnknownSync(CustomerFileView))
const refusedUpload = (args: object) => Effect.flip(callTool(catalog, "upload_customer_file", args))

const contentOf = (view: CustomerFileView) =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const chunks = yield* Stream.runCollect(files.read(view.customer_file_id))
    return Buffer.concat([...chunks]).toString("utf8")
  })

const answering =
  (status: number, body: string, headers: { readonly [name: string]: string } = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

layer(TestLayer, { excludeTestServices: true })("the Customer files tools", (it) => {
  it.effect("text is uploaded, described, listed and removed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const view = yield* me(upload({ file_name: "contatos.csv", text: "nome,email\nJoão,j@a.com\n" }))
      assert.deepInclude(view, { file_name: "contatos.csv", media_type: "text/csv", size_bytes: 25 })
      assert.strictEqual(yield* me(contentOf(view)), "nome,email\nJoão,j@a.com\n")
      const { customer_file_id } = view
      assert.deepStrictEqual(yield* me(answerOf(catalog, "get_customer_file", { customer_file_id })), view)
      assert.deepStrictEqual(yield* me(answerOf(catalog, "list_customer_files")), {
        customer_files: [view],
        page: 0,
        page_size: 20,
        total: 1
      })
      assert.deepStrictEqual(yield* me(answerOf(catalog, "remove_customer_file", { customer_file_id })), {
        ...view,
        removed: true
      })
      const failure = yield* Effect.flip(me(callTool(catalog, "get_customer_file", { customer_file_id })))
      assert.deepInclude(failure, { _tag: "NotFound", reason: "customer_file_not_found" })
    })
  )

  it.effect("Base64 is taken as it is prescribed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const view = yield* me(upload({ file_name: "a.pdf", content_base64: "JVBERi0xLjc=" }))
      assert.deepInclude(view, { media_type: "application/pdf", size_bytes: 8 })
      assert.strictEqual(yield* me(contentOf(view)), "%PDF-1.7")
    })
  )

  it.effect("Base64 in any other way is refused", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const wrong = [
        "JVBERi0xLjc",
        "JVBERi0xLjc==",
        "JVBE Ri0xLjc=",
        "JVBERi0x\nLjc=",
        "data:application/pdf;base64,JVBERi0xLjc=",
        "-_-_",
        "JVBERi0xLjd=",
        "%%%%"
      ]
      for (const content_base64 of wrong) {
        const failure = yield* me(refusedUpload({ file_name: "a.pdf", content_base64 }))
        assert.deepInclude(failure, { _tag: "Refused", reason: "content_not_base64" }, content_base64)
      }
    })
  )

  it.effect("none and several of the three contents are refused, and so is an empty one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{}, "file_content_missing"],
        [{ text: null, url: null }, "file_content_missing"],
        [{ text: "a", content_base64: "YQ==" }, "file_content_ambiguous"],
        [{ text: "", url: "https://example.com/a.csv" }, "file_content_ambiguous"],
        [{ text: "" }, "file_empty"],
        [{ content_base64: "" }, "file_empty"]
      ]
      for (const [content, reason] of cases) {
        const failure = yield* me(refusedUpload({ file_name: "a.csv", ...content }))
        assert.deepInclude(failure, { _tag: "Refused", reason })
      }
    })
  )

  it.effect("a file over the limit is refused, however it comes", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const server = yield* localHttpServer(answering(200, "x".repeat(101)))
      for (const content of [
        { text: "x".repeat(101) },
        { content_base64: Buffer.alloc(101).toString("base64") },
        { url: server.url }
      ]) {
        const failure = yield* me(refusedUpload({ file_name: "a.csv", ...content }))
        assert.deepInclude(failure, { _tag: "Refused", reason: "file_too_large", fields: { maximum_bytes: 100 } })
      }
      yield* me(upload({ file_name: "a.csv", text: "x".repeat(100) }))
    }).pipe(Effect.provideService(UploadLimit, 100), Effect.scoped)
  )

  it.effect("a URL is fetched, and its content told from the bytes, not from what the host says", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const server = yield* localHttpServer(answering(200, "%PDF-1.7", { "Content-Type": "text/csv" }))
      const view = yield* me(upload({ file_name: "a.csv", url: `${server.url}/a.csv?token=1` }))
      assert.deepInclude(view, { media_type: "application/pdf", size_bytes: 8 })
      assert.deepStrictEqual(server.requests, ["GET /a.csv?token=1"])
    }).pipe(Effect.scoped)
  )

  it.effect("no transaction is open while the URL answers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      let answer = () => {}
      let came = () => {}
      const hasCome = new Promise<void>((resolve) => {
        came = resolve
      })
      const server = yield* localHttpServer((_, response) => {
        answer = () => void response.end("content")
        came()
      })
      const inTransaction = sql<{ readonly sessions: number }>`
        select count(*) as sessions from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`
      const fiber = yield* Effect.fork(me(upload({ file_name: "a.txt", url: server.url })))
      yield* Effect.promise(() => hasCome)
      assert.deepStrictEqual(yield* inTransaction, [{ sessions: 0 }])
      answer()
      yield* Fiber.join(fiber)
    }).pipe(Effect.scoped)
  )

  it.effect("what the host answers decides between refusal and trouble that passes", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const cases: ReadonlyArray<readonly [number, "Refused" | "Transient", string]> = [
        [404, "Refused", "url_answered_error"],
        [403, "Refused", "url_answered_error"],
        [204, "Refused", "url_answered_error"],
        [429, "Transient", "url_host_unavailable"],
        [503, "Transient", "url_host_unavailable"]
      ]
      for (const [status, _tag, reason] of cases) {
        const server = yield* localHttpServer(answering(status, ""))
        const failure = yield* me(refusedUpload({ file_name: "a.csv", url: server.url }))
        assert.deepInclude(failure, { _tag, reason })
      }
    }).pipe(Effect.scoped)
  )

  it.effect("URLs that are not to be fetched are refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const redirecting = yield* localHttpServer(answering(302, "", { Location: "https://example.com/" }))
      const cases: ReadonlyArray<readonly [string, string]> = [
        ["http://169.254.169.254/latest/meta-data/", "address_not_public"],
        ["https://10.0.0.1/", "address_not_public"],
        ["https://user:pass@example.com/", "url_has_credentials"],
        ["ftp://example.com/a.csv", "url_not_https"],
        ["contacts.csv", "url_invalid"],
        [redirecting.url, "redirect_to_other_host"]
      ]
      for (const [url, reason] of cases) {
        const failure = yield* me(refusedUpload({ file_name: "a.csv", url }))
        assert.deepInclude(failure, { _tag: "Refused", reason }, url)
      }
      assert.deepInclude(yield* me(answerOf(catalog, "list_customer_files")), { total: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("a host that breaks off half-way is passing trouble, and nothing is stored", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const server = yield* localHttpServer((request, response) => {
        response.writeHead(200, { "Content-Length": 1_000_000 })
        response.write("half", () => request.socket.destroy())
      })
      const failure = yield* me(refusedUpload({ file_name: "a.csv", url: server.url }))
      assert.deepInclude(failure, { _tag: "Transient", reason: "outside_service_connection_failed" })
      assert.deepInclude(yield* me(answerOf(catalog, "list_customer_files")), { total: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("a name that nothing is left of is refused", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const failure = yield* me(refusedUpload({ file_name: "../..", text: "a" }))
      assert.deepInclude(failure, { _tag: "Refused", reason: "file_name_unusable" })
    })
  )
})
