import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as fc from "fast-check"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { composeMail, mailSigner } from "../../../src/Layers/Mail/Smtp/ComposedMail.ts"
import { headerFields, headOf } from "../../../src/Services/Mail/MailHeaderFields.ts"
import { mailBody } from "../../../src/Services/Mail/MailText.ts"
import { outgoing } from "../../support/channels/MailFixtures.ts"
import { parseMail } from "../Parsing/parseMail.ts"

const plain = outgoing()

const always = ["message-id", "date", "from", "to", "reply-to", "subject", "mime-version", "content-type"]

const fieldsOf = (raw: Buffer) => headerFields(headOf(raw.toString("utf8")))

describe("a composed message", () => {
  it.effect("has plain text and HTML, the headers of its thread and the way out", () =>
    Effect.gen(function* () {
      const raw = yield* composeMail({
        ...plain,
        cc: { address: "owner@acme.example" },
        inReplyTo: "<0@lead.example>",
        references: ["<00@mail.example>", "not an id", "<0@lead.example>"],
        unsubscribeUrl: "https://g.example/u/token"
      })
      const fields = fieldsOf(raw)
      assert.sameMembers(
        [...fields.keys()],
        [...always, "cc", "in-reply-to", "references", "list-unsubscribe", "list-unsubscribe-post"]
      )
      assert.deepStrictEqual(fields.get("message-id"), [plain.messageId])
      assert.deepStrictEqual(fields.get("references"), ["<00@mail.example> <0@lead.example>"])
      assert.deepStrictEqual(fields.get("list-unsubscribe"), ["<https://g.example/u/token>"])
      assert.deepStrictEqual(fields.get("list-unsubscribe-post"), ["List-Unsubscribe=One-Click"])
      assert.deepStrictEqual(fields.get("date"), ["Mon, 02 Mar 2026 12:00:00 +0000"])
      assert.match(raw.toString(), /multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/)
      assert.notMatch(raw.toString("latin1"), /[^\r]\n|\r[^\n]/)
      const mail = yield* parseMail(raw)
      assert.strictEqual(mail.subject, "Olá")
      assert.strictEqual(mail.text, "Olá Bia,\n\n.\nfrom here")
    })
  )

  it.effect("of a long thread keeps its beginning and its end", () =>
    Effect.gen(function* () {
      const references = Array.from({ length: 60 }, (_, index) => `<${index}@lead.example>`)
      const raw = yield* composeMail({ ...plain, references })
      const sentReferences = fieldsOf(raw).get("references")?.[0]?.split(" ") ?? []
      assert.lengthOf(sentReferences, 20)
      assert.deepStrictEqual(
        [sentReferences[0], sentReferences[1], sentReferences.at(-1)],
        [references[0], references[41], references[59]]
      )
    })
  )

  it.live("has no header but its own, whatever the texts in it", () => {
    const hostile = fc
      .array(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 20 }),
          fc.constantFrom(
            "\r\n",
            "\n",
            "\r",
            "\u2028",
            "\u0000",
            "\r\nBcc: all@evil.example",
            "\nContent-Type: text/html",
            "\r\n\r\n<script>",
            "=?utf-8?Q?=0D=0ABcc:_x@evil.example?=",
            '" <x@evil.example>, "',
            "<x@evil.example>",
            ", y@evil.example",
            "(c)",
            ";",
            "\\"
          )
        ),
        { maxLength: 6 }
      )
      .map((parts) => parts.join(""))
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(hostile, hostile, hostile, hostile, hostile, async (subject, from, to, id, body) => {
          const raw = await Effect.runPromise(
            composeMail({
              ...plain,
              from: { name: from, address: plain.from.address },
              to: { name: to, address: plain.to.address },
              subject,
              inReplyTo: id,
              references: [id, "<ok@lead.example>"],
              ...mailBody(body, "en", undefined)
            })
          )
          const fields = fieldsOf(raw)
          for (const [name, bodies] of fields) {
            assert.include([...always, "in-reply-to", "references"], name)
            assert.lengthOf(bodies, 1)
          }
          const mail = await Effect.runPromise(parseMail(raw))
          assert.strictEqual(mail.fromAddress, plain.from.address)
          assert.deepStrictEqual(mail.recipients, [plain.to.address])
          assert.strictEqual(mail.messageId, plain.messageId)
          assert.notMatch(mail.subject, /[\r\n]/)
          // Decoding gives the original text, so no encoded words were smuggled in.
          for (const name of ["subject", "from", "to"]) {
            const value = fields.get(name)?.[0] ?? ""
            for (const word of value.match(/=\?[^?]*\?[qb]\?/gi) ?? []) assert.match(word, /^=\?UTF-8\?[QB]\?$/)
          }
          assert.notMatch(raw.toString("latin1"), /[^\r]\n|\r[^\n]/)
        }),
        { numRuns: 300 }
      )
    )
  })
})

describe("the signature of a domain", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const dkim = { domain: "mail.example", selector: "s1", privateKey: Redacted.make(privateKey) }
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ format: "der", type: "spki" }).toString("base64")}`
  const resolver = (name: string) =>
    name === "s1._domainkey.mail.example" ? Promise.resolve([[record]]) : Promise.reject(new Error("no such name"))
  const verify = (raw: Buffer) => Effect.promise(() => dkimVerify(raw, { resolver }))

  it.live("is good, covers the unsubscribe headers, and breaks with any change", () =>
    Effect.gen(function* () {
      const raw = yield* composeMail({ ...plain, unsubscribeUrl: "https://g.example/u/token" })
      const signed = yield* mailSigner(Option.some(dkim))(raw)
      const { results } = yield* verify(signed)
      assert.lengthOf(results, 1)
      assert.strictEqual(results[0]?.status.result, "pass")
      assert.strictEqual(results[0]?.signingDomain, "mail.example")
      const covered = /(?:^|;)\s*h=([^;]+);/.exec(fieldsOf(signed).get("dkim-signature")?.[0] ?? "")?.[1] ?? ""
      const names = covered.replace(/\s/g, "").toLowerCase().split(":")
      for (const name of ["from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post"])
        assert.include(names, name)

      for (const [one, other] of [
        ["Acme Ltda", "Evil Ltda"],
        ["One-Click", "Two-Click"],
        ["from here", "from hell"]
      ] as const) {
        const changed = yield* verify(Buffer.from(signed.toString("latin1").replace(one, other), "latin1"))
        assert.notStrictEqual(changed.results[0]?.status.result, "pass")
      }
    })
  )

  it.effect("is left out without a key", () =>
    Effect.gen(function* () {
      const raw = yield* composeMail(plain)
      assert.strictEqual(yield* mailSigner(Option.none())(raw), raw)
    })
  )
})
