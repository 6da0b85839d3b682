import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxes } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { closedDeal } from "../../src/Layers/Crm/Calling/JsonPath.ts"
import { makeSimulatedStore } from "../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { CrmName } from "../../src/Services/Crm/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { Outcomes } from "../../src/Services/Outcomes/Outcomes.ts"
import { CrmWorld, closeThere, connected, newLead, sync } from "./support/CrmWorld.ts"
import { crmKinds } from "./support/crmKinds.ts"

describe("how a deal ended", () => {
  const won = { id: "7", reason: "Preço", value: 120 }
  it.each([
    ["BRL", 120, "Preço"],
    ["brl", 120, "Preço"],
    // The CRM has no currencies.
    [undefined, 120, "Preço"],
    ["USD", undefined, "Preço Value: 120 USD."],
    ["", undefined, "Preço Value: 120 in a currency that the CRM does not name."]
  ])("in the currency %j has the value %j", (currency, value, reason) =>
    assert.deepStrictEqual(closedDeal("won", { ...won, currency }), [{ id: "7", outcome: "won", reason, value }])
  )

  it("says nothing of a value that a lost deal had, or of none", () => {
    const lost = { id: "7", outcome: "lost" as const, reason: "Preço", value: undefined }
    assert.deepStrictEqual(closedDeal("lost", { ...won, currency: "USD" }), [lost])
    assert.deepStrictEqual(closedDeal("won", { id: "7", value: 0, currency: "USD" }), [
      { id: "7", outcome: "won", reason: undefined, value: undefined }
    ])
    assert.deepStrictEqual(closedDeal("open", won), [])
  })
})

/** The deal's amount is in this currency at the CRM. */
const inCurrency = {
  pipedrive: (currency: string) => ({ currency }),
  hubspot: (currency: string) => ({ deal_currency_code: currency }),
  odoo: (currency: string) => ({ company_currency: currency }),
  twenty: (currency: string) => ({ amount: { amountMicros: 120_000_000, currencyCode: currency } })
}

layer(CrmWorld, { excludeTestServices: true })("a deal that is won at", (it) => {
  const close = (crm: keyof typeof inCurrency & CrmName, currency: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      const leads = yield* Leads
      const leadId = yield* newLead({})
      yield* sync
      const [link] = yield* sql<{ readonly id: string }>`
        select external_id as id from crm_link
        where account_id = ${accountId} and lead_id = ${leadId} and kind = 'deal'`
      const { deal } = crmKinds[crm]
      yield* closeThere(crm, deal, link?.id ?? "", { outcome: "won", reason: undefined, value: 120 })
      const store = makeSimulatedStore(sql, accountId, crm, "sandbox-one")
      const id = sandboxes[crm]?.storedId?.(link?.id ?? "") ?? link?.id ?? ""
      const stored = yield* store.get(deal, id)
      const currencyFields = inCurrency[crm](currency)
      const properties = stored?.body["properties"]
      const body =
        typeof properties === "object" ? { properties: { ...properties, ...currencyFields } } : currencyFields
      yield* store.put(deal, id, { ...stored?.body, ...body })
      yield* sync
      assert.strictEqual((yield* leads.get(leadId)).final_outcome, "won")
      const [entry] = yield* sql<{ readonly reason: string | null; readonly value: string | null }>`
        select reason, data ->> 'deal_value_brl' as value from lead_lifecycle_event
        where account_id = ${accountId} and lead_id = ${leadId} and event_type = 'outcome_won'`
      return entry
    })

  for (const crm of ["pipedrive", "hubspot", "odoo", "twenty"] as const) {
    it.effect(`${crm} in another currency has no value in reais, and the history names the currency`, () =>
      connected(
        crm,
        Effect.gen(function* () {
          const entry = yield* close(crm, "USD")
          assert.isNull(entry?.value)
          assert.include(entry?.reason, "Value: 120 USD.")
          assert.deepInclude(yield* close(crm, "BRL"), { value: "120" })
        })
      )
    )
  }

  it.effect("twenty without a currency has no value in reais", () =>
    connected(
      "twenty",
      Effect.gen(function* () {
        const entry = yield* close("twenty", "")
        assert.isNull(entry?.value)
        assert.include(entry?.reason, "in a currency that the CRM does not name")
      })
    )
  )

  it.effect("the CRM after it was lost there and reopened is heard", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leads = yield* Leads
        const leadId = yield* newLead({})
        yield* sync
        const [link] = yield* sql<{ readonly id: string }>`
          select external_id as id from crm_link
          where account_id = ${accountId} and lead_id = ${leadId} and kind = 'deal'`
        const closing = { reason: undefined, value: undefined }
        yield* closeThere("pipedrive", "deal", link?.id ?? "", { ...closing, outcome: "lost" })
        yield* sync
        assert.strictEqual((yield* leads.get(leadId)).final_outcome, "lost")
        yield* closeThere("pipedrive", "deal", link?.id ?? "", { ...closing, outcome: "won" })
        yield* sync
        assert.strictEqual((yield* leads.get(leadId)).final_outcome, "won")
      })
    )
  )

  for (const outcome of ["lost", "gave_up"] as const) {
    it.effect(`the CRM after it was ${outcome} here and reopened there before the next look is heard`, () =>
      connected(
        "pipedrive",
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          const leads = yield* Leads
          const outcomes = yield* Outcomes
          const leadId = yield* newLead({})
          yield* sync
          yield* outcomes.register(leadId, { outcome, reason: undefined, dealValueBrl: undefined })
          // The gateway closes the deal there, and does not read the closed deals yet.
          yield* sql`update crm_integration set polled_at = instant() where account_id = ${accountId}`
          yield* sync
          const [link] = yield* sql<{ readonly id: string; readonly outcome: string | null; readonly end: string }>`
            select external_id as id, heard_outcome as outcome, written ->> 'closed_as' as "end" from crm_link
            where account_id = ${accountId} and lead_id = ${leadId} and kind = 'deal'`
          assert.deepInclude(link, { outcome: null, end: "lost" })
          yield* closeThere("pipedrive", "deal", link?.id ?? "", { outcome: "won", reason: undefined, value: 120 })
          yield* sync
          assert.strictEqual((yield* leads.get(leadId)).final_outcome, "won")
        })
      )
    )
  }

  it.effect("the CRM before the lead was lost here leaves the lead as it is", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leads = yield* Leads
        const outcomes = yield* Outcomes
        const leadId = yield* newLead({})
        yield* sync
        const [link] = yield* sql<{ readonly id: string }>`
          select external_id as id from crm_link
          where account_id = ${accountId} and lead_id = ${leadId} and kind = 'deal'`
        yield* closeThere("pipedrive", "deal", link?.id ?? "", { outcome: "won", reason: undefined, value: 120 })
        yield* outcomes.register(leadId, { outcome: "lost", reason: undefined, dealValueBrl: undefined })
        yield* sync
        yield* sql`update crm_integration set polled_at = instant() - interval '1 hour' where account_id = ${accountId}`
        yield* sync
        assert.strictEqual((yield* leads.get(leadId)).final_outcome, "lost")
      })
    )
  )
})
