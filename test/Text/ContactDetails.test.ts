import { Either } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  digitsOf,
  normaliseDomain,
  normaliseEmail,
  normaliseLinkedInUrl,
  normalisePhone,
  phonesIn
} from "../../src/Services/Text/ContactDetails.ts"

const reasonOf = (result: Either.Either<unknown, { readonly reason: string }>) =>
  Either.match(result, { onLeft: (problem) => problem.reason, onRight: () => "accepted" })

describe("normaliseEmail", () => {
  it.each([
    ["  Maria.Silva@Empresa.COM.BR ", "maria.silva@empresa.com.br"],
    ["maria+vendas@gmail.com", "maria+vendas@gmail.com"],
    ["m.a.r.i.a@gmail.com", "m.a.r.i.a@gmail.com"],
    ["\u200bmaria@empresa.com\u00a0\r\n", "maria@empresa.com"],
    ["vendas@São-Paulo.com.br", "vendas@xn--so-paulo-rza.com.br"],
    ["vendas@XN--so-paulo-rza.com.br", "vendas@xn--so-paulo-rza.com.br"],
    ["o'brien_9@mail.example.org", "o'brien_9@mail.example.org"]
  ])("takes %j as %s", (raw, address) => {
    expect(normaliseEmail(raw)).toEqual(Either.right(address))
  })

  it.each([
    ["", "empty"],
    ["  \t", "empty"],
    ["maria", "invalid_email"],
    ["@empresa.com", "invalid_email"],
    ["maria@", "invalid_email"],
    ["maria silva@empresa.com", "invalid_email"],
    ["maria..silva@empresa.com", "invalid_email"],
    [".maria@empresa.com", "invalid_email"],
    ["joão@empresa.com", "invalid_email"],
    ["a@b@empresa.com", "invalid_email"],
    ["Maria <maria@empresa.com>", "invalid_email"],
    ["maria@empresa", "invalid_email_domain"],
    ["maria@empresa..com", "invalid_email_domain"],
    ["maria@-empresa.com", "invalid_email_domain"],
    ["maria@empresa_x.com", "invalid_email_domain"],
    ["maria@127.0.0.1", "invalid_email_domain"],
    ["maria@[127.0.0.1]", "invalid_email_domain"],
    ["maria@empresa.com/x", "invalid_email_domain"],
    ["maria@empres%61.com", "invalid_email_domain"],
    ["maria@xn--a.com", "invalid_email_domain"],
    ["maria@\ud800.com", "invalid_email_domain"],
    ["maria@empresa.com; joao@empresa.com", "several_values"],
    ["maria@empresa.com\r\nBcc: x@y.com", "control_characters"],
    ["maria\u0000@empresa.com", "control_characters"]
  ])("refuses %j: %s", (raw, reason) => {
    expect(reasonOf(normaliseEmail(raw))).toBe(reason)
  })

  it("refuses what is too long for an address", () => {
    expect(reasonOf(normaliseEmail(`${"a".repeat(64)}@empresa.com`))).toBe("accepted")
    expect(reasonOf(normaliseEmail(`${"a".repeat(65)}@empresa.com`))).toBe("too_long")
    expect(reasonOf(normaliseEmail(`maria.silva@${"empresa.".repeat(31)}com`))).toBe("too_long")
    expect(reasonOf(normaliseEmail("a".repeat(100_000)))).toBe("too_long")
  })

  it("gives what it would give again, and never a control character", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" })), (raw) => {
        const once = normaliseEmail(raw)
        if (Either.isLeft(once)) return
        expect(once.right).toMatch(/^[\x21-\x7e]{3,254}$/)
        expect(normaliseEmail(once.right)).toEqual(once)
      })
    )
  })

  it("says what is wrong without repeating the address", () => {
    const problem = Either.flip(normaliseEmail("segredo@@empresa"))
    expect(JSON.stringify(problem)).not.toContain("segredo")
  })
})

