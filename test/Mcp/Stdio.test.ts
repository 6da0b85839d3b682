import { PassThrough } from "node:stream"
import { assert, layer } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import { bridge } from "../../src/Layers/Mcp/StdioBridge.ts"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { recordsOfAccount } from "../support/AllRecords.ts"
import { gatewayCommand } from "../support/processes/GatewayProcess.ts"
import { makeTokenHolder, testGateway } from "../support/servers/TestServer.ts"

const address = Effect.map(ServerAddress, ({ host, port }) => `http://${host}:${port}/mcp`)

/** A host without a library: sends lines, and reads lines. */
const host = (url: string, token: string) => {
  const input = new PassThrough()
  const output = new PassThrough()
  const ended = bridge({ url, token, input, output })
  const lines = output[Symbol.asyncIterator]()
  let text = ""
  const next = async (): Promise<Record<string, unknown>> => {
    while (!text.includes("\n")) {
      const piece = await lines.next()
      if (piece.done === true) throw new Error("The output ended.")
      text += String(piece.value)
    }
    const end = text.indexOf("\n")
    const line = text.slice(0, end)
    text = text.slice(end + 1)
    return JSON.parse(line) as Record<string, unknown>
  }
  const send = (message: object | string): void => {
    input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)
  }
  const close = async (): Promise<void> => {
    input.end()
    await ended
  }
  return { send, next, close }
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} }
}

layer(testGateway(), { excludeTestServices: true })("gateway mcp", (it) => {
  it.effect("is a server that a local host starts: a client of the SDK lists and calls", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const url = yield* address
      const [command, ...args] = gatewayCommand
      yield* Effect.promise(async () => {
        const transport = new StdioClientTransport({
          command,
          args: [...args, "mcp", "--url", url],
          env: { PATH: process.env["PATH"] ?? "", GATEWAY_TOKEN: token },
          stderr: "ignore"
        })
        const client = new Client({ name: "judge", version: "1" })
        await client.connect(transport)
        const { tools } = await client.listTools()
        assert.include(
          tools.map(({ name }) => name),
          "search_tools"
        )
        assert.isObject((await client.callTool({ name: "whoami" })).structuredContent)
        await client.close()
      })
    })
  )

  it.effect("carries both revisions, questions and what is wrong, each message on a line", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* makeTokenHolder()
      const { lead_id } = yield* recordsOfAccount(caller)
      const url = `${yield* address}/x/all`
      yield* Effect.promise(async () => {
        const modern = host(url, token)
        const params = { name: "stop_lead", arguments: { lead_id }, _meta: meta }
        modern.send({ jsonrpc: "2.0", id: "a", method: "tools/call", params })
        const asked = await modern.next()
        assert.propertyVal(asked["result"], "resultType", "input_required")
        modern.send("nonsense")
        assert.propertyVal((await modern.next())["error"], "code", -32700)
        await modern.close()

        const legacy = host(url, token)
        legacy.send({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: "2025-11-25", capabilities: { elicitation: {} } }
        })
        assert.propertyVal((await legacy.next())["result"], "protocolVersion", "2025-11-25")
        legacy.send({ jsonrpc: "2.0", method: "notifications/initialized" })
        legacy.send({
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: { name: "stop_lead", arguments: { lead_id } }
        })
        const question = await legacy.next()
        assert.strictEqual(question["method"], "elicitation/create")
        legacy.send({ jsonrpc: "2.0", id: question["id"], result: { action: "accept", content: { confirm: true } } })
        const done = await legacy.next()
        assert.strictEqual(done["id"], 2)
        assert.notProperty(done["result"], "isError")
        await legacy.close()

        const stranger = host(url, "pgw_nothing")
        stranger.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } })
        assert.propertyVal((await stranger.next())["error"], "code", 401)
        await stranger.close()
        const nowhere = host("http://127.0.0.1:1/mcp", token)
        nowhere.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } })
        assert.propertyVal((await nowhere.next())["error"], "code", 503)
        await nowhere.close()
      })
    })
  )
})
