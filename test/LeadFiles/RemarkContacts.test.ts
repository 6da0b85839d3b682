import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { candidateOf } from "../../src/Services/LeadFiles/ImportPlan.ts"
import type { LeadFileRow } from "../../src/Services/LeadFiles/LeadFile.ts"
import type { CountryCode } from "../../src/Services/Text/ContactDetails.ts"

const read = (notes: string, country: CountryCode, cells: Partial<LeadFileRow> = {}) =>
  candidateOf(
    { row_number: 1, file_row: 2, name: "Ana Souza", email: "", phone: "-", company: "Ondas", ...cells, notes },
    country,
    []
  )
const contactOf = (reading: ReturnType<typeof read>) =>
  Either.getOrElse(
    Either.map(reading, ({ email, phone }) => email ?? phone),
    () => null
  )

describe("a remark", () => {
  it.each<[string, CountryCode, string]>([
    ["novo tel da clínica 19 99482-6013", "BR", "+5519994826013"],
    ["Ana: (11) 98765-4321", "BR", "+5511987654321"],
    ["su cel nuevo es 844 136 2907, el otro ya no", "MX", "+528441362907"],
    ["new direct line (208) 555-0166, old one dead", "US", "+12085550166"],
    ["e-mail: ana@ondas.com.br", "BR", "ana@ondas.com.br"]
  ])("%j holds the lead's contact", (notes, country, contact) => {
    const reading = read(notes, country)
    expect(contactOf(reading)).toBe(contact)
    const warnings = Either.match(reading, { onLeft: (row) => row.warnings, onRight: (lead) => lead.warnings })
    expect(warnings[0]?.reason).toBe("in_remark")
  })

  it.each<[string, CountryCode]>([
    ["tel do contador 11 98765-4321", "BR"],
    ["tel antigo 11 98765-4321", "BR"],
    ["falar com Bia, tel 11 98765-4321, errado", "BR"],
    ["11 98765-4321", "BR"],
    ["tel 11 98765-4321 ou 11 91234-5678", "BR"],
    ["no llamar al tel 844 136 2907", "MX"],
    ["our line is (208) 555-0166", "US"],
    ["not her number: (208) 555-0166", "US"],
    ["her cell (208) 555-0166, maybe wrong", "US"],
    ["proposta enviada por nosso comercial@ondas.com.br", "BR"]
  ])("%j is only shown", (notes, country) => {
    const reading = read(notes, country)
    expect(contactOf(reading)).toBeNull()
    const warnings = Either.match(reading, { onLeft: (row) => row.warnings, onRight: () => [] })
    expect(warnings.map(({ reason }) => reason)).toContain("unclear_in_remark")
  })

  it("may hold other digits", () => {
    for (const notes of ["pedido 12345", "visita em 12/03/2024 10:30", "CNPJ 12.345.678/0001-90", "R$ 1.250.000,00"]) {
      expect(contactOf(read(notes, "BR"))).toBeNull()
    }
  })

  it("adds what no cell has, and nothing else", () => {
    const phonesOf = (notes: string, row: Partial<LeadFileRow>) =>
      Either.map(read(notes, "BR", row), ({ email, phone }) => [email, phone])
    const cells = { email: "ana@ondas.com.br" }
    expect(phonesOf("novo tel da clínica 19 99482-6013", cells)).toEqual(
      Either.right(["ana@ondas.com.br", "+5519994826013"])
    )
    expect(phonesOf("tel do contador 19 99482-6013", cells)).toEqual(Either.right(["ana@ondas.com.br", null]))
    expect(phonesOf("e: bia@ondas.com.br", cells)).toEqual(Either.right(["ana@ondas.com.br", null]))
    expect(phonesOf("e: ana@ondas.com.br", { phone: "(11) 98765-4321" })).toEqual(
      Either.right(["ana@ondas.com.br", "+5511987654321"])
    )
  })

  it("may be long and hostile", () => {
    expect(contactOf(read(`tel ${"1 ".repeat(400)}`, "BR"))).toBeNull()
    expect(contactOf(read(`tel ${"(".repeat(200)}1`, "BR"))).toBeNull()
  })
})
