import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { ChatAppLines } from "../../src/Services/ChatApp/ChatAppLines.ts"
import { ChatAppOutbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import {
  accept,
  ChatAppWithFake,
  insertInbound,
  insertLine,
  messageRow,
  Provider,
  queueMessage,
  spentBrl
} from "../support/channels/ChatAppServices.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { isLockAwaited } from "../support/logs/LockWaits.ts"
import { as, makeAccount } from "../support/TestAccount.ts"

let phones = 0
const newPhone = () => `+55119${String(80_000_000 + ++phones)}`

const deliver = (id: number, isLast = false) =>
  Effect.gen(function* () {
    const { accountId } = yield* Caller
    const outbox = yield* ChatAppOutbox
    return yield* outbox.deliver({ accountId, chatAppMessageId: id }, { isLast })
  })

/** The messages that were sent to the phone. */
const sentTo = (phone: string) => Effect.map(Provider, ({ sent }) => sent.filter(({ to }) => to === phone))

/** Makes the provider answer differently while the effect runs. */
const answering =
  (answer: Provider["Type"]["answer"]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.answer = answer
      return yield* Effect.ensuring(
        effect,
        Effect.sync(() => {
          provider.answer = () => accept
        })
      )
    })

const setUp = Effect.gen(function* () {
  const caller = yield* makeAccount()
  const me = as(caller)
  yield* me(insertLine())
  const phone = newPhone()
  const leadId = yield* me(insertLead({ name: "Ana Souza", phone }))
  return { me, caller, leadId, phone }
})

const setCap = (period: "daily" | "monthly", cap: number | null) =>
  Effect.flatMap(ChatAppLines, (lines) => Effect.flatMap(UnitOfWork, (unit) => unit.write(lines.setCap(period, cap))))

