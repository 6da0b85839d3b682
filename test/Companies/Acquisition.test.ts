import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { acquireFor, queueAccounts } from "../../src/Layers/Companies/GenerationTasks.ts"
import { LeadGenerationPostgres } from "../../src/Layers/Companies/LeadGenerationPostgres.ts"
import { acquisitionHold, contactOf, shares } from "../../src/Services/Companies/Acquisition.ts"
import type { Company } from "../../src/Services/Companies/Company.ts"
import { CompanyDirectory } from "../../src/Services/Companies/CompanyDirectory.ts"
import { matches } from "../../src/Services/Companies/CompanyFilter.ts"
import { LeadGeneration } from "../../src/Services/Companies/LeadGeneration.ts"
import { sandboxCompany } from "../../src/Services/Companies/SandboxWorld.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { ProspectingConfig } from "../../src/Services/Prospecting/ProspectingConfig.ts"
import { insertCampaign } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { CompanyServices } from "./CompanyServices.ts"

/** The companies of the directory, in order. Each test sets them. */
const world: { companies: ReadonlyArray<Company>; beforePage: Effect.Effect<void> } = {
  companies: [],
  beforePage: Effect.void
}

const ListedCompanies = Layer.succeed(CompanyDirectory, {
  facts: Effect.sync(() => ({
    source: "sandbox" as const,
    edition: "test",
    unknownFields: ["min_annual_revenue" as const]
  })),
  count: (filter) =>
    Effect.sync(() => ({ count: world.companies.filter((one) => matches(filter, one)).length, isExact: true })),
  page: (filter, { after, limit }) =>
    Effect.zipRight(
      Effect.suspend(() => world.beforePage),
      Effect.sync(() => {
        const from = world.companies.findIndex(({ key }) => key === after) + 1
        const matching = world.companies.slice(from).filter((one) => matches(filter, one))
        const companies = matching.slice(0, limit)
        return { companies, next: matching.length > limit ? (companies.at(-1)?.key ?? null) : null }
      })
    ),
  resumeAfter: ({ key }) => key,
  get: (keys) => Effect.sync(() => world.companies.filter(({ key }) => keys.includes(key)))
})

const Services = Layer.fresh(LeadGenerationPostgres).pipe(
  Layer.provide(ListedCompanies),
  Layer.provideMerge(CompanyServices)
)

let companies = 0

/** A company, by default a clinic in São Paulo. */
const makeCompany = (more: Partial<Company> = {}): Company => {
  const number = String(++companies)
  return {
    ...sandboxCompany(2),
    key: number,
    companyKey: number,
    cnae: "8630504",
    state: "SP",
    city: "Campinas",
    country: "BR",
    type: "Private",
    tradeName: `Clínica ${number}`,
    legalName: `Clínica ${number} Ltda`,
    person: `Ana Prado ${number}`,
    email: `ana${number}@clinic${number}.example`,
    phone: null,
    ...more
  }
}

interface LeadRow {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly company: string
  readonly campaignId: number | null
  readonly origin: string
}

const leadsOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<LeadRow>`
    select name, email, phone, company, campaign_id as "campaignId", origin from lead where account_id = ${accountId}
    order by lead_id`
})

/** An account whose targeting is clinics. */
const makeClinicAccount = Effect.gen(function* () {
  const config = yield* ProspectingConfig
  const unit = yield* UnitOfWork
  yield* unit.write(config.setTargeting({ cnae_filter: ["86"] }))
})

const acquire = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const generation = yield* LeadGeneration
  return yield* generation.acquire(accountId)
})

/** As if a day had passed. */
const nextDay = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  yield* sql`update lead_generation_track set taken_on = taken_on - 1 where account_id = ${accountId}`
})

const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>, plan: "free_trial" | "paid" = "free_trial") =>
  Effect.flatMap(makeAccount(plan), (caller) => as(caller)(test)).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        world.companies = []
        world.beforePage = Effect.void
      })
    )
  )

