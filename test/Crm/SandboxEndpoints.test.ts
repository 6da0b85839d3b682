import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeCrmSync } from "../../src/Layers/Crm/CrmSync.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { as } from "../support/TestAccount.ts"
import { makeTokenHolder, send, testGateway } from "../support/TestServer.ts"
import { newLead } from "./CrmWorld.ts"

const Shown = Schema.Struct({
  crms: Schema.Array(
    Schema.Struct({
      crm_name: Schema.String,
      key: Schema.String,
      records: Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.String }))
    })
  )
})

layer(testGateway(), { excludeTestServices: true, timeout: "60 seconds" })("the simulated CRMs over HTTP", (it) => {
  it.effect("show what was sent to them to its own account, and a deal that is won there comes back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, token } = yield* makeTokenHolder()
      const { round } = yield* makeCrmSync
      const post = (path: string, body: object, as = token) =>
        send(path, { method: "POST", token: as, body: JSON.stringify(body) })
      const connected = yield* post("/rest/v1/tools/connect_crm", { crm_name: "pipedrive", api_token: "sandbox-here" })
      assert.strictEqual(connected.status, 200)
      const leadId = yield* as(caller)(newLead({ status: "Interested" }))
      // Two calls a lead may wait for a moment, as at the real one.
      for (let turn = 0; turn < 20; turn++) {
        yield* sql`update crm_integration set resumes_at = null`
        yield* round
      }
      const { crms } = yield* Schema.decodeUnknown(Shown)((yield* send("/sandbox/crm", { token })).json)
      assert.deepStrictEqual(
        crms.map(({ crm_name, key }) => ({ crm_name, key })),
        [{ crm_name: "pipedrive", key: "sandbox-here" }]
      )
      const kinds = crms.flatMap(({ records }) => records.map(({ kind }) => kind))
      assert.sameMembers(kinds, ["company", "person", "deal", "note"])
      const deal = crms[0]?.records.find(({ kind }) => kind === "deal")

      const stranger = yield* makeTokenHolder()
      assert.deepStrictEqual((yield* send("/sandbox/crm", { token: stranger.token })).json, { crms: [] })
      const win = { crm_name: "pipedrive", act: "win", deal_id: deal?.id, value: 1200 }
      assert.strictEqual((yield* post("/sandbox/crm", win, stranger.token)).status, 404)
      assert.strictEqual((yield* send("/sandbox/crm")).status, 401)
      assert.strictEqual((yield* post("/sandbox/crm", { crm_name: "pipedrive", act: "burn" })).status, 400)
      assert.strictEqual((yield* post("/sandbox/crm", { ...win, deal_id: "999999" })).status, 404)
      assert.strictEqual((yield* post("/sandbox/crm", win)).status, 200)
      yield* round
      const leads = yield* Leads
      assert.strictEqual((yield* as(caller)(leads.get(leadId))).final_outcome, "won")
    })
  )
})
