import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { makeErase } from "../../src/Layers/Leads/Erasure/LeadErasure.ts"
import { SentFolder } from "../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { mailPersonalData } from "../../src/Layers/Mail/PersonalData.ts"
import { SmtpMail } from "../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { PersonalDataOfRooms } from "../../src/Layers/Platform/PersonalData.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../src/Services/Leads/Ids.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { tasksNamed } from "../Jobs/support.ts"
import { handle, leadNow, notificationsNow, ReplyServices, receiveMail } from "../Replies/support/replies.ts"
import { localSmtp } from "../support/channels/MailFixtures.ts"
import { mailServices, suppressions } from "../support/channels/MailServices.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { type LocalSmtpServer, localSmtpServer } from "../support/providers/LocalSmtpServer.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"

class Server extends Context.Tag("Server")<Server, LocalSmtpServer>() {}

/** Replies are read, and mail goes to a real server. */
const OverSmtp = Layer.unwrapScoped(
  Effect.map(localSmtpServer(), (server) =>
    Layer.mergeAll(
      ReplyServices,
      mailServices(
        SmtpMail.pipe(
          Layer.provide(
            Layer.merge(
              Layer.succeed(MailSettings, localSmtp(server.port)),
              Layer.succeed(SentFolder, { has: () => Effect.succeed(Option.none()) })
            )
          )
        )
      ),
      Layer.succeed(Server, server)
    )
  )
)

const interested = "Olá! Tenho interesse sim, pode me mandar mais informações?"

let owners = 0
const setUp = (preferences: { readonly [column: string]: string | boolean } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const caller = yield* makeAccount()
    const address = `dona${++owners}@owner.example`
    yield* sql`
      update prospecting_config set ${sql.update({ notification_email: address, ...preferences })}
      where account_id = ${caller.accountId}`
    yield* sql`
      insert into confirmed_address (account_id, email, confirmed_at) values (${caller.accountId}, ${address}, instant())`
    return { caller, me: as(caller), address }
  })

const notices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  return yield* sql<{ readonly id: number; readonly status: string; readonly to: string; readonly leadId: null }>`
    select email_message_id as id, status, to_address as "to", lead_id as "leadId" from email_message
    where account_id = ${accountId} and message_type = 'owner_notification' order by email_message_id`
})

/** Does the tasks of the notices, and does them again. */
const deliver = Effect.gen(function* () {
  const { accountId } = yield* Caller
  const outbox = yield* MailOutbox
  for (const { id } of [...(yield* notices), ...(yield* notices)]) {
    yield* outbox.deliver({ accountId, emailMessageId: id }, { isLast: false })
  }
})

const replied = (leadId: LeadId, text = interested) =>
  Effect.flatMap(receiveMail(leadId, text), (reply) => Effect.all([handle(reply), handle(reply)], { concurrency: 2 }))

const receivedBy = (address: string) =>
  Effect.map(Server, ({ messages }) => messages.filter(({ to }) => to.includes(address)))

