import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Stream } from "effect"
import { makeErase } from "../../src/Layers/Leads/Erasure/LeadErasure.ts"
import { mailPersonalData } from "../../src/Layers/Mail/PersonalData.ts"
import { PersonalDataOfRooms } from "../../src/Layers/Platform/PersonalData.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { fromMillis, type Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { taggedAddress, unsubscribeToken } from "../../src/Services/Mail/MailTags.ts"
import {
  emailRow,
  insertTouch,
  mailDomain,
  queueEmail,
  sandboxMailServices,
  suppressions
} from "../support/channels/MailServices.ts"
import { followLeads, leadsToldOf } from "../support/leads/LeadPasts.ts"
import { historyOf, insertLead } from "../support/leads/LeadServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import {
  abuseReport,
  autoReplies,
  exchangeReport,
  eximBounce,
  type Letter,
  letter,
  postfixReport
} from "./sampleMails.ts"

const receive = (raw: Uint8Array, deliveredTo: ReadonlyArray<string> = []) =>
  Effect.flatMap(MailInbox, (inbox) => inbox.receive(raw, { deliveredTo }))

/** An account with a lead and a message to it. */
const corresponding = (lead: Parameters<typeof insertLead>[0] = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const me = as(caller)
    const leadId = yield* me(insertLead(lead))
    const touch = yield* me(insertTouch(leadId))
    const sent = yield* me(queueEmail(leadId, { status: "sent", touch_id: touch }))
    const [account] = yield* sql<{ readonly handle: string; readonly mail_key: Uint8Array; readonly email: string }>`
      select a.handle, a.mail_key, l.email from account a join lead l using (account_id)
      where a.account_id = ${caller.accountId} and l.lead_id = ${leadId}`
    const handle = account?.handle ?? ""
    return {
      caller,
      me,
      leadId,
      sent,
      account: { handle, mailKey: account?.mail_key ?? new Uint8Array(), domain: mailDomain },
      address: `${handle}@${mailDomain}`,
      lead: account?.email ?? "",
      about: { id: sent.messageId, to: account?.email ?? "", account: `${handle}@${mailDomain}` }
    }
  })

const inboundOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{
      readonly email_message_id: number
      readonly lead_id: LeadId | null
      readonly status: string
      readonly subject: string
      readonly body_text: string
      readonly reply_text: string
      readonly is_auto_reply: boolean
      readonly attachments: ReadonlyArray<{ readonly customer_file_id: CustomerFileId; readonly file_name: string }>
      readonly meaning: string | null
    }>`
      select email_message_id, lead_id, status, subject, body_text, reply_text, is_auto_reply, attachments,
        classification ->> 'class' as meaning
      from email_message where account_id = ${accountId} and direction = 'inbound' order by email_message_id`
  )

const eventsOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly event_type: string; readonly data: unknown }>`
      select event_type, data from account_event where account_id = ${accountId} order by account_event_id`
  )

const typesOf = (accountId: number) =>
  Effect.map(eventsOf(accountId), (events) => events.map(({ event_type }) => event_type))

const readingsOf = (accountId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly payload: unknown }>`
      select payload from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = 'read_reply' and payload::jsonb ->> 'accountId' = ${`${accountId}`} order by job.id`
  )

