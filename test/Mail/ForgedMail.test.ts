import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { AccessTokensPostgres } from "../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { followMailbox, ImapTiming } from "../../src/Layers/Mail/Imap/ImapReader.ts"
import { MailCursorsPostgres } from "../../src/Layers/Mail/Imap/MailCursors.ts"
import { inboundSignature } from "../../src/Layers/Mail/Inbox/InboundEndpoint.ts"
import { mailEndpoints } from "../../src/Layers/Mail/MailLayers.ts"
import { MailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { judgeInboundMail } from "../../src/Services/Mail/InboundNotice.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { taggedAddress } from "../../src/Services/Mail/MailTags.ts"
import { readReply } from "../../src/Services/Outreach/OutreachTasks.ts"
import { eventually } from "../Jobs/support.ts"
import { localImap, localSmtp, noMailSettings, secret } from "../support/channels/MailFixtures.ts"
import {
  insertTouch,
  mailDomain,
  queueEmail,
  sandboxMailServices,
  suppressions
} from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { localMailbox } from "../support/providers/LocalMailbox.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { openedMailbox } from "./openedMailbox.ts"
import { abuseReport, type Letter, letter, postfixReport } from "./sampleMails.ts"

const receiver = "mx.receiver.example"
const inboundSecret = secret("a secret of the operator's own")
const settings = { ...noMailSettings, inboundSecret: Option.some(inboundSecret), trustedReceivers: [receiver] }
const Services = Layer.provideMerge(AccessTokensPostgres, sandboxMailServices(settings))

const failed = `Authentication-Results: ${receiver};\n\tspf=softfail smtp.mailfrom=evil.example;\n\tdmarc=fail (p=REJECT\n\t dis=NONE) header.from=lead.example`
const passed = `Authentication-Results: ${receiver};\n\tdmarc=pass header.from=lead.example`

/** As a server passes it on, with its own result above all other fields. */
const received = (headers: ReadonlyArray<string>, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from(headers.map((header) => `${header.replaceAll("\n", "\r\n")}\r\n`).join("")), raw])

const corresponding = Effect.gen(function* () {
  const sql = yield* SqlClient
  const caller = yield* makeAccount()
  const me = as(caller)
  const email = `bia${caller.accountId}@lead.example`
  const leadId = yield* me(insertLead({ email }))
  const touch = yield* me(insertTouch(leadId))
  const sent = yield* me(queueEmail(leadId, { status: "sent", touch_id: touch }))
  const [account] = yield* sql<{ readonly handle: string; readonly mail_key: Uint8Array }>`
    select handle, mail_key from account where account_id = ${caller.accountId}`
  const handle = account?.handle ?? ""
  const address = `${handle}@${mailDomain}`
  const tagged = taggedAddress(
    { handle, mailKey: account?.mail_key ?? new Uint8Array(), domain: mailDomain },
    "reply",
    sent.emailMessageId
  )
  const stored = sql<{ readonly lead_id: number | null; readonly status: string; readonly is_sender_proven: boolean }>`
    select lead_id, status, is_sender_proven from email_message
    where account_id = ${caller.accountId} and direction = 'inbound' order by email_message_id`
  /** Everything in the account that mail may change. */
  const state = sql<{ readonly jobs: ReadonlyArray<string> }>`
    with queued as materialized (
      select job.id, task.identifier from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
      where job.payload::jsonb ->> 'accountId' = ${`${caller.accountId}`}
    )
    select (select json_agg(l) from lead l where l.account_id = a.account_id) as leads,
      (select json_agg(t) from touch t where t.account_id = a.account_id) as touches,
      (select json_agg(m) from email_message m where m.account_id = a.account_id and direction = 'outbound') as sent,
      (select json_agg(s) from email_suppression s where s.account_id = a.account_id) as suppressed,
      array(select identifier from queued order by id) as jobs
    from account a where a.account_id = ${caller.accountId}`
  const told = sql<{ readonly kind: string; readonly message: string }>`
    select kind, message from notification where account_id = ${caller.accountId}`
  const write = (more: Partial<Letter> = {}) =>
    letter({ from: `Bia <${email}>`, to: address, text: "Quinta às 15h está ótimo.", ...more })
  return { caller, me, email, leadId, sent, address, tagged, stored, state, told, write }
})

