import { assert, describe, it } from "@effect/vitest"
import { otherBusiness } from "../../src/Services/Websites/Material/Names/OtherBusiness.ts"

const asked = (description: string, more: Partial<Parameters<typeof otherBusiness>[0]> = {}) =>
  ({ type: "Website", description, businessName: null, wishes: "", ...more }) as const

describe("a site for another business than the account's", () => {
  it.each<readonly [string, string, string | undefined]>([
    ["Site da Padaria Bom Pão, padaria artesanal em Curitiba.", "Ondas", "Padaria Bom Pão"],
    ["A website for a bakery called Aurora, in York.", "Ledgerly", "Aurora"],
    // Of its own business, by name or without one.
    ["Site da Ondas, que vende agendas para clínicas.", "Ondas", undefined],
    ["Um site que mostre nossos planos e peça demonstrações.", "Ondas", undefined],
    ["Site da Clínica Sorriso, cliente da Ondas.", "Ondas Tecnologia Ltda", undefined]
  ])("%j beside %j", (description, own, other) => assert.strictEqual(otherBusiness(asked(description), own), other))

  it("is told by the name that was given, unless the wishes speak of the account's", () => {
    const site = asked("Um site simples.", { businessName: "Padaria Bom Pão" })
    assert.strictEqual(otherBusiness(site, "Ondas"), "Padaria Bom Pão")
    assert.isUndefined(otherBusiness({ ...site, wishes: "Diga que a Ondas a apoia." }, "Ondas"))
  })

  it("is never a capture page, nor anything beside an account without a name", () => {
    const page = asked("Página da Black Friday Premium, com desconto.", { type: "LeadCapturePage" })
    assert.isUndefined(otherBusiness(page, "Ondas"))
    assert.isUndefined(otherBusiness(asked("Site da Padaria Bom Pão."), null))
  })
})
