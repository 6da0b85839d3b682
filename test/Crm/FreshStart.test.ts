import { SqlClient } from "@effect/sql/SqlClient"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { Accounts } from "../../src/Services/Accounts/Accounts.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { OutsideHealth, OutsideHealthLive } from "../../src/Services/Core/Outside/OutsideHealth.ts"
import { Crm } from "../../src/Services/Crm/Crm.ts"
import { secondsAfterDefects } from "../../src/Services/Crm/CrmRules.ts"
import { isCrmName } from "../../src/Services/Crm/Ids.ts"
import { Incidents } from "../../src/Services/Support/Incidents.ts"
import { as } from "../support/TestAccount.ts"
import { Syncing } from "./support/CrmLayers.ts"
import {
  CrmTransportProbe,
  CrmWorld,
  connect,
  connected,
  type Fault,
  newLead,
  stateOf,
  sync
} from "./support/CrmWorld.ts"

const crms = Object.keys(adapters).filter(isCrmName)

/** An account as `npm start` makes it, without an e-mail address. */
const ownerAccount = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const accountId = yield* unit.write(
    accounts.create({ name: "Owner", email: undefined, phone: undefined, plan: "paid" })
  )
  return Caller.forTask(accountId, "paid", "first-start")
})

const killed: Fault = () => Effect.die(new TypeError("an error of the gateway"))

const World = CrmWorld.pipe(Layer.provideMerge(OutsideHealthLive))

layer(
  World.pipe((world) => Layer.provideMerge(AccountsPostgres, world)),
  { excludeTestServices: true }
)("CRMs of an account", (it) => {
  it.effect("that has no e-mail address: each of the eleven is connected, and a lead arrives in all", () =>
    Effect.flatMap(ownerAccount, (caller) =>
      as(caller)(
        Effect.gen(function* () {
          const service = yield* Crm
          assert.lengthOf(crms, 11)
          for (const crm of crms) assert.strictEqual((yield* connect(crm)).status, "connected", crm)
          const leadId = yield* newLead({ status: "Interested" })
          yield* sync
          for (const crm of crms) assert.strictEqual((yield* stateOf(leadId, crm))?.state, "synced", crm)
          for (const { crm_name, last_error } of yield* service.status) assert.isNull(last_error, crm_name)
          const road = yield* CrmTransportProbe
          assert.deepStrictEqual([...road.findings], [], "a vendor would not take or answer this")
        })
      )
    )
  )

  it.effect("that fail by an error of the gateway: it pauses, and account, operator and incident show it", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const road = yield* CrmTransportProbe
        const service = yield* Crm
        const incidents = yield* Incidents
        const { round } = yield* Syncing
        const isBad = ({ body }: { readonly body?: unknown }) => String(body).includes("Ruim Ltda")
        const bad = yield* newLead({ company: "Ruim Ltda" })
        const good = yield* newLead({ company: "Boa Ltda" })
        road.plan(isBad, killed, killed)
        yield* sync
        assert.strictEqual((yield* stateOf(good, "pipedrive"))?.state, "synced")
        assert.deepStrictEqual(yield* stateOf(bad, "pipedrive"), { state: "pending", reason: "internal_error" })

        const [status] = yield* service.status
        assert.strictEqual(status?.last_error, "internal_error")
        assert.isNotNull(status?.resumes_at)
        const connectionOf = Effect.flatMap(OutsideHealth, ({ states }) =>
          Effect.map(states, (all) => all["crm.pipedrive.sync"])
        )
        assert.deepInclude(yield* connectionOf, { status: "down", reason: "internal_error" })
        const active = incidents.list({ scope: "active", pastLimit: 0 })
        const isOurs = ({ components }: { readonly components: ReadonlyArray<string> }) => components.includes("crm")
        assert.lengthOf((yield* active).filter(isOurs), 1)

        // No call is made before the pause is over.
        road.requests.length = 0
        yield* newLead({ company: "Outra Ltda" })
        yield* round
        yield* round
        assert.deepStrictEqual(road.requests, [])
        yield* sync
        const paused = () => sql<{ readonly seconds: number }>`
            select extract(epoch from resumes_at - instant())::float8 as seconds from crm_integration
            where account_id = ${accountId}`
        assert.closeTo((yield* paused())[0]?.seconds ?? 0, 120, 10)

        yield* sync
        assert.strictEqual((yield* stateOf(bad, "pipedrive"))?.state, "synced")
        assert.isNull((yield* service.status)[0]?.last_error)
        assert.deepInclude(yield* connectionOf, { status: "up" })
        assert.lengthOf((yield* active).filter(isOurs), 0)
      })
    )
  )
})

it("the pauses after errors of the gateway grow up to an hour", () => {
  assert.deepStrictEqual([1, 2, 3, 4, 7, 50].map(secondsAfterDefects), [60, 120, 240, 480, 3600, 3600])
})
