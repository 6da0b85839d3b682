import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, layer, it as test } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { startIn } from "../../src/Services/Accounts/AccountCountry.ts"
import { languageKeyOf } from "../../src/Services/Accounts/AccountSettings.ts"
import { Accounts } from "../../src/Services/Accounts/Accounts.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { engineOver } from "../Outreach/support/touches.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const newAccount = { name: "Clinic", email: undefined, phone: undefined, plan: "paid" } as const

layer(engineOver(TestDatabase).pipe(Layer.orDie), { excludeTestServices: true })("an account of an operator", (it) => {
  const create = (more: { readonly country?: string; readonly phone?: string }) =>
    Effect.flatMap(Accounts, (accounts) => accounts.create({ ...newAccount, ...more }))
  const update = (accountId: AccountId, changes: { readonly phone?: string | null; readonly country?: string }) =>
    Effect.gen(function* () {
      const [accounts, unit] = [yield* Accounts, yield* UnitOfWork]
      return yield* unit.write(accounts.update(accountId, changes))
    })
  const storedAccount = (accountId: AccountId) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql`
        select phone, language_key as language, time_zone as zone,
          array(select phone from account_phone p where p.account_id = a.account_id) as phones
        from account a where account_id = ${accountId}`
      return row
    })

  it.effect("of another country begins in its language and time zone", () =>
    Effect.gen(function* () {
      const mexican = yield* create({ country: "MX" })
      assert.deepInclude(yield* storedAccount(mexican), { language: "es-MX", zone: "America/Mexico_City" })
      const byPhone = yield* create({ phone: "+351 912 345 678" })
      assert.deepStrictEqual(yield* storedAccount(byPhone), {
        phone: "+351912345678",
        language: "pt-PT",
        zone: "Europe/Lisbon",
        phones: ["+351912345678"]
      })
      assert.deepInclude(yield* storedAccount(yield* create({})), { language: "pt-BR", zone: "America/Sao_Paulo" })
      assert.propertyVal(yield* Effect.flip(create({ phone: "123" })), "reason", "invalid_phone")
    })
  )

  it.effect("has the phone that the operator sets, and no other account has it then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [account, other] = [yield* create({ country: "AR" }), yield* create({ phone: "+5511955550001" })]
      assert.deepStrictEqual(yield* update(account, { phone: "11 2345-6789" }), {
        account_id: account,
        phone: "+541123456789",
        country: "AR"
      })
      assert.deepInclude(yield* storedAccount(account), { phones: ["+541123456789"], language: "es-AR" })
      yield* update(account, { phone: "+5511955550002" })
      assert.deepInclude(yield* storedAccount(account), { phone: "+5511955550002", phones: ["+5511955550002"] })
      // Again, and the released number is free.
      yield* update(account, { phone: "+5511955550002" })
      yield* update(other, { phone: "+541123456789" })
      for (const [phone, reason] of [
        ["+541123456789", "phone_taken"],
        ["12", "invalid_phone"]
      ] as const) {
        assert.propertyVal(yield* Effect.flip(update(account, { phone })), "reason", reason)
      }
      yield* sql`insert into account_phone (account_id, phone) values (${account}, '+5511955550003')`
      assert.propertyVal(yield* Effect.flip(update(account, { phone: "+5511955550003" })), "reason", "phone_taken")
      assert.deepInclude(yield* storedAccount(account), { phone: "+5511955550002" })
      assert.deepInclude(yield* update(account, { phone: null, country: "CL" }), { phone: null, country: "CL" })
      assert.deepInclude(yield* storedAccount(account), { phones: ["+5511955550003"], language: "es-AR" })
      assert.propertyVal(yield* Effect.flip(update(AccountId.make(0), { phone: null })), "_tag", "NotFound")
    })
  )
})

describe("what an account begins with", () => {
  test.each([
    ["BR", "pt-BR", "America/Sao_Paulo"],
    ["US", "en-US", "America/New_York"],
    ["ES", "es-ES", "Europe/Madrid"],
    ["AO", "pt-AO", "Africa/Lagos"],
    ["DE", "en-DE", "Europe/Berlin"]
  ])("in %s", (country, languageKey, timeZone) => {
    assert.deepStrictEqual(startIn(country), { languageKey, timeZone })
  })

  test.each(["BR", "PT", "MX", "US", "DE", "JP"])("is a language of %s that the owner could choose", (country) => {
    assert.strictEqual(Either.getOrUndefined(languageKeyOf(startIn(country).languageKey)), startIn(country).languageKey)
  })
})