describe("normaliseDomain", () => {
  it.each([
    [" Empresa.COM.br ", "empresa.com.br"],
    ["empresa.com.", "empresa.com"],
    ["mail.empresa.com", "mail.empresa.com"],
    ["são.com.br", "xn--so-sia.com.br"]
  ])("takes %j as %s", (raw, domain) => {
    expect(normaliseDomain(raw)).toEqual(Either.right(domain))
  })

  it.each([
    ["", "empty"],
    ["maria@empresa.com", "email_instead_of_domain"],
    ["https://empresa.com", "invalid_domain"],
    ["empresa.com/contato", "invalid_domain"],
    ["empresa.com:443", "invalid_domain"],
    ["*.empresa.com", "invalid_domain"],
    ["localhost", "invalid_domain"],
    ["10.0.0.1", "invalid_domain"],
    ["empresa .com", "invalid_domain"],
    [`${"a".repeat(64)}.com`, "invalid_domain"]
  ])("refuses %j: %s", (raw, reason) => {
    expect(reasonOf(normaliseDomain(raw))).toBe(reason)
  })
})

describe("a long text", () => {
  it("is refused", () => {
    expect(reasonOf(normaliseDomain("a.".repeat(10_000)))).toBe("too_long")
    expect(reasonOf(normaliseLinkedInUrl(`https://www.linkedin.com/in/${"a".repeat(600)}`))).toBe("too_long")
  })
})

describe("normalisePhone", () => {
  it.each([
    ["(11) 99999-8888", "+5511999998888"],
    ["11999998888", "+5511999998888"],
    ["011 99999-8888", "+5511999998888"],
    ["(0xx11) 99999-8888", "+5511999998888"],
    ["0 15 11 99999-8888", "+5511999998888"],
    ["5511999998888", "+5511999998888"],
    ["+55 (11) 9.9999-8888", "+5511999998888"],
    ["0055 11 99999-8888", "+5511999998888"],
    ["\u202a+55 11 99999-8888\u202c", "+5511999998888"],
    ["5511999998888.0", "+5511999998888"],
    ["5511999998888@c.us", "+5511999998888"],
    ["Cel: (11) 99999-8888", "+5511999998888"],
    ["(11) 99999-8888 ramal 12", "+5511999998888"],
    ["(11) 99999-8888 / (11) 3333-4444", "+5511999998888"],
    ["11 99999-8888 ou 11 3333-4444", "+5511999998888"],
    ["(11) 3333-4444", "+551133334444"],
    ["0800 123 4567", "+558001234567"],
    // Area code 55, not the country's.
    ["55 99999-8888", "+5555999998888"],
    // Without the ninth digit.
    ["(11) 9999-8888", "+551199998888"]
  ])("takes %j as %s", (raw, e164) => {
    expect(normalisePhone(raw)).toEqual(Either.right({ e164, country: "BR" }))
  })

  it.each([
    ["+351 912 345 678", "+351912345678", "PT"],
    ["00351912345678", "+351912345678", "PT"],
    ["351912345678", "+351912345678", "PT"],
    ["+1 (415) 555-2671", "+14155552671", "US"],
    ["+54 9 11 1234-5678", "+5491112345678", "AR"],
    ["(+44) 7700 900224", "+447700900224", "GB"],
    ["+44 (0)7700 900224", "+447700900224", "GB"],
    ["+52 1 33 1567 8901", "+523315678901", "MX"],
    ["5213315678901", "+523315678901", "MX"]
  ] as const)("takes %j as %s of %s", (raw, e164, country) => {
    expect(normalisePhone(raw)).toEqual(Either.right({ e164, country }))
  })

  it("reads a number without a country code in the country that is given", () => {
    expect(normalisePhone("912 345 678", "PT")).toEqual(Either.right({ e164: "+351912345678", country: "PT" }))
  })

  it.each([
    ["", "empty"],
    ["99999-8888", "area_code_missing"],
    ["3333-4444", "area_code_missing"],
    ["5.51199999888E+12", "rounded_by_spreadsheet"],
    ["5,51E+12", "rounded_by_spreadsheet"],
    ["5214770000000", "rounded_by_spreadsheet"],
    ["sem telefone", "invalid_phone"],
    ["00000000000", "invalid_phone"],
    ["123", "invalid_phone"],
    // A CPF has the eleven digits of a mobile number.
    ["123.456.789-09", "invalid_phone"],
    ["maria@empresa.com", "invalid_phone"],
    // Germany's plan allows fifteen digits behind the country's code; a number has at most fifteen with it.
    ["4930000000000000", "invalid_phone"],
    ["+4930000000000000", "invalid_phone"],
    ["9".repeat(60), "invalid_phone"]
  ])("refuses %j: %s", (raw, reason) => {
    expect(reasonOf(normalisePhone(raw))).toBe(reason)
  })

  it.each([
    ["(11) 99999-8888 / (11) 3333-4444", ["+5511999998888", "+551133334444"]],
    ["11 99999-8888 ou 11 99999-8888", ["+5511999998888"]],
    ["3333-4444 / (11) 99999-8888", ["+5511999998888"]],
    ["sem telefone", []]
  ])("finds all numbers of %j", (raw, numbers) => {
    expect(phonesIn(raw, "BR")).toEqual(numbers)
  })

  it("does not look into a long text", () => {
    expect(reasonOf(normalisePhone(`11 99999-8888 ${"x".repeat(100)}`))).toBe("too_long")
  })

  it("gives what it would give again", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789+-() "), minLength: 8, maxLength: 20 })
    fc.assert(
      fc.property(digits, (raw) => {
        const once = normalisePhone(raw)
        if (Either.isLeft(once)) return
        expect(once.right.e164).toMatch(/^\+[1-9]\d{5,14}$/)
        expect(normalisePhone(once.right.e164)).toEqual(once)
      }),
      { numRuns: 500 }
    )
  })
})