const noticesOf = (kind: string) =>
  Effect.flatMap(Notifications, (notifications) =>
    Effect.map(notifications.pending, (page) => page.notifications.filter((one) => one.kind === kind).length)
  )

layer(Services, { excludeTestServices: true })("the acquisition of leads", (it) => {
  it.effect("companies that match become leads, so many a day and each once", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = [
          makeCompany({ cnae: "4711302" }),
          ...Array.from({ length: 14 }, () => makeCompany()),
          makeCompany({ country: "PT", state: null, cnae: null })
        ]
        yield* makeClinicAccount
        assert.strictEqual(yield* acquire, 10)
        assert.strictEqual(yield* acquire, 0)
        yield* nextDay
        assert.strictEqual(yield* acquire, 4)
        const leads = yield* leadsOf
        assert.strictEqual(leads.length, 14)
        assert.isTrue(leads.every(({ origin }) => origin === "acquired"))
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const [lead] = yield* sql<{ readonly [column: string]: unknown }>`
          select status, pipeline_state, cnae, industry, city, state, country, background,
            next_touch_at is not null as is_scheduled from lead where account_id = ${accountId} order by lead_id limit 1`
        assert.deepStrictEqual(lead, {
          status: "Cold",
          pipeline_state: "in_pipeline",
          cnae: "8630504",
          industry: "Atividade odontológica",
          city: "Campinas",
          state: "SP",
          country: "BR",
          background:
            "Atividade principal: Atividade odontológica. Fica em Campinas, SP. Fundada em 2023. Cerca de 113 pessoas. Razão social: Clínica 2 Ltda.",
          is_scheduled: true
        })
        const [counted] = yield* sql<{ readonly leads: number }>`
          select sum(change)::int as leads from lead_counter where account_id = ${accountId}`
        assert.strictEqual(counted?.leads, 14)
      })
    )
  )

  it.effect("known, blocked, erased and unreachable companies are passed over; a way that is left is taken", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const leads = yield* Leads
        const unit = yield* UnitOfWork
        const existingCompany = makeCompany()
        const erased = makeCompany()
        const [blockedDomain, sameAgain] = [makeCompany({ email: "ana@client.example" }), makeCompany()]
        const erasedCompany = makeCompany({ email: "ana@gone1.example", phone: "+5511988887777" })
        world.companies = [
          existingCompany,
          erased,
          blockedDomain,
          sameAgain,
          makeCompany({ companyKey: sameAgain.companyKey }),
          makeCompany({ email: "ana@gone2.example" }),
          makeCompany({ email: "ana@nomail1.example" }),
          makeCompany({ email: "ana@throwaway1.example" }),
          makeCompany({ email: "nao-responda@clinic.example" }),
          makeCompany({ email: null }),
          erasedCompany
        ]
        const person = {
          name: "Known",
          phone: undefined,
          company: undefined,
          status: "Cold",
          campaign: undefined
        } as const
        yield* unit.write(leads.register({ ...person, email: existingCompany.email ?? "" }))
        const { lead_id } = yield* unit.write(leads.register({ ...person, email: erased.email ?? "" }))
        yield* unit.write(leads.erase(lead_id, undefined))
        yield* sql`insert into blacklist_entry (account_id, kind, value, match, reason)
          values (${accountId}, 'domain', 'client.example', 'whole', 'Client')`
        yield* makeClinicAccount
        assert.strictEqual(yield* acquire, 2)
        const acquiredLeads = (yield* leadsOf).filter(({ origin }) => origin === "acquired")
        assert.deepStrictEqual(
          acquiredLeads.map(({ email, phone }) => [email, phone]),
          [
            [sameAgain.email, null],
            [null, erasedCompany.phone]
          ]
        )
      })
    )
  )

  it.effect("a company whose lead was erased does not come back under another address", () =>
    withAccount(
      Effect.gen(function* () {
        const leads = yield* Leads
        const unit = yield* UnitOfWork
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const company = makeCompany()
        world.companies = [company]
        yield* makeClinicAccount
        assert.strictEqual(yield* acquire, 1)
        const [lead] = yield* sql<{
          readonly id: never
        }>`select lead_id as id from lead where account_id = ${accountId}`
        if (lead === undefined) return assert.fail("no lead")
        yield* unit.write(leads.erase(lead.id, undefined))
        world.companies = [{ ...company, key: "9000001", email: "new@address.example" }]
        yield* sql`update lead_generation_track set resume_after = null, is_at_end = false where account_id = ${accountId}`
        yield* nextDay
        assert.strictEqual(yield* acquire, 0)
        assert.strictEqual((yield* leadsOf).length, 0)
      })
    )
  )

  it.effect("several processes at once take no company twice and no more than the day's", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = Array.from({ length: 80 }, () => makeCompany())
        yield* makeClinicAccount
        const takenCounts = yield* Effect.all(
          Array.from({ length: 5 }, () => acquire),
          { concurrency: 5 }
        )
        const leads = yield* leadsOf
        assert.strictEqual(leads.length, 50)
        assert.strictEqual(
          takenCounts.reduce((sum, one) => sum + one, 0),
          50
        )
        assert.strictEqual(new Set(leads.map(({ email }) => email)).size, 50)
      }),
      "paid"
    )
  )

  it.effect("campaigns share the day; what one cannot use another takes", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = [
          ...Array.from({ length: 3 }, () => makeCompany({ cnae: "6920601" })),
          ...Array.from({ length: 30 }, () => makeCompany())
        ]
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const few = yield* insertCampaign("Accountants", { business_name: "B" })
        const many = yield* insertCampaign("Clinics", { business_name: "B" })
        const off = yield* insertCampaign("Off", { business_name: "B", lead_generation_active: false })
        yield* sql`update campaign set cnae_filter = '{69}' where account_id = ${accountId} and campaign_id = ${few}`
        yield* sql`update campaign set cnae_filter = '{86}' where account_id = ${accountId} and campaign_id in (${many}, ${off})`
        assert.strictEqual(yield* acquire, 10)
        const byCampaign = (yield* leadsOf).map(({ campaignId }) => campaignId)
        assert.deepStrictEqual(
          [few, many, off].map((id) => byCampaign.filter((one) => one === id).length),
          [3, 7, 0]
        )
      })
    )
  )

  it.effect("switched off, it stops before the next companies are taken", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = Array.from({ length: 80 }, () => makeCompany())
        yield* makeClinicAccount
        const caller = yield* Caller
        const config = yield* ProspectingConfig
        let pages = 0
        world.beforePage = Effect.suspend(() =>
          ++pages === 2 ? Effect.orDie(as(caller)(Effect.asVoid(config.setActive(false)))) : Effect.void
        )
        assert.strictEqual(yield* acquire, 25)
        yield* nextDay
        assert.strictEqual(yield* acquire, 0)
      }),
      "paid"
    )
  )

  it.effect("a crash between two steps loses and doubles nothing", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = Array.from({ length: 60 }, () => makeCompany())
        yield* makeClinicAccount
        let pages = 0
        world.beforePage = Effect.suspend(() => (++pages % 2 === 0 ? Effect.dieMessage("ended") : Effect.void))
        for (let attempt = 0; attempt < 4; attempt++) yield* Effect.exit(acquire)
        const leads = yield* leadsOf
        assert.deepStrictEqual(
          leads.map(({ email }) => email),
          world.companies.slice(0, 50).map(({ email }) => email)
        )
      }),
      "paid"
    )
  )

  it.effect("a filter without matches is reported once, and again after it changed", () =>
    withAccount(
      Effect.gen(function* () {
        world.companies = [makeCompany({ cnae: "4711302" })]
        yield* makeClinicAccount
        for (let day = 0; day < 3; day++) {
          yield* acquire
          yield* nextDay
        }
        assert.strictEqual(yield* noticesOf("lead_generation_found_nothing"), 1)
        const config = yield* ProspectingConfig
        yield* config.setTargeting({ cnae_filter: ["01"] })
        yield* acquire
        assert.strictEqual(yield* noticesOf("lead_generation_found_nothing"), 2)
        const { generation } = yield* Effect.flatMap(LeadGeneration, ({ state }) => state)
        assert.deepStrictEqual(
          generation.tracks.map(({ companies_left, companies_matching }) => [companies_matching, companies_left]),
          [[0, 0]]
        )
      })
    )
  )

  it.effect("a domain without an answer is looked up again, and its company is then reached by phone", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const silent = makeCompany({ email: "ana@silent.example", phone: "+5511977776666" })
        world.companies = [silent, makeCompany()]
        yield* makeClinicAccount
        assert.strictEqual(yield* acquire, 1)
        for (let look = 0; look < 3; look++) {
          yield* sql`update deferred_company set retry_at = instant() where account_id = ${accountId}`
          yield* nextDay
          yield* acquire
        }
        const leads = yield* leadsOf
        assert.deepStrictEqual(leads.map(({ email, phone }) => [email, phone])[1], [null, silent.phone])
        const left = yield* sql`select from deferred_company where account_id = ${accountId}`
        assert.strictEqual(left.length, 0)
      })
    )
  )

  it.effect("accounts that say which companies they want are worked, and rest until the next morning", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        const queued = sql<{ readonly key: string }>`
          select key from graphile_worker.jobs where key = ${`acquire_leads:${accountId}`}`
        yield* queueAccounts
        assert.strictEqual((yield* queued).length, 0)
        world.companies = [makeCompany()]
        yield* makeClinicAccount
        yield* queueAccounts
        assert.strictEqual((yield* queued).length, 1)
        yield* acquireFor(accountId)
        const [run] = yield* sql<{ readonly isLater: boolean }>`
          select next_at > instant() + interval '2 hours' as "isLater" from lead_generation_run where account_id = ${accountId}`
        assert.isDefined(run)
      })
    )
  )
})