layer(sandboxMailServices(), { excludeTestServices: true })("what a lead writes", (it) => {
  it.effect("is stored with what it answers, updates the lead, is reported and is classified", () =>
    Effect.gen(function* () {
      const { address, caller, lead, leadId, sent } = yield* corresponding()
      const raw = letter({
        from: `Bia <${lead.toUpperCase()}>`,
        to: address,
        subject: "Re: Hello",
        inReplyTo: sent.messageId,
        text: "Sim, pode ligar amanhã.\n\nEm seg., 3 de fev. de 2025 às 10:00, Acme <acme@mail.example> escreveu:\n> How are you?"
      })
      const [receipt] = yield* receive(raw)
      assert.deepInclude(receipt, { accountId: caller.accountId, outcome: "lead_reply", leadId })
      const [stored] = yield* inboundOf(caller.accountId)
      assert.strictEqual(stored?.email_message_id, receipt?.emailMessageId)
      assert.deepInclude(stored, {
        lead_id: leadId,
        status: "received",
        subject: "Re: Hello",
        reply_text: "Sim, pode ligar amanhã.",
        is_auto_reply: false,
        meaning: null
      })
      assert.isNotNull((yield* emailRow(receipt?.emailMessageId ?? 0)).last_inbound_at)
      assert.deepStrictEqual(yield* readingsOf(caller.accountId), [
        { payload: { accountId: caller.accountId, leadId, channel: "email", messageId: receipt?.emailMessageId } }
      ])
      const events = yield* eventsOf(caller.accountId)
      assert.deepStrictEqual(
        events.map(({ event_type }) => event_type),
        ["email_received", "lead_replied_email"]
      )
      assert.deepInclude(Object(events[1]?.data), { lead_id: leadId, email_message_id: receipt?.emailMessageId })
    })
  )

  it.effect("changes nothing if it is delivered again, even at the same time", () =>
    Effect.gen(function* () {
      const { address, caller, lead, sent } = yield* corresponding()
      const raw = letter({ from: lead, to: address, inReplyTo: sent.messageId })
      const relayed = Buffer.concat([Buffer.from("Received: from elsewhere\r\nDelivered-To: x@y.example\r\n"), raw])
      const outcomes = (yield* Effect.forEach([raw, relayed, raw, relayed, raw], (copy) => receive(copy, [address]), {
        concurrency: "unbounded"
      })).map(([receipt]) => receipt?.outcome)
      assert.sameMembers(outcomes, ["lead_reply", "duplicate", "duplicate", "duplicate", "duplicate"])
      assert.deepStrictEqual((yield* receive(raw))[0]?.outcome, "duplicate")
      assert.lengthOf(yield* inboundOf(caller.accountId), 1)
      assert.lengthOf(yield* eventsOf(caller.accountId), 2)
      assert.lengthOf(yield* readingsOf(caller.accountId), 1)
    })
  )

  it.effect("is stored even if its Message-ID is another message's, or is missing", () =>
    Effect.gen(function* () {
      const { address, caller, lead, sent } = yield* corresponding()
      const id = "<same@lead.example>"
      const raws = [
        letter({ from: lead, to: address, id, text: "one" }),
        letter({ from: lead, to: address, id, text: "two" }),
        letter({ from: lead, to: address, id: sent.messageId, text: "three" }),
        Buffer.from(`From: ${lead}\r\nTo: ${address}\r\n\r\nfour`)
      ]
      for (const raw of [...raws, ...raws]) yield* receive(raw)
      const texts = (yield* inboundOf(caller.accountId)).map(({ body_text }) => body_text)
      assert.deepStrictEqual(texts, ["one", "two", "three", "four"])
    })
  )

  it.effect("belongs to the lead by its thread, its recipient address, or its sender", () =>
    Effect.gen(function* () {
      const { account, address, lead, leadId, me, sent } = yield* corresponding()
      const other = yield* me(insertLead())
      const leadOf = (fields: Partial<Letter>) =>
        Effect.map(receive(letter({ from: "secretary@lead.example", to: address, ...fields })), ([receipt]) => receipt)
      assert.deepInclude(yield* leadOf({ inReplyTo: sent.messageId }), { leadId })
      assert.deepInclude(yield* leadOf({ headers: [`References: <x@y.example> ${sent.messageId}`] }), { leadId })
      assert.deepInclude(yield* leadOf({ to: taggedAddress(account, "reply", sent.emailMessageId) }), { leadId })
      assert.deepInclude(yield* leadOf({ from: lead }), { leadId })
      // An invented tag is ignored, and the thread takes precedence over the address.
      assert.deepInclude(yield* leadOf({ to: `${account.handle}+r1-0123456789abcdef@${mailDomain}` }), {
        leadId: undefined
      })
      const [otherEmail] = yield* me(emailOf(other))
      assert.deepInclude(yield* leadOf({ from: otherEmail?.email ?? "", inReplyTo: sent.messageId }), { leadId })
    })
  )

  it.effect("of a finished day causes a new count of that day, and one of today does not", () =>
    Effect.gen(function* () {
      const { address, caller, lead, leadId } = yield* corresponding()
      yield* followLeads(caller.accountId)
      const inbox = yield* MailInbox
      const arrived = (at: Timestamp, text: string) =>
        inbox.receive(letter({ from: lead, to: address, subject: "Oi", text }), {
          deliveredTo: [address],
          arrivedAt: at
        })
      const now = yield* Clock.currentTimeMillis
      yield* arrived(fromMillis(now), "Hoje.")
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [])
      yield* arrived(fromMillis(now - 30 * 86_400_000), "No mês passado.")
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [leadId])
    })
  )

  it.effect("in another account's thread does not belong to this account", () =>
    Effect.gen(function* () {
      const one = yield* corresponding()
      const other = yield* corresponding()
      const [receipt] = yield* receive(
        letter({ from: "x@lead.example", to: other.address, inReplyTo: one.sent.messageId })
      )
      assert.deepInclude(receipt, { accountId: other.caller.accountId, outcome: "other", leadId: undefined })
      assert.lengthOf(yield* inboundOf(one.caller.accountId), 0)
    })
  )

  it.effect("stores its attachments as files, whatever their names, and they are deleted with it", () =>
    Effect.gen(function* () {
      const { address, caller, lead, leadId, me } = yield* corresponding()
      const part = (type: string, name: string, content: string, extra = "") =>
        `--x\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n${extra}Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}\r\n`
      const raw = Buffer.from(
        `From: ${lead}\r\nTo: ${address}\r\nMessage-ID: <att@lead.example>\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nSee the files\r\n${part("application/pdf", "../../etc/offer.pdf", "%PDF-1.7 offer")}${part("text/html", "evil.html", "<script>alert(1)</script>")}${part("application/octet-stream", "///", "no name")}${part("application/x-empty", "empty.bin", "")}--x--\r\n`
      )
      yield* receive(raw)
      yield* receive(raw)
      const [stored] = yield* inboundOf(caller.accountId)
      assert.deepStrictEqual(
        stored?.attachments.map(({ file_name }) => file_name),
        ["offer.pdf", "evil.html", "attachment-3"]
      )
      const files = yield* CustomerFiles
      const list = yield* me(files.list({ page: 0, pageSize: 10 }))
      assert.strictEqual(list.total, 3)
      const content = yield* me(
        Stream.runFold(
          files.read(stored?.attachments[0]?.customer_file_id ?? CustomerFileId.make(0)),
          "",
          (text, chunk) => text + Buffer.from(chunk).toString()
        )
      )
      assert.strictEqual(content, "%PDF-1.7 offer")

      yield* me(Effect.flatMap(makeErase, (erase) => erase(leadId, undefined))).pipe(
        Effect.provideService(PersonalDataOfRooms, [mailPersonalData])
      )
      assert.strictEqual((yield* me(files.list({ page: 0, pageSize: 10 }))).total, 0)
    })
  )
})

