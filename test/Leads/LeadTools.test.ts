import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { LeadsGroup } from "../../src/Tools/Groups/Leads.ts"
import { insertCampaign, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([LeadsGroup])
const call = (name: string, args: object = {}) => answerOf(catalog, name, args)
const failure = (name: string, args: object = {}) => Effect.flip(callTool(catalog, name, args))

const Listed = Schema.Struct({ leads: Schema.Array(Schema.Struct({ name: Schema.String })), total: Schema.Number })
const namesIn = (answer: unknown) => Schema.decodeUnknownSync(Listed)(answer).leads.map(({ name }) => name)
const field =
  (name: string) =>
  (answer: unknown): unknown =>
    Schema.decodeUnknownSync(Schema.Record({ key: Schema.String, value: Schema.Unknown }))(answer)[name]

/** Registers a lead of the caller through the tools. Returns its id. */
const registered = (args: object = {}) =>
  Effect.map(call("register_lead", { name: "Ana", email: "ana@example.com", ...args }), (answer) =>
    Number(field("lead_id")(answer))
  )

layer(LeadServices, { excludeTestServices: true })("the Leads tools", (it) => {
  it.effect("register, show, find and update a lead", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answer = yield* me(
        call("register_lead", { name: "Ana Souza", email: "ANA@example.com", phone: 11987654321, company: "Souza" })
      )
      const lead_id = field("lead_id")(answer)
      assert.deepStrictEqual(answer, {
        lead_id,
        created: true,
        filled: [],
        not_filled: [],
        status: "Cold",
        pipeline_state: "in_pipeline",
        blocks: [],
        eligibility_reasons: []
      })
      assert.deepInclude(yield* me(call("get_lead", { lead_id: String(lead_id) })), {
        name: "Ana Souza",
        email: "ana@example.com",
        phone: "+5511987654321",
        company: "Souza",
        emails: []
      })
      yield* me(call("update_lead", { lead_id, status: "Interested", goal: "A demo", background: null }))
      const foundPage = yield* me(call("search_leads", { query: "ána", status: "Interested", has_linkedin: false }))
      assert.deepStrictEqual(namesIn(foundPage), ["Ana Souza"])
      assert.deepInclude(foundPage, { page: 0, page_size: 20, total: 1 })
    })
  )

  it.effect("answer the lead that exists instead of a second one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(registered())
      const again = yield* me(call("register_lead", { name: "Ana", email: "ana@example.com", status: "Confirmed" }))
      assert.deepInclude(again, { lead_id, created: false, status: "Cold" })
    })
  )

  it.effect("search with the dates as they are meant", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLead({ name: "early", created_at: "2026-03-01T00:00:00Z" }))
      yield* me(
        insertLead({ name: "late", created_at: "2026-03-02T23:59:59.9Z", last_inbound_at: "2026-03-05T00:00:00Z" })
      )
      const namesFound = (args: object) => Effect.map(me(call("search_leads", args)), namesIn)
      assert.deepStrictEqual(yield* namesFound({ created_before: "2026-03-02" }), ["late", "early"])
      assert.deepStrictEqual(yield* namesFound({ created_before: "2026-03-02T00:00:00Z" }), ["early"])
      assert.deepStrictEqual(yield* namesFound({ created_after: "2026-03-01" }), ["late", "early"])
      assert.deepStrictEqual(yield* namesFound({ created_after: "2026-03-01T00:00:01Z" }), ["late"])
      assert.deepStrictEqual(yield* namesFound({ last_prospecting_message_after: "2026-03-05" }), ["late"])
      assert.deepStrictEqual(yield* namesFound({ last_prospecting_message_after: "2026-03-06" }), [])
    })
  )

  it.effect("search leniently where that loses nothing", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertLead({ name: "Ana" }))
      const searchWith = (args: object) => me(call("search_leads", args))
      assert.deepStrictEqual(namesIn(yield* searchWith({ sort_by: "nonsense" })), ["Ana"])
      assert.deepStrictEqual(namesIn(yield* searchWith({ query: "  ", campaign: "" })), ["Ana"])
      assert.deepStrictEqual(namesIn(yield* searchWith({ query: "a\u0007na\n" })), ["Ana"])
      assert.deepInclude(yield* searchWith({ page_size: 1000 }), { page_size: 100 })
    })
  )

  it.effect("refuse what they do not take, and say what they do", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(registered())
      const cases = [
        ["search_leads", { status: "Warm" }, "value_not_accepted"],
        ["search_leads", { created_after: "yesterday" }, "not_a_date"],
        ["search_leads", { page: -1 }, "out_of_range"],
        ["update_lead", { lead_id, status: "Frozen" }, "value_not_accepted"],
        ["register_lead", { name: " " }, "text_empty"],
        ["register_lead", { name: "Ana", status: "Interested" }, "value_not_accepted"],
        ["register_lead", { name: "Ana", email: "ana" }, "invalid_email"],
        ["register_lead", { name: "Ana", phone: "1" }, "invalid_phone"],
        ["pause_lead_prospecting", { lead_id, reason: "" }, "text_empty"],
        ["send_message_to_lead", { lead_id, subject: "a\nb", body: "c" }, "control_characters"],
        ["send_message_to_lead", { lead_id, subject: "a", body: " " }, "text_empty"],
        ["list_paused_prospecting_leads", { after_lead_id: -1 }, "out_of_range"]
      ] as const
      for (const [name, args, reason] of cases) {
        assert.deepInclude(yield* me(failure(name, args)), { _tag: "Refused", reason }, name)
      }
    })
  )

  it.effect("move a lead through the pipeline", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(registered())
      const paused = yield* me(call("pause_lead_prospecting", { lead_id, reason: "on holiday" }))
      assert.deepInclude(paused, { changed: true, is_paused: true, pause_reason: "on holiday" })
      assert.deepInclude(yield* me(call("list_paused_prospecting_leads")), { total: 1, next_after_lead_id: null })
      assert.deepInclude(yield* me(call("resume_lead_prospecting", { lead_id })), { is_paused: false, blocks: [] })
      assert.deepInclude(yield* me(call("resume_lead_prospecting", { lead_id })), { changed: false })

      const takenOver = yield* me(call("take_over_lead", { lead_id }))
      assert.deepInclude(takenOver, { pipeline_state: "user_controlled", next_touch_at: null })
      const refused = yield* me(failure("return_lead_to_pipeline", { lead_id }))
      assert.deepInclude(refused, { _tag: "Refused", reason: "lead_user_controlled", fields: { lead_id } })
      const stopped = yield* me(call("stop_lead", { lead_id, reason: "bought elsewhere" }))
      assert.deepInclude(stopped, { pipeline_state: "finished", blocks: ["finished"] })
      assert.deepInclude(yield* me(call("stop_lead", { lead_id })), { changed: false })
      assert.deepInclude(yield* me(failure("take_over_lead", { lead_id })), {
        _tag: "Refused",
        reason: "lead_finished"
      })
      assert.deepInclude(yield* me(failure("pause_lead_prospecting", { lead_id, reason: "why" })), {
        _tag: "Refused",
        reason: "lead_finished"
      })
    })
  )

  it.effect("list what waits for review, and return it with instructions and a date", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(
        insertLead({
          name: "Rita",
          pipeline_state: "pending_review",
          review_requested_at: "2026-03-01T00:00:00Z",
          review_reason: "asks for a discount"
        })
      )
      const listed = yield* me(call("list_pending_review"))
      assert.deepStrictEqual(namesIn(listed), ["Rita"])
      const returned = yield* me(
        call("return_lead_to_pipeline", { lead_id, instructions: "ten per cent", next_touch_date: "2027-01-02" })
      )
      assert.deepInclude(returned, {
        changed: true,
        pipeline_state: "in_pipeline",
        next_touch_at: "2027-01-02T00:00:00Z",
        next_touch_instructions: "ten per cent"
      })
      assert.deepStrictEqual(yield* me(call("list_pending_review")), { leads: [], total: 0 })
    })
  )

  it.effect("send a message, and list it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(registered())
      const sent = yield* me(call("send_message_to_lead", { lead_id, subject: "Hello", body: "How are you?" }))
      assert.deepInclude(sent, { status: "queued", to_address: "ana@example.com" })
      assert.deepInclude(field("lead")(sent), { pipeline_state: "user_controlled", changed: true })
      const listed = yield* me(call("list_lead_emails", { lead_id }))
      assert.deepInclude(listed, { page: 0, page_size: 20, total: 1, outbound_total: 1, inbound_total: 0 })
      const [email] = Schema.decodeUnknownSync(Schema.Array(Schema.Unknown))(field("emails")(listed))
      assert.deepInclude(email, { direction: "outbound", status: "queued", subject: "Hello", body: "How are you?" })
      const brief = yield* me(call("list_lead_emails", { lead_id, include_bodies: "false" }))
      assert.notInclude(JSON.stringify(brief), "How are you?")
    })
  )

  it.effect("delete a lead for good", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const lead_id = yield* me(registered())
      assert.deepInclude(yield* me(call("delete_lead", { lead_id, reason: "asked for it" })), {
        lead_id,
        tombstones: 1
      })
      assert.deepInclude(yield* me(failure("get_lead", { lead_id })), { _tag: "NotFound", reason: "lead_not_found" })
      assert.deepInclude(yield* me(failure("register_lead", { name: "Ana", email: "ana@example.com" })), {
        _tag: "Refused",
        reason: "lead_erased"
      })
    })
  )

  it.effect("export in the background", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const campaign = yield* me(insertCampaign("Clinics"))
      const started = yield* me(call("export_leads", { campaign: "clinics", created_before: "2026-03-01", query: " " }))
      assert.deepInclude(started, { status: "queued" })
      const rows = yield* sql`
        select lead_export_id, job_id, filter from lead_export where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [
        {
          lead_export_id: field("lead_export_id")(started),
          job_id: field("job_id")(started),
          filter: { campaignId: campaign, createdBefore: "2026-03-02T00:00:00Z" }
        }
      ])
      const unknown = yield* me(failure("export_leads", { campaign: "nowhere" }))
      assert.deepInclude(unknown, { _tag: "NotFound", reason: "campaign_not_found" })
    })
  )

  it.effect("say the same of a lead of another account as of one that never was", () =>
    Effect.gen(function* () {
      const foreign = yield* as(yield* makeAccount())(registered())
      const me = as(yield* makeAccount())
      const calls = [
        ["get_lead", {}],
        ["list_lead_emails", {}],
        ["pause_lead_prospecting", { reason: "why" }],
        ["resume_lead_prospecting", {}],
        ["return_lead_to_pipeline", {}],
        ["send_message_to_lead", { subject: "a", body: "b" }],
        ["stop_lead", {}],
        ["take_over_lead", {}],
        ["update_lead", { status: "Closed" }],
        ["delete_lead", {}]
      ] as const
      for (const [name, args] of calls) {
        const theirs = yield* me(failure(name, { ...args, lead_id: foreign }))
        const unused = yield* me(failure(name, { ...args, lead_id: 987_654_321 }))
        assert.strictEqual(theirs._tag, "NotFound", name)
        assert.strictEqual(JSON.stringify(theirs).replaceAll(`${foreign}`, "987654321"), JSON.stringify(unused), name)
      }
    })
  )
})
