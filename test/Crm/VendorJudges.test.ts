import { assert, describe, it } from "@effect/vitest"
import { vendors } from "../../src/Services/Outbound/Vendors/AllVendors.ts"
import { judges } from "./vendors/judge.ts"

const hubspot = "https://api.hubapi.com"
const pipedrive = "https://api.pipedrive.com"
const odoo = "https://erp.example"
const twenty = "https://api.twenty.com"
const rd = "https://crm.rdstation.com"

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
  ["crmsuite", "a value that the interface does not take", "PUT", `${rd}/api/v1/deals/1`, { deal: { amount_total: 5 } }]
]

describe("excerpts of vendors' files", () => {
  it.each(planted)("of %s find %s", (crm, _, method, url, body) => {
    assert.isNotEmpty(judges.get(crm)?.request({ method, url, body }) ?? [])
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
    for (const [crm, { excerpt }] of judges) {
      assert.isTrue(vendorNames.has(crm === "crmsuite" ? "rdstation" : crm), crm)
      assert.match(excerpt.date, /^\d{4}-\d{2}-\d{2}$/)
      assert.isNotEmpty(excerpt.source)
      assert.notInclude(JSON.stringify(excerpt.operations), '"description":"')
    }
    assert.isAtLeast(judges.size, 5)
  })
})