const emailOf = (leadId: LeadId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    return yield* sql<{ readonly email: string }>`
      select email from lead where account_id = ${accountId} and lead_id = ${leadId}`
  })

layer(sandboxMailServices(), { excludeTestServices: true })("mail of others", (it) => {
  it.effect("is stored without a lead and reported, and is not classified", () =>
    Effect.gen(function* () {
      const { address, caller } = yield* corresponding()
      const [receipt] = yield* receive(letter({ from: "stranger@else.example", to: address, subject: "Oferta" }))
      assert.deepInclude(receipt, { outcome: "other", leadId: undefined })
      assert.deepStrictEqual(yield* eventsOf(caller.accountId), [
        {
          event_type: "email_received",
          data: {
            lead_id: null,
            lead_name: null,
            campaign_id: null,
            email_message_id: receipt?.emailMessageId,
            from_address: "stranger@else.example",
            subject: "Oferta"
          }
        }
      ])
      assert.lengthOf(yield* readingsOf(caller.accountId), 0)
    })
  )

  it.effect("for no account is not stored anywhere", () =>
    Effect.gen(function* () {
      for (const to of [`nobody-at-all@${mailDomain}`, "account1@else.example", "not an address"]) {
        assert.deepStrictEqual(yield* receive(letter({ from: "a@lead.example", to })), [])
      }
    })
  )

  it.effect("for two accounts is stored in both, and only where it was delivered when that is known", () =>
    Effect.gen(function* () {
      const one = yield* corresponding()
      const other = yield* corresponding()
      const to = `${one.address}, ${other.address}`
      assert.lengthOf(yield* receive(letter({ from: "a@else.example", to })), 2)
      const delivered = yield* receive(letter({ from: "a@else.example", to, text: "again" }), [other.address])
      assert.deepStrictEqual(
        delivered.map(({ accountId }) => accountId),
        [other.caller.accountId]
      )
    })
  )

  it.effect("that the account wrote itself is ignored", () =>
    Effect.gen(function* () {
      const { account, address, caller, sent } = yield* corresponding()
      for (const from of [address, `${account.handle}+x@${mailDomain}`]) {
        const [receipt] = yield* receive(letter({ from, to: address, id: sent.messageId }))
        assert.deepInclude(receipt, { outcome: "own_message", emailMessageId: undefined })
      }
      assert.lengthOf(yield* inboundOf(caller.accountId), 0)
      assert.lengthOf(yield* eventsOf(caller.accountId), 0)
    })
  )
})

