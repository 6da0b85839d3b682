import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { callablePhone } from "../../src/Services/Voice/CallablePhone.ts"

const called: ReadonlyArray<readonly [string, string]> = [
  ["+5511912345678", "+5511912345678"],
  [" +55 (11) 91234-5678 ", "+5511912345678"],
  ["005511912345678", "+5511912345678"],
  ["+５５11912345678", "+5511912345678"],
  ["+55 800 123 4567", "+558001234567"],
  ["+1 415-555-2671", "+14155552671"],
  ["+34 912 345 678", "+34912345678"],
  ["+247 40000", "+24740000"]
]

const refusals: ReadonlyArray<readonly [string, string]> = [
  ["11912345678", "phone_not_international"],
  ["5511912345678", "phone_not_international"],
  ["", "phone_not_international"],
  ["+", "phone_not_international"],
  ["+1 415 555 2671 / +1 415 555 2672", "phone_not_international"],
  ["+1-800-FLOWERS", "phone_not_international"],
  ["tel:+14155552671", "phone_not_international"],
  ["+14155552671;ext=2", "phone_not_international"],
  [`+${"1".repeat(60)}`, "phone_not_international"],
  ["+55 190", "phone_short_or_emergency"],
  ["+1 911", "phone_short_or_emergency"],
  ["+44 999", "phone_short_or_emergency"],
  ["+112", "phone_short_or_emergency"],
  ["+55 11 1234", "invalid_phone"],
  ["+999123456789", "invalid_phone"],
  ["+1 555 0100 000", "invalid_phone"],
  ["+1 900 555 1234", "phone_not_callable"],
  ["+55 900 123 4567", "phone_not_callable"],
  ["+44 909 879 0000", "phone_not_callable"],
  ["+8816 3155 5555", "phone_not_callable"],
  ["+870 773111632", "phone_not_callable"],
  ["+979 123456789", "phone_not_callable"]
]

describe("a number that may be called", () => {
  it.each(called)("%s is called as %s", (raw, e164) => {
    assert.deepStrictEqual(callablePhone(raw), Either.right(e164))
  })

  it.each(refusals)("%s is refused: %s", (raw, reason) => {
    const refused = callablePhone(raw)
    assert.strictEqual(Either.isLeft(refused) ? refused.left.reason : refused.right, reason)
  })
})
