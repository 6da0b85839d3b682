import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { fromJsonBody, fromQueryString, isRefused } from "../../src/Api/RequestArguments.ts"
import {
  convertBoolean,
  convertInt32,
  convertInt53,
  convertNumber,
  convertString,
  NestedValue,
  NumberLiteral,
  type RawArguments
} from "../../src/Tools/Core/ArgumentCoercion.ts"
import type { CallError } from "../../src/Tools/Core/Catalog.ts"
import { Echo, NoUnitOfWork, ProbeCaller, ProbeTools } from "../support/ProbeTools.ts"
import { type CoercionCase, coercionCases, type Outcome, queryOf } from "./coercionCases.ts"

const services = Layer.merge(NoUnitOfWork, ProbeCaller)

const decodeEcho = Schema.decodeUnknownSync(Schema.parseJson(Echo))

const outcomeOf = (error: CallError): Outcome => {
  if (error._tag === "RequestRefused" && error.type === "ParameterTypeMismatch") return { _tag: "Mismatch" }
  if (error._tag === "Refused") return { _tag: "Unacceptable", reason: error.reason }
  throw new Error(`The call failed with ${error._tag}.`)
}

const call = (tool: string, raw: ReturnType<typeof fromJsonBody>): Effect.Effect<Outcome> => {
  if (isRefused(raw)) return Effect.die(raw)
  return ProbeTools.call(tool, raw).pipe(
    Effect.map((answer): Outcome => ({ _tag: "Taken", ...decodeEcho(JSON.stringify(answer)) })),
    Effect.catchAll((error) => Effect.sync(() => outcomeOf(error))),
    Effect.provide(services)
  )
}

const title = ({ json, tool }: CoercionCase): string =>
  `${tool} ${json.length > 50 ? `${json.slice(0, 30)}… (${json.length})` : json}`

describe("values in a JSON body", () => {
  for (const coercionCase of coercionCases) {
    it.effect(title(coercionCase), () =>
      Effect.gen(function* () {
        const body = Buffer.from(`{"value":${coercionCase.json}}`)
        assert.deepStrictEqual(yield* call(coercionCase.tool, fromJsonBody(body)), coercionCase.outcome)
      })
    )
  }
})

describe("values in a query string", () => {
  for (const coercionCase of coercionCases) {
    const query = queryOf(coercionCase)
    if (query === undefined) continue
    it.effect(title(coercionCase), () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* call(coercionCase.tool, fromQueryString(`value=${query}`)), coercionCase.outcome)
      })
    )
  }
})

const literal = (source: string): NumberLiteral => new NumberLiteral(source)

describe("what a mismatch says", () => {
  const detailOf = (result: ReturnType<typeof convertNumber> | ReturnType<typeof convertBoolean>): string =>
    result._tag === "Mismatch" ? result.detail : "taken"

  for (const [source, words] of [
    ["1,5", "write 1.5, not 1,5"],
    ["1.234,56", "no thousands separator"],
    ["1,234.56", "no thousands separator"],
    ["+5", "plus sign"],
    [" 5", "white space"],
    ["", "empty"],
    ["007", "leading zeros"],
    ["1e3", "without an exponent"],
    [".5", "both sides of the decimal point"],
    ["one", "decimal digits only"],
    ["9007199254740993", "more digits"]
  ] as const) {
    it(`a number given as ${JSON.stringify(source)}`, () => {
      assert.include(detailOf(convertNumber(source)), words)
    })
  }

  it("an integer with a fraction, with the sign of a zero, and out of range", () => {
    assert.include(detailOf(convertInt32(literal("3.0"))), "whole number")
    assert.include(detailOf(convertInt32(literal("-0"))), "send 0")
    assert.include(detailOf(convertInt32(literal("2147483648"))), "between -2147483648 and 2147483647")
    assert.include(detailOf(convertInt53(literal("9007199254740992"))), "9007199254740991")
  })

  it("null, a list, and a boolean where a number belongs", () => {
    assert.include(detailOf(convertInt32(null)), "leave the parameter out")
    assert.include(detailOf(convertInt32(new NestedValue("list"))), "a list; every parameter is a single value")
    assert.include(detailOf(convertInt32(true)), "given as a boolean.")
  })

  it("a word that is not a boolean", () => {
    assert.include(detailOf(convertBoolean("sim")), 'Send true, false, "true", "false", 1, 0, "1" or "0".')
  })

  it("never repeats the value", () => {
    const result = convertNumber("123secret")
    assert.notInclude(JSON.stringify(result), "secret")
  })
})

it("a text is not normalized: composed and decomposed letters stay what they are", () => {
  assert.deepStrictEqual(convertString("e\u0301"), { _tag: "Accepted", value: "e\u0301" })
  assert.deepStrictEqual(convertString("\u00e9"), { _tag: "Accepted", value: "\u00e9" })
})

it("a zero has no sign", () => {
  for (const source of ["-0", "-0.0", "0"]) {
    const result = convertNumber(literal(source))
    assert.isTrue(result._tag === "Accepted" && Object.is(result.value, 0), source)
  }
})

it.effect("a value left out is the default, or nothing", () =>
  Effect.gen(function* () {
    const none: RawArguments = new Map()
    assert.deepStrictEqual(yield* call("probe_page", none), { _tag: "Taken", value: 0 })
    assert.deepStrictEqual(yield* call("probe_size", none), { _tag: "Taken", value: 20 })
    assert.deepStrictEqual(yield* call("probe_sort", none), { _tag: "Taken", value: "created" })
    assert.deepStrictEqual(yield* call("probe_optional_text", none), { _tag: "Taken", value: null })
    const missing = yield* Effect.exit(ProbeTools.call("probe_text", none).pipe(Effect.provide(services)))
    assert.isTrue(Exit.isFailure(missing))
  })
)

it("holds at least 150 cases, each in a body and most in a query string", () => {
  assert.isAtLeast(coercionCases.length, 150)
  assert.isAtLeast(coercionCases.filter((coercionCase) => queryOf(coercionCase) !== undefined).length, 150)
  assert.strictEqual(new Set(coercionCases.map(({ json, tool }) => `${tool} ${json}`)).size, coercionCases.length)
})
