import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import fc from "fast-check"
import { isSiteName } from "../../src/Services/Text/Web/SiteHost.ts"
import { checkedName, isReservedName, nameOf } from "../../src/Services/Websites/WebsiteNames.ts"
import { firstTitle, websiteLanguage } from "../../src/Services/Websites/WebsiteRules.ts"

describe("names of sites", () => {
  it("are made of any words, and can be had and served", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constantFrom("www", "API", "É", "xn--a", "mail 2")),
        (words) => {
          const name = nameOf(words)
          assert.isTrue(Either.isRight(checkedName(name)), name)
          assert.isTrue(isSiteName(name), name)
          assert.isFalse(isReservedName(name), name)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("are read as people write them", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["Clínica Sorriso Vivo", "clinica-sorriso-vivo"],
      ["  AÇAÍ & Cia. Ltda ", "acai-cia-ltda"],
      ["Suporte", "site-suporte"],
      ["日本", "site-1"],
      ["x", "site-x"],
      ["a".repeat(90), "a".repeat(40)]
    ]
    for (const [words, name] of cases) assert.strictEqual(nameOf(words), name)
  })

  it("that a caller wishes are the served ones, whatever is sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9-]{1,70}$/)), (wish) => {
        const name = checkedName(wish)
        if (Either.isRight(name)) assert.isTrue(isSiteName(name.right))
        else assert.include(["name_not_accepted", "name_reserved"], name.left.reason)
      })
    )
  })
})

describe("rules of sites", () => {
  it("take a language in any case", () => {
    for (const text of ["pt-br", "PT-BR", " Pt-Br "]) {
      assert.deepEqual(websiteLanguage("language", text), Either.right("pt-br"))
    }
    for (const text of ["", "pt", "pt_br", "pt-bra", "pt-br-x", "12-34", "pt-b\u0131"]) {
      assert.isTrue(Either.isLeft(websiteLanguage("language", text)), text)
    }
  })

  it("call a site by its business, else by the beginning of what is asked", () => {
    assert.strictEqual(firstTitle("Ondas", "Um site"), "Ondas")
    assert.strictEqual(firstTitle(undefined, "Um site para\na clínica. E mais."), "Um site para a clínica.")
    assert.strictEqual(
      firstTitle(undefined, "Site da Padaria Bom Pão, padaria artesanal em Curitiba. Pães e bolos."),
      "Padaria Bom Pão"
    )
    assert.isAtMost(firstTitle(undefined, "x".repeat(500)).length, 60)
  })
})