layer(ChatAppWithFake, { excludeTestServices: true })("sending on the messaging app", (it) => {
  it.effect("a first contact is a paid opening with the lead's name and the text on one line", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId, { body: "Primeira linha\n\nSegunda  linha" }))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), {
        status: "sent",
        kind: "template",
        template_name: "prospecting_opening",
        cost_brl: 0.35,
        body: "Primeira linha Segunda linha"
      })
      assert.strictEqual(yield* me(spentBrl), 0.35)
      const [message] = yield* sentTo(phone)
      assert.deepStrictEqual(message?.content, {
        _tag: "Opening",
        language: "pt-BR",
        greeting: "Ana",
        body: "Primeira linha Segunda linha"
      })
      // Again, as after a crash that lost the task's result. Nothing more is sent.
      yield* me(deliver(id))
      assert.lengthOf(yield* sentTo(phone), 1)
    })
  )

  it.effect("text is sent free within 24 hours of the lead's last message, and not a second later", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const day = 24 * 3600
      yield* me(insertInbound(leadId, phone, day - 20))
      const open = yield* me(queueMessage(leadId, { message_type: "response", body: "Duas\nlinhas" }))
      yield* me(deliver(open))
      assert.deepInclude(yield* me(messageRow(open)), {
        status: "sent",
        kind: "text",
        cost_brl: 0,
        body: "Duas\nlinhas"
      })

      const other = yield* setUp
      yield* other.me(insertInbound(other.leadId, other.phone, day))
      const closed = yield* other.me(queueMessage(other.leadId, { message_type: "response" }))
      yield* other.me(deliver(closed))
      assert.deepInclude(yield* other.me(messageRow(closed)), { status: "sent", kind: "template", cost_brl: 0.35 })
    })
  )

  it.effect("the window belongs to the number that wrote", () =>
    Effect.gen(function* () {
      const { leadId, me } = yield* setUp
      yield* me(insertInbound(leadId, newPhone(), 60))
      const id = yield* me(queueMessage(leadId, { message_type: "user_written" }))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "failed", failure_reason: "service_window_closed" })
    })
  )

  it.effect("an owner's message never becomes an opening", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId, { message_type: "user_written" }))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "failed", failure_reason: "service_window_closed" })
      assert.lengthOf(yield* sentTo(phone), 0)
    })
  )

  it.effect("disabled openings are cancelled, and replies in the window are still sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, leadId, me, phone } = yield* setUp
      yield* sql`
        update prospecting_config set allow_template_chatapp_messages = false where account_id = ${caller.accountId}`
      const opening = yield* me(queueMessage(leadId))
      yield* me(deliver(opening))
      assert.deepInclude(yield* me(messageRow(opening)), {
        status: "cancelled",
        failure_reason: "template_messages_off"
      })
      yield* me(insertInbound(leadId, phone, 60))
      const reply = yield* me(queueMessage(leadId, { message_type: "response" }))
      yield* me(deliver(reply))
      assert.deepInclude(yield* me(messageRow(reply)), { status: "sent", kind: "text" })
    })
  )

  it.effect("every block of the lead stops the message", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const cases = [
        ["user_controlled", { pipeline_state: "user_controlled" }],
        ["finished", { pipeline_state: "finished" }],
        ["paused", { paused_at: "2026-01-01T00:00:00Z" }],
        ["unsubscribed", { unsubscribed_at: "2026-01-01T00:00:00Z" }],
        ["no_contact", { phone: null }]
      ] as const
      for (const [reason, columns] of cases) {
        const { me } = yield* setUp
        const leadId = yield* me(insertLead({ phone: newPhone(), ...columns }))
        const id = yield* me(queueMessage(leadId))
        yield* me(deliver(id))
        assert.deepInclude(yield* me(messageRow(id)), { status: "cancelled", failure_reason: reason, cost_brl: 0 })
      }

      const { caller, leadId, me, phone } = yield* setUp
      yield* me(insertInbound(leadId, phone, 60))
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${caller.accountId}, 'phone', phone_key(${phone}), 'Other')`
      const owners = yield* me(queueMessage(leadId, { message_type: "user_written" }))
      yield* me(deliver(owners))
      assert.deepInclude(yield* me(messageRow(owners)), { status: "cancelled", failure_reason: "blacklisted" })

      const paused = yield* setUp
      const campaignId = yield* paused.me(insertCampaign("C", { is_active: false }))
      const inCampaign = yield* paused.me(insertLead({ phone: newPhone(), campaign_id: campaignId }))
      const message = yield* paused.me(queueMessage(inCampaign))
      yield* paused.me(deliver(message))
      assert.deepInclude(yield* paused.me(messageRow(message)), { failure_reason: "campaign_paused" })
    })
  )

  it.effect("the message goes to the lead's current number, which is checked against the blacklist", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, me } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      const moved = newPhone()
      yield* sql`update lead set phone = ${moved} where lead_id = ${leadId}`
      yield* me(deliver(id))
      assert.lengthOf(yield* sentTo(moved), 1)
      assert.strictEqual((yield* me(messageRow(id))).phone, moved)
    })
  )

  it.effect("a lead that is stopped one statement before the send gets no message", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      const stopped = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const stop = yield* Effect.fork(
        me(
          unit.write(
            Effect.gen(function* () {
              yield* leads.transition(leadId, "stop")
              yield* Deferred.succeed(stopped, undefined)
              yield* Deferred.await(mayCommit)
            })
          )
        )
      )
      yield* Deferred.await(stopped)
      // The send begins before the stop is committed, so it must wait for it.
      const sending = yield* Effect.fork(me(deliver(id)))
      yield* Effect.repeat(isLockAwaited, { until: (waits) => waits })
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(stop)
      yield* Fiber.join(sending)
      assert.deepInclude(yield* me(messageRow(id)), { status: "cancelled", failure_reason: "finished" })
      assert.lengthOf(yield* sentTo(phone), 0)
    })
  )

  it.effect("a lead that wrote in between does not get the earlier follow-up", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId, { message_type: "follow_up" }))
      yield* me(insertInbound(leadId, phone, -1))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "cancelled", failure_reason: "lead_replied" })
    })
  )

  it.effect("without a live line nothing is sent", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const leadId = yield* me(insertLead({ phone: newPhone() }))
      const id = yield* me(queueMessage(leadId))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "failed", failure_reason: "chatapp_line_not_live" })
    })
  )

  it.effect("fifty simultaneous openings keep to the daily cap to the cent, and the rest wait for the next day", () =>
    Effect.gen(function* () {
      const { me } = yield* setUp
      yield* me(setCap("daily", 5))
      const ids = yield* me(
        Effect.forEach(Array.from({ length: 50 }), () =>
          Effect.flatMap(insertLead({ phone: newPhone() }), (leadId) => queueMessage(leadId))
        )
      )
      yield* me(Effect.forEach(ids, (id) => deliver(id), { concurrency: 50 }))
      const rows = yield* me(Effect.forEach(ids, (id) => messageRow(id)))
      assert.lengthOf(
        rows.filter(({ status }) => status === "sent"),
        14
      )
      const waiting = rows.filter(({ status }) => status === "queued")
      assert.lengthOf(waiting, 36)
      assert.isTrue(waiting.every(({ cost_brl, deferred_until }) => cost_brl === 0 && deferred_until !== null))
      assert.strictEqual(yield* me(spentBrl), 4.9)
    })
  )

  it.effect("the monthly cap applies across days, and openings wait for the 1st", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, leadId, me } = yield* setUp
      yield* sql`
        insert into chatapp_spend (account_id, day, spent_brl)
        select ${caller.accountId}, date_trunc('month', instant() at time zone time_zone)::date, 9.75
        from account where account_id = ${caller.accountId}`
      yield* me(setCap("monthly", 10))
      const id = yield* me(queueMessage(leadId))
      yield* me(deliver(id))
      const row = yield* me(messageRow(id))
      assert.strictEqual(row.status, "queued")
      const [next] = yield* sql<{ readonly expected: string }>`
        select (date_trunc('month', instant() at time zone time_zone) + interval '1 month 8 hours') at time zone time_zone
          as expected from account where account_id = ${caller.accountId}`
      // The 1st may be a holiday or at a weekend, on which no openings are sent.
      const [from, until] = [Date.parse(next?.expected ?? ""), Date.parse(row.deferred_until ?? "")]
      assert.isTrue(until >= from && until <= from + 7 * 86_400_000, `${row.deferred_until}`)
    })
  )

  it.effect("a reply in the window is sent although the cap is used up", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      yield* me(setCap("daily", 0.01))
      yield* me(insertInbound(leadId, phone, 60))
      const id = yield* me(queueMessage(leadId, { message_type: "response" }))
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "sent", kind: "text" })
    })
  )

  it.effect("a permanently refused message fails and costs nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { leadId, me } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* me(deliver(id)).pipe(
        answering(() => Effect.succeed({ _tag: "Rejected", reason: "not_on_chatapp", isUnreachable: true }))
      )
      assert.deepInclude(yield* me(messageRow(id)), { status: "failed", failure_reason: "not_on_chatapp", cost_brl: 0 })
      assert.strictEqual(yield* me(spentBrl), 0)
      assert.lengthOf(yield* sql`select from lead where lead_id = ${leadId} and chatapp_failed_at is not null`, 1)
    })
  )

  it.effect("a message that the provider postpones is queued again and costs nothing, until the last attempt", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      const busy = answering(() => Effect.succeed({ _tag: "Postponed", reason: "rate_limited", retryAfterSeconds: 17 }))
      const failure = yield* busy(Effect.flip(me(deliver(id))))
      assert.deepInclude(failure, { _tag: "Transient", reason: "rate_limited", retryAfterSeconds: 17 })
      assert.deepInclude(yield* me(messageRow(id)), { status: "queued", cost_brl: 0 })
      assert.strictEqual(yield* me(spentBrl), 0)
      yield* me(deliver(id))
      assert.deepInclude(yield* me(messageRow(id)), { status: "sent", cost_brl: 0.35 })
      assert.lengthOf(yield* sentTo(phone), 2)

      const other = yield* setUp
      const last = yield* other.me(queueMessage(other.leadId))
      yield* busy(other.me(deliver(last, true)))
      assert.deepInclude(yield* other.me(messageRow(last)), { status: "failed", failure_reason: "rate_limited" })
    })
  )

  it.effect("an ambiguous result is unknown, keeps its price, and is never repeated", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* me(deliver(id)).pipe(answering(() => Effect.succeed({ _tag: "Unknown" })))
      assert.deepInclude(yield* me(messageRow(id)), { status: "unknown", cost_brl: 0.35 })
      yield* me(deliver(id))
      assert.lengthOf(yield* sentTo(phone), 1)
      assert.strictEqual((yield* me(messageRow(id))).status, "unknown")
    })
  )

  it.effect("a send that a crash interrupted is left alone while it may still run, and then becomes unknown", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, leadId, me, phone } = yield* setUp
      const id = yield* me(queueMessage(leadId))
      yield* sql`
        update chatapp_message set status = 'sending', sending_at = instant()
        where account_id = ${caller.accountId} and chatapp_message_id = ${id}`
      const failure = yield* Effect.flip(me(deliver(id)))
      assert.deepInclude(failure, { _tag: "Transient", reason: "chatapp_send_under_way" })
      yield* sql`
        update chatapp_message set sending_at = instant() - interval '2 minutes' where chatapp_message_id = ${id}`
      yield* me(deliver(id))
      assert.strictEqual((yield* me(messageRow(id))).status, "unknown")
      assert.lengthOf(yield* sentTo(phone), 0)
    })
  )

  it.effect("a touch ends like its message", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, leadId, me } = yield* setUp
      const touch = sql<{ readonly id: number }>`
        insert into touch (account_id, lead_id, touch_number, channel, message_type, status)
        values (${caller.accountId}, ${leadId}, 1, 'chatapp', 'first_contact', 'queued') returning touch_id as id`
      const endOf = (id: number) =>
        sql<{ readonly status: string; readonly reason: string | null }>`
          select status, reason from touch where account_id = ${caller.accountId} and touch_id = ${id}`
      const ends = [
        [accept, { status: "done", reason: null }],
        [Effect.succeed({ _tag: "Unknown" as const }), { status: "unknown", reason: "outcome_unknown" }],
        [
          Effect.succeed({ _tag: "Rejected" as const, reason: "template_missing", isUnreachable: false }),
          { status: "failed", reason: "template_missing" }
        ]
      ] as const
      for (const [answer, end] of ends) {
        const touchId = (yield* touch)[0]?.id ?? 0
        const id = yield* me(queueMessage(leadId, { touch_id: touchId }))
        yield* me(deliver(id)).pipe(answering(() => answer))
        assert.deepStrictEqual(yield* endOf(touchId), [end])
      }
      assert.lengthOf(yield* sql`select from lead where lead_id = ${leadId} and last_outbound_at is not null`, 1)
    })
  )

  it.effect("a file is sent only after the text that it follows, and not at all if that fails", () =>
    Effect.gen(function* () {
      const { leadId, me, phone } = yield* setUp
      yield* me(insertInbound(leadId, phone, 60))
      const file = (follows: number) =>
        queueMessage(leadId, {
          kind: "media",
          message_type: "user_written",
          body: "",
          media_url: "https://files.example/a.pdf",
          media_type: "document",
          media_name: "a.pdf",
          follows_message_id: follows
        })
      const text = yield* me(queueMessage(leadId, { message_type: "user_written" }))
      const attached = yield* me(file(text))
      yield* me(deliver(attached))
      assert.strictEqual((yield* me(messageRow(attached))).status, "queued")
      yield* me(deliver(text))
      yield* me(deliver(attached))
      assert.deepStrictEqual(
        (yield* sentTo(phone)).map(({ content }) => content._tag),
        ["Text", "Media"]
      )

      const lost = yield* me(queueMessage(leadId, { message_type: "user_written" }))
      const orphan = yield* me(file(lost))
      yield* me(deliver(lost)).pipe(
        answering(() => Effect.succeed({ _tag: "Rejected", reason: "service_window_closed", isUnreachable: false }))
      )
      assert.deepInclude(yield* me(messageRow(orphan)), { status: "cancelled", failure_reason: "text_not_sent" })
    })
  )
})