layer(Services, { excludeTestServices: true })("mail in a lead's name", (it) => {
  it.effect("that failed the receiver's check is shown, reported once a day, and changes nothing", () =>
    Effect.gen(function* () {
      const inbox = yield* MailInbox
      const sql = yield* SqlClient
      const { address, caller, email, leadId, sent, state, stored, tagged, told, write } = yield* corresponding
      const before = yield* state
      const about = { id: sent.messageId, to: email, account: address }
      const dead = { action: "failed", status: "5.1.1", diagnostic: "smtp; 550 no such user", recipient: email }
      const forged = [
        write(),
        write({ text: "Pare de me enviar e-mails." }),
        write({ inReplyTo: sent.messageId }),
        write({ to: tagged }),
        write({ headers: ["Auto-Submitted: auto-replied"] }),
        postfixReport(about, dead),
        abuseReport(about),
        // The sender's own claim, below the receiver's.
        write({ headers: [`Authentication-Results: ${receiver}; dmarc=pass header.from=lead.example`] })
      ]
      for (const raw of forged) {
        const receipts = yield* inbox.receive(received([failed], raw))
        assert.deepStrictEqual(
          receipts.map(({ outcome }) => outcome),
          ["unauthenticated"]
        )
      }
      assert.deepStrictEqual(yield* state, before)
      const rows = yield* stored
      assert.lengthOf(rows, forged.length)
      for (const row of rows) assert.deepInclude(row, { status: "unauthenticated", is_sender_proven: false })
      assert.isAbove(rows.filter(({ lead_id }) => lead_id === leadId).length, 4)
      const notices = yield* told
      assert.deepStrictEqual(
        notices.map(({ kind }) => kind),
        ["lead_mail_unauthenticated"]
      )
      assert.include(notices[0]?.message, "outra pessoa")
      const events = yield* sql<{ readonly event_type: string }>`
        select distinct event_type from account_event where account_id = ${caller.accountId}`
      assert.deepStrictEqual(events, [{ event_type: "email_received" }])
    })
  )

  it.effect("is only proven by an answer to a message of ours or by the receiver's check", () =>
    Effect.gen(function* () {
      const inbox = yield* MailInbox
      const sql = yield* SqlClient
      const { address, email, sent, stored, tagged, write } = yield* corresponding
      const other = yield* corresponding
      const forgedPass = `Authentication-Results: ${receiver}; dmarc=pass header.from=lead.example`
      const spelt: ReadonlyArray<readonly [what: string, raw: Buffer, isProven: boolean]> = [
        ["a bare message", write(), false],
        ["an answer", write({ inReplyTo: sent.messageId }), true],
        ["to our reply address", write({ to: tagged }), true],
        ["to another's reply address", received([`Delivered-To: ${other.tagged}`], write()), false],
        ["an answer to another account's message", write({ inReplyTo: other.sent.messageId }), false],
        ["an answer to a made-up message", write({ inReplyTo: "<made-up@mail.example>" }), false],
        ["passed", received([passed], write()), true],
        ["passed, as another server says", received([passed.replace(receiver, "mx.evil.example")], write()), false],
        ["a check that found no policy", received([`Authentication-Results: ${receiver}; dmarc=none`], write()), false],
        [
          "a forged pass under the receiver's own field",
          received([`Authentication-Results: ${receiver}; spf=none`], write({ headers: [forgedPass] })),
          false
        ],
        ["passed, with two senders", received([passed, "From: eve@lead.example"], write()), false]
      ]
      for (const [what, raw, isProven] of spelt) {
        yield* inbox.receive(raw, { deliveredTo: what.includes("reply address") ? [] : [address] })
        const row = (yield* stored).at(-1)
        assert.deepInclude(row, { status: "received", is_sender_proven: isProven }, what)
      }
      // A refused message that claims to be ours proves nothing later.
      const [first] = yield* sql<{ readonly message_id: string }>`
        select message_id from email_message where from_address = ${email} order by email_message_id limit 1`
      yield* inbox.receive(write({ inReplyTo: first?.message_id ?? "" }))
      assert.deepInclude((yield* stored).at(-1), { is_sender_proven: false })
    })
  )

  it.effect("without a result is read, so that opt-outs are honoured", () =>
    Effect.gen(function* () {
      const inbox = yield* MailInbox
      const { address, email, me, sent, write } = yield* corresponding
      const [receipt] = yield* inbox.receive(write({ text: "Me tire desta lista." }))
      assert.strictEqual(receipt?.outcome, "lead_reply")
      yield* inbox.receive(abuseReport({ id: sent.messageId, to: email, account: address }))
      assert.deepStrictEqual(yield* me(suppressions), [{ email, reason: "complaint" }])
    })
  )

  it.effect("cannot block the lead's own mail, however much of it arrives", () =>
    Effect.gen(function* () {
      const inbox = yield* MailInbox
      const { state, write } = yield* corresponding
      yield* Effect.forEach(Array.from({ length: 35 }), () => inbox.receive(received([failed], write())))
      const before = yield* state
      yield* inbox.receive(received([passed], write()))
      const after = [...(before[0]?.jobs ?? []), readReply.name, judgeInboundMail.name]
      assert.deepStrictEqual((yield* state)[0]?.jobs, after)
    })
  )

  it.scoped("is treated the same on the signed route", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(mailEndpoints, serveEndpoints)
      const { address, state, stored, write } = yield* corresponding
      const before = yield* state
      const timestamp = `${Math.floor((yield* Clock.currentTimeMillis) / 1000)}`
      const body = received([failed], write())
      const answer = yield* Effect.promise(async () => {
        const response = await fetch(`${url}/inbound/mail`, {
          method: "POST",
          body,
          headers: {
            "Content-Type": "message/rfc822",
            "X-Mail-Timestamp": timestamp,
            "X-Mail-Recipient": address,
            "X-Mail-Signature": inboundSignature(inboundSecret, timestamp, address, body)
          }
        })
        return response.text()
      })
      assert.include(answer, `"outcome":"unauthenticated"`)
      assert.deepStrictEqual(yield* state, before)
      assert.deepInclude((yield* stored)[0], { status: "unauthenticated" })
    })
  )

  it.scoped("is treated the same when it is read from a mailbox", () =>
    Effect.gen(function* () {
      const server = yield* localMailbox
      const { state, stored, write } = yield* corresponding
      const before = yield* state
      const imap = localImap(server.port, { password: secret("right") })
      yield* followMailbox.pipe(
        Effect.provide(MailCursorsPostgres),
        Effect.provide(Layer.succeed(MailSettings, { ...localSmtp(1), imap: Option.some(imap) })),
        Effect.provideService(ImapTiming, {
          keepHold: Duration.millis(200),
          waitForHold: Duration.millis(200),
          longestIdle: Duration.minutes(4),
          firstRetry: Duration.millis(100)
        })
      )
      yield* openedMailbox(server)
      yield* server.append(received([failed], write()))
      yield* eventually(stored, (rows) => rows.length === 1)
      assert.deepStrictEqual(yield* state, before)
      assert.deepInclude((yield* stored)[0], { status: "unauthenticated" })
    })
  )
})
