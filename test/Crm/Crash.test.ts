import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Random } from "effect"
import { DatabaseLocation } from "../../src/Layers/Platform/Postgres/Database.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import type { CrmName } from "../../src/Services/Crm/Ids.ts"
import { bundledEntry } from "../support/BundledEntry.ts"
import { orderedProcesses } from "../support/processes/OrderedProcesses.ts"
import { CrmWorld, connected, counts, newLeads, recordsAt, standing } from "./support/CrmWorld.ts"
import { crmKinds } from "./support/crmKinds.ts"

/** How often processes are killed; `npm run test:crm-crash` does it more often. */
const crashes = Number(process.env["CRASHES"] ?? 4)

/** New leads before each: there is always something to be done. */
const leadsEach = 12

/** One that takes each record in a call of its own, and one that takes many. */
const crms: ReadonlyArray<{ readonly crm: CrmName; readonly calls: number }> = [
  { crm: "pipedrive", calls: 70 },
  { crm: "hubspot", calls: 8 }
]

layer(CrmWorld, { excludeTestServices: true })("a process that is killed in a resync", (it) => {
  it.scoped.each(crms)(
    "of $crm loses no lead and doubles none",
    ({ calls, crm }) =>
      Effect.gen(function* () {
        const { connection } = yield* DatabaseLocation
        const give = yield* orderedProcesses(yield* bundledEntry("Crm/support/doomedCrmWorker"))
        yield* connected(
          crm,
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const { accountId } = yield* Caller
            const signals: Array<string | null> = []
            let leads = 0
            const resync = (dies: object) => give({ connection, accountId, dies })
            for (let crash = 0; crash < Math.ceil(crashes / crms.length); crash++) {
              yield* newLeads(leadsEach)
              leads += leadsEach
              // From before the CRM was connected: nobody has queued them.
              yield* sql`delete from crm_lead p where account_id = ${accountId} and not exists (select from crm_link k
                where k.account_id = p.account_id and k.lead_id = p.lead_id)`
              const at = (["statement", "call_before", "call_after"] as const)[crash % 3] ?? "statement"
              const nth = yield* Random.nextIntBetween(1, at === "statement" ? 40 : calls)
              signals.push(yield* resync({ at, nth }))
            }
            assert.include(signals, "SIGKILL")
            assert.isNull(yield* resync({ at: "statement", nth: -1 }))
            assert.deepStrictEqual(yield* standing, { synced: leads })
            assert.deepStrictEqual(yield* counts(crm), { company: leads, person: leads, deal: leads })
            assert.isAtMost((yield* recordsAt(crm, crmKinds[crm].note)).length, leads)
            if (crashes >= 50) {
              const killed = signals.filter((signal) => signal === "SIGKILL").length
              process.stderr.write(`${crm}: ${killed} killed, ${leads} leads, none lost, none doubled\n`)
            }
          })
        )
      }).pipe(Effect.withRandom(Random.make(`resyncs of ${crm}`))),
    3_000_000
  )
})
