import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountProfilePostgres } from "../../src/Layers/Accounts/AccountProfilePostgres.ts"
import { AccountProfile } from "../../src/Services/Accounts/AccountProfile.ts"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = AccountProfilePostgres.pipe(Layer.provideMerge(TestDatabase))

layer(TestLayer, { excludeTestServices: true })("AccountProfile", (it) => {
  it.effect("answers the caller's account, with null for what is not known", () =>
    Effect.gen(function* () {
      const profile = yield* AccountProfile
      const caller = yield* makeAccount("free_trial")
      const view = yield* as(caller)(profile.get)
      assert.deepInclude(view, {
        account_id: caller.accountId,
        phone: null,
        language: "pt-BR",
        timezone_offset_utc_hours: -3,
        plan: "free_trial",
        prospecting_eligibility: { is_eligible: true, reasons: [], fixes: [] }
      })
    })
  )

  it.effect("says why leads are not prospected, and shows half hours of the time zone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const profile = yield* AccountProfile
      const caller = yield* makeAccount()
      yield* sql`
        update account set is_prospecting_active = false, time_zone = 'Asia/Kolkata', phone = '+5511912345678'
        where account_id = ${caller.accountId}`
      const view = yield* as(caller)(profile.get)
      assert.deepInclude(view, {
        phone: "+5511912345678",
        timezone_offset_utc_hours: 5.5,
        prospecting_eligibility: {
          is_eligible: false,
          reasons: ["account_prospecting_off"],
          fixes: ["set_prospecting_active with active true"]
        }
      })
    })
  )

  it.effect("says what is missing before anybody can be written to", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const profile = yield* AccountProfile
      const caller = yield* makeAccount()
      const reasons = Effect.map(as(caller)(profile.get), ({ prospecting_eligibility }) => prospecting_eligibility)
      yield* sql`delete from business_profile where account_id = ${caller.accountId}`
      assert.deepStrictEqual(yield* reasons, {
        is_eligible: false,
        reasons: ["business_name_missing"],
        fixes: ["set_business with business_name, or update_campaign with business_name"]
      })
      yield* sql`update account set mail_display_name = null where account_id = ${caller.accountId}`
      assert.deepStrictEqual(yield* reasons, {
        is_eligible: false,
        reasons: ["business_name_missing", "sender_name_missing"],
        fixes: [
          "set_business with business_name, or update_campaign with business_name",
          "update_email_settings with display_name, or update_campaign with email_display_name"
        ]
      })
      yield* sql`
        insert into campaign (account_id, name, business_name, email_display_name)
        values (${caller.accountId}, 'Own', 'Solaris', 'Marta')`
      assert.deepStrictEqual(yield* reasons, { is_eligible: true, reasons: [], fixes: [] })
    })
  )

  it.effect("look-ups of one turn go to the right callers, also those that ask twice", () =>
    Effect.gen(function* () {
      const profile = yield* AccountProfile
      const callers = yield* Effect.forEach(Array.from({ length: 130 }), () => makeAccount())
      const asked = [...callers, ...callers.slice(0, 20)]
      const views = yield* Effect.forEach(asked, (caller) => as(caller)(profile.get), {
        concurrency: "unbounded"
      }).pipe(Effect.withTracerEnabled(false))
      assert.deepStrictEqual(
        views.map((view) => view.account_id),
        asked.map((caller) => caller.accountId)
      )
    })
  )

  it.effect("an account that was closed meanwhile is a permanent error, and spoils no other look-up", () =>
    Effect.gen(function* () {
      const profile = yield* AccountProfile
      const caller = yield* makeAccount()
      const gone = { ...caller, accountId: AccountId.make(999_999) }
      const [failure, view] = yield* Effect.all([Effect.flip(as(gone)(profile.get)), as(caller)(profile.get)], {
        concurrency: "unbounded"
      }).pipe(Effect.withTracerEnabled(false))
      assert.deepInclude(failure, { _tag: "Permanent", reason: "account_closed" })
      assert.strictEqual(view.account_id, caller.accountId)
    })
  )
})
