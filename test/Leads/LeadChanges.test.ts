import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LeadChangesPostgres } from "../../src/Layers/Leads/LeadChangesPostgres.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadChanges } from "../../src/Services/Leads/LeadChanges.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

const register = (name: string) =>
  Effect.flatMap(Leads, (leads) =>
    leads.register({
      name,
      email: `${name.toLowerCase()}@followed.example`,
      phone: undefined,
      company: undefined,
      status: "Cold",
      campaign: undefined
    })
  )

const takenLeads = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const changes = yield* LeadChanges
  const { leads } = yield* changes.take(1000)
  return leads.filter((lead) => lead.accountId === accountId).map(({ leadId }) => leadId)
})

layer(Layer.provideMerge(LeadChangesPostgres, LeadServices), { excludeTestServices: true })(
  "changes of leads",
  (it) => {
    it.effect("are written down for accounts that are followed alone, in the transaction that makes them", () =>
      withAccount(
        Effect.gen(function* () {
          const changes = yield* LeadChanges
          const unit = yield* UnitOfWork
          const leads = yield* Leads
          yield* register("Before")
          assert.deepStrictEqual(yield* takenLeads, [])

          yield* changes.follow(true)
          yield* changes.follow(true)
          const { lead_id } = yield* register("After")
          assert.deepStrictEqual(yield* takenLeads, [lead_id])
          assert.deepStrictEqual(yield* takenLeads, [])

          yield* leads.update(lead_id, { status: "Interested", goal: undefined, background: undefined })
          yield* unit.write(leads.transition(lead_id, "register_won"))
          assert.deepStrictEqual(yield* takenLeads, [lead_id])

          // A change that is rolled back is not recorded.
          yield* Effect.exit(
            unit.write(Effect.zipRight(leads.transition(lead_id, "register_lost"), Effect.die("undone")))
          )
          assert.deepStrictEqual(yield* takenLeads, [])

          yield* changes.follow(false)
          yield* leads.update(lead_id, { status: "Closed", goal: undefined, background: undefined })
          assert.deepStrictEqual(yield* takenLeads, [])
        })
      )
    )
  }
)
