import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { answerFields } from "../../src/Tools/Core/ToolSchema.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { calling } from "../Mcp/speaking.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"

const Secrets = Schema.Struct({
  token: Schema.optional(Schema.String),
  signing_secret: Schema.optional(Schema.String)
})
const Answer = Schema.Struct({
  ...Secrets.fields,
  token_id: Schema.optional(Schema.Int),
  test_account_id: Schema.optional(Schema.Int),
  subscription_id: Schema.optional(Schema.Int)
})

/** Every row of every table, as a thief of the database reads it. Bytes are read as hexadecimal digits. */
const everyRow = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = yield* Effect.forEach(
    tables,
    ({ name }) =>
      sql<{ readonly row: string }>`select t::text as row from ${sql.literal(name)} t where t::text <> ''`.pipe(
        Effect.map((rows) => rows.map(({ row }) => ({ table: name, row })))
      ),
    { concurrency: 2 }
  )
  return rows.flat()
})

/** Tables that hold the secret in clear, as text or as its bytes. */
const tablesWith = (secret: string) =>
  Effect.map(everyRow, (rows) => {
    const hex = Buffer.from(secret).toString("hex")
    return [...new Set(rows.filter(({ row }) => row.includes(secret) || row.includes(hex)).map(({ table }) => table))]
  })

const path = "/mcp/x/all"

/** Calls that answer a secret. The code of a restricted site is in the tests of websites. */
const tellers = [
  { tool: "generate_mcp_token", field: "token", args: { label: "Thief" } },
  { tool: "create_webhook_subscription", field: "signing_secret", args: { url: "https://hooks.example.com/a" } }
] as const

interface Ids {
  token_id: number
  test_account_id: number
  subscription_id: number
}

/** The same of the platform, in an order in which each finds what it changes. */
const platformTellers = [
  { tool: "create_token", field: "token", args: (): object => ({ label: "Thief" }) },
  { tool: "rotate_token", field: "token", args: ({ token_id }: Ids): object => ({ token_id, overlap_hours: 1 }) },
  { tool: "create_test_account", field: "token", args: (): object => ({ name: "Thief" }) },
  { tool: "reset_test_account", field: "token", args: ({ test_account_id }: Ids): object => ({ test_account_id }) },
  {
    tool: "rotate_webhook_secret",
    field: "signing_secret",
    args: ({ subscription_id }: Ids): object => ({ subscription_id })
  }
] as const

layer(testGateway(), { excludeTestServices: true })("a stolen database", (it) => {
  it.effect("knows no tool that answers a secret but those that are looked for", () =>
    Effect.sync(() => {
      const coveredFields = new Set([...tellers, ...platformTellers].map(({ field, tool }) => `${tool}.${field}`))
      const secretName = /^(?:token|signing_secret|.*secret|.*password|.*_key)$/
      const secretFields = [...AllTools.entries, ...PlatformTools.entries].flatMap(({ tool }) =>
        answerFields(tool)
          .filter(({ name, type }) => type.includes("text") && secretName.test(name) && name !== "language_key")
          .map(({ name }) => `${tool.name}.${name}`)
      )
      assert.deepStrictEqual(
        secretFields.filter((field) => !coveredFields.has(field)),
        []
      )
    })
  )

  for (const { args, field, tool } of tellers) {
    it.effect(`does not show what ${tool} answered, and the caller gets it again`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const first = yield* calling(token, tool, args, { path, headers: { "Idempotency-Key": `one-${tool}` } })
        const secret = Schema.decodeUnknownSync(Secrets)(first.result?.structuredContent)[field] ?? ""
        assert.isAbove(secret.length, 20)
        assert.deepStrictEqual(yield* tablesWith(secret), [])
        const again = yield* calling(token, tool, args, { path, headers: { "Idempotency-Key": `one-${tool}` } })
        assert.deepStrictEqual(again.result?.content, first.result?.content)
      })
    )
  }

  it.effect("does not show what the platform's tools answered to writes with a key", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const webhook = { url: "https://hooks.example.com/b" }
      const ids: Ids = { token_id: 0, test_account_id: 0, subscription_id: 0 }
      const called = (path: string, args: object, key: string) =>
        Effect.map(
          send(path, { method: "POST", token, body: JSON.stringify(args), headers: { "Idempotency-Key": key } }),
          ({ json, status, text }) => {
            assert.strictEqual(status, 200, text)
            const answer = Schema.decodeUnknownSync(Answer)(json)
            for (const name of ["token_id", "test_account_id", "subscription_id"] as const)
              ids[name] ||= answer[name] ?? 0
            return answer
          }
        )
      yield* called("/rest/v1/tools/create_webhook_subscription", webhook, "webhook")
      for (const { args, field, tool } of platformTellers) {
        const answer = yield* called(`/platform/v1/tools/${tool}`, args(ids), `one-${tool}`)
        const secret = answer[field] ?? ""
        assert.isAbove(secret.length, 20, tool)
        assert.deepStrictEqual(yield* tablesWith(secret), [], tool)
      }
    })
  )
})
