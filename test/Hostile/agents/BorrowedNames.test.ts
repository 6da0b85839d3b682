import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import names from "../../../src/Services/SenderDomains/borrowedNames.json" with { type: "json" }
import { isProtectedName } from "../../../src/Services/SenderDomains/ProtectedNames.ts"
import { SenderDomains } from "../../../src/Services/SenderDomains/SenderDomains.ts"
import { makeTokenHolder, send, testGateway } from "../../support/servers/TestServer.ts"

describe("a name that people trust", () => {
  it.each([
    "paypal",
    "paypa1",
    "pay-pal",
    "paypal-support",
    "suporte-paypal-br",
    "paypalsuporte",
    "rnicrosoft",
    "micr0soft",
    "netflix-fatura",
    "itau",
    "1tau",
    "equipe-itau-2026",
    "bradesco",
    "brade5co-cartoes",
    "meunubank",
    "bancodobrasil",
    "caixa-economica-federal",
    "caixa",
    "receitafederal",
    "receita-federal-pix",
    "receita",
    "inss-beneficios",
    "correios-entrega",
    "agenciatributaria",
    "bbva-seguridad",
    "banrural",
    "banco-patagonia-soporte",
    "credit-agricole",
    "paypal-juridico",
    "x-netflix-2",
    "8radesco",
    "6radesco-pj",
    "paypa11",
    "paypall",
    "paypal1",
    "paypalcom",
    "paypalcombr",
    "paypalsupport1",
    "meupaypal",
    "bbradesco",
    "itaucard",
    "caixagov",
    "dhl-express",
    "rastreio-dhl"
  ])("%s needs the operator", (label) => {
    assert.isTrue(isProtectedName(label))
  })

  it("has a source, or is said to have none", () => {
    const tables = new Set([names.banks, names.bodies, names.brands].flatMap(Object.keys))
    const unconfirmed = names.unconfirmed.split(" ")
    assert.deepStrictEqual(
      unconfirmed.filter((name) => !tables.has(name)),
      []
    )
    assert.isBelow(unconfirmed.length / tables.size, 0.2)
    assert.isAtLeast(names.openStreetMap.split(" ").length, 300)
  })

  it.each([
    "souza-odontologia",
    "ondas",
    "padaria-do-joao",
    "receita-da-vovo",
    "rede-clinicas",
    "banco-de-dados-livre",
    "luz-e-light-design",
    "taubate-moveis",
    "consultoria-fiscal-lima",
    "clara-contabilidade",
    "vivo-bem-nutricao",
    "natura-viva-jardins",
    "apple-pie-doceria",
    "boavista-imoveis",
    "acme-vendas",
    "anna-e-johann",
    "padaria-bella-massa",
    "clinica-dr-villar2",
    "cooperativa-coffee",
    "terra-com-vida",
    "loja24"
  ])("%s is free", (label) => {
    assert.isFalse(isProtectedName(label))
  })
})

layer(testGateway(), { excludeTestServices: true })("a subdomain with a borrowed name", (it) => {
  it.effect("is set up only for the account that the operator approved it for", () =>
    Effect.gen(function* () {
      const domains = yield* SenderDomains
      const owner = yield* makeTokenHolder()
      const attacker = yield* makeTokenHolder()
      const activate = ({ token }: typeof owner, subdomain: string) =>
        send("/rest/v1/tools/setup_email_subdomain", {
          method: "POST",
          token,
          body: JSON.stringify({ action: "activate", subdomain })
        })
      // A name in another script, encoded, could look like any other.
      assert.strictEqual((yield* activate(attacker, "xn--pypal-4ve")).status, 422)
      for (const name of ["Bradesco", "bradesco-cobranca"]) {
        const answer = yield* activate(attacker, name)
        assert.strictEqual(answer.status, 422, answer.text)
        assert.deepInclude(answer.json, { reason: "needs_operator" })
      }
      yield* domains.approveSubdomain(owner.caller.accountId, "bradesco")
      yield* domains.approveSubdomain(owner.caller.accountId, "bradesco")
      assert.strictEqual((yield* activate(owner, "bradesco")).status, 200)
      assert.deepInclude((yield* activate(owner, "bradesco-cobranca")).json, { reason: "needs_operator" })
      assert.deepInclude((yield* activate(attacker, "bradesco")).json, { reason: "needs_operator" })
      const nobody = yield* Effect.flip(
        domains.approveSubdomain(owner.caller.accountId, "x").pipe(Effect.catchTag("Transient", Effect.die))
      )
      assert.strictEqual(nobody.reason, "subdomain_invalid")
    })
  )
})
