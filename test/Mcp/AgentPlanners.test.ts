import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { type Agent, byModel, noTotals, scripted } from "../../bench/support/agents/AgentPlanners.ts"
import { makeLanguageModel } from "../../src/Layers/Models/LanguageModel/Live.ts"
import { OutboundHttpNode } from "../../src/Layers/Platform/Outbound/OutboundHttp.ts"
import { completion } from "../Models/AskProvider.ts"
import { answer as answered, providerServer } from "../Models/ProviderServer.ts"

/** A gateway with one tool that does something. */
const gateway = () => {
  const called: Array<readonly [name: string, args: object]> = []
  const agent: Agent = {
    call: (name, args) => {
      called.push([name, args])
      if (name === "search_tools") return Promise.resolve({ isError: false, value: { tools: [{ name: "stop_lead" }] } })
      if (name === "describe_tools") {
        const input_schema = { properties: { lead_id: {} }, required: ["lead_id"] }
        return Promise.resolve({
          isError: false,
          value: { tools: [{ name: "stop_lead", kind: "destructive", input_schema }] }
        })
      }
      return Promise.resolve(
        JSON.stringify(args).includes("12")
          ? { isError: false, value: { lead_id: 12, status: "stopped" } }
          : { isError: true, value: { error: "There is no such lead." } }
      )
    }
  }
  return { agent, called }
}

const asToolUse = (input: object) =>
  answered(200, {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "model-1",
    content: [{ type: "tool_use", id: "toolu_01", name: "agent_turn", input }],
    stop_reason: "tool_use",
    usage: { input_tokens: 30, output_tokens: 10 }
  })

const turn = (tool: string | null, args: object) => ({ tool, arguments: JSON.stringify(args) })
const stop = (lead_id: number) => turn("call_destructive_tool", { tool: "stop_lead", arguments: { lead_id } })

it.scopedLive("a model chooses the calls, sees what they answered, and says when it is done", () =>
  Effect.gen(function* () {
    const turns = [
      turn("search_tools", { query: "stop a lead" }),
      { tool: "call_destructive_tool", arguments: "not JSON" },
      stop(11),
      stop(12),
      turn(null, {})
    ]
    for (const [provider, speak] of [
      ["openai", (value: object) => completion(JSON.stringify(value))],
      ["anthropic", (value: object) => asToolUse(value)]
    ] as const) {
      const { received, url } = yield* providerServer(turns.map(speak))
      const model = yield* makeLanguageModel({
        provider,
        url: `${url}/v1`,
        apiKey: Redacted.make("key"),
        model: "model-1",
        effort: Option.none(),
        thinkingTokens: 0,
        prices: Option.none()
      }).pipe(Effect.provide(OutboundHttpNode))
      const { agent, called } = gateway()
      const totals = noTotals()
      const answer = yield* Effect.promise(() =>
        byModel(model, [{ name: "search_tools" }])(agent, "stop lead 12", { lead_id: 12 }, totals)
      )
      assert.deepStrictEqual(answer, { lead_id: 12, status: "stopped" })
      assert.deepStrictEqual(
        called.map(([name]) => name),
        ["search_tools", "call_destructive_tool", "call_destructive_tool"]
      )
      assert.strictEqual(totals.refused, 1)
      assert.isAbove(totals.modelTokens, 0)
      assert.include(JSON.stringify(received.at(-1)?.body), "There is no such lead.")
      assert.strictEqual(received.length, turns.length)
    }
  })
)

it.scopedLive("a model that never says that it is done is not asked for ever", () =>
  Effect.gen(function* () {
    const { received, url } = yield* providerServer([completion(JSON.stringify(turn("search_tools", { query: "x" })))])
    const settings = {
      provider: "openai",
      apiKey: Redacted.make("key"),
      model: "model-1",
      effort: Option.none(),
      thinkingTokens: 0,
      prices: Option.none()
    } as const
    const model = yield* makeLanguageModel({ ...settings, url: `${url}/v1` }).pipe(Effect.provide(OutboundHttpNode))
    const { agent } = gateway()
    assert.isUndefined(yield* Effect.promise(() => byModel(model, [])(agent, "x", {}, noTotals())))
    assert.strictEqual(received.length, 12)
  })
)

it("without a model the first tool that takes the values is called", async () => {
  const { agent, called } = gateway()
  assert.deepStrictEqual(await scripted(agent, "stop a lead", { lead_id: 12 }, noTotals()), {
    lead_id: 12,
    status: "stopped"
  })
  assert.deepStrictEqual(called.at(-1), ["call_destructive_tool", { tool: "stop_lead", arguments: { lead_id: 12 } }])
})
