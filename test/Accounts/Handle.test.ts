import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import { handleOf, handleOfName, isReservedHandle, strippedHandle } from "../../src/Services/Accounts/Handle.ts"

const reasonOf = (text: string) =>
  Either.match(handleOf(text), { onLeft: ({ reason }) => reason, onRight: () => "taken" })

describe("a handle", () => {
  const accepted = [
    ["João Silva", "joaosilva"],
    ["  Ana.Souza ", "ana.souza"],
    ["ação_2", "acao_2"],
    ["Müller & Søn", "mullerson"],
    ["..a--b__c..", "a-b_c"],
    ["ＡＢＣ", "abc"]
  ] as const
  for (const [given, handle] of accepted) {
    it(`${given} becomes ${handle}`, () => assert.deepStrictEqual(handleOf(given), Either.right(handle)))
  }

  const refusals = [
    ["", "handle_too_short"],
    ["ab", "handle_too_short"],
    ["日本", "handle_too_short"],
    ["a".repeat(21), "handle_too_long"],
    ["Support", "handle_reserved"],
    ["post.master", "handle_reserved"],
    ["no-reply", "handle_reserved"]
  ] as const
  for (const [given, reason] of refusals) {
    it(`${given} is refused: ${reason}`, () => assert.strictEqual(reasonOf(given), reason))
  }

  it("is always a mail address's local part, and its own handle", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const handle = handleOf(text)
        if (Either.isLeft(handle)) return
        assert.match(handle.right, /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)
        assert.isTrue(handle.right.length >= 3 && handle.right.length <= 20)
        assert.isFalse(isReservedHandle(handle.right))
        assert.deepStrictEqual(handleOf(handle.right), handle)
      }),
      { numRuns: 1000 }
    )
  })

  it("of a new account leaves room for a number", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (name) => {
        const handle = handleOfName(name)
        assert.match(handle, /^[a-z0-9]{1,14}$/)
        if (handle !== "account") assert.isFalse(isReservedHandle(handle))
      })
    )
    assert.strictEqual(handleOfName("Support"), "account")
  })

  it("is found in bounded time, whatever the text", () => {
    assert.strictEqual(strippedHandle(`${"-".repeat(5_000_000)}a`), "")
  })
})
