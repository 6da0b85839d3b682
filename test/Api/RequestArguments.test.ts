import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { fromJsonBody, fromQueryString, isRefused } from "../../src/Api/RequestArguments.ts"
import { RequestRefused } from "../../src/Errors.ts"
import { NestedValue, NumberLiteral, type RawArguments, type RawValue } from "../../src/Tools/Core/ArgumentCoercion.ts"
import { bodyCases, type ReadValue } from "./bodyCases.ts"

const readValue = (raw: RawValue): ReadValue => {
  if (raw instanceof NumberLiteral) return { number: raw.source }
  return raw instanceof NestedValue ? { nested: raw.shape } : raw
}

const entriesOf = (args: RawArguments): ReadonlyArray<readonly [string, ReadValue]> =>
  [...args].map(([name, raw]) => [name, readValue(raw)] as const)

const read = (args: RawArguments | RequestRefused): ReadonlyArray<readonly [string, ReadValue]> =>
  isRefused(args) ? assert.fail(`refused as ${args.type}: ${args.error}`) : entriesOf(args)

describe("a JSON body", () => {
  for (const { body, expected, title } of bodyCases) {
    it(title, () => {
      const args = fromJsonBody(body)
      if (typeof expected !== "string") {
        assert.deepStrictEqual(read(args), expected.args)
        return
      }
      assert.instanceOf(args, RequestRefused)
      assert.strictEqual(args.type, expected)
      assert.strictEqual(args.status, 400)
      assert.notStrictEqual(args.detail, "")
    })
  }
})

/** Any 16-bit units, halves of surrogate pairs among them. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
const anyName = fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "toString", "", "1", "0", "a"))
const anyNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
const anyScalar = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null))
const namesOf = (json: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(json)
  return typeof parsed === "object" && parsed !== null ? Object.keys(parsed) : []
}
const anyIndent = fc.constantFrom(undefined, 1, "\t")

/** The same cases on every run: a failure here is never a matter of luck. */
const runs = (numRuns: number) => ({ numRuns, seed: 20_260_301 })

describe("any JSON body", () => {
  it("of single values gives them back as they were written", () => {
    fc.assert(
      fc.property(fc.dictionary(anyName, anyScalar), anyIndent, (record, indent) => {
        const expected = Object.entries(record).map(
          ([name, value]) => [name, typeof value === "number" ? { number: JSON.stringify(value) } : value] as const
        )
        assert.deepStrictEqual(read(fromJsonBody(Buffer.from(JSON.stringify(record, undefined, indent)))), expected)
      }),
      runs(1000)
    )
  })

  it("has the names that JSON.parse finds, and tells objects from lists", () => {
    fc.assert(
      fc.property(fc.dictionary(anyName, fc.jsonValue()), anyIndent, (record, indent) => {
        const json = JSON.stringify(record, undefined, indent)
        const names = namesOf(json)
        const args = new Map(read(fromJsonBody(Buffer.from(json))))
        assert.deepStrictEqual(new Set(args.keys()), new Set(names))
        for (const [name, value] of Object.entries(record)) {
          if (typeof value !== "object" || value === null) continue
          assert.deepStrictEqual(args.get(name), { nested: Array.isArray(value) ? "list" : "object" })
        }
      }),
      runs(1000)
    )
  })

  const isObjectOrNull = (json: string): boolean => {
    try {
      const parsed: unknown = JSON.parse(json)
      return typeof parsed === "object" && !Array.isArray(parsed)
    } catch {
      return false
    }
  }

  it("is told which bound it passes", () => {
    const errorOf = (body: string) => {
      const refusal = fromJsonBody(Buffer.from(body))
      return refusal instanceof RequestRefused ? refusal.error : "read"
    }
    assert.strictEqual(
      errorOf(`{"a":"${'\\"'.repeat(2_000_001)}"}`),
      "The body's texts have too many escaped characters."
    )
    assert.strictEqual(errorOf(`{"a":[${"{},".repeat(30_000)}{}]}`), "The body has too many values.")
    assert.strictEqual(errorOf(`{"a":"${'\\"'.repeat(200_000)}"}`), "read")
  })

  it("of random bytes is read or refused, never more", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const args = fromJsonBody(Buffer.from(bytes))
        assert.isTrue(args instanceof Map || args instanceof RequestRefused)
      }),
      runs(5000)
    )
  })

  it("that was damaged is refused where JSON.parse refuses it", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ",",
      ":",
      " ",
      "a",
      "1",
      "-",
      ".",
      "e",
      "true",
      "null"
    )
    fc.assert(
      fc.property(fc.dictionary(anyName, fc.jsonValue()), fc.nat(), fc.nat(10), pieces, (record, where, cut, piece) => {
        const json = JSON.stringify(record)
        const at = where % (json.length + 1)
        const damaged = `${json.slice(0, at)}${piece}${json.slice(at + cut)}`.toWellFormed()
        const args = fromJsonBody(Buffer.from(damaged))
        if (!isObjectOrNull(damaged) && damaged.trim() !== "") assert.instanceOf(args, RequestRefused)
        else if (isRefused(args)) assert.include(args.error, "twice")
      }),
      runs(5000)
    )
  })
})

