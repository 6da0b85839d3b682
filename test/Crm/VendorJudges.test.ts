import { assert, describe, it } from "@effect/vitest"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { vendors } from "../../src/Services/Outbound/Vendors/AllVendors.ts"
import { judges } from "./vendors/judge.ts"

const hubspot = "https://api.hubapi.com"
const pipedrive = "https://api.pipedrive.com"
const odoo = "https://erp.example"
const twenty = "https://api.twenty.com"
const rd = "https://crm.rdstation.com"
const ploomes = "https://public-api2.ploomes.com"
const agendor = "https://api.agendor.com.br"
const agendorV3 = `${agendor}/v3`
const omie = "https://app.omie.com.br/api/v1/crm"
const piperun = "https://api.pipe.run/v1"
const nectar = "https://app.nectarcrm.com.br/crm/api/1"
const moskit = "https://api.moskitcrm.com/v2"

const deals = "/Deals"
const deal = `${deals}(1)`
const subscriptions = "/integrations/subscriptions"

const omieCall = (call: string, param: object) => ({ call, app_key: "k", app_secret: "s", param: [param] })
const by = { createdBy: { id: 1 }, responsible: { id: 1 } }

/** Requests that a vendor would refuse, each by what is wrong with it. */
const planted: ReadonlyArray<readonly [crm: string, wrong: string, method: string, url: string, body: unknown]> = [
  ["hubspot", "a version that ends", "GET", `${hubspot}/crm/v3/objects/contacts/1`, undefined],
  [
    "hubspot",
    "a number as a property",
    "PATCH",
    `${hubspot}/crm/objects/2026-09/deals/1`,
    { properties: { amount: 5 } }
  ],
  ["hubspot", "no associations", "POST", `${hubspot}/crm/objects/2026-09/notes`, { properties: {} }],
  ["pipedrive", "a member of the old interface", "POST", `${pipedrive}/api/v2/persons`, { name: "A", job_title: "B" }],
  ["pipedrive", "a number as a text", "PATCH", `${pipedrive}/api/v2/deals/1`, { value: "5" }],
  ["pipedrive", "fields of the old interface", "GET", `${pipedrive}/v1/dealFields`, undefined],
  [
    "odoo",
    "values by name",
    "POST",
    `${odoo}/jsonrpc`,
    {
      jsonrpc: "2.0",
      method: "call",
      id: 1,
      params: {
        service: "object",
        method: "execute_kw",
        args: ["db", 2, "key", "crm.lead", "create", [], { vals_list: [{ name: "A" }] }]
      }
    }
  ],
  ["odoo", "an argument that is not there", "POST", `${odoo}/json/2/crm.lead/write`, { ids: [1], values: {} }],
  [
    "twenty",
    "a target's old name",
    "POST",
    `${twenty}/graphql`,
    {
      query: "mutation",
      variables: { notes: [{ title: "A" }], targets: [{ id: "1", noteId: "2", opportunityId: "3" }] }
    }
  ],
  ["twenty", "a filter's old name", "GET", `${twenty}/rest/people?search=a`, undefined],
  [
    "crmsuite",
    "a note without an author",
    "POST",
    `${rd}/api/v1/activities`,
    { activity: { deal_id: "1", text: "A" } }
  ],
  [
    "crmsuite",
    "a value that the interface does not take",
    "PUT",
    `${rd}/api/v1/deals/1`,
    { deal: { amount_total: 5 } }
  ],
  [
    "crmsuite",
    "a task of an unknown type",
    "POST",
    `${rd}/api/v1/tasks`,
    { task: { deal_id: "1", type: "appointment" } }
  ],
  [
    "ploomes",
    "a member in small letters",
    "POST",
    `${ploomes}/Contacts`,
    { Name: "A", TypeId: 2, email: "a@b.example" }
  ],
  ["ploomes", "a text as a stage", "PATCH", `${ploomes}${deal}`, { StageId: "31" }],
  ["ploomes", "a change by PUT", "PUT", `${ploomes}${deal}`, { StageId: 31 }],
  ["ploomes", "an option without its sign", "GET", `${ploomes}/Contacts?filter=Id eq 1`, undefined],
  ["agendor", "a deal with a new title", "PUT", `${agendorV3}/deals/1`, { title: "A" }],
  ["agendor", "an unknown state", "PUT", `${agendorV3}/deals/1/status`, { dealStatusText: "closed" }],
  ["agendor", "an e-mail address in a wrong place", "POST", `${agendorV3}/people`, { name: "A", email: "a@b.example" }],
  [
    "agendor",
    "an unknown notice",
    "POST",
    `${agendor}${subscriptions}`,
    { target_url: "https://gateway.example/x", event: "deal.won" }
  ],
  ["omie", "a method of another service", "POST", `${omie}/contas/`, omieCall("UpsertContato", {})],
  [
    "omie",
    "an account's mobile phone",
    "POST",
    `${omie}/contas/`,
    omieCall("UpsertConta", { telefone_email: { cNumCel1: "988887777" } })
  ],
  [
    "omie",
    "a number as a text",
    "POST",
    `${omie}/oportunidades/`,
    omieCall("AlterarOportunidade", { identificacao: { nCodOp: "7" } })
  ],
  ["omie", "an American day", "POST", `${omie}/tarefas/`, omieCall("IncluirTarefa", { dData: "2026-11-27" })],
  ["omie", "no keys", "POST", `${omie}/fases/`, { call: "ListarFases", param: [{ pagina: 1 }] }],
  ["piperun", "a deal without its stage", "POST", `${piperun}/deals`, { pipeline_id: 7, title: "A" }],
  ["piperun", "an owner under the deal's name", "POST", `${piperun}/persons`, { name: "A", owner_id: 21 }],
  [
    "piperun",
    "an e-mail address as an object",
    "POST",
    `${piperun}/persons`,
    { name: "A", contactEmails: [{ address: "a" }] }
  ],
  ["piperun", "an unknown filter", "GET", `${piperun}/deals?updated_since=2026-11-27`, undefined],
  ["piperun", "an activity of no one", "POST", `${piperun}/activities`, { activity_type_id: 1, status: 0 }],
  ["nectar", "a task of no one", "POST", `${nectar}/tarefas/`, { titulo: "A", dataLimite: "2026-11-27T10:00:00Z" }],
  ["nectar", "a task without a day", "POST", `${nectar}/tarefas/`, { titulo: "A", cliente: { id: 1 } }],
  ["nectar", "e-mail addresses as objects", "PUT", `${nectar}/contatos/1`, { emails: [{ email: "a@b.example" }] }],
  ["nectar", "an unknown state", "PUT", `${nectar}/oportunidades/1`, { status: 0 }],
  ["moskit", "a part of a record", "PUT", `${moskit}/deals/1`, { stage: { id: 80 } }],
  [
    "moskit",
    "a price with a fraction",
    "POST",
    `${moskit}/deals`,
    { name: "A", status: "OPEN", stage: { id: 80 }, price: 15.5, ...by }
  ],
  ["moskit", "a note of no one", "POST", `${moskit}/deals/1/notes`, { description: "A", createdBy: { id: 1 } }],
  ["moskit", "a filter that is no list", "POST", `${moskit}/contacts/search`, { field: "emails" }]
]

