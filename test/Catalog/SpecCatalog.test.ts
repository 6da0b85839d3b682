import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import type { ParamSpec } from "../../src/Tools/Core/Param.ts"
import type { Kind } from "../../src/Tools/Core/Tool.ts"

/** The whole catalog as it was agreed: every tool, those that are still to be built among them. */
const file = new URL("agreedCatalog.json", import.meta.url)

const Parameter = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("string", "integer", "number", "boolean"),
  required: Schema.Boolean,
  default: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean)),
  enum: Schema.optional(Schema.Array(Schema.String)),
  list_of: Schema.optional(Schema.Array(Schema.String)),
  min: Schema.optional(Schema.Number),
  max: Schema.optional(Schema.Number),
  min_length: Schema.optional(Schema.Number),
  max_length: Schema.optional(Schema.Number),
  fallback: Schema.optional(Schema.Boolean)
})
type Parameter = typeof Parameter.Type

const SpecCatalog = Schema.parseJson(
  Schema.Struct({
    tool_count: Schema.Int,
    groups: Schema.Array(Schema.String),
    tools: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        kind: Schema.Literal("R", "W", "D"),
        group: Schema.String,
        parameters: Schema.Array(Parameter)
      })
    )
  })
)

const kinds: { readonly [K in "R" | "W" | "D"]: Kind } = { R: "read", W: "write", D: "destructive" }

/** Sizes, whose `max` is a ceiling and not a bound. */
const sizes = new Set(["page_size", "limit", "top_k", "max_results"])

const expected = (parameter: Parameter) => ({
  type: parameter.type,
  required: parameter.required,
  default: parameter.default,
  enum: parameter.enum,
  itemsEnum: parameter.list_of,
  ...(parameter.min === undefined ? {} : { minimum: parameter.min }),
  ...(parameter.max === undefined ? {} : { maximum: parameter.max, lowersToMaximum: sizes.has(parameter.name) }),
  ...(parameter.min_length === undefined ? {} : { minLength: parameter.min_length }),
  ...(parameter.max_length === undefined ? {} : { maxLength: parameter.max_length }),
  fallsBack: parameter.fallback ?? false
})

/** What the tool says of the same members; where the agreed catalog states no bound, the tool may have one. */
const actual = (spec: ParamSpec, parameter: Parameter) => ({
  type: spec.type,
  required: spec.required,
  default: spec.default,
  enum: spec.enum,
  itemsEnum: spec.itemsEnum,
  ...(parameter.min === undefined ? {} : { minimum: spec.minimum }),
  ...(parameter.max === undefined ? {} : { maximum: spec.maximum, lowersToMaximum: spec.lowersToMaximum ?? false }),
  ...(parameter.min_length === undefined ? {} : { minLength: spec.minLength }),
  ...(parameter.max_length === undefined ? {} : { maxLength: spec.maxLength }),
  fallsBack: spec.fallsBack ?? false
})

const spec = Schema.decodeUnknownSync(SpecCatalog)(readFileSync(file, "utf8"))
const agreed = new Map(spec.tools.map((tool) => [tool.name, tool]))
const built = new Map(AllTools.entries.map(({ group, tool }) => [tool.name, { group, tool }]))

describe("the agreed catalog", () => {
  it("is whole", () => {
    assert.strictEqual(agreed.size, spec.tool_count)
  })

  it("has every tool that was built", () => {
    assert.deepStrictEqual(
      [...built.keys()].filter((name) => !agreed.has(name)),
      []
    )
  })

  it("has the groups, in the order in which they are built", () => {
    const groups = AllTools.groups.map(({ name }) => name)
    assert.deepStrictEqual(
      groups,
      spec.groups.filter((group) => groups.includes(group))
    )
  })

  for (const { group, kind, name, parameters } of spec.tools) {
    const tool = built.get(name)
    if (tool === undefined) {
      // Counted in the report of every run until it is there.
      it.todo(`${group}: ${name} is still missing`)
      continue
    }
    it(`says of ${name} what it is`, () => {
      assert.strictEqual(tool.group, group)
      assert.strictEqual(tool.tool.kind, kinds[kind])
      assert.deepStrictEqual(
        Object.keys(tool.tool.parameters),
        parameters.map((parameter) => parameter.name)
      )
      for (const parameter of parameters) {
        const param = tool.tool.parameters[parameter.name]
        if (param !== undefined) assert.deepStrictEqual(actual(param, parameter), expected(parameter), parameter.name)
      }
    })
  }
})
