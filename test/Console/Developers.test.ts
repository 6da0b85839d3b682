import { assert, describe, it } from "@effect/vitest"
import { parseDevelopersSearch } from "../../console/src/screens/Developers/DevelopersSearch.ts"
import { kindsFor, sampleOf } from "../../console/src/screens/Developers/explorer/CallSamples.ts"
import { matchTools } from "../../console/src/screens/Developers/explorer/matchTools.ts"
import { schemaLines } from "../../console/src/screens/Developers/explorer/SchemaLines.ts"

const tool = { name: "register_lead", group: "CRM integrations", routes: { post: "/rest/v1/tools/register_lead" } }
const args = { name: "Ana D'Ávila", reusable: true }

describe("a call for programs", () => {
  it("can be pasted into a terminal, with quotes that the shell takes", () => {
    assert.strictEqual(
      sampleOf("curl", tool, args, "https://gateway.example"),
      `curl -sS "https://gateway.example/rest/v1/tools/register_lead" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"name":"Ana D'\\''Ávila","reusable":true}'`
    )
  })

  it("has the names of the clients", () => {
    assert.strictEqual(
      sampleOf("typescript", tool, args, ""),
      `const answer = await gateway.crmIntegrations.registerLead({ name: "Ana D'Ávila", reusable: true })`
    )
    assert.strictEqual(
      sampleOf("python", tool, args, ""),
      `answer = gateway.crm_integrations.register_lead(name="Ana D'Ávila", reusable=True)`
    )
    assert.strictEqual(
      sampleOf("typescript", tool, {}, ""),
      "const answer = await gateway.crmIntegrations.registerLead()"
    )
    assert.strictEqual(
      sampleOf("python", tool, { background: "a".repeat(80) }, ""),
      `answer = gateway.crm_integrations.register_lead(\n    background="${"a".repeat(80)}"\n)`
    )
  })

  it("is a message of MCP, but for the platform's tools", () => {
    assert.deepStrictEqual(JSON.parse(sampleOf("mcp", tool, args, "")), {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "register_lead", arguments: args }
    })
    assert.include(kindsFor(tool), "mcp")
    assert.notInclude(kindsFor({ ...tool, routes: { post: "/platform/v1/tools/create_token" } }), "mcp")
  })
})

describe("the schema of an answer", () => {
  it("is shown member by member, through references, lists and alternatives", () => {
    const lines = schemaLines({
      type: "object",
      required: ["leads", "status"],
      properties: {
        leads: { type: "array", items: { $ref: "#/$defs/Lead" } },
        status: { anyOf: [{ enum: ["on", "off"] }, { type: "null" }], description: "Whether it runs." },
        note: { type: "string" }
      },
      $defs: { Lead: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } }
    })
    assert.deepStrictEqual(
      lines.map(({ depth, isOptional, path, type }) => [path, depth, type, isOptional]),
      [
        ["leads", 0, "object[]", false],
        ["leads.id", 1, "integer", false],
        ["status", 0, "on | off | null", false],
        ["note", 0, "string", true]
      ]
    )
    assert.strictEqual(lines[2]?.description, "Whether it runs.")
  })

  it("ends, even where it refers to itself", () => {
    const lines = schemaLines({
      type: "object",
      properties: { child: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object", properties: { child: { $ref: "#/$defs/Node" } } } }
    })
    assert.strictEqual(lines.length, 7)
  })
})

describe("the search in the tools", () => {
  const tools = [
    { name: "list_leads", group: "Leads", description: "Lists what a campaign has." },
    { name: "move_campaign", group: "Leads", description: "Moves it." },
    { name: "get_usage", group: "Platform", description: "Shows use." }
  ]

  it("takes every word, and puts names first", () => {
    const names = (query: string) => matchTools(tools, query).flatMap(([, list]) => list.map(({ name }) => name))
    assert.deepStrictEqual(names("campaign"), ["move_campaign", "list_leads"])
    assert.deepStrictEqual(names("usage platform"), ["get_usage"])
    assert.deepStrictEqual(names("usage leads"), [])
    assert.deepStrictEqual(
      matchTools(tools, "").map(([group, list]) => [group, list.length]),
      [
        ["Leads", 2],
        ["Platform", 1]
      ]
    )
  })
})

describe("the address of the developers' screens", () => {
  it("keeps what it knows", () => {
    assert.deepStrictEqual(
      parseDevelopersSearch({ tool: "get_lead", args: { lead_id: 7, other: { a: 1 } }, failed: true, token: "3" }),
      { tool: "get_lead", args: { lead_id: 7 }, failed: true, token: 3 }
    )
    assert.deepStrictEqual(
      parseDevelopersSearch({ tool: "", args: [], failed: "yes", token: "x", subscription: -1 }),
      {}
    )
  })
})
