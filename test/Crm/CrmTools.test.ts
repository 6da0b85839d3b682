import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { CrmIntegrationsGroup } from "../../src/Tools/Crm/CrmIntegrations.ts"
import { insertCampaign } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  answered,
  CrmTransportProbe,
  CrmWorld,
  closeThere,
  newLead,
  recordsAt,
  stateOf,
  sync
} from "./support/CrmWorld.ts"

const catalog = Catalog.make([CrmIntegrationsGroup])
const tool = (name: string, args: object = {}) => answerOf(catalog, name, args)
const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const reasonOf = (name: string, args: object) =>
  Effect.map(Effect.flip(callTool(catalog, name, args)), (failure) =>
    Predicate.hasProperty(failure, "reason") ? failure.reason : failure._tag
  )

const stored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return (yield* sql`select from connection where account_id = ${accountId}`).length
})

const pipedrive = { crm_name: "pipedrive", api_token: "sandbox-one" }

layer(CrmWorld, { excludeTestServices: true })("the CRM tools", (it) => {
  it.effect("connecting refuses what the CRM does not take, by name, and stores nothing", () =>
    own(
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        road.clear()
        const cases: ReadonlyArray<readonly [object, string]> = [
          [{ crm_name: "salesbox", api_key: "sandbox-x" }, "crm_unknown"],
          [{ crm_name: "omie", app_key: "sandbox-x" }, "credential_missing"],
          [{ crm_name: "pipedrive" }, "credential_missing"],
          [{ crm_name: "pipedrive", api_token: "  " }, "credential_missing"],
          [{ crm_name: "pipedrive", api_key: "sandbox-x" }, "credential_not_taken"],
          [{ ...pipedrive, url: "https://crm.example" }, "credential_not_taken"],
          [{ ...pipedrive, pipeline_id: 1 }, "pipeline_not_taken"],
          [{ crm_name: "crmsuite" }, "credential_missing"],
          [{ crm_name: "pipedrive", api_token: "a-real-key" }, "sandbox_key_expected"]
        ]
        for (const [args, reason] of cases) assert.strictEqual(yield* reasonOf("connect_crm", args), reason)
        const agendor = { crm_name: "agendor", api_token: "sandbox-one" }
        assert.strictEqual(yield* reasonOf("connect_crm", { ...agendor, funnel_id: 45 }), "pipeline_not_found")
        assert.strictEqual(yield* stored, 0)
        yield* tool("connect_crm", { ...agendor, funnel_id: 44 })
        assert.strictEqual(yield* stored, 1)
      })
    )
  )

  it.effect("connecting needs the paid plan", () =>
    Effect.flatMap(makeAccount("free_trial"), (caller) =>
      as(caller)(
        Effect.gen(function* () {
          assert.strictEqual(yield* reasonOf("connect_crm", pipedrive), "paid_plan_required")
          yield* tool("list_crm_integrations")
        })
      )
    )
  )

  it.effect("a key that was revoked is refused, and the one before stays", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* tool("connect_crm", pipedrive)
        yield* tool("connect_crm", { ...pipedrive, api_token: "sandbox-two" })
        yield* sql`update sandbox_crm set is_revoked = true where account_id = ${accountId} and tenant = 'sandbox-one'`
        assert.strictEqual(yield* reasonOf("connect_crm", pipedrive), "crm_credentials_refused")
        const answer = yield* tool("list_crm_integrations")
        assert.include(JSON.stringify(answer), '"status":"connected"')
        assert.notInclude(JSON.stringify(answer), "sandbox-two")
      })
    )
  )

  it.effect("RD Station's marketing key alone takes people as conversions, one for each status, unverified", () =>
    own(
      Effect.gen(function* () {
        const leads = yield* Leads
        const answer = yield* tool("connect_crm", { crm_name: "crmsuite", marketing_api_key: "sandbox-one" })
        assert.deepInclude(answer, { status: "connected", verified: false })
        const leadId = yield* newLead({ status: "Cold" })
        yield* sync
        assert.strictEqual((yield* stateOf(leadId, "crmsuite"))?.state, "synced")
        yield* leads.update(leadId, { status: "Cold", goal: "Same status", background: undefined })
        yield* sync
        assert.lengthOf(yield* recordsAt("crmsuite", "conversions"), 1)
        yield* leads.update(leadId, { status: "Interested", goal: undefined, background: undefined })
        yield* sync
        assert.lengthOf(yield* recordsAt("crmsuite", "conversions"), 2)
        assert.lengthOf(yield* recordsAt("crmsuite", "contacts"), 0)
      })
    )
  )

  it.effect("the minimum keeps leads back until they reach it, and none that is there", () =>
    own(
      Effect.gen(function* () {
        const leads = yield* Leads
        yield* tool("connect_crm", pipedrive)
        yield* tool("update_crm_minimum_status", { status: "Interested" })
        const leadId = yield* newLead({ status: "Cold" })
        yield* sync
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 0)
        assert.isUndefined(yield* stateOf(leadId, "pipedrive"))
        yield* leads.update(leadId, { status: "Interested", goal: undefined, background: undefined })
        yield* sync
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 1)
        assert.strictEqual(yield* reasonOf("update_crm_minimum_status", { status: "Closed" }), "value_not_accepted")
        assert.deepStrictEqual(yield* tool("update_crm_minimum_status"), { minimum_status: null })
      })
    )
  )

  it.effect("custom fields reach the CRM, and those it does not have the note, with a warning", () =>
    own(
      Effect.gen(function* () {
        yield* tool("connect_crm", pipedrive)
        const add = (field_name: string, field_value: string) =>
          tool("manage_crm_custom_fields", { action: "add", field_name, field_value })
        yield* add("Origem", "Gateway {lead_id}")
        yield* add("Pontuação", "alta")
        yield* add("Cor", "azul")
        const leadId = yield* newLead({})
        yield* sync
        assert.strictEqual((yield* stateOf(leadId, "pipedrive"))?.state, "synced")
        const [deal] = yield* recordsAt("pipedrive", "deal")
        assert.deepStrictEqual(deal?.body["custom_fields"], { ["c".repeat(40)]: `Gateway ${leadId}` })
        const [note] = yield* recordsAt("pipedrive", "note")
        assert.include(String(note?.body["content"]), "Cor: azul")
        assert.include(String(note?.body["content"]), "Pontuação: alta")
        const told = JSON.stringify(yield* tool("list_crm_integrations"))
        assert.include(told, "field_unknown")
        assert.include(told, "field_of_other_type")
        for (const args of [
          { action: "add", field_value: "x" },
          { action: "add", field_name: "x" },
          { action: "remove" }
        ]) {
          assert.strictEqual(yield* reasonOf("manage_crm_custom_fields", args), "parameter_missing")
        }
        assert.strictEqual(
          yield* reasonOf("manage_crm_custom_fields", { action: "add", field_name: "a\nb", field_value: "x" }),
          "control_characters"
        )
        assert.strictEqual(
          yield* reasonOf("manage_crm_custom_fields", { action: "remove", field_id: 999_999 }),
          "custom_field_not_found"
        )
      })
    )
  )

  it.effect("where a lead comes from reaches the CRM's fields: source, campaign and UTM", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* tool("connect_crm", pipedrive)
        yield* tool("manage_crm_custom_fields", {
          action: "add",
          field_name: "Origem",
          field_value: "{source}, {campaign}, {utm_medium}, {utm_campaign}, {utm_term}, {utm_content}"
        })
        const imported = yield* newLead({})
        const captured = yield* newLead({})
        const campaign = yield* insertCampaign("Clínicas")
        yield* sql`update lead set campaign_id = ${campaign} where account_id = ${accountId}`
        yield* sql`
          insert into lead_capture (account_id, lead_id, website_id, page, url, variant, utm_source, utm_medium,
            utm_campaign, utm_term, utm_content, marketing_consent)
          values (${accountId}, ${captured}, 1, '/', 'https://a.example', 'a', 'google', 'cpc', 'sul', 'agenda', 'b',
            true)`
        yield* sync
        assert.strictEqual((yield* stateOf(imported, "pipedrive"))?.state, "synced")
        const values = (yield* recordsAt("pipedrive", "deal")).map(({ body }) => JSON.stringify(body["custom_fields"]))
        assert.lengthOf(values, 2)
        const texts = values.join("\n")
        assert.include(texts, "google, Clínicas, cpc, sul, agenda, b")
        assert.match(texts, /"\w+, Clínicas, , , , "/)
      })
    )
  )

  it.effect("a HubSpot token that lacks a scope to read is refused at once, and nothing is stored", () =>
    own(
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const hubspot = { crm_name: "hubspot", access_token: "sandbox-scopes" }
        for (const path of ["/contacts?", "/companies?", "/deals?", "/pipelines/", "/owners/"]) {
          road.clear()
          road.plan(({ url }) => url.includes(path), answered(403, JSON.stringify({ category: "MISSING_SCOPES" })))
          assert.strictEqual(yield* reasonOf("connect_crm", hubspot), "crm_credentials_refused", path)
          assert.strictEqual(yield* stored, 0, path)
        }
        road.clear()
        yield* tool("connect_crm", hubspot)
        assert.strictEqual(yield* stored, 1)
      })
    )
  )

  it.effect("what people there changed is theirs, and what they deleted is not made again", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* tool("connect_crm", pipedrive)
        const leadId = yield* newLead({ name: "Ana Lima" })
        yield* sync
        yield* sql`update sandbox_crm_record set body = body || '{"name": "Ana Lima Prado"}'
          where account_id = ${accountId} and kind = 'person'`
        yield* sql`update lead set name = 'Ana L.', job_title = 'Dentista' where account_id = ${accountId}`
        const again = sql`update crm_lead set state = 'pending', due_at = instant() where account_id = ${accountId}`
        yield* again
        yield* sync
        const [person] = yield* recordsAt("pipedrive", "person")
        assert.deepInclude(person?.body, { name: "Ana Lima Prado" })

        yield* sql`update sandbox_crm_record set body = body || '{"is_deleted": true}'
          where account_id = ${accountId} and kind = 'person'`
        yield* sql`update lead set job_title = 'Diretora' where account_id = ${accountId}`
        yield* again
        yield* sync
        assert.deepStrictEqual(yield* stateOf(leadId, "pipedrive"), { state: "stuck", reason: "deleted_at_crm" })
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 1)
      })
    )
  )

  it.effect("two records that match are not guessed between", () =>
    own(
      Effect.gen(function* () {
        yield* tool("connect_crm", pipedrive)
        const leadId = yield* newLead({ email: "dup@dup.example", company: "" })
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        for (const name of ["Um", "Dois"]) {
          yield* sql`
            insert into sandbox_crm_record (account_id, crm, tenant, kind, body)
            values (${accountId}, 'pipedrive', 'sandbox-one', 'person',
              ${JSON.stringify({ name, emails: [{ value: "dup@dup.example", primary: true }] })}::jsonb)`
        }
        yield* sync
        assert.deepStrictEqual(yield* stateOf(leadId, "pipedrive"), { state: "stuck", reason: "ambiguous_at_crm" })
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 2)
      })
    )
  )

  it.effect("a deal is its maker's: the account's user there, else a member's", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`insert into member (account_id, name, phone, email, created_at)
          values (${accountId}, 'Rui', '+5511900000001', 'RUI@ondas.example', instant())`
        yield* tool("connect_crm", pipedrive)
        yield* newLead({})
        yield* sync
        const [deal] = yield* recordsAt("pipedrive", "deal")
        assert.strictEqual(deal?.body["owner_id"], 12)
      })
    )
  )

  it.effect("who unsubscribed is not sent", () =>
    own(
      Effect.gen(function* () {
        const unit = yield* UnitOfWork
        const leads = yield* Leads
        yield* tool("connect_crm", pipedrive)
        const leadId = yield* newLead({})
        yield* unit.write(leads.transition(leadId, "unsubscribe"))
        yield* sync
        assert.lengthOf(yield* recordsAt("pipedrive", "person"), 0)
      })
    )
  )

  it.effect("another account at the CRM begins anew; the one before is known again", () =>
    own(
      Effect.gen(function* () {
        const leadId = yield* Effect.zipRight(tool("connect_crm", pipedrive), newLead({}))
        yield* sync
        yield* tool("disconnect_crm", { crm_name: "pipedrive" })
        assert.deepInclude(yield* tool("disconnect_crm", { crm_name: "pipedrive" }), { changed: false })
        assert.deepStrictEqual(yield* tool("get_crm_sync_status"), { crms: [] })
        // The simulated accounts answer the same number: the links are kept, and nothing is made again.
        assert.deepInclude(yield* tool("connect_crm", pipedrive), { keeps_links: true })
        const leads = yield* Leads
        yield* leads.update(leadId, { status: "Aware", goal: undefined, background: undefined })
        yield* sync
        assert.lengthOf(yield* recordsAt("pipedrive", "deal"), 1)
      })
    )
  )

  it.effect("a resync is one job, for leads that are not there", () =>
    own(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* tool("resync_crm_leads"), {
          job_id: null,
          eligible_count: 0,
          is_already_running: false
        })
        yield* newLead({})
        yield* newLead({})
        yield* tool("connect_crm", pipedrive)
        const first = yield* tool("resync_crm_leads")
        assert.deepInclude(first, { eligible_count: 2, is_already_running: false })
        assert.deepInclude(yield* tool("resync_crm_leads"), { is_already_running: true })
      })
    )
  )

  const stage = { pipeline_id: "5e0000000000000000000001", deal_stage_id: "5f0000000000000000000120" }
  const source = (args: object) => tool("manage_crmsuite_crm_lead_source", args)
  const enable = { action: "enable" }

  it.effect("contacts of the suite are read with its token alone, in a scope that is there", () =>
    own(
      Effect.gen(function* () {
        const reason = (args: object) => reasonOf("manage_crmsuite_crm_lead_source", args)
        assert.strictEqual(yield* reason(enable), "crm_token_needed")
        yield* tool("connect_crm", { crm_name: "crmsuite", marketing_api_key: "sandbox-one" })
        assert.strictEqual(yield* reason(enable), "crm_token_needed")
        yield* tool("connect_crm", { crm_name: "crmsuite", crm_token: "sandbox-one" })
        assert.strictEqual(yield* reason({ ...enable, deal_stage_id: stage.deal_stage_id }), "parameter_missing")
        assert.strictEqual(yield* reason({ ...enable, pipeline_id: "x" }), "pipeline_not_found")
        assert.strictEqual(yield* reason({ ...enable, ...stage, deal_stage_id: "x" }), "deal_stage_not_found")
        assert.strictEqual(yield* reason({ action: "disable", pipeline_id: "x" }), "parameter_not_taken")
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        assert.lengthOf(yield* sql`select from crm_source where account_id = ${accountId}`, 0)
        assert.deepInclude(yield* source({ ...enable, ...stage }), { status: "enabled", ...stage, last_read_at: null })
        const list = yield* tool("list_crm_integrations")
        assert.nestedPropertyVal(list, "lead_sources.crmsuite_crm.pipeline_id", stage.pipeline_id)
        assert.nestedPropertyVal(list, "lead_sources.leadsource.status", "disconnected")
        assert.deepInclude(yield* source({ action: "disable" }), { status: "disabled" })
      })
    )
  )

  it.effect("contacts of deals in the stage become leads once, none bounces back, and their deals come back won", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leads = yield* Leads
        yield* tool("connect_crm", { crm_name: "crmsuite", crm_token: "sandbox-one" })
        const known = yield* newLead({ email: "sabida@lead.example" })
        yield* sync
        yield* sql`insert into blacklist_entry (account_id, kind, value, reason)
          values (${accountId}, 'email', 'nunca@lead.example', 'Other')`
        const put = (kind: string, body: object) =>
          Effect.map(
            sql<{ readonly id: string }>`
              insert into sandbox_crm_record (account_id, crm, tenant, kind, body)
              values (${accountId}, 'crmsuite', 'sandbox-one', ${kind}, ${JSON.stringify(body)}::jsonb)
              returning lpad(record_id::text, 24, 'a') as id`,
            ([row]) => row?.id ?? ""
          )
        const contact = (name: string, email: string) => put("contacts", { name, emails: [{ email }] })
        const ids = [
          yield* contact("Nova Um", "um@lead.example"),
          yield* contact("Nova Dois", "DOIS@lead.example"),
          yield* contact("Sabida", "sabida@lead.example"),
          yield* contact("Nunca", "nunca@lead.example"),
          yield* contact("Sem Nada", "not an address")
        ]
        const deal = yield* put("deals", {
          name: "Negócio",
          win: null,
          deal_stage: { id: stage.deal_stage_id },
          contacts: ids.map((_id) => ({ _id })),
          organization: { _id: "5a0000000000000000000001", name: "Lead SA" }
        })
        yield* put("deals", { name: "Outro", win: null, deal_stage: { id: "other" }, contacts: [{ _id: ids[0] }] })
        const before = yield* Effect.all([recordsAt("crmsuite", "contacts"), recordsAt("crmsuite", "deals")])

        yield* source({ ...enable, ...stage })
        yield* sync
        yield* sync
        assert.deepInclude(yield* source({ ...enable, ...stage }), { created_count: 2, passed_count: 3 })
        yield* sync
        const made = yield* sql<{ readonly lead_id: number; readonly name: string; readonly company: string }>`
          select lead_id, name, company from lead
          where account_id = ${accountId} and lead_id <> ${known} order by lead_id`
        assert.deepStrictEqual(
          made.map(({ company, name }) => [name, company]),
          [
            ["Nova Um", "Lead SA"],
            ["Nova Dois", "Lead SA"]
          ]
        )
        assert.deepStrictEqual(
          yield* Effect.all([recordsAt("crmsuite", "contacts"), recordsAt("crmsuite", "deals")]),
          before
        )
        assert.deepInclude(yield* tool("resync_crm_leads"), { eligible_count: 0 })

        // What is new is told where they are already.
        const [one, two] = made
        yield* leads.update(one?.lead_id as typeof known, {
          status: "Interested",
          goal: undefined,
          background: undefined
        })
        yield* sync
        assert.lengthOf(yield* recordsAt("crmsuite", "contacts"), before[0].length)
        yield* closeThere("crmsuite", "deals", deal, { outcome: "won", reason: undefined, value: 700 })
        yield* sync
        for (const each of [one, two])
          assert.strictEqual((yield* leads.get(each?.lead_id as typeof known)).final_outcome, "won")
      })
    )
  )
})
