import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import type { Tool } from "../../src/Tools/Core/Tool.ts"
import { answerFields } from "../../src/Tools/Core/ToolSchema.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"
import { calling } from "../Mcp/speaking.ts"
import { makeTokenHolder, testGateway } from "../support/TestServer.ts"

const Secrets = Schema.Struct({
  token: Schema.optional(Schema.String),
  signing_secret: Schema.optional(Schema.String)
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

layer(testGateway(), { excludeTestServices: true })("a stolen database", (it) => {
  it.effect("knows no tool that answers a secret but those that are looked for", () =>
    Effect.sync(() => {
      const coveredFields = new Set([...tellers.map(({ field, tool }) => `${tool}.${field}`)])
      const secretName = /^(?:token|signing_secret|.*secret|.*password|.*_key)$/
      const secretFields = AllTools.entries.flatMap(({ tool }) =>
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

  it.effect("gives the secrets of new tokens and webhooks to no other token, by whichever tool they are made", () =>
    Effect.sync(() => {
      const makesSecret = ({ tool }: { readonly tool: Tool<unknown> }) =>
        tool.kind !== "read" && answerFields(tool).some(({ name }) => /^(?:token|.*secret)$/.test(name))
      const all = [...AllTools.entries, ...PlatformTools.entries]
      assert.isAbove(all.filter(makesSecret).length, 6)
      assert.deepStrictEqual(
        all.filter(({ tool }) => tool.answersSecret).map(({ tool }) => tool.name),
        all.filter(makesSecret).map(({ tool }) => tool.name)
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
})
