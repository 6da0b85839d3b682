import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Domain } from "../../../src/Layers/App.ts"
import { claimTouches } from "../../../src/Layers/Outreach/ClaimTouches.ts"
import { makeComposeTouchHandler } from "../../../src/Layers/Outreach/ComposeTouch.ts"
import { AccountsPostgres } from "../../../src/Layers/Postgres/Accounts.ts"
import { LeadId } from "../../../src/Services/LeadModel.ts"
import { Leads } from "../../../src/Services/Leads.ts"
import { UnitOfWork } from "../../../src/Services/UnitOfWork.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { TestSettings } from "../../support/TestSettings.ts"

const TestEngine = Domain.pipe(
  Layer.provideMerge(AccountsPostgres),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestSettings)
)

const makeLeads = (accountId: number, count: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly id: number }>`
      insert into lead (account_id, name, email, company, status, pipeline_state, next_touch_at, time_zone)
      select ${accountId}, 'Lead ' || n, 'lead' || n || '@client.example', 'Company ' || n, 'Cold', 'in_pipeline',
        instant() - interval '1 hour', 'UTC'
      from generate_series(1, ${count}) n returning lead_id as id`
  )

/** A Monday at noon, so that the tests do not depend on when they run. */
const monday = Date.parse("2026-03-02T12:00:00Z")
const onMonday: Clock.Clock = Object.assign(Clock.make(), {
  unsafeCurrentTimeMillis: () => monday,
  currentTimeMillis: Effect.succeed(monday)
})

/** Runs the tasks that wait to be composed, as the job engine would. */
const composeAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const handler = yield* makeComposeTouchHandler
  const waiting = yield* sql<{ readonly stored: unknown }>`
    select json_build_object('accountId', account_id, 'leadId', lead_id, 'touchId', touch_id) as stored
    from touch where status = 'writing'`
  yield* Effect.forEach(waiting, ({ stored }) => handler.run(stored, { id: "1", attempt: 1, maxAttempts: 6 }))
}).pipe(Effect.withClock(onMonday))

layer(TestEngine, { excludeTestServices: true })("the touch loop", (it) => {
  it.effect("claims each due lead once, however many claim at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      yield* makeLeads(accountId, 60)
      yield* Effect.all(
        Array.from({ length: 6 }, () => claimTouches),
        { concurrency: "unbounded" }
      )
      yield* claimTouches
      const rows = yield* sql<{ readonly touches: number; readonly leads: number }>`
        select count(*) as touches, count(distinct lead_id) as leads from touch where account_id = ${accountId}`
      assert.deepStrictEqual(rows, [{ touches: 60, leads: 60 }])
    })
  )

  it.effect("writes and queues a first mail, and sets the next touch", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* makeAccount()
      const [lead] = yield* makeLeads(accountId, 1)
      yield* claimTouches
      yield* composeAll
      yield* composeAll
      const mails = yield* sql<{ readonly subject: string; readonly body: string; readonly type: string }>`
        select subject, body_text as body, message_type as type from email_message where account_id = ${accountId}`
      const state = yield* sql`
        select touch_count, next_touch_at::date::text as next from lead
        where account_id = ${accountId} and lead_id = ${lead?.id}`
      assert.lengthOf(mails, 1)
      assert.isNotEmpty(mails[0]?.subject)
      assert.include(mails[0]?.body, "Company 1")
      assert.strictEqual(mails[0]?.type, "first_contact")
      assert.deepStrictEqual(state, [{ touch_count: 1, next: "2026-03-05" }])
    })
  )

  it.effect("a lead that was stopped after the claim gets nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const [lead] = yield* makeLeads(caller.accountId, 1)
      yield* claimTouches
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      yield* unit.write(as(caller)(leads.transition(LeadId.make(lead?.id ?? 0), "stop")))
      yield* composeAll
      const mails = yield* sql`select from email_message where account_id = ${caller.accountId}`
      const touches = yield* sql`select status from touch where account_id = ${caller.accountId}`
      assert.lengthOf(mails, 0)
      assert.deepStrictEqual(touches, [{ status: "skipped" }])
    })
  )

  it.effect("leads of a paused campaign, a paused account and paused leads are passed over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const inactive = yield* makeAccount()
      const active = yield* makeAccount()
      yield* makeLeads(inactive.accountId, 2)
      yield* makeLeads(active.accountId, 3)
      yield* sql`update account set is_prospecting_active = false where account_id = ${inactive.accountId}`
      yield* sql`
        with paused as (
          insert into campaign (account_id, name, is_active) values (${active.accountId}, 'Paused', false)
          returning campaign_id
        )
        update lead set campaign_id = (select campaign_id from paused)
        where account_id = ${active.accountId} and name = 'Lead 1'`
      yield* sql`update lead set paused_at = instant() where account_id = ${active.accountId} and name = 'Lead 2'`
      yield* claimTouches
      const touched = yield* sql`
        select l.name from touch t join lead l using (account_id, lead_id)
        where account_id in (${inactive.accountId}, ${active.accountId})`
      assert.deepStrictEqual(touched, [{ name: "Lead 3" }])
    })
  )
})
