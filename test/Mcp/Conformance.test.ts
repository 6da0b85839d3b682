import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { conformanceOffer } from "./conformanceOffer.ts"
import { judged } from "./conformanceSuite.ts"
import { laneServices, servedOffer } from "./servedOffer.ts"

/** The suite's fixtures for one fixed caller, since the suite sends no token. */
const servedFixtures = Effect.gen(function* () {
  const { accountId, plan } = yield* makeAccount()
  return yield* servedOffer(conformanceOffer, { accountId, plan, tokenId: AccessTokenId.make(1) })
})

layer(laneServices, { excludeTestServices: true })("the protocol's own conformance suite", (it) => {
  it.scoped.each([
    // No parameter of our tools is mirrored in a header, so that there is nothing to compare it with.
    ["2026-07-28", 37, [{ mark: "✗", name: "http-custom-header-server-validation" }]],
    ["2025-11-25", 30, []]
  ] as const)("finds no fault of %s", ([revision, scored, known]) =>
    Effect.gen(function* () {
      const url = yield* servedFixtures
      const { code, output } = yield* judged(url, revision)
      assert.strictEqual(code, 0, output.slice(-6000))
      const [, summary = "", rest = ""] = /=== SUMMARY ===([\s\S]*?)Not scored for([\s\S]*)/.exec(output) ?? []
      const passed = [...summary.matchAll(/^✓ ([\w-]+):/gm)].map(([, name]) => name)
      const unscored = [...rest.matchAll(/^\s+([✓✗]) ([\w-]+)/gm)].map(([, mark, name]) => ({ mark, name }))
      assert.strictEqual(passed.filter((name) => !unscored.some((other) => other.name === name)).length, scored)
      assert.deepStrictEqual(
        unscored.filter(({ mark, name }) => mark === "✗" && name !== undefined && !name.startsWith("tasks-")),
        [...known]
      )
    })
  )
})
