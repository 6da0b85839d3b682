import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { recordsOfAccount } from "../support/AccountRecords.ts"
import { accountDigest } from "../support/databaseDigest.ts"
import { makeTokenHolder, send, testGateway } from "../support/TestServer.ts"

/** An id that no record of any account has. */
const unusedId = 900_719_925_474

const toolsWithIds = AllTools.entries.flatMap(({ tool }) =>
  Object.entries(tool.parameters)
    .filter(([, spec]) => spec.format === "id")
    .map(([parameter]) => ({ tool, parameter }))
)

layer(testGateway(), { excludeTestServices: true })("records of another account", (it) => {
  it.effect.each(toolsWithIds)(
    "$tool.name with $parameter answers as for an id never used, and changes nothing",
    ({ parameter, tool }) =>
      Effect.gen(function* () {
        const owner = yield* makeTokenHolder()
        const stranger = yield* makeTokenHolder()
        const records = yield* recordsOfAccount(owner.caller)
        const id = records[parameter]
        assert.isDefined(id, `AccountRecords.ts makes no record for ${parameter}`)

        const call = (value: number) =>
          send(`/rest/v1/tools/${tool.name}`, {
            method: "POST",
            token: stranger.token,
            body: JSON.stringify({ ...tool.example, [parameter]: value }),
            headers: { "X-Request-Id": "isolation" }
          })
        const before = yield* accountDigest(owner.caller.accountId)
        const foreign = yield* call(id ?? 0)
        const unused = yield* call(unusedId)
        assert.strictEqual(foreign.status, unused.status)
        assert.strictEqual(foreign.text.replaceAll(`${id}`, `${unusedId}`), unused.text)
        assert.include([403, 404, 422], foreign.status)
        assert.deepStrictEqual(yield* accountDigest(owner.caller.accountId), before)
      })
  )

  it.effect("the records are there for their own account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* makeTokenHolder()
      const records = yield* recordsOfAccount(owner.caller)
      const answer = yield* send(`/rest/v1/call/get_lead?lead_id=${records["lead_id"]}`, { token: owner.token })
      assert.strictEqual(answer.status, 200)
      assert.isNotEmpty(yield* sql`select from lead where account_id = ${owner.caller.accountId}`)
    })
  )
})
