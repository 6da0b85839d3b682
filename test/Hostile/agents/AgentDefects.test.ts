import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import { calling, modern } from "../../Mcp/speaking.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

const defects = Effect.flatMap(ServerAddress, ({ host, operationsPort = 0 }) =>
  Effect.map(Effect.provideService(send("/metrics"), ServerAddress, { host, port: operationsPort }), ({ text }) =>
    Number(/^gateway_call_defects_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
  )
)

/** Takes a table away while an effect runs, so that its statements fail for no reason of theirs. */
const without = (table: string) =>
  Effect.acquireRelease(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(`alter table ${table} rename to ${table}_away`)),
    () => Effect.flatMap(SqlClient, (sql) => Effect.orDie(sql.unsafe(`alter table ${table}_away rename to ${table}`)))
  )

layer(testGateway({ operations: { host: "127.0.0.1", port: 0 } }), { excludeTestServices: true })(
  "what fails unexpectedly under /mcp",
  (it) => {
    it.scoped("is counted, as under /rest/v1, and shows nothing of the cause", () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const before = yield* defects
        yield* without("client_question")
        const answer = yield* modern(
          token,
          "tools/call",
          { name: "stop_lead", arguments: { lead_id: 1 } },
          { path: "/mcp/x/all", capabilities: { elicitation: {} } }
        )
        assert.strictEqual(answer.status, 500, answer.text)
        assert.notInclude(answer.text, "client_question")
        assert.strictEqual(yield* defects, before + 1)
      })
    )

    it.scoped("is counted where a message has no answer that could say it", () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const before = yield* defects
        yield* without("cancelled_call")
        const answer = yield* send("/mcp", {
          method: "POST",
          token,
          headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
          body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })
        })
        assert.strictEqual(answer.status, 202)
        assert.strictEqual(yield* defects, before + 1)
      })
    )

    it.effect("a refusal is none", () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const before = yield* defects
        yield* calling(token, "get_lead", { lead_id: 999_999 })
        yield* calling(token, "no_such_tool", {})
        assert.strictEqual(yield* defects, before)
      })
    )
  }
)
