import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { leadOf } from "../../../src/Services/Websites/Forms/FormLeads.ts"
import { readBody, readForm } from "../../../src/Services/Websites/Forms/FormReading.ts"
import { ageOf, type FormToken, readToken, signToken } from "../../../src/Services/Websites/Forms/FormTokens.ts"
import { doubtOf, formLimits, verdictOf } from "../../../src/Services/Websites/Forms/FormVerdict.ts"
import { blocksOf, fieldTexts, hiddenFields, variantFor } from "../../../src/Services/Websites/Forms/SiteForms.ts"
import { WebsiteId } from "../../../src/Services/Websites/Ids.ts"
import type { FieldKind, SiteField, SitePage } from "../../../src/Services/Websites/Site.ts"
import { referrerOf, unknownSource, visitSource } from "../../../src/Services/Websites/Traffic/VisitSource.ts"

const field = (name: string, kind: FieldKind, more: Partial<SiteField> = {}): SiteField => ({
  name,
  kind,
  label: name,
  is_required: false,
  choices: [],
  ...more
})

const read = (
  fields: ReadonlyArray<SiteField>,
  sent: Readonly<Record<string, string>> | string,
  language: "pt-BR" | "en" | "es" = "pt-BR"
) => readForm({ fields }, new URLSearchParams(sent), { country: language === "es" ? "MX" : "BR", language })

const valueOf = (kind: FieldKind, text: string, language: "pt-BR" | "en" | "es" = "pt-BR") => {
  const { errors, values } = read(
    [field("x", kind, { choices: ["Sim", "Não"] })],
    { x: text, _consent: "on" },
    language
  )
  return errors["x"] === undefined ? (values["x"] ?? null) : "error"
}

describe("Reading a form", () => {
  it("takes each kind in the form in which it is kept", () => {
    const cases: ReadonlyArray<readonly [FieldKind, string, string | null, ("pt-BR" | "en" | "es")?]> = [
      ["text", "  Ana\tSouza\r\n", "Ana Souza"],
      ["text", "a\u0000b", "ab"],
      ["text", "   ", null],
      ["text", "x".repeat(301), "error"],
      ["long_text", "um\r\ndois\u0007", "um\ndois"],
      ["long_text", "x".repeat(4001), "error"],
      ["email", " ANA@Client.Example ", "ana@client.example"],
      ["email", "ana", "error"],
      ["email", "ana@client.example\nBcc: x@y.example", "error"],
      ["phone", "(11) 91234-5678", "+5511912345678"],
      ["phone", "+34 612 345 678", "+34612345678"],
      ["phone", "1234", "error"],
      ["number", "12.5", "12.5"],
      ["number", "1.234,56", "1234.56"],
      ["number", "1,234.56", "1234.56", "en"],
      ["number", "1e5", "error"],
      ["number", "NaN", "error"],
      ["date", "2028-02-29", "2028-02-29"],
      ["date", "2026-02-29", "error"],
      ["date", "31/12/2026", "2026-12-31"],
      ["date", "12/31/2026", "2026-12-31", "en"],
      ["date", "31/12/2026", "error", "en"],
      ["date", "0001-01-01", "error"],
      ["choice", "Sim", "Sim"],
      ["choice", "Talvez", "error"],
      ["checkbox", "on", "yes"],
      ["checkbox", "no", null]
    ]
    for (const [kind, text, expected, language] of cases) {
      assert.strictEqual(valueOf(kind, text, language), expected, `${kind} ${JSON.stringify(text.slice(0, 20))}`)
    }
  })

  it("says what is wrong beside each field, in the site's language, and keeps what was typed", () => {
    const fields = [
      field("nome", "text", { is_required: true }),
      field("email", "email", { is_required: true }),
      field("aceite", "checkbox", { is_required: true })
    ]
    for (const [language, missing] of [
      ["pt-BR", "Preencha este campo."],
      ["en", "Please fill in this field."],
      ["es", "Complete este campo."]
    ] as const) {
      const { errors, typed } = read(fields, { email: "ana at client", nome: " " }, language)
      assert.strictEqual(errors["nome"], missing)
      assert.sameMembers(Object.keys(errors), ["nome", "email", "aceite", hiddenFields.consent])
      assert.strictEqual(typed["email"], "ana at client")
    }
  })

  it("needs consent, and takes marketing only where it was ticked", () => {
    const fields = [field("email", "email")]
    assert.isDefined(read(fields, { email: "a@b.example" }).errors[hiddenFields.consent])
    const without = read(fields, { email: "a@b.example", _consent: "on" })
    assert.deepInclude(without, { isConsented: true, isMarketingWanted: false })
    assert.lengthOf(Object.keys(without.errors), 0)
    assert.isTrue(read(fields, { _consent: "on", _marketing: "on" }).isMarketingWanted)
  })

  it("looks at no names but its own, whatever they are called", () => {
    const fields = [field("constructor", "text"), field("email", "email")]
    const empty = read(fields, "__proto__=x&toString=y&admin=1&_consent=on&email=a%40b.example&email=c%40d.example")
    assert.sameMembers(Object.keys(empty.values), ["email"])
    assert.strictEqual(empty.values["email"], "a@b.example")
    assert.isUndefined(empty.values["constructor"])
    assert.isUndefined(empty.errors["constructor"])
    assert.isUndefined(empty.values["toString"])
    assert.strictEqual(read(fields, { constructor: "Ltda", _consent: "on" }).values["constructor"], "Ltda")
    assert.isUndefined(fieldTexts([["__proto__", "x"]])["polluted"])
  })

  it("knows programs by the field that people do not see", () => {
    assert.isFalse(read([], { _website_url: "" }).isTrapped)
    assert.isTrue(read([], { _website_url: "http://spam.example" }).isTrapped)
  })

  it("shows what was typed so that sending it again says the same", () => {
    const kinds = fc.constantFrom<FieldKind>("text", "long_text", "email", "phone", "number", "date", "checkbox")
    fc.assert(
      fc.property(
        fc.array(fc.tuple(kinds, fc.string({ unit: "grapheme", maxLength: 60 })), { maxLength: 6 }),
        (given) => {
          const fields = given.map(([kind], index) => field(`f${index}`, kind))
          const sent = Object.fromEntries(given.map(([, text], index) => [`f${index}`, text.toWellFormed()]))
          const first = read(fields, { ...sent, _consent: "on" })
          const again = read(fields, { ...first.typed })
          assert.deepStrictEqual(again.typed, first.typed)
          assert.deepStrictEqual(again.values, first.values)
          assert.deepStrictEqual(again.errors, first.errors)
          for (const value of Object.values(first.values)) assert.notInclude(value, "\u0000")
        }
      ),
      { numRuns: 100 }
    )
  })

  it("takes bodies of forms alone", () => {
    const body = Buffer.from("a=%C3%A9&b=%00")
    assert.strictEqual(readBody(body, "application/x-www-form-urlencoded; charset=utf-8")?.get("a"), "é")
    for (const type of [undefined, "", "multipart/form-data; boundary=x", "application/json", "text/plain"]) {
      assert.isUndefined(readBody(body, type))
    }
  })
})

