import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Option } from "effect"
import { countTokens } from "gpt-tokenizer"
import { type JsonObject, objectOf } from "../../src/Api/Mcp/Protocol.ts"
import { loadLanguageModelSettings } from "../../src/Layers/Models/LanguageModel/LanguageModelSettings.ts"
import { makeLanguageModel } from "../../src/Layers/Models/LanguageModel/Live.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { modernRequest } from "../../test/Mcp/modernRequest.ts"
import {
  type Agent,
  byModel,
  type CallAnswer,
  membersNamed,
  noTotals,
  type Planner,
  scripted,
  type Totals
} from "../support/agents/AgentPlanners.ts"
import { type AgentTask, agentTasks, type Facts } from "../support/agents/AgentTaskList.ts"
import { makeDatabase, startServer } from "../support/BenchDatabase.ts"
import { startGateway } from "../support/Gateway.ts"
import { conditions, figure, table } from "../support/Report.ts"

/**
 * Twenty tasks on the sample account over the default endpoint of `/mcp`. If the environment configures a language
 * model (LANGUAGE_MODEL_*, as for the gateway), it chooses the calls. Otherwise a script searches for the wish, reads
 * the descriptions of the results, and calls the first tool that accepts the values. REST calls check the result of
 * each task.
 */

/** An agent, and a person who confirms everything. */
const agentOf = (url: string, token: string, totals: Totals) => {
  const send = async (method: string, params: object): Promise<JsonObject> => {
    const request = modernRequest(token, method, params, { capabilities: { elicitation: {} } })
    const response = await fetch(`${url}/mcp`, request)
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
  /** A call as a model makes it. What it writes and reads counts as tokens. */
  const call = async (name: string, args: object): Promise<CallAnswer> => {
    let result = await send("tools/call", { name, arguments: args })
    if (result["resultType"] === "input_required") {
      const inputResponses = { confirmation: { action: "accept", content: { confirm: true } } }
      const { requestState } = result
      result = await send("tools/call", { name, arguments: args, inputResponses, requestState })
    }
    const text = textOf(result)
    totals.calls++
    totals.tokens += countTokens(JSON.stringify({ name, arguments: args })) + countTokens(text)
    return { isError: result["isError"] === true, value: result["structuredContent"] ?? text }
  }
  return { call, list: () => send("tools/list", {}) }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** What is wrong after a task; undefined if it succeeded. */
const run = async (
  planner: Planner,
  agent: Agent,
  task: AgentTask,
  totals: Totals,
  rest: (tool: string, facts: Facts) => Promise<string>
) => {
  let factsSoFar: Facts = {}
  for (const { facts, keep = [], wish } of task.steps) {
    const answer = await planner(agent, wish, facts?.(factsSoFar) ?? {}, totals)
    if (answer === undefined) return `no tool was found for: ${wish}`
    for (const name of keep) {
      const value = membersNamed(answer, name).find(isScalar)
      if (value === undefined) return `the answer has no ${name}: ${wish}`
      factsSoFar = { ...factsSoFar, [name]: value }
    }
  }
  const { facts, says, saysNot, tool } = task.check
  const state = await rest(tool, facts?.(factsSoFar) ?? {})
  const lacks = says(factsSoFar).find((part) => !state.includes(part))
  if (lacks !== undefined) return `${tool} does not say ${lacks}`
  const tooMuch = saysNot?.(factsSoFar).find((part) => state.includes(part))
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
  const listed = yield* Effect.promise(() => agentOf(url, token, noTotals()).list())
  const settings = yield* loadLanguageModelSettings
  const planner = Option.isNone(settings)
    ? scripted
    : byModel(yield* makeLanguageModel(settings.value).pipe(Effect.provide(OutboundHttpNode)), listed["tools"])
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
  const all = noTotals()
  let failures = 0
  for (const task of agentTasks) {
    const totals = noTotals()
    const agent = agentOf(url, token, totals)
    const fault = yield* Effect.promise(() => run(planner, agent, task, totals, rest))
    if (fault !== undefined) failures++
    all.calls += totals.calls
    all.tokens += totals.tokens
    all.refused += totals.refused
    all.modelTokens += totals.modelTokens
    rows.push([task.name, figure(totals.calls), figure(totals.tokens), figure(totals.refused), fault ?? "done"])
  }
  rows.push(["together", figure(all.calls), figure(all.tokens), figure(all.refused), `${failures} failed`])
  const by = Option.match(settings, {
    onNone: () => "A scripted planner, no model",
    onSome: ({ model }) => `By the model ${model}, which read and wrote ${figure(all.modelTokens)} tokens`
  })
  yield* Console.log(
    `${conditions()}\n${by}; tools listed: ${countTokens(JSON.stringify(listed["tools"]))} tokens\n\n${table(
      ["task", "calls", "tokens", "refused calls", "end"],
      rows
    )}`
  )
  if (failures > 0) return yield* Effect.dieMessage(`${failures} tasks failed.`)
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
