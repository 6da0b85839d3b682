import { createHmac } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeHookRemovals } from "../../src/Layers/Crm/Connecting/CrmHooks.ts"
import { makeCrmSync } from "../../src/Layers/Crm/Syncing/CrmSync.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { isCrmName } from "../../src/Services/Crm/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { tellingCrms } from "../Hostile/support/signedDeliveries.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { newLead } from "./support/CrmWorld.ts"

const Shown = Schema.Struct({
  crms: Schema.Array(
    Schema.Struct({
      crm_name: Schema.String,
      key: Schema.String,
      records: Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.String }))
    })
  )
})

layer(testGateway({ baseUrl: "https://gateway.test" }), { excludeTestServices: true })(
  "the simulated CRMs over HTTP",
  (it) => {
    it.effect("show what was sent to them to its own account, and a deal that is won there comes back", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { caller, token } = yield* makeTokenHolder()
        const { round } = yield* makeCrmSync
        const post = (path: string, body: object, as = token) =>
          send(path, { method: "POST", token: as, body: JSON.stringify(body) })
        const connected = yield* post("/rest/v1/tools/connect_crm", {
          crm_name: "pipedrive",
          api_token: "sandbox-here"
        })
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
        assert.sameMembers(kinds, ["company", "person", "deal", "note", "webhook"])
        const deal = crms[0]?.records.find(({ kind }) => kind === "deal")

        const stranger = yield* makeTokenHolder()
        assert.deepStrictEqual((yield* send("/sandbox/crm", { token: stranger.token })).json, { crms: [] })
        const win = { crm_name: "pipedrive", act: "win", deal_id: deal?.id, value: 1200 }
        assert.strictEqual((yield* post("/sandbox/crm", win, stranger.token)).status, 404)
        assert.strictEqual((yield* send("/sandbox/crm")).status, 401)
        assert.strictEqual((yield* post("/sandbox/crm", { crm_name: "pipedrive", act: "burn" })).status, 400)
        assert.strictEqual((yield* post("/sandbox/crm", { ...win, deal_id: "999999" })).status, 404)
        assert.strictEqual((yield* post("/sandbox/crm", win)).status, 200)
        // A person does the same on a page, with the token in its forms; who has none sees nothing.
        const page = (fields: { readonly [name: string]: string }) =>
          send("/sandbox/crm", {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
            body: new URLSearchParams(fields).toString()
          })
        const asked = yield* send("/sandbox/crm", { headers: { accept: "text/html" } })
        assert.include(asked.text, "Access token")
        assert.strictEqual((yield* page({ token: "nobody" })).status, 401)
        const of = { token, crm_name: "pipedrive", deal_id: deal?.id ?? "" }
        assert.include((yield* page({ ...of, act: "move", stage: "5" })).text, "Done: move")
        assert.include((yield* page({ ...of, act: "move", stage: "99" })).text, "cannot be moved")
        assert.include((yield* page({ ...of, act: "win", value: "x" })).text, "not understood")
        const seen = yield* page({ token, crm_name: "pipedrive", act: "revoke" })
        assert.include(seen.text, "The key is revoked.")
        assert.notInclude((yield* page({ token: stranger.token })).text, "sandbox-here")
        yield* page({ token, crm_name: "pipedrive", act: "restore" })
        yield* round
        const leads = yield* Leads
        assert.strictEqual((yield* as(caller)(leads.get(leadId))).final_outcome, "won")
      })
    )

    it.effect("and the simulated lead database is shown to its own account, and its key revoked there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { caller, token } = yield* makeTokenHolder()
        const stranger = yield* makeTokenHolder()
        const post = (path: string, body: object, as = token) =>
          send(path, { method: "POST", token: as, body: JSON.stringify(body) })
        const connect = { action: "connect", api_key: "sandbox-here", list_id: "list-schools" }
        assert.strictEqual((yield* post("/rest/v1/tools/manage_leadsource_integration", connect)).status, 200)
        const shown = (yield* send("/sandbox/leadsource", { token })).json
        assert.include(JSON.stringify(shown), '"list_id":"list-schools","name":"Escolas","contact_count":24')
        assert.deepStrictEqual((yield* send("/sandbox/leadsource", { token: stranger.token })).json, { databases: [] })
        assert.strictEqual((yield* send("/sandbox/leadsource")).status, 401)
        assert.strictEqual((yield* post("/sandbox/leadsource", { act: "revoke" }, stranger.token)).status, 404)
        assert.strictEqual((yield* post("/sandbox/leadsource", { act: "burn" })).status, 400)
        assert.strictEqual((yield* post("/sandbox/leadsource", { act: "slow_down", seconds: 0 })).status, 400)
        const page = (fields: { readonly [name: string]: string }) =>
          send("/sandbox/leadsource", {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
            body: new URLSearchParams(fields).toString()
          })
        assert.include((yield* send("/sandbox/leadsource", { headers: { accept: "text/html" } })).text, "Access token")
        assert.strictEqual((yield* page({ token: "nobody" })).status, 401)
        assert.include((yield* page({ token, act: "slow_down", seconds: "x" })).text, "invalid value")
        assert.include((yield* page({ token, act: "slow_down", seconds: "60" })).text, "Done: slow_down")
        assert.include((yield* page({ token, act: "revoke" })).text, "The key is revoked.")
        assert.notInclude((yield* page({ token: stranger.token })).text, "sandbox-here")
        assert.include((yield* page({ token, act: "read_now" })).text, "Done: read_now")
        const { accountId } = caller
        const [row] = yield* sql<{ readonly due: boolean; readonly slow: boolean; readonly revoked: boolean }>`
          select s.next_read_at <= instant() as due, d.slow_until > instant() as slow, d.is_revoked as revoked
          from lead_source s join sandbox_lead_source d using (account_id) where account_id = ${accountId}`
        assert.deepStrictEqual(row, { due: true, slow: true, revoked: true })
      })
    )

    /** What the CRM was given when it was connected. */
    const hooks = (crm: string) =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const sql = yield* SqlClient
        return yield* sql<{ readonly body: object; readonly removed: boolean }>`
        select body, coalesce((body ->> 'is_removed')::boolean, false) as removed from sandbox_crm_record
        where account_id = ${accountId} and crm = ${crm} and kind = 'webhook' order by record_id`
      })

    it.effect.each(Object.keys(tellingCrms).filter(isCrmName))(
      "%s is told once where the gateway is; its news of a deal make the gateway look, whatever they say",
      (crm) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { caller, token } = yield* makeTokenHolder()
          const call = (tool: string, body: object) =>
            send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(body) })
          const connect = call("connect_crm", { crm_name: crm, ...tellingCrms[crm] })
          assert.strictEqual((yield* connect).status, 200)
          assert.strictEqual((yield* connect).status, 200)
          const registered = yield* as(caller)(hooks(crm))
          const text = JSON.stringify(registered.map(({ body }) => body))
          const [address = ""] = /https:\/\/gateway\.test[^"]*/.exec(text) ?? []
          const path = new URL(address).pathname
          const [, secret = ""] = /\/webhooks\/crm\/\d+\/\w+\/([\w-]+)\/\w+$/.exec(path) ?? []
          assert.isAbove(secret.length, 30)
          assert.strictEqual(registered.length, ["ploomes", "agendor", "nectar"].includes(crm) ? 2 : 1)

          const leadId = yield* as(caller)(newLead({ status: "Interested" }))
          const { accountId } = caller
          yield* sql`
          insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id)
          select account_id, crm, crm_account, ${leadId}, 'deal', 'linked', '77'
          from crm_integration where account_id = ${accountId}`
          const isDue = Effect.map(
            sql<{ readonly due: boolean }>`
            update crm_integration set polled_at = instant() where account_id = ${accountId}
            returning (select polled_at = '-infinity' from crm_integration where account_id = ${accountId}) as due`,
            ([row]) => row?.due
          )
          yield* isDue
          const deliver = (deal: number, headers: { readonly [name: string]: string } = {}, to = path) => {
            const body = JSON.stringify({
              meta: { entity: "deal", entity_id: deal },
              data: { id: deal, status: "won" },
              Action: "Win",
              New: { Id: deal },
              document: { id: `${deal}`, win: true },
              record: { id: `${deal}` },
              id: deal,
              status: 2
            })
            const timestamp = `${Date.now()}`
            const signature = createHmac("sha256", secret).update(`${timestamp}:${body}`).digest("hex")
            return send(to, {
              method: "POST",
              headers: {
                authorization:
                  crm === "pipedrive"
                    ? `Basic ${Buffer.from(`gateway:${secret}`).toString("base64")}`
                    : `Bearer ${secret}`,
                "x-ploomes-validation-key": secret,
                "x-twenty-webhook-signature": signature,
                "x-twenty-webhook-timestamp": timestamp,
                ...headers
              },
              body
            })
          }
          // Of another's address, forged, and of a deal that is nobody's.
          assert.strictEqual((yield* deliver(77, {}, path.replace(secret, `${secret.slice(1)}x`))).status, 404)
          assert.strictEqual((yield* deliver(77, {}, path.replace(/crm\/\d+/, "crm/999999"))).status, 404)
          if (crm !== "crmsuite" && crm !== "agendor") {
            const forged = {
              authorization: "Basic Z2F0ZXdheTp4",
              "x-ploomes-validation-key": "x",
              "x-twenty-webhook-signature": "0".repeat(64)
            }
            assert.strictEqual((yield* deliver(77, forged)).status, 401)
          }
          if (crm === "twenty")
            assert.strictEqual((yield* deliver(77, { "x-twenty-webhook-timestamp": "1000000000000" })).status, 401)
          assert.strictEqual((yield* deliver(78)).status, 200)
          assert.isFalse(yield* isDue)
          const all = yield* Effect.all([deliver(77), deliver(77), deliver(77)], { concurrency: 3 })
          assert.deepStrictEqual(
            all.map(({ status }) => status),
            [200, 200, 200]
          )
          assert.isTrue(yield* isDue)
          // A won deal is looked at no more. A lost one may have been reopened.
          yield* sql`update crm_link set heard_outcome = 'lost' where account_id = ${accountId}`
          assert.strictEqual((yield* deliver(77)).status, 200)
          assert.isTrue(yield* isDue)
          yield* sql`update crm_link set heard_outcome = 'won' where account_id = ${accountId}`
          assert.strictEqual((yield* deliver(77)).status, 200)
          assert.isFalse(yield* isDue)

          yield* call("disconnect_crm", { crm_name: crm })
          assert.strictEqual((yield* deliver(77)).status, 404)
          const removals = yield* makeHookRemovals
          yield* removals.run(accountId, crm, false)
          assert.isTrue((yield* as(caller)(hooks(crm))).every(({ removed }) => removed))
          assert.lengthOf(yield* sql`select from crm_webhook_removal where account_id = ${accountId}`, 0)
        })
    )
  }
)
