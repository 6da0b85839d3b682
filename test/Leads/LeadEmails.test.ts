import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadEmails } from "../../src/Services/Leads/Email/LeadEmails.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { historyOf, insertLead, LeadServices } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

const send = (leadId: LeadId, message: { readonly subject?: string; readonly body?: string } = {}) =>
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const emails = yield* LeadEmails
    return yield* unit.write(emails.send(leadId, { subject: "Hello", body: "How are you?", ...message }))
  })
const list = (leadId: LeadId, options: { readonly page?: number; readonly includeBodies?: boolean } = {}) =>
  Effect.flatMap(LeadEmails, (emails) => emails.list(leadId, { page: 0, pageSize: 2, includeBodies: true, ...options }))

const insertEmail = (accountId: number, leadId: LeadId, direction: "outbound" | "inbound", day: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      insert into email_message (account_id, lead_id, direction, status, message_id, from_address, to_address, subject,
        body_text, occurred_at)
      values (${accountId}, ${leadId}, ${direction}, ${direction === "inbound" ? "received" : "sent"},
        ${`<${direction}${day}.${leadId}@x>`}, 'a@x.example', 'b@x.example', ${`${direction} ${day}`}, 'Body',
        ${`2026-01-0${day}T00:00:00Z`})`
  )

layer(LeadServices, { excludeTestServices: true })("the e-mails of a lead", (it) => {
  it.effect("are listed oldest first, a page of each direction at a time", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead())
      for (const day of [4, 2, 6]) yield* insertEmail(caller.accountId, lead, "outbound", day)
      yield* insertEmail(caller.accountId, lead, "inbound", 3)
      const subjects = (page: number) =>
        Effect.map(me(list(lead, { page })), ({ emails }) => emails.map(({ subject }) => subject))
      const first = yield* me(list(lead))
      assert.deepInclude(first, { outboundTotal: 3, inboundTotal: 1 })
      assert.deepStrictEqual(yield* subjects(0), ["outbound 2", "inbound 3", "outbound 4"])
      assert.deepStrictEqual(yield* subjects(1), ["outbound 6"])
      assert.deepStrictEqual(yield* subjects(2), [])
    })
  )

  it.effect("come with their bodies only if asked for", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead())
      yield* insertEmail(caller.accountId, lead, "inbound", 1)
      assert.strictEqual((yield* me(list(lead))).emails[0]?.body, "Body")
      assert.notProperty((yield* me(list(lead, { includeBodies: false }))).emails[0], "body")
    })
  )

  it.effect("of another account's lead are not found", () =>
    Effect.gen(function* () {
      const lead = yield* as(yield* makeAccount())(insertLead())
      const error = yield* Effect.flip(as(yield* makeAccount())(list(lead)))
      assert.deepInclude(error, { _tag: "NotFound", reason: "lead_not_found" })
    })
  )
})

layer(LeadServices, { excludeTestServices: true })("sending a message to a lead", (it) => {
  it.effect("queues it from the account's address and takes the lead over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const lead = yield* me(insertLead({ email: "ana@example.com" }))
      const sent = yield* me(send(lead, { subject: " Friday ", body: "Line one\r\nLine two\n" }))
      const [account] = yield* sql<{ readonly handle: string }>`
        select handle from account where account_id = ${caller.accountId}`
      assert.match(sent.messageId, /^<[0-9a-f-]{36}@mail\.example>$/)
      assert.deepInclude(sent, { fromAddress: `${account?.handle}@mail.example`, toAddress: "ana@example.com" })
      assert.deepInclude(sent.lead, { changed: true, pipeline_state: "user_controlled" })
      const rows = yield* sql`
        select direction, message_type, status, message_id, from_address, to_address, subject, body_text
        from email_message where account_id = ${caller.accountId}`
      assert.deepStrictEqual(rows, [
        {
          direction: "outbound",
          message_type: "user_written",
          status: "queued",
          message_id: sent.messageId,
          from_address: sent.fromAddress,
          to_address: "ana@example.com",
          subject: "Friday",
          body_text: "Line one\r\nLine two\n"
        }
      ])
      const tasks = yield* sql<{ readonly payload: unknown }>`
        select payload from graphile_worker._private_jobs where payload::jsonb ->> 'accountId' = ${`${caller.accountId}`}`
      assert.deepStrictEqual(tasks, [{ payload: { accountId: caller.accountId, emailMessageId: sent.emailMessageId } }])

      const again = yield* me(send(lead))
      assert.deepInclude(again.lead, { changed: false, pipeline_state: "user_controlled" })
      assert.notStrictEqual(again.messageId, sent.messageId)
      assert.lengthOf(yield* me(historyOf(lead)), 1)
    })
  )

  it.effect("is refused with the reason, and then neither queues nor takes over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${caller.accountId}, 'domain', 'rival.example', 'Competitor')`
      yield* sql`
        insert into email_suppression (account_id, email, reason)
        values (${caller.accountId}, 'bounced@example.com', 'hard_bounce')`
      const cases = [
        [{ email: null, phone: "+5511987654321" }, {}, "lead_has_no_email"],
        [{ email: "ana@rival.example" }, {}, "lead_blacklisted"],
        [{ email: "bounced@example.com" }, {}, "email_suppressed"],
        [{ unsubscribed_at: "2026-01-01T00:00:00Z" }, {}, "lead_unsubscribed"],
        [{ pipeline_state: "finished" }, {}, "lead_finished"],
        [{}, { subject: "Hello\r\nBcc: everyone@example.com" }, "control_characters"]
      ] as const
      for (const [columns, message, reason] of cases) {
        const lead = yield* me(insertLead(columns))
        const error = yield* Effect.flip(me(send(lead, message)))
        assert.deepInclude(error, { _tag: "Refused", reason })
        assert.deepStrictEqual(yield* me(historyOf(lead)), [])
      }
      const messages = yield* sql`select from email_message where account_id = ${caller.accountId}`
      assert.lengthOf(messages, 0)
    })
  )

  it.effect("finds no lead of another account", () =>
    Effect.gen(function* () {
      const lead = yield* as(yield* makeAccount())(insertLead())
      const error = yield* Effect.flip(as(yield* makeAccount())(send(lead)))
      assert.deepInclude(error, { _tag: "NotFound", reason: "lead_not_found" })
    })
  )
})
