import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { adapters } from "../../src/Layers/Crm/Adapters/Adapters.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { isCrmName } from "../../src/Services/Crm/Ids.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import {
  answered,
  CrmTransportProbe,
  CrmWorld,
  connected,
  isWrite,
  newLead,
  recordsAt,
  sync,
  timedOutAfter
} from "./support/CrmWorld.ts"
import { crmKinds } from "./support/crmKinds.ts"

const crms = Object.keys(adapters).filter(isCrmName)

const happened = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    yield* sql`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, reply_text, created_at)
      values (${accountId}, ${leadId}, 'inbound', 'received', ${`<${leadId}@x>`}, 'a@lead.example', 'b@ondas.example',
        'Re', 'Quanto custa?', 'Quanto custa?', instant() - interval '4 hours')`
    yield* sql`
      insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through, created_at)
      values (${accountId}, ${leadId}, 'Demonstração', instant() + interval '1 day',
        instant() + interval '25 hours', 'conversation', instant() - interval '3 hours')`
    yield* sql`
      insert into voice_call (account_id, lead_id, kind, phone, goal, status, was_picked_up, summary, duration_seconds,
        finished_at)
      values (${accountId}, ${leadId}, 'prospecting', '+5511987654321', 'Marcar', 'completed', true, 'Gostou.', 170,
        instant() - interval '2 hours')`
  })

const queueAgain = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  yield* sql`update crm_lead set state = 'pending' where account_id = ${accountId}`
})

const activities = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly event: string; readonly state: string; readonly id: string | null }>`
    select split_part(event, ' ', 1) as event, state, external_id as id from crm_activity
    where account_id = ${accountId} order by event`
})

/** Where simulators keep meetings. Those of Pipedrive and Twenty keep them with notes, and in Agendor one is a note. */
const meetingKinds: { readonly [crm: string]: string } = {
  hubspot: "meetings",
  crmsuite: "tasks",
  ploomes: "Tasks",
  odoo: "calendar.event",
  omie: "tarefas",
  piperun: "activities",
  nectar: "compromissos",
  moskit: "activities"
}

layer(CrmWorld, { excludeTestServices: true })("the conversation with a lead", (it) => {
  it.effect.each(crms)("is at %s: each event once, though the lead was there before", (crm) =>
    connected(
      crm,
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const leads = yield* Leads
        const unit = yield* UnitOfWork
        const leadId = yield* newLead({ status: "Interested" })
        yield* sync
        const { company, deal, note, person } = crmKinds[crm]
        const counted = Effect.forEach([company, person, deal], (kind) =>
          Effect.map(recordsAt(crm, kind), (records) => records.length)
        )
        const before = yield* counted
        yield* happened(leadId)
        yield* unit.write(leads.transition(leadId, "register_won", { data: { deal_value_brl: 1500 } }))
        yield* queueAgain
        yield* sync
        const noted = yield* activities
        assert.deepStrictEqual(
          noted.map(({ event, state }) => [event, state]),
          [
            ["call", "made"],
            ["mail", "made"],
            ["meeting", "made"],
            ["outcome", "made"]
          ]
        )
        assert.isTrue(noted.every(({ id }) => id !== null && id !== ""))
        assert.strictEqual(new Set(noted.map(({ id }) => id)).size, 4)
        assert.deepStrictEqual(yield* counted, before, "the lead itself is not sent again")
        const texts = JSON.stringify(yield* recordsAt(crm, note))
        for (const text of ["Quanto custa?", "Gostou.", "Negócio ganho", "1.500,00"]) assert.include(texts, text)
        const meetings = (yield* recordsAt(crm, meetingKinds[crm] ?? note)).map(({ body }) => JSON.stringify(body))
        assert.lengthOf(
          meetings.filter((meeting) => meeting.includes("Demonstração")),
          1
        )

        road.clear()
        yield* queueAgain
        yield* sync
        assert.deepStrictEqual(
          road.requests.filter(({ line }) => !line.startsWith("GET")).map(({ line }) => line),
          []
        )
      })
    )
  )

  it.effect("is not repeated where it is unknown whether a note was made, and is where it was refused", () =>
    connected(
      "pipedrive",
      Effect.gen(function* () {
        const road = yield* CrmTransportProbe
        const leadId = yield* newLead({ status: "Interested" })
        yield* sync
        yield* happened(leadId)
        road.plan((request) => isWrite(request) && String(request.body).includes("Quanto custa?"), timedOutAfter)
        road.plan((request) => isWrite(request) && String(request.body).includes("Gostou."), answered(503, ""))
        for (let turn = 0; turn < 4; turn++) {
          yield* queueAgain
          yield* sync
        }
        const texts = (yield* recordsAt("pipedrive", "note")).map(({ body }) => JSON.stringify(body))
        for (const text of ["Quanto custa?", "Demonstração", "Gostou."]) {
          assert.lengthOf(
            texts.filter((each) => each.includes(text)),
            1,
            text
          )
        }
      })
    )
  )
})