describe("digitsOf", () => {
  it("keeps digits only, of a bounded text", () => {
    expect(digitsOf("+55 (11) 99999-8888")).toBe("5511999998888")
    expect(digitsOf("１１ ９９")).toBe("1199")
    expect(digitsOf("none")).toBe("")
    expect(digitsOf("1".repeat(5000))).toHaveLength(1000)
  })
})

describe("normaliseLinkedInUrl", () => {
  it.each([
    ["https://www.linkedin.com/in/Maria-Silva-123/", "https://www.linkedin.com/in/maria-silva-123"],
    ["br.linkedin.com/in/maria-silva?trk=x#y", "https://www.linkedin.com/in/maria-silva"],
    ["http://linkedin.com/in/maria-silva/pt", "https://www.linkedin.com/in/maria-silva"],
    ["linkedin.com/in/joão-silva", "https://www.linkedin.com/in/jo%C3%A3o-silva"],
    ["linkedin.com/in/jo%C3%A3o-silva", "https://www.linkedin.com/in/jo%C3%A3o-silva"],
    ["https://www.linkedin.com/company/Empresa", "https://www.linkedin.com/company/empresa"]
  ])("takes %j as %s", (raw, url) => {
    expect(normaliseLinkedInUrl(raw)).toEqual(Either.right(url))
  })

  it.each([
    ["", "empty"],
    ["maria-silva", "invalid_linkedin_url"],
    ["https://linkedin.com.evil.com/in/maria", "invalid_linkedin_url"],
    ["https://evil-linkedin.com/in/maria", "invalid_linkedin_url"],
    ["https://linkedin.com@evil.com/in/maria", "invalid_linkedin_url"],
    ["https://www.linkedin.com/", "invalid_linkedin_url"],
    ["https://www.linkedin.com/feed/update", "invalid_linkedin_url"],
    ["https://www.linkedin.com/in/%2e%2e%2ffeed", "invalid_linkedin_url"],
    ["https://www.linkedin.com/in/%ff", "invalid_linkedin_url"],
    ["javascript:alert(1)//linkedin.com/in/maria", "invalid_linkedin_url"]
  ])("refuses %j: %s", (raw, reason) => {
    expect(reasonOf(normaliseLinkedInUrl(raw))).toBe(reason)
  })

  it("gives what it would give again", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }), (name) => {
        const once = normaliseLinkedInUrl(`linkedin.com/in/${name}`)
        if (Either.isRight(once)) expect(normaliseLinkedInUrl(once.right)).toEqual(once)
      })
    )
  })
})
