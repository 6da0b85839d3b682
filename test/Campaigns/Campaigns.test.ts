import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { returnArchivedCampaignLeadsHandler } from "../../src/Layers/Campaigns/ArchivedCampaignLeads.ts"
import { CampaignLookupPostgres } from "../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { CampaignsPostgres } from "../../src/Layers/Campaigns/CampaignsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { Campaigns } from "../../src/Services/Campaigns/Campaigns.ts"
import type { CampaignId } from "../../src/Services/Campaigns/Ids.ts"
import type { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { Changes } from "../../src/Services/Core/Changes.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { CampaignSettings } from "../../src/Services/Prospecting/CampaignSettings.ts"
import { eventually, Queue, tasksNamed } from "../Jobs/support.ts"
import { createLeads } from "../support/checks/CountedLeads.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { bareCampaign } from "../support/ProspectingFixtures.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const TestLayer = CampaignsPostgres.pipe(
  Layer.provideMerge(Layer.mergeAll(CampaignLookupPostgres, NotificationsPostgres)),
  Layer.provideMerge(Queue)
)

const make = (name: string, settings: Changes<CampaignSettings> = {}) =>
  Effect.flatMap(Campaigns, (campaigns) => campaigns.create({ ...settings, name, business_name: "Ondas" }))

/** Adds identical numbered leads to the caller's account. Returns their ids. */
const addLeads = (
  { accountId }: Caller["Type"],
  count: number,
  fields: {
    readonly campaignId?: CampaignId
    readonly status?: string
    readonly state?: string
    readonly contacted?: boolean
    readonly replied?: boolean
  } = {}
) =>
  Effect.flatMap(SqlClient, (sql) =>
    createLeads(sql`
      insert into lead (account_id, name, status, pipeline_state, campaign_id, last_outbound_at, last_inbound_at)
      select ${accountId}, 'Lead ' || n, ${fields.status ?? "Cold"}, ${fields.state ?? "in_pipeline"},
        ${fields.campaignId ?? null}::bigint, case when ${fields.contacted ?? false} then now() end,
        case when ${fields.replied ?? false} then now() end
      from generate_series(1, ${count}) n`)
  ).pipe(
    Effect.map((rows) => rows.map(({ lead_id }) => LeadId.make(lead_id))),
    Effect.orDie
  )

const campaignOf = (leadId: number | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly campaign_id: number | null }>`
      select campaign_id from lead where lead_id = ${leadId ?? 0}`
    return rows[0]?.campaign_id
  })

