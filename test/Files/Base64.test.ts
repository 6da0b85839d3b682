import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import { decodeBase64 } from "../../src/Services/Files/CustomerFileUpload.ts"

/** Written again as they are read, character by character: what the encoding prescribes, and slow. */
const isPrescribed = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text

/** U+0141 has the lower byte of `A`, for which a decoder that looks at no more takes it. */
const odd = ["-", "_", "=", "==", " ", "\n", "\u0000", "\u0141", "\u00e9", "\u{1f600}", "B", "b", "/", "+"]

describe("Base64", () => {
  it("gives back the bytes of every file", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = Either.getOrThrow(decodeBase64(Buffer.from(bytes).toString("base64")))
        assert.deepStrictEqual([...decoded], [...bytes])
      })
    )
  })

  it("is taken where it would be written the same, and nowhere else", () => {
    const change = fc.record({
      at: fc.nat(60),
      length: fc.constantFrom(0, 1, 2, 4),
      text: fc.constantFrom("", ...odd)
    })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(change, { maxLength: 3 }), (bytes, changes) => {
        const text = changes.reduce(
          (before, { at, length, text: put }) => before.slice(0, at) + put + before.slice(at + length),
          Buffer.from(bytes).toString("base64")
        )
        assert.strictEqual(Either.isRight(decodeBase64(text)), isPrescribed(text), JSON.stringify(text))
      }),
      { numRuns: 5000 }
    )
  })
})
