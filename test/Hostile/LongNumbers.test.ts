import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fromJsonBody } from "../../src/Api/RequestArguments.ts"
import { RequestRefused } from "../../src/Errors.ts"
import * as Param from "../../src/Tools/Core/Param.ts"

/** Bytes of the longest body that a gateway takes unless its operator allows more. */
const bodyLimit = 16 * 1024 * 1024
/** Characters of a body outside texts. */
const longestLiteral = 190_000

const Id = Schema.Int.pipe(Schema.brand("AttackedId"))

const kinds: { readonly [kind: string]: Param.Param<unknown> } = {
  text: Param.text("", { minLength: 1 }),
  uri: Param.text("", { format: "uri" }),
  integer: Param.integer(""),
  size: Param.size("", { default: 1, maximum: 10 }),
  cursor: Param.cursor(""),
  number: Param.number("", { minimum: 0 }),
  boolean: Param.boolean(""),
  id: Param.id(Id, ""),
  ids: Param.ids(Id, ""),
  words: Param.words(""),
  listOf: Param.listOf(["a", "b"], ""),
  oneOf: Param.oneOf(["a", "b"], ""),
  oneOfOrElse: Param.oneOfOrElse(["a", "b"], "a", ""),
  instant: Param.instant(""),
  upperBound: Param.inclusiveUpperBound(""),
  date: Param.date(""),
  optional: Param.optional(Param.number(""))
}

const repeated = [
  "1.",
  "1,",
  "1",
  "0",
  "-",
  "+",
  ".",
  ",",
  " ",
  "e",
  "1e",
  "0x",
  "a,",
  "a",
  "é",
  "\\u0041",
  "\\\\",
  "\\n",
  "\\u0000",
  "\\ud800",
  "2026-01-01",
  "T",
  ":",
  "😀"
]

const decoded = (source: string) => {
  const raw = fromJsonBody(Buffer.from(`{"value":${source}}`))
  if (raw instanceof RequestRefused) return
  const value = raw.get("value")
  if (value === undefined) return assert.fail("The value is lost.")
  for (const [kind, param] of Object.entries(kinds)) {
    assert.include(["Accepted", "Mismatch", "Unacceptable"], param.decode(value)._tag, kind)
  }
}

describe("long repeated characters", () => {
  for (const piece of repeated) {
    // A reader that tries parts of it again takes hours for these, or runs out of its stack.
    it(`of ${JSON.stringify(piece)} end in a typed answer for every kind of parameter`, () => {
      const most = Math.floor((bodyLimit - 100) / Buffer.byteLength(piece))
      for (const count of [1, 100, 10_000, most]) {
        decoded(`"${piece.repeat(count)}"`)
        decoded(`"${piece.repeat(count)}x"`)
      }
    })
  }

  for (const [name, literal] of Object.entries({
    digits: "1".repeat(longestLiteral),
    fraction: `1.${"1".repeat(longestLiteral)}`,
    zeros: `0.${"0".repeat(longestLiteral)}`,
    exponent: `1e${"1".repeat(longestLiteral)}`,
    minus: `-${"9".repeat(longestLiteral)}`
  })) {
    it(`a number without quotes (${name}) ends in a typed answer for every kind of parameter`, () => decoded(literal))
  }
})