layer(OverSmtp, { excludeTestServices: true })("the owner's mail", (it) => {
  it.effect("tells once of a lead that became interested: who, and what it wrote", () =>
    Effect.gen(function* () {
      const { address, me } = yield* setUp()
      const lead = yield* me(
        insertLead({ name: "Beatriz Fonseca", company: "Fonseca Óptica", phone: "+5511987651111" })
      )
      yield* me(replied(lead))
      const [row] = yield* me(notices)
      assert.deepInclude(row, { status: "queued", to: address, leadId: null })
      const tasks = yield* tasksNamed("send_email")
      assert.lengthOf(
        tasks.filter(({ payload }) => "emailMessageId" in payload && payload.emailMessageId === row?.id),
        1
      )
      yield* me(deliver)
      const mails = yield* receivedBy(address)
      assert.lengthOf(mails, 1)
      const raw = mails[0]?.raw ?? ""
      assert.include(raw, "Subject: =?UTF-8?")
      assert.match(raw, /^Auto-Submitted: auto-generated/m)
      assert.include(raw, "Beatriz Fonseca (Fonseca =C3=93ptica) demonstrou interesse.")
      assert.include(raw, "mandar mais")
      const text = raw.replace(/=\r?\n/g, "").replace(/=3D/g, "=")
      assert.include(text, `${testBaseUrl}/lead/${lead.toString(36)}-`)
      assert.include(text, "Abrir a conversa")
      assert.match(text, /<h1[^>]*>Beatriz Fonseca/)
      assert.match(text, /<a href="https:[^"]+\/lead\/[^"]+" style="[^"]*background:#1a5fb4/)
      assert.notMatch(text, /[a-z]+_[a-z]+_[a-z]+/)
      assert.notMatch(raw, /98765|lead\d+@client/)
      assert.deepStrictEqual(
        (yield* me(notices)).map(({ status }) => status),
        ["sent"]
      )
      const unit = yield* UnitOfWork
      yield* me(
        Effect.flatMap(makeErase, (erase) => unit.write(erase(lead, undefined))).pipe(
          Effect.provideService(PersonalDataOfRooms, [mailPersonalData])
        )
      )
      assert.lengthOf(yield* me(notices), 0)
    })
  )

  it.effect("goes to no address before its reader has confirmed it, and then to the account's own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { address, caller, me } = yield* setUp()
      yield* sql`delete from confirmed_address where account_id = ${caller.accountId}`
      yield* sql`
        update account set email = ${`own-${address}`}, is_email_claimed = true where account_id = ${caller.accountId}`
      yield* me(replied(yield* me(insertLead())))
      assert.isEmpty(yield* me(notices))
      yield* sql`update account set is_email_claimed = false where account_id = ${caller.accountId}`
      yield* me(replied(yield* me(insertLead())))
      assert.deepStrictEqual(
        (yield* me(notices)).map(({ to }) => to),
        [`own-${address}`]
      )
    })
  )

  it.effect("goes as the switches say, apart from the notification", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [object, text: string, notifications: number, mails: number]> = [
        [{ notify_on_interested_via_email: false }, interested, 1, 0],
        [{ notify_on_interested: false }, interested, 0, 1],
        [{ notify_on_confirmed_via_email: true }, "Bom dia. Recebi a sua mensagem, quanto custa?", 0, 1],
        [{}, "Bom dia. Recebi a sua mensagem, quanto custa?", 0, 0]
      ]
      for (const [preferences, text, notifications, mails] of cases) {
        const { me } = yield* setUp({ ...preferences })
        yield* me(replied(yield* me(insertLead()), text))
        const kinds = (yield* me(notificationsNow)).filter(
          (row) => "kind" in row && (row.kind === "lead_became_interested" || row.kind === "lead_confirmed")
        )
        assert.lengthOf(kinds, notifications, JSON.stringify(preferences))
        assert.lengthOf(yield* me(notices), mails, JSON.stringify(preferences))
      }
      const { me } = yield* setUp()
      const quiet = yield* me(insertCampaign("Quiet", { notify_on_interested: false }))
      yield* me(replied(yield* me(insertLead({ campaign_id: quiet }))))
      assert.isEmpty(yield* me(notices))
    })
  )

  it.effect("never goes to an address of a lead, not even one that becomes one before it leaves", () =>
    Effect.gen(function* () {
      const { address, me } = yield* setUp()
      const lead = yield* me(insertLead())
      const same = yield* me(insertLead({ email: address }))
      yield* me(replied(lead))
      assert.isEmpty(yield* me(notices))

      const sql = yield* SqlClient
      yield* sql`update lead set email = 'another@client.example' where lead_id = ${same}`
      yield* me(replied(yield* me(insertLead())))
      assert.lengthOf(yield* me(notices), 1)
      yield* sql`update lead set email = ${address} where lead_id = ${same}`
      yield* me(deliver)
      assert.isEmpty(yield* receivedBy(address))
      assert.deepStrictEqual(
        (yield* me(notices)).map(({ status }) => status),
        ["cancelled"]
      )
    })
  )

  it.effect("that bounces is not tried again, and touches no lead", () =>
    Effect.gen(function* () {
      const { address, me } = yield* setUp()
      const lead = yield* me(insertLead())
      yield* me(replied(lead))
      yield* me(deliver)
      const before = yield* me(leadNow(lead))
      const [mail] = yield* receivedBy(address)
      const inbox = yield* MailInbox
      const report = (to: string) =>
        [
          "From: Mail Delivery System <mailer-daemon@mx.example>",
          `To: ${to}`,
          "Subject: Undelivered Mail Returned to Sender",
          "Message-ID: <bounce-of-the-owner@mx.example>",
          "Auto-Submitted: auto-replied",
          'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
          "",
          "--b",
          "Content-Type: text/plain",
          "",
          "The address does not exist.",
          "--b",
          "Content-Type: message/delivery-status",
          "",
          "Reporting-MTA: dns; mx.example",
          "",
          `Final-Recipient: rfc822; ${address}`,
          "Action: failed",
          "Status: 5.1.1",
          "Diagnostic-Code: smtp; 550 5.1.1 No such user",
          "",
          "--b--",
          ""
        ].join("\r\n")
      const receipts = yield* inbox.receive(Buffer.from(report(mail?.from ?? "")), { deliveredTo: [mail?.from ?? ""] })
      assert.deepStrictEqual(
        receipts.map(({ leadId, outcome }) => ({ leadId, outcome })),
        [{ leadId: undefined, outcome: "bounce" }]
      )
      const [notice] = yield* me(notices)
      assert.strictEqual(notice?.status, "failed")
      assert.isEmpty(yield* me(suppressions))
      assert.deepStrictEqual(yield* me(leadNow(lead)), before)

      yield* me(replied(yield* me(insertLead())))
      assert.lengthOf(yield* me(notices), 1)
    })
  )

  it.effect("that the server refuses fails, and keeps no mail from anybody", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { address, me } = yield* setUp()
      yield* me(replied(yield* me(insertLead())))
      server.behave({ onRecipient: (to) => (to === address ? "550 5.1.1 No such user" : undefined) })
      yield* me(deliver)
      server.behave({})
      assert.deepStrictEqual(
        (yield* me(notices)).map(({ status }) => status),
        ["failed"]
      )
      assert.isEmpty(yield* me(suppressions))
    })
  )
})