layer(Layer.empty)("whether companies are acquired", (it) => {
  const open = {
    isProspectingActive: true,
    isEligible: true,
    mode: "Active",
    isCampaignActive: true,
    isGenerationActive: true,
    hasTargeting: true,
    wouldReachStrangers: false
  } as const

  it("each switch holds it", () => {
    assert.isUndefined(acquisitionHold(open))
    assert.deepStrictEqual(
      [
        { ...open, isProspectingActive: false },
        { ...open, isEligible: false },
        { ...open, mode: "Passive" as const },
        { ...open, isCampaignActive: false },
        { ...open, isGenerationActive: false },
        { ...open, hasTargeting: false },
        { ...open, wouldReachStrangers: true }
      ].map(acquisitionHold),
      [
        "prospecting_off",
        "not_eligible",
        "passive_mode",
        "campaign_paused",
        "generation_off",
        "no_targeting",
        "sandbox_companies"
      ]
    )
  })

  it("shares never exceed the quota, use it whole, and differ by one at most", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.array(
          fc.record({ takenToday: fc.integer({ min: 0, max: 30 }), takenInAll: fc.integer({ min: 0, max: 900 }) }),
          {
            minLength: 1,
            maxLength: 9
          }
        ),
        (quota, tracks) => {
          const takenCount = tracks.reduce((sum, { takenToday }) => sum + takenToday, 0)
          const shareSums = [
            ...shares(
              quota,
              tracks.map((track, key) => ({ ...track, key }))
            ).values()
          ]
          assert.strictEqual(
            shareSums.reduce((sum, one) => sum + one, 0),
            Math.max(0, quota - takenCount)
          )
          assert.isAtMost(Math.max(...shareSums) - Math.min(...shareSums), 1)
        }
      )
    )
  })

  it("no way left makes no lead", () => {
    const company = makeCompany({ phone: null })
    assert.isUndefined(contactOf(company, "role"))
    assert.isDefined(contactOf(company, undefined))
  })
})
