import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CatalogDocument, documentsOf, ToolDocument } from "../../src/Api/CatalogListing.ts"
import { prefixes } from "../../src/Api.ts"
import { serverVersion } from "../../src/Services/Core/Outside/ServerVersion.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProbeTools } from "../support/ProbeTools.ts"

const exactly = { onExcessProperty: "error" } as const
const decodeCatalog = Schema.decodeUnknownSync(Schema.parseJson(CatalogDocument), exactly)
const decodeTool = Schema.decodeUnknownSync(Schema.parseJson(ToolDocument), exactly)

const probes = documentsOf(ProbeTools, "9.8.7")
const probe = (name: string) => decodeTool(probes.one("/rest/v1", name))
const parameterOf = (name: string) => probe(name).parameters[0] ?? assert.fail(`${name} has no parameter`)

describe("the list", () => {
  it("says the version of the contract and of the server, and counts the tools", () => {
    const document = decodeCatalog(probes.list("/rest/v1"))
    assert.strictEqual(document.version, "v1")
    assert.strictEqual(document.server_version, "9.8.7")
    assert.strictEqual(document.tool_count, ProbeTools.entries.length)
    assert.strictEqual(document.tools.length, ProbeTools.entries.length)
  })

  it("says the running version when none is told", () => {
    assert.strictEqual(decodeCatalog(documentsOf(ProbeTools).list("/rest/v1")).server_version, serverVersion)
  })

  it("is sorted by group and then name, whatever the order of the groups", () => {
    const [group] = ProbeTools.groups
    if (group === undefined) return assert.fail("there are no probes")
    const catalog = Catalog.make([
      { ...group, name: "Zebras", tools: group.tools.slice(0, 3).reverse() },
      { ...group, name: "Apes", tools: group.tools.slice(3, 6) }
    ])
    const places = decodeCatalog(documentsOf(catalog).list("/api/v1")).tools.map(
      ({ group, name }) => `${group} ${name}`
    )
    assert.deepStrictEqual(places, places.toSorted())
    assert.strictEqual(places.length, 6)
  })

  it("is the same text every time", () => {
    assert.strictEqual(probes.list("/rest/v1"), probes.list("/rest/v1"))
  })
})

describe("a tool", () => {
  for (const prefix of prefixes) {
    it(`is the same object alone as in the list, under ${prefix}`, () => {
      const documents = documentsOf(AllTools)
      for (const tool of decodeCatalog(documents.list(prefix)).tools) {
        assert.deepStrictEqual(decodeTool(documents.one(prefix, tool.name)), tool)
      }
    })

    it(`has its routes under ${prefix}, with GET for reads alone`, () => {
      assert.deepStrictEqual(decodeTool(probes.one(prefix, "probe_text")).routes, {
        post: `${prefix}/tools/probe_text`,
        get: `${prefix}/call/probe_text`
      })
      assert.deepStrictEqual(decodeTool(probes.one(prefix, "probe_write")).routes, {
        post: `${prefix}/tools/probe_write`
      })
    })
  }

  it("differs between the prefixes in its routes alone", () => {
    const under = decodeTool(probes.one("/rest/v1", "probe_text"))
    const other = decodeTool(probes.one("/api/v1", "probe_text"))
    assert.notDeepEqual(other, under)
    assert.deepStrictEqual({ ...other, routes: under.routes }, under)
  })

  it("says its kind, plan and errors", () => {
    const tool = probe("probe_write")
    assert.strictEqual(tool.kind, "write")
    assert.isTrue(tool.requires_paid_plan)
    assert.isFalse(tool.runs_in_background)
    assert.deepStrictEqual(tool.errors, ["Refused", "PlanRequired", "Transient", "Permanent"])
    assert.deepStrictEqual(tool.reasons, {
      Refused: ["text_too_long"],
      PlanRequired: ["paid_plan_required"],
      Transient: ["database_conflict", "database_unavailable", "overloaded"],
      Permanent: ["outcome_unknown"]
    })
  })

  it("that the catalog does not have has no text", () => {
    assert.throws(() => probes.one("/rest/v1", "no_such_tool"))
  })
})

describe("a parameter", () => {
  it("required", () => {
    assert.deepStrictEqual(parameterOf("probe_integer"), {
      name: "value",
      type: "integer",
      required: true,
      nullable: false,
      description: "The value to answer."
    })
  })

  it("optional takes null", () => {
    assert.deepInclude(parameterOf("probe_optional_text"), { required: false, nullable: true })
    assert.notProperty(parameterOf("probe_optional_text"), "default")
  })

  it("with a default does not take null", () => {
    assert.deepInclude(parameterOf("probe_page"), { required: false, nullable: false, default: 0, minimum: 0 })
  })

  it("with a range, a length, a closed set, a list, a ceiling", () => {
    assert.deepInclude(parameterOf("probe_month"), { minimum: 1, maximum: 12 })
    assert.deepInclude(parameterOf("probe_short_text"), { max_length: 10 })
    assert.deepInclude(parameterOf("probe_color"), { enum: ["red", "green"] })
    assert.deepInclude(parameterOf("probe_sort"), { enum: ["created", "name"], default: "created" })
    assert.deepInclude(parameterOf("probe_colors"), { items_enum: ["red", "green"] })
    assert.deepInclude(parameterOf("probe_size"), { default: 20, minimum: 1, maximum: 100 })
  })
})

describe("the schema of the arguments", () => {
  const schemaOf = (name: string) => probe(name).input_schema["properties"]

  it("is JSON Schema 2020-12 of an object that is closed", () => {
    assert.deepInclude(probe("probe_integer").input_schema, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["value"],
      additionalProperties: false
    })
  })

  it("allows null where the parameter does, also in a closed set", () => {
    assert.deepNestedInclude(schemaOf("probe_optional_text"), { "value.type": ["string", "null"] })
    assert.deepNestedInclude(schemaOf("probe_text"), { "value.type": "string" })
  })

  it("leaves out what is not refused: a size's ceiling, and the set that falls back", () => {
    assert.deepNestedInclude(schemaOf("probe_size"), { "value.minimum": 1, "value.default": 20 })
    assert.notNestedProperty(schemaOf("probe_size"), "value.maximum")
    assert.notNestedProperty(schemaOf("probe_sort"), "value.enum")
    assert.nestedProperty(schemaOf("probe_color"), "value.enum")
  })
})
