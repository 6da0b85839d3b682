import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Effect, Exit, Layer, Logger, LogLevel } from "effect"
import { CampaignLookupPostgres } from "../../src/Layers/Campaigns/CampaignLookupPostgres.ts"
import { ModelOutagesPostgres } from "../../src/Layers/Models/ModelOutagesPostgres.ts"
import { claimTouches } from "../../src/Layers/Outreach/ClaimTouches.ts"
import { TaskQueuePostgres } from "../../src/Layers/Platform/Jobs/TaskQueue.ts"
import { ReportsPostgres } from "../../src/Layers/Reports/ReportsPostgres.ts"
import {
  characterOf,
  defaultReactionShare,
  makeReactionQuota
} from "../../src/Layers/Sample/People/ProspectCharacter.ts"
import { makeSampleHistory, type SampleHistory } from "../../src/Layers/Sample/SampleHistory.ts"
import { makeSeededRandom } from "../../src/Layers/Simulated/SeededRandom.ts"
import type { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { sandboxCompanies, sandboxCompany } from "../../src/Services/Companies/SandboxWorld.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { nextInWindow } from "../../src/Services/Core/LocalTime.ts"
import { Reports } from "../../src/Services/Reports/Reports.ts"
import { isForeign } from "../../src/Services/Text/Language.ts"
import { languageOfLead } from "../../src/Services/Text/LeadLanguage.ts"
import { leadZoneOf } from "../../src/Services/Zones/LeadZone.ts"
import { at } from "../Reports/at.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { isWholeRun } from "../support/processes/WholeRun.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { type Ledger, ledgerOf, storyOf } from "./HistoryLedger.ts"
import { reportRecords } from "./ReportRecords.ts"
import { assertDigestsAgree } from "./recomputedDigest.ts"
import { assertReportsAgree } from "./recomputedReports.ts"

const end = Date.parse("2026-03-05T15:30:00Z")
const instantOf = (millis: number) => new Date(millis).toISOString().replace("Z", "000")

const perDay = 1
const wholeSize = { days: 60, workedLeads: 40, waitingLeads: 6, acquiredPerDay: perDay }
const size = isWholeRun ? wholeSize : { days: 24, workedLeads: 16, waitingLeads: 6, acquiredPerDay: perDay }
/** A seed with a meeting. */
const seed = isWholeRun ? 7 : 29
/** The size of the history that is made twice. */
const twiceSize = isWholeRun ? wholeSize : { days: 10, workedLeads: 5, waitingLeads: 3, acquiredPerDay: perDay }
const { days } = size

/** The size of a history that fails. */
const few = { days: 7, workedLeads: 3, waitingLeads: 3 }

/** A history in a separate database, and what it left there. */
interface Lived extends SampleHistory {
  readonly ledger: Ledger
}
class One extends Context.Tag("One")<One, Lived>() {}

/** The share of the small history's people who answer. */
const answeringShare = 0.45

const live = (lifeSize: typeof size, ofSeed = seed) =>
  Effect.gen(function* () {
    const history = yield* makeSampleHistory({ seed: ofSeed, end, size: lifeSize, share: answeringShare })
    return { ...history, ledger: yield* ledgerOf(history.accountId) }
  }).pipe(Effect.orDie)

const World = Layer.merge(TaskQueuePostgres, ModelOutagesPostgres).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(Layer.mergeAll(TestSettings, NodeContext.layer, Logger.minimumLogLevel(LogLevel.None)))
)
const WorldWithReports = Layer.provide(ReportsPostgres, CampaignLookupPostgres).pipe(Layer.provideMerge(World))
const TestLayer = Layer.effect(One, live(size)).pipe(Layer.provideMerge(WorldWithReports))

/** A history of another seed. */
const otherSeed = 11

/** Every report is recomputed, as of the end of the history. */
const reportsAgree = (accountId: AccountId) =>
  Effect.gen(function* () {
    const records = yield* reportRecords(accountId)
    yield* assertReportsAgree(records, end)
    yield* assertDigestsAgree(records, end)
  }).pipe(at(end), Effect.provideService(Caller, Caller.forTask(accountId, "paid", "history")))

