import { request } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { AccountClosure } from "../../src/Services/Accounts/AccountClosure.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const Exported = Schema.Struct({ customer_file_id: Schema.Int, download_url: Schema.String })

const post = (token: string, path: string, args: object) =>
  send(path, { method: "POST", token, body: JSON.stringify(args) })

/** An account with an export of a person's data, and the path of its link. */
const exported = Effect.gen(function* () {
  const { caller, token } = yield* makeTokenHolder()
  const lead = { name: "Zulmira Prado", email: "zulmira@client.example" }
  assert.strictEqual((yield* post(token, "/rest/v1/tools/register_lead", lead)).status, 200)
  const answer = yield* post(token, "/platform/v1/tools/export_person", { email: lead.email })
  assert.strictEqual(answer.status, 200, answer.text)
  const file = yield* Schema.decodeUnknown(Exported)(answer.json)
  const { pathname } = new URL(file.download_url)
  const [, , key = "", name = ""] = pathname.split("/")
  return { caller, token, fileId: file.customer_file_id, path: pathname, key, name }
})

/** A request whose path is sent as it is: `fetch` would tidy it. */
const sendRaw = (path: string) =>
  Effect.flatMap(ServerAddress, ({ host, port }) =>
    Effect.async<{ readonly status: number; readonly text: string }>((resume) => {
      const sent = request({ host, port, path, method: "GET" }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resume(Effect.succeed({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }))
        )
      })
      sent.on("error", () => resume(Effect.succeed({ status: 0, text: "" })))
      sent.end()
    })
  )

/** Says what is not found, and nothing of what was exported. */
const assertNothing = ({ status, text }: { readonly status: number; readonly text: string }, what: string) => {
  assert.isTrue(status === 404 || status === 400, `${what}: ${status} ${text.slice(0, 200)}`)
  assert.notInclude(text, "zulmira", what)
}

layer(testGateway(), { excludeTestServices: true })("the link of an export", (it) => {
  it.effect("leads to what was exported, as a file that no browser runs", () =>
    Effect.gen(function* () {
      const { path } = yield* exported
      const answer = yield* send(path)
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment;/)
      assert.include(answer.headers.get("content-security-policy") ?? "", "sandbox")
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
    })
  )

  it.effect("cannot be guessed, nor reached by another form of its path", () =>
    Effect.gen(function* () {
      const { key, name } = yield* exported
      assert.isAtLeast(key.length, 22, "128 bits in Base64")
      const other = yield* exported
      assert.notStrictEqual(other.key, key)
      const last = key.endsWith("a") ? "b" : "a"
      const paths = [
        `/files/${key.slice(0, -1)}${last}/${name}`,
        `/files/${key.slice(0, -1)}/${name}`,
        `/files/${key}${last}/${name}`,
        `/files/${key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase()}/${name}`,
        `/files/${key}%00/${name}`,
        `/files/%25/${name}`,
        `/files/${"a".repeat(100)}/${name}`,
        `/files/${"a".repeat(101)}/${name}`,
        `/files/'%20or%20'1'='1/${name}`,
        `/files//${name}`,
        "/files/",
        "/files",
        `/files/..%2f..%2fetc%2fpasswd/${name}`,
        `/files/../../etc/passwd`,
        `/files/1/${name}`
      ]
      for (const path of paths) assertNothing(yield* sendRaw(path), path)
    })
  )

  it.effect("answers HEAD without the content, and a range with the whole file or a part of it", () =>
    Effect.gen(function* () {
      const { path } = yield* exported
      const whole = yield* send(path)
      const head = yield* send(path, { method: "HEAD" })
      assert.strictEqual(head.text, "")
      for (const range of ["bytes=0-3", "bytes=-4", "bytes=0-0,2-2", "bytes=9999999-", "bytes=5-2", "lines=1-2"]) {
        const answer = yield* send(path, { headers: { Range: range } })
        assert.include([200, 206, 416], answer.status, range)
        assert.isAtMost(answer.text.length, whole.text.length, range)
      }
      for (const method of ["POST", "PUT", "DELETE"]) {
        assert.include([404, 405], (yield* send(path, { method })).status, method)
      }
      assert.strictEqual((yield* send(path)).status, 200)
    })
  )

  it.effect("gives another account nothing: neither the link in a tool nor the number of the file", () =>
    Effect.gen(function* () {
      const { fileId } = yield* exported
      const { token } = yield* makeTokenHolder()
      for (const [tool, args] of [
        ["remove_customer_file", { customer_file_id: fileId }],
        ["import_leads", { customer_file_id: fileId }]
      ] as const) {
        const answer = yield* post(token, `/rest/v1/tools/${tool}`, args)
        assert.strictEqual(answer.status, 404, `${tool}: ${answer.text}`)
        assert.notInclude(answer.text, "zulmira")
      }
      const listed = yield* post(token, "/rest/v1/tools/list_customer_files", {})
      assert.notInclude(listed.text, 'download_url":"')
    })
  )

  it.effect("ends when its file is removed, and when its account is gone", () =>
    Effect.gen(function* () {
      const removed = yield* exported
      const args = { customer_file_id: removed.fileId }
      assert.strictEqual((yield* post(removed.token, "/rest/v1/tools/remove_customer_file", args)).status, 200)
      assertNothing(yield* send(removed.path), "a removed file")

      const sql = yield* SqlClient
      const { removeDue } = yield* AccountClosure
      const closing = yield* exported
      assert.strictEqual((yield* post(closing.token, "/platform/v1/tools/close_account", {})).status, 200)
      const { accountId } = closing.caller
      yield* sql`update account set closes_at = now() - interval '1 second' where account_id = ${accountId}`
      assert.strictEqual(yield* removeDue, 1)
      assertNothing(yield* send(closing.path), "a file of a closed account")
      assert.strictEqual((yield* post(closing.token, "/rest/v1/tools/whoami", {})).status, 401)
    })
  )
})
