import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import type { NewLead } from "../../src/Services/Leads/NewLead.ts"
import { historyOf, insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const blank: NewLead = {
  name: "Ana Souza",
  email: undefined,
  phone: undefined,
  company: undefined,
  status: "Cold",
  campaign: undefined
}
const register = (lead: Partial<NewLead>) => Effect.flatMap(Leads, (leads) => leads.register({ ...blank, ...lead }))
const erase = (leadId: LeadId) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.write(Effect.flatMap(Leads, (leads) => leads.erase(leadId, undefined))))

const rowOf = (leadId: LeadId) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly [column: string]: unknown }>`
      select name, email, phone, company, status, pipeline_state, campaign_id, next_touch_at is not null as is_due
      from lead where lead_id = ${leadId}`
  ).pipe(Effect.map((rows) => rows[0]))

layer(LeadServices, { excludeTestServices: true })("registering a lead", (it) => {
  it.effect("stores it normalised, due at once, with an entry in its history", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answer = yield* me(
        register({
          name: " João  Dias ",
          email: " Joao.Dias@Empresa.COM.br ",
          phone: "(11) 98765-4321",
          company: "Dias"
        })
      )
      assert.deepInclude(answer, { created: true, status: "Cold", pipeline_state: "in_pipeline", blocks: [] })
      assert.deepStrictEqual(yield* rowOf(answer.lead_id), {
        name: "João  Dias",
        email: "joao.dias@empresa.com.br",
        phone: "+5511987654321",
        company: "Dias",
        status: "Cold",
        pipeline_state: "in_pipeline",
        campaign_id: null,
        is_due: true
      })
      assert.deepStrictEqual(yield* me(historyOf(answer.lead_id)), [
        {
          event_type: "registered",
          actor: "owner",
          from_state: null,
          to_state: "in_pipeline",
          reason: null,
          data: { status: "Cold" }
        }
      ])
    })
  )

  it.effect("does not start a lead that cannot be reached", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answer = yield* me(register({ email: "  ", phone: "" }))
      assert.deepInclude(answer, { created: true, pipeline_state: "not_started", blocks: ["no_reachable_channel"] })
      assert.deepInclude(yield* rowOf(answer.lead_id), { email: null, phone: null, is_due: false })
      const another = yield* me(register({}))
      assert.notStrictEqual(another.lead_id, answer.lead_id)
    })
  )

  it.effect("answers the lead with the same e-mail address or phone number, and keeps what it has", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const first = yield* me(register({ email: "ana@example.com", phone: "+55 11 98765-4321" }))
      const byEmail = yield* me(register({ name: "Someone else", email: "ANA@example.com", status: "Confirmed" }))
      const byPhone = yield* me(register({ email: "other@example.com", phone: "011 98765 4321" }))
      const keeps = (field: "name" | "email") => ({ field, reason: "has_another_value" as const, lead_id: null })
      assert.deepStrictEqual(byEmail, { ...first, created: false, not_filled: [keeps("name")] })
      assert.deepStrictEqual(byPhone, { ...first, created: false, not_filled: [keeps("email")] })
      assert.deepInclude(yield* rowOf(first.lead_id), { name: "Ana Souza", email: "ana@example.com", status: "Cold" })
      assert.lengthOf(yield* me(historyOf(first.lead_id)), 1)
    })
  )

  it.effect("fills empty fields of a known person, and leaves status, pipeline, opt-out and campaign", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const unsubscribed = yield* me(
        insertLead({
          name: "Ana Souza",
          email: "ana@example.com",
          pipeline_state: "finished",
          unsubscribed_at: "2026-01-02T03:04:05Z"
        })
      )
      const campaign = yield* me(insertCampaign("Clinics"))
      const phone = "+5511987654321"
      const request = {
        email: "ana@example.com",
        phone,
        company: "Dias",
        status: "Confirmed",
        campaign: "Clinics"
      } as const
      const answer = yield* me(register(request))
      assert.deepInclude(answer, {
        lead_id: unsubscribed,
        created: false,
        filled: ["phone", "company"],
        not_filled: [],
        blocks: ["unsubscribed", "finished"]
      })
      assert.deepInclude(yield* rowOf(unsubscribed), {
        phone,
        company: "Dias",
        status: "Cold",
        pipeline_state: "finished",
        campaign_id: null
      })
      assert.isAbove(campaign, 0)
      assert.deepInclude(yield* me(register(request)), { filled: [], not_filled: [] })
    })
  )

  it.effect("lifts the block of a lead that gets its first usable contact, and contacts it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(
        insertLead({ name: "Ana Souza", email: null, phone: "+5511987654321", next_touch_at: "2100-01-01T00:00:00Z" })
      )
      const answer = yield* me(register({ email: "ana@example.com", phone: "+5511987654321" }))
      assert.deepInclude(answer, { lead_id: lead, filled: ["email"], blocks: [] })
      const sql = yield* SqlClient
      const rows =
        yield* sql`select next_touch_at < instant() + interval '1 hour' as is_due from lead where lead_id = ${lead}`
      assert.deepStrictEqual(rows, [{ is_due: true }])
    })
  )

  it.effect("never gives a lead the contact of an erased person", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const erased = yield* me(register({ phone: "+5511987654321" }))
      yield* me(erase(erased.lead_id))
      const lead = yield* me(register({ email: "ana@example.com" }))
      const answer = yield* me(register({ email: "ana@example.com", phone: "+5511987654321" }))
      assert.deepInclude(answer, { lead_id: lead.lead_id, filled: [] })
      assert.deepStrictEqual(answer.not_filled, [{ field: "phone", reason: "person_erased", lead_id: null }])
    })
  )

  it.effect("prefers the lead with the e-mail address where the phone number is another's", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const first = yield* me(register({ phone: "+5511987654321" }))
      const second = yield* me(register({ email: "ana@example.com" }))
      const both = yield* me(register({ email: "ana@example.com", phone: "+5511987654321" }))
      assert.deepInclude(both, { lead_id: second.lead_id, created: false, filled: [] })
      assert.deepStrictEqual(both.not_filled, [
        { field: "phone", reason: "belongs_to_another_lead", lead_id: first.lead_id }
      ])
    })
  )

  it.effect("returns the state of an existing lead", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(
        insertLead({ email: "gone@example.com", pipeline_state: "finished", unsubscribed_at: "2026-01-02T03:04:05Z" })
      )
      const answer = yield* me(register({ email: "gone@example.com" }))
      assert.deepInclude(answer, {
        created: false,
        pipeline_state: "finished",
        blocks: ["unsubscribed", "finished"]
      })
    })
  )

  it.effect("creates one lead of fifty calls at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, (_, index) =>
          as(caller)(
            register({
              name: `Call ${index}`,
              email: "same@example.com",
              phone: index % 2 ? "+5511987654321" : undefined
            })
          )
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ created }) => created).length, 1)
      assert.strictEqual(new Set(answers.map(({ lead_id }) => lead_id)).size, 1)
      const counts = yield* sql`
        select (select count(*) from lead where account_id = ${caller.accountId}) as leads,
          (select count(*) from lead_lifecycle_event where account_id = ${caller.accountId}) as events,
          (select sum(change) from lead_counter where account_id = ${caller.accountId}) as counter`
      assert.deepStrictEqual(counts, [{ leads: 1, events: 1, counter: 1 }])
    })
  )

  it.effect("keeps accounts apart", () =>
    Effect.gen(function* () {
      const mine = yield* as(yield* makeAccount())(register({ email: "ana@example.com" }))
      const theirs = yield* as(yield* makeAccount())(register({ email: "ana@example.com" }))
      assert.isTrue(mine.created && theirs.created)
      assert.notStrictEqual(mine.lead_id, theirs.lead_id)
    })
  )

  it.effect("refuses a person who was erased, by either contact", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { lead_id } = yield* me(register({ email: "ana@example.com", phone: "+5511987654321" }))
      yield* me(erase(lead_id))
      for (const contact of [{ email: "Ana@Example.com" }, { phone: "(11) 98765-4321" }]) {
        const error = yield* Effect.flip(me(register(contact)))
        assert.deepInclude(error, { _tag: "Refused", reason: "lead_erased" })
      }
      assert.isTrue((yield* as(yield* makeAccount())(register({ email: "ana@example.com" }))).created)
    })
  )

  it.effect("creates a blacklisted lead, and says that it is blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${caller.accountId}, 'domain', 'rival.example', 'Competitor')`
      const blocked = yield* me(register({ email: "ana@rival.example" }))
      assert.deepInclude(blocked, { created: true, blocks: ["blacklisted"] })
      const callable = yield* me(register({ email: "eva@rival.example", phone: "+5511987654321" }))
      assert.deepStrictEqual(callable.blocks, ["no_reachable_channel"])
    })
  )

  it.effect("puts the lead into the campaign that is meant by name, whatever its case and accents, or by id", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const clinics = yield* me(insertCampaign("Clínicas São Paulo", { is_active: false }))
      const numbered = yield* me(insertCampaign(`${clinics}`))
      const archived = yield* me(insertCampaign("Old", { archived_at: "2026-01-01T00:00:00Z" }))

      const byName = yield* me(register({ email: "a@example.com", campaign: " clinicas sao paulo " }))
      assert.deepStrictEqual(byName.blocks, ["campaign_paused"])
      assert.deepInclude(yield* rowOf(byName.lead_id), { campaign_id: clinics })
      const namedLikeAnId = yield* me(register({ email: "b@example.com", campaign: `${clinics}` }))
      assert.deepInclude(yield* rowOf(namedLikeAnId.lead_id), { campaign_id: numbered })
      const byId = yield* me(register({ email: "c@example.com", campaign: `${numbered}` }))
      assert.deepInclude(yield* rowOf(byId.lead_id), { campaign_id: numbered })

      for (const campaign of ["Old", `${archived}`, "Nowhere", "999999999999999999999999"]) {
        const error = yield* Effect.flip(me(register({ email: "d@example.com", campaign })))
        assert.deepInclude(error, { _tag: "NotFound", reason: "campaign_not_found", fields: { campaign } })
      }
      assert.isTrue((yield* me(register({ email: "d@example.com" }))).created)
    })
  )

  it.effect("reads a phone number as one of the account's own country", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      yield* sql`update account set phone = '+14155550100' where account_id = ${caller.accountId}`
      const { lead_id } = yield* as(caller)(register({ phone: "(415) 555-2671" }))
      assert.deepInclude(yield* rowOf(lead_id), { phone: "+14155552671" })
    })
  )

  it.effect("refuses what is no contact, and names of several lines", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const cases = [
        [{ email: "not an address" }, "invalid_email", "email"],
        [{ email: "a@b" }, "invalid_email_domain", "email"],
        [{ phone: "12" }, "invalid_phone", "phone"],
        [{ name: "Ana\r\nBcc: x@example.com" }, "control_characters", "name"],
        [{ company: "Acme\u0007" }, "control_characters", "company"]
      ] as const
      for (const [lead, reason, parameter] of cases) {
        const error = yield* Effect.flip(me(register(lead)))
        assert.deepInclude(error, { _tag: "Refused", reason, fields: { parameter } })
      }
    })
  )
})