layer(TestLayer, { excludeTestServices: true })("Campaigns", (it) => {
  it.effect("a new campaign has the given settings, and none of the account's", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaigns = yield* Campaigns
      const bare = yield* me(make("Bare"))
      const { campaign_id, created_at } = bare
      assert.deepStrictEqual(bare, { ...bareCampaign, name: "Bare", business_name: "Ondas", campaign_id, created_at })
      const full = yield* me(
        make("Full", {
          cnae_filter: ["62", "6311900"],
          min_employee_count: 5,
          min_annual_revenue: 1234.56,
          min_founding_date: "2001-02-03",
          goal: "A call",
          voice_calling_active: true
        })
      )
      assert.deepInclude(full, {
        cnae_filter: ["62", "6311900"],
        min_employee_count: 5,
        min_annual_revenue: 1234.56,
        min_founding_date: "2001-02-03",
        goal: "A call",
        voice_calling_active: true
      })
      assert.deepStrictEqual(yield* me(campaigns.get("full")), full)
      assert.deepStrictEqual(yield* me(campaigns.get(`${full.campaign_id}`)), full)
    })
  )

  it.effect("a name is taken whatever its case and accents, in the same account only", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const other = as(yield* makeAccount())
      yield* me(make("Clínicas"))
      for (const name of ["Clínicas", "CLINICAS", "clini\u0301cas"]) {
        const failure = yield* Effect.flip(me(make(name)))
        assert.deepInclude(failure, { _tag: "Refused", reason: "campaign_name_taken", fields: { name } })
      }
      yield* other(make("Clínicas"))
    })
  )

  it.effect("an update changes only what it is given, and null clears", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaigns = yield* Campaigns
      const before = yield* me(make("A", { goal: "A call", uf_filter: ["SP"], voice_calling_active: false }))
      const after = yield* me(campaigns.update("A", { uf_filter: ["RJ", "MG"], goal: undefined, icp: "Clinics" }))
      assert.deepStrictEqual(after, { ...before, uf_filter: ["RJ", "MG"], icp: "Clinics" })
      const cleared = yield* me(
        campaigns.update("A", { uf_filter: [], goal: null, icp: null, voice_calling_active: null })
      )
      assert.deepStrictEqual(cleared, { ...before, uf_filter: [], goal: null, voice_calling_active: null })
      assert.deepStrictEqual(yield* me(campaigns.update("A", {})), cleared)
    })
  )

  it.effect("a minimum above the stored maximum is refused and nothing changes", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaigns = yield* Campaigns
      const before = yield* me(make("A", { max_employee_count: 50, max_founding_date: "2010-01-01" }))
      const employees = yield* Effect.flip(me(campaigns.update("A", { min_employee_count: 51, goal: "lost" })))
      assert.deepInclude(employees, {
        _tag: "Refused",
        reason: "minimum_above_maximum",
        fields: { parameters: ["min_employee_count", "max_employee_count"] }
      })
      const dates = yield* Effect.flip(me(campaigns.update("A", { min_founding_date: "2010-01-02" })))
      assert.deepInclude(dates, { fields: { parameters: ["min_founding_date", "max_founding_date"] } })
      assert.deepStrictEqual(yield* me(campaigns.get("A")), before)
      const both = yield* me(campaigns.update("A", { min_employee_count: 51, max_employee_count: null }))
      assert.deepInclude(both, { min_employee_count: 51, max_employee_count: null })
    })
  )

  it.effect("pausing and resuming again change nothing", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaigns = yield* Campaigns
      const { campaign_id } = yield* me(make("A"))
      const answer = { campaign_id, name: "A" }
      assert.deepStrictEqual(yield* me(campaigns.setActive("A", false)), { ...answer, is_active: false, changed: true })
      assert.deepStrictEqual(yield* me(campaigns.setActive("A", false)), {
        ...answer,
        is_active: false,
        changed: false
      })
      assert.deepStrictEqual(yield* me(campaigns.setActive("A", true)), { ...answer, is_active: true, changed: true })
    })
  )

  it.effect("a campaign can be renamed to another spelling of its name, not to another's", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaigns = yield* Campaigns
      const { campaign_id } = yield* me(make("Clinicas"))
      yield* me(make("Padarias"))
      const failure = yield* Effect.flip(me(campaigns.rename("Clinicas", "PADARIAS")))
      assert.deepInclude(failure, { _tag: "Refused", reason: "campaign_name_taken", fields: { name: "PADARIAS" } })
      assert.deepStrictEqual(yield* me(campaigns.rename("clinicas", "Clínicas")), {
        campaign_id,
        name: "Clínicas",
        previous_name: "Clinicas",
        changed: true
      })
      assert.isFalse((yield* me(campaigns.rename("Clínicas", "Clínicas"))).changed)
    })
  )

  it.effect("a list is newest first and counts the leads of each", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const first = yield* me(make("First"))
      yield* me(make("Second"))
      yield* me(make("Third"))
      yield* addLeads(caller, 3, { campaignId: first.campaign_id })
      yield* addLeads(caller, 4)
      const page = yield* me(campaigns.list({ page: 0, pageSize: 2 }))
      assert.deepStrictEqual(
        page.campaigns.map(({ name }) => name),
        ["Third", "Second"]
      )
      assert.strictEqual(page.total, 3)
      const next = yield* me(campaigns.list({ page: 1, pageSize: 2 }))
      assert.deepStrictEqual(
        next.campaigns.map(({ lead_count, name }) => ({ lead_count, name })),
        [{ lead_count: 3, name: "First" }]
      )
      assert.strictEqual((yield* me(campaigns.get("First"))).lead_count, 3)
    })
  )

  it.effect("a comparison shows both with their leads", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const a = yield* me(make("A", { goal: "A call" }))
      const b = yield* me(make("B"))
      const campaignId = a.campaign_id
      yield* addLeads(caller, 2, { campaignId, contacted: true })
      yield* addLeads(caller, 1, { campaignId, status: "Interested", contacted: true, replied: true })
      // It wrote first, which is no reply.
      yield* addLeads(caller, 1, { campaignId, replied: true, state: "pending_review" })
      const sql = yield* SqlClient
      const [first] = yield* sql<{ readonly id: number }>`
        select lead_id as id from lead where account_id = ${caller.accountId} and campaign_id = ${campaignId}
        order by lead_id limit 1`
      const inA = first?.id ?? 0
      yield* sql`update lead set final_outcome = 'won', pipeline_state = 'finished', next_touch_at = null
        where account_id = ${caller.accountId} and lead_id = ${inA}`
      for (const value of [900, 1200.5]) {
        yield* sql`
          insert into lead_lifecycle_event (account_id, lead_id, event_type, actor, from_state, to_state, data)
          values (${caller.accountId}, ${inA}, 'outcome_won', 'owner', 'finished', 'finished',
            ${JSON.stringify({ deal_value_brl: value })}::jsonb)`
      }
      for (const status of ["held", "cancelled"]) {
        yield* sql`
          insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through, status, cancelled_at)
          values (${caller.accountId}, ${inA}, 'Call', instant(), instant() + interval '1 hour', 'conversation', ${status},
            ${status === "cancelled" ? "2026-01-01T00:00:00Z" : null})`
      }
      const compared = yield* me(campaigns.compare("a", `${b.campaign_id}`))
      // A later value corrects an earlier one, and a cancelled meeting does not count.
      assert.deepInclude(compared.campaign_a.leads, { meetings: 1, won: 1, won_value_brl: 1200.5 })
      assert.deepInclude(compared.campaign_b.leads, { meetings: 0, won: 0, won_value_brl: 0 })
      assert.deepStrictEqual(compared.differing_fields, ["goal"])
      assert.deepStrictEqual(compared.campaign_a.configuration, { ...a, lead_count: 4 })
      assert.deepInclude(compared.campaign_a.leads, {
        total: 4,
        contacted: 3,
        replied: 1,
        interested: 1,
        reply_rate_pct: 33.3
      })
      assert.deepInclude(compared.campaign_a.leads.by_pipeline_state, { in_pipeline: 3, pending_review: 1 })
      assert.deepStrictEqual(compared.campaign_b.configuration, b)
      assert.deepInclude(compared.campaign_b.leads, { total: 0, reply_rate_pct: null })
      const same = yield* Effect.flip(me(campaigns.compare("A", `${campaignId}`)))
      assert.deepInclude(same, { _tag: "Refused", reason: "same_campaign" })
    })
  )

  it.effect("leads are moved, found there already, or not found", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const from = yield* me(make("From"))
      const to = yield* me(make("To"))
      const inDefault = yield* addLeads(caller, 1)
      const inFrom = yield* addLeads(caller, 1, { campaignId: from.campaign_id })
      const inTo = yield* addLeads(caller, 1, { campaignId: to.campaign_id })
      const foreign = yield* addLeads(yield* makeAccount(), 1)
      const unused = LeadId.make(987_654_321)
      const moved = yield* me(campaigns.moveLeads([unused, ...inTo, ...inFrom, ...foreign, ...inDefault], "to"))
      assert.deepStrictEqual(moved, {
        campaign_id: to.campaign_id,
        campaign: "To",
        moved_lead_ids: [...inFrom, ...inDefault],
        unchanged_lead_ids: inTo,
        not_found_lead_ids: [unused, ...foreign]
      })
      assert.strictEqual(yield* campaignOf(inDefault[0]), to.campaign_id)
      assert.isNull(yield* campaignOf(foreign[0]))
      assert.strictEqual((yield* me(campaigns.get("From"))).lead_count, 0)
      assert.strictEqual((yield* me(campaigns.get("To"))).lead_count, 3)
    })
  )

  it.effect("leads are taken out by an empty campaign", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const from = yield* me(make("From"))
      const inFrom = yield* addLeads(caller, 2, { campaignId: from.campaign_id })
      const inDefault = yield* addLeads(caller, 1)
      const moved = yield* me(campaigns.moveLeads([...inFrom, ...inDefault], ""))
      assert.deepStrictEqual(moved, {
        campaign_id: null,
        campaign: null,
        moved_lead_ids: inFrom,
        unchanged_lead_ids: inDefault,
        not_found_lead_ids: []
      })
      assert.isNull(yield* campaignOf(inFrom[0]))
      assert.strictEqual((yield* me(campaigns.get("From"))).lead_count, 0)
    })
  )

  it.effect("archiving a paused one says how many leads are contacted next", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const paused = yield* me(make("Paused"))
      const active = yield* me(make("Active"))
      for (const { campaign_id } of [paused, active]) {
        const [later, held] = yield* addLeads(caller, 5, { campaignId: campaign_id })
        yield* sql`
          update lead set pipeline_state = 'in_pipeline', next_touch_at = instant() where campaign_id = ${campaign_id}`
        yield* sql`update lead set next_touch_at = instant() + interval '1 day' where lead_id = ${later ?? 0}`
        yield* sql`update lead set paused_at = instant() where lead_id = ${held ?? 0}`
      }
      yield* sql`update account set is_prospecting_active = true where account_id = ${caller.accountId}`
      yield* me(campaigns.setActive("Paused", false))
      assert.deepInclude(yield* me(campaigns.archive("Active")), { was_paused: false, leads_contacted_next: 0 })
      assert.deepInclude(yield* me(campaigns.archive("Paused")), {
        was_paused: true,
        leads_returned: 5,
        leads_contacted_next: 3
      })
    })
  )

  it.effect("archiving frees the name, drops the links and leaves one notification", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const notifications = yield* Notifications
      const { campaign_id } = yield* me(make("Old"))
      const leads = yield* addLeads(caller, 3, { campaignId: campaign_id })
      const archived = yield* me(campaigns.archive("old"))
      assert.deepInclude(archived, { campaign_id, name: "Old", leads_returned: 3, leads_remaining: 0 })
      assert.isNull(yield* campaignOf(leads[0]))
      const pendingNotifications = yield* me(notifications.pending)
      assert.deepStrictEqual(
        pendingNotifications.notifications.map(({ data, kind }) => ({ data, kind })),
        [{ kind: "campaign_archived", data: { campaign_id, leads: 3 } }]
      )
      assert.deepStrictEqual(yield* me(campaigns.list({ page: 0, pageSize: 10 })), { campaigns: [], total: 0 })
      for (const attempt of [
        campaigns.get("Old"),
        campaigns.get(`${campaign_id}`),
        campaigns.archive("Old"),
        campaigns.setActive("Old", true),
        campaigns.update("Old", { goal: "x" }),
        campaigns.rename("Old", "New"),
        campaigns.moveLeads(leads, "Old")
      ]) {
        assert.strictEqual(
          (yield* Effect.flip(me<unknown, { readonly _tag: string }, Caller>(attempt)))._tag,
          "NotFound"
        )
      }
      assert.notStrictEqual((yield* me(make("Old"))).campaign_id, campaign_id)
    })
  )

  it.effect("the leads of a large campaign follow in the background", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const unit = yield* UnitOfWork
      const { campaign_id } = yield* me(make("Large"))
      const { campaign_id: activeId } = yield* me(make("Kept"))
      yield* addLeads(caller, 5001, { campaignId: campaign_id })
      yield* addLeads(caller, 2, { campaignId: activeId })
      const archived = yield* me(unit.write(campaigns.archive("Large")))
      assert.deepInclude(archived, { leads_returned: 5000, leads_remaining: 1 })
      const tasks = yield* tasksNamed("return_archived_campaign_leads")
      assert.deepStrictEqual(
        tasks.map(({ payload }) => payload),
        [{ accountId: caller.accountId, campaignId: campaign_id }]
      )
      for (const { payload } of tasks) {
        yield* returnArchivedCampaignLeadsHandler.run(payload, { id: "1", attempt: 1, maxAttempts: 1 })
      }
      const sql = yield* SqlClient
      const left = yield* sql`
        select campaign_id, count(*) as leads from lead where account_id = ${caller.accountId} group by 1 order by 1`
      assert.deepStrictEqual(left, [
        { campaign_id: activeId, leads: 2 },
        { campaign_id: null, leads: 5001 }
      ])
    })
  )

  it.effect("an archive that is rolled back leaves everything as it was", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const unit = yield* UnitOfWork
      const before = yield* me(make("A"))
      const leads = yield* addLeads(caller, 1, { campaignId: before.campaign_id })
      yield* Effect.flip(me(unit.write(Effect.zipRight(campaigns.archive("A"), Effect.fail("stop")))))
      assert.strictEqual(yield* campaignOf(leads[0]), before.campaign_id)
      assert.strictEqual((yield* me(campaigns.get("A"))).lead_count, 1)
    })
  )

  it.effect("an archive waits for leads that are on their way into the campaign", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaigns = yield* Campaigns
      const unit = yield* UnitOfWork
      const leads = yield* addLeads(caller, 1)
      yield* me(make("A"))
      const moved = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const move = yield* Effect.fork(
        me(
          unit.write(
            campaigns.moveLeads(leads, "A").pipe(
              Effect.tap(() => Deferred.succeed(moved, undefined)),
              Effect.tap(() => Deferred.await(mayCommit))
            )
          )
        )
      )
      yield* Deferred.await(moved)
      const archive = yield* Effect.fork(me(unit.write(campaigns.archive("A"))))
      const hasEnded = Effect.map(Fiber.poll(archive), Option.isSome)
      yield* eventually(
        Effect.zipWith(isLockAwaited, hasEnded, (blocked, ended) => blocked || ended),
        (is) => is
      )
      yield* Deferred.succeed(mayCommit, undefined)
      assert.deepInclude(yield* Fiber.join(move), { moved_lead_ids: leads })
      assert.deepInclude(yield* Fiber.join(archive), { leads_returned: 1 })
      assert.isNull(yield* campaignOf(leads[0]))
    })
  )

  it.effect("campaigns of other accounts do not exist, by name or by id", () =>
    Effect.gen(function* () {
      const campaigns = yield* Campaigns
      const owner = yield* makeAccount()
      const stranger = yield* makeAccount()
      const mine = yield* as(owner)(make("Mine"))
      yield* as(stranger)(make("Theirs"))
      const id = `${mine.campaign_id}`
      for (const attempt of [
        campaigns.get("Mine"),
        campaigns.get(id),
        campaigns.compare("Theirs", id),
        campaigns.update(id, { goal: "stolen" }),
        campaigns.setActive(id, false),
        campaigns.rename(id, "Stolen"),
        campaigns.archive(id),
        campaigns.moveLeads([], id)
      ]) {
        const failure = yield* Effect.flip(as(stranger)<unknown, { readonly _tag: string }, Caller>(attempt))
        assert.strictEqual(failure._tag, "NotFound")
      }
      const foreign = yield* Effect.flip(as(stranger)(campaigns.get(id)))
      const unused = yield* Effect.flip(as(stranger)(campaigns.get("987654321")))
      assert.strictEqual(JSON.stringify(foreign).replaceAll(id, "987654321"), JSON.stringify(unused))
      assert.deepStrictEqual(yield* as(owner)(campaigns.get("Mine")), mine)
    })
  )

  it.effect("are refused beyond a number, archived ones making room", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      yield* sql`insert into campaign (account_id, name) select ${caller.accountId}, 'C' || n from generate_series(1, 999) n`
      yield* me(make("The last"))
      const refusal = yield* Effect.flip(me(make("One more")))
      assert.deepInclude(refusal, { _tag: "Refused", reason: "too_many_campaigns" })
      yield* sql`update campaign set archived_at = now() where account_id = ${caller.accountId} and name = 'C1'`
      yield* me(make("One more"))
      yield* sql`insert into campaign (account_id, name, archived_at)
        select ${caller.accountId}, 'D' || n, now() from generate_series(1, 9000) n`
      yield* sql`update campaign set archived_at = now() where account_id = ${caller.accountId} and name = 'C2'`
      assert.deepInclude(yield* Effect.flip(me(make("Another"))), { reason: "too_many_campaigns" })
    })
  )
})