describe("a query string", () => {
  const refusalOf = (query: string): RequestRefused => {
    const args = fromQueryString(query)
    return isRefused(args) ? args : assert.fail("expected a refusal")
  }

  for (const [query, expected] of [
    ["", []],
    ["a=1", [["a", "1"]]],
    [
      "a=1&b=2",
      [
        ["a", "1"],
        ["b", "2"]
      ]
    ],
    ["a=", [["a", ""]]],
    ["a", [["a", ""]]],
    ["&&a=1&", [["a", "1"]]],
    ["a=b=c", [["a", "b=c"]]],
    ["a=x+y", [["a", "x y"]]],
    ["a=x%2By", [["a", "x+y"]]],
    ["a=%20x%20", [["a", " x "]]],
    ["a=null", [["a", "null"]]],
    ["a=%C3%A7%F0%9F%99%82", [["a", "ç🙂"]]],
    ["%61=1", [["a", "1"]]],
    ["a=%25", [["a", "%"]]],
    ["a=1;b=2", [["a", "1;b=2"]]],
    ["a[]=1", [["a[]", "1"]]],
    ["a=%00", [["a", "\u0000"]]],
    ["=1", [["", "1"]]],
    [
      "__proto__=1&constructor=2",
      [
        ["__proto__", "1"],
        ["constructor", "2"]
      ]
    ]
  ] as const) {
    it(`reads ${JSON.stringify(query)}`, () => {
      assert.deepStrictEqual(read(fromQueryString(query)), expected)
    })
  }

  for (const query of ["a=1&a=2", "a=1&a=1", "a&a", "a=1&%61=2", "__proto__=1&__proto__=2"]) {
    it(`refuses the repetition in ${query}`, () => {
      assert.strictEqual(refusalOf(query).type, "ParameterTypeMismatch")
      assert.include(refusalOf(query).error, "twice")
    })
  }

  for (const query of ["a=%", "a=%zz", "a=%f", "a=%ff", "a=%c3", "%ff=1", "a=%ed%a0%80", "a=%c0%af"]) {
    it(`refuses the encoding of ${query}`, () => {
      assert.strictEqual(refusalOf(query).type, "ParameterTypeMismatch")
      assert.include(refusalOf(query).error, "percent-encoded")
    })
  }

  it("of any kind is read or refused, never more", () => {
    const pieces = fc.constantFrom(
      "a",
      "b",
      "=",
      "&",
      "%",
      "+",
      "%41",
      "%ff",
      "%F0%9F%99%82",
      ";",
      "[]",
      "é",
      "\ud800",
      " "
    )
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: pieces })), (query) => {
        const args = fromQueryString(query)
        assert.isTrue(args instanceof Map || args instanceof RequestRefused)
      }),
      runs(5000)
    )
  })

  it("that a library wrote gives back what it was given", () => {
    const anyWellFormed = fc.string({ unit: "binary" })
    fc.assert(
      fc.property(fc.dictionary(anyWellFormed, anyWellFormed), (record) => {
        const pairs = Object.entries(record)
        assert.deepStrictEqual(read(fromQueryString(new URLSearchParams(pairs).toString())), pairs)
      }),
      runs(1000)
    )
  })
})
