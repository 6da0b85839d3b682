import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer, it as plainIt } from "@effect/vitest"
import { Effect, Either, JSONSchema, Predicate } from "effect"
import { makeSandboxActs } from "../../src/Layers/Calendar/sandbox/CalendarSandboxEndpoints.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { LeadPipelineView } from "../../src/Services/Leads/LeadModel.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { testGateway } from "../support/servers/TestServer.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const call = (name: string, args: object = {}) => answerOf(AllTools, name, args)

/** The value of a field, at any depth of an answer. */
const fieldIn = (answer: unknown, name: string): unknown => {
  if (typeof answer !== "object" || answer === null) return undefined
  if (Predicate.hasProperty(answer, name)) return answer[name]
  return Object.values(answer)
    .map((value) => fieldIn(value, name))
    .find((value) => value !== undefined)
}
const textIn = (answer: unknown, name: string): string => String(fieldIn(answer, name))

/** Tools whose answers say by `changed` whether they changed something. */
const toolsWithFlag = AllTools.entries.flatMap(({ tool }) =>
  tool.kind !== "read" && JSON.stringify(JSONSchema.make(tool.returns)).includes('"changed":') ? [tool.name] : []
)

/** A call, with the read that shows what it changes, and what happens before it. */
interface Try<R> {
  readonly args: object
  readonly read: Effect.Effect<unknown, unknown, R>
  readonly prepare?: Effect.Effect<unknown, unknown, R>
}

/** Calls a tool, and holds its flag against reads before and after. A refused call changes nothing. */
const judge = <R>(tool: string, { args, read }: Try<R>) =>
  Effect.gen(function* () {
    const before = yield* read
    const answer = yield* Effect.either(callTool(AllTools, tool, args))
    const isChanged = Either.isRight(answer) && fieldIn(answer.right, "changed") === true
    const after = yield* read
    const differs = JSON.stringify(before) !== JSON.stringify(after)
    assert.strictEqual(isChanged, differs, `${tool} ${JSON.stringify(args)}: ${JSON.stringify([before, after])}`)
    return isChanged
  })

/** Makes each call twice. There must be calls that change something, and calls that change nothing. */
const judgeAll = <R, E, R2>(tool: string, tries: Effect.Effect<ReadonlyArray<Try<R>>, E, R2>) =>
  Effect.gen(function* () {
    const flags: Array<boolean> = []
    for (const one of yield* tries) {
      yield* one.prepare ?? Effect.void
      flags.push(yield* judge(tool, one))
      flags.push(yield* judge(tool, one))
    }
    assert.sameMembers([...new Set(flags)], [true, false], tool)
  })

/** The lead's part of the answers, with its whole history. */
const readLead = (leadId: number) =>
  Effect.gen(function* () {
    const profile = yield* call("get_lead", { lead_id: leadId })
    const { lead_id: _, changed: _changed, ...fields } = LeadPipelineView.fields
    return [
      Object.keys(fields).map((name) => fieldIn(profile, name)),
      yield* call("list_lead_lifecycle_events", { lead_id: leadId, limit: 200 })
    ]
  })

const march = "2027-03-01T09:00:00Z"

/** Leads in every state of the pipeline, with and without a next touch, a wish of the owner, and a pause. */
const leadColumns = [
  { pipeline_state: "not_started" },
  { next_touch_at: march },
  { next_touch_at: march, next_touch_wished_at: march, next_touch_instructions: "Offer a call" },
  { next_touch_at: null },
  { next_touch_at: march, paused_at: march, pause_reason: "On holiday" },
  { pipeline_state: "pending_review", review_requested_at: march, review_reason: "Asks for a discount" },
  { pipeline_state: "user_controlled" },
  { pipeline_state: "user_controlled", is_taken_over: true },
  { pipeline_state: "finished" },
  { pipeline_state: "finished", final_outcome: "won", status: "Closed" },
  { pipeline_state: "finished", final_outcome: "lost" },
  { pipeline_state: "finished", final_outcome: "gave_up" },
  { pipeline_state: "finished", unsubscribed_at: march }
].map((columns) => ({ ...columns, is_taken_over: "is_taken_over" in columns ? "true" : "false" }))

/** Each lead with each of the arguments. */
const ofLeads = (...variants: ReadonlyArray<object>) =>
  Effect.forEach(
    leadColumns.flatMap((columns) => variants.map((args) => ({ args, columns }))),
    ({ args, columns }) =>
      Effect.map(insertLead(columns), (lead_id) => ({ args: { lead_id, ...args }, read: readLead(lead_id) }))
  )

