import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { makeErasureCopier, readLedger } from "../../src/Layers/Backups/ErasureLedger.ts"
import { ErasureRecordsPostgres } from "../../src/Layers/Leads/Erasure/ErasureRecordsPostgres.ts"
import { PeoplePostgres } from "../../src/Layers/Leads/Erasure/PeoplePostgres.ts"
import { PersonalDataOfRooms } from "../../src/Layers/Platform/PersonalData.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { ErasureRecords } from "../../src/Services/Leads/Erasure/ErasureRecords.ts"
import { People } from "../../src/Services/Leads/Erasure/People.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { insertLead, leadServicesWith } from "../support/leads/LeadServices.ts"
import { temporaryDirectory } from "../support/processes/GatewayProcess.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const Services = Layer.merge(ErasureRecordsPostgres, PeoplePostgres).pipe(
  Layer.provide(Layer.succeed(PersonalDataOfRooms, rooms.personalData)),
  Layer.provideMerge(leadServicesWith(rooms.personalData))
)

const erase = (leadId: LeadId) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(Effect.flatMap(Leads, (leads) => leads.erase(leadId, "asked"))))

/** What an older state of the database has: the lead, and no trace of its erasure. */
const bringBack = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  yield* sql`delete from lead_tombstone where account_id = ${accountId}`
  yield* sql`delete from lead_erasure where account_id = ${accountId}`
})

layer(Services, { excludeTestServices: true })("records of erasures", (it) => {
  it.scoped("are copied once, and repeat the erasures of one account in an older state", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const records = yield* ErasureRecords
      const [one, other] = [yield* makeAccount(), yield* makeAccount()]
      const directory = path.join(yield* temporaryDirectory, "backups")
      const copy = yield* makeErasureCopier(directory)
      const lead = yield* as(one)(insertLead({ email: "zulmira@q.example" }))
      const stays = yield* as(other)(insertLead({ email: "zulmira@q.example" }))
      yield* as(one)(erase(lead))
      assert.strictEqual(yield* copy, 2)
      assert.strictEqual(yield* copy, 0)
      // Another process, or this one after a restart.
      assert.strictEqual(yield* yield* makeErasureCopier(directory), 0)
      const recorded = yield* readLedger(directory)
      assert.deepStrictEqual(
        recorded.map(({ account_id, kind }) => [kind, account_id]),
        [
          ["erasure", one.accountId],
          ["contact", one.accountId]
        ]
      )
      assert.notInclude(JSON.stringify(recorded), "zulmira")

      yield* as(one)(bringBack)
      const again = yield* as(one)(insertLead({ email: "zulmira@q.example" }))
      const ofState = recorded.map((record) => (record.kind === "erasure" ? { ...record, lead_id: again } : record))
      assert.deepStrictEqual(yield* records.repeat(ofState), { erased: 1, blocked: 0 })
      assert.deepStrictEqual(yield* records.repeat(ofState), { erased: 0, blocked: 0 })
      const left = yield* sql<{ readonly lead_id: LeadId }>`
        select lead_id from lead where account_id = any(${[one.accountId, other.accountId]}::bigint[])`
      assert.deepStrictEqual(left, [{ lead_id: stays }])

      // The lead came and went after the state: only its contact is blocked.
      yield* as(one)(bringBack)
      assert.deepStrictEqual(yield* records.repeat(recorded), { erased: 0, blocked: 1 })
      assert.strictEqual((yield* records.since(fromMillis(Date.parse("2090-01-01")))).length, 0)
    })
  )

  it.scoped("of a person erase them again from all records, by a digest alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const records = yield* ErasureRecords
      const people = yield* People
      const unit = yield* UnitOfWork
      const one = yield* makeAccount()
      const me = as(one)
      const directory = path.join(yield* temporaryDirectory, "backups")
      const background = "Fale com Otto@Lima.example ou (11) 98765-4321, não com ana@lima.example."
      const other = yield* me(insertLead({ name: "Rui Prado", background }))
      yield* me(unit.write(people.erase({ email: "otto@lima.example", phone: "+5511987654321" }, undefined)))
      yield* yield* makeErasureCopier(directory)
      const recorded = (yield* readLedger(directory)).filter(({ account_id }) => account_id === one.accountId)
      assert.deepStrictEqual(
        recorded.map(({ kind }) => kind),
        ["person", "person"]
      )
      assert.notMatch(JSON.stringify(recorded), /otto|98765/i)

      yield* me(bringBack)
      yield* sql`update lead set background = ${background} where lead_id = ${other}`
      yield* records.repeat(recorded)
      assert.deepStrictEqual(yield* sql`select background from lead where lead_id = ${other}`, [
        { background: "Fale com [erased] ou [erased], não com ana@lima.example." }
      ])
    })
  )
})
