import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { processAll } from "../../src/Layers/Events/ProcessedNotifications.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { accountNews } from "../../src/Services/Events/AccountNews.ts"
import { Notifications } from "../../src/Services/Events/Notifications.ts"
import { TestEngine } from "../Outreach/support/touches.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const notify = (kind: string, data: { readonly [name: string]: string | number }) =>
  Effect.flatMap(Notifications, (notifications) => notifications.notify({ kind, message: kind, data }))

const pendingKinds = Effect.flatMap(Notifications, ({ pending }) =>
  Effect.map(pending, ({ notifications }) => notifications.map(({ kind }) => kind))
)

interface Request {
  readonly kind: string
  /** Makes what the notification asks for. Returns its data, and the statement that fulfils it. */
  readonly make: Effect.Effect<
    { readonly data: { readonly [name: string]: string | number }; readonly fulfil: string },
    unknown,
    SqlClient | Caller
  >
}

const ofLead = (kind: string, columns: { readonly [column: string]: string }, fulfil: string): Request => ({
  kind,
  make: Effect.map(insertLead(columns), (lead_id) => ({
    data: { lead_id },
    fulfil: `update lead /* of a test */ set ${fulfil} where lead_id = ${lead_id}`
  }))
})

const ofMeeting = (kind: string, fulfil: string): Request => ({
  kind,
  make: Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const lead_id = yield* insertLead({ pipeline_state: "user_controlled" })
    const rows = yield* sql<{ readonly meeting_id: number; readonly starts_at: string }>`
      insert into meeting (account_id, lead_id, title, starts_at, ends_at, booked_through)
      values (${accountId}, ${lead_id}, 'x', date_trunc('second', now()) + interval '1 day', now() + interval '2 days', 'voice')
      returning meeting_id, starts_at`
    const { meeting_id, starts_at } = rows[0] ?? assert.fail("no meeting")
    return {
      data: { lead_id, meeting_id, starts_at },
      fulfil: `update meeting set ${fulfil} where meeting_id = ${meeting_id}`
    }
  })
})

const ofDomain = (kind: string, state: string, fulfil: string): Request => ({
  kind,
  make: Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const domain = `mail${accountId}.example`
    yield* sql`
      insert into sender_domain (account_id, kind, domain, email_address, selector, rsa_public, ed25519_public,
        sealed_keys, created_at)
      values (${accountId}, 'custom', ${domain}, ${`a@${domain}`}, 's', 'x', 'x', '', now())`
    yield* sql`update sender_domain set ${sql.literal(state)} where account_id = ${accountId}`
    return { data: { domain }, fulfil: `update sender_domain set ${fulfil} where account_id = ${accountId}` }
  })
})

const requests: ReadonlyArray<Request> = [
  ofDomain("sender_domain_lapsed", "status = 'lapsed'", "status = 'verified'"),
  ofDomain("sender_domain_paused", "paused_until = now() + interval '3 days'", "paused_until = now()"),
  {
    kind: "language_model_unavailable",
    make: Effect.map(
      Effect.flatMap(
        SqlClient,
        (sql) => sql`
          insert into model_outage (clock, began_at, tried_at) values (coalesce(test_clock(), ''), now(), now())
          on conflict do nothing`
      ),
      () => ({ data: {}, fulfil: "delete from model_outage" })
    )
  },
  {
    kind: "lead_question",
    make: Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = yield* Caller
      const rows = yield* sql<{ readonly id: number }>`
        insert into open_question (account_id, question_text) values (${accountId}, 'Quanto custa?')
        returning open_question_id as id`
      const open_question_id = rows[0]?.id ?? 0
      return {
        data: { open_question_id },
        fulfil: `update open_question set status = 'answered' where open_question_id = ${open_question_id}`
      }
    })
  },
  ofLead(
    "lead_sent_for_human_review",
    { pipeline_state: "pending_review", review_requested_at: "2026-01-01" },
    "pipeline_state = 'in_pipeline', review_requested_at = null"
  ),
  ofLead("held_lead_replied", { pipeline_state: "user_controlled" }, "last_outbound_at = now() + interval '1 minute'"),
  ofLead("lead_unreachable", { email_failed_at: "2026-01-01" }, "email_failed_at = null"),
  ofLead("lead_check_in", { pipeline_state: "user_controlled" }, "check_ins_muted_at = now()"),
  ofMeeting("meeting_booked", "status = 'confirmed'"),
  ofMeeting("lead_moved_meeting", "status = 'cancelled', cancelled_at = now()"),
  ofMeeting("lead_wants_other_time", "starts_at = starts_at + interval '1 hour'"),
  ofMeeting("meeting_reminder", "starts_at = now() - interval '1 minute'")
]

layer(TestEngine, { excludeTestServices: true })("a notification", (it) => {
  for (const { kind, make } of requests) {
    it.effect(`stays pending until what it asks for was done: ${kind}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const me = as(yield* makeAccount())
        const { data, fulfil } = yield* me(make)
        yield* me(notify(kind, data))
        yield* sql`update notification set created_at = now() - interval '20 days'`
        yield* processAll
        assert.deepStrictEqual(yield* me(pendingKinds), [kind])
        yield* sql.unsafe(fulfil)
        yield* processAll
        assert.deepStrictEqual(yield* me(pendingKinds), [])
        const { notifications } = yield* me(
          Effect.flatMap(Notifications, ({ history }) => history({ page: 0, pageSize: 1 }))
        )
        assert.isNotNull(notifications[0]?.processed_at)
      })
    )
  }

  it.effect("that asks for nothing is processed after 14 days, or when its e-mail was sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* me(notify("import_finished", { lead_import_id: 1 }))
      yield* me(notify("lead_became_interested", { lead_id: 1 }))
      yield* sql`
        insert into email_message (account_id, direction, message_type, status, message_id, from_address, to_address,
          subject, body_text, created_at)
        select account_id, 'outbound', 'owner_notification', 'queued', '<a@b>', 'a@b', 'c@d', 'x', 'x', created_at
        from notification where account_id = ${caller.accountId} and kind = 'lead_became_interested'`
      yield* processAll
      assert.deepStrictEqual(yield* me(pendingKinds), ["import_finished", "lead_became_interested"])
      yield* sql`
        update email_message set status = 'sent', occurred_at = now() where account_id = ${caller.accountId}`
      yield* processAll
      assert.deepStrictEqual(yield* me(pendingKinds), ["import_finished"])
      yield* sql`
        update notification set created_at = now() - interval '15 days' where account_id = ${caller.accountId}`
      yield* processAll
      assert.deepStrictEqual(yield* me(pendingKinds), [])
    })
  )
})

describe("news of a call and of support", () => {
  it("say what happened, and name no tool to ask", () => {
    for (const language of ["pt-BR", "en", "es"] as const) {
      const summary = "Ana pediu uma proposta até sexta."
      const call = accountNews(
        {
          kind: "voice_call_finished",
          end: "completed",
          reason: null,
          isGoalAchieved: true,
          summary,
          phone: "+5511980000000",
          goal: "Pedir uma resposta",
          agreed: [],
          questions: [],
          promised: []
        },
        language
      )
      const support = accountNews(
        { kind: "support_request_answered", requestId: 3, answer: "Reconecte a agenda." },
        language
      )
      assert.include(call, summary)
      assert.include(support, "Reconecte a agenda.")
      for (const text of [call, support]) assert.notMatch(text, /[a-z]_[a-z]/)
    }
  })
})
