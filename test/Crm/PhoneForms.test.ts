import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isSamePhone, nationalNumbers, phoneForms } from "../../src/Services/Crm/PhoneForms.ts"

const mobile = "+5511987654321"

describe("a phone as people type it", () => {
  it.each([
    "+5511987654321",
    "5511987654321",
    "11987654321",
    "(11) 98765-4321",
    "11 98765 4321",
    "+55 (11) 9.8765-4321",
    "011 98765-4321",
    "0 15 11 98765-4321",
    "0055 11 98765-4321",
    "+55 (0)11 98765-4321",
    "(11) 8765-4321",
    "+551187654321"
  ])("%s is the same", (typed) => assert.isTrue(isSamePhone(typed, mobile)))

  it.each(["98765-4321", "8765-4321", "(21) 98765-4321", "(11) 98765-4322", "+1 11 98765 4321", "", "-", "4321"])(
    "%j is another, or nobody's",
    (typed) => assert.isFalse(isSamePhone(typed, mobile))
  )

  it("a landline has no form without a ninth digit", () => {
    assert.deepStrictEqual(nationalNumbers("+551132654321"), ["1132654321"])
    assert.deepStrictEqual(nationalNumbers(mobile), ["11987654321", "1187654321"])
    assert.isFalse(isSamePhone("(11) 2654-321", "+551132654321"))
  })

  it("the forms begin with the usual ones", () => {
    assert.deepStrictEqual(phoneForms(mobile).slice(0, 4), [
      "+5511987654321",
      "11987654321",
      "(11) 98765-4321",
      "5511987654321"
    ])
    assert.includeMembers([...phoneForms("+14155552671")], ["+1 415 555 2671", "(415) 555-2671", "4155552671"])
    assert.deepStrictEqual(phoneForms("+0"), ["+0"])
  })

  it("every form is recognised, and none twice", () => {
    const area = fc.constantFrom("11", "21", "51", "85")
    const rest = fc.integer({ min: 60_000_000, max: 99_999_999 })
    fc.assert(
      fc.property(area, rest, (code, number) => {
        const e164 = `+55${code}9${number}`
        const forms = phoneForms(e164)
        assert.strictEqual(new Set(forms).size, forms.length)
        for (const form of forms) assert.isTrue(isSamePhone(form, e164), form)
      })
    )
  })
})
