import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { AccessTokensPostgres } from "../../../src/Layers/Accounts/Tokens/AccessTokensPostgres.ts"
import { mailEndpoints } from "../../../src/Layers/Mail/MailLayers.ts"
import { unflowed } from "../../../src/Layers/Mail/MailParser/FlowedText.ts"
import { textOfHtml } from "../../../src/Layers/Mail/MailParser/HtmlText.ts"
import { MailParserLimits, type MailParserLimitsShape, unreadableText } from "../../../src/Layers/Mail/MailParser.ts"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { CustomerFiles } from "../../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../../src/Services/Files/Ids.ts"
import { sandboxMailServices } from "../../support/channels/MailServices.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { serveEndpoints } from "../../support/servers/ServedEndpoints.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { letter } from "../sampleMails.ts"
import { hostileMail, hostileMails } from "./hostileMails.ts"
import { parseMail } from "./parseMail.ts"

const withLimits = (limits: Partial<MailParserLimitsShape>) =>
  Layer.provideMerge(AccessTokensPostgres, sandboxMailServices()).pipe(
    Layer.provide(Layer.succeed(MailParserLimits, { threads: 1, timeout: "1 minute", heapMegabytes: 256, ...limits }))
  )

const Stored = Schema.Struct({
  body_text: Schema.String,
  attachments: Schema.Array(Schema.Struct({ customer_file_id: CustomerFileId, file_name: Schema.String }))
})
const Answer = Schema.parseJson(Schema.Struct({ outcome: Schema.String, email_message_id: Schema.NullOr(Schema.Int) }))

/** An account with a lead. Raw messages go to its mailbox over HTTP, and the results are returned. */
const mailbox = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tokens = yield* AccessTokens
  const base = yield* Effect.flatMap(mailEndpoints, serveEndpoints)
  const caller = yield* makeAccount()
  const me = as(caller)
  const leadId = yield* me(insertLead())
  const [lead] = yield* sql<{ readonly email: string }>`select email from lead where lead_id = ${leadId}`
  const { token } = yield* me(tokens.generate({ label: "test", expiresAt: Option.none() }))
  const deliver = (raw: Uint8Array) =>
    Effect.gen(function* () {
      const response = yield* Effect.promise(() =>
        fetch(`${base}/sandbox/mail/inbound`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "message/rfc822" },
          body: raw
        })
      )
      const answer = yield* Schema.decodeUnknown(Answer)(yield* Effect.promise(() => response.text()))
      const rows = yield* sql`
        select body_text, attachments from email_message
        where account_id = ${caller.accountId} and email_message_id = ${answer.email_message_id}`
      return { outcome: answer.outcome, stored: yield* Schema.decodeUnknown(Schema.Array(Stored))(rows) }
    })
  return { me, deliver, from: lead?.email ?? "" }
})

layer(withLimits({}), { excludeTestServices: true })("a message that costs much", (it) => {
  it.scoped("is read in a thread of its own, and answered like any other", () =>
    Effect.gen(function* () {
      const { deliver, from } = yield* mailbox
      for (const mail of hostileMails.slice(0, 5)) {
        const { outcome } = yield* deliver(hostileMail(mail, { from, to: "x@mail.example" }))
        assert.strictEqual(outcome, "lead_reply", mail[0])
      }
    })
  )
})

layer(withLimits({ timeout: "1 millis" }), { excludeTestServices: true })(
  "a message that takes longer than it may",
  (it) => {
    it.scoped("is kept as it came, and shown as unread, once", () =>
      Effect.gen(function* () {
        const files = yield* CustomerFiles
        const { deliver, from, me } = yield* mailbox
        const raw = letter({ from, to: "acme@mail.example", text: "word ".repeat(100_000) })
        const { outcome, stored } = yield* deliver(raw)
        assert.strictEqual(outcome, "lead_reply")
        assert.deepStrictEqual(
          stored.map(({ body_text }) => body_text),
          [unreadableText]
        )
        const [file, ...others] = stored.flatMap(({ attachments }) => attachments)
        if (file === undefined || others.length > 0) return assert.fail("one attachment")
        assert.strictEqual(file.file_name, "message.eml")
        const storedChunks = yield* me(Stream.runCollect(files.read(file.customer_file_id)))
        assert.isTrue(raw.equals(Buffer.concat([...storedChunks])))
        assert.strictEqual((yield* deliver(raw)).outcome, "duplicate")
      })
    )
  }
)

