import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Parser } from "htmlparser2"
import { mailBody } from "../../src/Services/Mail/MailText.ts"

const frame = {
  signature: null,
  senderName: "Ana Souza",
  otherNames: ["Acme"],
  unsubscribeUrl: "https://g.example/u/t"
}

/** Every element of the HTML with its attributes. */
const elementsOf = (html: string) => {
  const elements: Array<{ readonly name: string; readonly attributes: { readonly [name: string]: string } }> = []
  const parser = new Parser({ onopentag: (name, attributes) => elements.push({ name, attributes }) })
  parser.end(html)
  return elements
}

const ownElements = new Set(["html", "head", "meta", "body", "p", "br", "a"])

describe("what a message says", () => {
  it("ends with the signature as it is, and with the way out below it", () => {
    const signature = "Ana Souza\n  Acme <ltda>\nhttps://acme.example"
    const { html, text } = mailBody("Olá Bia,\n\nTudo bem?\n", "pt-BR", { ...frame, signature })
    assert.strictEqual(
      text,
      `Olá Bia,\n\nTudo bem?\n\n${signature}\n\nSe não quiser mais receber estas mensagens, cancele aqui:\nhttps://g.example/u/t\n`
    )
    assert.include(html, "Acme &lt;ltda&gt;<br>")
    assert.include(html, '<a href="https://g.example/u/t"')
  })

  it("has the sender's name where there is no signature, and never twice", () => {
    const signedBy = (body: string, signature: string | null = null) =>
      mailBody(body, "en", { ...frame, signature, unsubscribeUrl: undefined }).text
    assert.strictEqual(signedBy("Hello"), "Hello\n\nAna Souza\n")
    assert.strictEqual(signedBy("Hello", "   "), "Hello\n\nAna Souza\n")
    assert.strictEqual(signedBy("Hello\n\nBest regards,\nAna Souza"), "Hello\n\nBest regards,\nAna Souza\n")
    assert.strictEqual(signedBy("Hello\n\nAcme"), "Hello\n\nAcme\n")
    assert.strictEqual(signedBy("Hello\n\nAna\nCEO", "Ana\nCEO"), "Hello\n\nAna\nCEO\n")
  })

  it("goes out as a person wrote it", () => {
    const { html, text } = mailBody("Just this.  \n", "en", undefined)
    assert.strictEqual(text, "Just this.\n")
    assert.notInclude(html, "/u/")
  })

  it("speaks the lead's language", () => {
    assert.include(mailBody("x", "es", frame).text, "dese de baja")
    assert.include(mailBody("x", "en", frame).text, "unsubscribe here")
  })
})

describe("the HTML of a message", () => {
  it("links http and https addresses and nothing else", () => {
    const { html } = mailBody(
      "See (https://a.example/x_(y)), http://b.example/?q=1&r=2. javascript:alert(1) data:text/html,x ftp://c.example https://",
      "en",
      undefined
    )
    const links = elementsOf(html).filter(({ name }) => name === "a")
    assert.deepStrictEqual(
      links.map(({ attributes }) => attributes.href),
      ["https://a.example/x_(y)", "http://b.example/?q=1&r=2"]
    )
  })

  it("has no markup that came from the text", () => {
    const hostile = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom(
          "<script>alert(1)</script>",
          '"><img src=x onerror=alert(1)>',
          'https://x.example/"onmouseover="a',
          "&lt;",
          "<!--",
          "]]>",
          "\n\n",
          "' style='",
          "https://x.example/<b>"
        )
      ),
      { maxLength: 8 }
    )
    fc.assert(
      fc.property(hostile, fc.option(fc.string()), fc.string(), (parts, signature, senderName) => {
        const { html } = mailBody(parts.join(""), "en", { ...frame, signature, senderName })
        for (const { attributes, name } of elementsOf(html)) {
          assert.isTrue(ownElements.has(name), name)
          for (const attribute of Object.keys(attributes)) {
            assert.include(["lang", "charset", "style", "href"], attribute)
          }
          if (name === "a") assert.match(attributes.href ?? "", /^https?:\/\//i)
        }
      }),
      { numRuns: 300 }
    )
  })
})
