import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Bounce,
  bounceKindFor,
  isAutomatic,
  readBounce,
  readComplaint
} from "../../src/Services/Mail/MailReports.ts"
import { parseMail } from "./Parsing/parseMail.ts"
import {
  abuseReport,
  autoReplies,
  exchangeReport,
  eximBounce,
  letter,
  postfixReport,
  qmailBounce
} from "./sampleMails.ts"

const about = { id: "<3f2a@mail.example>", to: "bia@lead.example", account: "acme@mail.example" }

const bounceOf = (raw: Buffer) =>
  Effect.map(parseMail(raw), (mail): Bounce => {
    const bounce = readBounce(mail)
    assert.isDefined(bounce)
    assert.isTrue(isAutomatic(mail))
    assert.isUndefined(readComplaint(mail))
    return bounce
  })

describe("a bounce", () => {
  const reports = [
    [
      "5.1.1",
      "550 5.1.1 <bia@lead.example>: Recipient address rejected: User unknown in virtual mailbox table",
      "hard"
    ],
    ["5.0.0", "550 5.1.1 The email account that you tried to reach does not exist", "hard"],
    ["5.0.0", "550 User unknown", "hard"],
    [
      "5.4.4",
      "Host or domain name not found. Name service error for name=lead.example type=MX: Host not found",
      "hard"
    ],
    ["5.2.1", "550 5.2.1 The email account that you tried to reach is disabled", "hard"],
    ["5.2.2", "552 5.2.2 The email account that you tried to reach is over quota", "soft"],
    ["5.7.1", "550 5.7.1 Message rejected due to local policy: listed at rbl.example", "soft"],
    [
      "5.7.26",
      "550-5.7.26 Unauthenticated email from mail.example is not accepted due to domain's DMARC policy",
      "soft"
    ],
    ["5.0.0", "554 Message blocked as spam: user unknown to our reputation service", "soft"],
    ["4.4.1", "connect to mx.lead.example[192.0.2.1]:25: Connection timed out", "soft"]
  ] as const
  for (const [status, diagnostic, kind] of reports) {
    it.effect(`is ${kind} where the server says ${status} ${diagnostic.slice(0, 40)}`, () =>
      Effect.gen(function* () {
        const bounce = yield* bounceOf(postfixReport(about, { status, diagnostic }))
        assert.deepInclude(bounce, { kind, recipient: about.to, diagnostic })
        assert.strictEqual(bounce.message.messageIds[0], about.id)
      })
    )
  }

  it.effect("that tells of a delay is no failure yet", () =>
    Effect.gen(function* () {
      const bounce = yield* bounceOf(
        postfixReport(about, { action: "delayed", status: "4.4.1", diagnostic: "Connection timed out" })
      )
      assert.strictEqual(bounce.kind, "delayed")
    })
  )

  it.effect("that tells of a delivery is none", () =>
    Effect.gen(function* () {
      const mail = yield* parseMail(
        postfixReport(about, { action: "delivered", status: "2.0.0", diagnostic: "250 2.0.0 Ok" })
      )
      // Postfix uses this subject for failures too, but the report takes precedence.
      assert.notStrictEqual(readBounce(mail)?.kind, "hard")
    })
  )

  it.effect("is read as Exchange writes it", () =>
    Effect.gen(function* () {
      const bounce = yield* bounceOf(exchangeReport(about))
      assert.deepInclude(bounce, { kind: "hard", status: "5.1.10", recipient: about.to })
      assert.deepStrictEqual(bounce.message.messageIds, [about.id])
      assert.deepStrictEqual(bounce.message.senders, [about.account])
    })
  )

  it.effect("is read as Exim and qmail write it, without a report", () =>
    Effect.gen(function* () {
      const exim = yield* bounceOf(eximBounce(about))
      assert.deepInclude(exim, { kind: "hard", recipient: about.to, diagnostic: "550 No such user here" })
      assert.include(exim.message.messageIds, about.id)
      const qmail = yield* bounceOf(qmailBounce(about))
      assert.deepInclude(qmail, { kind: "soft", status: "5.2.2" })
      assert.include(qmail.message.messageIds, about.id)
    })
  )
})

describe("a complaint", () => {
  it.effect("names the message, whose recipient is hidden", () =>
    Effect.gen(function* () {
      const mail = yield* parseMail(
        abuseReport(about, { unsubscribeUrl: "https://g.example/u/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-Ab" })
      )
      const complaint = readComplaint(mail)
      assert.strictEqual(complaint?.feedbackType, "abuse")
      assert.strictEqual(complaint?.message.messageIds[0], about.id)
      assert.strictEqual(complaint?.message.unsubscribeToken, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-Ab")
      assert.isUndefined(readBounce(mail))
    })
  )

  it.effect("is none where it says that the message is no spam", () =>
    Effect.gen(function* () {
      assert.isUndefined(readComplaint(yield* parseMail(abuseReport(about, { feedbackType: "not-spam" }))))
    })
  )
})

describe("what a person wrote", () => {
  it.effect("is neither a bounce nor a machine's, whatever it speaks of", () =>
    Effect.gen(function* () {
      const letters = [
        letter({
          from: "Bia <bia@lead.example>",
          to: about.account,
          subject: "Re: Hello",
          text: "550 5.1.1 é o nosso código."
        }),
        letter({ from: "bia@lead.example", to: about.account, subject: "Undeliverable goods: failure notice" }),
        letter({
          from: "bia@lead.example",
          to: about.account,
          subject: "Re: Fora do escritório",
          headers: ["Auto-Submitted: no"]
        }),
        letter({ from: "bia@lead.example", to: about.account, subject: "Autoclave e automação: dúvidas" }),
        letter({ from: "norepinephrine@lead.example", to: about.account })
      ]
      for (const raw of letters) {
        const mail = yield* parseMail(raw)
        assert.isUndefined(readBounce(mail), mail.subject)
        assert.isUndefined(readComplaint(mail), mail.subject)
        assert.isFalse(isAutomatic(mail), mail.subject)
      }
    })
  )
})

describe("a machine's answer", () => {
  for (const { headers, name, subject } of autoReplies) {
    it.effect(`is known by ${name}`, () =>
      Effect.gen(function* () {
        const mail = yield* parseMail(letter({ from: "bia@lead.example", to: about.account, subject, headers }))
        assert.isTrue(isAutomatic(mail))
        assert.isUndefined(readBounce(mail))
      })
    )
  }
})

describe("a bounce of the message", () => {
  const message = { to: "bia@lead.example", ownAddresses: ["owner@acme.example"] }
  for (const [recipient, kind, counts] of [
    ["bia@lead.example", "hard", "hard"],
    [undefined, "hard", "hard"],
    ["bia@lead.example", "delayed", "delayed"],
    // An address to which the lead's mail is forwarded, which may change.
    ["bia@home.example", "hard", "soft"],
    ["bia@home.example", "soft", "soft"],
    ["owner@acme.example", "hard", undefined]
  ] as const) {
    it(`for ${recipient ?? "nobody named"}, ${kind}, counts as ${counts ?? "nothing"}`, () => {
      assert.strictEqual(bounceKindFor(message, { kind, recipient }), counts)
    })
  }
})
