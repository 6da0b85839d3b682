import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Option } from "effect"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { Leads } from "../../src/Services/Leads/Leads.ts"
import { MailMaybeSent, MailNotSent, MailRejected } from "../../src/Services/Mail/Mail.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { tasksNamed } from "../Jobs/support.ts"
import {
  emailRow,
  fakeProvider,
  insertTouch,
  mailServices,
  queueEmail,
  suppressions
} from "../support/channels/MailServices.ts"
import { countedBy } from "../support/checks/Counted.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"

const provider = fakeProvider()

type Message = Effect.Effect.Success<ReturnType<typeof queueEmail>>

const deliver = (message: Message, isLast = false) =>
  Effect.flatMap(MailOutbox, (outbox) => outbox.deliver(message, { isLast }))

const sentOf = (message: Message) => provider.ledger.filter((mail) => mail.messageId === message.messageId)

/** An account with a lead, a touch and a queued message. */
const queued = (lead: Parameters<typeof insertLead>[0] = {}, columns: Parameters<typeof queueEmail>[1] = {}) =>
  Effect.gen(function* () {
    const caller = yield* makeAccount()
    const me = as(caller)
    const leadId = yield* me(insertLead(lead))
    const touch = yield* me(insertTouch(leadId))
    const message = yield* me(queueEmail(leadId, { touch_id: touch, ...columns }))
    provider.behave({})
    return { caller, me, leadId, message }
  })

layer(mailServices(provider.layer), { excludeTestServices: true })("a queued message", (it) => {
  it.effect("is sent once, and then it, its touch and its lead say so", () =>
    Effect.gen(function* () {
      const { message } = yield* queued()
      const twice = Effect.zipRight(deliver(message), deliver(message))
      assert.strictEqual(yield* countedBy("gateway_mails_total", "sent", twice), 1)
      assert.lengthOf(sentOf(message), 1)
      const row = yield* emailRow(message.emailMessageId)
      assert.deepInclude(row, { status: "sent", provider_response: "250 Ok", failure_reason: null, touch: "done" })
      assert.isNotNull(row.sent_at)
      assert.strictEqual(row.occurred_at, row.sent_at)
      assert.strictEqual(row.last_outbound_at, row.sent_at)
    })
  )

  it.effect("comes from the account, says how to answer and how to get out, and is signed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, me, leadId, message } = yield* queued({
        name: "Bia\r\nBcc: x@evil.example",
        status: "Interested"
      })
      const campaign = yield* me(insertCampaign("Track", { email_display_name: "Ana da Acme" }))
      yield* sql`update lead set campaign_id = ${campaign}, language = 'en' where lead_id = ${leadId}`
      yield* sql`
        update prospecting_config set email_signature = 'Ana
+55 11 99999-0000', cc_on_interested_lead_emails = true where account_id = ${caller.accountId}`
      yield* deliver(message)
      const [mail] = sentOf(message)
      const handle = `account${caller.requestId.slice(5)}`
      assert.strictEqual(mail?.from.name, "Ana da Acme")
      assert.strictEqual(mail?.from.address, `${handle}@mail.example`)
      assert.match(mail?.replyTo ?? "", new RegExp(`^${handle}\\+r[0-9a-f]+-[0-9a-f]{16}@mail\\.example$`))
      assert.match(mail?.envelopeFrom ?? "", new RegExp(`^${handle}\\+b[0-9a-f]+-[0-9a-f]{16}@mail\\.example$`))
      assert.strictEqual(mail?.cc?.address, `owner${caller.requestId.slice(5)}@example.com`)
      const url = mail?.unsubscribeUrl ?? ""
      assert.isTrue(url.startsWith(`${testBaseUrl}/u/`))
      assert.strictEqual(
        mail?.text,
        `How are you?\n\nAna\n+55 11 99999-0000\n\nIf you would rather not get these messages, unsubscribe here:\n${url}\n`
      )
      assert.include(mail?.html, `href="${url}"`)
    })
  )

  it.effect("that a person wrote goes out as it is, and continues the thread that its subject names", () =>
    Effect.gen(function* () {
      const { me, leadId, message } = yield* queued(
        { pipeline_state: "user_controlled" },
        { message_type: "user_written", subject: "Re: Proposta" }
      )
      yield* me(
        queueEmail(leadId, {
          status: "received",
          direction: "inbound",
          message_id: "<in@lead.example>",
          subject: "RES: Proposta",
          thread_references: ["<first@mail.example>"]
        })
      )
      yield* deliver(message)
      const [mail] = sentOf(message)
      assert.deepInclude(mail, {
        text: "How are you?\n",
        unsubscribeUrl: undefined,
        cc: undefined,
        inReplyTo: "<in@lead.example>",
        references: ["<first@mail.example>", "<in@lead.example>"]
      })
    })
  )

  it.effect("to no lead goes out unless its address takes no mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const [open, closed] = [
        yield* me(queueEmail(null, { to_address: "owner@acme.example", message_type: null })),
        yield* me(queueEmail(null, { to_address: "gone@acme.example", message_type: null }))
      ]
      yield* sql`
        insert into email_suppression (account_id, email, reason)
        values (${caller.accountId}, 'gone@acme.example', 'hard_bounce')`
      yield* deliver(open)
      yield* deliver(closed)
      // A recipient who is not a lead can report that the mail was not for them.
      assert.match(sentOf(open)[0]?.unsubscribeUrl ?? "", /\/not-me\//)
      assert.deepInclude(yield* emailRow(closed.emailMessageId), { status: "cancelled", failure_reason: "suppressed" })
      assert.lengthOf(sentOf(closed), 0)
    })
  )
})