layer(sandboxMailServices(), { excludeTestServices: true })("a machine's answer", (it) => {
  it.effect("for a lead is classified, but is not a reply of the lead", () =>
    Effect.gen(function* () {
      for (const { headers, subject } of autoReplies) {
        const { address, caller, lead, sent } = yield* corresponding()
        const [receipt] = yield* receive(
          letter({ from: lead, to: address, subject, headers, inReplyTo: sent.messageId })
        )
        assert.strictEqual(receipt?.outcome, "lead_auto_reply")
        assert.deepInclude((yield* inboundOf(caller.accountId))[0], { is_auto_reply: true })
        assert.deepStrictEqual(yield* typesOf(caller.accountId), ["email_received"])
        assert.lengthOf(yield* readingsOf(caller.accountId), 1)
        assert.isNull((yield* emailRow(receipt?.emailMessageId ?? 0)).last_inbound_at)
      }
    })
  )

  it.effect("is stored every time, and after some of them without a reaction", () =>
    Effect.gen(function* () {
      const { address, caller, lead, sent } = yield* corresponding()
      for (let round = 0; round < 8; round++) {
        yield* receive(
          letter({
            from: lead,
            to: address,
            inReplyTo: sent.messageId,
            text: `${round}`,
            headers: ["Auto-Submitted: auto-replied"]
          })
        )
      }
      assert.lengthOf(yield* inboundOf(caller.accountId), 8)
      assert.lengthOf(yield* readingsOf(caller.accountId), 3)
    })
  )

  it.effect("without a mark gets no reaction either, once there are too many", () =>
    Effect.gen(function* () {
      const { address, caller, lead, sent } = yield* corresponding()
      for (let round = 0; round < 35; round++) {
        yield* receive(letter({ from: lead, to: address, inReplyTo: sent.messageId, text: `${round}` }))
      }
      assert.lengthOf(yield* readingsOf(caller.accountId), 30)
      const types = yield* typesOf(caller.accountId)
      assert.lengthOf(
        types.filter((type) => type === "lead_replied_email"),
        30
      )
      assert.lengthOf(
        types.filter((type) => type === "email_received"),
        35
      )
    })
  )
})

