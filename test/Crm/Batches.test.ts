import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeSimulatedStore } from "../../src/Layers/Crm/sandbox/CrmSandboxTransport.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Crm } from "../../src/Services/Crm/Crm.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import type { OutboundRequest } from "../../src/Services/Outbound/OutboundHttp.ts"
import { Syncing } from "./support/CrmLayers.ts"
import {
  answered,
  brokeAfter,
  type CrmServer,
  CrmTransportProbe,
  CrmWorld,
  connected,
  counts,
  type Fault,
  isWrite,
  newLead,
  newLeads,
  recordsAt,
  standing,
  stateOf,
  sync,
  timedOutAfter,
  timedOutBefore
} from "./support/CrmWorld.ts"
import { crmKinds } from "./support/crmKinds.ts"

/** CRMs that take many records in one call, with how many leads fill their calls and what changes something of them. */
const servers: ReadonlyArray<CrmServer & { readonly name: string; readonly leads: number; readonly writes: number }> = [
  { name: "hubspot", crm: "hubspot", leads: 200, writes: 5 },
  { name: "odoo", crm: "odoo", url: "https://odoo20.example", leads: 200, writes: 4 },
  { name: "twenty", crm: "twenty", leads: 240, writes: 4 }
]

const holds = (text: string) => (request: OutboundRequest) => isWrite(request) && String(request.body).includes(text)