layer(mailServices(provider.layer), { excludeTestServices: true })("a message that must not go out", (it) => {
  const blocks = [
    [{ paused_at: "2026-01-01T00:00:00Z" }, "paused"],
    [{ pipeline_state: "finished" }, "finished"],
    [{ pipeline_state: "pending_review" }, "pending_review"],
    [{ pipeline_state: "user_controlled" }, "user_controlled"],
    [{ unsubscribed_at: "2026-01-01T00:00:00Z" }, "unsubscribed"]
  ] as const
  for (const [columns, block] of blocks) {
    it.effect(`is cancelled, and its touch skipped: ${block}`, () =>
      Effect.gen(function* () {
        const { message } = yield* queued(columns)
        yield* deliver(message)
        assert.deepInclude(yield* emailRow(message.emailMessageId), {
          status: "cancelled",
          failure_reason: block,
          touch: "skipped",
          touch_reason: block,
          last_outbound_at: null
        })
        assert.lengthOf(sentOf(message), 0)
      })
    )
  }

  it.effect("counts for the entry of the blacklist that blocks it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { caller, message } = yield* queued({ email: "bia@rival.example" })
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${caller.accountId}, 'domain', 'rival.example', 'Competitor')`
      yield* deliver(message)
      assert.deepInclude(yield* emailRow(message.emailMessageId), { failure_reason: "blacklisted" })
      const entries = yield* sql`select times_blocked from blacklist_entry where account_id = ${caller.accountId}`
      assert.deepStrictEqual(entries, [{ times_blocked: 1 }])
    })
  )

  it.effect("is held back even when that becomes true while the server waits for its end", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const { me, leadId, message } = yield* queued()
      const stop = me(unit.write(Effect.flatMap(Leads, (leads) => leads.transition(leadId, "stop"))))
      const context = yield* Effect.context<Leads | UnitOfWork>()
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          stop.pipe(
            Effect.provide(context),
            Effect.orDie,
            Effect.zipRight(handOver),
            Effect.zipRight(Effect.sync(take)),
            Effect.as({ response: "250 Ok" })
          )
      })
      yield* deliver(message)
      assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "cancelled", failure_reason: "finished" })
      assert.lengthOf(sentOf(message), 0)
    })
  )

  it.effect("never does, however a stop and a send meet", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const leads = yield* Leads
      const messages = yield* Effect.forEach(Array.from({ length: 20 }), () => queued())
      yield* Effect.forEach(
        messages,
        ({ leadId, me, message }) =>
          Effect.all([deliver(message), me(unit.write(leads.transition(leadId, "stop")))], { concurrency: 2 }),
        { concurrency: 8 }
      )
      for (const { message } of messages) {
        const row = yield* emailRow(message.emailMessageId)
        assert.lengthOf(sentOf(message), row.status === "sent" ? 1 : 0)
        assert.include(["sent", "cancelled"], row.status)
      }
    })
  )
})

layer(mailServices(provider.layer), { excludeTestServices: true })("a message that the server does not take", (it) => {
  it.effect("fails, and an address that is dead gets no more mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { me, leadId, message } = yield* queued({ email: "gone@lead.example" })
      const response = "550 5.1.1 No such user"
      provider.behave({
        send: () => () => Effect.fail(new MailRejected({ refused: "recipient", isAddressDead: true, response }))
      })
      assert.strictEqual(yield* countedBy("gateway_mails_total", "failed", deliver(message)), 1)
      assert.deepInclude(yield* emailRow(message.emailMessageId), {
        status: "failed",
        failure_reason: "recipient_rejected",
        provider_response: response,
        touch: "failed",
        touch_reason: "recipient_rejected"
      })
      assert.deepStrictEqual(yield* me(suppressions), [{ email: "gone@lead.example", reason: "hard_bounce" }])
      const leads = yield* sql<{ readonly failed: boolean }>`
        select email_failed_at is not null as failed from lead where lead_id = ${leadId}`
      assert.deepStrictEqual(leads, [{ failed: true }])
      // The lead has no other channel, so its owner is notified once.
      yield* deliver(message)
      const notices = yield* sql<{ readonly kind: string; readonly lead: number }>`
        select kind, (data ->> 'lead_id')::bigint as lead from notification n
        where account_id = (select account_id from lead where lead_id = ${leadId})`
      assert.deepStrictEqual(notices, [{ kind: "lead_unreachable", lead: leadId }])
    })
  )

  it.effect("fails without a word on the address where that is not the reason", () =>
    Effect.gen(function* () {
      const { me, message } = yield* queued()
      provider.behave({
        send: () => () =>
          Effect.fail(new MailRejected({ refused: "message", isAddressDead: false, response: "554 5.7.1 Spam" }))
      })
      yield* deliver(message)
      assert.deepInclude(yield* emailRow(message.emailMessageId), {
        status: "failed",
        failure_reason: "message_rejected"
      })
      assert.lengthOf(yield* me(suppressions), 0)
    })
  )

  it.effect("for now is tried again, until it is the last attempt that fails", () =>
    Effect.gen(function* () {
      const { message } = yield* queued()
      const deferred = new MailNotSent({ reason: "smtp_deferred", response: "451 4.7.1 Later" })
      provider.behave({ send: () => () => Effect.fail(deferred) })
      assert.deepInclude(yield* Effect.flip(deliver(message)), { _tag: "Transient", reason: "smtp_deferred" })
      assert.deepInclude(yield* emailRow(message.emailMessageId), {
        status: "queued",
        provider_response: "451 4.7.1 Later",
        touch: "queued"
      })
      yield* deliver(message, true)
      assert.deepInclude(yield* emailRow(message.emailMessageId), {
        status: "failed",
        failure_reason: "smtp_deferred",
        touch: "failed"
      })
    })
  )

  it.effect("because its address is none fails without a connection", () =>
    Effect.gen(function* () {
      const { message } = yield* queued({}, { to_address: "a@b.example>\r\nRCPT TO:<c@d.example" })
      yield* deliver(message)
      assert.deepInclude(yield* emailRow(message.emailMessageId), {
        status: "failed",
        failure_reason: "recipient_rejected"
      })
      assert.lengthOf(sentOf(message), 0)
    })
  )
})

layer(mailServices(provider.layer), { excludeTestServices: true })(
  "a message of which nobody knows whether it went out",
  (it) => {
    /** Handed over and never answered. `wasTaken` says whether it was accepted. */
    const ambiguous = (wasTaken: boolean) =>
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          Effect.zipRight(
            handOver,
            Effect.suspend(() => {
              if (wasTaken) take()
              return Effect.fail(new MailMaybeSent({ reason: "smtp_timed_out" }))
            })
          )
      })

    it.effect("is looked up, and sent again only where it is known not to have arrived", () =>
      Effect.gen(function* () {
        for (const wasTaken of [true, false]) {
          const { message } = yield* queued()
          ambiguous(wasTaken)
          assert.deepInclude(yield* Effect.flip(deliver(message)), { _tag: "Transient", reason: "mail_outcome_open" })
          assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sending", touch: "queued" })
          provider.behave({})
          const before = provider.lookUps()
          yield* deliver(message)
          assert.strictEqual(provider.lookUps(), before + 1)
          assert.lengthOf(sentOf(message), 1)
          assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sent", touch: "done" })
        }
      })
    )

    it.effect("is not looked up before the first attempt must have ended", () =>
      Effect.gen(function* () {
        const { message } = yield* queued()
        ambiguous(false)
        yield* Effect.flip(deliver(message))
        provider.behave({ settleTime: Duration.hours(1) })
        assert.deepInclude(yield* Effect.flip(deliver(message)), { _tag: "Transient", reason: "mail_outcome_open" })
        assert.lengthOf(sentOf(message), 0)
      })
    )

    it.effect("stays unknown where that cannot be told, and is never repeated", () =>
      Effect.gen(function* () {
        const { message } = yield* queued()
        ambiguous(true)
        yield* Effect.flip(deliver(message))
        provider.behave({ wasSent: () => Option.none() })
        yield* deliver(message)
        yield* deliver(message, true)
        assert.deepInclude(yield* emailRow(message.emailMessageId), {
          status: "unknown",
          failure_reason: "outcome_unknown",
          touch: "unknown",
          last_outbound_at: null
        })
        assert.lengthOf(sentOf(message), 1)
      })
    )

    it.effect("is looked up at once when there is no later attempt", () =>
      Effect.gen(function* () {
        const { message } = yield* queued()
        ambiguous(true)
        yield* deliver(message, true)
        assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sent" })
        assert.lengthOf(sentOf(message), 1)
      })
    )
  }
)

layer(mailServices(provider.layer), { excludeTestServices: true })("attempts at one message", (it) => {
  it.effect("at the same time send it once", () =>
    Effect.gen(function* () {
      const { message } = yield* queued()
      yield* Effect.forEach(Array.from({ length: 12 }), () => Effect.exit(deliver(message)), {
        concurrency: "unbounded"
      })
      yield* Effect.exit(deliver(message))
      assert.lengthOf(sentOf(message), 1)
      assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sent" })
    })
  )

  it.effect("take over from one that died before the hand-over, and stop it should it wake up", () =>
    Effect.gen(function* () {
      const { message } = yield* queued()
      const asleep = yield* Deferred.make<void>()
      const wake = yield* Deferred.make<void>()
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          Deferred.succeed(asleep, undefined).pipe(
            Effect.zipRight(Deferred.await(wake)),
            Effect.zipRight(handOver),
            Effect.zipRight(Effect.sync(take)),
            Effect.as({ response: "250 Ok, from the one that slept" })
          )
      })
      const sleeper = yield* Effect.fork(Effect.flip(deliver(message)))
      yield* Deferred.await(asleep)
      provider.behave({})
      yield* deliver(message)
      yield* Deferred.succeed(wake, undefined)
      // It must not succeed: its task would be deleted, and with it the attempt that took over.
      assert.strictEqual((yield* Fiber.join(sleeper)).reason, "mail_in_flight")
      yield* deliver(message)
      assert.lengthOf(sentOf(message), 1)
      assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sent", provider_response: "250 Ok" })
    })
  )

  it.effect("that are interrupted while the server answers still write the answer down", () =>
    Effect.gen(function* () {
      const { message } = yield* queued()
      const handedOver = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      provider.behave({
        send: (take) => (_account, _mail, handOver) =>
          Effect.uninterruptible(
            handOver.pipe(
              Effect.zipRight(Effect.sync(take)),
              Effect.zipRight(Deferred.succeed(handedOver, undefined)),
              Effect.zipRight(Deferred.await(answer)),
              Effect.as({ response: "250 Ok" })
            )
          )
      })
      const attempt = yield* Effect.fork(deliver(message))
      yield* Deferred.await(handedOver)
      const interruption = yield* Effect.fork(Fiber.interrupt(attempt))
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(interruption)
      assert.deepInclude(yield* emailRow(message.emailMessageId), { status: "sent", touch: "done" })
    })
  )

  it.effect("that were lost are queued again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { message } = yield* queued()
      const { message: fresh } = yield* queued()
      yield* sql`
        update email_message set status = 'sending', sending_at = instant() - interval '2 hours'
        where email_message_id = ${message.emailMessageId}`
      assert.isAtLeast(yield* Effect.flatMap(MailOutbox, (outbox) => outbox.sweep), 1)
      yield* Effect.flatMap(MailOutbox, (outbox) => outbox.sweep)
      const waiting = (yield* tasksNamed("send_email")).map(({ payload }) => JSON.stringify(payload))
      const taskOf = ({ accountId, emailMessageId }: Message) => JSON.stringify({ accountId, emailMessageId })
      assert.deepStrictEqual(
        waiting.filter((payload) => payload === taskOf(message) || payload === taskOf(fresh)),
        [taskOf(message)]
      )
    })
  )
})