layer(sandboxMailServices(), { excludeTestServices: true })("a bounce", (it) => {
  const dead = { status: "5.1.1", diagnostic: "550 5.1.1 User unknown" }

  it.effect("of a dead address fails the message and its touch, and suppresses the address", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { about, address, caller, lead, leadId, me, sent } = yield* corresponding()
      yield* followLeads(caller.accountId)
      const [receipt] = yield* receive(postfixReport(about, dead), [address])
      assert.deepInclude(receipt, { outcome: "bounce", leadId })
      assert.deepInclude(yield* emailRow(sent.emailMessageId), {
        status: "failed",
        failure_reason: "hard_bounce",
        provider_response: dead.diagnostic,
        touch: "failed",
        touch_reason: "hard_bounce"
      })
      assert.deepStrictEqual(yield* me(suppressions), [{ email: lead, reason: "hard_bounce" }])
      const leads = yield* sql<{ readonly failed: boolean }>`
        select email_failed_at is not null as failed from lead where lead_id = ${leadId}`
      assert.deepStrictEqual(leads, [{ failed: true }])
      assert.deepInclude((yield* inboundOf(caller.accountId))[0], { is_auto_reply: true, meaning: "bounce" })
      // The mail counted as sent, on a day that may be finished.
      assert.deepStrictEqual(yield* leadsToldOf(caller.accountId), [leadId])
      assert.deepStrictEqual(yield* typesOf(caller.accountId), ["email_received"])
      assert.lengthOf(yield* readingsOf(caller.accountId), 0)
    })
  )

  it.effect("is matched as Exchange and Exim send it, and by the address it came back to", () =>
    Effect.gen(function* () {
      for (const sample of [exchangeReport, eximBounce]) {
        const { about, sent } = yield* corresponding()
        yield* receive(sample(about))
        assert.deepInclude(yield* emailRow(sent.emailMessageId), { failure_reason: "hard_bounce" })
      }
      const { about, account, sent } = yield* corresponding()
      const returned = taggedAddress(account, "bounce", sent.emailMessageId)
      yield* receive(postfixReport({ ...about, id: "<rewritten@relay.example>" }, dead), [returned])
      assert.deepInclude(yield* emailRow(sent.emailMessageId), { failure_reason: "hard_bounce" })
    })
  )

  it.effect("that names no message of ours changes nothing, because anyone can write one", () =>
    Effect.gen(function* () {
      const { about, account, address, caller, me, sent } = yield* corresponding()
      const [receipt] = yield* receive(postfixReport({ ...about, id: "<guess@mail.example>" }, dead), [
        address,
        `${account.handle}+b${sent.emailMessageId.toString(16)}-0123456789abcdef@${mailDomain}`
      ])
      assert.deepInclude(receipt, { outcome: "other", leadId: undefined })
      assert.deepInclude(yield* emailRow(sent.emailMessageId), { status: "sent", touch: "queued" })
      assert.lengthOf(yield* me(suppressions), 0)
      assert.lengthOf(yield* inboundOf(caller.accountId), 1)
    })
  )

  it.effect("of the owner's copy does not affect the lead", () =>
    Effect.gen(function* () {
      const { about, caller, me, sent } = yield* corresponding()
      yield* receive(postfixReport(about, { ...dead, recipient: `owner${caller.requestId.slice(5)}@example.com` }))
      assert.deepInclude(yield* emailRow(sent.emailMessageId), { status: "sent" })
      assert.lengthOf(yield* me(suppressions), 0)
    })
  )

  it.effect("of a forwarding address only fails the message", () =>
    Effect.gen(function* () {
      const { about, me, sent } = yield* corresponding()
      yield* receive(postfixReport(about, { ...dead, recipient: "forwarded@else.example" }))
      assert.deepInclude(yield* emailRow(sent.emailMessageId), { status: "failed", failure_reason: "soft_bounce" })
      assert.lengthOf(yield* me(suppressions), 0)
    })
  )

  it.effect("that is temporary is counted, and a delay has no effect", () =>
    Effect.gen(function* () {
      const { about, me, sent } = yield* corresponding()
      yield* receive(postfixReport(about, { action: "delayed", status: "4.4.1", diagnostic: "Connection timed out" }))
      assert.deepInclude(yield* emailRow(sent.emailMessageId), { status: "sent", soft_bounces: 1 })
      yield* receive(postfixReport(about, { status: "5.2.2", diagnostic: "552 5.2.2 Mailbox full" }))
      assert.deepInclude(yield* emailRow(sent.emailMessageId), {
        status: "failed",
        failure_reason: "soft_bounce",
        soft_bounces: 2
      })
      assert.lengthOf(yield* me(suppressions), 0)
    })
  )

  it.effect("five times in a row ends mail to the address", () =>
    Effect.gen(function* () {
      const { about, lead, leadId, me, sent } = yield* corresponding()
      const more = yield* Effect.forEach([1, 2, 3, 4], () => me(queueEmail(leadId, { status: "sent" })))
      const ids = [sent, ...more].map(({ messageId }) => messageId)
      for (const [count, id] of ids.entries()) {
        assert.lengthOf(yield* me(suppressions), 0, `after ${count}`)
        yield* receive(postfixReport({ ...about, id }, { status: "5.2.2", diagnostic: "552 5.2.2 Mailbox full" }))
      }
      assert.deepStrictEqual(yield* me(suppressions), [{ email: lead, reason: "hard_bounce" }])
    })
  )
})

