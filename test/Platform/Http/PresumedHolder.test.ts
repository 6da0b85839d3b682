import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import * as Param from "../../../src/Tools/Core/Param.ts"
import * as Tool from "../../../src/Tools/Core/Tool.ts"
import { makeTokenHolder, send, testServer } from "../../support/servers/TestServer.ts"

/** How often the handlers ran. */
const runs = { read: 0, write: 0 }

const tellHolder = (name: string, kind: "read" | "write") =>
  Tool.make(name, {
    ...(kind === "read" ? { kind } : { kind, idempotent: true }),
    openWorld: false,
    description: "Answers the plan of the caller, and the word it was called with.",
    parameters: { word: Param.text("A word.") },
    returns: Schema.Struct({ plan: Schema.String, word: Schema.String }),
    example: { word: "a" },
    run: ({ word }) =>
      Effect.map(Caller, ({ plan }) => {
        runs[kind]++
        return { plan, word }
      })
  })

const Holders = Catalog.make([
  Tool.group("Holders", "Tools that tell whom they run for.", [
    tellHolder("read_holder", "read"),
    tellHolder("write_holder", "write")
  ])
])

const post = (tool: string, token: string, prefix = "/rest/v1") =>
  send(`${prefix}/tools/${tool}`, { method: "POST", token, body: `{"word":"hello"}` })

layer(testServer(Holders), { excludeTestServices: true })("a token that was looked up before", (it) => {
  for (const [what, end] of [
    ["revoked", "revoked_at = now()"],
    ["expired", "expires_at = now() - interval '1 second'"]
  ] as const) {
    it.effect(`is refused on the next request when it is ${what}, though reads run beside the look-up`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const writesBefore = runs.write
        // A separate token for each, because the first refusal removes a token from the cache.
        for (const prefix of ["/rest/v1", "/api/v1"]) {
          for (const request of [
            (token: string) => post("write_holder", token, prefix),
            (token: string) => post("read_holder", token, prefix),
            (token: string) => post("no_such_tool", token, prefix),
            (token: string) => send(`${prefix}/call/read_holder?word=hello`, { token })
          ]) {
            const { caller, token } = yield* makeTokenHolder()
            assert.strictEqual((yield* post("read_holder", token)).status, 200)
            yield* sql.unsafe(`update access_token set ${end} where account_id = $1`, [caller.accountId])
            const answer = yield* request(token)
            assert.strictEqual(answer.status, 401)
            assert.include(answer.text, what)
            assert.notInclude(answer.text, "hello")
          }
        }
        assert.strictEqual(runs.write, writesBefore, "what writes waits for the look-up")
      })
    )
  }

  it.effect("is answered for whom it stands for now: a read for another plan runs again, with the same body", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, token } = yield* makeTokenHolder("free_trial")
      yield* post("read_holder", token)
      yield* sql`update account set plan = 'paid' where account_id = ${caller.accountId}`
      const before = runs.read
      const answer = yield* post("read_holder", token)
      assert.deepStrictEqual(answer.json, { plan: "paid", word: "hello" })
      assert.strictEqual(runs.read, before + 2)
      assert.deepStrictEqual((yield* post("read_holder", token)).json, { plan: "paid", word: "hello" })
      assert.strictEqual(runs.read, before + 3)
    })
  )

  it.effect("and a body that is refused are answered once, also when the plan changed meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, token } = yield* makeTokenHolder("free_trial")
      yield* post("read_holder", token)
      yield* sql`update account set plan = 'paid' where account_id = ${caller.accountId}`
      const body = `{"word":"${"a".repeat(70_000)}"}`
      const answer = yield* send("/rest/v1/tools/read_holder", { method: "POST", token, body })
      assert.strictEqual(answer.status, 413)
    })
  )

  it.effect("never answers for another's token, however many ask at once", () =>
    Effect.gen(function* () {
      const [free, paid] = [yield* makeTokenHolder("free_trial"), yield* makeTokenHolder("paid")]
      const answers = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? free : paid)),
        ({ caller, token }) => Effect.map(post("read_holder", token), ({ json }) => [caller.plan, json] as const),
        { concurrency: "unbounded" }
      )
      for (const [plan, json] of answers) assert.deepStrictEqual(json, { plan, word: "hello" })
    })
  )
})
