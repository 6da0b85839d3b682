import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { BlacklistPostgres } from "../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { countBlockOf } from "../../src/Layers/Blacklist/Sql.ts"
import { Blacklist, type BlacklistKind, type BlacklistReason } from "../../src/Services/Blacklist/Blacklist.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const TestLayer = BlacklistPostgres.pipe(Layer.provideMerge(TestDatabase))

const add = (kind: BlacklistKind, value: string, reason?: BlacklistReason) =>
  Effect.flatMap(Blacklist, (blacklist) => blacklist.add(kind, value, reason))
const remove = (kind: BlacklistKind, value: string) =>
  Effect.flatMap(Blacklist, (blacklist) => blacklist.remove(kind, value))
const list = (page: number, pageSize: number) =>
  Effect.flatMap(Blacklist, (blacklist) => blacklist.list({ page, pageSize }))

/** The entry that blocks a contact, as `kind value`. */
const blocks = (contact: { readonly email?: string; readonly phone?: string }) =>
  Effect.flatMap(Blacklist, (blacklist) =>
    Effect.map(blacklist.blockedBy({ email: contact.email ?? null, phone: contact.phone ?? null }), (entry) =>
      Option.match(entry, { onNone: () => "nothing", onSome: ({ kind, value }) => `${kind} ${value}` })
    )
  )

