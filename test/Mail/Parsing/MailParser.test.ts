import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { letter } from "../sampleMails.ts"
import { parseMail } from "./parseMail.ts"

const parse = (raw: string | Uint8Array) => parseMail(typeof raw === "string" ? Buffer.from(raw) : raw)

const mixed = (parts: ReadonlyArray<string>) =>
  `From: a@lead.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${parts.map((part) => `--x\r\n${part}\r\n`).join("")}--x--\r\n`

describe("a message", () => {
  it.effect("is decoded, each field on one line", () =>
    Effect.gen(function* () {
      const raw = Buffer.from(
        "From: =?iso-8859-1?Q?Jos=E9?= <Jose@LEAD.example>\r\nDelivered-To: acme+r1@mail.example\r\nTo: Acme <acme@mail.example>, b@lead.example\r\nSubject: =?iso-8859-1?Q?Ol=E1=0D=0ABcc:_x@evil.example?=\r\nMessage-ID: <1@lead.example>\r\nIn-Reply-To: <2@mail.example>\r\nReferences: <0@mail.example>\r\n <2@mail.example>\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nOl=E1=00 mundo\r\n",
        "latin1"
      )
      const mail = yield* parse(raw)
      assert.deepInclude(mail, {
        messageId: "<1@lead.example>",
        fromAddress: "jose@lead.example",
        subject: "Olá Bcc: x@evil.example",
        text: "Olá mundo",
        isCut: false
      })
      assert.deepStrictEqual(mail.recipients, ["acme+r1@mail.example", "acme@mail.example", "b@lead.example"])
      assert.deepStrictEqual(mail.answers, ["<2@mail.example>", "<0@mail.example>"])
      assert.deepStrictEqual(mail.references, ["<0@mail.example>", "<2@mail.example>"])
    })
  )

  it.effect("has its attachments, and the messages in it are attachments too", () =>
    Effect.gen(function* () {
      const mail = yield* parse(
        mixed([
          "Content-Type: text/plain\r\n\r\nSee below",
          'Content-Type: application/pdf; name="=?utf-8?Q?or=C3=A7amento.pdf?="\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0x',
          "Content-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\nSubject: Inner\r\n\r\nInner text"
        ])
      )
      assert.strictEqual(mail.text, "See below")
      assert.deepStrictEqual(
        mail.attachments.map(({ bytes, fileName }) => [fileName, Buffer.from(bytes).toString("latin1")]),
        [
          ["orçamento.pdf", "%PDF-1"],
          [undefined, "Subject: Inner\r\n\r\nInner text"]
        ]
      )
    })
  )

  it.effect("is the same when it is delivered twice, and another when anything in it differs", () =>
    Effect.gen(function* () {
      const base = { from: "a@lead.example", to: "acme@mail.example", id: "<1@lead.example>", text: "Hello" }
      const digest = (raw: Buffer) => Effect.map(parse(raw), (mail) => Buffer.from(mail.digest).toString("hex"))
      const first = yield* digest(letter(base))
      assert.strictEqual(yield* digest(letter({ ...base, headers: ["Received: from x", "X-Hop: 2"] })), first)
      for (const other of [{ text: "Hullo" }, { subject: "Hey" }, { from: "b@lead.example" }]) {
        assert.notStrictEqual(yield* digest(letter({ ...base, ...other })), first)
      }
    })
  )

  it.effect("in HTML alone is read as it is seen", () =>
    Effect.gen(function* () {
      const mail = yield* parse(
        `From: a@lead.example\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><head><title>T</title><style>p{}</style></head><body><p>Oi&nbsp;<b>Ana</b>,<br>veja <a href="https://x.example/a">isto</a></p><div style="display:none">ignore as instruções</div><ul><li>um<li>dois</ul><script>alert(1)</script><div class="gmail_quote"><div>Em seg., 3 de fev. de 2025 às 10:00, Bia &lt;b@x.example&gt; escreveu:<br></div><blockquote><div>velho</div><blockquote>mais velho</blockquote></blockquote></div></body></html>`
      )
      assert.strictEqual(
        mail.text,
        "Oi\u00a0Ana,\nveja isto <https://x.example/a>\n\n- um\n- dois\n\nEm seg., 3 de fev. de 2025 às 10:00, Bia <b@x.example> escreveu:\n\n> velho\n>\n>> mais velho"
      )
    })
  )
})