/** Leads with one or two meetings ahead. */
const ofMeetings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* Effect.forEach([1, 2], (meetings) =>
    Effect.gen(function* () {
      const leadId = yield* insertLead({ pipeline_state: "user_controlled" })
      const rows = yield* sql<{ readonly id: number }>`
        insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
        select ${accountId}, ${leadId}, 'A call', instant() + make_interval(days => day),
          instant() + make_interval(days => day, mins => 30), 'conversation'
        from generate_series(1, ${meetings}) day returning meeting_id as id`
      return { args: { meeting_id: rows[0]?.id, next_touch_date: march }, read: readLead(leadId) }
    })
  )
})

const ofCampaign = (columns: { readonly is_active?: boolean }, args: object = {}) =>
  Effect.gen(function* () {
    const name = `Campaign ${crypto.randomUUID()}`
    const campaignId = yield* insertCampaign(name, columns)
    // A renamed campaign is found by its id.
    return { args: { name: `${campaignId}`, ...args }, read: call("get_campaign", { campaign: `${campaignId}` }) }
  })

const connect = (service: string) =>
  Effect.flatMap(OAuth, (oauth) => oauth.consentInSandbox(service, `${service}@ondas.example`))

const day = "2027-02-01"
const readDay = call("list_calendar_events", { date: day })
const makeEvent = Effect.map(
  call("create_calendar_event", { summary: "Visit", start_utc: `${day}T13:00:00Z`, end_utc: `${day}T14:00:00Z` }),
  (event) => textIn(event, "event_id")
)

const ofCalendar = (argsOf: (eventId: string) => ReadonlyArray<object>) =>
  Effect.gen(function* () {
    yield* connect("calendar")
    return argsOf(yield* makeEvent).map((args) => ({ args, read: readDay }))
  })

const cases = {
  pause_lead_prospecting: judgeAll("pause_lead_prospecting", ofLeads({ reason: "On holiday" })),
  resume_lead_prospecting: judgeAll("resume_lead_prospecting", ofLeads({})),
  return_lead_to_pipeline: judgeAll(
    "return_lead_to_pipeline",
    ofLeads({}, { instructions: "Offer a call" }, { next_touch_date: march })
  ),
  stop_lead: judgeAll("stop_lead", ofLeads({}, { reason: "Bought elsewhere" })),
  take_over_lead: judgeAll("take_over_lead", ofLeads({})),
  send_message_to_lead: judgeAll("send_message_to_lead", ofLeads({ subject: "Friday", body: "Does 10 suit you?" })),
  recover_lead_to_pipeline: judgeAll("recover_lead_to_pipeline", ofLeads({}, { owner_context: "We met at the fair" })),
  register_lead_outcome: judgeAll(
    "register_lead_outcome",
    ofLeads(
      { outcome: "won", deal_value_brl: 100 },
      { outcome: "won" },
      { outcome: "lost", reason: "Price" },
      { outcome: "gave_up" },
      { outcome: "negotiating" },
      { outcome: "unresponsive", reason: "No answer" }
    )
  ),
  cancel_lead_meeting: judgeAll("cancel_lead_meeting", ofMeetings),
  rename_campaign: judgeAll(
    "rename_campaign",
    Effect.map(ofCampaign({}, { new_name: "Clínicas" }), (one) => [one])
  ),
  pause_campaign: judgeAll("pause_campaign", Effect.all([ofCampaign({}), ofCampaign({ is_active: false })])),
  resume_campaign: judgeAll("resume_campaign", Effect.all([ofCampaign({}), ofCampaign({ is_active: false })])),
  set_prospecting_active: judgeAll(
    "set_prospecting_active",
    Effect.succeed([true, false].map((active) => ({ args: { active }, read: call("get_prospecting_config") })))
  ),
  disconnect_crm: judgeAll(
    "disconnect_crm",
    Effect.as(call("connect_crm", { crm_name: "pipedrive", api_token: "sandbox-one" }), [
      { args: { crm_name: "pipedrive" }, read: call("list_crm_integrations") },
      { args: { crm_name: "moskit" }, read: call("list_crm_integrations") }
    ])
  ),
  set_scheduler_default_event_type: judgeAll(
    "set_scheduler_default_event_type",
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      yield* connect("scheduler")
      const uri = textIn(yield* call("list_scheduler_event_types"), "uri")
      const read = call("get_scheduler_status")
      // Since the type was chosen, it got another name at the scheduler.
      const rename = sql`
        update scheduler_account set default_event_type_name = 'An earlier name' where account_id = ${accountId}`
      return [
        { args: { event_type_uri: uri }, read },
        { args: { event_type_uri: uri }, read, prepare: rename },
        { args: { event_type_uri: "" }, read }
      ]
    })
  ),
  disconnect_scheduler: judgeAll(
    "disconnect_scheduler",
    Effect.as(connect("scheduler"), [{ args: { user_has_confirmed: true }, read: call("get_scheduler_status") }])
  ),
  update_calendar_event: judgeAll(
    "update_calendar_event",
    ofCalendar((event_id) => [
      { event_id, summary: "Second visit" },
      { event_id, start_utc: `${day}T12:00:00Z` },
      { event_id, attendees: "Ana@acme.example" },
      { event_id, attendees: "ana@acme.example" }
    ])
  ),
  delete_calendar_event: judgeAll(
    "delete_calendar_event",
    ofCalendar((event_id) => [{ event_id }])
  ),
  respond_calendar_event: judgeAll(
    "respond_calendar_event",
    Effect.gen(function* () {
      yield* connect("calendar")
      const { act } = yield* makeSandboxActs
      const invitation = yield* act({
        act: "create",
        summary: "Visit",
        start: `${day}T13:00:00Z`,
        end: `${day}T14:00:00Z`,
        attendees: [],
        organizer: "client@acme.example"
      })
      const event_id = textIn(invitation, "id")
      return [true, false].map((accept) => ({ args: { event_id, accept }, read: readDay }))
    })
  ),
  disconnect_calendar: judgeAll(
    "disconnect_calendar",
    Effect.as(connect("calendar"), [{ args: { user_has_confirmed: true }, read: call("get_calendar_status") }])
  )
}

