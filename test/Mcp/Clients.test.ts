import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from "@modelcontextprotocol/client"
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { makeTokenHolder, testGateway } from "../support/servers/TestServer.ts"

const info = { name: "judge", version: "1.0.0" }

const endpoint = (path: string) =>
  Effect.map(ServerAddress, ({ host, port }) => new URL(`http://${host}:${port}${path}`))

const authorized = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

const names = (tools: ReadonlyArray<{ readonly name: string }>) => tools.map(({ name }) => name)

/** Its declared session is looser than the interface that it is declared to be: told once, here. */
const olderTransport = (url: URL, token: string): Transport => {
  const transport: unknown = new OlderTransport(url, authorized(token))
  return transport as Transport
}

layer(testGateway(), { excludeTestServices: true })("clients of the official SDKs", (it) => {
  it.effect("version 1 lists, calls, and asks its person before something is taken away", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const url = yield* endpoint("/mcp/x/leads,session")
      const asked = yield* Effect.promise(async () => {
        const client = new OlderClient(info, { capabilities: { elicitation: {} } })
        const questions: Array<string> = []
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          questions.push(params.message)
          return { action: "accept", content: { confirm: questions.length > 1 } }
        })
        await client.connect(olderTransport(url, token))
        const { tools } = await client.listTools()
        assert.includeMembers(names(tools), ["whoami", "stop_lead"])
        const whoami = await client.callTool({ name: "whoami" })
        assert.isObject(whoami.structuredContent)
        const refused = await client.callTool({ name: "stop_lead", arguments: { lead_id } })
        assert.isTrue(refused.isError)
        const done = await client.callTool({ name: "stop_lead", arguments: { lead_id } })
        assert.isUndefined(done.isError)
        await client.close()
        return questions
      })
      assert.strictEqual(asked.length, 2)
      assert.include(asked[0], "stop_lead")
      const rows = yield* sql`select pipeline_state from lead where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [{ pipeline_state: "finished" }])
    })
  )

  it.effect.each([
    ["legacy", "2025-11-25"],
    ["auto", "2026-07-28"],
    ["pinned", "2026-07-28"]
  ] as const)("version 2, %s, lists, calls, reads and asks", ([mode, expected]) =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const url = yield* endpoint("/mcp/x/all")
      yield* Effect.promise(async () => {
        const client = new NewerClient(info, {
          capabilities: { elicitation: {} },
          versionNegotiation: { mode: mode === "pinned" ? { pin: "2026-07-28" } : mode }
        })
        client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { confirm: true } }))
        await client.connect(new NewerTransport(url, authorized(token)))
        assert.strictEqual(client.getNegotiatedProtocolVersion(), expected)
        const { tools } = await client.listTools()
        assert.includeMembers(names(tools), ["whoami", "stop_lead"])
        const lead = await client.callTool({ name: "get_lead", arguments: { lead_id } })
        assert.isObject(lead.structuredContent)
        const read = await client.readResource({ uri: `lead://${JSON.stringify(lead_id)}` })
        assert.strictEqual(read.contents.length, 1)
        const prompt = await client.getPrompt({ name: "morning_review" })
        assert.isNotEmpty(prompt.messages)
        const done = await client.callTool({ name: "stop_lead", arguments: { lead_id } })
        assert.isUndefined(done.isError)
        await client.close()
      })
    })
  )
})
