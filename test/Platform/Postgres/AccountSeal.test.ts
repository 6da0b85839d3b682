import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import { openAccount, sealAccount } from "../../../src/Layers/Platform/Postgres/AccountSeal.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"

const accounts = fc.maxSafeNat().map((number) => AccountId.make(number))
const keys = fc.uint8Array({ minLength: 16, maxLength: 16 })

describe("a sealed account", () => {
  it("is opened by its key, and looks different each time", () => {
    fc.assert(
      fc.property(keys, accounts, (key, account) => {
        const [one, other] = [sealAccount(key, account), sealAccount(key, account)]
        assert.deepStrictEqual(
          [openAccount(key, one), openAccount(key, other)],
          [Option.some(account), Option.some(account)]
        )
        assert.notDeepEqual(one, other)
        assert.strictEqual(one.length, 16)
      })
    )
  })

  it("is opened by no other key, and what was made up names no account", () => {
    const [key, another] = [randomBytes(16), randomBytes(16)]
    const opened = Array.from({ length: 5000 }, (_, n) =>
      n % 2 === 0 ? openAccount(another, sealAccount(key, AccountId.make(n))) : openAccount(key, randomBytes(16))
    ).filter(Option.isSome)
    // One in two thousand opens by chance, but no row of that account has such a key.
    assert.isBelow(opened.length, 30)
    for (const size of [0, 15, 17, 32]) assert.isTrue(Option.isNone(openAccount(key, randomBytes(size))))
  })
})
