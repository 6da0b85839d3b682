import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readContacts } from "../../src/Services/LeadFiles/ContactCells.ts"
import type { ContactCell } from "../../src/Services/LeadFiles/LeadFile.ts"
import { onlyCountry } from "../../src/Services/LeadFiles/RowCountries.ts"
import type { CountryCode } from "../../src/Services/Text/ContactDetails.ts"

const readIn = (cells: ReadonlyArray<ContactCell>, country: CountryCode) => readContacts(cells, onlyCountry(country))
const email = (text: string): ContactCell => ({ field: "email", text })
const phone = (text: string): ContactCell => ({ field: "phone", text })
const reasonsOf = (cells: ReadonlyArray<ContactCell>) =>
  readIn(cells, "BR").warnings.map(({ field, reason }) => `${field} ${reason}`)

describe("an e-mail cell", () => {
  it.each([
    ["ana@x.com.br", "ana@x.com.br"],
    [" ANA@X.com.br ", "ana@x.com.br"],
    ["o'brien@x.ie", "o'brien@x.ie"],
    ["Ana Souza <ana@x.com.br>", "ana@x.com.br"],
    ["<ana@x.com.br>", "ana@x.com.br"],
    ["mailto:ana@x.com.br?subject=oi", "ana@x.com.br"],
    ["ana @ x.com.br", "ana@x.com.br"],
    ["ana @ x . com . br", "ana@x.com.br"],
    ["ana @x.com.br", "ana@x.com.br"],
    ["ana@x.com.br.", "ana@x.com.br"],
    ["ana@x.com.br;", "ana@x.com.br"],
    ['"ana@x.com.br"', "ana@x.com.br"],
    ["ana@x.com.br (pessoal)", "ana@x.com.br"],
    ["E-mail: ana@x.com.br", "ana@x.com.br"],
    ["correo ana@x.com.br", "ana@x.com.br"],
    ["ana[arroba]x.com.br", "ana@x.com.br"],
    ["ana arroba x.com.br", "ana@x.com.br"],
    ["ana(at)x(ponto)com(ponto)br", "ana@x.com.br"],
    ["ana [at] x [dot] com", "ana@x.com"],
    ["ana(at)x(punto)mx", "ana@x.mx"],
    ["test@acme.com", "test@acme.com"],
    ["ana(at)x.com.br", "ana@x.com.br"],
    ["ana@x.com.br; bia@x.com.br", "ana@x.com.br"],
    ["ana@x.com.br / bia@x.com.br", "ana@x.com.br"],
    ["ana@x.com.br/bia@x.com.br", "ana@x.com.br"],
    ["ana@x.com.br, ana", "ana@x.com.br"],
    ["ana@x.com.br\nbia@x.com.br", "ana@x.com.br"],
    ["ana ; bia@x.com.br", "bia@x.com.br"],
    ["*ana@x.com.br!", "ana@x.com.br"],
    ["=ana@x.com.br", "ana@x.com.br"],
    ["'ana@x.com.br", "ana@x.com.br"],
    ["«ana@x.com.br»", "ana@x.com.br"],
    ["ana\uff20x.com.br", "ana@x.com.br"],
    ["ana @x .com.br", "ana@x.com.br"],
    ["ana AT x DOT com DOT br", "ana@x.com.br"],
    ["ana@x.com.br. Bia", "ana@x.com.br"],
    ["ana@x.com.br (antigo), bia@x.com.br", "bia@x.com.br"],
    ["old: ana@x.com.br; new: bia@x.com.br", "bia@x.com.br"]
  ])("%j holds %s", (text, address) => {
    expect(readIn([email(text)], "BR").email).toBe(address)
  })

  it.each([
    ...[
      "test@test.com",
      "teste@teste.com.br",
      "prueba@prueba.mx",
      "-",
      "n/a",
      "não tem",
      "ana@x",
      "ana.x.com",
      "ana@@x.com",
      "ana@b@x.com",
      "ana@x,com,br",
      "ana@gmail.com,br"
    ],
    ...["ana@x.com.br (NÃO USAR)", "ana@x.com.br - wrong", "meet at x", "ana at x"],
    ...["www.x.com.br", "Instagram @sorriso.vivo", "@sorriso.vivo", ".ana@x.com", "reunião @ escritório", "Ana"]
  ])("%j holds no address", (text) => {
    expect(readIn([email(text)], "BR").email).toBeNull()
  })

  it("may hold a phone number", () => {
    expect(readIn([email("(81) 3222-3344")], "BR")).toMatchObject({ email: null, phone: "+558132223344" })
    expect(readIn([email("ana@x.com, 11 99999-8888")], "BR")).toMatchObject({
      email: "ana@x.com",
      phone: "+5511999998888"
    })
  })

  it("names what was left out", () => {
    expect(readIn([email("ana@x.com; bia@x.com")], "BR").warnings).toEqual([
      { field: "email", reason: "cleaned", value: "ana@x.com; bia@x.com" },
      { field: "email", reason: "further_email", value: "bia@x.com" }
    ])
    expect(reasonsOf([email("-"), phone("5,51E+12")])).toEqual(["email placeholder", "phone rounded_by_spreadsheet"])
    expect(reasonsOf([email("ANA@x.com"), phone("11 99999-8888")])).toEqual([])
  })
})