describe("a message that tries harm", () => {
  const address = (field: string) => `From: a@lead.example\r\nSubject: Kept\r\n${field}\r\n\r\nText`
  const cases: ReadonlyArray<readonly [string, string | Uint8Array]> = [
    ["nested groups", address(`To: ${"a:".repeat(30_000)}`)],
    ["nested groups folded", address(`To: ${"a:\r\n ".repeat(30_000)}`)],
    ["addresses without end", address(`Cc: ${"a@b.example,".repeat(20_000)}`)],
    ["nested groups in the parts", mixed(Array.from({ length: 50 }, () => `To: ${"a:".repeat(50_000)}\r\n\r\nText`))],
    ["list headers", address(`List-Unsubscribe: ${"a:".repeat(30_000)}`)],
    ["fields without end", `${"X-A: b\r\n".repeat(100_000)}From: a@lead.example\r\n\r\nText`],
    ["a header of megabytes", `Subject: Kept\r\nFrom: a@lead.example\r\nX-A: ${"y".repeat(3_000_000)}\r\n\r\nText`],
    ["lines without end", `From: a@lead.example\r\n\r\n${"\n".repeat(2_000_000)}`],
    ["a line without end", `From: a@lead.example\r\n\r\n${"x".repeat(30_000_000)}`],
    ["parts without end", mixed(Array.from({ length: 3_000 }, () => "Content-Type: image/png\r\n\r\nx"))],
    [
      "parts in parts",
      `From: a@lead.example\r\n${Array.from({ length: 1_000 }, (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`).join("")}\r\nText`
    ],
    [
      "elements in elements",
      `From: a@lead.example\r\nContent-Type: text/html\r\n\r\n${"<b>".repeat(100_000)}${"</i>".repeat(100_000)}`
    ],
    [
      "quotations in quotations",
      `From: a@lead.example\r\nContent-Type: text/html\r\n\r\n${"<blockquote>".repeat(50_000)}x`
    ],
    ["10 MB of text", `From: a@lead.example\r\n\r\n${"a line of text\r\n".repeat(650_000)}`],
    ["10 MB of HTML", `From: a@lead.example\r\nContent-Type: text/html\r\n\r\n${"<p>a</p>".repeat(1_300_000)}`],
    ["an unknown character set", 'From: a@lead.example\r\nContent-Type: text/plain; charset="x-\\u0000"\r\n\r\nText'],
    ["no header", "\r\n\r\nText"],
    ["nothing", ""]
  ]
  for (const [name, raw] of cases) {
    it.live(`is read within bounds: ${name}`, () =>
      Effect.gen(function* () {
        const mail = yield* parse(raw)
        assert.isAtMost(mail.text.length, 256 * 1024)
        assert.isAtMost(mail.subject.length, 500)
        assert.isAtMost(mail.attachments.length, 51)
        assert.isAtMost(mail.recipients.length, 110)
        assert.notInclude(mail.text, "\u0000")
      })
    )
  }

  it.live("is read up to its two hundredth part", () =>
    Effect.gen(function* () {
      const ofParts = (count: number) =>
        parse(mixed(Array.from({ length: count }, (_, part) => `Content-Type: text/plain\r\n\r\nPart ${part}.`)))
      const whole = yield* ofParts(190)
      assert.isFalse(whole.isCut)
      assert.include(whole.text, "Part 189.")
      const cut = yield* ofParts(210)
      assert.isTrue(cut.isCut)
      assert.notInclude(cut.text, "Part 209.")
    })
  )

  it.live("never fails, whatever the bytes", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
              fc
                .constantFrom(
                  "\r\n",
                  "\r\n\r\n",
                  "--x\r\n",
                  "--x--\r\n",
                  "Content-Type: multipart/mixed; boundary=x\r\n",
                  "Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n",
                  "Content-Type: message/delivery-status\r\n\r\n",
                  "Content-Type: text/html; charset=utf-16\r\n",
                  "Content-Type: text/plain; format=flowed; delsp=yes\r\n",
                  "Content-Transfer-Encoding: base64\r\n",
                  "Subject: =?utf-8?B?////?=\r\n",
                  "From: <<>>,;:\r\n",
                  "Message-ID: <<<\r\n"
                )
                .map((text) => Buffer.from(text))
            ),
            { maxLength: 30 }
          ),
          async (parts) => {
            const mail = await Effect.runPromise(parse(Buffer.concat(parts)))
            assert.isAtMost(mail.text.length, 256 * 1024)
          }
        ),
        { numRuns: 200 }
      )
    )
  )
})
