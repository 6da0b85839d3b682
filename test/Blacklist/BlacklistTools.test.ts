import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { BlacklistPostgres } from "../../src/Layers/Blacklist/BlacklistPostgres.ts"
import { BlacklistGroup } from "../../src/Tools/Blacklist/Blacklist.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([BlacklistGroup])
const TestLayer = BlacklistPostgres.pipe(Layer.provideMerge(TestDatabase))

layer(TestLayer, { excludeTestServices: true })("the Blacklist tools", (it) => {
  const kinds = [
    { kind: "email", raw: " Ana@Rival.COM", value: "ana@rival.com" },
    { kind: "domain", raw: "Rival.COM", value: "rival.com" },
    { kind: "phone", raw: "+55 (11) 91234-5678", value: "5511912345678" }
  ]
  for (const { kind, raw, value } of kinds) {
    it.effect(`${kind}: add, add again, list, remove, remove again`, () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount())
        const added = yield* me(answerOf(catalog, `add_blacklisted_${kind}`, { [kind]: raw, reason: "Client" }))
        assert.deepInclude(added, { kind, value, reason: "Client", times_blocked: 0, created: true })
        const again = yield* me(answerOf(catalog, `add_blacklisted_${kind}`, { [kind]: value, reason: null }))
        assert.deepInclude(again, { value, reason: "Client", created: false })
        const listed = yield* me(answerOf(catalog, "list_blacklisted_emails"))
        assert.deepInclude(listed, { page: 0, page_size: 50, total: 1 })
        const removed = yield* me(answerOf(catalog, `remove_blacklisted_${kind}`, { [kind]: raw }))
        assert.deepInclude(removed, { kind, value, removed: true })
        const failure = yield* Effect.flip(me(callTool(catalog, `remove_blacklisted_${kind}`, { [kind]: raw })))
        assert.deepInclude(failure, { _tag: "NotFound", reason: `blacklisted_${kind}_not_found` })
      })
    )
  }

  it.effect("a phone sent as a JSON number keeps its digits", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const added = yield* me(answerOf(catalog, "add_blacklisted_phone", { phone: 5511912345678 }))
      assert.deepInclude(added, { value: "5511912345678", match: "whole", reason: "Other" })
    })
  )

  it.effect("a domain given as an address or with a scheme is refused with help", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      for (const domain of ["ana@rival.com", "https://rival.com", "rival.com/x", "   "]) {
        const failure = yield* Effect.flip(me(callTool(catalog, "add_blacklisted_domain", { domain })))
        assert.strictEqual(failure._tag, "Refused", domain)
      }
    })
  )

  it.effect("a reason outside the three is refused with those it can be", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const failure = yield* Effect.flip(
        me(callTool(catalog, "add_blacklisted_email", { email: "a@b.com", reason: "client" }))
      )
      assert.deepInclude(failure, {
        _tag: "Refused",
        fields: { parameter: "reason", accepted_values: ["Competitor", "Client", "Other"] }
      })
    })
  )

  it.effect("a page size over 200 is lowered, and the answer says so", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answer = yield* me(answerOf(catalog, "list_blacklisted_emails", { page_size: 500 }))
      assert.deepStrictEqual(answer, { entries: [], page: 0, page_size: 200, total: 0 })
    })
  )
})