layer(sandboxMailServices(), { excludeTestServices: true })("a complaint", (it) => {
  const complained = { unsubscribed: true, pipeline_state: "finished" }
  const leadState = (leadId: LeadId) =>
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly unsubscribed: boolean; readonly pipeline_state: string }>`
        select unsubscribed_at is not null as unsubscribed, pipeline_state from lead where lead_id = ${leadId}`
    )

  it.effect("unsubscribes the lead and suppresses the address, wherever the report is sent", () =>
    Effect.gen(function* () {
      for (const reportedTo of [undefined, "fbl@mail.example", "abuse@else.example"]) {
        const { about, caller, lead, leadId, me } = yield* corresponding()
        const [receipt] = yield* receive(abuseReport(about, reportedTo === undefined ? {} : { reportedTo }))
        assert.deepInclude(receipt, { outcome: "complaint", leadId })
        assert.deepStrictEqual(yield* leadState(leadId), [complained])
        assert.deepStrictEqual(yield* me(suppressions), [{ email: lead, reason: "complaint" }])
        assert.deepInclude((yield* me(historyOf(leadId)))[0], {
          event_type: "unsubscribed",
          actor: "lead",
          reason: "complaint"
        })
        assert.deepInclude((yield* inboundOf(caller.accountId))[0], { is_auto_reply: true, meaning: "unsubscribe" })
      }
    })
  )

  it.effect("is matched by the unsubscribe link where the message's id is hidden", () =>
    Effect.gen(function* () {
      const { about, account, caller, leadId } = yield* corresponding()
      const token = unsubscribeToken(account.mailKey, { accountId: caller.accountId, leadId })
      yield* receive(
        abuseReport({ ...about, id: "<redacted@provider.example>" }, { unsubscribeUrl: `https://g.example/u/${token}` })
      )
      assert.deepStrictEqual(yield* leadState(leadId), [complained])
    })
  )

  it.effect("that names no message of ours, or says that it is not spam, changes nothing", () =>
    Effect.gen(function* () {
      const { about, leadId, me } = yield* corresponding()
      yield* receive(abuseReport({ ...about, id: "<guess@mail.example>" }))
      yield* receive(abuseReport(about, { feedbackType: "not-spam" }))
      assert.deepStrictEqual(yield* leadState(leadId), [{ unsubscribed: false, pipeline_state: "in_pipeline" }])
      assert.lengthOf(yield* me(suppressions), 0)
    })
  )
})

layer(sandboxMailServices(), { excludeTestServices: true })("what runs alongside", (it) => {
  it.effect("commits together with the message or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const inbox = yield* MailInbox
      const { address, caller, lead } = yield* corresponding()
      const raw = letter({ from: lead, to: address })
      const mark = Effect.orDie(sql`
        update prospecting_config set goal = 'marked' where account_id = ${caller.accountId}`)
      yield* Effect.exit(inbox.receive(raw, { alongside: Effect.zipRight(mark, Effect.die(new Error("stopped"))) }))
      assert.lengthOf(yield* inboundOf(caller.accountId), 0)
      yield* inbox.receive(raw, { alongside: Effect.asVoid(mark) })
      assert.lengthOf(yield* inboundOf(caller.accountId), 1)
      const marked = yield* sql`select goal from prospecting_config where account_id = ${caller.accountId}`
      assert.deepStrictEqual(marked, [{ goal: "marked" }])
    })
  )
})
