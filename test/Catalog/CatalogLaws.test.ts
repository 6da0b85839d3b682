import { assert, describe, it } from "@effect/vitest"
import { SchemaAST } from "effect"
import { fromJsonBody, isRefused } from "../../src/Api/RequestArguments.ts"
import { toolErrorTags } from "../../src/Errors.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { NestedValue, NumberLiteral, type RawValue } from "../../src/Tools/Core/ArgumentCoercion.ts"
import type { ParamSpec } from "../../src/Tools/Core/Param.ts"
import type { Tool } from "../../src/Tools/Core/Tool.ts"
import { answerFields, outputSchema } from "../../src/Tools/Core/ToolSchema.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"

const tools: ReadonlyArray<Tool<unknown>> = [...AllTools.entries, ...PlatformTools.entries].map(({ tool }) => tool)
const parameters = tools.flatMap((tool) =>
  Object.entries(tool.parameters).map(([name, spec]) => ({ tool, name, spec, place: `${tool.name}.${name}` }))
)

const lowerSnakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** What is wrong with a text that people read: it should be one line of sentences. */
const faultsOf = (text: string): ReadonlyArray<string> => [
  ...(text.trim() === text && !/\s\s|[\n\t]/.test(text) ? [] : ["has stray white space"]),
  ...(text.endsWith(".") ? [] : ["does not end with a period"]),
  ...(/^[A-Z0-9`"]/.test(text) ? [] : ["does not begin with a capital"]),
  ...(text.length >= 8 && text.length <= 1000 ? [] : ["is too short or too long"]),
  // What a description that was never finished has in it.
  ...(/TODO|FIXME|lorem/i.test(text) ? ["is unfinished"] : [])
]

const described = (place: string, text: string): ReadonlyArray<string> =>
  faultsOf(text).map((fault) => `${place} ${fault}: ${text}`)

const none: ReadonlyArray<string> = []

describe("names", () => {
  it("of tools are unique, lower snake case and at most 64 characters", () => {
    const names = tools.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(
      names.filter((name) => !lowerSnakeCase.test(name) || name.length > 64),
      none
    )
  })

  it("of groups are unique, and no group is empty", () => {
    const names = AllTools.groups.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    assert.isTrue(AllTools.groups.every((group) => group.tools.length > 0))
  })

  it("of parameters are lower snake case", () => {
    assert.deepStrictEqual(
      parameters.filter(({ name }) => !lowerSnakeCase.test(name)).map(({ place }) => place),
      none
    )
  })
})

describe("descriptions", () => {
  it("of groups are sentences", () => {
    assert.deepStrictEqual(
      AllTools.groups.flatMap(({ description, name }) => described(name, description)),
      none
    )
  })

  it("of tools are sentences", () => {
    assert.deepStrictEqual(
      tools.flatMap(({ description, name }) => described(name, description)),
      none
    )
  })

  it("of parameters are sentences", () => {
    assert.deepStrictEqual(
      parameters.flatMap(({ place, spec }) => described(place, spec.description)),
      none
    )
  })
})

describe("parameters", () => {
  const faults = (check: (spec: ParamSpec) => boolean): ReadonlyArray<string> =>
    parameters.filter(({ spec }) => !check(spec)).map(({ place }) => place)

  it("with a default are not required, and their default is a value they take", () => {
    assert.deepStrictEqual(
      faults((spec) => spec.default === undefined || !spec.required),
      none
    )
    assert.deepStrictEqual(
      faults(
        (spec) => spec.default === undefined || spec.enum === undefined || spec.enum.includes(String(spec.default))
      ),
      none
    )
  })

  it("have bounds in order, and closed sets without repeats", () => {
    assert.deepStrictEqual(
      faults(({ maximum, minimum }) => minimum === undefined || maximum === undefined || minimum <= maximum),
      none
    )
    assert.deepStrictEqual(
      faults((spec) => {
        const values = spec.enum ?? spec.itemsEnum ?? ["a"]
        return values.length > 0 && new Set(values).size === values.length
      }),
      none
    )
  })

  it("of text have a bound or a closed set", () => {
    assert.deepStrictEqual(
      faults(
        (spec) =>
          spec.type !== "string" ||
          spec.maxLength !== undefined ||
          spec.enum !== undefined ||
          spec.format === "date-time" ||
          spec.format === "date"
      ),
      none
    )
  })

  it("take or refuse any value, and throw at none", () => {
    const literal = (source: string): RawValue => new NumberLiteral(source)
    const hostile: ReadonlyArray<RawValue> = [
      ...["", " ", "\u0000", "\ud800", "-", ".", "1e999", "NaN", "-1", "0", "9007199254740991", "-9007199254740991"],
      ...[
        "9999-12-31",
        "9999-12-31T23:59:59-14:00",
        "0000-00-00",
        "9".repeat(30_000),
        "🙂".repeat(20_000),
        ",".repeat(30_000)
      ],
      ...[
        "{",
        "[]",
        "null",
        "[null]",
        '[{"a":1}]',
        "http://",
        "https://[",
        "https://user:pass@localhost/",
        "%",
        "@",
        "+"
      ],
      ...["-1", "0", "-0", "1e999", "9007199254740991", "-9007199254740991", "9007199254740993"].map(literal),
      ...[true, false, null, new NestedValue("object"), new NestedValue("list")]
    ]
    const throwing = tools.flatMap((tool) =>
      Object.entries(decodersOf(tool)).flatMap(([name, param]) =>
        hostile
          .filter((raw) => throws(() => param.decode(raw)))
          .map((raw) => `${tool.name}.${name}: ${JSON.stringify(raw)}`)
      )
    )
    assert.deepStrictEqual(throwing, none)
  })
})

const throws = (run: () => unknown): boolean => {
  try {
    run()
    return false
  } catch {
    return true
  }
}

interface Decoder {
  readonly decode: (raw: RawValue) => { readonly _tag: string }
}

const isDecoder = (spec: ParamSpec): spec is ParamSpec & Decoder =>
  "decode" in spec && typeof spec.decode === "function"

/** The parameters of a tool with what the catalog hides: how they decode. */
const decodersOf = (tool: Tool<unknown>): { readonly [name: string]: Decoder } =>
  Object.fromEntries(
    Object.entries(tool.parameters).map(([name, spec]) => [name, isDecoder(spec) ? spec : assert.fail(tool.name)])
  )

describe("examples", () => {
  it("have only parameters of the tool, and all that are required", () => {
    const faults = tools.flatMap((tool) => [
      ...Object.keys(tool.example).filter((name) => !Object.hasOwn(tool.parameters, name)),
      ...Object.entries(tool.parameters).flatMap(([name, spec]) =>
        spec.required && tool.example[name] === undefined ? [`${tool.name}.${name}`] : []
      )
    ])
    assert.deepStrictEqual(faults, none)
  })

  it("are taken by the tool's own parameters", () => {
    const faults = tools.flatMap((tool) => {
      const raw = fromJsonBody(Buffer.from(JSON.stringify(tool.example)))
      if (isRefused(raw)) return [tool.name]
      const decoders = decodersOf(tool)
      return [...raw].flatMap(([name, value]) =>
        decoders[name]?.decode(value)._tag === "Accepted" ? [] : [`${tool.name}.${name}`]
      )
    })
    assert.deepStrictEqual(faults, none)
  })
})

const unplain: ReadonlySet<SchemaAST.AST["_tag"]> = new Set([
  "Transformation",
  "Declaration",
  "BigIntKeyword",
  "SymbolKeyword",
  "UniqueSymbol",
  "VoidKeyword",
  "UndefinedKeyword",
  "AnyKeyword",
  "ObjectKeyword"
])

/** An optional member may be undefined in the program: in JSON it is then not there. */
const whenPresent = ({ isOptional, type }: SchemaAST.PropertySignature): ReadonlyArray<SchemaAST.AST> =>
  isOptional && SchemaAST.isUnion(type) ? type.types.filter((part) => !SchemaAST.isUndefinedKeyword(part)) : [type]

/** Parts of an answer's schema that are not plain JSON, by their paths. */
const unplainParts = (root: SchemaAST.AST): ReadonlyArray<string> => {
  const seen = new Set<SchemaAST.AST>()
  const walk = (ast: SchemaAST.AST, path: string): ReadonlyArray<string> => {
    if (seen.has(ast)) return []
    seen.add(ast)
    if (unplain.has(ast._tag)) return [`${path}: ${ast._tag}`]
    if (SchemaAST.isRefinement(ast)) return walk(ast.from, path)
    if (SchemaAST.isSuspend(ast)) return walk(ast.f(), path)
    if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => walk(type, path))
    if (SchemaAST.isTupleType(ast)) return [...ast.elements, ...ast.rest].flatMap(({ type }) => walk(type, `${path}[]`))
    if (!SchemaAST.isTypeLiteral(ast)) return []
    return [
      ...ast.indexSignatures.flatMap(({ type }) => walk(type, `${path}.*`)),
      ...ast.propertySignatures.flatMap((member) =>
        whenPresent(member).flatMap((part) => walk(part, `${path}.${String(member.name)}`))
      )
    ]
  }
  return walk(root, "")
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : {})

/** The members of each object that a schema describes. */
const memberNames = (schema: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(asObject(schema)).flatMap(([keyword, value]: [string, unknown]) => [
    ...(keyword === "properties" ? [Object.keys(asObject(value))] : []),
    ...memberNames(value)
  ])

/** Fields that the specification spells otherwise. */
const specifiedFields: ReadonlySet<string> = new Set(["Content", "Summary", "simulationLeadId", "callId"])

/** Members are fields, or else the words of a closed set such as the lead statuses, with a count each. */
const isWellNamed = (names: ReadonlyArray<string>): boolean =>
  names.every((name) => lowerSnakeCase.test(name) || specifiedFields.has(name)) ||
  names.every((name) => /^[A-Z][A-Za-z]*$/.test(name))

describe("answers", () => {
  it("are plain JSON: nothing in their schemas transforms", () => {
    assert.deepStrictEqual(
      tools.flatMap((tool) => unplainParts(tool.returns.ast).map((part) => `${tool.name}${part}`)),
      none
    )
  })

  it("are objects with members in lower snake case", () => {
    assert.deepStrictEqual(
      tools.filter((tool) => answerFields(tool).length === 0).map(({ name }) => name),
      none
    )
    assert.deepStrictEqual(
      tools.flatMap((tool) =>
        memberNames(outputSchema(tool))
          .filter((names) => !isWellNamed(names))
          .map((names) => `${tool.name}: ${names.join(", ")}`)
      ),
      none
    )
  })

  it("with schemas of one name have one schema", () => {
    const definitions = tools.flatMap((tool) => Object.entries({ ...asObject(outputSchema(tool)["$defs"]) }))
    const first = new Map(definitions.toReversed())
    assert.deepStrictEqual(
      definitions.filter(([name, schema]) => JSON.stringify(first.get(name)) !== JSON.stringify(schema)),
      []
    )
  })

  it("of paged lists have the page, its size and a total", () => {
    const faults = tools.filter((tool) => {
      const fields = answerFields(tool).map(({ name }) => name)
      return (
        Object.hasOwn(tool.parameters, "page") &&
        !(fields.includes("page") && fields.includes("page_size") && fields.some((name) => /(?:^|_)total$/.test(name)))
      )
    })
    assert.deepStrictEqual(
      faults.map(({ name }) => name),
      none
    )
  })

  it("state every size that can be lowered", () => {
    const faults = parameters.filter(
      ({ name, spec, tool }) =>
        spec.lowersToMaximum === true && !answerFields(tool).some((field) => field.name === name)
    )
    assert.deepStrictEqual(
      faults.map(({ place }) => place),
      none
    )
  })
})

describe("errors", () => {
  it("are declared in one order, with the two that any tool can have", () => {
    for (const { errors, name } of tools) {
      assert.deepStrictEqual(
        errors,
        toolErrorTags.filter((tag) => errors.includes(tag)),
        name
      )
      assert.includeMembers([...errors], ["Transient", "Permanent"], name)
    }
  })

  it("have reasons in lower snake case, those of NotFound with the noun first, for each of their types", () => {
    for (const { errors, name, reasons } of tools) {
      const types = toolErrorTags.filter((tag) => reasons[tag] !== undefined)
      // A defect is answered as Permanent by any tool.
      assert.deepStrictEqual(
        errors.filter((tag) => tag !== "Permanent" || reasons.Permanent !== undefined),
        types,
        name
      )
      for (const reason of types.flatMap((tag) => reasons[tag] ?? [])) assert.match(reason, lowerSnakeCase, name)
      for (const reason of reasons.NotFound ?? []) assert.match(reason, /_not_found$/, name)
    }
  })

  it("say PlanRequired exactly where the paid plan is needed", () => {
    const faults = tools.filter((tool) => tool.requiresPaidPlan !== tool.errors.includes("PlanRequired"))
    assert.deepStrictEqual(
      faults.map(({ name }) => name),
      none
    )
  })

  it("have NotFound where the id of a record is required", () => {
    const faults = parameters.filter(
      ({ spec, tool }) => spec.required && spec.format === "id" && !tool.errors.includes("NotFound")
    )
    assert.deepStrictEqual(
      faults.map(({ place }) => place),
      none
    )
  })
})

it("no read starts a background job", () => {
  assert.deepStrictEqual(
    tools.filter((tool) => tool.kind === "read" && tool.runsInBackground).map(({ name }) => name),
    none
  )
})
