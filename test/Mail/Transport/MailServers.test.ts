import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Option } from "effect"
import { createTransport } from "nodemailer"
import { followMailbox, ImapTiming } from "../../../src/Layers/Mail/Imap/ImapReader.ts"
import { SentFolder } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailCursorsPostgres } from "../../../src/Layers/Mail/Imap/MailCursors.ts"
import { MailSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { SmtpMail } from "../../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { OutsideHealthLive } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { MailOutbox } from "../../../src/Services/Mail/MailOutbox.ts"
import { eventually } from "../../Jobs/support.ts"
import { localImap, localSmtp, secret } from "../../support/channels/MailFixtures.ts"
import { emailRow, mailServices, queueEmail, suppressions } from "../../support/channels/MailServices.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { hasDovecot, localDovecot } from "../../support/providers/LocalDovecot.ts"
import { hasPostfix, localPostfix } from "../../support/providers/LocalPostfix.ts"
import { localSmtpServer } from "../../support/providers/LocalSmtpServer.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { openedMailbox } from "../openedMailbox.ts"

const timing = {
  keepHold: Duration.millis(200),
  waitForHold: Duration.millis(200),
  longestIdle: Duration.minutes(4),
  firstRetry: Duration.millis(100)
}

/** A directory into which Postfix delivers as a user without rights. */
const leadMaildir = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-lead-"))
    fs.chmodSync(folder, 0o777)
    return folder
  }),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

const lettersIn = (maildir: string): ReadonlyArray<string> => {
  const folder = path.join(maildir, "new")
  return fs.existsSync(folder)
    ? fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), "utf8"))
    : []
}

/** Postfix takes and delivers; Dovecot shows the gateway's mailbox; the servers of `dead.example` know no one. */
const servers = Effect.gen(function* () {
  const dovecot = yield* localDovecot
  const dead = yield* localSmtpServer()
  dead.behave({ onRecipient: () => "550 5.1.1 No such user here" })
  const lead = yield* leadMaildir
  const postfix = yield* localPostfix({
    maildirs: { "@mail.example": `${dovecot.maildir}/`, "bia@lead.example": `${lead}/` },
    relays: { "dead.example": dead.port }
  })
  const settings = {
    ...localSmtp(postfix.port),
    imap: Option.some(localImap(dovecot.port, { password: secret("right") }))
  }
  return { dovecot, lead, postfix, settings }
})

const replyFrom = (port: number, text: string, to: string, inReplyTo: string) =>
  Effect.promise(() => {
    const transport = createTransport({ host: "127.0.0.1", port, secure: false, ignoreTLS: true })
    return transport
      .sendMail({ from: "Bia <bia@lead.example>", to, subject: "Re: Hello", text, inReplyTo, references: inReplyTo })
      .finally(() => transport.close())
  })

describe("Postfix and Dovecot", () => {
  const test = hasPostfix && hasDovecot ? it.scopedLive : it.scopedLive.skip

  test("deliver what the gateway sends, return what has no recipient, and hand over the answer", () =>
    Effect.gen(function* () {
      const { dovecot, lead, postfix, settings } = yield* servers
      const world = mailServices(
        SmtpMail.pipe(
          Layer.provide(
            Layer.mergeAll(
              Layer.succeed(MailSettings, settings),
              Layer.succeed(SentFolder, { has: () => Effect.succeed(Option.none()) }),
              OutsideHealthLive
            )
          )
        ),
        settings
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const outbox = yield* MailOutbox
        const caller = yield* makeAccount()
        const me = as(caller)
        yield* followMailbox.pipe(
          Effect.provide(MailCursorsPostgres),
          Effect.provide(OutsideHealthLive),
          Effect.provideService(ImapTiming, timing),
          Effect.zipLeft(openedMailbox(dovecot))
        )
        const bia = yield* me(insertLead({ email: "bia@lead.example" }))
        const missing = yield* me(insertLead({ email: "gone@dead.example" }))
        const toBia = yield* me(queueEmail(bia))
        const toGone = yield* me(queueEmail(missing))
        for (const message of [toBia, toGone, toBia]) yield* me(outbox.deliver(message, { isLast: false }))

        // Postfix has the mail once, with the sender that bounces go to and the link that ends all.
        const letters = yield* eventually(
          Effect.sync(() => lettersIn(lead)),
          (all) => all.length > 0
        )
        assert.lengthOf(letters, 1)
        const [letter = ""] = letters
        assert.include(letter, `Message-ID: ${toBia.messageId}`)
        assert.match(letter, /^Return-Path: <account\d+\+b[0-9a-f]+-[0-9a-f]{16}@mail\.example>/m)
        assert.match(letter, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
        const replyTo = /^Reply-To: <?([^>\r\n]+)>?/m.exec(letter)?.[1] ?? assert.fail("no address for answers")

        // What the other server refuses, Postfix writes back about.
        yield* eventually(emailRow(toGone.emailMessageId), ({ status }) => status === "failed")
        assert.deepStrictEqual(yield* me(suppressions), [{ email: "gone@dead.example", reason: "hard_bounce" }])
        assert.strictEqual((yield* emailRow(toBia.emailMessageId)).status, "sent")

        yield* replyFrom(postfix.port, "Sim, quinta às 10h: é já.", replyTo, toBia.messageId)
        const received = sql<{ readonly text: string }>`
          select body_text as text from email_message
          where account_id = ${caller.accountId} and direction = 'inbound' and lead_id = ${bia}`
        const [reply] = yield* eventually(received, (rows) => rows.length > 0)
        assert.include(reply?.text ?? "", "Sim, quinta às 10h: é já.")
      }).pipe(Effect.scoped, Effect.provide(world))
    }))
})
