import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { domainCommands } from "../../src/Layers/SenderDomains/Commands.ts"
import { mailNewsOf } from "../../src/Layers/SenderDomains/DomainNewsMails.ts"
import { ownerNoticeType } from "../../src/Services/Events/OwnerNotices.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { taggedAddress } from "../../src/Services/Mail/MailTags.ts"
import { SenderDomainId } from "../../src/Services/SenderDomains/Ids.ts"
import { SenderDomains, SenderDomainView } from "../../src/Services/SenderDomains/SenderDomains.ts"
import { abuseReport } from "../Mail/sampleMails.ts"
import { queueEmail } from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { runCommand } from "../support/leads/RoomCommands.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>

const call = ({ token }: Holder, tool: string, args: object = {}) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

const viewOf = (holder: Holder, tool: "setup_custom_domain" | "setup_email_subdomain", args: object) =>
  Effect.map(call(holder, tool, args), ({ json, status, text }) => {
    assert.strictEqual(status, 200, text)
    return Schema.decodeUnknownSync(SenderDomainView)(json)
  })
const custom = (holder: Holder, args: object) => viewOf(holder, "setup_custom_domain", args)
const subdomain = (holder: Holder, args: object) => viewOf(holder, "setup_email_subdomain", args)

const reasonOf = (holder: Holder, tool: string, args: object) =>
  Effect.map(
    call(holder, tool, args),
    ({ json }) => Schema.decodeUnknownSync(Schema.Struct({ reason: Schema.String }))(json).reason
  )

const setZone = (holder: Holder, name: string, type: string, values: ReadonlyArray<string> | null) =>
  Effect.map(
    send("/sandbox/dns", { method: "POST", token: holder.token, body: JSON.stringify({ name, type, values }) }),
    ({ status, text }) => assert.strictEqual(status, 200, text)
  )

const publish = (holder: Holder, { records }: SenderDomainView) =>
  Effect.forEach(
    // A name's records of one type are set together.
    [...new Set(records.map(({ name, type }) => `${type} ${name}`))],
    (key) => {
      const [type = "", name = ""] = key.split(" ")
      const values = records.filter((one) => one.name === name && one.type === type).map(({ value }) => value)
      return setZone(holder, name, type, values)
    },
    { discard: true }
  )

const verifiedDomain = (holder: Holder, address: string) =>
  Effect.gen(function* () {
    yield* publish(holder, yield* custom(holder, { action: "activate", email_address: address }))
    const view = yield* custom(holder, { action: "verify" })
    assert.strictEqual(view.status, "verified", JSON.stringify(view.records))
    return view
  })

interface Left {
  readonly from_address: string
  readonly message_id: string
  readonly status: string
  readonly sender_domain_id: number | null
}

/** Writes to a new lead, or the one given; answers how it left. */
const mailLead = (holder: Holder, to?: Effect.Effect.Success<ReturnType<typeof insertLead>>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const outbox = yield* MailOutbox
    const me = as(holder.caller)
    const leadId = to ?? (yield* me(insertLead()))
    const message = yield* me(queueEmail(leadId))
    const failure = yield* Effect.either(outbox.deliver(message, { isLast: false }))
    const rows = yield* sql<Left>`
      select from_address, message_id, status, sender_domain_id from email_message
      where account_id = ${message.accountId} and email_message_id = ${message.emailMessageId}`
    return { leadId, failure, left: rows[0], message }
  })

const idOf = ({ caller: { accountId } }: Holder) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ readonly id: number }>`
      select sender_domain_id as id from sender_domain where account_id = ${accountId} order by kind limit 1`
    return rows[0]?.id ?? 0
  })

const check = (holder: Holder) =>
  Effect.gen(function* () {
    const domains = yield* SenderDomains
    const due = yield* domains.due
    for (const { accountId, senderDomainId } of due) {
      if (accountId === holder.caller.accountId) yield* domains.check(accountId, senderDomainId)
    }
  })

/** What the owner was written of, each time that the task that queued it is run again. */
const ownerMails = ({ caller: { accountId } }: Holder, id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`update account set email = 'owner' || account_id || '@company.example' where account_id = ${accountId}`
    const domainId = SenderDomainId.make(id)
    yield* Effect.forEach([1, 2, 3], () => mailNewsOf(accountId, domainId), { concurrency: "unbounded" })
    const rows = yield* sql<{ readonly subject: string }>`
      select subject from email_message where account_id = ${accountId} and message_type = ${ownerNoticeType}
      order by email_message_id`
    return rows.map(({ subject }) => subject)
  })

