import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ReferralsPostgres } from "../../src/Layers/Leads/Registration/ReferralsPostgres.ts"
import { RegisteredReferral } from "../../src/Services/Leads/Referrals.ts"
import { say } from "../../src/Services/Messages/Messages.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { registerReferralLead } from "../../src/Tools/Leads/RegisterReferralLead.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([Tool.group("Lead operations", "", [registerReferralLead])])
const call = (name: string, args: object = {}) => answerOf(catalog, name, args)
const failure = (name: string, args: object = {}) => Effect.flip(callTool(catalog, name, args))

const Services = ReferralsPostgres.pipe(Layer.provideMerge(LeadServices))

layer(Services, { excludeTestServices: true })("register_referral_lead", (it) => {
  it.effect("makes a lead in the referring lead's campaign, with its company's data", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaign_id = yield* me(insertCampaign("Clinics", { is_active: false }))
      const company = {
        company: "Acme",
        website: "https://acme.example",
        city: "Recife",
        state: "PE",
        industry: "Dental"
      }
      const referring = yield* me(insertLead({ ...company, campaign_id, cnae: "8630504" }))
      const answer = yield* me(
        call("register_referral_lead", {
          referring_lead_id: referring,
          lead_name: "Bia Lima",
          lead_email: "BIA@acme.example",
          lead_phone: "11 98765-4321",
          same_company: true,
          status: "Confirmed",
          instructions_for_first_touch: "Say hello from Ana"
        })
      )
      const rows = yield* sql<{ readonly lead_id: number }>`
        select lead_id from lead where account_id = ${caller.accountId} and email = 'bia@acme.example'`
      const lead_id = rows[0]?.lead_id ?? 0
      assert.deepStrictEqual(answer, {
        lead_id,
        created: true,
        status: "Confirmed",
        pipeline_state: "in_pipeline",
        blocks: ["campaign_paused"],
        eligibility_reasons: [],
        referred_by_lead_id: referring,
        company: "Acme",
        campaign_id,
        not_applied: [{ text: "Say hello from Ana", reason: say("pt-BR", "instructions.not_applied.not_understood") }]
      })
      const stored = yield* sql`
        select phone, company, website, city, state, industry, cnae, first_message_instructions,
          next_touch_at is not null as is_scheduled
        from lead where lead_id = ${lead_id}`
      assert.deepStrictEqual(stored, [
        {
          phone: "+5511987654321",
          ...company,
          cnae: "8630504",
          first_message_instructions: "Say hello from Ana",
          is_scheduled: true
        }
      ])
      const history = yield* sql`
        select event_type, actor, data ->> 'referred_by_lead_id' as "by" from lead_lifecycle_event
        where lead_id = ${lead_id}`
      assert.deepStrictEqual(history, [{ event_type: "registered", actor: "owner", by: String(referring) }])
    })
  )

  it.effect("copies nothing of another company, and answers the lead that exists as it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const me = as(yield* makeAccount())
      const referring = yield* me(insertLead({ company: "Acme", city: "Recife" }))
      const args = { referring_lead_id: referring, lead_name: "Bia", lead_email: "bia@other.example" }
      const first = yield* me(call("register_referral_lead", args))
      assert.deepInclude(first, { created: true, company: null, status: "Cold" })
      const again = yield* me(
        call("register_referral_lead", { ...args, lead_name: "Beatriz", same_company: true, status: "Interested" })
      )
      assert.deepStrictEqual(again, {
        ...Schema.decodeUnknownSync(RegisteredReferral)(first),
        created: false,
        not_applied: []
      })
      const itself = yield* me(insertLead({ email: "self@acme.example" }))
      const self = yield* me(
        call("register_referral_lead", { referring_lead_id: itself, lead_name: "Me", lead_email: "self@acme.example" })
      )
      assert.deepInclude(self, { lead_id: itself, created: false, referred_by_lead_id: null })
      const names = yield* sql`select name from lead where email = 'bia@other.example'`
      assert.deepStrictEqual(names, [{ name: "Bia" }])
    })
  )

  it.effect("refuses what cannot be a lead, and changes nothing then", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const referring = yield* me(insertLead())
      const refer = (args: object) =>
        me(failure("register_referral_lead", { referring_lead_id: referring, lead_name: "Bia", ...args }))
      assert.deepInclude(yield* refer({}), { _tag: "Refused", reason: "contact_required" })
      assert.deepInclude(yield* refer({ lead_email: "  " }), { _tag: "Refused", reason: "contact_required" })
      assert.deepInclude(yield* refer({ lead_email: "bia@" }), { _tag: "Refused", reason: "invalid_email" })
      assert.deepInclude(yield* refer({ lead_name: "Bia\r\nBcc: all@x.example", lead_email: "b@x.example" }), {
        _tag: "Refused",
        reason: "control_characters"
      })
      assert.deepInclude(yield* refer({ lead_email: "b@x.example", status: "Frozen" }), { _tag: "Refused" })
      const stranger = as(yield* makeAccount())
      const foreign = yield* stranger(
        failure("register_referral_lead", { referring_lead_id: referring, lead_name: "B", lead_email: "b@x.example" })
      )
      assert.deepInclude(foreign, { _tag: "NotFound", reason: "lead_not_found" })
      const trial = as(yield* makeAccount("free_trial"))
      assert.deepInclude(
        yield* trial(
          failure("register_referral_lead", { referring_lead_id: 1, lead_name: "B", lead_email: "b@x.example" })
        ),
        { _tag: "PlanRequired" }
      )
    })
  )

  it.effect("does not bring back who was erased", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const referring = yield* me(insertLead())
      yield* sql`
        insert into lead_tombstone (account_id, contact_digest)
        select account_id, contact_digest(tombstone_key, 'email', 'gone@x.example') from account
        where account_id = ${caller.accountId}`
      const error = yield* me(
        failure("register_referral_lead", {
          referring_lead_id: referring,
          lead_name: "B",
          lead_email: "gone@x.example"
        })
      )
      assert.deepInclude(error, { _tag: "Refused", reason: "lead_erased" })
    })
  )
})
