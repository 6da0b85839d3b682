import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { OutcomesGroup } from "../../src/Tools/Outcomes/Outcomes.ts"
import { claimTouches, composeAll, TestEngine } from "../Outreach/support/touches.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([OutcomesGroup])

let messages = 0

/** Leads of a sector who each replied several times on Thursdays at an hour of UTC. */
const insertAnswering = (
  accountId: number,
  {
    hour,
    industry,
    leads,
    replies
  }: { readonly leads: number; readonly replies: number; readonly hour: number; readonly industry: string }
) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with made as (
        insert into lead (account_id, name, status, pipeline_state, industry, time_zone)
        select ${accountId}, 'Lead', 'Cold', 'finished', ${industry}, 'UTC' from generate_series(1, ${leads}) returning lead_id
      )
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at)
      select ${accountId}, lead_id, 'inbound', 'received', '<steer' || lead_id || '.' || n || '.' || ${++messages} || '@x>',
        'a@x', 'b@x', 'Re', 'Yes', (date_trunc('week', now() at time zone 'UTC') - make_interval(weeks => n)
          + interval '3 days' + make_interval(hours => ${hour}::int)) at time zone 'UTC'
      from made, generate_series(1, ${replies}) n`
  )

/** The next touch of a lead that is first contacted on Monday, 2 March, with its history. */
const contact = (accountId: number, industry: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [lead] = yield* sql<{ readonly id: number }>`
      insert into lead (account_id, name, email, company, industry, status, pipeline_state, next_touch_at, time_zone)
      values (${accountId}, 'Ana Lima', ${`steer${++messages}@client.example`}, 'Acme', ${industry}, 'Cold', 'in_pipeline',
        instant() - interval '1 hour', 'UTC') returning lead_id as id`
    yield* claimTouches
    yield* composeAll
    const id = LeadId.make(lead?.id ?? 0)
    const [row] = yield* sql<{ readonly at: string }>`
      select to_char(next_touch_at at time zone 'UTC', 'YYYY-MM-DD HH24') as at from lead
      where account_id = ${accountId} and lead_id = ${id}`
    return { id, at: row?.at }
  })

layer(TestEngine, { excludeTestServices: true })("the next touch of a lead", (it) => {
  it.effect("goes to the hour at which its account's leads answer, and its history says so", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const { accountId } = caller
      yield* insertAnswering(accountId, { leads: 10, replies: 3, hour: 15, industry: "Padarias" })
      const { at, id } = yield* contact(accountId, "Mineração")
      assert.strictEqual(at, "2026-03-05 15")
      const history = yield* as(caller)(answerOf(catalog, "list_lead_lifecycle_events", { lead_id: id }))
      assert.nestedPropertyVal(history, "events[0].event_type", "touch_scheduled")
      assert.nestedPropertyVal(history, "events[0].reason", "best_hours_of_account")
      assert.nestedInclude(history, { "events[0].data.hour": 15, "events[0].data.reply_count": 30 })
    })
  )

  it.effect("rather to that of its sector, where that has enough replies", () =>
    Effect.gen(function* () {
      const { accountId } = yield* makeAccount()
      yield* insertAnswering(accountId, { leads: 10, replies: 3, hour: 15, industry: "Padarias" })
      yield* insertAnswering(accountId, { leads: 5, replies: 4, hour: 9, industry: "Odontologia" })
      assert.strictEqual((yield* contact(accountId, "ODONTOLOGIA")).at, "2026-03-05 09")
      assert.strictEqual((yield* contact(accountId, "Padarias")).at, "2026-03-05 15")
    })
  )

  it.effect("is where the cadence has it while too little is known, or where all answers come outside the window", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* insertAnswering(accountId, { leads: 9, replies: 3, hour: 15, industry: "Padarias" })
      const few = yield* contact(accountId, "Mineração")
      const late = yield* makeAccount()
      yield* insertAnswering(late.accountId, { leads: 10, replies: 3, hour: 23, industry: "Padarias" })
      const outside = yield* contact(late.accountId, "Mineração")
      for (const { at } of [few, outside]) assert.match(at ?? "", /^2026-03-05 1[2-5]$/)
      const historyRows = yield* sql`
        select from lead_lifecycle_event where account_id in (${accountId}, ${late.accountId})
          and event_type = 'touch_scheduled'`
      assert.lengthOf(historyRows, 0)
    })
  )
})
