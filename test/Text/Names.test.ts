import { assert, describe, it } from "@effect/vitest"
import { detectLanguage, languageOf } from "../../src/Services/Text/Language.ts"
import { genderOf, greetingName, spokenCompany } from "../../src/Services/Text/PersonName.ts"
import { withSignature } from "../../src/Services/Writing/Signature.ts"

describe("greetingName", () => {
  it.each([
    ["Ana Souza", "Ana"],
    ["ANA CLARA DE SOUZA", "Ana Clara"],
    ["João Pedro Alves", "João Pedro"],
    ["MARIA DA CONCEIÇÃO SILVA", "Maria da Conceição"],
    ["Maria de Lourdes", "Maria de Lourdes"],
    ["María del Carmen Ruiz", "María del Carmen"],
    ["Juan Carlos Pérez", "Juan Carlos"],
    ["María José Ortega", "María José"],
    ["Mary Ann Smith", "Mary Ann"],
    ["Maria da Silva", "Maria"],
    ["João de Souza", "João"],
    ["Paulo Reis", "Paulo"],
    ["SOUZA, Ana Paula", "Ana Paula"],
    ["Rosa María Rocha Mayorga", "Rosa María"],
    ["Luz Elena Ortiz", "Luz Elena"],
    ["Rosa Martínez", "Rosa"],
    ["da Silva, João", "João"],
    ["Ana Souza, MBA", "Ana"],
    ["Dra. Ana Paula Reis", "Dra. Ana Paula"],
    ["josé da silva", "José"],
    ["Dr. Paulo Reis", "Dr. Paulo"],
    ["Dra Marta", "Dra. Marta"],
    ["Sr. João", "João"],
    ["Jean-Luc Picard", "Jean-Luc"],
    ["O'Brien", "O'Brien"],
    ["McDonald Jones", "McDonald"]
  ])("calls %j %j", (name, called) => {
    assert.strictEqual(greetingName(name), called)
  })

  it.each([
    "Clínica Sorriso Ltda",
    "contato",
    "Financeiro",
    "info@x.com",
    "Comercial - Loja 2",
    "11 98765-4321",
    "<b>Ana</b>",
    "{{nome}}",
    "Ana; DROP TABLE",
    "",
    "A",
    "https://x.com",
    "Loja da Ana",
    "da Silva",
    "De la Cruz"
  ])("does not greet %j by name", (name) => {
    assert.isUndefined(greetingName(name))
  })

  it("does not greet a company by its name", () => {
    assert.isUndefined(greetingName("Padaria Estrela", "PADARIA ESTRELA"))
  })
})

describe("genderOf", () => {
  it.each([
    ["Ana Souza", "feminine"],
    ["Sra. Ariel Lima", "feminine"],
    ["Dra. Noa Reis", "feminine"],
    ["João Lima", "masculine"],
    ["Sr. Darci Alves", "masculine"],
    ["Darci Alves", undefined],
    ["Ariel Lima", undefined],
    ["Jean Costa", undefined],
    ["", undefined]
  ])("takes %j for %j", (name, gender) => {
    assert.strictEqual(genderOf(name), gender)
  })
})

describe("spokenCompany", () => {
  it.each([
    ["CLÍNICA SORRISO LTDA", "Clínica Sorriso"],
    ["Acme S.A.", "Acme"],
    ["Comercial Lima Ltda. - ME", "Comercial Lima"],
    ["Acme, Inc.", "Acme"],
    ["IBM", "IBM"],
    ["D'Ávila & Filhos", "D'Ávila & Filhos"]
  ])("says %j as %j", (company, said) => {
    assert.strictEqual(spokenCompany(company), said)
  })

  it.each(["https://evil.com", "evil.com", "<b>x</b>", "{{x}}", "x\u202ey\nz{", "-", "x".repeat(200), "a@b.com"])(
    "does not say %j",
    (company) => {
      assert.isUndefined(spokenCompany(company))
    }
  )
})

describe("withSignature", () => {
  it("appends the account's signature as it is", () => {
    const signature = "João Lima\nSolaris — <energia> {{x}}"
    assert.strictEqual(
      withSignature("Oi.\n\nUm abraço,", { name: "João Lima", emailSignature: signature }, "Solaris"),
      `Oi.\n\nUm abraço,\n${signature}`
    )
  })

  it("falls back to the sender's name, then to the business", () => {
    assert.strictEqual(withSignature("Oi.", { name: "João", emailSignature: "  " }, "Solaris"), "Oi.\n\nJoão")
    assert.strictEqual(withSignature("Oi.", {}, "Solaris"), "Oi.\n\nSolaris")
  })

  it("does not double what its writer added, or a closing line", () => {
    assert.strictEqual(
      withSignature("Oi.\n\nUm abraço,\nJoão\nSolaris\n", { name: "João" }, "Solaris"),
      "Oi.\n\nUm abraço,\nJoão"
    )
    const own = { name: "João", emailSignature: "Atenciosamente,\nJoão" }
    assert.strictEqual(withSignature("Oi.\n\nUm abraço,\nJoão", own, "Solaris"), "Oi.\n\nAtenciosamente,\nJoão")
  })

  it("keeps a body that only happens to be the name", () => {
    assert.strictEqual(withSignature("João", { name: "João" }, "Solaris"), "João\n\nJoão")
  })
})

describe("languages", () => {
  it.each([
    ["pt-PT", "pt-BR"],
    ["es_MX", "es"],
    ["EN", "en"],
    ["fr", "pt-BR"]
  ])("takes %j for %j", (key, language) => {
    assert.strictEqual(languageOf(key), language)
  })

  it.each([
    ["Não tenho interesse, obrigado", "pt-BR"],
    ["nao quero mais isso, obg", "pt-BR"],
    ["No me interesa, gracias", "es"],
    ["¿Cuánto cuesta?", "es"],
    ["Please send me the price", "en"],
    ["What's this about?", "en"]
  ])("detects %j as %j", (text, language) => {
    assert.strictEqual(detectLanguage(text), language)
  })

  it("says nothing of a text that says nothing", () => {
    for (const text of ["", "ok", "123", "👍"]) assert.isUndefined(detectLanguage(text))
  })
})