layer(CrmWorld, { excludeTestServices: true, timeout: "60 seconds" })("leads that are sent together", (it) => {
  it.effect.each(servers)("to $name cost at most a tenth of a call each, and are there once", ({ crm, leads, url }) =>
    connected(
      { crm, url },
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        yield* newLeads(leads)
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: leads })
        assert.deepStrictEqual(yield* counts(crm), { company: leads, person: leads, deal: leads })
        assert.lengthOf(yield* recordsAt(crm, crmKinds[crm].note), leads)
        assert.isAtMost(road.requests.length / leads, 0.1)

        // Each is linked with a record of its own.
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const links = yield* sql<{ readonly kind: string; readonly records: number }>`
          select kind, count(distinct external_id)::int as records from crm_link
          where account_id = ${accountId} and state = 'linked' and kind <> 'note' group by kind order by kind`
        assert.deepStrictEqual(
          links,
          ["company", "deal", "person"].map((kind) => ({ kind, records: leads }))
        )

        // What is known is not asked again, and a change of all of them is gathered too.
        road.clear()
        yield* sql`update lead set status = 'Interested' where account_id = ${accountId}`
        yield* sql`update crm_lead set state = 'pending', version = version + 1 where account_id = ${accountId}`
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: leads })
        const { stageOf } = crmKinds[crm]
        const stages = (yield* recordsAt(crm, crmKinds[crm].deal)).map(stageOf)
        assert.lengthOf([...new Set(stages)], 1)
        if (crm !== "twenty") assert.isAtMost(road.requests.length / leads, 0.1)
      })
    )
  )

  it.effect.each([...servers, { name: "odoo17", crm: "odoo" as const, url: undefined }])(
    "to $name fail alone, whether a record or a whole call is refused",
    ({ crm, url }) =>
      connected(
        { crm, url },
        Effect.gen(function* () {
          const road = yield* CrmTransportProbe
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          yield* newLeads(11)
          yield* newLeads(1, "Ruim Ltda")
          const refusals = (count: number) => Array.from({ length: count }, () => answered(422, "{}"))
          road.plan(holds("Ruim Ltda"), ...refusals(20))
          // What this CRM by itself does not take.
          if (crm === "hubspot") {
            yield* sql`update lead set email = 'ana@nowhere' where account_id = ${accountId} and lead_id = (
            select min(lead_id) from lead where account_id = ${accountId})`
          }
          yield* sync
          const refused = crm === "hubspot" ? 2 : 1
          assert.deepStrictEqual(yield* standing, { synced: 12 - refused, refused_by_crm: refused })
          assert.strictEqual((yield* counts(crm)).deal, 12 - refused)
          road.clear()
          yield* sql`update lead set email = 'ana@now.example' where account_id = ${accountId} and email = 'ana@nowhere'`
          // A resync takes what is stuck, also with a change of a lead that is there.
          yield* sql`update crm_lead set state = 'stuck', reason = 'refused_by_crm'
            where account_id = ${accountId} and lead_id = (
              select min(lead_id) from crm_lead where account_id = ${accountId} and state = 'synced')`
          const service = yield* Crm
          assert.strictEqual((yield* service.resync).eligible_count, refused + 1)
          yield* sql`update crm_lead set state = 'pending' where account_id = ${accountId} and state = 'stuck'`
          yield* sync
          assert.deepStrictEqual(yield* standing, { synced: 12 })
          assert.deepStrictEqual(yield* counts(crm), { company: 12, person: 12, deal: 12 })
        })
      )
  )

  it.effect.each(servers)("to $name share the company that they have in common, made once", ({ crm, url }) =>
    connected(
      { crm, url },
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        yield* newLeads(30, "Mesma SA")
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 30 })
        assert.deepStrictEqual(yield* counts(crm), { company: 1, person: 30, deal: 30 })
        assert.isAtMost(road.requests.length, 14)
      })
    )
  )

  const dies: Fault = (_, arrive) => Effect.zipRight(arrive, Effect.die("killed"))
  const troubles: ReadonlyArray<readonly [string, Fault]> = [
    ["times out after it was done", timedOutAfter],
    ["is done, and then the process dies", dies],
    ["times out before it is done", timedOutBefore],
    ["breaks with 500 after it was done", brokeAfter(500, "<html>oops</html>")],
    ["is answered by half a JSON after it was done", brokeAfter(200, '{"results": [{"id')],
    ["is answered by less than was asked after it was done", brokeAfter(200, '{"results":[],"result":[],"data":{}}')],
    ["is over the limit", answered(429, "", { "retry-after": "7" })],
    ["is the last thing that the process does", () => Effect.die("killed")]
  ]
  it.effect.each(servers)("to $name: whatever befalls a call for many, each is made once", ({ crm, url, writes }) =>
    connected(
      { crm, url },
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const cases = troubles.flatMap(([title, fault], index) =>
          Array.from({ length: writes }, (_, write) => ({ title: `call ${write} ${title}`, write, fault })).filter(
            ({ write }) => index < 2 || write === index % writes
          )
        )
        let made = 0
        for (const { fault, title, write } of cases) {
          let seen = 0
          road.clear()
          road.plan((request) => isWrite(request) && seen++ === write, fault)
          yield* newLeads(3)
          made += 3
          for (let turn = 0; turn < 4; turn++) {
            yield* sync
            if ((yield* standing)["synced"] === made) break
          }
          assert.deepStrictEqual(yield* standing, { synced: made }, title)
          assert.deepStrictEqual(yield* counts(crm), { company: made, person: made, deal: made }, title)
        }
        assert.isAtMost((yield* recordsAt(crm, crmKinds[crm].note)).length, made)
      })
    )
  )
})

