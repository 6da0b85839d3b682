import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { countTokens } from "gpt-tokenizer"
import { isObject, type JsonObject, objectOf } from "../src/Api/Mcp/Protocol.ts"
import { modernRequest } from "../test/Mcp/modernRequest.ts"
import { type AgentTask, agentTasks, type Facts } from "./support/AgentTaskList.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { startGateway } from "./support/Gateway.ts"
import { conditions, figure, table } from "./support/Report.ts"

/**
 * Twenty tasks on the sample account over the default endpoint of `/mcp`, by a planner that is told no tool: it searches
 * by the wish, reads how what it found is called, and takes the first that takes the values it has. Each task's end is
 * looked up by REST.
 */

/** What is answered where nothing else is known of a call: texts, lists and objects as JSON has them. */
const membersNamed = (value: unknown, name: string): ReadonlyArray<unknown> =>
  Array.isArray(value)
    ? value.flatMap((part: unknown) => membersNamed(part, name))
    : isObject(value)
      ? [
          ...(Object.hasOwn(value, name) ? [value[name]] : []),
          ...Object.values(value).flatMap((part) => membersNamed(part, name))
        ]
      : []

interface Totals {
  calls: number
  tokens: number
  refused: number
}

/** One agent before the gateway; a person says yes to whatever it asks. */
const agentOf = (url: string, token: string, totals: Totals) => {
  const send = async (method: string, params: object): Promise<JsonObject> => {
    const asked = modernRequest(token, method, params, { capabilities: { elicitation: {} } })
    const response = await fetch(`${url}/mcp`, asked)
    const text = await response.text()
    const data = text.startsWith("{")
      ? text
      : (/^data: (\{.*"id":.*)$/m.exec(text.slice(text.lastIndexOf("event:")))?.[1] ?? "{}")
    const answer = objectOf(JSON.parse(data))
    if (answer["error"] !== undefined) throw new Error(`${method}: ${JSON.stringify(answer["error"])}`)
    return objectOf(answer["result"])
  }
  const textOf = (result: JsonObject): string => {
    const content = result["content"]
    const texts = Array.isArray(content) ? content.map((part) => objectOf(part)["text"]) : []
    return texts.filter((text) => typeof text === "string").join("\n")
  }
  /** A call as a model makes it: what it writes and what it reads are its tokens. */
  const call = async (name: string, args: object): Promise<{ readonly isError: boolean; readonly value: unknown }> => {
    let result = await send("tools/call", { name, arguments: args })
    if (result["resultType"] === "input_required") {
      const inputResponses = { confirmation: { action: "accept", content: { confirm: true } } }
      const { requestState } = result
      result = await send("tools/call", { name, arguments: args, inputResponses, requestState })
    }
    const text = textOf(result)
    totals.calls++
    totals.tokens += countTokens(JSON.stringify({ name, arguments: args })) + countTokens(text)
    return { isError: result["isError"] === true, value: result["structuredContent"] }
  }
  return { call, list: () => send("tools/list", {}) }
}

type Agent = ReturnType<typeof agentOf>

/** Whether a tool takes all the values, and needs no other. */
const takes = (described: JsonObject, facts: Facts): boolean => {
  const schema = objectOf(described["input_schema"])
  const properties = objectOf(schema["properties"])
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  return (
    Object.keys(facts).every((name) => Object.hasOwn(properties, name)) &&
    required.every((name) => typeof name === "string" && Object.hasOwn(facts, name))
  )
}

const mostFound = 8

/** Does a step by the first of the found tools that takes the values and does not refuse them. */
const doStep = async (agent: Agent, wish: string, facts: Facts, totals: Totals): Promise<unknown> => {
  if (wish === "wait_for_job") return (await agent.call(wish, { ...facts, seconds: 50 })).value
  const found = await agent.call("search_tools", { query: wish, limit: mostFound })
  const names = membersNamed(found.value, "name").filter((name): name is string => typeof name === "string")
  for (let from = 0; from < names.length; from += 3) {
    const described = await agent.call("describe_tools", { names: names.slice(from, from + 3) })
    const tools = objectOf(described.value)["tools"]
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { kind, name } = objectOf(tool)
      if (!takes(objectOf(tool), facts)) continue
      const answer = await agent.call(`call_${String(kind)}_tool`, { tool: name, arguments: facts })
      if (!answer.isError) return answer.value
      totals.refused++
    }
  }
  return undefined
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** What is wrong at the end of a task; undefined where nothing is. */
const run = async (
  agent: Agent,
  task: AgentTask,
  totals: Totals,
  rest: (tool: string, facts: Facts) => Promise<string>
) => {
  let known: Facts = {}
  for (const { facts, keep = [], wish } of task.steps) {
    const answer = await doStep(agent, wish, facts?.(known) ?? {}, totals)
    if (answer === undefined) return `no tool was found for: ${wish}`
    for (const name of keep) {
      const value = membersNamed(answer, name).find(isScalar)
      if (value === undefined) return `the answer has no ${name}: ${wish}`
      known = { ...known, [name]: value }
    }
  }
  const { facts, says, saysNot, tool } = task.check
  const state = await rest(tool, facts?.(known) ?? {})
  const lacks = says(known).find((part) => !state.includes(part))
  if (lacks !== undefined) return `${tool} does not say ${lacks}`
  const tooMuch = saysNot?.(known).find((part) => state.includes(part))
  return tooMuch === undefined ? undefined : `${tool} still says ${tooMuch}`
}

const sampleToken = (databaseUrl: string) =>
  Effect.promise(async () => {
    const args = ["launch/gateway.js", "sample", "--days", "14", "--contacted", "20"]
    const env = { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "ERROR" }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 10_000_000 })
    return stdout.trim().split("\n").at(-1) ?? ""
  })

const program = Effect.gen(function* () {
  const database = yield* makeDatabase(yield* startServer, "agent")
  const token = yield* sampleToken(database.url)
  const { url } = yield* startGateway(database)
  const listed = yield* Effect.promise(() => agentOf(url, token, { calls: 0, tokens: 0, refused: 0 }).list())
  const rest = async (tool: string, facts: Facts): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }
    const response = await fetch(`${url}/rest/v1/tools/${tool}`, {
      method: "POST",
      headers,
      body: JSON.stringify(facts)
    })
    return response.text()
  }
  const rows: Array<ReadonlyArray<string>> = []
  const all: Totals = { calls: 0, tokens: 0, refused: 0 }
  let failures = 0
  for (const task of agentTasks) {
    const totals: Totals = { calls: 0, tokens: 0, refused: 0 }
    const agent = agentOf(url, token, totals)
    const fault = yield* Effect.promise(() => run(agent, task, totals, rest))
    if (fault !== undefined) failures++
    all.calls += totals.calls
    all.tokens += totals.tokens
    all.refused += totals.refused
    rows.push([task.name, figure(totals.calls), figure(totals.tokens), figure(totals.refused), fault ?? "done"])
  }
  rows.push(["together", figure(all.calls), figure(all.tokens), figure(all.refused), `${failures} failed`])
  yield* Console.log(
    `${conditions()}\nA scripted planner, no model; tools listed: ${countTokens(JSON.stringify(listed["tools"]))} tokens\n\n${table(
      ["task", "calls", "tokens", "refused calls", "end"],
      rows
    )}`
  )
  if (failures > 0) return yield* Effect.dieMessage(`${failures} tasks failed.`)
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