const outbound = ({ messages }: Ledger) =>
  messages.flatMap(({ at, ...message }) =>
    message.direction === "outbound" && at !== null ? [{ ...message, at }] : []
  )

layer(TestLayer, { excludeTestServices: true })("a small history", (it) => {
  it.effect("has something in every list, and no failed task", () =>
    Effect.gen(function* () {
      const { failedTasks, ledger } = yield* One
      assert.deepStrictEqual(failedTasks, [])
      const kinds = new Set(ledger.messages.map(({ channel, direction }) => `${channel} ${direction}`))
      for (const kind of ["email outbound", "email inbound", "chatapp outbound", "voice outbound"]) {
        assert.include(kinds, kind)
      }
      assert.isAbove(outbound(ledger).length, 100)
      assert.isAbove(ledger.meetings.length, 0)
      const sql = yield* SqlClient
      const atCrm = yield* sql<{ readonly state: string }>`select distinct state from crm_lead`
      assert.deepStrictEqual(atCrm, [{ state: "synced" }])
      const eventTypes = new Set(ledger.events.map(({ type }) => type))
      for (const type of ["import_finished", "lead_replied_email", "lead_confirmed", "voice_call_finished"]) {
        assert.include(eventTypes, type)
      }
      // Some leads still wait for their first contact.
      assert.lengthOf(
        ledger.leads.filter(
          ({ lastOutboundAt, origin, pipelineState }) =>
            origin !== "acquired" && lastOutboundAt === null && pipelineState === "in_pipeline"
        ),
        size.waitingLeads
      )
    })
  )

  it.effect("writes to each lead in the language of its country, and in no other", () =>
    Effect.gen(function* () {
      const { ledger } = yield* One
      const leads = new Map(ledger.leads.map((lead) => [lead.leadId, lead]))
      const languages = new Set<string>()
      for (const { channel, lead, leadId, text, type } of outbound(ledger)) {
        const contactedLead = leads.get(leadId)
        if (contactedLead === undefined || type === null || channel === "voice") continue
        const language = languageOfLead({ ...contactedLead, language: null }, "pt-BR")
        for (const paragraph of text.split(/\n{2,}/)) assert.isFalse(isForeign(paragraph, language), `${lead}: ${text}`)
        languages.add(language)
      }
      assert.deepStrictEqual([...languages].sort(), ["en", "es", "pt-BR"])
    })
  )

  it("is answered as real outreach is, in each campaign", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = makeSeededRandom(seed)
      const reacts = makeReactionQuota(random, defaultReactionShare)
      for (const [campaign, size] of [26, 34, 78, 132, 600].entries()) {
        const people = Array.from({ length: size }, (_, index) =>
          characterOf(random, `${index}@x${campaign}.example`, {
            isReferred: false,
            language: "en",
            reacts: () => reacts(campaign),
            share: defaultReactionShare
          })
        )
        const answering = people.filter(({ reaction }) => reaction?.with._tag === "Answer").length
        assert.isTrue(answering >= size * 0.05 && answering <= size * 0.12, `${answering} of ${size}, seed ${seed}`)
      }
    }
  })

  it.effect("has in each campaign as many leads that wrote as its share says", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, ledger } = yield* One
      const leads = yield* sql<{ readonly leadId: number; readonly campaignId: number | null }>`
        select lead_id as "leadId", campaign_id as "campaignId" from lead
        where account_id = ${accountId} and referred_by_lead_id is null`
      const leadsWith = (direction: "inbound" | "outbound") =>
        new Set(
          ledger.messages
            .filter((message) => message.direction === direction && message.at !== null && !message.isMachine)
            .map(({ leadId }) => leadId)
        )
      const [contacted, writing] = [leadsWith("outbound"), leadsWith("inbound")]
      const counts = [...new Set(leads.map(({ campaignId }) => campaignId))].map((campaignId) => {
        const ids = leads.filter((lead) => lead.campaignId === campaignId).map(({ leadId }) => leadId)
        return {
          contacted: ids.filter((id) => contacted.has(id)).length,
          wrote: ids.filter((id) => contacted.has(id) && writing.has(id)).length
        }
      })
      // One person of each run of people answers. The last message to some of them is still to come.
      for (const { contacted: people, wrote } of counts) {
        assert.isAtMost(wrote, Math.ceil(people * answeringShare), `${wrote} of ${people}`)
      }
      const sum = (of: "contacted" | "wrote") => counts.reduce((total, each) => total + each[of], 0)
      assert.isAtLeast(sum("wrote"), Math.floor((sum("contacted") * answeringShare) / 2), JSON.stringify(counts))
    })
  )

  it.effect("has only leads as guests of the scheduler, who booked while the history ran", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const guests = yield* sql<{ readonly isLead: boolean; readonly bookedAt: string; readonly hasMeeting: boolean }>`
        select b.created_at as "bookedAt", exists (select from lead l where l.account_id = b.account_id
            and l.lead_id = s.lead_id and l.email = b.body ->> 'email' and l.name = b.body ->> 'name') as "isLead",
          s.meeting_id is not null as "hasMeeting"
        from sandbox_scheduler_booking b
          left join scheduler_booking s on s.account_id = b.account_id and s.invitee_id = b.invitee_id
        where b.account_id = ${accountId}`
      assert.isTrue(guests.every(({ hasMeeting, isLead }) => isLead && hasMeeting))
      // A small history has few meetings. Whether one of them is booked at the scheduler is chance.
      assert.isTrue(!isWholeRun || guests.some(({ bookedAt }) => Date.parse(bookedAt) < end - 86_400_000))
      const links = yield* sql`
        select from email_message where account_id = ${accountId} and direction = 'outbound'
          and body_text like '%/sandbox/scheduler/%'`
      assert.isNotEmpty(links)
    })
  )

  it.effect("lies between its beginning and its end, in order", () =>
    Effect.gen(function* () {
      const { ledger } = yield* One
      const [first, last] = [instantOf(end - days * 86_400_000), instantOf(end)]
      const isOrdered = (instants: ReadonlyArray<string>) =>
        instants.every((instant, index) => instant >= (instants[index - 1] ?? first) && instant <= last)
      assert.isTrue(isOrdered(ledger.events.map(({ at }) => at)), "events")
      assert.isTrue(isOrdered(ledger.entries.map(({ at }) => at)), "lifecycle")
      assert.isTrue(isOrdered(ledger.messages.flatMap(({ at }) => at ?? [])), "messages")
    })
  )

  it.effect("sends nothing before it was decided on and written", () =>
    Effect.gen(function* () {
      for (const { at, createdAt, decidedAt, lead, sendingAt } of outbound((yield* One).ledger)) {
        assert.isNotNull(sendingAt, lead)
        assert.isTrue(
          (decidedAt ?? createdAt) <= createdAt && createdAt <= (sendingAt ?? "") && (sendingAt ?? "") <= at,
          lead
        )
      }
    })
  )

  it.effect("approaches leads within the hours of their own time zone", () =>
    Effect.gen(function* () {
      const { ledger } = yield* One
      const leads = new Map(ledger.leads.map((lead) => [lead.leadId, lead]))
      for (const { at, leadId, type } of outbound(ledger)) {
        const lead = leads.get(leadId)
        if (lead === undefined || (type !== "first_contact" && type !== "follow_up")) continue
        const millis = Date.parse(`${at}Z`)
        const zone = leadZoneOf(lead, { timeZone: "America/Sao_Paulo" }).zone
        assert.strictEqual(nextInWindow(millis, zone, { startHour: 8, endHour: 18 }), millis, `${lead.lead} at ${at}`)
      }
    })
  )

  it.effect("contacts no lead outside the pipeline by itself, and none that unsubscribed", () =>
    Effect.gen(function* () {
      const { ledger } = yield* One
      for (const { at, isNotice, lead, leadId, type } of outbound(ledger)) {
        const messageLead = ledger.leads.find((one) => one.leadId === leadId)
        assert.isTrue(at <= (messageLead?.unsubscribedAt ?? at), `${lead} after unsubscribing`)
        if (type === "user_written") continue
        const before = ledger.entries.filter((entry) => entry.leadId === leadId && entry.at < at)
        // A lead with a meeting gets notices, even if the owner took it over.
        const allowed = isNotice ? ["in_pipeline", "user_controlled"] : ["in_pipeline"]
        assert.include(allowed, before.at(-1)?.to, `${lead} at ${at}`)
      }
      const unsubscribedLeads = ledger.leads.filter(({ unsubscribedAt }) => unsubscribedAt !== null)
      // A small history has few people who opt out.
      assert.isTrue(!isWholeRun || unsubscribedLeads.length > 0)
      assert.isTrue(unsubscribedLeads.every(({ pipelineState }) => pipelineState === "finished"))
    })
  )

  it.effect("agrees with itself: leads, messages and lifecycle", () =>
    Effect.gen(function* () {
      const { ledger } = yield* One
      for (const lead of ledger.leads) {
        const leadMessages = ledger.messages.filter(({ at, leadId }) => leadId === lead.leadId && at !== null)
        const sent = leadMessages.filter(({ direction }) => direction === "outbound").map(({ at }) => at)
        assert.strictEqual(lead.lastOutboundAt, sent.at(-1) ?? null, lead.lead)
        const replies = leadMessages.filter(({ direction, isMachine }) => direction === "inbound" && !isMachine)
        const lastReplyAt = replies.map(({ at }) => at).at(-1)
        assert.isTrue(
          lastReplyAt === undefined || (lastReplyAt !== null && lastReplyAt <= (lead.lastInboundAt ?? "")),
          lead.lead
        )
        const entries = ledger.entries.filter(({ leadId }) => leadId === lead.leadId)
        assert.strictEqual(entries.at(-1)?.to, lead.pipelineState, lead.lead)
        // Each entry begins in the state in which the previous one ended.
        for (const [index, { from }] of entries.entries()) {
          if (index > 0) assert.strictEqual(from, entries[index - 1]?.to, lead.lead)
        }
      }
    })
  )

  it.effect("leaves nothing half done, and what is to come to the gateways", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const open = yield* sql<{ readonly what: string }>`
        select 'email' as what from email_message where account_id = ${accountId} and status in ('queued', 'sending')
        union all
        select 'chat' from chatapp_message where account_id = ${accountId} and status = 'sending'
        union all
        select 'touch' from touch where account_id = ${accountId} and status = 'writing'
        union all
        select 'job' from background_job where account_id = ${accountId} and status in ('queued', 'running')
        union all
        select 'forgotten' from lead where account_id = ${accountId} and pipeline_state = 'in_pipeline'
          and paused_at is null and next_touch_at < ${new Date(end - 60_000)}`
      assert.deepStrictEqual(open, [])
      const [account] = yield* sql<{ readonly clock: string | null }>`
        select clock from account where account_id = ${accountId}`
      assert.isNull(account?.clock)
      const early = yield* sql`
        select task_identifier, run_at from graphile_worker.jobs where run_at < ${new Date(end)}
          and task_identifier not like 'webhook%'`
      assert.deepStrictEqual(early, [])
    })
  )

  it.effect("learns weekly from results, compares what it may change, and repeats the assessment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const learnings = yield* sql<{
        readonly kind: string
        readonly content: string
        readonly madeAt: string
        readonly replies: number | null
        readonly sample: number
      }>`
        select kind, content, made_at as "madeAt", (summary #>> '{rate,replies}')::int as replies,
          (summary ->> 'sample_size')::int as sample
        from prospecting_learning where account_id = ${accountId} and is_current`
      const looks = [...new Set(learnings.map(({ madeAt }) => madeAt))]
      assert.lengthOf(looks, 1)
      const look = looks[0] ?? ""
      assert.isTrue(look < instantOf(end) && look > instantOf(end - 7 * 86_400_000), look)
      // Each has its own numbers, and refusals are those of leads who refused before the evaluation.
      for (const { content, replies, sample } of learnings) {
        assert.include(content, `${sample}`)
        if (replies !== null) assert.include(content, `${replies}`)
      }
      const refused = yield* sql<{ readonly leads: number }>`
        select count(distinct lead_id) as leads from (
          select lead_id, classification, occurred_at as at from email_message
            where account_id = ${accountId} and direction = 'inbound' and not is_auto_reply
          union all
          select lead_id, classification, occurred_at from chatapp_message
            where account_id = ${accountId} and direction = 'inbound'
          union all
          select lead_id, classification, created_at from voice_call where account_id = ${accountId}
        ) said where classification ->> 'class' = 'not_interested' and lead_id is not null and at < ${look}
        group by coalesce(classification ->> 'refusalReason', 'other')`
      const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)
      assert.deepStrictEqual(
        sorted(learnings.flatMap(({ kind, replies }) => (kind === "refusal_reason" ? [replies ?? 0] : []))),
        sorted(refused.map(({ leads }) => leads))
      )
      // A campaign that contacted thirty leads in four weeks compares them from the next Monday on.
      const reports = yield* Reports
      const caller = Caller.forTask(accountId, "paid", "history")
      const { runs } = yield* Effect.provideService(
        reports.optimizations({ campaign: undefined, page: 0, pageSize: 50 }),
        Caller,
        caller
      )
      const busy = yield* sql<{ readonly id: number }>`
        select l.campaign_id as id from touch t join lead l on l.account_id = ${accountId} and l.lead_id = t.lead_id
        where t.account_id = ${accountId} and t.status = 'sent' and t.created_at < ${look}
        group by 1 having count(distinct t.lead_id) >= 30`
      assert.includeMembers(
        runs.map(({ campaign_id }) => campaign_id as number | null),
        busy.map(({ id }) => id)
      )
      for (const { outcome, ran_at, reasons } of runs) {
        assert.strictEqual(new Date(ran_at).getUTCDay(), 1)
        assert.isTrue(outcome !== "kept" || reasons.length > 0)
      }
      const [assessment] = yield* sql<{ readonly assessedAt: string }>`
        select assessed_at as "assessedAt" from business_assessment where account_id = ${accountId}`
      assert.isAbove(Date.parse(assessment?.assessedAt ?? ""), end - days * 86_400_000 + 7 * 86_400_000)
    })
  )

  it.effect("brings leads by its capture page over the weeks, sent through its form", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const came = yield* sql<{ readonly email: string; readonly status: string; readonly day: string }>`
        select email, status, to_char(created_at, 'YYYY-MM-DD') as day from lead
        where account_id = ${accountId} and email in ('aline@odontobarreto0.example',
          'bruno@clinicacouto1.example', 'cintia@fisioduarte2.example') order by created_at`
      assert.deepStrictEqual(
        came.map(({ email }) => email.split("@")[0]),
        ["aline", "bruno", "cintia"]
      )
      assert.lengthOf(new Set(came.map(({ day }) => day)), 3)
      assert.include(
        came.map(({ status }) => status),
        "Interested"
      )
    })
  )

  it.effect("finds leads day by day, contacts them, is answered, and has them in its figures", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const leads = yield* sql<{
        readonly company: string
        readonly cnae: string
        readonly state: string
        readonly day: string
        readonly isContacted: boolean
        readonly hasWritten: boolean
      }>`
        select company, cnae, state, (created_at at time zone 'America/Sao_Paulo')::date::text as day,
          last_outbound_at is not null as "isContacted", last_inbound_at is not null as "hasWritten"
        from lead where account_id = ${accountId} and origin = 'acquired' order by lead_id`
      const byDay = new Map<string, number>()
      for (const { day } of leads) byDay.set(day, (byDay.get(day) ?? 0) + 1)
      assert.isTrue(
        [...byDay.values()].every((count) => count === perDay),
        JSON.stringify([...byDay])
      )
      assert.isAtLeast(byDay.size, days - 1)
      const clinics = new Set(
        Array.from({ length: sandboxCompanies }, (_, index) => sandboxCompany(index))
          .filter(({ cnae, country, type }) => cnae === "8630504" && country === "BR" && type === "Private")
          .map(({ legalName, tradeName }) => tradeName ?? legalName)
      )
      assert.isTrue(leads.every(({ cnae, company }) => cnae === "8630504" && clinics.has(company)))
      assert.isAbove(leads.filter(({ isContacted }) => isContacted).length, leads.length / 2)
      assert.isAbove(leads.filter(({ hasWritten }) => hasWritten).length, 0)
      const reports = yield* Reports
      const caller = Caller.forTask(accountId, "paid", "history")
      const since = Math.ceil(((yield* Clock.currentTimeMillis) - end) / 86_400_000) + days + 1
      const { trends } = yield* Effect.provideService(
        reports.trends({ campaign: undefined, days: since }),
        Caller,
        caller
      )
      assert.strictEqual(
        trends.reduce((sum, { leads_generated }) => sum + leads_generated, 0),
        leads.length
      )
      // By sector and by state, as they were reached.
      const { industries } = yield* Effect.provideService(reports.industries({ campaign: undefined }), Caller, caller)
      const health = industries.find(({ code }) => code === "86")
      assert.isAtLeast(health?.total_leads ?? 0, leads.length)
      assert.isAbove(health?.replied ?? 0, 0)
      const metrics = reports.metrics({ campaign: undefined, days: since })
      const { by_state } = yield* Effect.provideService(metrics, Caller, caller)
      for (const state of new Set(leads.map((lead) => lead.state))) {
        const stateRow = by_state.find(({ name }) => name === state)
        assert.isAtLeast(stateRow?.new_leads ?? 0, leads.filter((lead) => lead.state === state).length, state)
      }
    })
  )

  it.effect("has a daily report of each day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      const reports = yield* sql`select from daily_report where account_id = ${accountId}`
      assert.isAtLeast(reports.length, days - 2)
    })
  )

  it.effect("has reports that agree with its lists and events", () =>
    Effect.gen(function* () {
      const { accountId } = yield* One
      yield* reportsAgree(accountId)
    })
  )

  it.effect(
    "of another seed has reports that agree too, and is the same when it is made again",
    () =>
      Effect.gen(function* () {
        const one = yield* live(twiceSize, otherSeed).pipe(
          Effect.tap(({ accountId }) => reportsAgree(accountId)),
          Effect.provide(Layer.fresh(WorldWithReports))
        )
        assert.isAbove(outbound(one.ledger).length, twiceSize.workedLeads)
        assert.isAbove(one.ledger.leads.filter(({ origin }) => origin === "acquired").length, 0)
        const again = yield* Effect.provide(live(twiceSize, otherSeed), Layer.fresh(World))
        assert.deepStrictEqual(storyOf(one.ledger), storyOf(again.ledger))
      }),
    300_000
  )

  it.effect("leaves nothing when it breaks off", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const accounts = sql<{ readonly count: number }>`select count(*) as count from account`
      const [before] = yield* accounts
      const exit = yield* Effect.exit(
        makeSampleHistory({ seed: 8, end, size: few, progress: () => Effect.dieMessage("no further") })
      )
      assert.isTrue(Exit.isFailure(exit))
      const [after] = yield* accounts
      assert.deepStrictEqual(after, before)
    })
  )

  it.effect("is refused where real people would be reached", () =>
    Effect.gen(function* () {
      const provider = ConfigProvider.fromMap(new Map([["SMTP_URL", "smtp://mail.example:25"]]))
      const refusal = yield* makeSampleHistory({ seed: 8, end, size: few }).pipe(
        Effect.withConfigProvider(provider),
        Effect.flip
      )
      assert.strictEqual(refusal._tag === "Refused" ? refusal.reason : refusal._tag, "sample_needs_sandbox")
    })
  )

  it.effect("is not processed by others while it is being made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* One
      yield* sql`update account set is_prospecting_active = false where account_id = ${accountId}`
      const caller = yield* makeAccount()
      yield* as(caller)(insertLead({ next_touch_at: "2020-01-01T00:00:00Z" }))
      yield* sql`update account set clock = 'elsewhere' where account_id = ${caller.accountId}`
      yield* sql`insert into dispatch_queue (account_id, due_at) values (${caller.accountId}, instant())`
      assert.strictEqual(yield* claimTouches, 0)
      yield* sql`update account set clock = null where account_id = ${caller.accountId}`
      assert.strictEqual(yield* claimTouches, 1)
    })
  )
})
