import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { makeSimulatedStore } from "../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { CrmName } from "../../src/Services/Crm/Ids.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import {
  answered,
  brokeAfter,
  CrmTransportProbe,
  CrmWorld,
  connect,
  connected,
  counts,
  type Fault,
  isWrite,
  lostBefore,
  newLead,
  recordsAt,
  stateOf,
  sync,
  timedOutAfter,
  timedOutBefore
} from "./support/CrmWorld.ts"
import { crmKinds } from "./support/crmKinds.ts"

const dies: Fault = (_, arrive) => Effect.zipRight(arrive, Effect.die("killed"))
const faults: ReadonlyArray<Fault> = [
  lostBefore,
  timedOutBefore,
  timedOutAfter,
  brokeAfter(500, "<html>oops</html>"),
  answered(429, "", { "retry-after": "7" }),
  answered(503, ""),
  dies,
  () => Effect.die("killed")
]

/** What may happen, in any order. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("add" as const), company: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("change" as const), lead: fc.nat({ max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("sync" as const), workers: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("suffer" as const),
      write: fc.nat({ max: 8 }),
      fault: fc.nat({ max: faults.length - 1 })
    })
  },
  { weight: 1, arbitrary: fc.constant({ act: "revoke" as const }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("remove" as const), lead: fc.nat({ max: 9 }) }) }
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

interface Known {
  readonly leadId: LeadId
  readonly company: number
}

/** The CRM's deal of the lead is deleted by somebody there, where it is known. */
const removeThere = (crm: CrmName, leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const [deal] = yield* sql<{ readonly id: string }>`
      select external_id as id from crm_link
      where account_id = ${accountId} and lead_id = ${leadId} and kind = 'deal' and state = 'linked'`
    if (deal === undefined) return false
    const store = makeSimulatedStore(sql, accountId, crm, "sandbox-one")
    const record = yield* store.get(crmKinds[crm].deal, deal.id)
    yield* store.put(crmKinds[crm].deal, deal.id, { ...record?.body, archived: true, is_deleted: true })
    return true
  })

const lived = (crm: CrmName, steps: ReadonlyArray<Step>) =>
  connected(
    crm,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      const road = yield* CrmTransportProbe
      const leads = yield* Leads
      const known: Array<Known> = []
      const removed = new Set<LeadId>()
      for (const each of steps) {
        switch (each.act) {
          case "add":
            known.push({
              leadId: yield* newLead({ company: `Empresa ${each.company}`, status: "Cold" }),
              company: each.company
            })
            break
          case "change": {
            const lead = known[each.lead]
            if (lead === undefined) break
            const status = (["Confirmed", "Aware", "Interested"] as const)[each.lead % 3] ?? "Confirmed"
            yield* leads.update(lead.leadId, { status, goal: undefined, background: undefined })
            break
          }
          case "sync":
            yield* Effect.all(
              Array.from({ length: each.workers }, () => sync),
              { concurrency: "unbounded" }
            )
            break
          case "suffer": {
            let seen = 0
            road.plan((request) => isWrite(request) && seen++ === each.write, faults[each.fault] ?? dies)
            yield* sync
            break
          }
          case "revoke":
            yield* sql`update sandbox_crm set is_revoked = true where account_id = ${accountId}`
            yield* sync
            yield* sql`update sandbox_crm set is_revoked = false where account_id = ${accountId}`
            yield* connect(crm)
            break
          case "remove": {
            const lead = known[each.lead]
            if (lead !== undefined && (yield* removeThere(crm, lead.leadId))) removed.add(lead.leadId)
          }
        }
      }
      road.clear()
      for (let turn = 0; turn < 4; turn++) yield* sync

      // The model: each lead is there once, and shares its company; what was removed there stays away.
      const told = JSON.stringify(steps)
      assert.deepStrictEqual(
        yield* counts(crm),
        { company: new Set(known.map(({ company }) => company)).size, person: known.length, deal: known.length },
        told
      )
      const ids = new Set((yield* recordsAt(crm, crmKinds[crm].deal)).map(({ id }) => id))
      const links = yield* sql<{ readonly leadId: LeadId; readonly state: string; readonly id: string }>`
        select lead_id as "leadId", state, external_id as id from crm_link
        where account_id = ${accountId} and kind = 'deal'`
      assert.strictEqual(new Set(links.map(({ id }) => id)).size, known.length, told)
      for (const { leadId } of known) {
        const link = links.find((each) => each.leadId === leadId)
        assert.isTrue(link !== undefined && ids.has(link.id), told)
        const state = yield* stateOf(leadId, crm)
        if (removed.has(leadId)) assert.include(["synced", "stuck"], state?.state, told)
        else assert.deepInclude({ ...state, link: link?.state }, { state: "synced", link: "linked" }, told)
      }
    })
  )

layer(CrmWorld, { excludeTestServices: true, timeout: "120 seconds" })("links under whatever order of things", (it) => {
  it.effect.each(["hubspot", "pipedrive"] as const)(
    "are one for each lead and record at %s",
    (crm) =>
      Effect.forEach(
        fc.sample(fc.array(step, { minLength: 4, maxLength: 14 }), {
          seed: 14,
          numRuns: Number(process.env["INTERLEAVINGS"] ?? 6)
        }),
        (steps) => lived(crm, steps),
        { discard: true }
      ),
    3_000_000
  )
})
