import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rooms } from "../../src/Layers/App.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { type LeadProfile } from "../../src/Services/Leads/LeadModel.ts"
import { Leads, type LeadUpdate } from "../../src/Services/Leads/Leads.ts"
import { historyOf, insertCampaign, insertLead, LeadServices, leadServicesWith } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const get = (leadId: LeadId) => Effect.flatMap(Leads, (leads) => leads.get(leadId))
const update = (leadId: LeadId, change: Partial<LeadUpdate>) =>
  Effect.flatMap(Leads, (leads) =>
    leads.update(leadId, { status: undefined, goal: undefined, background: undefined, ...change })
  )
const erase = (leadId: LeadId, reason?: string) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(Effect.flatMap(Leads, (leads) => leads.erase(leadId, reason))))

const subjects = ({ emails }: LeadProfile) => emails.map(({ subject }) => subject)

layer(LeadServices, { excludeTestServices: true })("a lead's profile", (it) => {
  it.effect("says who named it, which language it is written to in, and where its clock is", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const referring = yield* me(insertLead({ name: "Rui Prado" }))
      const lead = yield* me(
        insertLead({ referred_by_lead_id: referring, country: "US", state: "TX", language: null, time_zone: null })
      )
      assert.deepInclude(yield* me(get(lead)), {
        referred_by_lead_id: referring,
        referred_by: "Rui Prado",
        language: "en",
        time_zone: "America/Chicago"
      })
      const writing = yield* me(insertLead({ country: "US", language: "es", time_zone: "Europe/Madrid" }))
      assert.deepInclude(yield* me(get(writing)), { language: "es", time_zone: "Europe/Madrid" })
    })
  )

  it.effect("has contact, company, prospecting and what blocks it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const campaign = yield* me(insertCampaign("Clinics", { is_active: false }))
      const lead = yield* me(
        insertLead({
          name: "Ana",
          email: "ana@clinic.example",
          phone: "+5511987654321",
          company: "Clinic",
          cnae: "8630501",
          campaign_id: campaign,
          pipeline_state: "pending_review",
          review_requested_at: "2026-01-02T03:04:05.678Z",
          review_reason: "asks for a price",
          created_at: "2026-01-01T00:00:00Z"
        })
      )
      const profile: unknown = yield* me(get(lead))
      assert.deepStrictEqual(profile, {
        lead_id: lead,
        name: "Ana",
        email: "ana@clinic.example",
        phone: "+5511987654321",
        company: "Clinic",
        job_title: null,
        website: null,
        city: null,
        state: null,
        country: null,
        cnae: "8630501",
        industry: null,
        linkedin_url: null,
        status: "Cold",
        goal: null,
        background: null,
        campaign_id: campaign,
        campaign: "Clinics",
        pipeline_state: "pending_review",
        is_paused: false,
        paused_at: null,
        pause_reason: null,
        review_requested_at: "2026-01-02T03:04:05Z",
        review_reason: "asks for a price",
        unsubscribed_at: null,
        final_outcome: null,
        preferred_channel: null,
        next_touch_at: null,
        next_touch_instructions: null,
        blocks: ["pending_review", "campaign_paused"],
        eligibility_reasons: [],
        waiting_for: [],
        last_outbound_at: null,
        last_inbound_at: null,
        last_reply_at: null,
        last_reply_class: null,
        last_message_direction: null,
        last_message_channel: null,
        last_message_kind: null,
        email_failed_at: null,
        created_at: "2026-01-01T00:00:00Z",
        emails: [],
        chatapp_outbound_count: 0,
        chatapp_inbound_count: 0,
        voice_call_count: 0,
        referred_by_lead_id: null,
        referred_by: null,
        language: "pt-BR",
        time_zone: "America/Sao_Paulo",
        source: null
      })
    })
  )

  it.effect("has the latest fifty e-mails of each direction, oldest first, and counts the other channels", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead())
      yield* sql`
        insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
          body_text, attachments, occurred_at)
        select ${caller.accountId}, ${lead}, direction, case direction when 'inbound' then 'received' else 'sent' end,
          '<' || direction || n || '@x>', 'a@x.example', 'b@x.example', direction || ' ' || n, 'Body ' || n,
          '[{"file_name": "offer.pdf"}]', timestamptz '2026-01-01' + n * interval '1 hour'
            + case direction when 'inbound' then interval '30 minutes' else interval '0' end
        from (values ('outbound'), ('inbound')) d (direction), generate_series(1, 52) n order by random()`
      yield* sql`
        insert into chatapp_message (account_id, lead_id, direction, kind, status, phone, body)
        values (${caller.accountId}, ${lead}, 'outbound', 'text', 'sent', '+5511987654321', 'Hi'),
          (${caller.accountId}, ${lead}, 'inbound', 'text', 'received', '+5511987654321', 'Hello'),
          (${caller.accountId}, ${lead}, 'inbound', 'text', 'received', '+5511987654321', 'Hello?')`
      yield* sql`
        insert into voice_call (account_id, lead_id, kind, phone, goal)
        values (${caller.accountId}, ${lead}, 'prospecting', '+5511987654321', 'Say hello')`

      const profile = yield* me(get(lead))
      assert.lengthOf(profile.emails, 100)
      assert.deepStrictEqual(subjects(profile).slice(0, 3), ["outbound 3", "inbound 3", "outbound 4"])
      assert.deepStrictEqual(subjects(profile).slice(-2), ["outbound 52", "inbound 52"])
      assert.deepInclude(profile.emails[0], {
        direction: "outbound",
        status: "sent",
        body: "Body 3",
        attachment_names: ["offer.pdf"],
        occurred_at: Timestamp.make("2026-01-01T03:00:00Z")
      })
      assert.deepInclude(profile, { chatapp_outbound_count: 1, chatapp_inbound_count: 2, voice_call_count: 1 })
    })
  )

  it.effect("is each caller's own where many are asked for at once", () =>
    Effect.gen(function* () {
      const callers = yield* Effect.replicateEffect(makeAccount(), 8)
      const owned = yield* Effect.forEach(callers, (caller, index) =>
        Effect.map(as(caller)(insertLead({ name: `Owner ${index}` })), (lead) => ({ caller, lead }))
      )
      const requests = owned.flatMap(({ caller, lead }, index) => {
        const foreign = owned[(index + 1) % owned.length]?.lead ?? lead
        return [lead, foreign, lead].map((id) => ({ caller, id }))
      })
      const answers = yield* Effect.forEach(requests, ({ caller, id }) => Effect.either(as(caller)(get(id))), {
        concurrency: "unbounded"
      }).pipe(Effect.withTracerEnabled(false))
      const names = answers.map((answer) => (answer._tag === "Right" ? answer.right.name : answer.left._tag))
      assert.deepStrictEqual(
        names,
        owned.flatMap((_, index) => [`Owner ${index}`, "NotFound", `Owner ${index}`])
      )
    })
  )
})