describe("Leads of forms", () => {
  it("finds name, company and the rest by what the fields ask for", () => {
    const fields = [
      field("nome", "text", { label: "Seu nome" }),
      field("email", "email"),
      field("telefone", "phone"),
      field("f4", "text", { label: "Nome da empresa" }),
      field("cargo", "text"),
      field("mensagem", "long_text", { label: "Como podemos ajudar?" }),
      field("outro", "email", { label: "Outro e-mail" })
    ]
    const lead = leadOf(
      fields,
      fieldTexts([
        ["nome", "Ana Souza"],
        ["email", "ana@client.example"],
        ["telefone", "+5511912345678"],
        ["f4", "Padaria Sol"],
        ["cargo", "Dona"],
        ["mensagem", "Quero um orçamento."],
        ["outro", "x@y.example"]
      ])
    )
    assert.deepStrictEqual(lead, {
      name: "Ana Souza",
      email: "ana@client.example",
      phone: "+5511912345678",
      company: "Padaria Sol",
      jobTitle: "Dona",
      city: null,
      website: null,
      said: "Como podemos ajudar: Quero um orçamento.\nOutro e-mail: x@y.example"
    })
  })

  it("joins name and surname, and calls nobody by nothing", () => {
    const fields = [field("name", "text", { label: "First name" }), field("last-name", "text"), field("email", "email")]
    assert.strictEqual(
      leadOf(
        fields,
        fieldTexts([
          ["name", "Ana"],
          ["last-name", "Souza"]
        ])
      ).name,
      "Ana Souza"
    )
    assert.strictEqual(leadOf(fields, fieldTexts([["email", "ana@x.example"]])).name, "ana")
    assert.isNotEmpty(leadOf(fields, fieldTexts([])).name)
  })
})

