import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadImports } from "../../src/Services/LeadFiles/LeadImports.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { LeadSearch } from "../../src/Services/Leads/LeadSearch.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { SendGuard } from "../../src/Services/Outreach/SendGuard.ts"
import { eventually } from "../Jobs/support.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const campaignsOfLeads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql`select name, campaign_id from lead where account_id = ${accountId} order by lead_id`
})

const archive = (name: string) => Effect.flatMap(Campaigns, (campaigns) => campaigns.archive(name))

const register = (name: string, campaign: string) =>
  Effect.flatMap(Leads, (leads) =>
    leads.register({
      name,
      email: `${name.toLowerCase()}@client.example`,
      phone: undefined,
      company: undefined,
      status: "Cold",
      campaign
    })
  )

/** Waits until a session of the database waits for another one. */
const lockIsAwaited = eventually(isLockAwaited, (isAwaited) => isAwaited)

/** Runs `first` in a transaction that stays open until `second` waits for it. */
const whileOpen = <A, E, R, B, E2, R2>(first: Effect.Effect<A, E, R>, second: Effect.Effect<B, E2, R2>) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const isDone = yield* Deferred.make<void>()
    const mayCommit = yield* Deferred.make<void>()
    const one = yield* Effect.fork(
      unit.write(
        Effect.tap(first, () => Effect.zipRight(Deferred.succeed(isDone, undefined), Deferred.await(mayCommit)))
      )
    )
    yield* Deferred.await(isDone)
    const other = yield* Effect.fork(Effect.exit(second))
    yield* lockIsAwaited
    yield* Deferred.succeed(mayCommit, undefined)
    return [yield* Fiber.join(one), yield* Fiber.join(other)] as const
  })

layer(TestEngine, { excludeTestServices: true })("a campaign that is archived", (it) => {
  it.effect("at the moment of a registration takes no lead any more", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertCampaign("Clinics"))
      const [, registered] = yield* me(whileOpen(archive("Clinics"), register("Ana", "Clinics")))
      assert.include(JSON.stringify(registered), "campaign_not_found")
      assert.isEmpty(yield* me(campaignsOfLeads))
    })
  )

  it.effect("after a registration that is not committed yet loses that lead too", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const unit = yield* UnitOfWork
      yield* me(insertCampaign("Clinics"))
      yield* me(whileOpen(register("Ana", "Clinics"), unit.write(archive("Clinics"))))
      assert.deepStrictEqual(yield* me(campaignsOfLeads), [{ name: "Ana", campaign_id: null }])
    })
  )

  it.effect("at the moment of an import has none of its leads", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const unit = yield* UnitOfWork
      const imports = yield* LeadImports
      yield* me(insertCampaign("Clinics"))
      const { job_id } = yield* me(
        unit.write(
          imports.start({
            source: { _tag: "Inline", rows: [{ name: "Bia", email: "bia@client.example" }] },
            status: "Cold",
            campaign: "Clinics",
            preferredChannel: undefined,
            instructions: undefined,
            firstMessageInstructions: undefined,
            background: undefined,
            goal: undefined
          })
        )
      )
      const run = imports.run({
        accountId: caller.accountId,
        jobId: job_id,
        subjectId: undefined,
        attempt: 1,
        setProgress: () => Effect.void,
        checkpoint: Effect.void
      })
      yield* me(whileOpen(archive("Clinics"), run))
      assert.deepStrictEqual(yield* me(campaignsOfLeads), [{ name: "Bia", campaign_id: null }])
    })
  )

  it.effect("says nothing of leads that have not left it yet", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const leads = yield* Leads
      const search = yield* LeadSearch
      const guard = yield* SendGuard
      const unit = yield* UnitOfWork
      const sql = yield* SqlClient
      const campaign_id = yield* me(insertCampaign("Paused", { is_active: false }))
      const lead = yield* me(insertLead({ campaign_id }))
      const look = (leadId: LeadId) =>
        Effect.all({
          profile: me(leads.get(leadId)),
          searched: me(search.search({}, { sort: "date_created", page: 0, pageSize: 20 })),
          paused: me(unit.write(leads.transition(leadId, "resume"))),
          block: unit.write(
            guard.check([{ accountId: caller.accountId, leadId, channel: "email", isAutonomous: true, touchId: null }])
          )
        })
      const inShort = ({
        block,
        searched,
        paused,
        profile
      }: Effect.Effect.Success<ReturnType<typeof look>>): unknown => ({
        profile: [profile.campaign_id, profile.campaign, profile.blocks],
        searched: searched.leads.map((row) => [row.campaign_id, row.campaign]),
        blocks: paused.blocks,
        block: block.map(Option.getOrNull)
      })
      assert.deepStrictEqual(inShort(yield* look(lead)), {
        profile: [campaign_id, "Paused", ["campaign_paused"]],
        searched: [[campaign_id, "Paused"]],
        blocks: ["campaign_paused"],
        block: ["campaign_paused"]
      })
      yield* sql`update campaign set archived_at = instant() where campaign_id = ${campaign_id}`
      assert.deepStrictEqual(inShort(yield* look(lead)), {
        profile: [null, null, []],
        searched: [[null, null]],
        blocks: [],
        block: [null]
      })
    })
  )
})
