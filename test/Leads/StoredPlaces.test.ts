import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { normaliseStored } from "../../src/Layers/Leads/StoredPlaces.ts"
import { createLeads } from "../support/checks/CountedLeads.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { makeAccount } from "../support/TestAccount.ts"

/** More than one batch. */
const many = 1_100

layer(LeadServices)("places that were stored as they were written", (it) => {
  it.effect("are normalised in batches, and once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [caller, other] = [yield* makeAccount(), yield* makeAccount()]
      for (const { accountId } of [caller, other]) {
        yield* createLeads(sql`
          insert into lead (account_id, name, email, status, pipeline_state, city, state, country)
          select ${accountId}, 'Ana', 'ana' || n || '@example.com', 'Cold', 'not_started', 'sao paulo', 'São Paulo', 'Brasil'
          from generate_series(1, ${many}) n`)
      }
      yield* sql`insert into lead_place_backlog (account_id) values (${caller.accountId})`
      yield* normaliseStored
      const placesOf = (accountId: number) => sql`
        select city, state, country, count(*)::int as count from lead where account_id = ${accountId}
        group by 1, 2, 3`
      assert.deepStrictEqual(yield* placesOf(caller.accountId), [
        { city: "São Paulo", state: "SP", country: "BR", count: many }
      ])
      // Not listed, so not touched.
      assert.deepStrictEqual(yield* placesOf(other.accountId), [
        { city: "sao paulo", state: "São Paulo", country: "Brasil", count: many }
      ])
      assert.deepStrictEqual(yield* sql`select account_id from lead_place_backlog`, [])
    })
  )
})
