import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { badCall, undecided } from "./support/badCalls.ts"

// A sample; `npm run test:hostile` sends as many as one wants.
const inputs = 300

layer(testGateway({ bodyLimit: 1024 * 1024 }), { excludeTestServices: true })("a call with any arguments", (it) => {
  it.effect("is answered in a shape that the platform decided on", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      for (const { body, tool } of fc.sample(badCall, { numRuns: inputs, seed: 20261122 })) {
        const { status, text } = yield* send(`/rest/v1/tools/${tool}`, { method: "POST", token, body })
        assert.isUndefined(undecided(status, text), `${tool} ${body.slice(0, 500)}`)
      }
    })
  )

  const nested = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`
  const rows: ReadonlyArray<readonly [rows: string, error: string]> = [
    [nested, "rows_json is not a JSON array of rows."],
    [`[{"name":"Ana"},${nested}]`, "rows_json has a value at [1].a that a row can't have."],
    [`[{"email":${nested}}]`, "rows_json has a value at [0].email that a row can't have."],
    [`${"[".repeat(3000)}${"]".repeat(3000)}`, "rows_json has a value at [0] that a row can't have."],
    ["{", "rows_json is not a JSON array of rows."]
  ]
  for (const [rows_json, error] of rows) {
    it.effect(`is told where rows are wrong, however deep they go: ${rows_json.slice(0, 30)}`, () =>
      Effect.gen(function* () {
        const { token } = yield* makeTokenHolder()
        const body = JSON.stringify({ rows_json })
        const answer = yield* send("/rest/v1/tools/import_leads", { method: "POST", token, body })
        assert.strictEqual(answer.status, 422)
        assert.deepInclude(answer.json, { error })
      })
    )
  }
})