const notices = (holder: Holder) => Effect.map(call(holder, "list_pending_notifications"), ({ text }) => text)

layer(testGateway(), { excludeTestServices: true })("domains that mail leaves under", (it) => {
  it.effect("need the paid plan", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder("free_trial")
      for (const tool of ["setup_custom_domain", "setup_email_subdomain"]) {
        const { json, status } = yield* call(holder, tool, { action: "verify" })
        assert.strictEqual(status, 403)
        assert.deepInclude(json, { type: "PlanRequired", required_plan: "paid" })
      }
    })
  )

  it.effect(
    "answer what to publish and what is missing; once it is there mail leaves aligned, until it is removed",
    () =>
      Effect.gen(function* () {
        const holder = yield* makeTokenHolder()
        const activated = yield* custom(holder, { action: "activate", email_address: "Ana@Loja.example" })
        assert.deepInclude(activated, {
          status: "pending",
          domain: "loja.example",
          domain_address: "ana@loja.example",
          records_published_by: "you"
        })
        assert.deepStrictEqual(
          activated.records.map(({ state, type }) => `${type} ${state}`),
          [
            "TXT not_checked",
            "TXT not_checked",
            "MX not_checked",
            "TXT not_checked",
            "TXT not_checked",
            "TXT not_checked"
          ]
        )
        // The same again keeps the keys.
        const again = yield* custom(holder, { action: "activate", email_address: "ana@loja.example" })
        assert.deepStrictEqual(again.records, activated.records)
        const early = yield* custom(holder, { action: "verify" })
        assert.strictEqual(early.status, "pending")
        assert.isTrue(early.records.every(({ advice, state }) => state === "missing" && advice !== null))
        assert.strictEqual((yield* mailLead(holder)).left?.sender_domain_id, null)

        yield* publish(holder, activated)
        const verified = yield* custom(holder, { action: "verify" })
        assert.deepInclude(verified, { status: "verified", sender_address: "ana@loja.example", daily_limit: 20 })
        assert.include(yield* notices(holder), "sender_domain_verified")
        const { left } = yield* mailLead(holder)
        assert.deepInclude(left, { from_address: "ana@loja.example", status: "sent" })
        assert.match(left?.message_id ?? "", /@loja\.example>$/)
        assert.include((yield* call(holder, "get_email_settings")).text, '"sender_address":"ana@loja.example"')

        const removed = yield* custom(holder, { action: "remove" })
        assert.deepInclude(removed, { status: "removed", domain: null })
        assert.match(removed.sender_address, /@mail\.example(?:\.com)?$/)
        assert.match((yield* mailLead(holder)).left?.from_address ?? "", /@mail\.example(?:\.com)?$/)
        assert.strictEqual((yield* custom(holder, { action: "remove" })).status, "removed")
        assert.strictEqual(yield* reasonOf(holder, "setup_custom_domain", { action: "verify" }), "domain_not_active")
      })
  )

  it.effect("belong to whoever proves them, and a second one waits for the first to go", () =>
    Effect.gen(function* () {
      const first = yield* makeTokenHolder()
      const second = yield* makeTokenHolder()
      // To have asked for a domain is no claim to it.
      const squatted = yield* custom(second, { action: "activate", email_address: "x@dona.example" })
      yield* verifiedDomain(first, "a@dona.example")
      yield* publish(second, squatted)
      assert.strictEqual(yield* reasonOf(second, "setup_custom_domain", { action: "verify" }), "domain_taken")
      assert.strictEqual(
        yield* reasonOf(first, "setup_custom_domain", { action: "activate", email_address: "a@outra.example" }),
        "other_domain_active"
      )
      assert.strictEqual(yield* reasonOf(first, "setup_custom_domain", { action: "activate" }), "parameter_needed")
      assert.strictEqual(
        yield* reasonOf(first, "setup_custom_domain", { action: "activate", email_address: "a@gmail.com" }),
        "public_mail_domain"
      )
    })
  )

  it.effect("that fifty accounts prove at once belong to one of them", () =>
    Effect.gen(function* () {
      const holders = yield* Effect.forEach(Array.from({ length: 50 }), () => makeTokenHolder(), { concurrency: 10 })
      yield* Effect.forEach(
        holders,
        (holder) =>
          Effect.flatMap(custom(holder, { action: "activate", email_address: "a@cobicada.example" }), (view) =>
            publish(holder, view)
          ),
        { concurrency: 10 }
      )
      const answers = yield* Effect.forEach(
        holders,
        (holder) => call(holder, "setup_custom_domain", { action: "verify" }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      for (const { json, status } of answers) if (status !== 200) assert.deepInclude(json, { reason: "domain_taken" })
    })
  )

  it.effect("in the platform's zone have unique names: of fifty accounts that want one at once, one gets it", () =>
    Effect.gen(function* () {
      const holders = yield* Effect.forEach(Array.from({ length: 50 }), () => makeTokenHolder())
      const answers = yield* Effect.forEach(
        holders,
        (holder) => call(holder, "setup_email_subdomain", { action: "activate", subdomain: "Ondas" }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      for (const { json, status } of answers) if (status !== 200) assert.deepInclude(json, { reason: "domain_taken" })
      const [holder] = holders
      if (holder === undefined) return
      assert.strictEqual(
        yield* reasonOf(holder, "setup_email_subdomain", { action: "activate", subdomain: "support" }),
        "subdomain_reserved"
      )
    })
  )

  it.effect("in the platform's zone are published by the operator, and give way to a domain of the account's own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      const view = yield* subdomain(holder, { action: "activate", subdomain: "padaria" })
      assert.deepInclude(view, { records_published_by: "platform", domain: "padaria.mail.example.com" })
      const zone = yield* runCommand(domainCommands, ["domain", "records"])
      assert.include(zone, "padaria.mail.example.com. 3600 IN MX 10 mx.mail.example.com.")
      assert.match(
        zone,
        /-rsa\._domainkey\.padaria\.mail\.example\.com\. 3600 IN TXT "v=DKIM1; k=rsa; p=[^"]+" "[^"]+"/
      )
      yield* publish(holder, view)
      assert.strictEqual((yield* subdomain(holder, { action: "verify" })).status, "verified")
      const { left, message } = yield* mailLead(holder)
      assert.match(left?.from_address ?? "", /^account\d+@padaria\.mail\.example\.com$/)

      // A reply to the From address comes in.
      const raw = `From: lead@company.example\r\nTo: ${left?.from_address}\r\nMessage-ID: <r1@company.example>\r\nSubject: Re: Hello\r\n\r\nYes\r\n`
      const inbound = yield* send("/sandbox/mail/inbound", {
        method: "POST",
        token: holder.token,
        headers: { "Content-Type": "message/rfc822" },
        body: raw
      })
      assert.strictEqual(inbound.status, 200, inbound.text)
      const stored = yield* sql`
        select from email_message where account_id = ${message.accountId} and direction = 'inbound'`
      assert.strictEqual(stored.length, 1)

      yield* verifiedDomain(holder, "vendas@padaria-central.example")
      assert.strictEqual((yield* mailLead(holder)).left?.from_address, "vendas@padaria-central.example")
      yield* custom(holder, { action: "remove" })
      assert.match((yield* mailLead(holder)).left?.from_address ?? "", /@padaria\.mail/)
    })
  )

  it.effect("whose records vanish are left, and the owner told; servers that keep silent change nothing", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const view = yield* verifiedDomain(holder, "a@some.example")
      const dkim = view.records.find(({ purpose }) => purpose === "dkim_rsa")?.name ?? ""
      yield* setZone(holder, dkim, "TXT", null)
      yield* check(holder)
      assert.strictEqual((yield* mailLead(holder)).left?.from_address, "a@some.example")

      yield* setZone(holder, dkim, "TXT", [])
      yield* check(holder)
      yield* check(holder)
      const text = yield* notices(holder)
      assert.strictEqual(text.split("sender_domain_lapsed").length, 2)
      assert.include(text, dkim)
      assert.match((yield* mailLead(holder)).left?.from_address ?? "", /@mail\.example(?:\.com)?$/)
      const id = yield* idOf(holder)
      const told = ["Faltam registros DNS de some.example"]
      assert.deepStrictEqual(yield* ownerMails(holder, id), told)
      assert.deepStrictEqual(yield* ownerMails(holder, id), told)

      yield* publish(holder, view)
      yield* check(holder)
      assert.deepStrictEqual(yield* ownerMails(holder, id), told)
      assert.strictEqual((yield* mailLead(holder)).left?.from_address, "a@some.example")
    })
  )

  it.effect("are warmed up by day: what is over leaves from the platform, but for leads who know the domain", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const holder = yield* makeTokenHolder()
      yield* verifiedDomain(holder, "a@nova.example")
      const known = yield* mailLead(holder)
      yield* sql`update sender_domain_day set sent = 15 where account_id = ${holder.caller.accountId}`
      const mails = yield* Effect.forEach(Array.from({ length: 12 }), () => mailLead(holder), { concurrency: 6 })
      const own = mails.filter(({ left }) => left?.from_address === "a@nova.example")
      assert.strictEqual(own.length, 5)
      assert.isTrue(mails.every(({ left }) => left?.status === "sent"))
      assert.strictEqual((yield* mailLead(holder, known.leadId)).left?.from_address, "a@nova.example")
      yield* sql`
        update sender_domain set ramp_from = instant() - interval '9 days' where account_id = ${holder.caller.accountId}`
      assert.isNull((yield* custom(holder, { action: "verify" })).daily_limit)
      assert.strictEqual((yield* mailLead(holder)).left?.from_address, "a@nova.example")
    })
  )

  it.effect("whose mail bounces too much stop by themselves, the owner is told, and the ramp begins again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* SenderDomains
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      yield* verifiedDomain(holder, "a@suja.example")
      const id = yield* idOf(holder)
      yield* sql`
        insert into email_message (account_id, direction, status, failure_reason, message_id, from_address, to_address,
          subject, body_text, sender_domain_id, sending_at)
        select ${accountId}, 'outbound', case when n <= 3 then 'failed' else 'sent' end,
          case when n <= 3 then 'hard_bounce' end, '<s' || n || '@suja.example>', 'a@suja.example',
          'l' || n || '@x.example', '', '', ${id}, instant() + interval '1 second' from generate_series(1, 30) n`
      assert.isAbove(yield* domains.brake, 0)
      yield* domains.brake
      assert.strictEqual((yield* notices(holder)).split("sender_domain_paused").length, 2)
      assert.deepStrictEqual(yield* ownerMails(holder, id), ["E-mails por suja.example parados por três dias"])
      const held = yield* mailLead(holder)
      assert.strictEqual(held.left?.status, "queued")
      assert.strictEqual(held.failure._tag === "Left" && held.failure.left.reason, "sender_domain_paused")
      yield* sql`
        update sender_domain set paused_until = instant() - interval '1 second', ramp_from = instant()
        where account_id = ${accountId}`
      const outbox = yield* MailOutbox
      yield* outbox.deliver(held.message, { isLast: false })
      assert.strictEqual((yield* custom(holder, { action: "verify" })).daily_limit, 20)
      assert.strictEqual((yield* mailLead(holder)).left?.from_address, "a@suja.example")
    })
  )

  it.effect("get their bounces and complaints back, for the suppression list and their own reputation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* SenderDomains
      const holder = yield* makeTokenHolder()
      const { accountId } = holder.caller
      yield* verifiedDomain(holder, "a@volta.example")
      const id = yield* idOf(holder)
      const inbox = yield* MailInbox
      const [account] = yield* sql<{ readonly handle: string; readonly mailKey: Uint8Array }>`
        select handle, mail_key as "mailKey" from account where account_id = ${accountId}`
      if (account === undefined) return assert.fail("no account")

      /** A report as servers write them; some say no word of the message, which the return path alone tells. */
      const bounce = (domain: string, quotes: boolean) =>
        Effect.gen(function* () {
          const { left, message } = yield* mailLead(holder)
          const rows = yield* sql<{ readonly to: string }>`
            select to_address as "to" from email_message
            where account_id = ${accountId} and email_message_id = ${message.emailMessageId}`
          const to = rows[0]?.to ?? ""
          const returnPath = taggedAddress({ ...account, domain }, "bounce", message.emailMessageId)
          const report = [
            "From: MAILER-DAEMON@mx.company.example",
            `To: ${returnPath}`,
            `Message-ID: <b-${to}>`,
            "Subject: Undelivered Mail Returned to Sender",
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
            "",
            "--b",
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns; mx.company.example",
            "",
            `Final-Recipient: rfc822; ${to}`,
            "Action: failed",
            "Status: 5.1.1",
            "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
            "",
            ...(quotes
              ? ["--b", "Content-Type: message/rfc822", "", `Message-ID: ${left?.message_id}`, "", "Hello"]
              : []),
            "--b--",
            ""
          ]
          const receipts = yield* inbox.receive(Buffer.from(report.join("\r\n")), { deliveredTo: [returnPath] })
          assert.deepStrictEqual(
            receipts.map(({ outcome }) => outcome),
            ["bounce"]
          )
          return to
        })
      const dead = [
        yield* bounce("bounces.volta.example", true),
        yield* bounce("bounces.volta.example", false),
        yield* bounce("BOUNCES.Volta.example", true)
      ]
      const suppressed = Effect.map(
        sql<{ readonly email: string }>`select email from email_suppression where account_id = ${accountId}`,
        (rows) => rows.map(({ email }) => email).toSorted()
      )
      assert.deepStrictEqual(yield* suppressed, dead.toSorted())

      /** A provider's feedback loop, which knows no other address of ours. */
      const complain = (domain: string) =>
        Effect.gen(function* () {
          const { left, message } = yield* mailLead(holder)
          const rows = yield* sql<{ readonly to: string }>`
            select to_address as "to" from email_message
            where account_id = ${accountId} and email_message_id = ${message.emailMessageId}`
          const to = rows[0]?.to ?? ""
          const returnPath = taggedAddress({ ...account, domain }, "bounce", message.emailMessageId)
          const report = abuseReport(
            { account: "a@volta.example", id: left?.message_id ?? "", to },
            { reportedTo: returnPath }
          )
          const receipts = yield* inbox.receive(report, { deliveredTo: [returnPath] })
          assert.deepStrictEqual(
            receipts.map(({ outcome }) => outcome),
            ["complaint"]
          )
          return to
        })
      const complained = [yield* complain("bounces.volta.example"), yield* complain("mail.example.com")]
      assert.deepStrictEqual(yield* suppressed, [...dead, ...complained].toSorted())
      const reasons = yield* sql<{ readonly email: string }>`
        select email from email_suppression where account_id = ${accountId} and reason = 'complaint'`
      assert.deepStrictEqual(reasons.map(({ email }) => email).toSorted(), complained.toSorted())

      // The platform's own return path, of mail that left from there.
      yield* sql`update sender_domain set status = 'lapsed' where account_id = ${accountId}`
      const fourth = yield* bounce("mail.example.com", false)
      assert.deepStrictEqual(yield* suppressed, [...dead, ...complained, fourth].toSorted())

      // The domain answers for what it sent, and for that alone.
      yield* sql`update sender_domain set status = 'verified' where account_id = ${accountId}`
      yield* sql`
        insert into email_message (account_id, direction, status, message_id, from_address, to_address, subject, body_text,
          sender_domain_id, sending_at)
        select ${accountId}, 'outbound', 'sent', '<v' || n || '@volta.example>', 'a@volta.example',
          'v' || n || '@x.example', '', '', ${id}, instant() from generate_series(1, 17) n`
      yield* sql`
        update sender_domain set ramp_from = instant() - interval '1 day' where account_id = ${accountId}`
      yield* domains.brake
      assert.include(yield* notices(holder), "sender_domain_paused")
    })
  )

  it.effect("the simulated zone takes names and nothing else", () =>
    Effect.gen(function* () {
      const { token } = yield* makeTokenHolder()
      const put = (body: object) => send("/sandbox/dns", { method: "POST", token, body: JSON.stringify(body) })
      assert.strictEqual((yield* put({ name: "a b", type: "TXT", values: [] })).status, 400)
      assert.strictEqual((yield* put({ name: "a.example", type: "NS", values: [] })).status, 400)
      assert.strictEqual((yield* put({ name: "a.example", type: "TXT", values: [1] })).status, 400)
      assert.strictEqual((yield* put({ name: "_Dmarc.A.example.", type: "TXT", values: ["x"] })).status, 200)
      assert.include((yield* send("/sandbox/dns", { token })).text, '"name":"_dmarc.a.example"')
      assert.strictEqual((yield* send("/sandbox/dns")).status, 401)
    })
  )
})