layer(withLimits({ heapMegabytes: 15 }), { excludeTestServices: true })("a message that needs more memory", (it) => {
  it.scoped("ends its thread, and the next message finds another", () =>
    Effect.gen(function* () {
      const { deliver, from } = yield* mailbox
      const part = `--x\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n${"x".repeat(1_000_000)}\r\n`
      const raw = Buffer.from(
        `From: ${from}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${part.repeat(9)}--x--\r\n`
      )
      assert.strictEqual((yield* deliver(raw)).stored[0]?.body_text, unreadableText)
      // Starting a thread needs almost as much memory as the limit allows, so the start itself may fail sometimes.
      const next = Effect.suspend(() => deliver(letter({ from, to: "acme@mail.example", text: "Hello again" })))
      const read = yield* Effect.repeat(next, {
        until: ({ stored }) => stored[0]?.body_text !== unreadableText,
        times: 9
      })
      assert.strictEqual(read.stored[0]?.body_text, "Hello again")
    })
  )
})

describe("flowed text", () => {
  it("is joined where a line ends in a space, by its depth of quotation", () => {
    assert.strictEqual(
      unflowed("one \ntwo\n> three \n> four\n>> five \n> six", false),
      "one two\n> three four\n>> five \n> six"
    )
    assert.strictEqual(unflowed("one \ntwo", true), "onetwo")
    assert.strictEqual(unflowed("text \n-- \nBia", false), "text \n-- \nBia")
    assert.strictEqual(unflowed(" >stuffed\n  two", false), ">stuffed\n two")
  })
  it.effect("is read from a message", () =>
    Effect.gen(function* () {
      const raw = (type: string) =>
        Buffer.from(`From: a@b.example\r\nContent-Type: ${type}\r\n\r\nol=C3=A1 \r\nmundo\r\n`)
      assert.strictEqual((yield* parseMail(raw("text/plain; format=flowed"))).text, "ol=C3=A1 mundo")
      assert.strictEqual((yield* parseMail(raw("text/plain; format=flowed; delsp=yes"))).text, "ol=C3=A1mundo")
      assert.strictEqual((yield* parseMail(raw("text/plain"))).text, "ol=C3=A1 \nmundo")
    })
  )
})

describe("HTML", () => {
  it("keeps the addresses of many links in one line", () => {
    assert.strictEqual(
      textOfHtml('<a href="https://x.example/">q</a> '.repeat(20_000)).length,
      "q <https://x.example/> ".length * 20_000 - 1
    )
  })
})

describe("text", () => {
  /** Parts with this many invisible bytes, followed by a text. */
  const mailOf = (...parts: ReadonlyArray<readonly [hiddenBytes: number, said: string]>) =>
    Buffer.from(
      `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${parts
        .map(([bytes, shownText]) => {
          // Decoders skip characters that are not part of the encoding.
          const hidden = `${"-".repeat(62)}\r\n`.repeat(bytes / 64)
          const text = Buffer.from(`${shownText}\n`).toString("base64")
          return `--x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${hidden}${text}\r\n`
        })
        .join("")}--x--\r\n`
    )
  const kilobyte = 1024

  it.effect("is cut before it is decoded, part by part and in all", () =>
    Effect.gen(function* () {
      const whole = yield* parseMail(mailOf([1000 * kilobyte, "first"], [1000 * kilobyte, "second"]))
      assert.deepStrictEqual([whole.text.match(/first|second/g), whole.isCut], [["first", "second"], false])
      const long = yield* parseMail(mailOf([1000 * kilobyte, "first"], [1100 * kilobyte, "second"]))
      assert.deepStrictEqual([long.text.match(/first|second/g), long.isCut], [["first"], true])
      const many = yield* parseMail(
        mailOf(...["first", "second", "third", "fourth"].map((text) => [900 * kilobyte, text] as const))
      )
      assert.deepStrictEqual(
        [many.text.match(/first|second|third|fourth/g), many.isCut],
        [["first", "second", "third"], true]
      )
    })
  )

  it.effect("is at most so long when it is shown", () =>
    Effect.gen(function* () {
      const mail = yield* parseMail(Buffer.from(`From: a@b.example\r\n\r\n${"aaaa aaaa\r\n".repeat(60_000)}`))
      assert.deepStrictEqual([mail.text.length, mail.isCut], [256 * kilobyte, true])
    })
  )
})