/** Answers that a vendor would not give. */
const plantedAnswers: ReadonlyArray<readonly [crm: string, method: string, url: string, body: unknown]> = [
  ["ploomes", "GET", `${ploomes}/Contacts`, [{ Id: 1, Name: "A" }]],
  ["ploomes", "GET", `${ploomes}${deals}`, { value: [{ id: 1 }] }],
  ["agendor", "GET", `${agendorV3}/people`, [{ id: 1, name: "A" }]],
  [
    "agendor",
    "GET",
    `${agendorV3}/deals/1`,
    { data: { id: 1, title: "A", dealStage: { id: 4 }, dealStatus: { id: 1 } } }
  ],
  ["omie", "POST", `${omie}/contas/`, { nCod: "7" }],
  ["omie", "POST", `${omie}/status/`, { pagina: 1, total_de_paginas: 1, cadastros: [{ nCodigo: 1, letter: "A" }] }],
  ["piperun", "GET", `${piperun}/persons`, { success: true, data: [{ id: 1 }] }],
  ["piperun", "POST", `${piperun}/companies`, { success: true, data: { id: 1 } }],
  ["nectar", "GET", `${nectar}/usuario/`, [{ id: 1, nome: "A" }]],
  ["nectar", "GET", `${nectar}/contatos/1`, { id: "1" }],
  ["moskit", "GET", `${moskit}/deals/1`, { id: 1, name: "A", status: "open", stage: { id: 80 } }],
  ["moskit", "GET", `${moskit}/users`, { results: [] }],
  ["hubspot", "GET", `${hubspot}/crm/objects/2026-09/contacts/1`, { id: 1 }],
  ["twenty", "GET", `${twenty}/rest/people/1`, { data: [] }],
  ["odoo", "POST", `${odoo}/json/2/crm.lead/search_read`, { rows: [] }],
  ["crmsuite", "GET", `${rd}/api/v1/deals`, { data: [] }]
]

describe("excerpts of vendors' files", () => {
  it.each(planted)("of %s find %s", (crm, _, method, url, body) => {
    assert.isNotEmpty(judges.get(crm)?.request({ method, url, body }) ?? [])
  })

  it.each(plantedAnswers)("of %s find an answer to %s %s that is not the vendor's", (crm, method, url, body) => {
    const request = { method, url, body: undefined }
    assert.isNotEmpty(judges.get(crm)?.answer(request, { status: 200, body }) ?? [])
  })

  it("find answers that are not the vendor's", () => {
    const judge = judges.get("pipedrive")
    const request = { method: "GET", url: `${pipedrive}/api/v2/deals/1`, body: undefined }
    const answered = (data: unknown) => judge?.answer(request, { status: 200, body: { success: true, data } })
    assert.deepStrictEqual(answered({ id: 1, title: "A" }), [])
    assert.isNotEmpty(answered({ id: "1", title: "A" }))
    assert.isNotEmpty(answered([]))
  })

  it("name their version, date and source, and the page of vendors names the vendor", () => {
    const vendorNames = new Set(vendors.map(({ vendor }) => vendor))
    for (const [crm, { compileAll, excerpt }] of judges) {
      compileAll()
      assert.isTrue(vendorNames.has(crm === "crmsuite" ? "rdstation" : crm), crm)
      assert.match(excerpt.date, /^\d{4}-\d{2}-\d{2}$/)
      assert.isNotEmpty(excerpt.source)
      assert.notInclude(JSON.stringify(excerpt.operations), '"description":"')
    }
    assert.sameMembers([...judges.keys()], Object.keys(adapters))
  })
})