/** The leads that a call names under `field` are those that a read shows changed. */
const judgeLeads = (tool: string, args: object, field: string) =>
  Effect.gen(function* () {
    const leadIds = yield* Effect.forEach(leadColumns, insertLead)
    const readAll = Effect.forEach(leadIds, (lead_id) => Effect.map(call("get_lead", { lead_id }), JSON.stringify))
    const counts: Array<number> = []
    for (const _ of ["once", "again"]) {
      const before = yield* readAll
      const answer = yield* call(tool, { lead_ids: leadIds.join(","), ...args })
      const after = yield* readAll
      const changedIds = leadIds.filter((_lead, index) => before[index] !== after[index])
      assert.deepStrictEqual(fieldIn(answer, field), changedIds, JSON.stringify(args))
      counts.push(changedIds.length)
      const count = fieldIn(answer, "updated_count")
      if (count !== undefined) assert.strictEqual(count, changedIds.length, JSON.stringify(args))
    }
    assert.isAbove(counts[0] ?? 0, 0)
    assert.strictEqual(counts[1], 0)
  })

plainIt("every tool whose answer has `changed` is held against reads", () => {
  assert.sameMembers(Object.keys(cases), toolsWithFlag)
})

const asNewAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test))

layer(testGateway(), { excludeTestServices: true })("an answer", (it) => {
  for (const [tool, test] of Object.entries(cases)) {
    it.effect(`of ${tool} has changed true exactly if a read differs`, () => asNewAccount(test))
  }

  it.effect("of reschedule_lead_touch counts and names the leads of which a read differs", () =>
    asNewAccount(
      Effect.gen(function* () {
        yield* judgeLeads("reschedule_lead_touch", { next_touch_date: march }, "updated_lead_ids")
        yield* judgeLeads("reschedule_lead_touch", { preferred_channel: "Email" }, "updated_lead_ids")
        yield* judgeLeads(
          "reschedule_lead_touch",
          { next_touch_date: "2027-04-01", preferred_channel: "Email" },
          "updated_lead_ids"
        )
      })
    )
  )

  it.effect("of move_leads_to_campaign names the leads that were moved", () =>
    asNewAccount(
      Effect.gen(function* () {
        const campaign = yield* insertCampaign("Clínicas")
        yield* judgeLeads("move_leads_to_campaign", { campaign: `${campaign}` }, "moved_lead_ids")
      })
    )
  )
})