const key = Buffer.from("0123456789abcdef")
const owner = { accountId: AccountId.make(7), websiteId: WebsiteId.make(3) }
const token: FormToken = {
  kind: "form",
  issuedAt: 1_790_000_000_000,
  nonce: "abcdefghijklmnop",
  blockId: "contato",
  pageId: "home",
  variant: "a",
  isEmbedded: false,
  source: { ...unknownSource, utm_source: "ads", referrer: "search.example/path" }
}

describe("Tokens of renderings", () => {
  it("say what they were made of, to the site alone that they were made for", () => {
    const text = signToken(key, owner, token)
    assert.deepStrictEqual(readToken(key, owner, text), token)
    assert.isUndefined(readToken(Buffer.from("another key"), owner, text))
    assert.isUndefined(readToken(key, { ...owner, websiteId: WebsiteId.make(4) }, text))
    assert.isUndefined(readToken(key, { ...owner, accountId: AccountId.make(8) }, text))
    for (const other of ["", ".", "..", "a.b", `${text}.x`, text.slice(0, -1), "x".repeat(10_000)]) {
      assert.isUndefined(readToken(key, owner, other))
    }
  })

  it("hold with every character as it is", () => {
    const text = signToken(key, owner, token)
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(..."AZaz09-_"), (at, sign) => {
        // The last character of each part has bits that say nothing.
        fc.pre(text[at] !== sign && text[at] !== "." && at !== text.length - 1)
        assert.isUndefined(readToken(key, owner, text.slice(0, at) + sign + text.slice(at + 1)))
      }),
      { numRuns: 200 }
    )
  })

  it("have an age, and doubt is by it, by the trap and by numbers", () => {
    assert.strictEqual(ageOf(token, token.issuedAt + 500), "early")
    assert.strictEqual(ageOf(token, token.issuedAt - 60_000), "early")
    assert.strictEqual(ageOf(token, token.issuedAt + 60_000), "fresh")
    assert.strictEqual(ageOf(token, token.issuedAt + 13 * 3_600_000), "expired")
    assert.isUndefined(doubtOf({ token: "fresh", isTrapped: false }))
    assert.strictEqual(doubtOf({ token: "fresh", isTrapped: true }), "trapped")
    assert.strictEqual(doubtOf({ token: "none", isTrapped: false }), "no_token")
    const counted = (count: number) => [{ scope: "network" as const, count, secondsLeft: 90 }]
    const { doubtful, most } = formLimits.network
    assert.deepStrictEqual(verdictOf(counted(doubtful), false), { _tag: "Take" })
    assert.deepStrictEqual(verdictOf(counted(doubtful + 1), false), { _tag: "Ask", doubt: "many" })
    assert.deepStrictEqual(verdictOf(counted(doubtful + 1), true), { _tag: "Take" })
    assert.deepStrictEqual(verdictOf(counted(most + 1), true), { _tag: "Later", seconds: 90 })
  })
})

describe("Where visitors come from", () => {
  it("keeps no query of another site, and nothing of its own", () => {
    assert.strictEqual(
      referrerOf("https://search.example/r?q=ana%40client.example#x", "site.example"),
      "search.example/r"
    )
    assert.isNull(referrerOf("https://site.example/page", "site.example"))
    for (const text of [
      undefined,
      "",
      "about:client",
      "javascript:alert(1)",
      "android-app://x",
      `https://a.example/${"x".repeat(5000)}`
    ]) {
      assert.isNull(referrerOf(text, "site.example"))
    }
    assert.deepInclude(visitSource(new URLSearchParams({ utm_source: " ads\n", utm_term: "x".repeat(500) }), {}), {
      utm_source: "ads",
      utm_term: "x".repeat(100)
    })
  })
})

describe("Variants", () => {
  const page = (variants: number): SitePage => ({
    id: "home",
    path: "",
    label: "",
    title: "",
    description: "",
    blocks: [],
    variants: Array.from({ length: variants }, (_, index) => ({ id: `v${index}`, blocks: [] }))
  })

  it("are the same for a visitor all day, and shared out evenly", () => {
    assert.strictEqual(variantFor(page(0), "somebody"), "a")
    const shares = new Map<string, number>()
    for (let visitor = 0; visitor < 3000; visitor++) {
      const variant = variantFor(page(2), `visitor ${visitor}`)
      assert.strictEqual(variantFor(page(2), `visitor ${visitor}`), variant)
      shares.set(variant, (shares.get(variant) ?? 0) + 1)
    }
    assert.sameMembers([...shares.keys()], ["a", "v0", "v1"])
    for (const share of shares.values()) assert.approximately(share, 1000, 120)
  })

  it("that a page no longer has show its own blocks", () => {
    const own = page(1)
    assert.strictEqual(blocksOf(own, "gone"), own.blocks)
  })
})
