import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AcquiredLeadsPostgres } from "../../src/Layers/Leads/Registration/AcquiredLeadsPostgres.ts"
import { CapturedLeadsPostgres } from "../../src/Layers/Leads/Registration/CapturedLeadsPostgres.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { AcquiredLeads } from "../../src/Services/Leads/AcquiredLeads.ts"
import { CapturedLeads } from "../../src/Services/Leads/CapturedLeads.ts"
import { LeadSource } from "../../src/Services/Leads/LeadModel.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const Capture = LeadSource.pipe(Schema.omit("capture_count", "captured_at"))
const optionalDetails = "utm_source utm_medium utm_campaign utm_term utm_content referrer said".split(" ")

const services = Layer.merge(AcquiredLeadsPostgres, CapturedLeadsPostgres).pipe(Layer.provideMerge(LeadServices))

// Imports have their own tests with spreadsheets: files, rows of a call, and contacts of lead databases pass there.
layer(services)("the place of a lead is normalised", (it) => {
  it.effect("that a company register or a CRM hands over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const acquired = yield* AcquiredLeads
      const unit = yield* UnitOfWork
      const lead = {
        name: "Ana",
        email: "ana@example.com",
        phone: null,
        company: "Padaria",
        website: null,
        city: "SAO PAULO",
        state: "São Paulo",
        country: "Brasil",
        cnae: null,
        industry: null,
        background: "Listed at a fair"
      }
      yield* as(caller)(unit.write(acquired.register([lead], null)))
      const rows = yield* sql`select city, state, country from lead where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [{ city: "São Paulo", state: "SP", country: "BR" }])
    })
  )

  it.effect("that leaves its contact on a page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const captured = yield* CapturedLeads
      const unit = yield* UnitOfWork
      const lead = {
        name: "Ana",
        email: "ana@example.com",
        phone: null,
        company: null,
        jobTitle: null,
        city: "campinas - SP",
        website: null,
        language: null,
        campaignId: null,
        capture: Schema.decodeUnknownSync(Capture)({
          website_id: 1,
          page: "Home",
          url: "https://site.example",
          variant: "a",
          marketing_consent: false,
          ...Object.fromEntries(optionalDetails.map((detail) => [detail, null]))
        })
      }
      yield* as(caller)(unit.write(captured.register(lead)))
      const rows = yield* sql`select city, state from lead where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [{ city: "Campinas", state: "SP" }])
    })
  )
})
