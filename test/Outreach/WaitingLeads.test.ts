import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { LeadProfile } from "../../src/Services/Leads/LeadModel.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadsGroup } from "../../src/Tools/Groups/Leads.ts"
import { ProspectingConfigurationGroup } from "../../src/Tools/Prospecting/ProspectingConfiguration.ts"
import { VoiceCallsGroup } from "../../src/Tools/Voice/VoiceCalls.ts"
import { insertLine } from "../support/channels/ChatAppServices.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { claimTouches, composeAll, TestEngine } from "./support/touches.ts"

const catalog = Catalog.make([LeadsGroup, ProspectingConfigurationGroup, VoiceCallsGroup])
const call = (name: string, args: object = {}) => answerOf(catalog, name, args)

const profileOf = (lead_id: LeadId) => Effect.flatMap(call("get_lead", { lead_id }), Schema.decodeUnknown(LeadProfile))

const due = { time_zone: "UTC", next_touch_at: "2026-01-01T00:00:00Z" }
const phoneAlone = { ...due, email: null, phone: "+5511987650001" }

/** Touches of these tests are composed on an earlier day, so the next look is moved to tomorrow. */
const skippedOnce = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* claimTouches
  yield* composeAll
  yield* sql`
    update lead /* of a test */ set next_touch_at = instant() + interval '1 day' where next_touch_at is not null`
})

const isDue = (lead: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql`
      select from lead where account_id = ${accountId} and lead_id = ${lead} and next_touch_at <= instant()`
    return rows.length === 1
  })

layer(TestEngine, { excludeTestServices: true })("a lead that waits", (it) => {
  it.effect("for active prospecting says so, and is due at once when the mode changes", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(call("set_prospecting_preferences", { mode: "Passive" }))
      const lead = yield* me(insertLead(due))
      yield* skippedOnce
      assert.deepInclude(yield* me(profileOf(lead)), {
        blocks: [],
        waiting_for: [{ reason: "passive_mode", until: null }]
      })
      assert.isFalse(yield* me(isDue(lead)))
      yield* me(call("set_prospecting_preferences", { mode: "Active" }))
      assert.isTrue(yield* me(isDue(lead)))
      assert.deepInclude(yield* me(profileOf(lead)), { blocks: [], waiting_for: [] })
    })
  )

  it.effect("for a channel says that it has none, and is due at once when calls are turned on", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(phoneAlone))
      yield* skippedOnce
      assert.deepInclude(yield* me(profileOf(lead)), { blocks: ["no_reachable_channel"], waiting_for: [] })
      assert.isFalse(yield* me(isDue(lead)))
      yield* me(call("set_voice_calling_active", { active: true }))
      assert.isTrue(yield* me(isDue(lead)))
      assert.deepInclude(yield* me(profileOf(lead)), { blocks: [], waiting_for: [] })
    })
  )

  it.effect("for templates to be allowed is due at once when they are", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLine())
      yield* me(call("set_allow_template_chatapp_messages", { allowed: false }))
      const lead = yield* me(insertLead({ ...phoneAlone, phone: "+5511987650002" }))
      yield* skippedOnce
      assert.deepInclude(yield* me(profileOf(lead)), { blocks: ["no_reachable_channel"] })
      yield* me(call("set_allow_template_chatapp_messages", { allowed: true }))
      assert.isTrue(yield* me(isDue(lead)))
      assert.deepInclude(yield* me(profileOf(lead)), { blocks: [] })
    })
  )

  it.effect("keeps a date that the owner set", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead = yield* me(insertLead(phoneAlone))
      yield* skippedOnce
      const sql = yield* SqlClient
      yield* me(
        Effect.flatMap(
          Caller,
          ({ accountId }) => sql`
            update lead /* of a test */ set next_touch_at = '2031-01-01', next_touch_wished_at = '2031-01-01'
            where account_id = ${accountId}`
        )
      )
      yield* me(call("set_voice_calling_active", { active: true }))
      assert.deepInclude(yield* me(profileOf(lead)), {
        waiting_for: [{ reason: "date_of_owner", until: Timestamp.make("2031-01-01T00:00:00Z") }]
      })
    })
  )

  it.effect("for the account's names says which are missing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`update business_profile set business_name = null where account_id = ${caller.accountId}`
      const outside = yield* me(insertLead(due))
      const campaign = yield* me(insertCampaign("Clínicas", { business_name: "Clínica Sol" }))
      const inside = yield* me(insertLead({ ...due, campaign_id: campaign }))
      assert.deepInclude(yield* me(profileOf(outside)), {
        blocks: ["account_not_eligible"],
        eligibility_reasons: ["business_name_missing"]
      })
      assert.deepInclude(yield* me(profileOf(inside)), { blocks: [], eligibility_reasons: [] })
    })
  )
})