describe("a phone cell", () => {
  it("may hold an address", () => {
    expect(readIn([phone("ana@x.com")], "BR")).toMatchObject({ email: "ana@x.com", phone: null })
    expect(readIn([phone("ana11999998888@x")], "BR")).toMatchObject({ email: null, phone: null })
  })

  it.each([
    ["11 9886O-71l4", "+5511988607114"],
    ["(21) 97628-40I5", "+5521976284015"],
    // A letter that touches no digit is a word.
    ["11 98860-7114 o 11 98860-7115", "+5511988607114"],
    ["11 9886O-7114 falar com Lu", null],
    ["11 99999-9999", null],
    ["11 3333-4455 - 11 99999-8877", "+551133334455"],
    ["11 3333-4455 11 99999-8877", "+551133334455"],
    ["11 3333-4455 99999-8877", "+551133334455"],
    ["3333-4455/45", null],
    ["11 99999-887", null],
    ["5.511999998877E+12", "+5511999998877"],
    ["5.5119999988E+12", null],
    ["11 3333-4455 (errado)", null],
    ["11 91234-5678", "+5511912345678"],
    ["11 3333-3333", "+551133333333"]
  ])("%j holds %s", (text, number) => {
    expect(readIn([phone(text)], "BR").phone).toBe(number)
  })

  it("is of no country that nothing names", () => {
    // Nine digits are too few for Mexico. With a + before them, they would be Indonesian.
    expect(readIn([phone("626 580 149")], "MX").phone).toBeNull()
    // `01 1` is no American international prefix in two pieces.
    expect(readIn([phone("01 16 496 0161")], "US").phone).toBeNull()
    // Nor is this one with the prefix in one piece, because New Zealand has no numbers of six digits.
    expect(readIn([phone("0116 496 0135")], "US").phone).toBeNull()
    expect(readIn([phone("1234567890")], "US").phone).toBeNull()
    // No American number begins with 0, and these British ones lack digits. The last one is in no plan, but complete.
    expect(readIn([phone("0770 090 066")], "US").phone).toBeNull()
    expect(readIn([phone("496 0190")], "GB").phone).toBeNull()
    expect(readIn([phone("0770 090 066")], "GB").phone).toBeNull()
    expect(readIn([phone("01632 960278")], "GB").phone).toBe("+441632960278")
    expect(readIn([phone("011 44 116 496 0161")], "US").phone).toBe("+441164960161")
    // With a letter for a digit, only a number of the country's plan counts. No American area code begins with 0.
    expect(readIn([phone("07911 3O5 88")], "US").phone).toBeNull()
    expect(readIn([phone("5511999998888")], "MX").phone).toBe("+5511999998888")
  })

  it("says what was cleaned", () => {
    expect(reasonsOf([phone("11 9886O-71l4")])).toEqual(["phone cleaned"])
    expect(reasonsOf([phone("11 99999-9999"), email("test@test.com")])).toEqual([
      "phone placeholder",
      "email placeholder"
    ])
  })

  it("counts in the order of the file, its own column first", () => {
    const cells = [email("11 91111-1111"), phone("-"), phone("11 92222-2222"), phone("11 93333-3333")]
    expect(readIn(cells, "BR").phone).toBe("+5511922222222")
    expect(reasonsOf(cells)).toContain("phone further_phone")
  })
})

describe("any cells", () => {
  const alphabet = [..."ab1234567890.,;:/@<>()[] +-\n", "mailto:", "@x.com", "arroba", "11 99999-8888", " ou "]
  const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }).map((parts) => parts.join(""))
  const cell = fc.record({ field: fc.constantFrom("email" as const, "phone" as const), text })
  const bare = (value: string) => value.toLowerCase().replace(/[^a-z0-9]/g, "")

  it("give no contact that they do not hold", () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 4 }), (cells) => {
        const { email: address, phone: number, warnings } = readIn(cells, "BR")
        const texts = cells.map((each) => bare(each.text.replace(/[([]\s*(?:at|arroba)\s*[)\]]|\sarroba\s/gi, "")))
        if (address !== null) expect(texts.some((each) => each.includes(bare(address)))).toBe(true)
        const isWritten = (digits: string) => texts.some((each) => each.replace(/\D/g, "").includes(digits))
        if (number !== null) expect(isWritten(number.slice(3)) || isWritten(number.slice(1))).toBe(true)
        expect(warnings.length).toBeLessThanOrEqual(10)
      }),
      { numRuns: 500 }
    )
  })
})
