import { createServer } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { ClientQuestionsPostgres } from "../../src/Layers/Mcp/ClientQuestionsPostgres.ts"
import { makeMcpLane } from "../../src/Layers/Mcp/McpLane.ts"
import { ResourceNewsPostgres } from "../../src/Layers/Mcp/ResourceNewsPostgres.ts"
import { makeBodyBudget } from "../../src/Layers/Platform/Http/BodyBudget.ts"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { conformanceOffer } from "./conformanceOffer.ts"
import { judged } from "./conformanceSuite.ts"

/** The engine with the suite's fixtures and one fixed caller, since the suite sends no token. */
const servedFixtures = Effect.gen(function* () {
  const { accountId, plan } = yield* makeAccount()
  const holder = { accountId, plan, tokenId: AccessTokenId.make(1) }
  const lane = yield* makeMcpLane({
    offerOf: () => conformanceOffer,
    isRead: () => false,
    authenticate: (_request, _address, then) => {
      then(Exit.succeed(holder))
      return undefined
    },
    challenge: () => "Bearer",
    baseUrl: "http://127.0.0.1",
    bodyLimit: 1_000_000,
    bodyBudget: makeBodyBudget(100_000_000),
    isDraining: () => false
  })
  return yield* Effect.acquireRelease(
    Effect.async<string>((resume) => {
      const server = createServer((request, response) => {
        if (!lane(request, response)) response.writeHead(404).end()
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed(`http://127.0.0.1:${port}/mcp`))
      })
    }),
    () => Effect.void
  )
})

layer(Layer.merge(ClientQuestionsPostgres, ResourceNewsPostgres).pipe(Layer.provideMerge(TestDatabase)), {
  excludeTestServices: true
})("the protocol's own conformance suite", (it) => {
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