layer(LeadServices, { excludeTestServices: true })("updating a lead", (it) => {
  it.effect("changes what is passed, and records a change of status once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ goal: "sell", background: "met at a fair" }))
      yield* me(update(lead, { status: "Interested" }))
      const answer = yield* me(update(lead, { status: "Interested", goal: "", background: "called back" }))
      assert.deepStrictEqual(answer, {
        lead_id: lead,
        status: "Interested",
        goal: null,
        background: "called back",
        pipeline_state: "in_pipeline",
        is_paused: false
      })
      assert.deepStrictEqual(
        (yield* me(historyOf(lead))).map(({ data, event_type }) => ({ event_type, data })),
        [{ event_type: "status_changed", data: { from_status: "Cold", to_status: "Interested" } }]
      )
      assert.deepStrictEqual(yield* me(update(lead, {})), answer)
    })
  )

  it.effect("finds no lead of another account", () =>
    Effect.gen(function* () {
      const owner = as(yield* makeAccount())
      const lead = yield* owner(insertLead())
      const error = yield* Effect.flip(as(yield* makeAccount())(update(lead, { status: "Closed" })))
      assert.deepInclude(error, { _tag: "NotFound", reason: "lead_not_found" })
      assert.strictEqual((yield* owner(get(lead))).status, "Cold")
    })
  )
})

