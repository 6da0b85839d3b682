import { Agent, type ClientRequest, request } from "node:http"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { countTokens } from "gpt-tokenizer"
import { objectOf } from "../../src/Api/Mcp/Protocol.ts"
import { groupSlug } from "../../src/Api/SkillGuide.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { makeDatabase, startServer } from "../support/BenchDatabase.ts"
import { startGateway } from "../support/Gateway.ts"
import { conditions, figure, table } from "../support/Report.ts"
import { seedAccounts } from "../support/SampleLeads.ts"
import { processorMicros, residentBytes } from "../support/ServerProcess.ts"

/**
 * The cost of idle agents: the memory of 1 000 clients that each wait for news of a different lead, and the tokens of
 * every list that a host gives its model.
 */

const version = "2026-07-28"
const streams = 1_000
const streamsPerToken = 50
const seconds = 20

const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {}
}

const messageOf = (token: string, method: string, params: object) => ({
  headers: {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": version,
    "Mcp-Method": method
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } })
})

/** The tokens of all pages of a list. */
const tokensOf = async (url: string, token: string, path: string, method: string, name: string): Promise<number> => {
  let tokens = 0
  let cursor: unknown
  do {
    const { body, headers } = messageOf(token, method, cursor === undefined ? {} : { cursor })
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body })
    const result = objectOf(objectOf(await response.json())["result"])
    tokens += countTokens(JSON.stringify(result[name]))
    cursor = result["nextCursor"]
  } while (cursor !== undefined)
  return tokens
}

/** A client that waits for news of a lead. Completes once the gateway has confirmed. */
const listen = (url: string, token: string, leadId: number, agent: Agent): Promise<ClientRequest> =>
  new Promise((resolve, reject) => {
    const notifications = { resourceSubscriptions: [`lead://${leadId}`] }
    const { body, headers } = messageOf(token, "subscriptions/listen", { notifications })
    const sent = request(`${url}/mcp`, { method: "POST", headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The stream was answered ${response.statusCode}.`))
      response.once("data", () => resolve(sent))
      response.resume()
    })
    // Streams are cut at the end.
    sent.on("error", reject)
    sent.end(body)
  })

const newToken = async (url: string, token: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }
  const response = await fetch(`${url}/rest/v1/tools/generate_mcp_token`, { method: "POST", headers, body: "{}" })
  return String(objectOf(await response.json())["token"])
}

const program = Effect.gen(function* () {
  const database = yield* makeDatabase(yield* startServer, "agents")
  const [account] = yield* seedAccounts(database.client, [{ name: "Agents", leads: streams }])
  if (account === undefined) return yield* Effect.dieMessage("There is no account.")
  const { pid, url } = yield* startGateway(database)
  const { firstLeadId, token } = account

  const lists = [
    ...[
      "",
      "/readonly",
      "/x/all",
      "/x/all/readonly",
      ...AllTools.groups.map(({ name }) => `/x/${groupSlug(name)}`)
    ].map((path) => [`tools of /mcp${path}`, `/mcp${path}`, "tools/list", "tools"] as const),
    ["prompts", "/mcp", "prompts/list", "prompts"] as const,
    ["resources", "/mcp", "resources/list", "resources"] as const
  ]
  const counted = yield* Effect.promise(async () => {
    const rows: Array<ReadonlyArray<string>> = []
    for (const [what, path, method, name] of lists) {
      rows.push([what, figure(await tokensOf(url, token, path, method, name))])
    }
    return rows
  })

  const tokens = yield* Effect.promise(() =>
    Promise.all(Array.from({ length: streams / streamsPerToken }, () => newToken(url, token)))
  )
  const agent = new Agent({ maxSockets: streams })
  const before = yield* Effect.promise(() => residentBytes(pid))
  const open = yield* Effect.promise(async () => {
    const opened: Array<ClientRequest> = []
    for (let from = 0; from < streams; from += streamsPerToken) {
      const of = tokens[from / streamsPerToken] ?? token
      const some = Array.from({ length: streamsPerToken }, (_, at) => listen(url, of, firstLeadId + from + at, agent))
      opened.push(...(await Promise.all(some)))
    }
    return opened
  })
  const microsBefore = yield* Effect.promise(() => processorMicros(pid))
  yield* Effect.sleep(`${seconds} seconds`)
  const used = (yield* Effect.promise(() => processorMicros(pid))) - microsBefore
  const after = yield* Effect.promise(() => residentBytes(pid))
  for (const one of open) one.on("error", () => undefined).destroy()

  yield* Console.log(
    `${conditions()}\n\n${table(["list", "tokens"], counted)}\n\n${open.length} streams that wait: ${figure(
      (after - before) / 1024 ** 2
    )} MB more, ${figure(used / (seconds * 10_000))} % of a processor in ${seconds} s`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