layer(TestLayer, { excludeTestServices: true })("Blacklist", (it) => {
  it.effect("a new entry is answered as it is stored, with Other for a reason that was not given", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { created, entry } = yield* me(add("email", " Ana@Rival.com "))
      assert.isTrue(created)
      assert.deepInclude(entry, {
        kind: "email",
        value: "ana@rival.com",
        match: "whole",
        reason: "Other",
        times_blocked: 0
      })
      assert.deepStrictEqual(yield* me(list(0, 50)), { entries: [entry], total: 1 })
    })
  )

  it.effect("adding it again creates nothing; only a reason that is given replaces the old one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const first = yield* me(add("domain", "rival.com", "Competitor"))
      const again = yield* me(add("domain", "RIVAL.com"))
      assert.deepStrictEqual(again, { entry: first.entry, created: false })
      const changed = yield* me(add("domain", "rival.com", "Client"))
      assert.deepStrictEqual(changed, { entry: { ...first.entry, reason: "Client" }, created: false })
      assert.strictEqual((yield* me(list(0, 50))).total, 1)
    })
  )

  it.effect("adding the same at once makes one entry", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const added = yield* Effect.all(
        Array.from({ length: 8 }, () => me(add("email", "once@rival.com"))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        added.filter(({ created }) => created),
        1
      )
    })
  )

  it.effect("what is not acceptable is refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const cases: ReadonlyArray<readonly [BlacklistKind, string, string]> = [
        ["email", "no-address", "invalid_email"],
        ["domain", "ana@rival.com", "email_instead_of_domain"],
        ["domain", "https://rival.com", "invalid_domain"],
        ["phone", "12", "phone_too_short"]
      ]
      for (const [kind, value, reason] of cases) {
        const failure = yield* Effect.flip(me(add(kind, value)))
        assert.deepInclude(failure, { _tag: "Refused", reason })
      }
      assert.strictEqual((yield* me(list(0, 50))).total, 0)
    })
  )

  it.effect("pages come newest first, and the total is of all kinds", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(add("email", "a@rival.com"))
      yield* me(add("domain", "rival.com"))
      yield* me(add("phone", "+5511912345678"))
      const first = yield* me(list(0, 2))
      assert.deepStrictEqual([first.entries.map(({ kind }) => kind), first.total], [["phone", "domain"], 3])
      const second = yield* me(list(1, 2))
      assert.deepStrictEqual([second.entries.map(({ kind }) => kind), second.total], [["email"], 3])
      assert.deepStrictEqual(yield* me(list(2_147_483_647, 200)), { entries: [], total: 3 })
    })
  )

  it.effect("an entry is removed in whatever form it is written; a second time it is not found", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { entry } = yield* me(add("phone", "(11) 91234-5678", "Client"))
      assert.deepStrictEqual(yield* me(remove("phone", "+55 11 91234 5678")), entry)
      const failure = yield* Effect.flip(me(remove("phone", "+55 11 91234 5678")))
      assert.deepInclude(failure, {
        _tag: "NotFound",
        reason: "blacklisted_phone_not_found",
        fields: { phone: "+55 11 91234 5678" }
      })
      assert.strictEqual(yield* me(blocks({ phone: "+5511912345678" })), "nothing")
    })
  )

  it.effect("another account's entries block no one here and cannot be removed", () =>
    Effect.gen(function* () {
      const them = as(yield* makeAccount())
      const me = as(yield* makeAccount())
      const { entry } = yield* them(add("email", "x@rival.com"))
      assert.strictEqual(yield* me(blocks({ email: "x@rival.com" })), "nothing")
      assert.strictEqual((yield* Effect.flip(me(remove("email", "x@rival.com"))))._tag, "NotFound")
      const sql = yield* SqlClient
      yield* me(Effect.flatMap(Caller, ({ accountId }) => countBlockOf(sql, accountId, { email: "x@rival.com" })))
      assert.deepStrictEqual((yield* them(list(0, 50))).entries, [entry])
    })
  )

  it.effect("an address is blocked by itself or its domain, but not by a domain above it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(add("email", "ana@client.com"))
      yield* me(add("domain", "rival.com"))
      const cases = {
        "ana@client.com": "email ana@client.com",
        "ANA@client.com": "email ana@client.com",
        "bob@client.com": "nothing",
        "bob@rival.com": "domain rival.com",
        "bob@mail.rival.com": "nothing",
        "bob@notrival.com": "nothing"
      }
      for (const [email, expected] of Object.entries(cases)) {
        assert.strictEqual(yield* me(blocks({ email })), expected, email)
      }
      assert.strictEqual(yield* me(blocks({})), "nothing")
    })
  )

  it.effect("a phone blocks the same number in E.164, with and without Brazil's ninth digit", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(add("phone", "(11) 91234-5678"))
      yield* me(add("phone", "+55 21 8765-4321"))
      const cases = {
        "+5511912345678": "phone 5511912345678",
        "+551112345678": "nothing",
        "+5521987654321": "phone 5521987654321",
        "+552187654321": "phone 5521987654321",
        "+5531987654321": "nothing",
        "+11912345678": "nothing"
      }
      for (const [phone, expected] of Object.entries(cases)) {
        assert.strictEqual(yield* me(blocks({ phone })), expected, phone)
      }
      assert.isFalse((yield* me(add("phone", "+55 21 98765-4321"))).created)
    })
  )

  it.effect("a national number belongs to the country of the account's own phone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`update account set phone = '+14155550100' where account_id = ${caller.accountId}`
      yield* me(add("phone", "(415) 555-2671"))
      assert.strictEqual(yield* me(blocks({ phone: "+14155552671" })), "phone 14155552671")
    })
  )

  it.effect("a number without area code blocks every number that ends with it, until it is removed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { entry } = yield* me(add("phone", "91234-5678"))
      assert.deepInclude(entry, { value: "912345678", match: "ending" })
      assert.strictEqual(yield* me(blocks({ phone: "+5511912345678" })), "phone 912345678")
      assert.strictEqual(yield* me(blocks({ phone: "+5585912345678" })), "phone 912345678")
      assert.strictEqual(yield* me(blocks({ phone: "+5511912345679" })), "nothing")
      yield* me(remove("phone", "9 1234 5678"))
      assert.strictEqual(yield* me(blocks({ phone: "+5511912345678" })), "nothing")
    })
  )

  it.effect("a whole number does not block longer ones that end with it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(add("phone", "+65 9876 5432"))
      assert.strictEqual(yield* me(blocks({ phone: "+6598765432" })), "phone 6598765432")
      assert.strictEqual(yield* me(blocks({ phone: "+556598765432" })), "nothing")
    })
  )

  it.effect("many leads are matched in one statement, each by its strongest entry", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const email = yield* me(add("email", "a@rival.com"))
      const domain = yield* me(add("domain", "rival.com"))
      const phone = yield* me(add("phone", "+5511912345678"))
      const rows = yield* sql<{ readonly entry: number | null }>`
        select b.blacklist_entry_id as entry
        from (values (1, 'a@rival.com', '+5511912345678'), (2, 'b@rival.com', null), (3, null, '+5511912345678'),
          (4, 'c@free.com', '+5511900000000')) lead (n, email, phone)
        left join lateral (select * from blacklist_match(${caller.accountId}, lead.email, lead.phone)) b on true order by n`
      assert.deepStrictEqual(
        rows.map(({ entry }) => entry),
        [email.entry.blacklist_entry_id, domain.entry.blacklist_entry_id, phone.entry.blacklist_entry_id, null]
      )
    })
  )

  it.effect("blocks are counted, also when they come together", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(add("email", "a@rival.com"))
      yield* Effect.all(
        Array.from({ length: 10 }, () => countBlockOf(sql, caller.accountId, { email: "a@rival.com" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* me(list(0, 50))).entries[0]?.times_blocked, 10)
      assert.strictEqual((yield* me(add("email", "a@rival.com"))).entry.times_blocked, 10)
    })
  )
})