layer(CrmWorld, { excludeTestServices: true, timeout: "60 seconds" })("leads that are sent one by one", (it) => {
  const names = ["pipedrive", "ploomes", "crmsuite", "agendor", "omie", "piperun", "nectar", "moskit"] as const

  it.effect.each(names)("to %s cost six calls each at most, and what is the same for all is asked once", (crm) =>
    connected(
      crm,
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        yield* newLead({})
        yield* sync
        road.clear()
        yield* newLead({ phone: "+5511987650001" })
        yield* newLead({ phone: "+5511987650002" })
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 3 })
        assert.isAtMost(road.requests.length, 12, road.requests.map(({ line }) => line).join("\n"))
      })
    )
  )

  it.effect("are looked up by their phone too where the CRM has people of their company", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* newLead({ company: "Duas SA" })
        yield* sync
        const store = makeSimulatedStore(sql, accountId, "pipedrive", "sandbox-one")
        yield* store.insert("person", { name: "Bia", phones: [{ value: "+5511987650003", primary: true }] })
        yield* newLead({ company: "Duas SA", phone: "+5511987650003" })
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 2 })
        assert.deepStrictEqual(yield* counts("pipedrive"), { company: 1, person: 2, deal: 2 })
      })
    )
  )

  it.effect("let a change go first that somebody made meanwhile, and what can wait goes on", () =>
    connected(
      "piperun",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const road = yield* CrmTransportProbe
        const leads = yield* Leads
        const known = yield* newLead({ status: "Cold" })
        yield* sync
        yield* newLeads(9)
        yield* sql`update crm_lead set can_wait = true where account_id = ${accountId} and state = 'pending'`
        const rounds = (yield* Syncing).round
        road.clear()
        // The first call of a resync takes long; what is changed then is there before it is answered.
        const isMade = yield* Deferred.make<void>()
        road.plan(
          ({ url }) => url.includes("/companies"),
          (_, arrive) => Effect.zipRight(Deferred.await(isMade), arrive)
        )
        const resync = yield* Effect.fork(rounds)
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => road.requests.length > 0 })
        yield* leads.update(known, { status: "Interested", goal: undefined, background: undefined })
        yield* rounds
        yield* Effect.repeat(Effect.delay(stateOf(known, "piperun"), "100 millis"), {
          until: (at) => at?.state === "synced"
        })
        assert.deepInclude(yield* standing, { pending: 9 })
        yield* Deferred.succeed(isMade, undefined)
        yield* Fiber.join(resync)
        assert.deepStrictEqual(yield* standing, { synced: 10 })
        assert.deepStrictEqual(yield* counts("piperun"), { company: 10, person: 10, deal: 10 })
        const moved = (yield* recordsAt("piperun", crmKinds.piperun.deal)).filter(
          ({ body }) => body["stage_id"] !== undefined
        )
        assert.strictEqual(new Set(moved.map(({ body }) => body["stage_id"])).size, 2)
      })
    )
  )

  /** Does all that is due, without time going by. */
  const atOnce = Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`update crm_lead set due_at = instant() where account_id = ${accountId} and state = 'pending'`
    yield* sql`update crm_integration set resumes_at = null where account_id = ${accountId}`
    yield* (yield* Syncing).round
  })
  const searches = ({ url }: OutboundRequest) => url.includes("/companies/search")
  const showsNothing = answered(200, '{"total":0,"results":[]}')

  it.effect("make no second company while the CRM's search may not show the first", () =>
    connected(
      "hubspot",
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        road.plan((request) => isWrite(request) && request.url.includes("/companies"), timedOutAfter)
        road.plan(searches, showsNothing, showsNothing, showsNothing, showsNothing)
        yield* newLead({ company: "Três SA" })
        for (let turn = 0; turn < 3; turn++) {
          yield* atOnce
          assert.deepStrictEqual(yield* standing, { pending: 1 })
          assert.strictEqual((yield* counts("hubspot")).company, 1)
        }
        // Nor does another lead of the same company.
        yield* newLead({ company: "três sa" })
        yield* atOnce
        assert.deepStrictEqual(yield* standing, { pending: 2 })
        yield* sync
        yield* sync
        assert.deepStrictEqual(yield* standing, { synced: 2 })
        assert.deepStrictEqual(yield* counts("hubspot"), { company: 1, person: 2, deal: 2 })
        // One that was made is known, whether or not it is shown.
        road.clear()
        road.plan(searches, showsNothing, showsNothing)
        yield* newLead({ company: "Quatro SA" })
        yield* atOnce
        yield* newLead({ company: "Quatro SA" })
        yield* atOnce
        assert.deepStrictEqual(yield* standing, { synced: 4 })
        assert.deepStrictEqual(yield* counts("hubspot"), { company: 2, person: 4, deal: 4 })
      })
    )
  )
})