layer(LeadServices, { excludeTestServices: true })("lists of leads", (it) => {
  it.effect("awaiting review have the longest waiting first, at most 500, and the true total", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into lead (account_id, name, status, pipeline_state, review_requested_at)
        select ${caller.accountId}, 'Lead ' || n, 'Aware', 'pending_review', timestamptz '2026-06-01' - n * interval '1 hour'
        from generate_series(1, 503) n`
      const { leads, total } = yield* me(Effect.flatMap(Leads, (service) => service.listAwaitingReview))
      assert.strictEqual(total, 503)
      assert.lengthOf(leads, 500)
      assert.strictEqual(leads[0]?.name, "Lead 503")
      const none = yield* as(yield* makeAccount())(Effect.flatMap(Leads, (service) => service.listAwaitingReview))
      assert.deepStrictEqual(none, { leads: [], total: 0 })
    })
  )

  it.effect("paused are listed after the last id, fifty at a time, to the end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const listPaused = (after: number) => as(caller)(Effect.flatMap(Leads, (service) => service.listPaused(after)))
      yield* sql`
        insert into lead (account_id, name, status, pipeline_state, paused_at, pause_reason)
        select ${caller.accountId}, 'Lead ' || n, 'Cold', 'in_pipeline', timestamptz '2026-06-01', 'because'
        from generate_series(1, 100) n`
      const first = yield* listPaused(0)
      assert.lengthOf(first.leads, 50)
      assert.deepInclude(first, { total: 100, next: first.leads[49]?.lead_id })
      assert.deepInclude(first.leads[0], {
        name: "Lead 1",
        paused_at: Timestamp.make("2026-06-01T00:00:00Z"),
        pause_reason: "because"
      })
      const second = yield* listPaused(first.next ?? 0)
      assert.lengthOf(second.leads, 50)
      assert.isUndefined(second.next)
      assert.strictEqual(new Set([...first.leads, ...second.leads].map(({ lead_id }) => lead_id)).size, 100)
      assert.deepInclude(yield* listPaused(second.leads[49]?.lead_id ?? 0), { leads: [], total: 100 })
    })
  )
})

layer(LeadServices, { excludeTestServices: true })("the account's feed", (it) => {
  it.effect("adds one event when the owner confirms a lead or sets it to interested", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ name: "Ana Souza" }))
      for (const status of ["Confirmed", "Confirmed", "Aware", "Interested", undefined, "Closed"] as const) {
        yield* me(update(lead, { status, goal: "A call" }))
      }
      const events = yield* sql`
        select event_type, data from account_event where account_id = ${caller.accountId} order by account_event_id`
      const data = { lead_id: lead, channel: null, lead_name: "Ana Souza", campaign_id: null }
      assert.deepStrictEqual(events, [
        { event_type: "lead_confirmed", data },
        { event_type: "lead_became_interested", data }
      ])
    })
  )

  it.effect("returns nothing about a missing lead or another account's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lead = yield* as(yield* makeAccount())(insertLead())
      const caller = yield* makeAccount()
      assert.strictEqual((yield* Effect.flip(as(caller)(update(lead, { status: "Interested" }))))._tag, "NotFound")
      assert.isEmpty(yield* sql`select from account_event where account_id = ${caller.accountId} or lead_id = ${lead}`)
    })
  )
})

layer(leadServicesWith(rooms.personalData), { excludeTestServices: true })("erasing a lead", (it) => {
  it.effect("leaves nothing that identifies the person", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(
        insertLead({ name: "Zulmira Quaresma", email: "zulmira@q.example", phone: "+5511912345678" })
      )
      const otherLead = yield* me(insertLead())
      yield* sql`
        insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
          body_text)
        values (${caller.accountId}, ${lead}, 'inbound', 'received', '<z@x>', 'zulmira@q.example', 'b@x.example', 's', 'b')`
      yield* sql`
        insert into email_suppression (account_id, email, reason)
        values (${caller.accountId}, 'zulmira@q.example', 'complaint')`
      yield* sql`
        with job as (
          insert into background_job (account_id, kind) values (${caller.accountId}, 'lead_import') returning job_id
        ), import as (
          insert into lead_import (account_id, job_id, source_name, lead_status)
          select ${caller.accountId}, job_id, 'leads.csv', 'Cold' from job returning lead_import_id
        )
        insert into lead_import_row (account_id, lead_import_id, row_number, outcome, lead_id)
        select ${caller.accountId}, lead_import_id, 1, 'created', ${lead} from import`

      const answer = yield* me(
        erase(lead, "Zulmira wrote from ZULMIRA@q.example and called from (11) 91234-5678: forget Quaresma, please")
      )
      assert.deepInclude(answer, { lead_id: lead, tombstones: 2 })
      assert.strictEqual((yield* Effect.flip(me(get(lead))))._tag, "NotFound")
      yield* me(get(otherLead))

      const tables = yield* sql<{ readonly name: string }>`
        select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'account_id'`
      for (const { name } of tables) {
        const rows = yield* sql<{ readonly row: string }>`
          select t::text as row from ${sql(name)} t where account_id = ${caller.accountId}`
        for (const { row } of rows) assert.notMatch(row, /zulmira|quaresma|91234.?5678/i, name)
      }
      const audit =
        yield* sql`select reason from lead_erasure where account_id = ${caller.accountId} and lead_id = ${lead}`
      assert.deepStrictEqual(audit, [
        { reason: "[erased] wrote from [erased] and called from [erased]: forget [erased], please" }
      ])
      const imported = yield* sql`select outcome, lead_id from lead_import_row where account_id = ${caller.accountId}`
      assert.deepStrictEqual(imported, [{ outcome: "created", lead_id: null }])
    })
  )

  it.effect("is not found a second time, nor by another account", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead({ email: null }))
      const foreign = yield* Effect.flip(as(yield* makeAccount())(erase(lead)))
      assert.deepInclude(foreign, { _tag: "NotFound", reason: "lead_not_found" })
      assert.deepInclude(yield* me(erase(lead)), { tombstones: 0 })
      assert.strictEqual((yield* Effect.flip(me(erase(lead))))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(me(get(LeadId.make(lead)))))._tag, "NotFound")
    })
  )
})
